"""Traces of plans: the atoms that each step changes, and the parts of the goal that are false at the end.

    trace = trace_plan(task, plan)
    trace.valid, trace.reason                      False, "step 3, (stack b a), is not applicable: (clear a) is false"
    trace.steps[0].added, trace.steps[0].missing   (Atom("holding", ("b",)),), ("(on b a)",)

A trace uses the reference semantics, and ends at the first step that is not applicable.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unpuzzle.base.run import Limits, Run
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.pddl.nodes import Atom, GroundAction, Plan, Task
from unpuzzle.pddl.semantics import Semantics, State
from unpuzzle.pddl.validation import Validation, executed, validate
from unpuzzle.table import notebook_html


class Fired(Record):
    """A conditional effect that happened: its condition as PDDL, and the atoms that it added and deleted."""

    condition: str
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]


class TraceStep(Record):
    """One step of a traced plan: its action, and the atoms that it changed.

    Attributes:
        action: the ground action.
        added, deleted: the fluent atoms that became true, and false; in alphabetical order.
        fired: the conditional effects whose conditions held.
        derived: the derived atoms that are true after the step.
        cost: the cost of the plan up to this step, inclusive.
        missing: the parts of the goal that are false after the step, as PDDL.
        state: all true atoms after the step, without derived ones.
    """

    action: GroundAction
    added: tuple[Atom, ...]
    deleted: tuple[Atom, ...]
    fired: tuple[Fired, ...]
    derived: tuple[Atom, ...]
    cost: int
    missing: tuple[str, ...]
    state: tuple[Atom, ...]


class Trace(Record):
    """The executed steps of a plan, up to the first step that is not applicable, and the validation of the plan."""

    _repr_html_ = notebook_html

    steps: tuple[TraceStep, ...]
    missing: tuple[str, ...]
    verdict: Validation

    schema = "trace"

    @property
    def valid(self) -> bool:
        """Return whether all steps are applicable and the goal holds at the end."""
        return self.verdict.valid

    @property
    def reason(self) -> str:
        """Return a sentence that says why the plan fails; empty for a valid plan."""
        return self.verdict.reason

    def __repr__(self) -> str:
        verdict = f"valid, cost {self.verdict.cost}" if self.valid else f"not valid, {self.reason}"
        return f"Trace({count(len(self.steps), 'step')}, {verdict})"

    def to_dict(self, *, states: bool = False) -> dict[str, Any]:
        """Return the trace as data for JSON; if `states` is True, with the state after each step."""
        steps = [step.to_dict() for step in self.steps]
        if not states:
            for step in steps:
                del step["state"]
        verdict = {name: value for name, value in self.verdict.to_dict().items() if name != "schema"}
        return {"schema": "unpuzzle/trace/1", "steps": steps, "start_missing": list(self.missing), **verdict}


def trace_plan(task: Task | Semantics, plan: Plan | Iterable[GroundAction], *, limits: Limits | None = None) -> Trace:
    """Run a plan and return its trace. Raises the same exceptions as `validate`."""
    with Run(limits, "tracing the plan"):
        semantics = task if isinstance(task, Semantics) else Semantics(task)
        actions = tuple(plan)
        verdict = validate(semantics, plan if isinstance(plan, Plan) else actions)
        count = len(actions) if verdict.step is None else verdict.step - 1
        steps: list[TraceStep] = []
        cost, start = 0, tuple([part.condition for part in semantics.missing(semantics.initial)])
        for action, before, after in executed(semantics, actions[:count]):
            cost += semantics.cost(action)
            steps.append(_step(semantics, action, before, after, cost))
        return Trace(tuple(steps), start, verdict)


def _step(semantics: Semantics, action: GroundAction, before: State, after: State, cost: int) -> TraceStep:
    """Return the record of one step of a plan, given the states before and after the step."""
    fired = [
        Fired(condition, _sorted(adds), _sorted(dels)) for condition, adds, dels in semantics.fired(before, action)
    ]
    return TraceStep(
        action,
        _sorted(after - before),
        _sorted(before - after),
        tuple(fired),
        _sorted(semantics.derived(after)),
        cost,
        tuple([part.condition for part in semantics.missing(after)]),
        _sorted(after),
    )


def _sorted(atoms: Iterable[Atom]) -> tuple[Atom, ...]:
    return tuple(sorted(atoms, key=str))
