"""What lint asks of the grounding in C++ is what the reference semantics say where nothing is deleted."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_members import random_goal
from support.limited import within
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits
from unpuzzle.pddl import parse_domain, parse_problem, read
from unpuzzle.pddl.nodes import And, Condition, Not, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planners.native.grounding.survey import PositiveForm, unreachable
from unpuzzle.workspace.linting import unreachable as warnings


def assert_relaxed(task: Task, conditions: list[Condition]) -> tuple[int, int]:
    """Compare with what holds where nothing is deleted; also tell how many actions and conditions are out of reach.

    Of what negates a derived fact less may be called unreachable.
    """
    positive = PositiveForm(task)
    semantics, state, size = Semantics(positive.task), frozenset(positive.task.problem.init), -1
    applicable: set[str] = set()
    while len(state) > size:
        size, actions = len(state), semantics.applicable(state)
        applicable |= {action.name for action in actions}
        state = state.union(*[semantics.apply(state, action) for action in actions])
    actions, never = unreachable(task, conditions)
    out = [action for action in task.domain.actions if action.name not in applicable]
    false = [part for part in conditions if not semantics.holds(state, positive.condition(part))]
    if task.domain.axioms:
        assert (set(actions) <= set(out), set(never) <= set(false)) == (True, True)
    else:
        assert (list(actions), list(never)) == (out, false)
    return len(actions), len(never)


@settings(max_examples=at_most(200))
@given(st.integers(0, 2**32))
def test_random_tasks(seed: int) -> None:
    rng = Random(seed)
    task = random_task(rng, either=rng.random() < 0.3, axioms=rng.random() < 0.5)
    goals = [random_goal(rng, task) for _ in range(4)]
    assert_relaxed(task, [task.problem.goal, *goals, *map(Not, goals), And((goals[0], Not(goals[0])))])


def test_some_of_these_are_out_of_reach() -> None:
    """What the tests above compare is not always nothing."""
    for axioms in (False, True):
        tasks = [random_task(Random(seed), axioms=axioms) for seed in range(100)]
        found = [assert_relaxed(task, [task.problem.goal]) for task in tasks]
        assert sum(actions for actions, _ in found) > 10
        assert sum(goals for _, goals in found) > 5


def test_ipc_tasks(data: Path) -> None:
    for folder in sorted((data / "ipc").glob("*/*/"))[::8]:
        task = read(folder / "domain.pddl", folder / "problem.pddl")
        assert_relaxed(task, [task.problem.goal, Not(task.problem.goal)])


def test_where_a_limit_ends_it_there_are_no_warnings() -> None:
    domain = parse_domain(
        """(define (domain d) (:predicates (p ?a ?b ?c ?d ?e ?f) (q))
           (:action never :parameters () :precondition (q) :effect (q))
           (:action all :parameters (?a ?b ?c ?d ?e ?f) :effect (p ?a ?b ?c ?d ?e ?f)))"""
    )
    names = " ".join(f"o{number}" for number in range(60))
    problem = parse_problem(f"(define (problem p) (:domain d) (:objects {names}) (:init) (:goal (q)))", domain)
    few = parse_problem("(define (problem p) (:domain d) (:objects a) (:init) (:goal (q)))", domain)
    assert len(within(Limits(time=600), warnings, Task(domain, few))) == 2
    assert within(Limits(time=0.2), warnings, Task(domain, problem)) == []
    with pytest.raises(LimitReached, match="time limit"):
        within(Limits(time=0.2), unreachable, Task(domain, problem), [])


def test_without_the_core_there_are_no_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.planners.native.missing", lambda: "install it")
    domain = parse_domain(
        "(define (domain d) (:predicates (p)) (:action a :parameters () :precondition (p) :effect (p)))"
    )
    problem = parse_problem("(define (problem p) (:domain d) (:init) (:goal (p)))", domain)
    assert warnings(Task(domain, problem)) == []
