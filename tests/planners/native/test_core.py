"""The search core against its slow twin, on random tasks and on some made by hand."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import ACTION, core, distances, goal_distance, numbered, replay, successors
from support.random_fdr import Random
from support.thorough import at_most
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Variable

# --- random tasks -------------------------------------------------------------------------------------------------

seeds = st.integers(0, 2**40)
many = settings(max_examples=at_most(800), deadline=None)


@many
@given(seeds)
def test_one_step_is_the_twins(seed):
    task = Random(seed).task()
    native = core(task)
    assert native.variables == len(task.variables)
    reached = list(distances(task, lambda operator: operator.cost))
    for state in random.Random(seed).sample(reached, min(10, len(reached))):
        assert native.successors(state) == [(number, list(child)) for number, child in successors(task, state)]


@many
@given(seeds)
def test_a_star_is_dijkstra(seed):
    task = Random(seed).task()
    reached = distances(task, lambda operator: operator.cost)
    outcome = core(task).search("astar", "blind")
    check(task, outcome, "solved_optimally", goal_distance(task, reached))
    whole_space(task, outcome, reached)


@many
@given(seeds)
def test_bfs_has_the_fewest_steps(seed):
    task = Random(seed).task()
    reached = distances(task, lambda operator: 1)
    outcome = core(task).search("bfs", "blind")
    if outcome.status == "unsolvable":
        assert goal_distance(task, reached) is None
    else:
        assert len(outcome.plan) == goal_distance(task, reached)
        assert outcome.cost == replay(task, outcome.plan)
        same = len({operator.cost for operator in task.operators}) <= 1
        assert outcome.status == ("solved_optimally" if same or not outcome.plan else "solved")
    whole_space(task, outcome, reached)


@many
@given(seeds)
def test_an_inadmissible_heuristic_claims_nothing(seed):
    task = Random(seed).task()
    best = goal_distance(task, distances(task, lambda operator: operator.cost))
    outcome = core(task).search("astar", "goalcount")
    if best is None:
        assert outcome.status == "unsolvable"
    else:
        assert outcome.cost == replay(task, outcome.plan) >= best
        assert outcome.status == "solved" or outcome.cost == best


def check(task: FDRTask, outcome: _core.SearchResult, status: str, cost: int | None) -> None:
    if cost is None:
        assert (outcome.status, outcome.plan, outcome.cost) == ("unsolvable", None, None)
    else:
        assert (outcome.status, outcome.cost) == (status, cost)
        assert replay(task, outcome.plan) == cost


def contradictory(facts) -> bool:
    return len(dict(facts)) < len(set(facts))


def whole_space(task: FDRTask, outcome: _core.SearchResult, reached) -> None:
    """A search without a plan has expanded every state once, if it needed to search at all."""
    if outcome.status != "unsolvable":
        assert outcome.states <= len(reached)
    elif contradictory(task.goal):
        assert (outcome.expanded, outcome.generated, outcome.states) == (0, 0, 0)
    else:
        assert outcome.expanded == outcome.evaluated == outcome.states == len(reached)
        assert outcome.generated == sum(len(successors(task, state)) for state in reached)


# --- made by hand -------------------------------------------------------------------------------------------------


def test_later_effects_win():
    overwritten = Operator(ACTION, [], [Effect([], 0, 1), Effect([(1, 0)], 0, 2), Effect([], 0, 3)], 1)
    conditional_last = Operator(ACTION, [], [Effect([], 0, 1), Effect([(1, 0)], 0, 2)], 1)
    task = FDRTask(numbered(4, 2), [0, 0], [(0, 2)], [overwritten, conditional_last])
    assert core(task).successors([0, 0]) == [(0, [3, 0]), (1, [2, 0])]
    assert core(task).successors([0, 1]) == [(0, [3, 1]), (1, [1, 1])]


def test_conditions_are_tested_in_the_state_before():
    swap = Operator(ACTION, [], [Effect([(v, a)], 1 - v, a) for v in (0, 1) for a in range(3)], 1)
    assert core(FDRTask(numbered(3, 3), [0, 0], [], [swap])).successors([1, 2]) == [(0, [2, 1])]


def test_reopening_finds_the_cheaper_path():
    """Goal count sends A* over the dear edge to the middle first; the middle is then reached at less cost."""
    place, junk = 0, range(1, 11)
    detour = Operator(ACTION, [(place, 0)], [Effect([], place, 1), *(Effect([], v, 1) for v in junk)], 1)
    back = Operator(ACTION, [(place, 1)], [Effect([], place, 2), *(Effect([], v, 0) for v in junk)], 1)
    dear = Operator(ACTION, [(place, 0)], [Effect([], place, 2)], 3)
    last = Operator(ACTION, [(place, 2)], [Effect([], place, 3)], 20)
    goal = [(place, 3), *((v, 0) for v in junk)]
    task = FDRTask(numbered(4, *(2 for _ in junk)), [0] * 11, goal, [detour, back, dear, last])
    outcome = core(task).search("astar", "goalcount")
    assert (outcome.plan, outcome.cost, outcome.reopened) == ([0, 1, 3], 22, 1)
    assert (outcome.expanded, outcome.evaluated) == (4, 4)


@pytest.mark.parametrize("algorithm", ["bfs", "astar"])
def test_corner_cases(algorithm):
    empty = core(FDRTask([], [], [], [])).search(algorithm)
    assert (empty.status, empty.plan, empty.cost, empty.expanded) == ("solved_optimally", [], 0, 0)
    stuck = core(FDRTask(numbered(2), [0], [(0, 1)], [])).search(algorithm)
    assert (stuck.status, stuck.plan, stuck.expanded, stuck.states) == ("unsolvable", None, 1, 1)
    one_value = core(FDRTask(numbered(1, 1), [0, 0], [(1, 0)], [])).search(algorithm)
    assert one_value.plan == []


def test_costs_beyond_32_bits():
    steps = [Operator(ACTION, [(0, i)], [Effect([], 0, i + 1)], 2**31) for i in range(8)]
    steps.append(Operator(ACTION, [(0, 0)], [Effect([], 0, 8)], 2**31 - 1))
    steps.append(Operator(ACTION, [(0, 8)], [Effect([], 0, 9)], 1))
    task = core(FDRTask(numbered(10), [0], [(0, 9)], steps))
    assert task.search("astar").plan == [8, 9]
    without = core(FDRTask(numbered(10), [0], [(0, 8)], steps[:8] + steps[9:]))
    assert without.search("astar").cost == 2**34


@pytest.mark.parametrize(("dearest", "places"), [(1, 900), (2, 900), (255, 1000), (256, 200)])
@pytest.mark.parametrize("heuristic", ["blind", "hmax"])
def test_long_paths_keep_their_costs(dearest, places, heuristic):
    """Few bits are kept beside a state where no operator is dear; here paths need more, and are found in any order."""
    rng = random.Random(dearest)
    ways = [(place, place + 1, dearest) for place in range(places - 1)]
    ways += [(place, place + 2, 2 * dearest - 1) for place in range(0, places - 2, 3) if dearest > 1]
    ways += [(rng.randrange(places), rng.randrange(places), rng.randint(0, dearest)) for _ in range(places // 300)]
    steps = [Operator(ACTION, [(0, a)], [Effect([], 0, b)], min(cost, dearest)) for a, b, cost in ways if a != b]
    task = FDRTask(numbered(places), [0], [(0, places - 1)], steps)
    best = goal_distance(task, distances(task, lambda operator: operator.cost))
    found = core(task).search("astar", heuristic)
    assert (found.status, found.cost) == ("solved_optimally", best)
    assert sum(steps[number].cost for number in found.plan) == best


@pytest.mark.parametrize("count", [1, 63, 64, 65, 128, 511, 512, 513, 1000])
def test_every_width_of_state(count):
    """A counter over many variables of two values: a state of `count` bits with a path of `count` steps."""
    steps = [
        Operator(ACTION, [(i, 0), *([(i - 1, 1)] if i else [])], [Effect([], i, 1)], 1 + i % 2) for i in range(count)
    ]
    native = core(FDRTask(numbered(*[2] * count), [0] * count, [(i, 1) for i in range(count)], steps))
    assert native.bits_per_state == count
    assert native.bytes_per_state == (count + 63) // 64 * 8
    for algorithm in ("bfs", "astar"):
        assert native.search(algorithm).plan == list(range(count))


def test_deep_decision_trees_need_no_recursion():
    """Operator i wants i facts, all those of operator i - 1 and one more."""
    count = 700
    steps = [Operator(ACTION, [(v, 0) for v in range(i)], [Effect([], i, 1)], 1) for i in range(count)]
    native = core(FDRTask(numbered(*[2] * count), [0] * count, [], steps))
    assert [number for number, _ in native.successors([0] * count)] == list(range(count))
    assert [number for number, _ in native.successors([0] * 350 + [1] * 350)] == list(range(351))


def test_huge_domains_cost_nothing():
    wide = Variable(range(2**31 - 1))
    far = 2**31 - 2
    steps = [Operator(ACTION, [(0, i * 10**6)], [Effect([], 0, (i + 1) * 10**6)], 1) for i in range(2000)]
    steps.append(Operator(ACTION, [], [Effect([(0, 2 * 10**9)], 0, far)], 1))
    outcome = core(FDRTask([wide], [0], [(0, far)], steps)).search("bfs")
    assert outcome.cost == 2001
    assert outcome.bytes < 2_000_000


# --- the face -----------------------------------------------------------------------------------------------------


def test_unknown_names_list_the_known():
    task = core(FDRTask(numbered(2), [0], [], []))
    with pytest.raises(ValueError, match=r"unknown algorithm 'dfs': there are bfs, astar"):
        task.search("dfs")
    with pytest.raises(ValueError, match=r"unknown heuristic 'nosuch': there are blind, goalcount"):
        task.search("astar", "nosuch")
    with pytest.raises(ValueError, match="bfs takes no heuristic but blind"):
        task.search("bfs", "goalcount")


@pytest.mark.parametrize("state", [[], [0], [0, 2], [-1, 0], [0, 0, 0]])
def test_bad_states(state):
    with pytest.raises(ValueError, match="value"):
        core(FDRTask(numbered(2, 2), [0, 0], [], [])).successors(state)


def test_importing_the_core_imports_nothing_else():
    program = (
        "import sys, types, unpuzzle.planners as planners; package = types.ModuleType('unpuzzle.planners.native');"
        "package.__path__ = [f'{path}/native' for path in planners.__path__]; sys.modules[package.__name__] = package;"
        "before = set(sys.modules); from unpuzzle.planners.native import _core;"
        "print(sorted(set(sys.modules) - before - {'atexit'}))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['unpuzzle.planners.native._core']"
