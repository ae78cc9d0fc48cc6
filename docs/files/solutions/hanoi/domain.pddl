; Things carry each other: a disc lies on a larger disc, or on a peg.

(define (domain hanoi)
  (:requirements :strips :typing)
  (:types disc peg - thing)
  (:predicates
    (carries ?below - thing ?disc - disc)     ; a disc lies on this
    (free ?x - thing)                         ; nothing lies on it
    (fits ?d - disc ?x - thing))              ; never changes: the disc may lie on this

  (:action move
    :parameters (?d - disc ?from ?to - thing)
    :precondition (and (carries ?from ?d) (free ?d) (free ?to) (fits ?d ?to))
    :effect (and (not (carries ?from ?d)) (free ?from) (carries ?to ?d) (not (free ?to)))))
