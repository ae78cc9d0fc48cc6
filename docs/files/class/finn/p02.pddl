(define (problem p) (:domain river) (:objects goat wolf - thing left right - bank)
  (:init (lies goat left) (lies wolf left) (boat left) (other left right) (other right left))
  (:goal (and (lies goat right) (lies wolf right))))
