; Sudoku: every row, column and box gets each value once.
;
; A value may go where its row, its column and its box do not have it yet. The goal says that they all have all values;
; so where two given values contradict each other, there is a unit that can never have all of them.

(define (domain sudoku)
  (:requirements :strips :typing :negative-preconditions)
  (:types cell value unit - object
          row column box - unit)
  (:predicates
    (lies ?c - cell ?r - row ?k - column ?b - box)   ; never changes
    (empty ?c - cell)
    (holds ?c - cell ?v - value)
    (has ?u - unit ?v - value))                      ; a cell of this row, column or box holds the value

  (:action place
    :parameters (?c - cell ?r - row ?k - column ?b - box ?v - value)
    :precondition (and (lies ?c ?r ?k ?b) (empty ?c) (not (has ?r ?v)) (not (has ?k ?v)) (not (has ?b ?v)))
    :effect (and (not (empty ?c)) (holds ?c ?v) (has ?r ?v) (has ?k ?v) (has ?b ?v))))
