; A farmer crosses a river with a wolf, a goat and a cabbage.
(define (domain river)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions :equality :universal-preconditions)
  (:types side thing)
  (:predicates
    (farmer-at ?s - side)
    (at ?t - thing ?s - side)
    (eats ?a ?b - thing)
    (opposite ?s ?o - side))

  (:action cross-alone
    :parameters (?from ?to - side)
    :precondition (and (farmer-at ?from)
                       (opposite ?from ?to)
                       (forall (?a ?b - thing)
                         (imply (eats ?a ?b) (not (and (at ?a ?from) (at ?b ?from))))))
    :effect (and (not (farmer-at ?from))
                 (farmer-at ?to)))

  (:action cross-with
    :parameters (?t - thing ?from ?to - side)
    :precondition (and (farmer-at ?from)
                       (at ?t ?from)
                       (opposite ?from ?to)
                       (forall (?a ?b - thing)
                         (or (not (eats ?a ?b)) (= ?a ?t) (= ?b ?t) (not (at ?a ?from)) (not (at ?b ?from)))))
    :effect (and (not (farmer-at ?from)) (farmer-at ?to)
                 (not (at ?t ?from)) (at ?t ?to))))
