; Thin ice: each field of ice breaks when the walker leaves it.

(define (domain thin-ice)
  (:requirements :strips :typing)
  (:types cell)
  (:predicates
    (at ?c - cell)                            ; where the walker is
    (ice ?c - cell)                           ; where the walker can still go
    (up-of ?from ?to - cell)                  ; these never change: (up-of a b) says that b lies above a
    (down-of ?from ?to - cell)
    (left-of ?from ?to - cell)
    (right-of ?from ?to - cell))

  (:action up
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (up-of ?from ?to) (ice ?to))
    :effect (and (not (at ?from)) (at ?to) (not (ice ?to))))

  (:action down
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (down-of ?from ?to) (ice ?to))
    :effect (and (not (at ?from)) (at ?to) (not (ice ?to))))

  (:action left
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (left-of ?from ?to) (ice ?to))
    :effect (and (not (at ?from)) (at ?to) (not (ice ?to))))

  (:action right
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (right-of ?from ?to) (ice ?to))
    :effect (and (not (at ?from)) (at ?to) (not (ice ?to)))))
