(define (domain roads)
  (:requirements :strips :typing)
  (:types truck place pack)
  (:predicates (at ?t - truck ?p - place) (in ?k - pack ?t - truck) (lies ?k - pack ?p - place)
               (road ?a ?b - place) (gate ?a ?b - place) (key ?t - truck))
  (:action drive
    :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (road ?a ?b))
    :effect (and (at ?t ?b) (not (at ?t ?a))))
  (:action pass
    :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (gate ?a ?b) (key ?t))
    :effect (and (at ?t ?b) (not (at ?t ?a))))
  (:action load
    :parameters (?k - pack ?t - truck ?p - place)
    :precondition (and (at ?t ?p) (lies ?k ?p))
    :effect (and (in ?k ?t) (not (lies ?k ?p))))
  (:action unload
    :parameters (?k - pack ?t - truck ?p - place)
    :precondition (and (at ?t ?p) (in ?k ?t))
    :effect (and (lies ?k ?p) (not (in ?k ?t))))
)
