(define (domain lights-out)
  (:requirements :strips :typing :negative-preconditions :universal-preconditions :conditional-effects)
  (:types cell)
  (:predicates (switches ?a ?b - cell) (lit ?c - cell))
  (:action press
    :parameters (?c - cell)
    :effect (forall (?n - cell) (and (when (and (switches ?c ?n) (lit ?n)) (not (lit ?n)))
                                     (when (and (switches ?c ?n) (not (lit ?n))) (lit ?n))))))
