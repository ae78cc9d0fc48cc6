(define (problem yard-1)
  (:domain depot-yard)
  (:objects
    t1 t2 - truck
    l - lorry
    c1 c2 c3 - crate
    north south east west far-away-in-the-north far-away-in-the-south far-away-in-the-east - place)
  (:init
    (= (total-cost) 0)
    (at t1 hq) (at t2 north) (at c1 south) (at c2 south) (at c3 east)
    (pump hq)
    (road hq north) (road north hq) (road hq south) (road south hq) (road hq east) (road east hq)
    (road hq west) (road west hq)
    (= (distance hq north) 3) (= (distance north hq) 3) (= (distance hq south) 4)
    (= (distance south hq) 4))
  (:goal (and (at c1 hq) (forall (?c - crate) (or (at ?c hq) (at ?c north))) (not (stranded t1))))
  (:metric minimize (total-cost)))
