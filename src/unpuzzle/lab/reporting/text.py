"""A report as text (scores and outcomes in columns, and what changed), and its figures and runs as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from unpuzzle.lab.reporting.changes import Changes
from unpuzzle.lab.reporting.grid import OUTCOMES, outcome
from unpuzzle.lab.reporting.making import ExperimentReport, names_of
from unpuzzle.lab.reporting.scores import SCORES, anytime_profile, has_profiles, solved_after
from unpuzzle.lab.tables import align_columns, csv_of
from unpuzzle.record import plain
from unpuzzle.words import count

MOST = 20
"""The most changed tasks that are listed one by one."""
UNKNOWN = "too few repetitions or tasks to tell it from noise"
WHICH = ("domain", "task", "repetition", "status")
MEASURED = (
    *("cost", "valid", "expanded", "evaluated", "generated", "wall", "cpu", "peak_memory", "configuration", "message"),
    *("log", "key"),
)


def report_text(report: ExperimentReport, quiet: bool = False) -> str:
    """Return the table of scores and, unless quiet, the summary and the notes."""
    scores = [name for name in SCORES if any(name in row.scores for row in report.planners)]
    outcomes = [name for name in OUTCOMES if any(name in row.outcomes for row in report.planners)]
    head = ["planner", *scores, *outcomes]
    rows = [
        [
            row.name,
            *(f"{row.scores[name]:.1f}".removesuffix(".0") + "≈" * (name in (row.tied or ())) for name in scores),
            *(str(row.outcomes.get(name, 0)) for name in outcomes),
        ]
        for row in report.planners
    ]
    parts = [align_columns(head, rows, ("planner",))]
    if report.changes is not None:
        parts.append(_changes(report.changes))
    if not quiet:
        summary = f"{count(report.runs, 'run')}, {count(report.tasks, 'task')}; time is {report.grid.clock.title}"
        parts.append("\n".join([summary, *report.notes]))
    return "\n\n".join(parts)


def _changes(changes: Changes) -> str:
    lines = [*changes.notes]
    for pace in changes.paces:
        line = f"{pace.planner}: solved {pace.old_coverage:.4g} before, {pace.new_coverage:.4g} now"
        if pace.ratio is not None:
            known = {None: UNKNOWN, True: "noise explains it", False: "more than noise"}[pace.noise]
            ratio = f"{pace.ratio:.3g}"
            time = "as long as before" if ratio == "1" else f"{ratio} times as long"
            line += f"; takes {time} on {count(pace.tasks, 'task')} ({known})"
        lines.append(line)
    for change in changes.tasks[:MOST]:
        where = f"{change.planner} on {change.domain} {change.task}"
        lines.append(f"{change.kind}: {where}: {change.old:.4g}{change.unit} before, {change.new:.4g}{change.unit} now")
    if len(changes.tasks) > MOST:
        lines.append(f"and {count(len(changes.tasks) - MOST, 'task')} more that changed")
    return "\n".join(lines)


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
