"""Repair an invalid plan: leave out a step, insert steps, or continue with other steps.

    mending = mend(task, plan, validate(task, plan))
    str(mending)            "put (pick-up c) before step 3"

The repairs are tried in this order, by planning from the state in which the plan fails; the repaired plan is validated
as a whole.
"""

from __future__ import annotations

from contextlib import suppress

from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.base.limits import Limits
from unpuzzle.base.run import Run, part
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.pddl.nodes import Condition, GroundAction, Task
from unpuzzle.pddl.normal_form.single_effects import substituted
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.validation import Validation, validate
from unpuzzle.solving import solve

LEAVE_OUT, INSERT, GO_ON = "leave_out", "insert", "go_on"
MOST_EXPANDED = 20_000
SECONDS = 5.0
"""The longest search for a repair, in seconds."""
MOST_SHOWN = 8


class Mending(Record):
    """A change that makes a plan valid.

    Attributes:
        kind: `leave_out` a step, `insert` actions before it, or `go_on` with other actions from it to the end.
        step: the number of the step, from 1; if all steps are applicable, one more than their number.
        actions: the new actions.
        cost: the cost of the whole changed plan.
    """

    kind: str
    step: int
    actions: tuple[GroundAction, ...]
    cost: int | None

    def __str__(self) -> str:
        shown = " ".join(map(str, self.actions[:MOST_SHOWN]))
        more = len(self.actions) - MOST_SHOWN
        shown += f" and {count(more, 'more step')}" if more > 0 else ""
        if self.kind == LEAVE_OUT:
            return f"leave out step {self.step}"
        if self.kind == INSERT:
            return f"put {shown} before step {self.step}"
        return f"go on from step {self.step} with {shown}" if shown else f"leave out step {self.step} and all after it"


def mend(
    task: Task, plan: tuple[GroundAction, ...], verdict: Validation, *, limits: Limits | None = None
) -> Mending | None:
    """Return a change that makes an invalid plan valid; None if none was found within the limits or a few seconds.

    A little of the time is left over, to report the verdict.
    """
    if verdict.valid:
        return None
    with suppress(UnpuzzleError), Run(limits, "looking for what would mend the plan"), part(seconds=SECONDS, share=0.9):
        step = len(plan) + 1 if verdict.step is None else verdict.step
        before, rest = plan[: step - 1], plan[step - 1 :]
        if rest and (whole := validate(task, (*before, *rest[1:]))).valid:
            return Mending(LEAVE_OUT, step, (), whole.cost)
        semantics = Semantics(task)
        here = _from(task, verdict, task.problem.goal)
        if rest and verdict.false:
            schema, binding = semantics.schema(rest[0])
            steps = _plan(_from(task, verdict, substituted(schema.precondition, binding)))
            if steps is not None and (whole := validate(task, (*before, *steps, *rest))).valid:
                return Mending(INSERT, step, steps, whole.cost)
        steps = _plan(here)
        if steps is None or not (whole := validate(task, (*before, *steps))).valid:
            return None
        return Mending(GO_ON, step, steps, whole.cost)
    return None


def _plan(task: Task) -> tuple[GroundAction, ...] | None:
    result = solve(task, max_expanded=MOST_EXPANDED)
    return None if result.plan is None else result.plan.steps


def _from(task: Task, verdict: Validation, goal: Condition) -> Task:
    """Return the task whose initial state is the state where a plan fails, with the given goal."""
    init = tuple(sorted(verdict.state, key=str))
    return Task(task.domain, task.problem.replace(init=init, goal=goal).trusted(task.domain))
