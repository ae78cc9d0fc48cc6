"""Plans soon, and good ones: landmarks, lazy searches, what is done to plans afterwards, and anytime planning."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from support.fdr_twin import ground
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle import improve, pddl, translators
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.planners.native import _core, planner
from unpuzzle.planners.native.grounding import CoreGrounding, Effect, FDRTask, Operator, Variable

ACTION = GroundAction("act", ())
MOST_STATES = 400
BOTH = "ff,landmarks"
FIVE_BY_FIVE = """
    3 19 16 12 0
    22 4 7 13 15
    18 21 14 10 17
    20 24 6 8 9
    5 11 23 2 1
"""


class Small:
    """A random task, or a level of a puzzle, with all its states."""

    def __init__(self, seed: int, puzzle: str | None = None) -> None:
        rng = Random(seed)
        self.lifted = random_task(rng) if puzzle is None else translators.find(puzzle).sample(rng).task()
        self.fdr = ground(self.lifted)
        self.core = _core.Task(**self.fdr.buffers())
        self.best = self.core.search("astar")

    def cost(self, plan: list[int]) -> int:
        return sum(self.fdr.operators[number].cost for number in plan)

    def valid(self, plan: list[int]) -> bool:
        steps = [self.fdr.operators[number].action for number in plan]
        return pddl.validate(self.lifted, steps).valid

    def reaches_goal_without(self, fact: tuple[int, int]) -> bool:
        """Whether a goal can be reached through states, after the initial one, in which a fact is false."""
        start = tuple(self.fdr.initial)
        seen, queue = {start}, [start]
        for state in queue:
            for _, after in self.core.successors(state):
                values = tuple(after)
                if values[fact[0]] == fact[1] or values in seen:
                    continue
                if all(values[variable] == value for variable, value in self.fdr.goal):
                    return True
                seen.add(values)
                queue.append(values)
            assume(len(seen) < MOST_STATES)
        return False

    def wander(self, rng: Random, steps: int) -> list[int] | None:
        """A random walk, then the way to a goal from there, if there is one: a bad plan."""
        walk, state = [], list(self.fdr.initial)
        for _ in range(steps):
            following = self.core.successors(state)
            if not following:
                break
            number, state = rng.choice(following)
            walk.append(number)
        stored = [0 if about.layer >= 0 else value for about, value in zip(self.fdr.variables, state, strict=True)]
        there = FDRTask(self.fdr.variables, stored, self.fdr.goal, self.fdr.operators, self.fdr.axioms)
        rest = _core.Task(**there.buffers()).search("astar").plan
        return None if rest is None else walk + rest


PUZZLES = st.sampled_from((None, "blocksworld", "sokoban", "lights-out", "boxup", "hanoi"))
SEEDS = st.integers(0, 2**32)


# --- landmarks ----------------------------------------------------------------------------------------------------


@settings(max_examples=at_most(100))
@given(SEEDS, PUZZLES)
def test_no_plan_does_without_a_landmark(seed: int, puzzle: str | None) -> None:
    small = Small(seed, puzzle)
    assume(small.best.plan)
    for variable, value in small.core.landmarks():
        if small.fdr.variables[variable].layer < 0 and small.fdr.initial[variable] != value:
            assert not small.reaches_goal_without((variable, value))


def test_landmarks_of_a_chain() -> None:
    chain = [Operator(ACTION, [(0, i)], [Effect((), 0, i + 1)], 1) for i in range(4)]
    shortcut = Operator(ACTION, [(0, 1)], [Effect((), 0, 3)], 1)
    task = FDRTask([Variable((None,) * 5)], [0], [(0, 4)], [*chain, shortcut])
    core = _core.Task(**task.buffers())
    assert sorted(core.landmarks()) == [(0, 0), (0, 1), (0, 3), (0, 4)]
    counts = core.estimates("landmarks", [[0], [1], [2], [3], [4]], reached=[(0, 0), (0, 0), (1, 1), (2, 2), (3, 3)])
    assert counts == [3, 2, 2, 1, 0]


# --- lazy searches ------------------------------------------------------------------------------------------------


@settings(max_examples=at_most(100))
@given(SEEDS, PUZZLES, st.sampled_from((1, 2, 5)), st.integers(0, 3))
def test_a_bound_keeps_what_is_cheaper_and_only_that(seed: int, puzzle: str | None, weight: int, more: int) -> None:
    small = Small(seed, puzzle)
    assume(small.best.cost is not None)
    bound = small.best.cost + more
    found = small.core.search("lazywastar", BOTH, weight=weight, bound=bound)
    if more == 0:
        assert (found.status, found.plan) == ("unsolvable", None)
    else:
        assert small.best.cost <= found.cost < bound
        assert small.valid(found.plan)


def test_greedy_search_does_not_take_what_it_left_out_for_a_proof() -> None:
    dear, cheap = Operator(ACTION, [(0, 0)], [Effect((), 0, 1)], 5), Operator(ACTION, [(0, 0)], [Effect((), 0, 2)], 1)
    back = Operator(ACTION, [(0, 2)], [Effect((), 0, 1)], 1)
    core = _core.Task(**FDRTask([Variable((None,) * 3)], [0], [(0, 1)], [dear, cheap, back]).buffers())
    assert core.search("gbfs", BOTH, bound=3).cost == 2
    assert core.search("gbfs", BOTH, bound=2).status == "gave_up"
    assert core.search("lazywastar", BOTH, bound=2).status == "unsolvable"


def test_free_steps_are_counted_too() -> None:
    """Round and round for nothing is what h^FF alone would not mind."""
    size = 30
    free = [Operator(ACTION, [(0, i)], [Effect((), 0, (i + d) % size)], 0) for i in range(size) for d in (1, -1)]
    core = _core.Task(**FDRTask([Variable((None,) * size)], [0], [(0, size // 2)], free).buffers())
    found = core.search("gbfs")
    assert len(core.search("gbfs", "ff").plan) == size // 2
    assert found.cost == 0


def test_preferred_operators_are_found_through_axioms() -> None:
    lifted = pddl.parse_task(
        "(define (domain d) (:requirements :derived-predicates) (:predicates (a) (b) (g) (x ?o))"
        " (:derived (b) (a)) (:action go :precondition (b) :effect (g))"
        " (:action idle :parameters (?o) :effect (x ?o)))",
        "(define (problem p) (:domain d) (:objects o1 o2 o3 o4 o5 o6 o7 o8 o9) (:init (a)) (:goal (g)))",
    )
    fdr = ground(lifted)
    found = _core.Task(**fdr.buffers()).search("gbfs", "ff")
    assert found.evaluated == 2


@pytest.mark.parametrize("heuristic", ["ff,", ",ff", "ff,ff,ff", "ff,no"])
def test_two_heuristics_at_most(heuristic: str) -> None:
    core = _core.Task(**FDRTask([Variable((None, None))], [0], [(0, 0)], []).buffers())
    with pytest.raises(ValueError, match="unknown heuristic"):
        core.search("gbfs", heuristic)
    with pytest.raises(ValueError, match="takes one heuristic"):
        core.search("astar", BOTH)


# --- what is done to plans ----------------------------------------------------------------------------------------


@settings(max_examples=at_most(100))
@example(279, None, 27)  # a step at the end went, and one before it had been there for that step alone
@given(SEEDS, PUZZLES, st.integers(0, 30))
def test_elimination_leaves_a_plan_of_the_same_steps(seed: int, puzzle: str | None, steps: int) -> None:
    small = Small(seed, puzzle)
    plan = small.wander(Random(seed), steps)
    assume(plan)
    rest = small.core.eliminated(plan)
    remaining = iter(plan)
    assert all(number in remaining for number in rest)
    assert small.valid(rest)
    assert small.cost(rest) <= small.cost(plan)
    assert small.core.eliminated(rest) == rest


@settings(max_examples=at_most(100))
@given(SEEDS, PUZZLES, st.integers(0, 30), st.sampled_from((0, 10, 100_000)))
def test_windows_never_make_a_plan_worse(seed: int, puzzle: str | None, steps: int, states: int) -> None:
    small = Small(seed, puzzle)
    plan = small.wander(Random(seed), steps)
    assume(plan)
    better, cost, optimal, expanded, *_ = small.core.improve(plan, max_expanded=states)
    assert small.valid(better)
    assert cost == small.cost(better) <= small.cost(plan)
    assert expanded <= states
    if optimal:
        assert cost == small.best.cost
    assert small.core.improve(plan, max_expanded=states)[0] == better


def test_what_is_no_plan_is_refused() -> None:
    step = Operator(ACTION, [(0, 0)], [Effect((), 0, 1)], 1)
    core = _core.Task(**FDRTask([Variable((None, None))], [0], [(0, 1)], [step]).buffers())
    for work in (core.improve, core.eliminated):
        with pytest.raises(ValueError, match="do not lead to the goal"):
            work([])
        with pytest.raises(ValueError, match="operator 0 cannot be applied there"):
            work([0, 0])
        with pytest.raises(ValueError, match="operator 1 cannot be applied there"):
            work([1])


# --- anytime planning ---------------------------------------------------------------------------------------------


@settings(max_examples=at_most(60))
@given(SEEDS, PUZZLES)
def test_plans_get_cheaper_until_one_is_proved(seed: int, puzzle: str | None) -> None:
    small = Small(seed, puzzle)
    *before, last = improve(small.lifted)
    costs = [result.cost for result in before]
    assert all(result.valid for result in before)
    assert all(later < earlier for earlier, later in pairwise(costs))
    assert (last.status, last.cost) == (small.best.status, small.best.cost)


def test_the_limit_of_states_holds_for_all_turns_together() -> None:
    puzzle = translators.find("sliding-tiles")
    task = puzzle.parse(puzzle.levels["15-hard"]).task()
    for most in (0, 100, 150_000):
        *before, last = improve(task, "native", max_expanded=most)
        assert last.expanded <= most
        assert last.status == "gave_up"
        assert bool(before) == (most == 150_000)


def test_small_tasks_end_soon() -> None:
    puzzle = translators.find("sliding-tiles")
    *_, last = improve(puzzle.parse(puzzle.levels["8-hard"]).task())
    assert (last.status, last.cost) == ("solved_optimally", 31)
    assert last.expanded < 1_500_000


def test_some_plan_and_the_proof_have_half_of_the_effort_each_and_plans_more_later() -> None:
    puzzle = translators.find("sliding-tiles")
    turns = _core.Schedule(CoreGrounding(puzzle.parse(puzzle.levels["8-unsolvable"]).task()).task(), anytime=True,
                              parts=("lmcut", "gbfs", "bfws"))  # fmt: skip
    for most, least_share, most_share in ((1_000_000, 0.35, 0.6), (9_000_000, 0.55, 0.75)):
        assert turns.run(max_effort=most).status == "gave_up"
        efforts = {part.name: part.effort for part in turns.parts}
        assert least_share < 1 - efforts["lmcut"] / sum(efforts.values()) < most_share


def test_a_greedy_search_goes_on_when_there_is_a_plan_and_ends_with_a_cheaper_one() -> None:
    puzzle = translators.find("sliding-tiles")
    task = CoreGrounding(puzzle.parse(puzzle.levels["15-hard"]).task()).task()
    turns = _core.Schedule(task, anytime=True, parts=("lmcut", "gbfs", "gbfs(ff)", "gbfs, deepest first"))
    costs, ended = [], []
    while (result := turns.run(max_effort=8_000_000)).status == "solved":
        costs.append(result.cost)
        ended.append(turns.ended_by.name if turns.ended_by else "")
    assert costs == sorted(costs, reverse=True)
    assert len({*ended} - {"windows"}) > 1


def test_a_greedy_search_that_proves_that_there_is_no_plan_claims_no_pruning(monkeypatch: pytest.MonkeyPatch) -> None:
    def alone(task: _core.Task, objective: str, *others: Any, **options: Any) -> _core.Schedule:
        return _core.Schedule(task, objective, parts=("lmcut", "gbfs(ff)"), **options)

    core = SimpleNamespace(Schedule=alone, UnsupportedTask=_core.UnsupportedTask, heuristics=_core.heuristics)
    monkeypatch.setattr(planner, "_core", core)
    puzzle = translators.find("sliding-tiles")
    *_, last = improve(puzzle.parse(puzzle.levels["8-unsolvable"]).task())
    assert last.status == "unsolvable"
    found = "gbfs(ff) searched all states that can be reached but dead ends of the heuristic ff, 181,440 expanded"
    assert found in last.message
    assert "walk" not in last.message
    assert "h^2" not in last.message


def test_databases_search_for_some_plan_where_a_variable_is_folded_and_not_with_axioms() -> None:
    sliding, loads = translators.find("sliding-tiles"), translators.find("long-loads")
    parts = []
    for level in (sliding.parse(FIVE_BY_FIVE), loads.parse(loads.levels["5"])):
        turns = _core.Schedule(CoreGrounding(level.task()).task(), soon=True, parts=("bfws", "wastar=5(pdb)"))
        turns.run(max_effort=3_000_000)
        parts.append({part.name: part.state for part in turns.parts})
    assert parts[0]["wastar=5(pdb)"] != "looks"
    assert "wastar=5(pdb)" not in parts[1]


def test_databases_lead_to_better_plans_of_large_sliding_tiles() -> None:
    """Without them, so many states give a plan of 262 steps."""
    task = translators.find("sliding-tiles").parse(FIVE_BY_FIVE).task()
    *plans, last = improve(task, "native", max_expanded=2_700_000)
    assert plans[-1].cost < 230
    assert last.status == "gave_up"
    assert "wastar=5(pdb)" in last.log


def test_equal_tasks_give_equal_plans() -> None:
    puzzle = translators.find("sokoban")
    task = puzzle.parse(puzzle.levels["3"]).task()
    first, second = ([(result.plan, result.expanded) for result in improve(task)] for _ in range(2))
    assert first == second


def test_plans_keep_their_numbers_where_operators_were_left_out() -> None:
    stray = Operator(ACTION, [(0, 3)], [Effect((), 0, 0)], 1)
    steps = [Operator(ACTION, [(0, i)], [Effect((), 0, i + 1)], 1) for i in range(2)]
    back = Operator(ACTION, [(0, 1)], [Effect((), 0, 0)], 1)
    core = _core.Task(**FDRTask([Variable((None,) * 4)], [0], [(0, 2)], [stray, back, *steps]).buffers())
    smaller, _ = core.pruned(2**20)
    assert smaller is not None
    assert smaller.eliminated([2, 1, 2, 3]) == [2, 3]
    assert smaller.improve([2, 1, 2, 3])[0] == [2, 3]
    with pytest.raises(ValueError, match="operator 0 cannot be applied there"):
        smaller.improve([0])


def test_windows_without_memory_leave_the_plan_as_it_is() -> None:
    steps = [Operator(ACTION, [(0, i)], [Effect((), 0, i + 1)], 1) for i in range(2)]
    core = _core.Task(**FDRTask([Variable((None,) * 3)], [0], [(0, 2)], steps).buffers())
    assert core.improve([0, 1], memory_limit=0)[:3] == ([0, 1], 2, False)


def test_a_plan_that_was_found_is_looked_at_in_windows() -> None:
    task = translators.find("sliding-tiles").parse(FIVE_BY_FIVE).task()
    *_, last = improve(task, "native", max_expanded=1_500_000)
    assert "windows found a plan" in last.log
