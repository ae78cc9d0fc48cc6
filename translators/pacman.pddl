; Pacman without ghosts: walk on the floor of a maze, eat what lies there, until nothing is left.

(define (domain pacman)
  (:requirements :strips :typing :negative-preconditions)   ; negative only in the goal: (not (food ?c))
  (:types cell - object)
  (:predicates
    (adjacent ?a - cell ?b - cell)            ; never changes; stated both ways round; walls are no cells
    (at ?c - cell)                            ; Pacman
    (food ?c - cell))

  ; Food in the cell is eaten; where there is none, nothing more happens.
  (:action move
    :parameters (?from - cell ?to - cell)
    :precondition (and (adjacent ?from ?to) (at ?from))
    :effect (and (not (at ?from)) (at ?to) (not (food ?to)))))
