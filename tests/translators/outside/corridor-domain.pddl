(define (domain old-style)
  (:requirements :strips :typing)
  (:types cell)
  (:predicates (at ?c - cell) (next ?left ?right - cell))
  (:action right
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (next ?from ?to))
    :effect (and (not (at ?from)) (at ?to)))
  (:action left
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (next ?to ?from))
    :effect (and (not (at ?from)) (at ?to))))
