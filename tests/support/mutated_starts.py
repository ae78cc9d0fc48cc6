"""Solvable tasks whose start has one fault: a fact is missing, or names a wrong object.

    for task, natural in mutants(Random(7)): ...    `natural`: the change that takes the fault back

`judged` says what is wrong with an excuse. `places` counts the places of each thing that is always in one, as the
author of the domain knows without any proof.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

from unpuzzle import solve
from unpuzzle.explanation.excuses import Excuse, excused
from unpuzzle.pddl import Atom, Task, parse_task
from unpuzzle.pddl.formulas import walk
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import Types

LIFT = """(define (domain lift) (:requirements :adl :typing)
  (:types floor thing - object key crate - thing)
  (:predicates (lift ?f - floor) (on ?t - thing ?f - floor) (hand ?t - thing) (empty) (shut ?f - floor)
               (fits ?k - key ?f - floor) (over ?a ?b - floor))
  (:action go :parameters (?a ?b - floor)
    :precondition (and (lift ?a) (or (over ?a ?b) (over ?b ?a)) (not (shut ?b)))
    :effect (and (not (lift ?a)) (lift ?b)))
  (:action take :parameters (?t - thing ?f - floor) :precondition (and (lift ?f) (on ?t ?f) (empty))
    :effect (and (not (on ?t ?f)) (hand ?t) (not (empty))))
  (:action drop :parameters (?t - thing ?f - floor) :precondition (and (lift ?f) (hand ?t))
    :effect (and (on ?t ?f) (not (hand ?t)) (empty)))
  (:action open :parameters (?k - key ?f - floor) :precondition (and (hand ?k) (fits ?k ?f) (shut ?f))
    :effect (not (shut ?f))))"""
HOUSE = """(define (problem house) (:domain lift) (:objects f0 f1 f2 f3 - floor k2 k3 - key c d - crate)
  (:init (lift f0) (empty) (over f1 f0) (over f2 f1) (over f3 f2) (shut f2) (shut f3) (fits k2 f2) (fits k3 f3)
         (on k2 f0) (on k3 f2) (on c f1) (on d f0))
  (:goal (and (on c f3) (on d f2))))"""
TRUCKS = """(define (domain trucks) (:requirements :strips :typing) (:types place pack truck level)
  (:predicates (at ?t - truck ?p - place) (lies ?k - pack ?p - place) (in ?k - pack ?t - truck)
               (road ?a ?b - place) (fuel ?t - truck ?l - level) (next ?l ?m - level))
  (:action drive :parameters (?t - truck ?a ?b - place ?l ?m - level)
    :precondition (and (at ?t ?a) (road ?a ?b) (fuel ?t ?l) (next ?l ?m))
    :effect (and (not (at ?t ?a)) (at ?t ?b) (not (fuel ?t ?l)) (fuel ?t ?m)))
  (:action load :parameters (?k - pack ?t - truck ?p - place) :precondition (and (lies ?k ?p) (at ?t ?p))
    :effect (and (not (lies ?k ?p)) (in ?k ?t)))
  (:action unload :parameters (?k - pack ?t - truck ?p - place) :precondition (and (in ?k ?t) (at ?t ?p))
    :effect (and (not (in ?k ?t)) (lies ?k ?p))))"""
ROUND = """(define (problem round) (:domain trucks)
  (:objects a b c d - place k l - pack t - truck n0 n1 n2 n3 - level)
  (:init (at t a) (lies k a) (lies l b) (road a b) (road b c) (road c d) (fuel t n3)
         (next n3 n2) (next n2 n1) (next n1 n0))
  (:goal (and (lies k d) (lies l c))))"""
BLOCKS = """(define (domain blocks) (:requirements :strips)
  (:predicates (on ?x ?y) (table ?x) (clear ?x) (empty) (held ?x))
  (:action pick :parameters (?x) :precondition (and (clear ?x) (table ?x) (empty))
    :effect (and (not (table ?x)) (not (clear ?x)) (not (empty)) (held ?x)))
  (:action put :parameters (?x) :precondition (held ?x)
    :effect (and (not (held ?x)) (clear ?x) (empty) (table ?x)))
  (:action stack :parameters (?x ?y) :precondition (and (held ?x) (clear ?y))
    :effect (and (not (held ?x)) (not (clear ?y)) (clear ?x) (empty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (empty))
    :effect (and (held ?x) (clear ?y) (not (clear ?x)) (not (empty)) (not (on ?x ?y)))))"""
TOWER = """(define (problem tower) (:domain blocks) (:objects p q r s)
  (:init (table p) (on q p) (clear q) (table r) (clear r) (table s) (clear s) (empty))
  (:goal (and (on p q) (on q r) (on r s))))"""
DOORS = """(define (domain doors) (:requirements :adl :typing) (:types room key)
  (:predicates (here ?r - room) (lies ?k - key ?r - room) (has ?k - key) (way ?a ?b - room) (locked ?a ?b - room)
               (opens ?k - key ?r - room) (lamp) (dark ?r - room))
  (:action walk :parameters (?a ?b - room)
    :precondition (and (here ?a) (way ?a ?b) (not (locked ?a ?b)) (imply (dark ?b) (lamp)))
    :effect (and (not (here ?a)) (here ?b)))
  (:action grab :parameters (?k - key ?r - room) :precondition (and (here ?r) (lies ?k ?r))
    :effect (and (has ?k) (not (lies ?k ?r))))
  (:action unlock :parameters (?k - key ?a ?b - room)
    :precondition (and (here ?a) (has ?k) (opens ?k ?b) (locked ?a ?b))
    :effect (not (locked ?a ?b)))
  (:action light :parameters (?r - room) :precondition (and (here ?r) (not (dark ?r))) :effect (lamp)))"""
FLAT = """(define (problem flat) (:domain doors) (:objects hall bath attic roof - room brass steel - key)
  (:init (here hall) (way hall bath) (way bath hall) (way hall attic) (way attic roof) (locked hall attic)
         (locked attic roof) (opens brass attic) (opens steel roof) (lies brass bath) (lies steel attic) (dark roof))
  (:goal (here roof)))"""

TASKS: list[Task] = [parse_task(*texts) for texts in ((LIFT, HOUSE), (TRUCKS, ROUND), (BLOCKS, TOWER), (DOORS, FLAT))]
PLACES: dict[str, dict[str, str]] = {
    # by domain and predicate: the argument that an atom places, a side of it, or the one thing that it is about
    "lift": {"lift": "lift", "on": "0", "hand": "0 hand", "empty": "hand"},
    "trucks": {"at": "0", "lies": "0", "in": "0", "fuel": "0-tank"},
    "blocks": {"on": "0 1-top", "table": "0", "held": "0 hand 0-top", "empty": "hand", "clear": "0-top"},
    "doors": {"here": "walker", "lies": "0", "has": "0"},
}


def places(task: Task, facts: Iterable[str]) -> Counter[str]:
    """Return in how many places each thing is."""
    found = Counter[str]()
    for fact in facts:
        predicate, *arguments = fact.strip("()").split()
        for word in PLACES[task.domain.name].get(predicate, "").split():
            number, _, side = word.partition("-")
            found[f"{arguments[int(number)]} {side}" if number.isdigit() else word] += 1
    return found


def judged(task: Task, excuse: Excuse) -> list[str]:
    """Return what is wrong with an excuse: things in too many places, or in none, and that there is still no plan."""
    before = places(task, map(str, task.problem.init))
    after = places(task, ({str(atom) for atom in task.problem.init} - {*excuse.delete}) | {*excuse.add})
    wrong = [
        each for each in {*before, *after} if after[each] > max(1, before[each]) or before[each] > 0 == after[each]
    ]
    return [*wrong, *["no plan"] * (not solve(excused(task, excuse)).solved)]


def mutants(random: Random) -> Iterator[tuple[Task, Excuse]]:
    """Yield different unsolvable tasks with a fault in the start, each with the excuse that takes it back.

    It is no assumption of the goal, which explains nothing.
    """
    seen = set[Task]()
    for task, natural, whole in _mutants(random):
        goal = {str(part) for part in walk(task.problem.goal) if isinstance(part, Atom)}
        if task not in seen and goal.isdisjoint((*natural.add, *natural.delete)):
            seen.add(task)
            if solve(task).status == "unsolvable" and solve(whole).solved:
                yield task, natural


def _mutants(random: Random) -> Iterator[tuple[Task, Excuse, Task]]:
    """Yield tasks with a fault in the start, each with the excuse that takes it back, and the task without it."""
    while True:
        whole = _later(random.choice(TASKS), random)
        init = list(whole.problem.init)
        wrong = init.pop(place := random.randrange(len(init)))
        changed = _changed(whole, wrong, random) if wrong.arguments and random.random() < 0.6 else None
        if changed not in init:
            init[place:place] = [changed] if changed else []
            natural = Excuse((str(wrong),), (str(changed),) if changed else ())
            yield Task(whole.domain, whole.problem.replace(init=tuple(init))), natural, whole


def _later(task: Task, random: Random) -> Task:
    """Return a task that starts after a few random steps."""
    semantics = Semantics(task)
    state = semantics.initial
    for _ in range(random.randrange(20)):
        actions = semantics.applicable(state)
        state = semantics.apply(state, random.choice(actions)) if actions else state
    return Task(task.domain, task.problem.replace(init=tuple(sorted(state, key=str))))


def _changed(task: Task, atom: Atom, random: Random) -> Atom:
    """Return an atom with another object in one place."""
    declared = next(each for each in task.domain.predicates if each.name == atom.predicate)
    place = random.randrange(len(atom.arguments))
    name = random.choice(Types(task).members(declared.parameters[place].types))
    return Atom(atom.predicate, (*atom.arguments[:place], name, *atom.arguments[place + 1 :]))
