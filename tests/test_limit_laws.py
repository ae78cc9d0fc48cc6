"""Laws for all public functions with limits: what ends a call is told, what was found is kept, no run is left behind.

The rows, a long and a short call of each function, are in `support.limit_cases`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

import unpuzzle
from support.clocks import SecondsPerLook
from support.limit_cases import (
    OTHER_WAYS,
    ROWS,
    SOKOBAN,
    TILES,
    Row,
    ended,
    endless,
    large,
    level,
    open_grid,
    small,
    with_limits,
)
from support.waiting import cancelling
from unpuzzle import LimitReached, Limits
from unpuzzle.base.run import ROOT, Run, current, detached
from unpuzzle.generation.generating import Generation
from unpuzzle.planning.registry import missing

pytestmark = pytest.mark.skipif(missing("native") is not None, reason="the core is not compiled")

SOON = 0.03
"""Seconds, of both clocks: none of the long calls is done so soon."""
EVER = 1e6


def test_every_public_function_with_limits_has_a_row() -> None:
    assert sorted(with_limits()) == sorted(ROWS)


# ---- what ends a call


def at_work(row: Row) -> Callable[[], object]:
    """Return a function that tells whether this process, or one that it has started, has worked for a moment."""
    process = psutil.Process()
    if row.apart:
        before = {*process.children()}
        return lambda: {*process.children()} - before
    begin = sum(os.times()[:2])
    return lambda: sum(os.times()[:2]) > begin + SOON


def cancelled_before(row: Row) -> tuple[str, Any]:
    limits = Limits()
    limits.cancel()
    return ended(row, limits=limits)


def cancelled_meanwhile(row: Row) -> tuple[str, Any]:
    limits = Limits()
    with cancelling(limits, at_work(row)):
        return ended(row, limits=limits)


def within_cancelled(row: Row) -> tuple[str, Any]:
    limits = Limits()
    with cancelling(limits, at_work(row)), Run(limits):
        return ended(row)


def within(around: Limits, row: Row, **given: Limits) -> tuple[str, Any]:
    with Run(around):
        return ended(row, **given)


TIME = Limits(time=SOON)
ENDS: dict[str, tuple[str, Callable[[Row], tuple[str, Any]]]] = {
    "cancelled before": ("cancelled", cancelled_before),
    "cancelled meanwhile": ("cancelled", cancelled_meanwhile),
    "time": ("timeout", lambda row: ended(row, limits=TIME)),
    "processor time": ("timeout", lambda row: ended(row, limits=Limits(cpu=SOON))),
    "memory": ("memout", lambda row: ended(row, limits=Limits(memory=1, held=0))),
}
ENDS_AROUND: dict[str, tuple[str, Callable[[Row], tuple[str, Any]]]] = {
    "a run that is over": ("timeout", lambda row: within(Limits(time=1e-9), row)),
    "a run that ends meanwhile": ("timeout", lambda row: within(TIME, row)),
    "a run that is over for longer limits": ("timeout", lambda row: within(TIME, row, limits=Limits(time=EVER))),
    "a run without memory": ("memout", lambda row: within(Limits(memory=1, held=0), row)),
    "a run that is cancelled meanwhile": ("cancelled", within_cancelled),
}
"""By what ends a call: the status, and the call."""

each_function = pytest.mark.parametrize("name", ROWS)
other_ways = pytest.mark.parametrize("name", OTHER_WAYS)


@each_function
@pytest.mark.parametrize("end", ENDS)
def test_a_call_tells_which_limit_ended_it(end: str, name: str) -> None:
    status, call = ENDS[end]
    assert call(ROWS[name])[0] == ROWS[name].says.get(status, status)
    assert current() is ROOT


@pytest.mark.parametrize(
    ("end", "name"),  # the memory of a run is that of this process
    [(end, name) for end in ENDS_AROUND for name, row in ROWS.items() if not (row.apart and "memory" in end)],
)
def test_a_call_without_limits_ends_with_the_run_around_it(end: str, name: str) -> None:
    status, call = ENDS_AROUND[end]
    assert call(ROWS[name])[0] == (ROWS[name].says.get("over") or status)
    assert current() is ROOT


@other_ways
@pytest.mark.parametrize("end", ["cancelled before", "cancelled meanwhile", "processor time"])
def test_threads_processes_and_other_planners_tell_it_too(end: str, name: str) -> None:
    status, call = ENDS[end]
    assert call(OTHER_WAYS[name])[0] == status


@other_ways
@pytest.mark.parametrize("end", ["a run that ends meanwhile", "a run that is cancelled meanwhile"])
def test_threads_processes_and_other_planners_end_with_the_run_around_them(end: str, name: str) -> None:
    status, call = ENDS_AROUND[end]
    assert call(OTHER_WAYS[name])[0] == status


@pytest.mark.parametrize("name", ["Family.solve", "explore", "reachable", "solve_many"])
def test_memory_that_is_used_up_meanwhile_ends_a_call(name: str) -> None:
    assert ended(ROWS[name], limits=Limits(memory=48 << 20))[0] == "memout"


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if not row.apart])
def test_a_limit_at_any_look_is_told_or_comes_too_late(name: str, seconds_per_look: SecondsPerLook) -> None:
    row = ROWS[name]
    in_time = row.short(limits=Limits(time=EVER))  # some things are made once
    begin = seconds_per_look.reads
    row.short(limits=Limits(time=EVER))
    looks = seconds_per_look.reads - begin
    ends = {"timeout", "solved", "" if row.raises else row.status(in_time)}
    for number in sorted({*range(1, looks, max(looks // 6, 1)), *range(max(looks - 3, 1), looks + 1)}):
        limits = Limits(time=number)
        if row.raises:
            with suppress(LimitReached):
                assert row.right(row.short(limits=limits))
        else:
            assert ends.issuperset(row.status(row.short(limits=limits)).split(" and "))
        assert current() is ROOT


@pytest.mark.parametrize("name", [*ROWS, *OTHER_WAYS])
def test_after_the_end_of_a_run_its_outcome_can_be_shown_and_others_judged(name: str) -> None:
    row = (ROWS | OTHER_WAYS)[name]
    over = Limits()
    over.cancel()
    with Run(over) as run:
        _, outcome = ended(row, limits=TIME)
        with detached():
            for one in outcome if isinstance(outcome, list | tuple) else [outcome]:
                assert str(one)
                assert getattr(one, "to_dict", dict)() is not None
            assert row.right(row.short())
        assert current() is run
    assert row.right(row.short())


# ---- what was found is kept


@pytest.mark.parametrize("name", ["check", "check_heuristic", "explore", "reachable"])
def test_states_seen_until_a_limit_are_counted(name: str) -> None:
    told: list[int] = []

    def cancel(number: int) -> None:
        told.append(number)
        limits.cancel()

    limits = Limits()
    arguments = (large(), "manhattan") if name == "check_heuristic" else (large(),)
    seen = getattr(unpuzzle, name)(*arguments, limits=limits, progress=cancel)
    assert seen.status == "cancelled"
    assert seen.states >= told[0] > 0


def test_rows_made_until_a_limit_are_kept() -> None:
    limits = Limits()
    rows = unpuzzle.compare(small(), ["bfs", "ucs"], limits=limits, on_row=lambda row: limits.cancel())
    assert [row.status for row in rows] == ["solved_optimally", "cancelled"]
    limits = Limits()
    levels = unpuzzle.survey(TILES, ["row", "3x2", "2x3"], limits=limits, on_row=lambda row: limits.cancel())
    assert [row.status for row in levels] == ["solved_optimally", "cancelled"]


def test_runs_made_until_a_limit_are_kept(tmp_path: Path) -> None:
    limits = Limits()
    runs = unpuzzle.experiment(
        {"small": small().task(), "endless": endless()},
        ["native"],
        limits=limits,
        output=tmp_path / "runs.jsonl",
        on_run=lambda run: limits.cancel(),
    )
    assert [(run.task, run.status) for run in runs] == [("small", "solved_optimally")]


def test_levels_made_until_a_limit_are_kept() -> None:
    limits = Limits()

    def cancel(made: Generation) -> None:
        if made.levels:
            limits.cancel()

    made = unpuzzle.generate(SOKOBAN, count=10_000, limits=limits, progress=cancel)
    assert made.status == "cancelled"
    assert made.levels


def test_solutions_found_until_a_limit_are_kept(seconds_per_look: SecondsPerLook) -> None:
    found = unpuzzle.count_solutions(open_grid(), 10**6, planner="backtracking", limits=Limits(time=10_000))
    assert (found.result.status, found.unique) == ("timeout", False)
    assert len(found.positions) == len(found.solutions) > 1


def test_answers_found_until_a_limit_are_kept() -> None:
    easy = level("sliding-tiles", "8-easy")
    answers = unpuzzle.solve_many([easy, large(), easy], limits=Limits(memory=48 << 20), threads=1)
    assert [answer.status for answer in answers] == ["solved_optimally", "memout", "solved_optimally"]


def test_the_best_plan_found_until_a_limit_is_kept() -> None:
    limits = Limits()
    result = unpuzzle.solve(large(), limits=limits, on_plan=lambda better: limits.cancel())
    assert (result.status, result.valid) == ("solved", True)
    limits = Limits()
    results = unpuzzle.improve(large(), limits=limits)
    first = next(results)
    limits.cancel()
    rest = list(results)
    assert {each.status for each in (first, *rest)} == {"solved"}
    assert (rest[-1].cost or 0) <= (first.cost or 0)
    assert rest[-1].valid
    assert rest[-1].message == "the best plan so far; then the run was cancelled while searching"


def test_results_of_two_searches_may_be_asked_for_in_turn() -> None:
    one, other = Limits(), Limits()
    first, second = unpuzzle.improve(large(), limits=one), unpuzzle.improve(large(), limits=other)
    with Run(Limits(time=EVER)) as around:
        assert next(first).solved
        assert next(second).solved
        assert current() is around
        one.cancel()
        assert [*first][-1].message.startswith("the best plan so far; then the run was cancelled")
    assert next(second).solved
    second.close()  # type: ignore[attr-defined]
    assert current() is ROOT
    assert not other.cancelled
