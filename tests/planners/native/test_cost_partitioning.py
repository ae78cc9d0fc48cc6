"""Saturated cost partitioning: never above the true cost, never falling by more than a step costs, never below sums."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import ACTION, core, holds
from support.small_fdr import Random, explore, goal_distances, tiles, with_mutexes
from support.thorough import at_most
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Variable
from unpuzzle.translators.sliding_tiles import SlidingTiles

seeds = st.integers(0, 2**40)


def small(seed: int) -> tuple[FDRTask, dict[tuple[int, ...], list[tuple[int, tuple[int, ...]]]]] | None:
    """A random task with true mutex groups, and its states with what comes before them."""
    task = Random(seed).task()
    before = explore(task, 500)
    return None if before is None else (with_mutexes(task, list(before), random.Random(seed)), before)


def some_patterns(task: FDRTask, rng: random.Random) -> list[list[int]]:
    numbers = range(len(task.variables))
    drawn = [sorted(rng.sample(numbers, rng.randint(1, min(3, len(numbers))))) for _ in range(rng.randint(1, 6))]
    return [list(pattern) for pattern in dict.fromkeys(map(tuple, drawn))]


@settings(max_examples=at_most(500), deadline=None)
@given(seeds)
def test_admissible_and_consistent_on_random_tasks(seed: int) -> None:
    found = small(seed)
    if found is None:
        return
    task, before = found
    rng, states, exact = random.Random(seed), list(before), goal_distances(task, before)
    samples = rng.sample(states, min(len(states), 8))
    said = dict(zip(states, core(task).saturated(some_patterns(task, rng), samples, states), strict=True))
    for state, h in said.items():
        assert h <= exact.get(state, h)
        assert h == 0 or not holds(task.goal, state)
        for cost, earlier in before[state]:
            if state in exact:
                assert said[earlier] <= cost + h


@settings(max_examples=at_most(300), deadline=None)
@given(seeds)
def test_with_the_same_sums_no_estimate_falls(seed: int) -> None:
    found = small(seed)
    if found is None:
        return
    task, before = found
    states = list(before)
    for stage in range(2):
        if core(task).pattern_sums(stage) != core(task).pattern_sums(stage + 1):
            continue
        pairs = zip(*(core(task).estimates("pdb", states, it) for it in (stage, stage + 1)), strict=True)
        assert all(then is None if now is None else then is None or then >= now for now, then in pairs)


def test_one_pattern_of_all_variables_is_exact() -> None:
    task = tiles(SlidingTiles.levels["3x2"])
    before = explore(task, 1000)
    exact = goal_distances(task, before)
    states = list(before)
    everything = [list(range(len(task.variables)))]
    assert core(task).saturated(everything, [task.initial], states) == [exact[state] for state in states]


def test_what_one_pattern_does_not_need_is_left_to_the_next() -> None:
    """Two counters, and an operator that moves both: each needs one unit of its two."""
    steps = [Operator(ACTION, [(0, a), (1, a)], [Effect([], 0, a + 1), Effect([], 1, a + 1)], 2) for a in range(3)]
    apart = [Operator(ACTION, [(v, a)], [Effect([], v, a + 1)], 1) for v in (0, 1) for a in range(3)]
    task = FDRTask([Variable((None,) * 4)] * 2, [0, 0], [(0, 3), (1, 3)], [*steps, *apart])
    start = tuple(task.initial)
    assert core(task).saturated([[0], [1]], [start], [start]) == [6]
    assert core(task).saturated([[0]], [start], [start]) == [3]
    assert core(task).estimates("pdb", [start])[0] >= 3


def test_operators_that_lead_away_give_their_costs_to_others() -> None:
    """A lever is pulled twice, and let go after each time: a pull may cost more, as it leads the lever away."""
    pulls = [Operator(ACTION, [(0, 0), (1, a)], [Effect([], 0, 1), Effect([], 1, a + 1)], 1) for a in range(2)]
    release = Operator(ACTION, [(0, 1)], [Effect([], 0, 0)], 1)
    task = FDRTask([Variable((None,) * 2), Variable((None,) * 3)], [0, 0], [(0, 0), (1, 2)], [*pulls, release])
    before = explore(task, 100)
    states, exact = list(before), goal_distances(task, before)
    assert exact[0, 0] == 4
    assert core(task).saturated([[0], [1]], [(1, 1)], states) == [exact[state] for state in states]


def test_patterns_that_say_nothing_leave_nothing() -> None:
    task = FDRTask([Variable((None,) * 2)] * 2, [0, 0], [(0, 1)], [Operator(ACTION, [], [Effect([], 0, 1)], 0)])
    assert core(task).saturated([[1], [0]], [(0, 0)], [(0, 0), (1, 0)]) == [0, 0]
    assert core(task).saturated([], [], [(0, 0)]) == [0]


@pytest.mark.parametrize("pattern", [[], [1, 0], [0, 0], [2], [0, 2**31]])
def test_what_is_no_pattern_is_refused(pattern: list[int]) -> None:
    task = FDRTask([Variable((None,) * 2)] * 2, [0, 0], [(0, 1)], [])
    with pytest.raises(ValueError, match="no pattern"):
        core(task).saturated([pattern], [], [])
