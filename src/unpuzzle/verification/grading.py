"""Grade the PDDL domains of a class of students by comparison with a reference domain on the same problems.

    grader = Grader({"p01.pddl": task, ...})
    grader.grade("anna.pddl", {"p01.pddl": her_task, ...})     GradeRow(file, verdict, action, literal, difference)

Problems are compared in the order of their names, until one differs. The problems fix the objects, so objects with
equal names are the same. Tasks with the same text except for the names of actions need no search. With too many states
to compare, only solvability and the cost of the best plan are compared; if these are equal or unknown, the verdict is
undecided.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from unpuzzle.base.defaults import COMPARED_STATES_OF_EACH as MAX_STATES
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits, Run
from unpuzzle.base.values import Record
from unpuzzle.pddl.formulas import OBJECT, And, conjuncts
from unpuzzle.pddl.nodes import Action, Domain, Task, TypedName
from unpuzzle.pddl.normal_form import normal_form, numbered, substituted
from unpuzzle.pddl.writer import write
from unpuzzle.planning.result import Result
from unpuzzle.solving import solve
from unpuzzle.verification.bisimulation import same
from unpuzzle.verification.compared_spaces import Renaming
from unpuzzle.verification.domains import PLANNING_MEMORY, PLANNING_TIME, kind_by_figures, planned
from unpuzzle.verification.pointing import AUTHORS, Pointer, point, point_by_names
from unpuzzle.verification.report import (
    DIFFERENT,
    IDENTICAL,
    RELATIONS,
    RENAMED,
    SAME_BEHAVIOUR,
    SILENT_GOAL,
    UNDECIDED,
    Sameness,
)  # fmt: skip

SAME, BEHAVES, UNREADABLE = "same", "behaves the same", "unreadable"
NAMES = "the reference", AUTHORS
_WORDS = {
    SAME_BEHAVIOUR: "it behaves the same, with other facts or steps",
    SILENT_GOAL: SILENT_GOAL,
    UNDECIDED: "it behaves the same, but it is not known whether it is the reference up to names",
}


class GradeRow(Record):
    """The verdict on the file of one student.

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
    """A comparison of students' domains with a reference domain."""

    def __init__(self, reference: Mapping[str, Task], *, max_states: int = MAX_STATES) -> None:
        self._reference = dict(sorted(reference.items()))
        self._max_states = max_states
        self._plans: dict[str, Result] = {}

    def grade(self, file: str, tasks: Mapping[str, Task], *, limits: Limits | None = None) -> GradeRow:
        """Return the verdict on a student's file, given its task for each problem.

        Raises ParseError and UnsupportedFeature for an invalid task.
        """
        with Run(limits, "comparing"):
            worst, names, named = GradeRow(file, SAME, relation=IDENTICAL), Renaming({}, {}, {}), True
            for name in self._reference:
                row, report = self._compared(file, name, tasks[name])
                worst = min(worst, row, key=lambda each: RELATIONS.index(each.relation))
                if worst.verdict == DIFFERENT:
                    return worst
                named &= report is not None or row.relation == IDENTICAL
                names = names if report is None or report.bijection is None else names.joined(report.bijection)
            texts = ""
            if worst.verdict == SAME and named and self._reference:
                texts = text_differences(self._reference[name], tasks[name], names)
            note = f"the texts differ in {texts}; no problem shows a difference" if texts else worst.difference
            return worst.replace(difference=note if worst.verdict == SAME else worst.difference)

    def _compared(self, file: str, name: str, task: Task) -> tuple[GradeRow, Sameness | None]:
        """Return the verdict on one problem, and the comparison of the state spaces if one was made."""
        reference = self._reference[name]
        for relation in (IDENTICAL, RENAMED):
            if written_alike(reference, task, names=relation == IDENTICAL):
                return GradeRow(file, SAME, relation=relation), None
        report = same(reference, task, max_states=self._max_states, same_objects=True)
        if report.same:
            return GradeRow(file, SAME, relation=report.relation), report
        # Too many states to compare, with no limit of time: optimal costs may still tell them apart.
        if report.relation == UNDECIDED and not report.exhaustive and report.complete:
            return self._by_figures(file, name, task), report
        verdict = {DIFFERENT: DIFFERENT, SAME_BEHAVIOUR: BEHAVES}.get(report.relation, UNDECIDED)
        pointer, difference = None, report.difference
        try:
            if difference is not None:
                pointer = point(reference, task, difference, names=NAMES)
            elif report.exhaustive:
                pointer = point_by_names(reference, task, names=NAMES)
                # Equal behaviour may hide a changed problem: with an identical domain, names decide.
                verdict = DIFFERENT if _wrong_problem(reference, task) else verdict
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

    def _by_figures(self, file: str, name: str, task: Task) -> GradeRow:
        """Compare the results of planners, for a problem with too many states to compare."""
        if name not in self._plans:
            self._plans[name] = solve(self._reference[name], limits=Limits(PLANNING_TIME, PLANNING_MEMORY))
        ours, theirs = self._plans[name], solve(task, limits=Limits(PLANNING_TIME, PLANNING_MEMORY))
        if not kind_by_figures(ours, theirs):
            larger = f"{name}: there are more states than {self._max_states:,}; up to names, no difference was seen"
            pointer = None
            with suppress(LimitReached):  # the place is less exact
                pointer = point_by_names(self._reference[name], task, names=NAMES)
            if pointer is None:
                return GradeRow(file, UNDECIDED, None, None, larger, UNDECIDED)
            sentence = f"{larger}; with equal names they differ: {pointer.sentence}"
            return GradeRow(file, UNDECIDED, pointer.action, pointer.literal, sentence, UNDECIDED)
        figures = f"{name}: by {NAMES[0]} {planned(ours)}; by {NAMES[1]} {planned(theirs)}"
        return GradeRow(file, DIFFERENT, None, None, figures, DIFFERENT)


def _wrong_problem(reference: Task, task: Task) -> bool:
    """Return whether a student's problem differs from the reference problem, although their state spaces are equal.

    Names mean the same in both if the author's domain is identical to the reference on the problem that was given.
    """
    given, own = reference.problem, task.problem
    ours, theirs = ({(each.name, len(each.parameters)) for each in t.domain.predicates} for t in (reference, task))
    if ours != theirs or (set(given.init), given.goal) == (set(own.init), own.goal):
        return False
    if same(reference, Task(task.domain, given), same_objects=True).relation != IDENTICAL:
        return False
    return point_by_names(reference, task, names=NAMES, facts=False) is not None


# Compare the texts of tasks: equal ones need no search, and of others the actions that differ are named.
#
# Names of actions, their parameters, the domain and the problem do not count for `written_alike`; names of predicates
# and objects do, and so does the order of parameters. A positive answer is a proof; a negative one says nothing.

_WORD = re.compile(r"[^\s()]+|[\s()]")
_LANGUAGE = {"and", "or", "not", "forall", "exists", "when", "=", "either", "object", "increase", "total-cost"}


def written_alike(first: Task, second: Task, *, names: bool = False) -> bool:
    """Return whether two tasks have the same text up to names of parameters and, if `names` is false, of actions."""
    return _meaning(first, names) == _meaning(second, names)


def _meaning(task: Task, names: bool) -> tuple[Any, ...]:
    """Return a value that is equal for tasks equal up to names of parameters and, if `names` is false, of actions."""
    actions = []
    for each in task.domain.actions:
        parameters, scope = numbered(each.parameters)
        parts = substituted(each.precondition, scope), substituted(each.effect, scope)
        actions.append(Action(each.name, parameters, *parts))
    whole = normal_form(Task(task.domain.replace(actions=tuple(actions)), task.problem))
    domain, problem = whole.domain, whole.problem
    contents = sorted([repr(each if names else each.replace(name="")) for each in domain.actions])
    vocabulary = domain.types, domain.constants, domain.predicates, domain.functions, domain.axioms
    return (*vocabulary, contents, problem.init, problem.values, problem.goal, problem.metric)


def text_differences(reference: Task, other: Task, bijection: Renaming) -> str:
    """Return the parts of actions that only one of two tasks has, such as `swipe: (locked ?f)`; empty without any.

    Actions that the bijection maps to each other are compared, and actions of equal names, and types of equal names. A
    part with words missing in the other text is left out if it may be there under another name or in another order.
    """
    ours, theirs = (normal_form(_with_more_objects(task)).domain for task in (reference, other))
    words = {  # `~` marks another order of arguments, with which texts cannot be compared
        their: our if places == sorted(places) else f"~{our}" for our, their, places in _reordered(bijection.predicates)
    }
    actions = {their: (our, places) for our, their, places in _reordered(bijection.actions)}
    one, two = ({*_names(d.predicates), *_names(d.types), *_names(d.constants)} for d in (ours, theirs))
    known = one & {words.get(name, name) for name in two} | _LANGUAGE
    found = [] if actions else sorted({*_names(ours.actions)} ^ {*_names(theirs.actions)})
    schemas = {each.name: each for each in _schemas(ours)}
    for action in _schemas(theirs):
        name, order = actions.get(action.name, (action.name, list(range(len(action.parameters)))))
        own = schemas.get(name)
        if own is not None and len(own.parameters) == len(action.parameters):
            variables = dict(
                zip(_names(action.parameters), [own.parameters[place].name for place in order], strict=True)
            )
            here, there = _parts(own, {}, known), _parts(action, words | variables, known)
            one_side, other_side = Counter(here.values()), Counter(there.values())
            parts = [part for part, key in (*here.items(), *there.items()) if one_side[key] != other_side[key]]
            found += [f"{name}: {', '.join(parts)}"] if parts else []
    above = [{each.name: each.types for each in domain.types} for domain in (ours, theirs)]
    shared = [name for name in above[0] if name in above[1] and above[0][name] != above[1][name]]
    moved = [f"{name} - {' '.join(types[name])}" for name in shared for types in above if {*types[name]} <= known]
    return "; ".join([*found, *([f"types: {', '.join(moved)}"] if moved else [])])


def _with_more_objects(task: Task) -> Task:
    """Return a task with one more object of each type, because normal forms drop types without objects."""
    known = {*_names(task.domain.constants), *_names(task.problem.objects)}
    some = [TypedName(f"some-{name}", (name,)) for name in _names(task.domain.types) if f"some-{name}" not in known]
    return Task(task.domain, task.problem.replace(objects=(*task.problem.objects, *some)))


def _schemas(domain: Domain) -> list[Action]:
    """Return the actions and axioms of a domain, all as actions."""
    axioms = [Action(each.head.name, each.head.parameters, each.body, And()) for each in domain.axioms]
    return [*axioms, *domain.actions]


def _reordered(pairs: Mapping[str, str]) -> list[tuple[str, str, list[int]]]:
    """Return, for each pair of terms such as `(a ?1 ?2)` and `(b ?2 ?1)`, both names and the order of parameters."""
    words = [(ours.strip("()").split()[0], theirs.strip("()").split()) for ours, theirs in pairs.items()]
    return [(ours, name, [int(place[1:]) - 1 for place in places]) for ours, (name, *places) in words]


def _names(declared: Iterable[Any]) -> list[str]:
    return [each.name for each in declared]


def _parts(action: Action, words: Mapping[str, str], known: set[str]) -> dict[str, Any]:
    """Return the parameters, conditions and effects of an action as texts, each with a key for comparing it.

    Each has a key: itself or, if some of its words are not in the other text, the rest of them, in any order.
    """
    own = {words.get(name, name) for name in _names(action.parameters)}
    texts = [("", write(part)) for part in conjuncts(action.precondition)]
    texts += [("effect ", write(part)) for part in conjuncts(action.effect)]
    texts += [("", f"{each.name} - {' '.join(each.types)}") for each in action.parameters if each.types != OBJECT]
    parts: dict[str, Any] = {}
    for kind, text in texts:
        found = [words.get(word, word) for word in _WORD.findall(" ".join(text.split()))]
        bound = list(dict.fromkeys(word for word in found if word[0] == "?" and word not in own))
        found = [f"?{bound.index(word) + 1}" if word in bound else word for word in found]
        whole = kind + "".join(found)
        left = [word if word[0] in "?( )0123456789-" or word in known else "~" for word in found]
        parts[whole] = (kind, *sorted(left)) if "~" in left else whole
    return parts
