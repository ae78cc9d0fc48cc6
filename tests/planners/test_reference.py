"""The reference planner: optimal costs, statuses, limits, and brute force."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.data import IPC, needs_ipc
from support.limited import within
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import MEMOUT, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE
from unpuzzle.base.platform_facts import resident_memory
from unpuzzle.base.run import Limits
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_task, read
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.validation import validate
from unpuzzle.planners.reference import Reference
from unpuzzle.planning import registry
from unpuzzle.planning.planner import SearchOptions
from unpuzzle.planning.running import run
from unpuzzle.translators import find

SMALL = """
    blocks/probBLOCKS-4-0 blocks/probBLOCKS-6-1 caldera-opt18-adl/p01 gripper/prob01 miconic-fulladl/f1-0
    miconic-fulladl/f3-2 miconic-simpleadl/s1-0 miconic-simpleadl/s3-1 openstacks-opt08-adl/p01
    openstacks-opt08-adl/p02 pegsol-opt11-strips/p01 philosophers/p01-phil2 rubiks-cube-opt23-adl/p01
    schedule/probschedule-2-0 storage/p01 storage/p05 tidybot-opt11-strips/p01
    """.split()
"""Those that are solved in well under a second."""


def counter(size: int, cost: int = 1) -> Task:
    """A counter of `size` bits that must reach all ones: 2 ** size states in a row."""
    bits = " ".join(f"b{number}" for number in range(size))
    order = " ".join(f"(below b{low} b{high})" for high in range(size) for low in range(high))
    domain = f"""(define (domain counter) (:types bit) (:functions (total-cost))
        (:predicates (on ?b - bit) (below ?a ?b - bit))
        (:action set :parameters (?b - bit)
            :precondition (and (not (on ?b)) (forall (?a - bit) (imply (below ?a ?b) (on ?a))))
            :effect (and (on ?b) (forall (?a - bit) (when (below ?a ?b) (not (on ?a))))
                         (increase (total-cost) {cost}))))"""
    problem = f"""(define (problem p) (:domain counter) (:objects {bits} - bit) (:init {order})
        (:goal (forall (?b - bit) (on ?b))) (:metric minimize (total-cost)))"""
    return parse_task(domain, problem)


@needs_ipc
@pytest.mark.parametrize("name", SMALL)
def test_optimal_costs(name):
    directory = IPC / name
    game = read(directory / "domain.pddl", directory / "problem.pddl")
    result = Reference().solve(game)
    assert result.status == SOLVED_OPTIMALLY
    assert result.cost == json.loads((IPC / "optimal-costs.json").read_text())[name]
    verdict = validate(game, result.plan)
    assert (verdict.valid, verdict.cost) == (True, result.cost)


@pytest.mark.parametrize("cost", [0, 1, 3])
def test_a_row_of_states(cost):
    result = within(Limits(), Reference().solve, counter(6, cost))
    assert (result.status, result.cost, len(result.plan)) == (SOLVED_OPTIMALLY, 63 * cost, 63)
    assert (result.expanded, result.evaluated, result.generated) == (63, 64, 64)
    assert set(result.seconds) == {"ground", "search", "total"}
    assert result.planner == "reference"
    assert 0 <= result.peak_memory < resident_memory(), "what the process held before is not the run's"


def test_cheap_detours_beat_short_ways():
    """Also where the short way is found first, and where steps cost nothing."""
    game = parse_task(
        """(define (domain d) (:predicates (at ?x) (road ?x ?y)) (:functions (total-cost) (toll ?x ?y))
        (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
            :effect (and (not (at ?x)) (at ?y) (increase (total-cost) (toll ?x ?y)))))""",
        """(define (problem p) (:domain d) (:objects s a b c t) (:init (at s)
            (road s t) (= (toll s t) 9) (road s a) (= (toll s a) 0) (road a b) (= (toll a b) 0)
            (road b a) (= (toll b a) 0) (road b t) (= (toll b t) 8)
            (road b c) (= (toll b c) 7) (road c t) (= (toll c t) 0))
            (:goal (at t)) (:metric minimize (total-cost)))""",
    )
    result = Reference().solve(game)
    assert result.cost == 7
    assert [str(step) for step in result.plan] == ["(go s a)", "(go a b)", "(go b c)", "(go c t)"]


def test_unsolvable():
    game = parse_task(
        "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :effect (p)))",
        "(define (problem p) (:domain d) (:init) (:goal (q)))",
    )
    result = Reference().solve(game)
    assert (result.status, result.plan, result.cost, result.expanded) == (UNSOLVABLE, None, None, 2)
    assert result.message


def test_the_time_limit_holds(seconds_per_look):
    result = within(Limits(time=3000), Reference().solve, counter(20))
    assert (result.status, result.plan) == (TIMEOUT, None)
    assert seconds_per_look.reads <= 3003, "it is looked at until it is reached, and not again"
    assert 0 < result.expanded <= 3000
    assert "time limit" in result.message


def test_the_memory_limit_holds():
    result = within(Limits(memory=1, held=0), Reference().solve, counter(20))
    assert (result.status, result.plan) == (MEMOUT, None)
    assert "memory limit" in result.message


def test_the_same_answer_every_time():
    game = random_task(Random(7))
    first, second = Reference().solve(game), Reference().solve(game)
    assert first.plan is not None
    assert first.plan == second.plan
    assert (first.expanded, first.generated) == (second.expanded, second.generated)


def cheapest(task: Task) -> int | None:
    """All reachable transitions, relaxed in turn until nothing changes: no queue, no order, nothing to get wrong."""
    semantics = Semantics(task)
    costs = {semantics.initial: 0}
    states, transitions = [semantics.initial], []
    for state in states:
        for action in semantics.applicable(state):
            successor = semantics.apply(state, action)
            transitions.append((state, semantics.cost(action), successor))
            if successor not in costs:
                costs[successor] = 10**9
                states.append(successor)
    before = None
    while costs != before:
        before = dict(costs)
        for state, cost, successor in transitions:
            costs[successor] = min(costs[successor], costs[state] + cost)
    return min((cost for state, cost in costs.items() if semantics.solved(state)), default=None)


@settings(max_examples=at_most(50), deadline=None)
@given(st.integers(min_value=0, max_value=2**32), st.booleans())
def test_random_tasks(seed, priced):
    game = random_task(Random(seed), costs=(0, 0, 1, 5) if priced else None)
    result = Reference().solve(game)
    cost = cheapest(game)
    assert result.cost == cost
    assert result.status == (UNSOLVABLE if cost is None else SOLVED_OPTIMALLY)


def test_the_family():
    planner = registry.find("reference")
    assert (planner.name, planner.reads) == ("reference", ("task",))
    with pytest.raises(UsageError, match="unknown configuration 'reference:fast'"):
        registry.find("reference:fast")


def test_the_states_that_may_be_expanded_are_counted() -> None:
    game = find("sokoban")
    task = game.parse(game.levels["1"]).task()
    whole = run("reference", task)
    for most in (0, 1, (whole.expanded or 0) - 1):
        result = run("reference", task, options=SearchOptions(most))
        assert (result.status, result.expanded, result.plan) == ("gave_up", most, None)
    assert run("reference", task, options=SearchOptions(whole.expanded)).plan == whole.plan
