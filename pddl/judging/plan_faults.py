"""The faults of a plan's text: faults of notation, and steps that do not exist in the task."""

from __future__ import annotations

from collections.abc import Sequence

from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import within_limits
from unpuzzle.pddl.costs import Schemas
from unpuzzle.pddl.judging.fault import ERROR, Fault
from unpuzzle.pddl.judging.lint_report import fault_at
from unpuzzle.pddl.judging.understanding import fault_of
from unpuzzle.pddl.node import Source, Span
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.pddl.plans import parse_plan
from unpuzzle.pddl.reading.brackets import Note
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.pddl.reading.tolerant_plans import read_plan_anyway
from unpuzzle.pddl.world import Types

AS_STEPS = ("plan-number", "plan-call", "plan-brackets")
"""Codes of lines that are read as steps, though without the task they may be sentences."""


def lint_plan(text: str, name: str | None = None, task: Task | None = None) -> list[Fault]:
    """Return the faults of a plan; with a task, also steps with unknown names or wrong arguments."""
    plan, notes = read_plan_anyway(text, name)
    source = Source(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    wrong: dict[str, Fault] = {}
    if task is not None:
        schemas = Schemas(task.domain.actions, Types(task))
        for step in within_limits(plan.steps):
            try:
                schemas.bind(step)
            except ParseError as error:
                if step.span is not None and error.message not in wrong:
                    wrong[error.message] = fault_at(step.span, ERROR, "plan-action", error.message)
    if wrong or (task is None and not _is_uniform(plan, notes)):  # perhaps a line is no step
        notes = [note._replace(sure=note.sure and note.code not in AS_STEPS) for note in notes]
    faults = [*(fault_of(note, source, note.severity) for note in notes), *wrong.values()]
    return sorted(faults, key=lambda fault: (fault.line or 0, fault.column or 0))


def _is_uniform(plan: Plan, notes: Sequence[Note]) -> bool:
    """Return whether all steps have the same notation and have objects, so that no step can be a prose sentence."""
    kinds = {note.code for note in notes}.intersection(AS_STEPS)
    plain = {step.span.source.text.startswith("(", step.span.start) for step in plan.steps if step.span is not None}
    return len(kinds) < 2 and len(plain) < 2 and all(step.arguments for step in plan.steps)


def read_with_notes(text: str, name: str | None = None, task: Task | None = None) -> tuple[Plan, list[Fault]]:
    """Return a plan, and warnings about steps in a different notation.

    Raises ParseError for a line that is no step; with a task, only for one that may be meant as a step of it.
    """
    plan, notes = read_plan_anyway(text, name, task)
    source = Source(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    errors = [note for note in notes if note.severity == ERROR]
    if errors and (task is not None or errors[0].fix is not None):
        raise parse_error(errors[0].message, Span(source, errors[0].start, errors[0].end), errors[0].code)
    if errors:
        return parse_plan(text, name), []
    left_out = next((note for note in notes if note.code == "plan-step"), None)
    if left_out is not None and not plan.steps:
        raise parse_error("no line of this text is a step of a plan", Span(source, left_out.start, left_out.end))
    return plan, [fault_of(note, source, note.severity) for note in notes]
