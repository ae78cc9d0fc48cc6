; picture: place ?b - bank column ?b
; picture: place ?x in ?b where (at ?x ?b)
; picture: look ?b - bank colour wall
; picture: look farmer colour hero
(define (domain river)
  (:requirements :adl)
  (:types bank passenger)
  (:constants farmer wolf goat cabbage - passenger)
  (:predicates (at ?x - passenger ?b - bank) (across ?a ?b - bank))
  (:action row
    :parameters (?from ?to - bank ?with - passenger)
    :precondition (and (across ?from ?to) (at farmer ?from) (at ?with ?from)
      (or (= ?with goat) (not (at goat ?from))
          (and (= ?with wolf) (not (at cabbage ?from))) (and (= ?with cabbage) (not (at wolf ?from)))
          (and (= ?with farmer) (not (at wolf ?from)) (not (at cabbage ?from)))))
    :effect (and (not (at farmer ?from)) (at farmer ?to)
                 (when (not (= ?with farmer)) (and (not (at ?with ?from)) (at ?with ?to))))))
