; The names of cells tell nothing: where they lie follows from what is beside what.
; picture: place ?a left of ?b where (next ?a ?b east)
; picture: place ?b below ?a where (next ?a ?b south)
; picture: place ?x at ?c where (box-at ?x ?c)
; picture: place "player" at ?c where (player-at ?c)
; picture: look "player" glyph @ label "the player"
; picture: look ?x - box glyph $ label "a box"
; picture: look ?x - box glyph ■ label "a box on a goal" where (exists (?c - cell) (and (box-at ?x ?c) (goal ?c)))
; picture: look ?c - cell glyph × label "a goal" where (goal ?c)
(define (domain sokoban)
  (:requirements :strips :typing)
  (:types cell box direction)
  (:constants east west south north - direction)
  (:predicates (next ?a ?b - cell ?d - direction) (player-at ?c - cell) (box-at ?x - box ?c - cell)
               (clear ?c - cell) (goal ?c - cell) (home ?x - box))
  (:action walk
    :parameters (?a ?b - cell ?d - direction)
    :precondition (and (player-at ?a) (next ?a ?b ?d) (clear ?b))
    :effect (and (not (player-at ?a)) (player-at ?b)))
  (:action push
    :parameters (?x - box ?a ?b ?c - cell ?d - direction)
    :precondition (and (player-at ?a) (next ?a ?b ?d) (box-at ?x ?b) (next ?b ?c ?d) (clear ?c))
    :effect (and (not (player-at ?a)) (player-at ?b) (not (box-at ?x ?b)) (box-at ?x ?c)
                 (clear ?b) (not (clear ?c)) (not (home ?x)) (when (goal ?c) (home ?x)))))
