; Sokoban (H. Imabayashi, 1981): a player walks on a floor and pushes boxes, one at a time.
;
; Boxes look alike, so they have no names: a state says which cells have one.

(define (domain sokoban)
  (:requirements :strips :typing)
  (:types cell side - object)
  (:predicates
    (next ?a - cell ?s - side ?b - cell)      ; never changes: ?b is beyond side ?s of ?a; walls are no cells
    (player ?c - cell)
    (box ?c - cell)
    (clear ?c - cell))                        ; no box is here

  (:action walk
    :parameters (?from - cell ?s - side ?to - cell)
    :precondition (and (next ?from ?s ?to) (player ?from) (clear ?to))
    :effect (and (not (player ?from)) (player ?to)))

  (:action push
    :parameters (?from - cell ?s - side ?to - cell ?beyond - cell)
    :precondition (and (next ?from ?s ?to) (next ?to ?s ?beyond) (player ?from) (box ?to) (clear ?beyond))
    :effect (and (not (player ?from)) (player ?to)
                 (not (box ?to)) (clear ?to)
                 (box ?beyond) (not (clear ?beyond)))))
