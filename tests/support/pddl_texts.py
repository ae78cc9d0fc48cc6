"""Tasks, actions, atoms and answers of the semantics as short texts, so that a test shows no more than it is about."""

from unpuzzle.pddl.nodes import Atom, GroundAction, Task
from unpuzzle.pddl.reading.reader import parse_task


def task(domain: str, problem: str) -> Task:
    return parse_task(f"(define (domain d) {domain})", f"(define (problem p) (:domain d) {problem})")


def act(text: str) -> GroundAction:
    name, *arguments = text.strip("()").split()
    return GroundAction(name, tuple(arguments))


def atoms(*texts: str) -> frozenset[Atom]:
    return frozenset(Atom(words[0], tuple(words[1:])) for words in (text.strip("()").split() for text in texts))


def texts(found) -> list[str]:
    return sorted(str(each) for each in found)


GRAPH = """(:predicates (edge ?x ?y) (closed ?x) (path ?x ?y) (cut ?x ?y) (all-cut ?x))
    (:derived (path ?x ?y) (and (edge ?x ?y) (not (closed ?y))))
    (:derived (path ?x ?y) (exists (?z) (and (path ?x ?z) (path ?z ?y))))
    (:derived (cut ?x ?y) (not (path ?x ?y)))
    (:derived (all-cut ?x) (forall (?y) (cut ?x ?y)))
    (:action close :parameters (?x) :precondition (not (all-cut ?x)) :effect (closed ?x))"""

EXPLODING = (
    "(:predicates (at ?x) (linked ?a ?b ?c ?d ?e ?f))"
    "(:action small :parameters (?x) :effect (at ?x))"
    "(:action explode :parameters (?a ?b ?c ?d ?e ?f)"
    " :precondition (and (at ?a) (at ?b) (at ?c) (at ?d) (at ?e) (at ?f))"
    " :effect (linked ?a ?b ?c ?d ?e ?f))"
)
MANY = f"(:objects {' '.join(f'o{i}' for i in range(80))}) (:init) (:goal (and (linked o1 o2 o3 o4 o5 o6) (at o1)))"
"""A domain and a problem that nobody can ground."""
