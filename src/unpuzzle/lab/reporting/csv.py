"""The figures of a report as CSV, a file for each table, and all runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from unpuzzle.lab.reporting.grid import OUTCOMES, outcome
from unpuzzle.lab.reporting.making import ExperimentReport, names_of
from unpuzzle.lab.reporting.profiles import anytime_profile, has_profiles, solved_after
from unpuzzle.lab.reporting.scores import SCORES
from unpuzzle.lab.tables import csv_of
from unpuzzle.record import plain

WHICH = ("domain", "task", "repetition", "status")
MEASURED = (
    *("cost", "valid", "expanded", "evaluated", "generated", "wall", "cpu", "peak_memory", "configuration", "message"),
    *("log", "key"),
)
Rows = Iterable[Sequence[object]]


def tables_of(report: ExperimentReport) -> dict[str, str]:
    """Return the texts of all tables by the names of their files."""
    return {f"{name}.csv": csv_of(head, rows) for name, head, rows in _tables(report)}


def _tables(report: ExperimentReport) -> Iterator[tuple[str, Sequence[str], Rows]]:
    grid, planners = report.grid, report.planners
    names = [planner.name for planner in planners]
    yield (
        "planners",
        ("planner", "configuration", "limits", "runs", "tasks", *SCORES, *OUTCOMES),
        [
            (each.name, each.configuration, each.limits, each.runs, each.tasks, *map(each.scores.get, SCORES),
             *(each.outcomes.get(name, 0) for name in OUTCOMES))
            for each in planners
        ],
    )  # fmt: skip
    yield (
        "coverage",
        ("domain", "tasks", *names),
        [(d.name, d.tasks, *map(d.coverage.get, names)) for d in report.domains],
    )
    for name, values in (("ratios", report.ratios), ("faults", report.faults)):
        if values:
            head = values[0]._fields
            yield name, head, [[_flat(getattr(value, field)) for field in head] for value in values]
    if report.changes is not None and report.changes.tasks:
        head = report.changes.tasks[0]._fields
        yield "changes", head, [[getattr(change, field) for field in head] for change in report.changes.tasks]
    cactus = [(name, *step) for name in names for step in zip(*solved_after(grid, name, grid.clock), strict=True)]
    yield "cactus", ("planner", "seconds", "solved"), cactus
    if has_profiles(grid):
        profile = [(name, *step) for name in names for step in zip(*anytime_profile(grid, name), strict=True)]
        yield "anytime", ("planner", "seconds", "score"), profile
    yield "runs", *_runs(report)


def _flat(value: object) -> object:
    return " ".join(map(str, value)) if isinstance(value, tuple) else value


def _runs(report: ExperimentReport) -> tuple[Sequence[str], Rows]:
    names = names_of(report.grid)
    head = ("planner", *WHICH, "outcome", *MEASURED, "seconds")
    return head, [
        (
            names[run.key],
            *(getattr(run, field) for field in WHICH),
            outcome(run),
            *(plain(getattr(run, field)) for field in MEASURED),
            run.seconds.get("total"),
        )
        for run in report.grid.runs
    ]
