; Lights out: pressing a cell switches its light and those next to it, so that the lit ones go off and the others on.

(define (domain lights-out)
  (:requirements :strips :typing :negative-preconditions :universal-preconditions :conditional-effects)
  (:types cell - object)
  (:predicates
    (switches ?a - cell ?b - cell)            ; never changes: ?b is ?a itself, or next to it
    (lit ?c - cell))

  (:action press
    :parameters (?c - cell)
    :precondition ()
    :effect (forall (?n - cell) (and (when (and (switches ?c ?n) (lit ?n)) (not (lit ?n)))
                                     (when (and (switches ?c ?n) (not (lit ?n))) (lit ?n))))))
