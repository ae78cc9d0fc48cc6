; Gogen: the letters A to Y are placed in a grid, so that letters next to each other in a word lie in cells that touch.

(define (domain gogen)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions :universal-preconditions)
  (:types cell letter - object)
  (:predicates
    ; what never changes
    (touch ?c - cell ?d - cell)               ; at a side or at a corner; stated both ways round
    (joined ?l - letter ?m - letter)          ; next to each other in some word; stated both ways round
    (contradiction ?l - letter ?m - letter)   ; joined, but given in cells that do not touch
    ; what changes
    (at ?l - letter ?c - cell)
    (placed ?l - letter)
    (filled ?c - cell))

  ; A letter goes where it touches all letters it is joined with, as far as these are placed.
  (:action place
    :parameters (?l - letter ?c - cell)
    :precondition (and (not (placed ?l)) (not (filled ?c))
                       (forall (?m - letter ?d - cell)
                         (imply (and (joined ?l ?m) (at ?m ?d)) (touch ?c ?d))))
    :effect (and (at ?l ?c) (placed ?l) (filled ?c))))
