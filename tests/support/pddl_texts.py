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
