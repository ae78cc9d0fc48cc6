"""PDDL tasks, plans, faults and results as HTML for notebooks; `html_of` converts each kind of value.

The HTML has tables and lists, without scripts, styles and ids, so that cells do not disturb each other. All colours are
the notebook's, so both themes work; good and bad are shown by signs and words. Every text is escaped.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from unpuzzle.base.text import count
from unpuzzle.checking.reasons import Explanation
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.judging.fault import Fault, Faults
from unpuzzle.pddl.nodes import Atom, Plan, Task
from unpuzzle.pddl.tracing import Trace, TraceStep
from unpuzzle.pddl.validation import FalsePart, Validation
from unpuzzle.pddl.writer import text
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.planning.result import Result

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
        return f"{YES} there is a plan" + (f"; it begins with {escape(explanation.step)}" if explanation.step else "")
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
