(define (problem p) (:domain river) (:objects goat - thing left right - bank)
  (:init (at goat left)  (boat left) (other left right) (other right left))
  (:goal (and (at goat right) )))
