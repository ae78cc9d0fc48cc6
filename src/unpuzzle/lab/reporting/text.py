"""A report as text: scores and outcomes in columns, and what changed."""

from __future__ import annotations

from unpuzzle.lab.reporting.changes import Changes
from unpuzzle.lab.reporting.grid import OUTCOMES
from unpuzzle.lab.reporting.making import ExperimentReport
from unpuzzle.lab.reporting.scores import SCORES
from unpuzzle.lab.tables import align_columns
from unpuzzle.words import count

MOST = 20
"""The most changed tasks that are listed one by one."""
UNKNOWN = "too few repetitions or tasks to tell it from noise"


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
