(define (problem p) (:domain river) (:objects goat - thing left right - bank)
  (:init (lies goat left)  (boat left) (other left right) (other right left))
  (:goal (and (lies goat right) )))
