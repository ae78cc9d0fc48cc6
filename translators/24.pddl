; The 24 game, on cards. A number that stands there several times has a pile of cards: the first one lies on the table,
; the others on each other. Only the uppermost is taken; a new one is laid on top. What the numbers give is listed as
; static facts. Where the result is one of the two numbers, its card stays, and the other one goes.

(define (domain game-24)
  (:requirements :strips :typing :negative-preconditions)
  (:types card operator amount - object)
  (:predicates
    (there ?card - card)
    (left ?amount - amount)
    (fewer ?more - amount ?less - amount)
    (above ?upper - card ?card - card)
    (below ?lower - card ?card - card)
    (give ?x - card ?sign - operator ?y - card ?result - card)
    (twins-give ?x - card ?sign - operator ?y - card ?result - card)
    (same ?x - card ?sign - operator ?y - card ?gone - card)
    (same-twins ?x - card ?sign - operator ?y - card))

  (:action join
    :parameters (?x - card ?sign - operator ?y - card ?result - card ?over-x - card ?over-y - card ?below - card
                 ?more - amount ?less - amount)
    :precondition (and (give ?x ?sign ?y ?result) (left ?more) (fewer ?more ?less)
                       (there ?x) (above ?over-x ?x) (not (there ?over-x))
                       (there ?y) (above ?over-y ?y) (not (there ?over-y))
                       (below ?below ?result) (there ?below) (not (there ?result)))
    :effect (and (not (there ?x)) (not (there ?y)) (there ?result) (not (left ?more)) (left ?less)))

  (:action join-twins
    :parameters (?x - card ?sign - operator ?y - card ?result - card ?over-x - card ?below - card
                 ?more - amount ?less - amount)
    :precondition (and (twins-give ?x ?sign ?y ?result) (left ?more) (fewer ?more ?less)
                       (there ?x) (there ?y) (above ?over-x ?x) (not (there ?over-x))
                       (below ?below ?result) (there ?below) (not (there ?result)))
    :effect (and (not (there ?x)) (not (there ?y)) (there ?result) (not (left ?more)) (left ?less)))

  (:action keep
    :parameters (?x - card ?sign - operator ?y - card ?gone - card ?over-x - card ?over-y - card
                 ?more - amount ?less - amount)
    :precondition (and (same ?x ?sign ?y ?gone) (left ?more) (fewer ?more ?less)
                       (there ?x) (above ?over-x ?x) (not (there ?over-x))
                       (there ?y) (above ?over-y ?y) (not (there ?over-y)))
    :effect (and (not (there ?gone)) (not (left ?more)) (left ?less)))

  (:action keep-twin
    :parameters (?x - card ?sign - operator ?y - card ?over-x - card ?more - amount ?less - amount)
    :precondition (and (same-twins ?x ?sign ?y) (left ?more) (fewer ?more ?less)
                       (there ?x) (there ?y) (above ?over-x ?x) (not (there ?over-x)))
    :effect (and (not (there ?x)) (not (left ?more)) (left ?less))))
