; A crossword with candidate lists: writing a word into a slot puts its letters there, and rules out what disagrees.

(define (domain crossword)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions :universal-preconditions
    :conditional-effects)
  (:types slot word cell letter - object)
  (:predicates
    (in ?c - cell ?s - slot)                                    ; these four never change
    (crosses ?s ?t - slot)
    (spells ?s - slot ?w - word ?c - cell ?l - letter)          ; written into ?s, ?w has the letter ?l in ?c
    (clashes ?s - slot ?w - word ?t - slot ?v - word)           ; ?w in ?s and ?v in ?t want two letters in one cell
    (empty ?c - cell)
    (has ?c - cell ?l - letter)
    (full ?s - slot)
    (fits ?s - slot ?w - word)                                  ; a candidate that agrees with the letters there
    (dead ?s - slot))                                           ; no candidate fits any more

  (:action write
    :parameters (?s - slot ?w - word)
    :precondition (and (fits ?s ?w) (not (full ?s)))
    :effect (and
      (full ?s)
      (forall (?c - cell) (when (in ?c ?s) (not (empty ?c))))
      (forall (?c - cell ?l - letter) (when (spells ?s ?w ?c ?l) (has ?c ?l)))
      (forall (?t - slot ?v - word)
        (when (clashes ?s ?w ?t ?v) (not (fits ?t ?v))))
      (forall (?t - slot)
        (when (and (crosses ?s ?t) (forall (?c - cell) (or (not (in ?c ?t)) (not (empty ?c)) (in ?c ?s))))
          (full ?t)))
      (forall (?t - slot)
        (when (and (crosses ?s ?t) (forall (?v - word) (or (not (fits ?t ?v)) (clashes ?s ?w ?t ?v))))
          (dead ?t))))))
