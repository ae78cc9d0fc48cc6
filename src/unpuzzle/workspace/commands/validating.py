"""Validating as a command: a plan, run step by step; where it fails, all false conditions, since when, and a repair."""

from __future__ import annotations

from collections.abc import Sequence

from unpuzzle.base.run import phase
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.checking.mending import Mending, mend
from unpuzzle.pddl.judging.fault import Fault
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.pddl.validation import Validation, validate
from unpuzzle.workspace.commands.input import Input, Show


class ValidationInput(Input):
    """A plan for a task.

    Attributes:
        reading: the files of the task as they were read.
        odd: faults of the plan's text that were overlooked.
        repair: whether to look for a repair of a plan that fails.
    """

    reading: Reading
    task: Task
    plan: Plan
    odd: Sequence[Fault] = ()
    repair: bool = True

    def call(self, show: Show = None) -> ValidationOutcome:
        with phase("validating the plan"):
            verdict = validate(self.task, self.plan)
            if verdict.valid or not self.repair:
                return ValidationOutcome(verdict)
            try:
                return ValidationOutcome(verdict, mend(self.task, self.plan.steps, verdict))
            except KeyboardInterrupt as error:  # the verdict is known
                return ValidationOutcome(verdict, ended_by=error)


class ValidationOutcome(Record):
    """The verdict on a plan, and a repair of a plan that fails; `ended_by` interrupted the search for one."""

    verdict: Validation
    mending: Mending | None = None
    ended_by: KeyboardInterrupt | None = None

    def to_dict(self) -> dict[str, Any]:
        fields = {name: value for name, value in self.verdict.to_dict().items() if name != "schema"}
        return fields | {"mending": self.mending and self.mending.to_dict()}
