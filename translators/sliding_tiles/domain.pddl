; Sliding tiles: a tile next to the blank slides into it. The goal need not say where every tile goes, nor the blank.

(define (domain sliding-tiles)
  (:requirements :strips :typing)
  (:types tile cell - object)
  (:predicates
    (adjacent ?a - cell ?b - cell)            ; never changes; stated both ways round
    (at ?t - tile ?c - cell)
    (blank ?c - cell))

  ; The blank goes the other way: from ?to to ?from.
  (:action slide
    :parameters (?t - tile ?from - cell ?to - cell)
    :precondition (and (adjacent ?from ?to) (at ?t ?from) (blank ?to))
    :effect (and (not (at ?t ?from)) (at ?t ?to)
                 (not (blank ?to)) (blank ?from))))
