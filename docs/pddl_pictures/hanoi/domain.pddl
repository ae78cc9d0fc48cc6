; picture: place ?p - peg column ?p
; picture: look ?p - peg shape peg
; picture: place ?d on ?x where (on ?d ?x)
; picture: look ?d - disc shape disc width ?d.1
(define (domain hanoi)
  (:requirements :strips :typing)
  (:types disc peg)
  (:predicates (on ?d - disc ?x - object) (clear ?x - object) (smaller ?d - disc ?x - object))
  (:action move
    :parameters (?d - disc ?from ?to - object)
    :precondition (and (smaller ?d ?to) (on ?d ?from) (clear ?d) (clear ?to))
    :effect (and (clear ?from) (on ?d ?to) (not (on ?d ?from)) (not (clear ?to)))))
