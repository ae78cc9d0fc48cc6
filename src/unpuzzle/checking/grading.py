"""Grade the domains of a class: compare each with a reference, up to names, on the same problems.

    grader = Grader({"p01.pddl": task, ...})
    grader.grade("anna.pddl", {"p01.pddl": her_task, ...})     GradeRow(file, verdict, action, literal, difference)

Problems are compared in the order of their names, until one differs. Tasks with the same text except for the names of
actions need no search. With too many states to compare, only solvability and the cost of the best plan are compared; if
these are equal or unknown, the verdict is undecided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unpuzzle.checking.bisimulation import same
from unpuzzle.checking.domains import PLANNING_MEMORY, PLANNING_TIME, kind_by_figures, planned
from unpuzzle.checking.pointing import point
from unpuzzle.checking.written_alike import written_alike
from unpuzzle.defaults import COMPARED_STATES_OF_EACH as MAX_STATES
from unpuzzle.errors import LimitReached
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl.nodes import Task
from unpuzzle.record import Plain
from unpuzzle.result import Result
from unpuzzle.solving import solve

SAME, DIFFERENT, UNDECIDED, UNREADABLE = "same", "different", "undecided", "unreadable"
NAMES = "the reference", "this domain"


@dataclass(frozen=True, slots=True)
class GradeRow(Plain):
    """The verdict on one file.

    Attributes:
        file: its name, as it was given.
        verdict: `same`, `different`, `undecided` or `unreadable`.
        action, literal: the place of the difference, as in `Pointer`; None if unknown.
        difference: for files that are not the same, a sentence with the reason, which names the problem.
    """

    file: str
    verdict: str
    action: str | None = None
    literal: str | None = None
    difference: str = ""

    schema = "grade"


class Grader:
    """A comparison of domains with a reference, whose tasks are given by the names of the problems."""

    def __init__(self, reference: Mapping[str, Task], *, max_states: int = MAX_STATES) -> None:
        self._reference = dict(sorted(reference.items()))
        self._max_states = max_states
        self._plans: dict[str, Result] = {}

    def grade(self, file: str, tasks: Mapping[str, Task], *, limits: Limits | Deadline | None = None) -> GradeRow:
        """Return the verdict on a file from its tasks for all problems; undecided if a limit is reached.

        Raises ParseError and UnsupportedFeature for an invalid task.
        """
        deadline = Deadline.of(limits, "comparing")
        undecided = ""
        for name in self._reference:
            row = self._compared(file, name, tasks[name], deadline)
            if row.verdict == DIFFERENT:
                return row
            undecided = undecided or row.difference
        return GradeRow(file, UNDECIDED if undecided else SAME, None, None, undecided)

    def _compared(self, file: str, name: str, task: Task, deadline: Deadline) -> GradeRow:
        """Return the verdict by one problem."""
        if written_alike(self._reference[name], task):
            return GradeRow(file, SAME)
        report = same(self._reference[name], task, max_states=self._max_states, limits=deadline)
        if report.difference is not None:
            try:
                pointer = point(self._reference[name], task, report.difference, names=NAMES, tick=deadline)
            except LimitReached:  # they certainly differ, but the place is less exact
                words = f"by {NAMES[0]} {report.difference.first}, by {NAMES[1]} {report.difference.second}"
                return GradeRow(file, DIFFERENT, report.difference.step, None, f"{name}: {words}")
            return GradeRow(file, DIFFERENT, pointer.action, pointer.literal, f"{name}: {pointer.sentence}")
        if report.same:
            return GradeRow(file, SAME)
        if not report.complete:
            return GradeRow(file, UNDECIDED, None, None, f"{name}: a limit was reached ({report.status})")
        return self._by_figures(file, name, task, deadline)

    def _by_figures(self, file: str, name: str, task: Task, deadline: Deadline) -> GradeRow:
        if name not in self._plans:
            self._plans[name] = solve(self._reference[name], limits=_limits(deadline))
        ours, theirs = self._plans[name], solve(task, limits=_limits(deadline))
        if not kind_by_figures(ours, theirs):
            larger = f"{name}: there are more states than {self._max_states:,}, and no difference was seen in these"
            return GradeRow(file, UNDECIDED, None, None, larger)
        figures = f"{name}: by {NAMES[0]} {planned(ours)}; by {NAMES[1]} {planned(theirs)}"
        return GradeRow(file, DIFFERENT, None, None, figures)


def _limits(deadline: Deadline) -> Limits:
    left = deadline.time_left()
    return Limits(PLANNING_TIME if left is None else min(PLANNING_TIME, left), PLANNING_MEMORY)
