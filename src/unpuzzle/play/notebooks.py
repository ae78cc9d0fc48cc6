"""How notebooks show a value: as text, SVG, a player for a solved level, charts, reports, or HTML of PDDL.

Jupyter, VS Code and sites made of notebooks call `_repr_mimebundle_` or `_repr_html_` on an object. All names in a
picture are its own (see `unpuzzle.rendering.svg`), so that cells do not disturb each other; a player is in a frame that
may run only its script. HTML has tables and lists, without scripts, styles and ids. All colours are the notebook's, so
both themes work; good and bad are shown by signs and words. Every text is escaped.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log10
from typing import Any

from unpuzzle.base.availability import missing
from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY
from unpuzzle.base.text import count
from unpuzzle.drawing import Ground, Path, Rect, Shape, Text
from unpuzzle.experiments.comparing import Comparison, ComparisonRow, comparison_table, run_rows, runs_table
from unpuzzle.experiments.reporting import ExperimentReport
from unpuzzle.experiments.runs import Runs
from unpuzzle.explanation.reasons import Explanation
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import joined_moves
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.linting.fault import Fault, Faults
from unpuzzle.pddl.nodes import Atom, Plan, Task
from unpuzzle.pddl.tracing import Trace, TraceStep
from unpuzzle.pddl.validation import FalsePart, Validation
from unpuzzle.pddl.writer import text
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.planning.result import Result
from unpuzzle.play.page_data import has_board
from unpuzzle.play.web_page import page_of_scene
from unpuzzle.rendering.analysis import space_svg
from unpuzzle.rendering.report_tables import report_text
from unpuzzle.rendering.reports import report_page
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.svg import animated_svg, escaped, picture_svg, svg_of
from unpuzzle.rendering.themes import AUTO
from unpuzzle.state_space.exploration import Exploration

TEXT, SVG, HTML = "text/plain", "image/svg+xml", "text/html"
FRAME = '<iframe title="{title}" srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{height}"></iframe>'
PLAYER_HEIGHT, REPORT_HEIGHT = 640, 720
"""The heights of frames, in pixels."""
SIZE, LETTER, LONGEST = 0.55, 0.4, 14.0
"""The height and the width of letters in a chart, and the length of its longest bar, in lines."""
SPREAD = 40
"""The largest ratio of numbers in a chart with a linear scale."""
YES, NO = "✓", "✗"
MOST = 200
"""The most steps or facts that are shown of one value."""
TABLE = '<table style="text-align:left">'
CELL = ' style="text-align:left;vertical-align:top"'


def html_of(value: object) -> str:
    """Return a value as HTML for notebooks; values of types not in `FORMS` are shown by their `repr`."""
    for kind, write in FORMS.items():
        if isinstance(value, kind):
            return f"<div>{write(value)}</div>"
    return f"<code>{escape(repr(value))}</code>"


def escape(words: str) -> str:
    """Return a text escaped for HTML; characters that cannot be encoded become `?`."""
    return html.escape(words.encode("utf-8", "replace").decode("utf-8"))


def _task(task: Task) -> str:
    domain, problem = task.domain, task.problem
    objects: dict[str, list[str]] = {}
    for named in (*domain.constants, *problem.objects):
        objects.setdefault(" ".join(named.types), []).append(named.name)
    actions = [" ".join((action.name, *[each.name for each in action.parameters])) for action in domain.actions]
    rows = [
        *[(kind, _listed(names)) for kind, names in objects.items()],
        ("actions", _listed(f"({action})" for action in actions)),
        ("start", _listed(map(str, problem.init))),
        ("goal", _listed(text(part, {}) for part in conjuncts(problem.goal))),
    ]
    return f"<b>{escape(problem.name)}</b>, a problem of the domain <b>{escape(domain.name)}</b>{_table((), rows)}"


def _position(position: PddlPosition) -> str:
    rows: dict[str, list[str]] = {}
    for atom in sorted(position.atoms(), key=str):
        rows.setdefault(atom.predicate, []).append(" ".join(atom.arguments) or "yes")
    cells = [(name, " | ".join(map(escape, _first(facts)))) for name, facts in rows.items()]
    goals = [f"{YES if holds else NO} {escape(goal)}" for goal, holds in position.goals()]
    return _table((), [*cells, ("goal", "<br>".join(_first(goals)))])


def _plan(plan: Plan) -> str:
    cost = "" if plan.cost is None else f", cost {plan.cost}"
    return f"{count(len(plan), 'step')}{cost}{_steps(list(map(str, plan)))}"


def _validation(verdict: Validation) -> str:
    if verdict.valid:
        return f"{YES} the plan is valid, its cost is {verdict.cost}"
    return f"{NO} the plan is not valid: {escape(verdict.reason)}{_parts((*verdict.false, *verdict.missing))}"


def _trace(trace: Trace) -> str:
    heads = ("step", "action", "true now", "no longer true", "cost", "missing")
    table = _table(heads, [_step(number, step) for number, step in enumerate(trace.steps[:MOST], 1)])
    more = f"<p>and {count(len(trace.steps) - MOST, 'more step')}</p>" if len(trace.steps) > MOST else ""
    return table + more + _validation(trace.verdict)


def _step(number: int, step: TraceStep) -> list[str]:
    changes = [escape(str(step.action)), _atoms(step.added), _atoms(step.deleted)]
    return [str(number), *changes, str(step.cost), _listed(step.missing) or "nothing"]


def _explanation(explanation: Explanation) -> str:
    if explanation.solvable is None:
        return f"whether there is a plan is not known: {escape(explanation.status)}"
    if explanation.solvable and not explanation.reasons:
        begins = f"; it begins with {escape(explanation.beginning)}" if explanation.step else ""
        return f"{YES} there is a plan{begins}"
    sentences = [escape(reason.text) for reason in explanation.reasons]
    excuses = [f"it would be solvable {escape(str(excuse))}" for excuse in explanation.excuses]
    return f"{YES if explanation.solvable else NO} {'<br>'.join([*sentences, *excuses])}"


def _faults(faults: Faults) -> str:
    if not faults:
        return f"{YES} no faults"
    return _table(("place", "severity", "fault", "code"), map(_fault_row, faults))


def _fault_row(fault: Fault) -> list[str]:
    place = ":".join([str(part) for part in (fault.file, fault.line, fault.column) if part is not None])
    return [escape(place), fault.severity, escape(fault.message), f"<code>{escape(fault.code)}</code>"]


def _result(result: Result) -> str:
    figures = {"planner": result.planner, "cost": result.cost, "expanded": result.expanded, "message": result.message}
    words = [f"{name} {escape(str(value))}" for name, value in figures.items() if value not in (None, "")]
    sign = YES if result.solved else NO
    steps = list(result.moves or map(str, result.plan or ()))
    return f"{sign} {', '.join([result.status.replace('_', ' '), *words])}{_steps(steps)}"


def _steps(steps: Sequence[str]) -> str:
    if not steps:
        return ""
    more = f"<p>and {count(len(steps) - MOST, 'more step')}</p>" if len(steps) > MOST else ""
    return f"<ol>{''.join([f'<li>{escape(step)}</li>' for step in steps[:MOST]])}</ol>{more}"


def _parts(parts: Iterable[FalsePart]) -> str:
    items = "".join([f"<li>{escape(str(part))}</li>" for part in parts])
    return f"<ul>{items}</ul>" if items else ""


def _atoms(atoms: Iterable[Atom]) -> str:
    return _listed(map(str, atoms))


def _listed(words: Iterable[str]) -> str:
    return " ".join(map(escape, _first(list(words))))


def _first(words: list[str]) -> list[str]:
    """Return the words or, if there are too many, the first words and the number of the remaining words."""
    return words if len(words) <= MOST else [*words[:MOST], f"and {len(words) - MOST:,} more"]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table from cells in HTML; without `heads`, the first cell of each row is a heading."""
    head = f"<tr>{''.join([f'<th{CELL}>{escape(name)}</th>' for name in heads])}</tr>" if heads else ""
    return f"{TABLE}{head}{''.join([_row(row, bool(heads)) for row in rows])}</table>"


def _row(cells: Sequence[str], has_heads: bool) -> str:
    first = f"<td{CELL}>{cells[0]}</td>" if has_heads else f"<th{CELL}>{escape(cells[0])}</th>"
    return f"<tr>{first}{''.join([f'<td{CELL}>{cell}</td>' for cell in cells[1:]])}</tr>"


FORMS: dict[type, Callable[[Any], str]] = {
    Task: _task,
    PddlPosition: _position,
    Plan: _plan,
    Validation: _validation,
    Trace: _trace,
    Explanation: _explanation,
    Fault: lambda fault: escape(str(fault)) + (f" <code>{escape(fault.code)}</code>" if fault.code else ""),
    Faults: _faults,
    Result: _result,
}
"""The function that writes each kind of value."""


def mimebundle(value: object) -> Mapping[str, str]:
    """Return the notebook representations of a position, a result, a comparison or an exploration, by media type."""
    if isinstance(value, PddlPosition) and not has_board(value):
        return {TEXT: value.draw(), HTML: html_of(value)}
    if isinstance(value, Position):
        return {TEXT: value.draw(), SVG: svg_of(value)}
    if isinstance(value, Exploration):
        return {TEXT: repr(value), SVG: space_svg(value)}
    if isinstance(value, ExperimentReport):
        page = (
            {}
            if missing("plots", "plots need", "matplotlib")
            else {HTML: framed(report_page(value), value.title, REPORT_HEIGHT)}
        )
        return {TEXT: report_text(value), **page}
    if isinstance(value, Comparison):
        return {TEXT: comparison_table(value), SVG: chart_svg(value)}
    if isinstance(value, Runs):
        return {TEXT: runs_table(value), HTML: table_html(*run_rows(value))}
    if not isinstance(value, Result):
        return {TEXT: repr(value)}
    start = value.start
    if start is None or value.moves is None:
        return {TEXT: f"{value!r}: {value.message}" if value.message else repr(value), HTML: html_of(value)}
    scene = Scene.of(start, value.moves)
    words = f"{value!r}\n{joined_moves(start.game, value.moves)}"
    player = framed(page_of_scene(scene, small=True), start.game.title, PLAYER_HEIGHT)
    picture = {SVG: animated_svg(scene)} if has_board(start) else {}
    return {TEXT: words, **picture, HTML: player}


def framed(page: str, title: str, height: int) -> str:
    """Return a web page in a frame, in which the page can run its own script but can access nothing else."""
    quoted = page.replace("&", "&amp;").replace('"', "&quot;")
    return FRAME.format(title=escaped(title), page=quoted, height=height)


def table_html(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join([f"<th>{escaped(name)}</th>" for name in names])
    lines = ["".join([f"<td>{escaped(cell)}</td>" for cell in row]) for row in rows]
    body = "".join([f"<tr>{line}</tr>" for line in lines])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def chart_svg(rows: Sequence[ComparisonRow], *, theme: str = AUTO) -> str:
    """Return a comparison as an SVG bar chart: for each algorithm, the number of positions that it expanded.

    Bars are proportional to the numbers. If these differ so much that small ones would be invisible, since a blind
    search may expand a thousand times as many as one with a good heuristic, the scale is logarithmic: the picture says
    so, and has a line for each power of ten.
    """
    names = max([len(row.algorithm) for row in rows], default=0) * LETTER + 0.5
    numbers = [row.expanded or 0 for row in rows]
    logarithmic = max(numbers, default=0) > SPREAD * max(1, min(numbers, default=0))
    most = max(numbers, default=0)
    scale = _logarithmic(most) if logarithmic else lambda number: LONGEST * number / max(most, 1)
    title = f"expanded states, {'logarithmic' if logarithmic else 'linear'} scale"
    shapes: list[Shape] = [Text(0, 0.5, title, SIZE, left=True)]
    if logarithmic:
        shapes += _powers(names, scale, most, len(rows))
    for line, (row, number) in enumerate(zip(rows, numbers, strict=True), 2 if logarithmic else 1):
        length = scale(number)
        shapes.append(Text(0, line + 0.5, row.algorithm, SIZE, left=True))
        solved = row.status in (SOLVED, SOLVED_OPTIMALLY)
        fill, line_role, thick = ("wall", "", 0.05) if solved else ("floor", "wall", 0.06)
        shapes.append(Rect(names, line + 0.2, max(length, 0.05), 0.6, fill=fill, line=line_role, thick=thick))
        shapes.append(Text(names + length + 0.3, line + 0.5, _figures(row), SIZE, left=True))
    width = names + LONGEST + 1 + max([len(_figures(row)) for row in rows], default=0) * LETTER
    lines = len(rows) + (2 if logarithmic else 1)
    ground = Ground(lines, max(width, len(title) * LETTER), {}, shapes, margin=0.4)
    return picture_svg(ground, [], theme=theme, pixels=24, label=f"searches compared: {len(rows)}; {title}")


def _logarithmic(most: int) -> Callable[[int], float]:
    return lambda number: LONGEST * log10(1 + number) / log10(1 + most)


def _powers(left: float, scale: Callable[[int], float], most: int, rows: int) -> list[Shape]:
    """Return the shapes of a logarithmic grid: a thin line for each power of ten, with its number above it."""
    shapes: list[Shape] = []
    power = 1
    while power <= most:
        x = left + scale(power)
        shapes += [Text(x, 1.5, f"{power:,}", 0.8 * SIZE), Path([(x, 2), (x, 2 + rows)], line="grid", thick=0.04)]
        power *= 10 ** (1 + (most >= 10**7))
    return shapes


def _figures(row: ComparisonRow) -> str:
    expanded = "" if row.expanded is None else f"{row.expanded:,} expanded, "
    return f"{expanded}cost {row.cost:,}" if row.cost is not None else f"{expanded}{row.status.replace('_', ' ')}"
