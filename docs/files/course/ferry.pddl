; A ferry takes cars across a river, one at a time.

(define (domain ferry)
  (:requirements :strips :typing)
  (:types car bank)
  (:predicates
    (ferry-at ?b - bank)
    (at ?c - car ?b - bank)
    (aboard ?c - car)
    (empty))

  (:action sail
    :parameters (?from ?to - bank)
    :precondition (ferry-at ?form)
    :effect (and (not (ferry-at ?from)) (ferry-at ?to)))

  (:action board
    :parameters (?c - car, ?b - bank)
    :precondition (and (ferry-at ?b) (at ?c ?b) (empty))
    :effect (and (not (at ?c)) (aboard ?c) (not (empty))))

  (:action debark
    :parameters (?c - car ?b - bank)
    :precondition (and (ferry-at ?b) (aboard ?c)
    :effects (and (not (aboard ?c)) (at ?c ?b) (empty))))
