(define (problem p) (:domain river) (:objects goat wolf - thing left right - bank)
  (:init (at goat left) (at wolf left) (boat left) (other left right) (other right left))
  (:goal (and (at goat right) (at wolf right))))
