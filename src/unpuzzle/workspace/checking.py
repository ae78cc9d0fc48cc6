"""The command `check`: compare rules and PDDL of levels, a heuristic with true costs, or two tasks."""

from __future__ import annotations

from unpuzzle.base.errors import Interrupted, LimitReached, WorkersFailed
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.checking.bisimulation import NOTHING_COMPARED, same
from unpuzzle.checking.heuristics import HeuristicCheck, check_heuristic
from unpuzzle.checking.many_levels import LevelCheck, LevelChecks, check_levels
from unpuzzle.checking.pointing import point, point_by_names
from unpuzzle.checking.report import Check, Sameness
from unpuzzle.checking.side_by_side import check
from unpuzzle.pddl.nodes import Task
from unpuzzle.puzzle.position import Position
from unpuzzle.workspace.inputs import GameInput, Input, LevelInput, RowsSoFar, Show


class CheckInput(LevelInput):
    """A request to compare the rules of a level with the level's PDDL, or with another `task`."""

    max_states: int
    seed: int = 0
    task: Task | None = None
    shows = "{:,} states compared"

    def call(self, show: Show = None) -> CheckOutcome:
        """Compare rules and PDDL; after an interruption, return the comparison so far."""
        most, seed = self.max_states, self.seed
        try:
            return CheckOutcome(check(self.position, task=self.task, max_states=most, seed=seed, progress=show))
        except Interrupted as error:
            if not error.report.states:
                raise
            return CheckOutcome(error.report, error)


class CheckOutcome(Record):
    """The report of a check; `ended_by` is the interruption that ended the check, if any."""

    report: Check
    ended_by: Interrupted | None = None

    def to_dict(self) -> dict[str, Any]:
        return self.report.to_dict()


class HeuristicInput(LevelInput):
    """A request to compare a heuristic with the true costs on a level."""

    heuristic: str
    max_states: int
    shows = "{:,} states found"

    def call(self, show: Show = None) -> HeuristicCheck:
        return check_heuristic(self.position, self.heuristic, max_states=self.max_states, progress=show)


class LevelsCheckInput(GameInput):
    """A request to compare rules and PDDL of named levels, in several processes or on a Dask cluster."""

    levels: dict[str, Position]
    max_states: int
    seed: int = 0
    workers: int = 1
    scheduler: str | None = None
    shows = "level {}: {:,} states compared"

    def call(self, show: Show = None) -> LevelsCheckOutcome:
        """Compare all levels; after an interruption, return the table rows so far."""
        rows: list[LevelCheck] = []

        def add(row: LevelCheck) -> None:
            rows.append(row)
            if show is not None:
                show(row.level, row.states)

        with RowsSoFar(rows) as so_far:
            return LevelsCheckOutcome(
                check_levels(
                    self.levels, max_states=self.max_states, seed=self.seed,
                    workers=self.workers, scheduler=self.scheduler, on_row=add,
                )
            )  # fmt: skip
        return LevelsCheckOutcome(LevelChecks(tuple(rows)), so_far.ended_by)


class LevelsCheckOutcome(Record):
    """The table rows of a check of several levels; if `ended_by` is set, some rows are missing."""

    checks: LevelChecks
    ended_by: KeyboardInterrupt | WorkersFailed | None = None

    def to_dict(self) -> dict[str, Any]:
        return self.checks.to_dict() | {"same": self.checks.same, "status": self.checks.status}


class TasksInput(Input):
    """A request to compare two PDDL tasks; `unread` is the limit that was reached before both tasks were read."""

    tasks: tuple[Task, Task] | None
    max_states: int
    unread: LimitReached | None = None

    def call(self, show: Show = None) -> TasksOutcome:
        """Return the relation of the tasks and, for different tasks, the first difference in words.

        An undecided relation has one, too, if equal names mean different things; the tasks may still be equal under
        other names.
        """
        if self.tasks is None:
            status = "timeout" if self.unread is None else self.unread.status
            return TasksOutcome(NOTHING_COMPARED.replace(status=status))
        first, second = self.tasks
        report = same(first, second, max_states=self.max_states)
        names = ("the first", "the second")
        try:
            if report.difference is not None:
                return TasksOutcome(report, point(first, second, report.difference, names=names).sentence)
            undecided = report.complete and not report.exhaustive
            pointer = point_by_names(first, second, names=names) if undecided else None
        except LimitReached:  # the relation is certain, but the place is less exact
            pointer = None
        return TasksOutcome(report, "" if pointer is None else f"with equal names they differ: {pointer.sentence}")


class TasksOutcome(Record):
    """The relation between two tasks; `sentence` describes the difference of the tasks."""

    report: Sameness
    sentence: str = ""

    def to_dict(self) -> dict[str, Any]:
        return self.report.to_dict() | ({"sentence": self.sentence} if self.sentence else {})
