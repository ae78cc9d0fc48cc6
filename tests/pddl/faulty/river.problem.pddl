(define (problem crossing)
  (:domain river)
  (:objects left right - side
            wolf goat cabbage - thing)
  (:init (opposite left right) (opposite right left)
         (eats wolf goat) (eats goat cabbage)
         (farmer-at left)
         (at wolf left) (at goat left) (at cabbage left))
  (:goal (and (at wolf right) (at goat right) (at cabbage right))))
