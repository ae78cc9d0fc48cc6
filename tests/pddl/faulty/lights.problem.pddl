(define (problem three-rooms)
  (:domain lights)
  (:objects kitchen cellar - room
            l1 l2 l3 - lamp)
  (:init (here hall)
         (door hall kitchen) (door kitchen hall)
         (door kitchen cellar) (door cellar kitchen)
         (inside l1 hall) (inside l2 kitchen) (inside l3 cellar))
  (:goal (and (here cellar) (on l3) (not (on l1)))))
