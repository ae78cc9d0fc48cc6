"""A river crossing as PDDL, with conditional effects and a derived predicate, and a delivery with roads and gates."""

from pathlib import Path

RIVER = """(define (domain river)
  (:requirements :adl :derived-predicates)
  (:types bank thing)
  (:constants farmer - thing)
  (:predicates (at ?t - thing ?b - bank) (eats ?a ?b - thing) (across ?a ?b - bank) (eaten))
  (:derived (eaten)
    (exists (?a ?b - thing ?x - bank) (and (eats ?a ?b) (at ?a ?x) (at ?b ?x) (not (at farmer ?x)))))
  (:action row
    :parameters (?from ?to - bank ?with - thing)
    :precondition (and (across ?from ?to) (at farmer ?from) (at ?with ?from) (not (eaten)))
    :effect (and (not (at farmer ?from)) (at farmer ?to)
                 (when (not (= ?with farmer)) (and (not (at ?with ?from)) (at ?with ?to)))))
)
"""
CROSSING = """(define (problem crossing)
  (:domain river)
  (:objects left right - bank wolf goat cabbage - thing)
  (:init (across left right) (across right left) (eats wolf goat) (eats goat cabbage)
         (at farmer left) (at wolf left) (at goat left) (at cabbage left))
  (:goal (and (at wolf right) (at goat right) (at cabbage right) (not (eaten))))
)
"""

ROADS = """(define (domain roads)
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
"""


def delivery(init: str, goal: str) -> str:
    """Return the text of a problem of the domain ROADS, with one truck, two packs and five places."""
    return f"""(define (problem delivery)
  (:domain roads)
  (:objects t - truck a b c d e - place k l - pack)
  (:init {init})
  (:goal (and {goal}))
)
"""


def river_files(folder: Path) -> str:
    """Write the river crossing, and problems of other domains beside it; return the path of the domain."""
    (folder / "domain.pddl").write_text(RIVER)
    (folder / "p1.pddl").write_text(CROSSING)
    (folder / "p10.pddl").write_text(
        CROSSING.replace("problem crossing", "problem wolf").replace("(at wolf left)", "(at wolf right)")
    )
    (folder / "p2.pddl").write_text(
        CROSSING.replace("problem crossing", "problem late").replace("(at goat left)", "(at goat right)")
    )
    (folder / "other.pddl").write_text(delivery("(at t a)", "(at t a)"))
    (folder / "notes.txt").write_text("(:domain river)")
    return str(folder / "domain.pddl")
