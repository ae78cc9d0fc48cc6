"""Grade the domains of a class: compare each with a reference, up to names, on the same problems.

    grader = Grader({"p01.pddl": task, ...})
    grader.grade("anna.pddl", {"p01.pddl": her_task, ...})     GradeRow(file, verdict, action, literal, difference)

Problems are compared in the order of their names, until one differs. The problems fix the objects, so objects with
equal names are the same. Tasks with the same text except for the names of actions need no search. With too many states
to compare, only solvability and the cost of the best plan are compared; if these are equal or unknown, the verdict is
undecided.
"""

from __future__ import annotations

from collections.abc import Mapping

from unpuzzle.checking.bisimulation import same
from unpuzzle.checking.domains import PLANNING_MEMORY, PLANNING_TIME, kind_by_figures, planned
from unpuzzle.checking.isomorphism import Renaming
from unpuzzle.checking.pointing import AUTHORS, Pointer, point, point_by_names
from unpuzzle.checking.report import (
    DIFFERENT,
    IDENTICAL,
    RELATIONS,
    RENAMED,
    SAME_BEHAVIOUR,
    SILENT_GOAL,
    UNDECIDED,
    Sameness,
)  # fmt: skip
from unpuzzle.checking.written_alike import text_differences, written_alike
from unpuzzle.defaults import COMPARED_STATES_OF_EACH as MAX_STATES
from unpuzzle.errors import LimitReached
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl.nodes import Task
from unpuzzle.record import Record
from unpuzzle.result import Result
from unpuzzle.solving import solve

SAME, BEHAVES, UNREADABLE = "same", "behaves the same", "unreadable"
NAMES = "the reference", AUTHORS
_WORDS = {
    SAME_BEHAVIOUR: "it behaves the same, with other facts or steps",
    SILENT_GOAL: SILENT_GOAL,
    UNDECIDED: "it behaves the same, and whether its names make it the reference is not known",
}


class GradeRow(Record):
    """The verdict on one file.

    Attributes:
        file: its name, as it was given.
        verdict: `same`, `behaves the same`, `different`, `undecided` or `unreadable`.
        action, literal: the place of the difference, as in `Pointer`; None if unknown.
        difference: a sentence with the reason, which names the problem; for files that are the same, in what their
            texts differ, or empty.
        relation: as in `Sameness`, the weakest on any problem; empty for unreadable files.
    """

    file: str
    verdict: str
    action: str | None = None
    literal: str | None = None
    difference: str = ""
    relation: str = ""

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
        worst, names, named = GradeRow(file, SAME, relation=IDENTICAL), Renaming({}, {}, {}), True
        for name in self._reference:
            row, report = self._compared(file, name, tasks[name], deadline)
            worst = min(worst, row, key=lambda each: RELATIONS.index(each.relation))
            if worst.verdict == DIFFERENT:
                return worst
            named &= report is not None or row.relation == IDENTICAL
            names = names if report is None or report.bijection is None else names.joined(report.bijection)
        texts = ""
        if worst.verdict == SAME and named and self._reference:
            texts = text_differences(self._reference[name], tasks[name], names)
        note = f"the texts differ in {texts}; no problem tells them apart" if texts else worst.difference
        return worst.replace(difference=note if worst.verdict == SAME else worst.difference)

    def _compared(self, file: str, name: str, task: Task, deadline: Deadline) -> tuple[GradeRow, Sameness | None]:
        """Return the verdict by one problem, and the comparison of states, if one was needed."""
        reference = self._reference[name]
        for relation in (IDENTICAL, RENAMED):
            if written_alike(reference, task, names=relation == IDENTICAL):
                return GradeRow(file, SAME, relation=relation), None
        report = same(reference, task, max_states=self._max_states, same_objects=True, limits=deadline)
        if report.same:
            return GradeRow(file, SAME, relation=report.relation), report
        if report.relation == UNDECIDED and not report.exhaustive and report.complete:
            return self._by_figures(file, name, task, deadline), report
        verdict = {DIFFERENT: DIFFERENT, SAME_BEHAVIOUR: BEHAVES}.get(report.relation, UNDECIDED)
        pointer, difference = None, report.difference
        try:
            if difference is not None:
                pointer = point(reference, task, difference, names=NAMES, tick=deadline)
            elif report.exhaustive:
                pointer = point_by_names(reference, task, names=NAMES, tick=deadline)
                verdict = DIFFERENT if _wrong_problem(reference, task, deadline) else verdict
        except LimitReached:  # the verdict is certain, but the place is less exact
            pass
        if pointer is None and difference is not None:
            words = f"by {NAMES[0]} {difference.first}, by {NAMES[1]} {difference.second}"
            pointer = Pointer(difference.step, None, words)
        words = _WORDS.get(report.relation, "") if report.complete else f"a limit was reached ({report.status})"
        said = [words if verdict != DIFFERENT else "", "" if pointer is None else pointer.sentence]
        words = ": ".join(filter(None, said))
        place = (None, None) if pointer is None else (pointer.action, pointer.literal)
        relation = DIFFERENT if verdict == DIFFERENT else report.relation
        return GradeRow(file, verdict, *place, f"{name}: {words}", relation), report

    def _by_figures(self, file: str, name: str, task: Task, deadline: Deadline) -> GradeRow:
        if name not in self._plans:
            self._plans[name] = solve(self._reference[name], limits=_limits(deadline))
        ours, theirs = self._plans[name], solve(task, limits=_limits(deadline))
        if not kind_by_figures(ours, theirs):
            larger = f"{name}: there are more states than {self._max_states:,}, and no difference was seen in these"
            return GradeRow(file, UNDECIDED, None, None, larger, UNDECIDED)
        figures = f"{name}: by {NAMES[0]} {planned(ours)}; by {NAMES[1]} {planned(theirs)}"
        return GradeRow(file, DIFFERENT, None, None, figures, DIFFERENT)


def _wrong_problem(reference: Task, task: Task, deadline: Deadline) -> bool:
    """Return whether an author's own problem differs from the given one by names, although it behaves the same.

    Names mean the same in both if the author's domain is identical to the reference on the problem that was given.
    """
    given, own = reference.problem, task.problem
    ours, theirs = ({(each.name, len(each.parameters)) for each in t.domain.predicates} for t in (reference, task))
    if ours != theirs or (set(given.init), given.goal) == (set(own.init), own.goal):
        return False
    if same(reference, Task(task.domain, given), same_objects=True, limits=deadline).relation != IDENTICAL:
        return False
    return point_by_names(reference, task, names=NAMES, facts=False, tick=deadline) is not None


def _limits(deadline: Deadline) -> Limits:
    left = deadline.time_left()
    return Limits(PLANNING_TIME if left is None else min(PLANNING_TIME, left), PLANNING_MEMORY)
