"""Pattern databases at work: exact on small boards, optimal on levels and IPC tasks, within limits, ever the same."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from support.arrangements import distances
from support.data import IPC, needs_ipc
from support.fdr_twin import core
from support.limited import within
from support.small_fdr import tiles
from support.thorough import some_of
from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.base.run import Limits
from unpuzzle.pddl import read
from unpuzzle.planners.native import Native
from unpuzzle.planners.native.grounding import FDRTask
from unpuzzle.translators.sliding_tiles import SlidingTiles

STAGES = 4


# --- puzzles --------------------------------------------------------------------------------------------------------


def states_of(task: FDRTask, positions):
    """Positions as states of the task: a variable's values are the cells of a tile, or of the blank."""
    readers = []
    for variable in task.variables:
        names = [atom.arguments[-1] for atom in variable.values]
        cells = sorted(names)
        tile = 0 if variable.values[0].predicate == "blank" else int(variable.values[0].arguments[0][1:])
        readers.append((tile, {cells.index(name): value for value, name in enumerate(names)}))
    for position in positions:
        where = {tile: cell for cell, tile in enumerate(position)}
        yield [values[where[tile]] for tile, values in readers]


@pytest.mark.parametrize(("text", "rows", "columns"), [("3 4 5\n0 1 2\n", 2, 3), ("4 1\n2 0\n3 5\n", 3, 2)])
def test_a_small_board_is_known_exactly(text, rows, columns):
    """One pattern has all the tiles, so the blank is where it must be."""
    task, exact = tiles(text), distances(tuple(range(rows * columns)), columns)
    assert len(exact) == 360
    estimates = core(task).estimates("pdb", states_of(task, exact), STAGES)
    assert estimates == list(exact.values())


def test_the_whole_eight_puzzle():
    task, exact = tiles(SlidingTiles.levels["8-hard"]), distances(tuple(range(9)), 3)
    assert len(exact) == 181_440
    for stage, least in ((0, 14.5), (1, 16), (2, 16.5)):  # Manhattan distance: 14; exact: 22
        estimates = core(task).estimates("pdb", states_of(task, exact), stage)
        assert all(h <= d for h, d in zip(estimates, exact.values(), strict=True))
        assert sum(estimates) / len(estimates) > least


def test_a_level_of_medium_difficulty_costs_what_it_costs():
    assert core(tiles(SlidingTiles.levels["15-medium"])).search("astar", "pdb").cost == 36


@pytest.mark.parametrize("number", [9, 12, 28, 30])
def test_easy_random_fifteen_puzzles(data, number):
    rows = [line.split() for line in (data / "korf-1-30.txt").read_text().splitlines() if not line.startswith("#")]
    _, optimal, _, _, *numbers = next(row for row in rows if row[0] == str(number))
    text = "\n".join(" ".join(numbers[i : i + 4]) for i in range(0, 16, 4)) + "\n"
    outcome = core(tiles(text)).search("astar", "pdb")
    assert (outcome.status, outcome.cost) == ("solved_optimally", int(optimal))


# --- other tasks ----------------------------------------------------------------------------------------------------


def ipc_tasks():
    return sorted(json.loads((IPC / "optimal-costs.json").read_text()).items()) if IPC.is_dir() else []


@needs_ipc
@pytest.mark.parametrize(("name", "cost"), some_of(ipc_tasks(), 2))
def test_ipc_tasks_cost_what_they_cost(name, cost):
    folder = IPC / name
    task = read(folder / "domain.pddl", folder / "problem.pddl")
    try:
        result = within(Limits(time=3, memory=2**30), Native("pdb").solve, task)
    except UnsupportedFeature:
        pytest.skip("axioms")
    if result.status in ("timeout", "memout"):
        pytest.skip("takes too long")
    assert (result.status, result.cost) == ("solved_optimally", cost)


# --- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, 1000, 300_000, 1_000_000, 3_000_000])
def test_memory_limit(limit):
    outcome = core(tiles(SlidingTiles.levels["15-notebook"])).search("astar", "pdb", memory_limit=limit)
    assert (outcome.status, outcome.plan) == ("memout", None)
    assert outcome.bytes <= limit


def test_short_of_memory_the_search_goes_on_depth_first():
    """In 8 MB there is room for the databases, but not for all the states."""
    task = core(tiles(SlidingTiles.levels["15-hard"]))
    whole, short = task.search("astar", "pdb"), task.search("astar", "pdb", memory_limit=8_000_000)
    assert (short.status, short.cost) == ("solved_optimally", whole.cost) == ("solved_optimally", 50)
    assert short.bytes <= 8_000_000 < whole.bytes
    assert short.expanded > whole.expanded


REFUSED = """
import resource
from unpuzzle.planners.native.grounding import CoreGrounding
from unpuzzle.translators.sliding_tiles import SlidingTiles
task = CoreGrounding(SlidingTiles.parse(SlidingTiles.levels["15-hard"]).task()).task()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + {left},) * 2)
outcome = task.search("astar", "pdb")
print(outcome.status, outcome.cost, outcome.expanded)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_so_it_does_if_the_system_refuses_the_memory():
    whole = core(tiles(SlidingTiles.levels["15-hard"])).search("astar", "pdb")
    told = [
        subprocess.run(
            [sys.executable, "-c", REFUSED.format(left=left)], capture_output=True, text=True, check=True
        ).stdout.split()
        for left in (6_500_000, 7_500_000, 8_500_000)
    ]
    solved = [int(expanded) for status, cost, expanded in told if (status, cost) == ("solved_optimally", "50")]
    assert len(solved) + sum(status == "memout" for status, *_ in told) == len(told)
    assert max(solved) > whole.expanded, "some went on depth-first"


@pytest.mark.parametrize("limit", [0.0, 0.005])
def test_time_limit_holds_while_databases_are_built(limit):
    task = core(tiles(SlidingTiles.levels["15-notebook"]))
    outcome = task.search("astar", "pdb", time_limit=limit)
    assert (outcome.status, outcome.expanded) == ("timeout", 0)


def test_ever_the_same():
    text = SlidingTiles.levels["15-medium"]
    one, two = (core(tiles(text)) for _ in range(2))
    assert [one.pattern_sums(stage) for stage in range(3)] == [two.pattern_sums(stage) for stage in range(3)]
    first, second = (task.search("astar", "pdb") for task in (one, two))
    counts = [(o.plan, o.expanded, o.evaluated, o.generated, o.reopened, o.bytes) for o in (first, second)]
    assert counts[0] == counts[1]


def test_later_stages_know_more():
    """The patterns grow from stage to stage, and with them what is known of a far position."""
    task = core(tiles(SlidingTiles.levels["15-notebook"]))
    sizes = [max(len(pattern[0]) for sum_ in task.pattern_sums(stage) for pattern in sum_) for stage in range(3)]
    assert sizes == sorted(set(sizes))
    estimates = [task.estimates("pdb", [ground_initial()], stage)[0] for stage in range(3)]
    assert 52 <= estimates[0] <= estimates[-1] <= 68


def ground_initial() -> tuple[int, ...]:
    return tiles(SlidingTiles.levels["15-notebook"]).initial
