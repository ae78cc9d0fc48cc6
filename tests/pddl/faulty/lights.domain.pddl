; A person walks through rooms, of which only lit ones and those beside them can be entered.
(define (domain lights)
  (:requirements :adl :derived-predicates)
  (:types lamp room - object)
  (:constants hall - room)
  (:predicates
    (on ?l - lamp)
    (inside ?l - lamp ?r - room)
    (door ?a ?b - room)
    (here ?r - room)
    (lit ?r - room)
    (bright ?r - room))

  (:derived (lit ?r - room)
    (exists (?l - lamp) (and (inside ?l ?r) (on ?l))))
  (:derived (bright ?r - room)
    (lit ?r))
  (:derived (bright ?r - room)
    (exists (?o - room) (and (door ?o ?r) (lit ?o))))

  (:action switch
    :parameters (?l - lamp ?r - room)
    :precondition (and (here ?r) (inside ?l ?r))
    :effect (and (when (on ?l) (not (on ?l)))
                 (when (not (on ?l)) (on ?l))))

  (:action walk
    :parameters (?from ?to - room)
    :precondition (and (here ?from) (door ?from ?to) (bright ?to))
    :effect (and (not (here ?from))
                 (here ?to))))
