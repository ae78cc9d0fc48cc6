(define (problem two-cities)
  (:domain logistics)
  (:objects
    bonn paris - city
    bonn-centre - place
    bonn-air paris-air - airport
    truck1 - truck
    plane1 - plane
    parcel letter box - package)
  (:init
    (of bonn-centre bonn)
    (of bonn-air bonn)
    (of paris-air paris)
    (at truck1 bonn-air)
    (at plane1 paris-air)
    (at parcel bonn-centre)
    (at letter bonn-centre)
    (at box bonn-air)
    (= (total-cost) 0)
    (= (distance bonn-air paris-air) 4)
    (= (distance paris-air bonn-air) 4)
    (= (distance bonn-air bonn-air) 0)
    (= (distance paris-air paris-air) 0))
  (:goal (and (at parcel paris-air) (at letter paris-air) (at box bonn-centre)))
  (:metric minimize (total-cost)))
