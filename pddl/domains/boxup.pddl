; Boxup, a puzzle invented by Andrea Gilbert (2003).
;
; A mover steps on a grid and takes the boxes along that it is in and that have a wall where it goes. A box is open
; on one side only; a cell holds at most one small and one large box. To find out whether a step is free, one need
; not know which boxes stand where: each cell says which of its sides are open, for either size of box.
;
;     no large box here: open on all four sides           a large box here: open on the box's own side alone
;
; A cell that is open on two opposite sides therefore has no box of that size. Boxes that look the same are the same:
; an object of type `box` is a kind of box (its size, its side), and there may be several of a kind.

(define (domain boxup)
  (:requirements :strips :typing)
  (:types cell side box - object
          small large - box)
  (:constants north east south west - side
              nobody - large)                 ; the partner of small boxes that have none; it is nowhere
  (:predicates
    ; what never changes
    (door ?from - cell ?d - side ?to - cell ?back - side)  ; leave ?from by its side ?d, enter ?to by its side ?back
    (opens ?b - box ?s - side)
    (shut ?b - box ?s - side)                 ; true of the three other sides
    (partner ?small - small ?large - large)   ; the goal is to bring them together
    ; what changes
    (at ?c - cell)                            ; the mover
    (small-at ?b - small ?c - cell)
    (large-at ?b - large ?c - cell)
    (small-open ?c - cell ?s - side)          ; no small box here has a wall on this side
    (large-open ?c - cell ?s - side)
    (without ?c - cell ?b - large)            ; no large box of this kind here
    (paired ?b - small))                      ; inside its partner

  ; Nothing comes along: every box here is open where the mover leaves, every box there where it enters.
  (:action walk
    :parameters (?from - cell ?d - side ?to - cell ?back - side)
    :precondition (and (door ?from ?d ?to ?back) (at ?from)
                       (small-open ?from ?d) (large-open ?from ?d)
                       (small-open ?to ?back) (large-open ?to ?back))
    :effect (and (not (at ?from)) (at ?to)))

  ; A small box comes along, out of any large box that is open there, into a cell without a small box.
  (:action carry-small
    :parameters (?from - cell ?d - side ?to - cell ?back - side
                 ?b - small ?s - side ?partner - large)
    :precondition (and (door ?from ?d ?to ?back) (at ?from)
                       (small-at ?b ?from) (opens ?b ?s) (shut ?b ?d) (large-open ?from ?d)
                       (small-open ?to ?back) (small-open ?to ?d) (large-open ?to ?back)
                       (partner ?b ?partner) (without ?to ?partner))
    :effect (and (not (at ?from)) (at ?to)
                 (not (small-at ?b ?from)) (small-at ?b ?to)
                 (small-open ?from north) (small-open ?from east)
                 (small-open ?from south) (small-open ?from west)
                 (not (small-open ?to north)) (not (small-open ?to east))
                 (not (small-open ?to south)) (not (small-open ?to west)) (small-open ?to ?s)
                 (not (paired ?b))))

  ; The same, into its partner.
  (:action pair-up
    :parameters (?from - cell ?d - side ?to - cell ?back - side
                 ?b - small ?s - side ?partner - large)
    :precondition (and (door ?from ?d ?to ?back) (at ?from)
                       (small-at ?b ?from) (opens ?b ?s) (shut ?b ?d) (large-open ?from ?d)
                       (small-open ?to ?back) (small-open ?to ?d)
                       (partner ?b ?partner) (large-at ?partner ?to) (opens ?partner ?back))
    :effect (and (not (at ?from)) (at ?to)
                 (not (small-at ?b ?from)) (small-at ?b ?to)
                 (small-open ?from north) (small-open ?from east)
                 (small-open ?from south) (small-open ?from west)
                 (not (small-open ?to north)) (not (small-open ?to east))
                 (not (small-open ?to south)) (not (small-open ?to west)) (small-open ?to ?s)
                 (paired ?b)))

  ; A large box comes along with no small box in it, into a cell without any box.
  (:action carry-large
    :parameters (?from - cell ?d - side ?to - cell ?back - side
                 ?l - large ?ls - side)
    :precondition (and (door ?from ?d ?to ?back) (at ?from)
                       (large-at ?l ?from) (opens ?l ?ls) (shut ?l ?d)
                       (small-open ?from ?d) (small-open ?from ?back)
                       (small-open ?to ?back) (small-open ?to ?d)
                       (large-open ?to ?back) (large-open ?to ?d))
    :effect (and (not (at ?from)) (at ?to)
                 (not (large-at ?l ?from)) (large-at ?l ?to)
                 (not (without ?to ?l)) (without ?from ?l)
                 (large-open ?from north) (large-open ?from east)
                 (large-open ?from south) (large-open ?from west)
                 (not (large-open ?to north)) (not (large-open ?to east))
                 (not (large-open ?to south)) (not (large-open ?to west)) (large-open ?to ?ls)))

  ; A large box comes along, and the small box in it, whichever way that is open.
  (:action carry-both
    :parameters (?from - cell ?d - side ?to - cell ?back - side
                 ?l - large ?ls - side ?b - small ?s - side)
    :precondition (and (door ?from ?d ?to ?back) (at ?from)
                       (large-at ?l ?from) (opens ?l ?ls) (shut ?l ?d)
                       (small-at ?b ?from) (opens ?b ?s)
                       (small-open ?to ?back) (small-open ?to ?d)
                       (large-open ?to ?back) (large-open ?to ?d))
    :effect (and (not (at ?from)) (at ?to)
                 (not (large-at ?l ?from)) (large-at ?l ?to)
                 (not (without ?to ?l)) (without ?from ?l)
                 (large-open ?from north) (large-open ?from east)
                 (large-open ?from south) (large-open ?from west)
                 (not (large-open ?to north)) (not (large-open ?to east))
                 (not (large-open ?to south)) (not (large-open ?to west)) (large-open ?to ?ls)
                 (not (small-at ?b ?from)) (small-at ?b ?to)
                 (small-open ?from north) (small-open ?from east)
                 (small-open ?from south) (small-open ?from west)
                 (not (small-open ?to north)) (not (small-open ?to east))
                 (not (small-open ?to south)) (not (small-open ?to west)) (small-open ?to ?s))))
