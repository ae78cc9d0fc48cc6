; Boxup, a puzzle invented by Andrea Gilbert (2003).
;
; A mover steps on a grid and takes the boxes along that it is in and that have a wall where it goes. A box is open
; on one side only; a cell holds at most one small and one large box. The mover passes a side of a cell if no box
; there is open to one of the three *other* sides, so what a cell keeps, for either size, is the sides that no box
; there is open to: for a cell without a box all four, else three. No condition needs to know which box it is.
;
; Boxes that look the same are the same: an object of type `box` is a kind of box, and there may be several of a kind.

(define (domain boxup)
  (:requirements :strips :typing)
  (:types cell side box - object
          small large - box)
  (:constants nobody - large)                 ; the partner of small boxes that have none; it is nowhere
  (:predicates
    ; what never changes
    (next ?from - cell ?d - side ?to - cell)  ; ?to is beyond side ?d of ?from
    (compass ?d ?back ?left ?right - side)    ; the sides as seen by one who goes towards ?d
    (opens ?b - box ?s - side)
    (shut ?b - box ?s - side)                 ; true of the three other sides
    (partner ?b - small ?l - large)           ; the goal is to bring them together
    ; what changes
    (at ?c - cell)                            ; the mover
    (small-at ?b - small ?c - cell)
    (large-at ?l - large ?c - cell)
    (no-small ?c - cell ?s - side)            ; no small box here is open to this side
    (no-large ?c - cell ?s - side)
    (without ?c - cell ?l - large)            ; no large box of this kind is here
    (paired ?b - small))                      ; it is inside its partner

  ; Nothing comes along: every box here is open where the mover leaves, every box there where it enters.
  (:action walk
    :parameters (?from - cell ?d - side ?to - cell ?back ?left ?right - side)
    :precondition (and (next ?from ?d ?to) (compass ?d ?back ?left ?right) (at ?from)
                       (no-small ?from ?back) (no-small ?from ?left) (no-small ?from ?right)
                       (no-large ?from ?back) (no-large ?from ?left) (no-large ?from ?right)
                       (no-small ?to ?d) (no-small ?to ?left) (no-small ?to ?right)
                       (no-large ?to ?d) (no-large ?to ?left) (no-large ?to ?right))
    :effect (and (not (at ?from)) (at ?to)))

  ; A small box comes along, out of any large box that is open there, into a cell without a small box.
  (:action carry-small
    :parameters (?from - cell ?d - side ?to - cell ?back ?left ?right - side
                 ?b - small ?s - side ?partner - large)
    :precondition (and (next ?from ?d ?to) (compass ?d ?back ?left ?right) (at ?from)
                       (small-at ?b ?from) (opens ?b ?s) (shut ?b ?d)
                       (no-large ?from ?back) (no-large ?from ?left) (no-large ?from ?right)
                       (no-small ?to ?d) (no-small ?to ?back) (no-small ?to ?left) (no-small ?to ?right)
                       (no-large ?to ?d) (no-large ?to ?left) (no-large ?to ?right)
                       (partner ?b ?partner) (without ?to ?partner))
    :effect (and (not (at ?from)) (at ?to)
                 (not (small-at ?b ?from)) (small-at ?b ?to)
                 (no-small ?from ?s) (not (no-small ?to ?s))
                 (not (paired ?b))))

  ; The same, into its partner, which is open towards the mover.
  (:action pair-up
    :parameters (?from - cell ?d - side ?to - cell ?back ?left ?right - side
                 ?b - small ?s - side ?partner - large)
    :precondition (and (next ?from ?d ?to) (compass ?d ?back ?left ?right) (at ?from)
                       (small-at ?b ?from) (opens ?b ?s) (shut ?b ?d)
                       (no-large ?from ?back) (no-large ?from ?left) (no-large ?from ?right)
                       (no-small ?to ?d) (no-small ?to ?back) (no-small ?to ?left) (no-small ?to ?right)
                       (partner ?b ?partner) (large-at ?partner ?to) (opens ?partner ?back))
    :effect (and (not (at ?from)) (at ?to)
                 (not (small-at ?b ?from)) (small-at ?b ?to)
                 (no-small ?from ?s) (not (no-small ?to ?s))
                 (paired ?b)))

  ; A large box comes along, with no small box in it, into a cell without any box.
  (:action carry-large
    :parameters (?from - cell ?d - side ?to - cell ?back ?left ?right - side
                 ?l - large ?ls - side)
    :precondition (and (next ?from ?d ?to) (compass ?d ?back ?left ?right) (at ?from)
                       (large-at ?l ?from) (opens ?l ?ls) (shut ?l ?d)
                       (no-small ?from ?d) (no-small ?from ?back) (no-small ?from ?left) (no-small ?from ?right)
                       (no-small ?to ?d) (no-small ?to ?back) (no-small ?to ?left) (no-small ?to ?right)
                       (no-large ?to ?d) (no-large ?to ?back) (no-large ?to ?left) (no-large ?to ?right))
    :effect (and (not (at ?from)) (at ?to)
                 (not (large-at ?l ?from)) (large-at ?l ?to)
                 (no-large ?from ?ls) (not (no-large ?to ?ls))
                 (without ?from ?l) (not (without ?to ?l))))

  ; A large box comes along, and the small box in it, whichever way that is open.
  (:action carry-both
    :parameters (?from - cell ?d - side ?to - cell ?back ?left ?right - side
                 ?l - large ?ls - side ?b - small ?s - side)
    :precondition (and (next ?from ?d ?to) (compass ?d ?back ?left ?right) (at ?from)
                       (large-at ?l ?from) (opens ?l ?ls) (shut ?l ?d)
                       (small-at ?b ?from) (opens ?b ?s)
                       (no-small ?to ?d) (no-small ?to ?back) (no-small ?to ?left) (no-small ?to ?right)
                       (no-large ?to ?d) (no-large ?to ?back) (no-large ?to ?left) (no-large ?to ?right))
    :effect (and (not (at ?from)) (at ?to)
                 (not (large-at ?l ?from)) (large-at ?l ?to)
                 (no-large ?from ?ls) (not (no-large ?to ?ls))
                 (without ?from ?l) (not (without ?to ?l))
                 (not (small-at ?b ?from)) (small-at ?b ?to)
                 (no-small ?from ?s) (not (no-small ?to ?s)))))
