(define (domain logistics)
  (:requirements :strips :typing)
  (:types city place vehicle package - object airport - place truck plane - vehicle)
  (:predicates (in-city ?l - place ?c - city) (at ?v - vehicle ?l - place)
               (lies ?p - package ?l - place) (in ?p - package ?v - vehicle))
  ; picture: place ?c - city column ?c
  ; picture: place ?l in ?c where (in-city ?l ?c)
  ; picture: place ?v in ?l where (at ?v ?l)
  ; picture: place ?p in ?l where (lies ?p ?l)
  ; picture: place ?p in ?v where (in ?p ?v)
  ; picture: look ?v - plane colour mark
  ; picture: look ?l - airport colour goal
  (:action load
    :parameters (?p - package ?v - vehicle ?l - place)
    :precondition (and (at ?v ?l) (lies ?p ?l))
    :effect (and (in ?p ?v) (not (lies ?p ?l))))
  (:action unload
    :parameters (?p - package ?v - vehicle ?l - place)
    :precondition (and (at ?v ?l) (in ?p ?v))
    :effect (and (lies ?p ?l) (not (in ?p ?v))))
  (:action drive
    :parameters (?t - truck ?from ?to - place ?c - city)
    :precondition (and (at ?t ?from) (in-city ?from ?c) (in-city ?to ?c))
    :effect (and (at ?t ?to) (not (at ?t ?from))))
  (:action fly
    :parameters (?a - plane ?from ?to - airport)
    :precondition (at ?a ?from)
    :effect (and (at ?a ?to) (not (at ?a ?from)))))
