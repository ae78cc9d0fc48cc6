"""The figures of a report as HTML tables, readable without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unpuzzle.base.text import count
from unpuzzle.lab.reporting.changes import WORSE, Changes
from unpuzzle.lab.reporting.grid import OUTCOMES
from unpuzzle.lab.reporting.making import ExperimentReport
from unpuzzle.lab.reporting.ratios import Ratio
from unpuzzle.lab.reporting.scores import COVERAGE, SCORES
from unpuzzle.rendering.report.plots import short_number
from unpuzzle.rendering.svg import escaped

MANY = 100
"""The most rows of a table that grows with the number of runs; files have all rows."""
WORDS = ("where", "details", "limits", "planner", "task", "difference")
"""The columns that are aligned to the left."""
MAY_BE_NOISE = "noise explains it"
EXPLAINED = "noise explains the distance"


def table(caption: str, head: Sequence[str], rows: Iterable[str], body: str = "") -> str:
    """Return a table in a frame that scrolls, also by keys."""
    cells = "".join(f'<th scope="col"{" class=words" * (name in WORDS)}>{escaped(name)}</th>' for name in head)
    inner = body or f"<tbody>{''.join(rows)}</tbody>"
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escaped(caption)}">'
        f"<table><caption>{escaped(caption)}</caption><thead><tr>{cells}</tr></thead>{inner}</table></div>"
    )


def row(name: str, cells: Iterable[str], *, kind: str = "") -> str:
    """Return a row with its name; the cells are HTML, from `<td`."""
    attribute = f' class="{kind}"' if kind else ""
    return f'<tr{attribute}><th scope="row">{escaped(name)}</th>{"".join(cells)}</tr>'


def cell(text: str, kind: str = "", title: str = "") -> str:
    attributes = (f' class="{kind}"' if kind else "") + (f' title="{escaped(title)}"' if title else "")
    return f"<td{attributes}>{escaped(text)}</td>"


def faults(report: ExperimentReport) -> str:
    if not report.faults:
        return '<p class="fine">No answers contradict each other, no plan is invalid, no planner broke.</p>'
    shown = report.faults[:MANY]
    rows = [
        row(
            fault.kind.replace("_", " "),
            (
                cell(" ".join(filter(None, (fault.domain, fault.task))) or "several", "words"),
                cell(f"{len(fault.keys):,}"),
                cell(fault.text, "words"),
            ),
            kind="grave" if fault.kind != "error" else "",
        )
        for fault in shown
    ]
    more = _left_out(len(report.faults))
    return table("What cannot be right, or did not work", ("what", "where", "runs", "details"), rows) + more


def scores(report: ExperimentReport) -> str:
    names = [name for name in SCORES if any(name in planner.scores for planner in report.planners)]
    best = {name: max(planner.scores[name] for planner in report.planners) for name in names}
    shared = shared_limits(report) is not None
    rows = []
    for planner in report.planners:
        cells = [*([] if shared else [cell(planner.limits, "words")]), cell(f"{planner.tasks:,}")]
        for name in names:
            value = planner.scores[name]
            tied = name in (planner.tied or ())
            first = value == best[name] and best[name] > 0
            text = f"{_sum(value)}{' ≈' if tied else ''}"
            cells.append(cell(text, "best" if first else "noise" if tied else "", tied * EXPLAINED))
        rows.append(row(planner.name, cells))
    return table("Scores, as sums over tasks", ("planner", *([] if shared else ["limits"]), "tasks", *names), rows)


def shared_limits(report: ExperimentReport) -> str | None:
    """Return the limits of all runs; None if they differ."""
    first, *others = {planner.limits for planner in report.planners}
    return None if others else first


def outcomes(report: ExperimentReport) -> str:
    """Return how the runs of all planners ended."""
    there = [each for each in OUTCOMES if any(each in planner.outcomes for planner in report.planners)]
    rows = [
        row(planner.name, [cell(f"{planner.outcomes[each]:,}" if each in planner.outcomes else "·") for each in there])
        for planner in report.planners
    ]
    return table("Runs by outcome", ("planner", *(each.replace("_", " ") for each in there)), rows)


def coverage(report: ExperimentReport) -> str:
    """Return how many tasks of each domain each planner solved."""
    names = [planner.name for planner in report.planners]
    rows = []
    for domain in report.domains:
        best = max(domain.coverage.values())
        cells = [cell(f"{domain.tasks:,}")]
        for name in names:
            value = domain.coverage.get(name)
            few = 2 * [*domain.coverage.values()].count(best) <= len(names)
            cells.append(_solved(value, few and value == best > 0, name in (domain.tied or ())))
        rows.append(row(domain.name, cells))
    sums = [planner.scores[COVERAGE] for planner in report.planners]
    rows.append(row("all", [cell(f"{report.tasks:,}"), *(cell(_sum(value)) for value in sums)], kind="sum"))
    return table("Tasks solved, by domain", ("domain", "tasks", *names), rows)


def _solved(value: float | None, is_best: bool, is_tied: bool) -> str:
    """Return the cell of a planner in the row of a domain."""
    if value is None or not is_tied:
        return cell("·" if value is None else _sum(value), "best" if is_best else "")
    return cell(f"{_sum(value)} ≈", "noise", EXPLAINED)


def ratios(report: ExperimentReport) -> str:
    """Return the ratios of all pairs, the rows of each measure together."""
    bodies = []
    for measure in report.grid.measures:
        rows = [_ratio(each) for each in report.ratios if each.measure == measure.name]
        title = f'<tr><th scope="rowgroup" colspan="8">{escaped(measure.title)}</th></tr>'
        none = '<tr><td colspan="8">No two planners solved the same task.</td></tr>'
        bodies.append(f'<tbody data-measure="{measure.name}">{title}{"".join(rows) or none}</tbody>')
    head = ("second / first", "tasks", "geometric mean", "95% interval", "median", "less", "equal", "more")
    return table("Ratios on the tasks that both solved", head, (), "".join(bodies))


def _ratio(ratio: Ratio) -> str:
    cells = (
        cell(f"{ratio.tasks:,}"),
        cell(f"{ratio.geometric_mean:.3g}{' ≈' if ratio.noise else ''}"),
        cell("–" if ratio.low is None else f"{ratio.low:.3g} to {ratio.high:.3g}"),
        cell(f"{ratio.median:.3g}"),
        *(cell(f"{number:,}") for number in (ratio.less, ratio.equal, ratio.more)),
    )
    return row(f"{ratio.second} / {ratio.first}", cells, kind="noise" if ratio.noise else "")


def compared(changes: Changes) -> str:
    """Return the differences from the older experiment."""
    notes = "".join(f"<li>{escaped(note)}</li>" for note in changes.notes)
    rows = []
    for pace in changes.paces:
        ratio = "–" if pace.ratio is None else f"{pace.ratio:.3g}{' ≈' if pace.noise else ''}"
        between = "–" if pace.low is None else f"{pace.low:.3g} to {pace.high:.3g}"
        verdict = {None: "not known: too few repetitions or tasks", True: MAY_BE_NOISE, False: "beyond noise"}
        cells = [f"{_sum(pace.old_coverage)} → {_sum(pace.new_coverage)}", f"{pace.tasks:,}", ratio, between]
        shown = (*map(cell, cells), cell(verdict[pace.noise], "words"))
        rows.append(row(pace.planner, shown, kind="noise" if pace.noise else ""))
    head = ("planner", "solved, old → new", "tasks solved both times", "time, new / old", "95% interval", "difference")
    tasks = [
        row(
            change.kind,
            (
                cell(change.planner, "words"),
                cell(f"{change.domain} {change.task}", "words"),
                cell(short_number(change.old) + change.unit),
                cell(short_number(change.new) + change.unit),
            ),
            kind="grave" if change.kind in WORSE else "",
        )
        for change in changes.tasks[:MANY]
    ]
    single = table("Tasks that changed", ("what", "planner", "task", "old", "new"), tasks) if tasks else ""
    same = "" if tasks else '<p class="fine">No task is lost, gained, dearer, cheaper, slower or faster.</p>'
    return (
        f"<ul>{notes}</ul>" * bool(notes)
        + table("Planners, old and new", head, rows)
        + single
        + same
        + (_left_out(len(changes.tasks)))
    )


def _left_out(number: int) -> str:
    return f"<p>{count(number - MANY, 'more')}: in the figures as CSV and JSON.</p>" if number > MANY else ""


def _sum(value: float) -> str:
    """Return a sum of scores: whole numbers without decimals."""
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-9 else f"{value:,.1f}"
