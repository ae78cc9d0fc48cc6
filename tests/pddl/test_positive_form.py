"""Reachability in positive normal form is certain: what is called unreachable holds in no state that can be reached."""

import runpy
from collections import Counter
from random import Random

import pytest

from support.explanations import faults
from support.modules import ROOT
from support.random_tasks import random_task
from support.shifting_tasks import CERTAIN, SHAPES, false_claims, shapes, shifting_task
from support.thorough import THOROUGH
from unpuzzle.explanation.reasons import explain
from unpuzzle.pddl import Atom, Not, Task, invariants, parse_task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import Types
from unpuzzle.planners.native.grounding import survey
from unpuzzle.planning import registry

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")

MOST_STATES = 100


def literals(task: Task) -> list[Atom | Not]:
    """Return all literals of the task's predicates with at most two arguments."""
    types, found = Types(task), []
    for predicate in task.domain.predicates:
        for binding in types.assignments(predicate.parameters, {}) if len(predicate.parameters) < 3 else ():
            atom = Atom(predicate.name, tuple([binding[each.name] for each in predicate.parameters]))
            found += [atom, Not(atom)]
    return found


def seen(task: Task, conditions: list[Atom | Not]) -> tuple[set[str], set[Atom | Not]]:
    """Return the names of actions that are applicable, and the conditions that hold, in the first states."""
    semantics, actions, true = Semantics(task), set[str](), set[Atom | Not]()
    states = [semantics.initial]
    known = {*states}
    for state in states:
        true |= {each for each in conditions if each not in true and semantics.holds(state, each)}
        for action in semantics.applicable(state):
            actions.add(action.name)
            after = semantics.apply(state, action)
            if after not in known and len(known) < MOST_STATES:
                known.add(after)
                states.append(after)
    return actions, true


@pytest.mark.parametrize("seed", range(400 if THOROUGH else 15))
def test_nothing_that_is_seen_is_called_unreachable(seed: int) -> None:
    task = random_task(Random(seed))
    conditions = literals(task)
    actions, true = seen(task, conditions)
    never, lost = survey.unreachable(task, conditions)
    assert actions.isdisjoint([each.name for each in never])
    assert true.isdisjoint(lost)


DOORS = """(define (domain doors) (:requirements :adl :derived-predicates) (:types door)
  (:predicates (shut ?d - door) (oiled ?d - door) (passed) (blocked) (way))
  (:derived (blocked) (exists (?d - door) (shut ?d)))
  (:derived (way) (not (blocked)))
  (:action open :parameters (?d - door) :precondition (oiled ?d) :effect (not (shut ?d)))
  (:action close :parameters (?d - door) :precondition (not (shut ?d)) :effect (shut ?d))
  (:action pass :parameters () :precondition (forall (?d - door) (not (shut ?d))) :effect (passed)))"""


def unreachable(init: str) -> set[str]:
    problem = f"(define (problem p) (:domain doors) (:objects a b - door) (:init {init}) (:goal (passed)))"
    task = parse_task(DOORS, problem)
    never, lost = survey.unreachable(task, literals(task))
    return {each.name for each in never} | {
        str(each) if isinstance(each, Atom) else f"not {each.operand}" for each in lost
    }


def test_what_stays_true_makes_its_negation_unreachable() -> None:
    assert unreachable("(shut a) (oiled b)") == {"pass", "(passed)", "not (shut a)", "(oiled a)", "not (oiled b)"}
    assert unreachable("(shut a) (oiled a)") == {"(oiled b)", "not (oiled a)"}
    assert unreachable("") >= {"open", "(oiled a)"}


def test_a_negated_derived_fact_may_hold_although_its_rule_seems_to_hold_always() -> None:
    """`(blocked)` follows from `(not (shut ?d))` at the start, which may become false."""
    domain = DOORS.replace("(exists (?d - door) (shut ?d))", "(exists (?d - door) (not (shut ?d)))")
    problem = "(define (problem p) (:domain doors) (:objects a - door) (:init) (:goal (way)))"
    task = parse_task(domain, problem)
    assert survey.unreachable(task, [task.problem.goal])[1] == ()


# ---- What lint, invariants and explanations say with certainty holds in all states of treacherous random tasks


NUMBER = 5_000 if THOROUGH else 250


def test_nothing_false_is_said_with_certainty() -> None:
    found: Counter[str] = Counter()
    for seed in range(NUMBER):
        task = shifting_task(seed)
        wrong, claims = false_claims(task, seed)
        assert wrong == [], seed
        found.update(claims)
        found.update(shapes(task))
    assert min(found[shape] for shape in SHAPES) >= NUMBER // 25  # the tasks are treacherous, and much is said of them
    assert min(found[claim] for claim in ("invariant", "exclusion", "goal-impossible", "two-places")) >= NUMBER // 10
    assert all(found[code] for code in CERTAIN)


@pytest.mark.parametrize(
    ("name", "instead", "first"),
    [
        ("_added", lambda *_: (), 0),  # an atom that is deleted and added again
        ("_may_add_both", lambda *_: False, 300),  # two added atoms: rare, since arguments that are equal tell, too
        ("_follows", lambda *_: True, 0),  # a delete whose condition may be false
    ],
)
def test_the_tasks_find_a_wrong_proof(name: str, instead: object, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invariants, name, instead)
    assert sum(bool(false_claims(shifting_task(seed), seed)[0]) for seed in range(first, first + 50)) >= 2


def test_explanations_of_them_hold() -> None:
    for seed in range(NUMBER // 10):
        task = shifting_task(seed)
        assert faults(task, explain(task), 1_000) == [], seed


def test_the_script_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    check = runpy.run_path(str(ROOT / "scripts" / "compare" / "check_invariants.py"))["main"]
    assert check(["--tasks", "20", "--seed", "7000"]) == 0
    assert "0 false claims about 20 tasks" in capsys.readouterr().out
