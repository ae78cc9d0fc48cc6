(define (problem two-cities)
  (:domain logistics)
  (:objects paris rome - city office depot - place cdg fco - airport
            truck1 truck2 - truck plane - plane p1 p2 - package)
  (:init (in-city office paris) (in-city cdg paris) (in-city depot rome) (in-city fco rome)
         (at truck1 office) (at truck2 depot) (at plane cdg) (lies p1 office) (lies p2 depot))
  (:goal (and (lies p1 depot) (lies p2 cdg))))
