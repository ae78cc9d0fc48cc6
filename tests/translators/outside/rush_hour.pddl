; Rush Hour: a car's two ends are known by the side that they point to. A car drives when the cell before it is clear:
; its front goes there, its rear leaves a cell.

(define (domain rush-hour)
  (:requirements :strips :typing)
  (:types car side cell)
  (:predicates
    (next ?a - cell ?s - side ?b - cell)      ; these two never change
    (opposite ?s ?o - side)
    (end ?c - car ?s - side ?a - cell)
    (clear ?a - cell))

  (:action drive
    :parameters (?c - car ?s ?o - side ?front ?ahead ?rear ?behind - cell)
    :precondition (and (opposite ?s ?o) (end ?c ?s ?front) (end ?c ?o ?rear)
      (next ?front ?s ?ahead) (next ?rear ?s ?behind) (clear ?ahead))
    :effect (and (not (end ?c ?s ?front)) (end ?c ?s ?ahead) (not (end ?c ?o ?rear)) (end ?c ?o ?behind)
      (clear ?rear) (not (clear ?ahead)))))
