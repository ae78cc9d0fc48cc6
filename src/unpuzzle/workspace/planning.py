"""The commands `solve` and `plan`: intermediate plans, the answer, and the reasons why there is no plan.

`validate`, too: a plan is run step by step; if it fails, the outcome has the false conditions, since when they are
false, and a repair.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce

from unpuzzle.base.errors import LimitReached, UnpuzzleError, UsageError
from unpuzzle.base.outcomes import ERROR, UNSOLVABLE
from unpuzzle.base.run import phase
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.model.position import Game, Position
from unpuzzle.pddl.linting.fault import Fault
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.pddl.validation import Validation, validate
from unpuzzle.planning import registry
from unpuzzle.planning.planner import MOVES, TASK, Planner, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.solving import Mending, default_planner, mend, planner_for, read_by, solve
from unpuzzle.workspace.inputs import Input, Show

PDDL = ".pddl"
OPEN = "."
"""A cell without a letter or a number, in the line of a position with cells to fill."""


class PlanningInput(Input):
    """A request to solve a level or a task.

    Attributes:
        planner: the name of the planner; None is the default.
        ties: the order of equally good positions, for searches that have such an order.
        anytime: whether to find a plan soon, then better ones.
        reasons: whether to explain why there is no plan.
        as_plan: whether the answer must be a plan of PDDL, to be written to a file.
        clock: the `perf_counter()` value at which the command began.
        read: the seconds that reading took.
        reading: the files of a task, as read, for warnings about them.
        move_of: returns the move for each action of a task's plan, so that the plan is shown as moves, too.
    """

    subject: Position | Task
    clock: float
    planner: str | None = None
    objective: str = MOVES
    ties: str | None = None
    anytime: bool = False
    reasons: bool = True
    as_plan: bool = False
    read: float = 0.0
    reading: Reading | None = None
    move_of: Callable[[GroundAction], str] | None = None

    @property
    def game(self) -> Game | None:
        """The game of a level; None for a task."""
        return None if isinstance(self.subject, Task) else self.subject.game

    def chosen(self) -> Planner:
        """Return the planner. Raises UsageError if the planner does not have the setting `ties`."""
        objective = SearchOptions(objective=self.objective).objective
        if self.ties is None:
            return planner_for(self.subject, self.planner or None, objective)
        name = self.planner or default_planner(self.subject, objective)
        if "ties" not in registry.kind(name).settings:
            raise UsageError(
                f"--ties needs a planner with priorities, such as rules:astar or subgoals, but {name} has none"
            )
        return planner_for(self.subject, name, ties=self.ties)

    def call(self, show: Show = None, on_plan: Callable[[Result], None] | None = None) -> PlanningOutcome:
        """Return the answer; `on_plan` is called with each intermediate plan."""
        planner = self.chosen()
        if self.as_plan and read_by(planner, self.subject) != TASK:
            raise UsageError(f"--plan-file needs a planner that reads PDDL; {planner.name} finds moves on the rules")
        faults: list[Fault] = []
        if self.reading is not None:
            from unpuzzle.pddl.linting.checks import suspicions, warnings

            faults += warnings(self.reading)
        plans: list[Result] = []

        def keep(plan: Result) -> None:
            plans.append(plan)
            if self.anytime and on_plan is not None:
                on_plan(plan)

        ended_by = None
        try:
            result = solve(
                self.subject, planner, objective=self.objective, progress=show, clock=self.clock,
                on_plan=keep if self.anytime or planner.goes_on else None,
            )  # fmt: skip
        except KeyboardInterrupt as error:
            if not plans:
                raise
            ended_by, result = error, plans[-1].replace(message="interrupted: there may be a better plan")
        result = _with_line(result.lasting(read=self.read), self.subject)
        if self.move_of is not None and result.plan is not None:
            result = result.replace(moves=tuple([self.move_of(action) for action in result.plan]))
        if self.planner is None and result.planner == registry.SLOW and not result.message:
            missing = registry.missing(registry.DEFAULT)
            slow = "" if missing is None else f"planned with the slow '{result.planner}': {missing}"
            result = result.replace(message=slow)
        reasons: tuple[str, ...] = ()
        if result.status == UNSOLVABLE and self.reasons:
            refuted, reasons = _reasons(self.subject)
            if refuted:
                result = result.replace(status=ERROR, message=f"{result.planner}: {refuted}")
        if self.reading is not None and not (
            result.solved and result.plan
        ):  # this may be due to a mistake in the files
            with suppress(LimitReached):  # the answer is valid without them
                faults += suspicions(self.reading, unsolvable=not result.solved)
        on_the_way = tuple(plans) if self.anytime else None
        return PlanningOutcome(result, on_the_way, reasons, ended_by, tuple(map(str, faults)))


class PlanningOutcome(Record):
    """The answer of a planner about a level or a task.

    Attributes:
        plans: the intermediate plans of anytime planning.
        reasons: the strongest reason why there is no plan and, if one is known, a change that helps.
        ended_by: the interruption that ended the search.
        warnings: the warnings about the files of a task.
    """

    result: Result
    plans: tuple[Result, ...] | None = None
    reasons: tuple[str, ...] = ()
    ended_by: KeyboardInterrupt | None = None
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        fields = self.result.to_dict()
        if self.plans is not None:
            plans, names = [plan.to_dict() for plan in self.plans], ("cost", "pushes", "moves", "plan")
            fields["plans"] = [
                {"seconds": plan["seconds"]["total"], **{name: plan[name] for name in names}} for plan in plans
            ]
        if self.reasons:
            fields["reasons"] = self.reasons
        return fields


def _reasons(subject: Position | Task) -> tuple[str, tuple[str, ...]]:
    """Return a text that refutes the claim that there is no plan (usually empty), and the reasons for the claim.

    The reasons are the strongest one and a change that helps or, without such a change, the last reason of the chain.
    """
    if not isinstance(subject, Task) and (subject.game.level_ending != PDDL or subject.impossible() is not None):
        return "", ()  # players of a puzzle do not see the facts of its PDDL
    from unpuzzle.explanation.reasons import explain_unsolvable

    try:
        explanation = explain_unsolvable(subject if isinstance(subject, Task) else subject.task())
    except (LimitReached, UnpuzzleError, MemoryError, KeyboardInterrupt):  # the proof that there is no plan remains
        return "", ()
    if explanation.solvable:
        return explanation.reasons[0].text, ()
    lines = [reason.text for reason in explanation.reasons[:1]]
    mending = [f"it would be solvable {excuse}" for excuse in explanation.excuses[:1]]
    return "", (*lines, *(mending or [reason.text for reason in explanation.reasons[1:][-1:]]))


def _with_line(result: Result, subject: Position | Task) -> Result:
    """Return the result with the solved position added, if the game can write this position on one line."""
    if isinstance(subject, Task) or subject.line() is None:
        return result
    line = result.solution
    if not line and result.moves is not None:
        line = reduce(lambda position, move: position.apply(move), result.moves, subject).line()
    details = {"solutions": None, "unique": None, "solution": line, **result.details}
    own = subject.own_answer()
    if own is not None and line:
        filled = zip(str(subject.line()), line, str(own.line()), strict=False)
        equal = [mine == theirs for was, mine, theirs in filled if was == OPEN]
        details["own_answer"] = {"solution": own.line(), "cells": len(equal), "equal": sum(equal)}
    return result.replace(solution=line, details=details)


class ValidationInput(Input):
    """A request to validate a plan for a task.

    Attributes:
        reading: the files of the task, as read.
        odd: faults of the plan's text that were tolerated.
        repair: whether to look for a repair of a plan that fails.
    """

    reading: Reading
    task: Task
    plan: Plan
    odd: Sequence[Fault] = ()
    repair: bool = True

    def call(self, show: Show = None) -> ValidationOutcome:
        """Validate the plan, and search for a repair of an invalid plan if that is requested."""
        with phase("validating the plan"):
            verdict = validate(self.task, self.plan)
            if verdict.valid or not self.repair:
                return ValidationOutcome(verdict)
            try:
                return ValidationOutcome(verdict, mend(self.task, self.plan.steps, verdict))
            except KeyboardInterrupt as error:  # the verdict is known
                return ValidationOutcome(verdict, ended_by=error)


class ValidationOutcome(Record):
    """The verdict on a plan, and a repair if the plan fails; `ended_by` is what interrupted the search for a repair."""

    verdict: Validation
    mending: Mending | None = None
    ended_by: KeyboardInterrupt | None = None

    def to_dict(self) -> dict[str, Any]:
        fields = {name: value for name, value in self.verdict.to_dict().items() if name != "schema"}
        return fields | {"mending": self.mending and self.mending.to_dict()}
