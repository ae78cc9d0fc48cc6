"""What is built by the size of a task asks the memory budget first, and looks at the clock while it is built."""

from __future__ import annotations

import subprocess
import sys
from array import array
from itertools import pairwise
from pathlib import Path

import pytest

from support.limited import within
from support.pddl_texts import task
from unpuzzle.base.outcomes import MEMOUT, SOLVED_OPTIMALLY
from unpuzzle.base.run import Limits
from unpuzzle.planners.native import Native, _core
from unpuzzle.planners.native.grounding import CoreGrounding

from . import memory_growth

HONEST = {
    "memout",
    "timeout",
    "gave_up",
    "solved",
    "solved_optimally",
    "unsolvable",
    "unsupported",
    "compiled",
    "complete",
}


# --- memory ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("many_operators", 0.1),
        ("many_facts", 0.01),
        ("large_domains", 1),
        ("largest_domains", 1),
        ("conditional_effects", 0.05),
        ("permutations", 0.1),
        ("axioms", 0.5),
        ("inverses", 0.25),
        ("databases", 0.25),
        ("mutexes", 0.1),
    ],
)
def test_no_heuristic_and_no_search_passes_the_limit(name: str, scale: float) -> None:
    command = [sys.executable, memory_growth.__file__, name, "--scale", str(scale), "--expanded", "10"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(memory_growth.LIMITS) * (2 + len(memory_growth.SEARCHES))
    assert [line for line in lines if memory_growth.TOO_MUCH in line] == []
    assert {line.split()[5] for line in lines} <= HONEST


@pytest.mark.parametrize("heuristic", ["goalcount", "hmax", "hadd", "ff", "lmcut"])
def test_domains_of_any_size_are_numbered(heuristic: str) -> None:
    """Only values that the task tells of can come up, so those of a huge domain count like those of a small one."""
    huge, small = memory_growth.largest_domains(1), memory_growth.largest_domains(1)
    small["domains"][0] = small["domains"][1] = 7
    states = [[0, 0, 0], [5, 1, 100], [6, 2, 99], [3, 0, 150]]
    told = [_core.Task(**arrays).estimates(heuristic, states) for arrays in (huge, small)]
    assert told[0] == told[1]
    assert told[0][1] == 0


def test_the_sum_of_all_domains_may_pass_32_bits() -> None:
    arrays = memory_growth.arrays(
        [2**31 - 1, 2**31 - 1, 200],
        [(0, 5), (1, 2**31 - 2)],
        [(((2, 0),), (((), (0, 5)),)), (((0, 5),), (((), (1, 2**31 - 2)),))],
    )
    for search in (("astar", "hmax"), ("astar", "lmcut"), ("gbfs", "ff"), ("astar", "hadd"), ("astar", "pdb")):
        outcome = _core.Task(**arrays).search(*search, max_expanded=100)
        assert (outcome.plan, outcome.cost) == ([0, 1], 2), search


def test_a_permutation_of_few_values_of_a_huge_domain_is_inverted() -> None:
    """Two values change places, all others stay; listing them would take gigabytes."""
    swap = ((), ((((0, 0),), (0, 1)), (((0, 1),), (0, 0))))
    outcome = _core.Task(**memory_growth.arrays([2**31 - 1], [(0, 1)], [swap])).search("bidirectional")
    assert (outcome.status, outcome.plan) == (SOLVED_OPTIMALLY, [0])


def test_values_that_all_become_one_are_no_permutation() -> None:
    collapse = ((), (((), (0, 2)), (((0, 2),), (0, 0))))  # 0 and 1 become 2, and 2 becomes 0
    found = _core.Task(**memory_growth.arrays([3, 2], [(0, 0), (1, 0)], [collapse])).search("bidirectional")
    assert (found.status, found.plan) == (SOLVED_OPTIMALLY, [])
    found = _core.Task(**memory_growth.arrays([3], [(0, 1)], [collapse])).search("bidirectional")
    assert found.status == "unsolvable"


def test_compiling_a_task_has_limits() -> None:
    arrays = memory_growth.many_operators(0.1)
    with pytest.raises(MemoryError):
        _core.Task(**arrays, memory_limit=1 << 20)
    with pytest.raises(TimeoutError):
        _core.Task(**arrays, time_limit=0.0)
    assert _core.Task(**arrays, memory_limit=1 << 30, time_limit=600.0).variables == 3


# --- stages of the default ------------------------------------------------------------------------------------------

SWITCHES = "(:predicates (on ?x)) (:action press :parameters (?x) :effect (on ?x))"
MANY = " ".join(f"s{i}" for i in range(24))
ALL_ON = f"(:objects {MANY}) (:init) (:goal (and {' '.join(f'(on s{i})' for i in range(24))}))"


def test_a_part_that_runs_out_of_memory_hands_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blind search sees sixteen million states here, landmarks see the plan at once, and symmetries would, too.

    First looks are longer here, so that blind search runs out of memory in its own.
    """
    monkeypatch.setattr("unpuzzle.planners.native.schedule.SCALE", 8.0)
    monkeypatch.setattr("unpuzzle.base.run.Run.memory_left", lambda watch: 800_000)
    limits = Limits(memory=1 << 40)
    assert within(limits, Native("blind").solve, task(SWITCHES, ALL_ON)).status == MEMOUT
    assert within(limits, Native("lmcut").solve, task(SWITCHES, ALL_ON)).status == SOLVED_OPTIMALLY
    result = within(limits, Native().solve, task(SWITCHES, ALL_ON))
    assert (result.status, result.cost) == (SOLVED_OPTIMALLY, 24)
    assert "blind ran out of memory (" in result.log


@pytest.mark.parametrize("memory", [100_000, 800_000, 1_600_000, 3_000_000])
def test_parts_of_the_schedule_share_the_memory(memory: int) -> None:
    """One has the answer, whatever others had to give back: landmarks see the plan, databases do, too."""
    schedule = _core.Schedule(CoreGrounding(task(SWITCHES, ALL_ON)).task(), scale=8)
    result = schedule.run(memory_limit=memory)
    assert (result.status, result.cost) == (SOLVED_OPTIMALLY, 24)
    assert result.bytes <= memory
    over = {part.name: part.bytes for part in schedule.parts if part.state in ("memout", "given_back")}
    assert bool(over) == (memory < 3_000_000)
    assert not any(over.values())


def test_a_schedule_without_memory_says_so() -> None:
    schedule = _core.Schedule(CoreGrounding(task(SWITCHES, ALL_ON)).task())
    assert schedule.run(memory_limit=10).status == MEMOUT
    assert {part.state for part in schedule.parts} == {"memout"}


def test_one_search_that_runs_out_of_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.base.run.Run.memory_left", lambda watch: 1)
    for config in (None, "lmcut", "pdb", "gbfs", "idastar", "bfs"):
        assert within(Limits(memory=1 << 40), Native(config).solve, task(SWITCHES, ALL_ON)).status == MEMOUT, config


def test_larger_databases_that_do_not_fit_leave_the_smaller_ones_in_use() -> None:
    cells = [(row, column) for row in range(8) for column in range(8)]
    quarter = [row // 2 * 4 + column // 2 for row, column in cells]
    steps = []
    for a, (r, c) in enumerate(cells):  # a folded variable of 64 values: what it carries along is in one of 16 places
        for b, (s, d) in enumerate(cells):
            if abs(r - s) + abs(c - d) == 1:
                steps.append((((0, a),), (((), (0, b)),)))
                steps += [
                    (((0, a), (t, quarter[b])), (((), (0, b)), ((), (t, quarter[a]))))
                    for t in range(1, 7)
                    if quarter[a] != quarter[b]
                ]
    built = _core.Task(**memory_growth.arrays([64] + [16] * 6, [(t, 15 - t) for t in range(1, 7)], steps))
    small, large = (built.pattern_sums(number) for number in range(2))
    assert small != large
    limits = range(300_000, 700_000, 25_000)
    kept = [built.pattern_sums(1, memory_limit=limit) for limit in limits]
    assert kept == sorted(kept, key=[small, large].index), "more memory, larger databases"
    assert small in kept
    assert large in kept


# --- time -----------------------------------------------------------------------------------------------------------


class Clock:
    """Each look at it takes two milliseconds, so that every tick of the core becomes a look."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return 0.002 * self.looks


SEARCHES = [("astar", heuristic) for heuristic in ("hmax", "hadd", "ff", "lmcut", "pdb")] + [("bidirectional", "blind")]


def _invertible(operators: int) -> _core.Task:
    steps = [(((0, x),), (((), (0, x + 1)),)) for x in range(operators)]
    return _core.Task(**memory_growth.arrays([operators + 1], [(0, operators)], steps))


@pytest.mark.parametrize("search", SEARCHES)
def test_whoever_builds_by_operators_looks_at_the_clock_by_operators(search: tuple[str, str]) -> None:
    looks = []
    for operators in (500, 1000, 2000):
        clock = Clock()
        _invertible(operators).search(*search, max_expanded=0, clock=clock)
        looks.append(clock.looks)
    assert all(more - fewer >= 500 for fewer, more in pairwise(looks)), looks


@pytest.mark.parametrize("search", SEARCHES)
def test_the_time_may_be_up_before_anything_is_searched(search: tuple[str, str]) -> None:
    outcome = _invertible(1000).search(*search, time_limit=0.5, clock=Clock())
    assert (outcome.status, outcome.expanded, outcome.evaluated) == ("timeout", 0, 0)


def test_what_the_clock_raises_comes_out() -> None:
    def clock() -> float:
        raise LookupError("it stands still")

    with pytest.raises(LookupError, match="it stands still"):
        _invertible(10).search("astar", clock=clock)


# --- equal plans everywhere -----------------------------------------------------------------------------------------


def test_products_and_sums_of_doubles_are_not_fused() -> None:
    """Fused, they round differently, and which pattern is better would depend on the processor."""
    root = Path(__file__).resolve().parents[3]
    assert "-ffp-contract=off" in (root / "CMakeLists.txt").read_text()


def test_arrays_of_a_task_are_not_changed_by_it() -> None:
    arrays = memory_growth.databases(0.1)
    before = {name: array(numbers.typecode, numbers) for name, numbers in arrays.items()}
    _core.Task(**arrays).search("astar", "pdb", max_expanded=10)
    assert arrays == before
