"""Different programs, one answer: native, reference, the rules, Fast Downward; on puzzles, IPC and random tasks."""

import json
import os
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.data import IPC
from support.random_tasks import random_task
from support.registry import WITH_PDDL
from support.thorough import at_most, some_of
from unpuzzle import solve, translators
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE, UNSUPPORTED
from unpuzzle.base.run import Limits
from unpuzzle.cli import main
from unpuzzle.model import Puzzle
from unpuzzle.model.capabilities import Constrained, offered
from unpuzzle.pddl import Plan, read, validate
from unpuzzle.planning import registry, running
from unpuzzle.planning.planner import TASK
from unpuzzle.planning.result import Result

PUZZLES = WITH_PDDL
needs_fast_downward = pytest.mark.skipif(
    registry.missing("fast-downward") is not None, reason=f"{registry.missing('fast-downward')}"
)


UNSOLVED = {"assembly/prob01", "assembly/prob02"}  # in less than a minute; they are there to be read and ground


@cache
def ipc_tasks() -> list[str]:
    found = {str(path.parent.relative_to(IPC)) for path in IPC.glob("*/*/problem.pddl")}
    return sorted(found - UNSOLVED)


def answer(result: Result) -> tuple[str, int | None]:
    assert result.valid is (True if result.solved else None), result.message
    return result.status, result.cost


def judge(position: Puzzle, planner: str) -> tuple[str, int | None]:
    on_rules = TASK not in registry.find(planner).reads
    return answer(running.run(planner, position if on_rules else position.task()))


@pytest.mark.parametrize("shard", some_of(range(4), 2))
@pytest.mark.parametrize("name", PUZZLES)
@needs_fast_downward
def test_random_levels_cost_the_same_everywhere(name: str, shard: int) -> None:
    """If asked for, 200 levels of each puzzle, in four shards (so that several processes share them).

    Some of the first shard by Fast Downward, too, whose start takes longer than all the others take to solve a level.
    """

    @settings(max_examples=at_most(50), derandomize=bool(os.environ.get("CI")))
    @given(st.integers(0, 2**32))
    def agree(seed: int) -> None:
        position = translators.find(name).sample(Random(seed * 4 + shard))
        expected = judge(position, "rules:bfs")
        assert expected[0] in (SOLVED_OPTIMALLY, UNSOLVABLE)
        assert judge(position, "native") == expected
        assert judge(position, "native:blind") == expected
        if offered(position, Constrained) is not None:
            assert judge(position, "cp-sat") == expected
            assert judge(position, "backtracking") == expected
        if shard == 0 and seed % 8 == 0:
            assert judge(position, "fast-downward") == expected
        if position.impossible() is not None:
            assert expected[0] == UNSOLVABLE

    agree()


@pytest.mark.parametrize("name", ipc_tasks())
@needs_fast_downward
def test_ipc_tasks_cost_the_same(name: str, data: Path) -> None:
    task = read(data / "ipc" / name / "domain.pddl", data / "ipc" / name / "problem.pddl")
    known = json.loads((data / "ipc" / "optimal-costs.json").read_text())
    ours = solve(task, "native", limits=Limits(time=300, memory=4 << 30))
    assert ours.status == SOLVED_OPTIMALLY, ours.message
    if name in known:
        assert ours.cost == known[name]
        return
    theirs = solve(task, "fast-downward:astar(blind())", limits=Limits(time=2, memory=4 << 30))
    assert theirs.status in (SOLVED_OPTIMALLY, TIMEOUT, UNSUPPORTED), theirs.message
    if theirs.status == SOLVED_OPTIMALLY:
        assert theirs.cost == ours.cost


@settings(max_examples=at_most(200))
@given(st.integers(0, 2**32))
def test_random_tasks_cost_the_same_by_the_reference_planner(seed: int) -> None:
    task = random_task(Random(seed))
    expected = answer(solve(task, "reference"))
    assert answer(solve(task, "native")) == expected
    assert answer(solve(task, "native:blind")) == expected
    assert answer(solve(task, "native:lmcut+stubborn")) == expected


@settings(max_examples=at_most(100))
@given(st.integers(0, 2**32))
def test_breadth_first_finds_the_fewest_steps(seed: int) -> None:
    task = random_task(Random(seed), costs=None)
    expected = answer(solve(task, "reference"))
    assert answer(solve(task, "native:bfs")) == expected


BUNDLED = [(name, level) for name in PUZZLES for level in translators.find(name).levels]
PLANNED = {name: list(translators.find(name).levels)[:1] for name in PUZZLES} | {
    "sudoku": ["4x4", "4x4-unsolvable"],
    "crossword": ["3x3", "unsolvable"],
    "gogen": ["unsolvable"],
    "24": ["1-1-1-1"],
}
"""Bundled levels that other programs read and plan for here: some of the others are for planners on constraints."""


@pytest.mark.parametrize(("name", "level"), BUNDLED)
def test_what_is_written_of_a_bundled_level_is_its_task(name: str, level: str, tmp_path: Path) -> None:
    puzzle = translators.find(name)
    assert main(["pddl", name, level, "--output", str(tmp_path), "--quiet"]) == 0
    task = puzzle.parse(puzzle.levels[level]).task()
    assert read(str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")) == task


@pytest.mark.parametrize(("name", "level"), [(name, level) for name in PUZZLES for level in PLANNED[name]])
def test_bundled_levels_load_everywhere(name: str, level: str, tmp_path: Path) -> None:
    """What we write is read by unified-planning and tarski; Fast Downward's plan for it is valid here and there."""
    puzzle = translators.find(name)
    position = puzzle.parse(puzzle.levels[level])
    assert main(["pddl", name, level, "--output", str(tmp_path), "--quiet"]) == 0
    paths = str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")
    theirs = _read_by_unified_planning(*paths)
    assert len(theirs.actions) == len(position.task().domain.actions)
    _read_by_tarski(*paths)
    if registry.missing("fast-downward") is not None:
        return
    found = running.run("fast-downward:lama-first", position.task(), limits=Limits(time=600))
    if position.impossible() is None and found.solved:
        assert found.plan is not None
        assert validate(position.task(), found.plan).valid
        assert _valid_by_unified_planning(theirs, found.plan)
        assert not _valid_by_unified_planning(theirs, Plan(found.plan.steps[:-1]))
    else:
        assert not found.solved
        assert found.status in (UNSOLVABLE, "gave_up"), found.message


def _read_by_unified_planning(domain: str, problem: str):
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import get_environment

    get_environment().credits_stream = None
    return PDDLReader().parse_problem(domain, problem)


def _valid_by_unified_planning(problem, plan: Plan) -> bool:
    from unified_planning.engines import SequentialPlanValidator
    from unified_planning.io import PDDLReader

    text = "\n".join(str(step) for step in plan)
    theirs = PDDLReader().parse_plan_string(problem, text)
    return bool(SequentialPlanValidator().validate(problem, theirs))


def _read_by_tarski(domain: str, problem: str) -> None:
    from tarski.io import PDDLReader

    reader = PDDLReader(raise_on_error=True)
    reader.parse_domain(domain)
    assert reader.parse_instance(problem).init.as_atoms()
