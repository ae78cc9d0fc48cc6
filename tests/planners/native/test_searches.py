"""Searches against each other: equal costs where they are optimal, valid plans everywhere, limits that hold.

Blind A* is the measure (it is tested against the reference planner elsewhere). A configuration may answer
`unsupported`, but only for the features it says, and these tests say where it must not.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import core, ground
from support.random_tasks import random_task
from support.registry import WITH_PDDL
from support.thorough import at_most
from unpuzzle import translators
from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE, UNSUPPORTED
from unpuzzle.base.run import Limits
from unpuzzle.pddl import read
from unpuzzle.pddl.nodes import GroundAction, Task
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Variable
from unpuzzle.planners.native.planner import INFORMED, SEARCHES, heuristics, parse
from unpuzzle.planning import registry, running
from unpuzzle.planning.result import Result
from unpuzzle.translators.sliding_tiles import SlidingTiles

OPTIMAL = ("hmax", "lmcut", "wastar=1", "idastar", "idastar(hmax)", "bidirectional", "orbits", "orbits(lmcut)")
QUICK = ("gbfs", "gbfs(goalcount)", "gbfs(lmcut)", "hadd", "ff", "goalcount", "wastar=5")
QUICK += ("bfws", "bfws(landmarks)", "bfws(blind)")
ACTION = GroundAction("act", ())


def solve(task: Task, config: str, limits: Limits | None = None) -> Result:
    result = running.run(f"native:{config}", task, limits=limits or Limits(time=600))
    assert result.valid is (True if result.solved else None), result.message
    return result


# --- costs --------------------------------------------------------------------------------------------------------


@settings(max_examples=at_most(150))
@given(st.integers(0, 2**32))
def test_optimal_ones_agree_on_random_tasks(seed: int) -> None:
    task = random_task(Random(seed))
    expected = solve(task, "blind")
    for config in OPTIMAL:
        endless = config.startswith("idastar") and not expected.solved
        found = solve(task, config, limits=Limits(time=0.1 if endless else 600))
        if config == "bidirectional" and found.status == UNSUPPORTED:
            continue
        if endless and found.status == TIMEOUT:
            continue  # it cannot prove that there is no plan where there are cycles
        assert (found.status, found.cost) == (expected.status, expected.cost), config


@settings(max_examples=at_most(100))
@given(st.integers(0, 2**32))
def test_the_others_find_plans_too(seed: int) -> None:
    task = random_task(Random(seed))
    expected = solve(task, "blind")
    for config in QUICK:
        found = solve(task, config)
        assert found.solved == expected.solved, config
        assert found.status in (SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE)
        if found.status == SOLVED_OPTIMALLY:
            assert found.cost == expected.cost, config


@settings(max_examples=at_most(100))
@given(st.integers(0, 2**32), st.sampled_from((2, 3, 7)), st.sampled_from(("lmcut", "hmax")))
def test_weighted_a_star_keeps_its_word(seed: int, weight: int, heuristic: str) -> None:
    task = random_task(Random(seed))
    expected, found = solve(task, "blind"), solve(task, f"wastar={weight}({heuristic})")
    assert found.solved == expected.solved
    if found.cost is not None and expected.cost is not None:
        assert expected.cost <= found.cost <= weight * expected.cost


@settings(max_examples=at_most(60))
@given(st.integers(0, 2**32), st.sampled_from(WITH_PDDL))
def test_levels_of_puzzles(seed: int, puzzle: str) -> None:
    task = translators.find(puzzle).sample(Random(seed)).task()
    expected = solve(task, "blind")
    for config in ("lmcut", "bidirectional"):
        found = solve(task, config)
        if found.status != UNSUPPORTED:
            assert (found.status, found.cost) == (expected.status, expected.cost), config
    assert solve(task, "gbfs").solved == expected.solved


EASY = """
    blocks/probBLOCKS-6-1 caldera-opt18-adl/p01 citycar-opt14-adl/p2-2-2-1-2 elevators-opt08-strips/p01 gripper/prob01
    logistics00/probLOGISTICS-6-0 miconic-fulladl/f3-2 openstacks-opt08-adl/p01 optical-telegraphs/p01-opt2
    philosophers/p01-phil2 psr-middle/p01-s17-n2-l2-f30 rubiks-cube-opt23-adl/p05 scanalyzer-08-strips/p01
    schedule/probschedule-2-0 sokoban-opt11-strips/p05 storage/p05 trucks/p01 woodworking-opt08-strips/p02
    """.split()


@pytest.mark.parametrize("name", EASY)
def test_ipc_tasks(name: str, data: Path) -> None:
    task = read(data / "ipc" / name / "domain.pddl", data / "ipc" / name / "problem.pddl")
    cost = json.loads((data / "ipc" / "optimal-costs.json").read_text())[name]
    found = solve(task, "lmcut")
    assert (found.status, found.cost) == (SOLVED_OPTIMALLY, cost)
    quick = solve(task, "gbfs")
    assert quick.cost is not None
    assert quick.cost >= cost


@pytest.mark.parametrize("config", ["lmcut", "gbfs", "bidirectional", "idastar"])
def test_equal_calls_give_equal_answers(config: str, data: Path) -> None:
    folder = data / "ipc" / "logistics00" / "probLOGISTICS-4-0"
    task = read(folder / "domain.pddl", folder / "problem.pddl")
    first, second = (solve(task, config, limits=Limits(time=600)) for _ in range(2))
    assert first.solved
    assert first.plan == second.plan
    assert (first.expanded, first.evaluated, first.generated) == (second.expanded, second.evaluated, second.generated)


# --- bidirectional ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "cost"), [("p01", 1), ("p05", 5), ("p08", 8)])
def test_rubiks_cube_from_both_ends(name: str, cost: int, data: Path) -> None:
    folder = data / "ipc" / "rubiks-cube-opt23-adl" / name
    found = solve(read(folder / "domain.pddl", folder / "problem.pddl"), "bidirectional")
    assert (found.status, found.cost) == (SOLVED_OPTIMALLY, cost)
    assert found.expanded is not None
    assert found.expanded < 5000


def test_8_puzzle_expands_few() -> None:
    position = SlidingTiles.parse("8 6 7\n2 5 4\n3 0 1\ngoal\n1 2 3\n4 5 6\n7 8 0\n")
    found = solve(position.task(), "bidirectional")
    assert (found.status, found.cost) == (SOLVED_OPTIMALLY, 31)
    assert found.expanded is not None
    assert found.expanded < 40_000  # breadth-first: all 181,440


# --- IDA* ---------------------------------------------------------------------------------------------------------


def test_ida_star_on_tiles() -> None:
    solved = SlidingTiles.parse("0 1 2 3\n4 5 6 7\n8 9 10 11\n")
    cases = [
        (SlidingTiles.parse("1 2 5\n3 4 0\n6 7 8\n"), "idastar"),
        (SlidingTiles.parse("7 2 4\n5 0 6\n8 3 1\n"), "idastar"),
        (SlidingTiles.parse("7 2 4\n5 0 6\n8 3 1\n"), "idastar(hmax)"),
        (_walked(solved, 60), "idastar(pdb)"),
        (_walked(solved, 200), "idastar(pdb)"),
    ]
    for position, config in cases:
        expected, found = solve(position.task(), "pdb"), solve(position.task(), config)
        assert expected.status == SOLVED_OPTIMALLY
        assert (found.status, found.cost) == (expected.status, expected.cost)


def _walked(position: SlidingTiles, steps: int) -> SlidingTiles:
    rng = Random(steps)
    for _ in range(steps):
        position = position.apply(rng.choice(list(position.moves())))
    return position


def test_ida_star_with_circles_that_cost_nothing() -> None:
    """A ring of 40 states by operators of cost 0, and one dear step out of it."""
    ring = [Operator(ACTION, [(0, i)], [Effect((), 0, (i + step) % 40)], 0) for i in range(40) for step in (1, 39)]
    out = Operator(ACTION, [(0, 20)], [Effect((), 1, 1)], 5)
    task = FDRTask([Variable((None,) * 40), Variable((None, None))], [0, 0], [(1, 1)], [*ring, out])
    found = core(task).search("idastar", "blind")
    assert (found.status, found.cost) == ("solved_optimally", 5)
    assert found.expanded < 1000


def test_ida_star_needs_little_memory() -> None:
    task = ground(SlidingTiles.parse("8 6 7\n2 5 4\n3 0 1\n").task())
    small = core(task).search("idastar", "hmax", max_expanded=20_000, memory_limit=2_000_000)
    assert small.status == "gave_up"
    assert small.bytes <= 2_000_000


# --- limits -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hard() -> _core.Task:
    """A 15-puzzle that none of these solves soon."""
    rows = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n"
    return core(ground(SlidingTiles.parse(rows).task()))


HARD = [
    ("astar", "lmcut"),
    ("astar", "hmax"),
    ("idastar", "lmcut"),
    ("bidirectional", "blind"),
    ("gbfs", "blind"),
    ("bfws", "blind"),
]


@pytest.mark.parametrize(("algorithm", "heuristic"), HARD)
def test_time_limits_hold(hard: _core.Task, algorithm: str, heuristic: str) -> None:
    found = hard.search(algorithm, heuristic, time_limit=0.2)
    assert found.status == "timeout"


@pytest.mark.parametrize(("algorithm", "heuristic"), [pair for pair in HARD if pair[0] != "idastar"])
def test_memory_limits_hold(hard: _core.Task, algorithm: str, heuristic: str) -> None:
    limit = 600_000 if heuristic in ("lmcut", "hmax") else 20_000_000
    found = hard.search(algorithm, heuristic, memory_limit=limit)
    assert found.status == "memout"
    assert limit / 2 < found.bytes <= limit


@pytest.mark.parametrize(("algorithm", "heuristic"), HARD)
def test_giving_up(hard: _core.Task, algorithm: str, heuristic: str) -> None:
    found = hard.search(algorithm, heuristic, max_expanded=50)
    assert (found.status, found.expanded) == ("gave_up", 50)


def test_landmarks_are_given_up_before_the_search_is(data: Path) -> None:
    """With memory for the states but not for their landmarks, the cost stays right."""
    folder = data / "ipc" / "sokoban-opt11-strips" / "p02"
    task = core(ground(read(folder / "domain.pddl", folder / "problem.pddl")))
    whole = task.search("astar", "lmcut")
    limit = whole.bytes * 2 // 3
    short = task.search("astar", "lmcut", memory_limit=limit)
    assert (short.status, short.cost) == ("solved_optimally", whole.cost)
    assert short.bytes <= limit


# --- names --------------------------------------------------------------------------------------------------------


def test_names_that_mean_something() -> None:
    assert parse("lmcut") == ("astar", "lmcut", 1, "")
    assert parse("wastar") == ("astar", "lmcut", 3, "")
    assert parse("landmarks") == parse("astar(landmarks)") == ("astar", "landmarks", 1, "")
    assert parse("wastar=2(pdb)") == ("astar", "pdb", 2, "")
    assert parse("orbits") == ("astar", "blind", 1, "")
    assert parse("orbits(lmcut)") == ("astar", "lmcut", 1, "")
    assert parse("wastar=2(pdb)+stubborn") == ("astar", "pdb", 2, "stubborn")
    assert parse("bfws") == ("bfws", "ff,goalcount", 1, "")
    assert parse("gbfs(goalcount)") == ("gbfs", "goalcount", 1, "")


@pytest.mark.parametrize(
    "config",
    "lm lmcut(ff) gbfs( gbfs() gbfs(x) gbfs=2 wastar=0 wastar=1001 wastar=x wastar= bfs=1 wastar=² wastar=99999999999"
    " wastar(ff)=2 orbits=2 orbits(bfs) ".split(" "),
)
def test_names_that_mean_nothing(config: str) -> None:
    with pytest.raises(UsageError, match="native:"):
        registry.find(f"native:{config}")


def test_the_core_knows_all_names() -> None:
    task = core(FDRTask([Variable((None, None))], [0], [(0, 1)], [Operator(ACTION, [(0, 0)], [Effect((), 0, 1)], 1)]))
    for algorithm, heuristic in SEARCHES.values():
        if algorithm != "boxes":  # for boards alone, and not by `search`
            assert task.search(algorithm, heuristic).cost == 1
    for name in INFORMED:
        for heuristic in heuristics():
            assert task.search(SEARCHES[name][0], heuristic).cost == 1


def test_weights_out_of_range_are_refused(hard: _core.Task) -> None:
    for weight in (0, -1, 1001):
        with pytest.raises(ValueError, match="weight"):
            hard.search("astar", "lmcut", weight=weight)


def test_an_unsupported_task_says_why(data: Path) -> None:
    folder = data / "ipc" / "psr-middle" / "p01-s17-n2-l2-f30"
    found = solve(read(folder / "domain.pddl", folder / "problem.pddl"), "bidirectional")
    assert found.status == UNSUPPORTED
    assert "axioms" in found.message
