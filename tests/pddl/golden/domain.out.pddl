(define (domain depot-yard)
  (:requirements :typing :negative-preconditions :disjunctive-preconditions :equality
      :quantified-preconditions :conditional-effects :derived-predicates :action-costs)
  (:types
    movable - object
    truck crate - movable
    place expensive - object
    lorry - truck
    lorry - expensive)
  (:constants hq - place)
  (:predicates
    (at ?x - (either truck crate) ?p - place)
    (road ?a ?b - place)
    (connected ?a ?b - place)
    (fuelled ?t - truck)
    (pump ?p - place)
    (when ?t - truck ?c - crate)
    (stranded ?t - truck)
    (used))
  (:functions
    (total-cost) - number
    (distance ?a ?b - place) - number)

  (:derived (connected ?from ?to - place)
    (or (road ?from ?to) (exists (?via - place) (and (road ?from ?via) (connected ?via ?to)))))

  (:derived (stranded ?t - truck)
    (and (not (fuelled ?t)) (forall (?p - place) (imply (at ?t ?p) (not (pump ?p))))))

  (:action refuel
    :parameters (?t - truck)
    :precondition ()
    :effect (and (fuelled ?t) (increase (total-cost) 10)))

  (:action drive
    :parameters (?t - truck ?from ?to - place)
    :precondition (and
      (at ?t ?from)
      (fuelled ?t)
      (connected ?from ?to)
      (not (= ?from ?to))
      (or (pump ?from) (pump ?to) (exists (?c - crate) (when ?t ?c))))
    :effect (and
      (not (at ?t ?from))
      (at ?t ?to)
      (not (fuelled ?t))
      (forall (?c - crate) (when (when ?t ?c) (and (at ?c ?to) (not (at ?c ?from)))))
      (when (pump ?to) (fuelled ?t))
      (increase (total-cost) (distance ?from ?to))))

  (:action load
    :parameters (?t - truck ?c - crate ?p - place)
    :precondition (and (at ?t ?p) (at ?c ?p) (not (stranded ?t)))
    :effect (and (used) (not (at ?c ?p))))

  (:action wait
    :parameters ()
    :precondition ()
    :effect (and))

  (:action pair
    :parameters (?t ?x - truck ?x - lorry)
    :precondition (fuelled ?t)
    :effect (fuelled ?x)))
