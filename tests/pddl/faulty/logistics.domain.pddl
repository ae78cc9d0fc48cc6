(define (domain logistics)
  (:requirements :strips :typing :action-costs)
  (:types
    truck plane - vehicle
    vehicle package - movable
    airport - place
    movable place city - object)
  (:predicates
    (at ?m - movable ?p - place)
    (in ?k - package ?v - vehicle)
    (of ?p - place ?c - city))
  (:functions
    (total-cost) - number
    (distance ?a ?b - airport) - number)

  (:action load
    :parameters (?k - package ?v - vehicle ?p - place)
    :precondition (and (at ?k ?p) (at ?v ?p))
    :effect (and (not (at ?k ?p)) (in ?k ?v) (increase (total-cost) 1)))

  (:action unload
    :parameters (?k - package ?v - vehicle ?p - place)
    :precondition (and (in ?k ?v) (at ?v ?p))
    :effect (and (not (in ?k ?v)) (at ?k ?p) (increase (total-cost) 1)))

  (:action drive
    :parameters (?t - truck ?from ?to - place ?c - city)
    :precondition (and (at ?t ?from) (of ?from ?c) (of ?to ?c))
    :effect (and (not (at ?t ?from)) (at ?t ?to) (increase (total-cost) 2)))

  (:action fly
    :parameters (?a - plane ?from ?to - airport)
    :precondition (at ?a ?from)
    :effect (and (not (at ?a ?from)) (at ?a ?to)
                 (increase (total-cost) (distance ?from ?to)))))
