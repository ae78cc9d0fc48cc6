; Gogen: the letters A to Y are placed in a grid, so that letters next to each other in a word lie in cells that touch.

(define (domain gogen)
  (:requirements :strips :typing :negative-preconditions :universal-preconditions :conditional-effects)
  (:types cell letter - object)
  (:predicates
    ; what never changes
    (apart ?c - cell ?d - cell)               ; two cells that do not touch; stated both ways round
    (joined ?l - letter ?m - letter)          ; next to each other in some word; stated both ways round
    (contradiction ?l - letter ?m - letter)   ; joined, but given in cells that do not touch
    ; what changes
    (at ?l - letter ?c - cell)
    (placed ?l - letter)
    (open ?l - letter ?c - cell))             ; nothing that is placed speaks against this letter in this cell

  ; From now on the letter goes nowhere else, nothing else goes into the cell, and the letters that this one is joined
  ; with go into cells that touch it.
  (:action place
    :parameters (?l - letter ?c - cell)
    :precondition (open ?l ?c)
    :effect (and (at ?l ?c) (placed ?l)
                 (forall (?d - cell) (not (open ?l ?d)))
                 (forall (?m - letter) (not (open ?m ?c)))
                 (forall (?m - letter ?d - cell)
                   (when (and (joined ?l ?m) (apart ?c ?d)) (not (open ?m ?d)))))))
