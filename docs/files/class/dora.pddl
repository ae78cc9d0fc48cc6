(define (domain river) (:requirements :strips :typing) (:types thing bank)
  (:predicates (at ?t - thing ?b - bank) (boat ?b - bank) (other ?b ?c - bank))
  (:action carry :parameters (?t - thing ?b ?c - bank)
    :precondition (and (at ?t ?b) (boat ?b) (other ?b ?c))
    :effect (and (not (at ?t ?b)) (at ?t ?c) (not (boat ?b)) (boat ?c)))
  (:action row :parameters (?b ?c - bank) :precondition (and (boat ?b) (other ?b ?c))
    :
