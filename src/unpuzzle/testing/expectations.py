"""Assertions about tasks and games for tests, and checks of expected results (expectations) in comments of files.

Assertions take a `pddl.Task`, the paths of domain and problem, or a position; each raises AssertionError or returns its
result:

    def test_my_domain():
        assert_solvable(("domain.pddl", "easy.pddl"), cost=5)
        assert_unsolvable(("domain.pddl", "walled.pddl"))
        assert_valid(("domain.pddl", "easy.pddl"), "(push a b) (push b c)")
        assert_same_game(Boxup.parse(LEVEL), "my-boxup-domain.pddl")

Comments in a PDDL or game file state the same about it: see `KINDS` and `expectations`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from os import PathLike

from unpuzzle.base.defaults import COMPARED_STATES as MAX_STATES
from unpuzzle.base.errors import LimitReached, ParseError, UnpuzzleError, UsageError
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import Limits, Run
from unpuzzle.base.text import count, suggestion
from unpuzzle.base.values import Record
from unpuzzle.model.position import Position
from unpuzzle.pddl.linting.fault import Fault
from unpuzzle.pddl.matching import PROBLEM, domain_beside, read_text_of
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.plans import parse_plan, read_plan
from unpuzzle.pddl.reading.reader import read
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.validation import Validation, validate
from unpuzzle.planning.planner import Planner
from unpuzzle.planning.result import Result
from unpuzzle.solving import solve
from unpuzzle.translators import find, format_of
from unpuzzle.verification.report import Check
from unpuzzle.verification.side_by_side import check, task_of
from unpuzzle.workspace.linting import lint_files

IN_PDDL = re.compile(r"^[ \t]*;+[ \t]*expect:[ \t]*(.*?)[ \t\r]*$", re.MULTILINE | re.IGNORECASE)
IN_GAMES = re.compile(r"\([ \t]*expect:[ \t]*([^()]*?)\s*\)", re.IGNORECASE)
KINDS = {
    "cost": re.compile(r"cost\s+(\d+)|(\d+)\s+moves?"),
    "solvable": re.compile(r"solvable"),
    "unsolvable": re.compile(r"unsolvable"),
    "fault": re.compile(r"fault\s+(\S+)"),
    "no faults": re.compile(r"no\s+faults?"),
    "valid": re.compile(r"valid\s+(\S.*)"),
    "invalid": re.compile(r"invalid\s+(\S.*)"),
}
"""The pattern of each kind of expectation, with a group for its value."""
FORMS = "cost 14, 23 moves, solvable, unsolvable, fault CODE, no faults, valid PLAN, invalid PLAN"
OF_FILES = ("fault", "no faults")
"""Kinds about a whole file, for which nothing is solved."""
FAULTS_TOLD = 5
File = str | PathLike[str]
TaskLike = Task | tuple[File, File] | Position

_STEPS_SHOWN = 40


def assert_solvable(
    subject: TaskLike, cost: int | None = None, planner: str | Planner | None = None, limits: Limits | None = None
) -> Result:
    """Assert that a planner finds a plan; if `cost` is given, that the plan has this cost."""
    __tracebackhide__ = True
    result = solve(_asked_about(subject), planner, limits=limits)
    if result.status == UNSOLVABLE:
        raise AssertionError(f"{result.planner} proved that there is no plan: {result.message}".rstrip(": "))
    if not result.solved:
        raise AssertionError(_no_answer(result))
    if cost is not None and result.cost != cost:
        raise AssertionError(f"the plan should cost {cost}, but {_plan_of(result)}")
    return result


def assert_unsolvable(subject: TaskLike, planner: str | Planner | None = None, limits: Limits | None = None) -> Result:
    """Assert that the planner proves that there is no plan."""
    __tracebackhide__ = True
    result = solve(_asked_about(subject), planner, limits=limits)
    if result.solved:
        raise AssertionError(f"there should be no plan, but {_plan_of(result)}")
    if result.status != UNSOLVABLE:
        raise AssertionError(_no_answer(result))
    return result


def assert_valid(subject: TaskLike, plan: Plan | Iterable[GroundAction] | File, cost: int | None = None) -> Validation:
    """Assert that a plan (nodes, a text or a `pathlib.Path`) is valid and, if `cost` is given, has this cost."""
    __tracebackhide__ = True
    semantics = Semantics(_task_of(subject))
    if isinstance(plan, str):
        plan = parse_plan(plan)
    elif isinstance(plan, PathLike):
        plan = read_plan(plan)
    verdict = validate(semantics, plan)
    if not verdict:
        fluents = sorted(map(str, semantics.fluents(verdict.state)))
        when = "at the end" if verdict.step is None else "before it"
        raise AssertionError(f"{verdict}\nthe state {when}: {' '.join(fluents) or 'nothing is true'}")
    if cost is not None and verdict.cost != cost:
        raise AssertionError(f"the plan is valid and should cost {cost}, but it costs {verdict.cost}")
    return verdict


def assert_same_game(
    puzzle: Position,
    pddl: Task | tuple[File, File] | File | None = None,
    *,
    max_states: int = MAX_STATES,
    seed: int = 0,
    partial: bool = False,
) -> Check:
    """Assert that a puzzle's rules and its PDDL describe the same game, in all positions reachable from a start.

    If more than `max_states` positions can be reached, only so many and random walks are compared, which fails unless
    `partial` is true. `pddl` replaces the puzzle's own: a task, the paths of domain and problem, or of a domain alone.
    """
    __tracebackhide__ = True
    if pddl is None or isinstance(pddl, Task):
        task = pddl
    else:
        domain, problem = pddl if isinstance(pddl, tuple) else (pddl, None)
        task = task_of(puzzle, str(domain), None if problem is None else str(problem))
    report = check(puzzle, task=task, max_states=max_states, seed=seed)
    if report.difference is not None:
        raise AssertionError(f"{report}\n{report.difference.picture(puzzle)}")
    if report.same is None and not partial:
        raise AssertionError(
            f"{report}; max_states={max_states} does not suffice: raise it, or accept a part with partial=True"
        )
    return report


def _task_of(subject: TaskLike) -> Task:
    found = _asked_about(subject)
    return found.task() if isinstance(found, Position) else found


def _asked_about(subject: TaskLike) -> Task | Position:
    if isinstance(subject, Task | Position):
        return subject
    if isinstance(subject, tuple) and len(subject) == 2:
        return read(*subject)
    raise TypeError(f"expected a task, a pair of paths (domain, problem) or a puzzle, not {subject!r}")


def _plan_of(result: Result) -> str:
    """Return a sentence about the cost of a planner's plan, followed by the first steps of the plan."""
    optimally = ", and none is cheaper" if result.status == SOLVED_OPTIMALLY and result.condition is None else ""
    steps = list(result.moves if result.moves is not None else map(str, result.plan or ()))
    rest = [f"... and {len(steps) - _STEPS_SHOWN} more"] if len(steps) > _STEPS_SHOWN else []
    heading = f"{result.planner} found a plan that costs {result.cost}{optimally}:"
    return "\n    ".join([heading, *steps[:_STEPS_SHOWN], *rest])


def _no_answer(result: Result) -> str:
    sentence = f"{result.planner} gave no answer ({result.status}): {result.message}".rstrip(": ")
    return f"{sentence}\n{result.log}" if result.log else sentence


# Expectations in comments:
#
#     ; expect: cost 14                 (expect: 23 moves)          the cheapest solution has this cost
#     ; expect: solvable                (expect: solvable)
#     ; expect: unsolvable              (expect: unsolvable)        proved
#     ; expect: fault unknown-type      (expect: fault CODE)        `lint` finds it in this file
#     ; expect: no faults               (expect: no faults)         `lint` finds none, no warnings either
#     ; expect: valid plan.txt          ; expect: invalid plan.txt  a file beside the problem
#
# In PDDL such an expectation is a separate line, about the problem of the file. In a game it is in a level or before
# it.
#
#     for expectation in expectations(path, text):
#         judge(path, expectation)                  a Judgement: met, not met, or None for undecided


class Expectation(Record):
    """An expectation in a comment of a file, such as `; expect: cost 14`."""

    text: str
    line: int
    kind: str
    value: str = ""


class Judgement(Record):
    """The check of an expectation: whether it is met (None if undecided), and the actual result in words."""

    met: bool | None
    said: str = ""


def expectations(path: str, text: str) -> list[Expectation]:
    """Return the expectations in the comments of a file."""
    pattern = IN_PDDL if path.lower().endswith(".pddl") else IN_GAMES
    return [_expectation(match[1], text.count("\n", 0, match.start()) + 1) for match in pattern.finditer(text)]


def _expectation(text: str, line: int) -> Expectation:
    for kind, pattern in KINDS.items():
        match = pattern.fullmatch(text.strip().lower() if kind not in ("valid", "invalid") else text.strip())
        if match:
            return Expectation(text, line, kind, next(filter(None, match.groups()), ""))
    return Expectation(text, line, "")


def judge(
    path: str, expectation: Expectation, limits: Limits | None = None, planner: str | Planner | None = None
) -> Judgement:
    """Check an expectation; the judgement is undecided after a limit, or if a planner or a file is missing."""
    if not expectation.kind:
        first = expectation.text.split()[0] if expectation.text.split() else ""
        hint = suggestion(first, [kind.split()[0] for kind in KINDS]) or f"; one can expect: {FORMS}"
        return Judgement(None, f"unknown expectation '{expectation.text}'{hint}")
    try:
        with Run(limits, "checking an expectation"):
            if expectation.kind in OF_FILES:
                return _of_faults(path, expectation)
            if expectation.kind in ("valid", "invalid"):
                return _of_plan(path, expectation)
            return _of_result(expectation, solve(_subject(path, expectation), planner))
    except ParseError as error:
        return Judgement(False, f"the file cannot be read: {error}")
    except LimitReached as reached:
        return Judgement(None, str(reached))
    except (UnpuzzleError, OSError) as error:
        return Judgement(None, str(error))


def _of_result(expectation: Expectation, result: Result) -> Judgement:
    """Check an expectation about the solution; undecided unless the planner's result proves or refutes it."""
    came = _answer(result)
    if not result.solved and result.status != UNSOLVABLE:
        return Judgement(None, came)
    if expectation.kind != "cost":
        return Judgement(result.solved == (expectation.kind == "solvable"), came)
    if not result.solved:
        return Judgement(False, came)
    cost, expected = result.cost or 0, int(expectation.value)
    if cost < expected or result.status == SOLVED_OPTIMALLY:
        return Judgement(cost == expected, came)
    return Judgement(None, f"{came}, and whether a cheaper one exists is not known")


def _answer(result: Result) -> str:
    """Return a planner's result as a sentence."""
    if result.status == UNSOLVABLE:
        return f"it is proved that there is no solution ({result.message or result.planner})"
    if not result.solved:
        return f"{result.planner} gave no answer: {result.status}{result.message and ': '}{result.message}"
    best = "the cheapest solution costs" if result.status == SOLVED_OPTIMALLY else "a solution costs"
    steps = list(result.moves or ()) or list(map(str, result.plan.steps if result.plan else ()))
    shown = " ".join(steps[:20]) + (f" ... ({count(len(steps), 'step')})" if len(steps) > 20 else "")
    return f"{best} {result.cost}: {shown}"


def _of_faults(path: str, expectation: Expectation) -> Judgement:
    """Check an expectation about the faults that `lint` finds."""
    faults = faults_of(path)
    told = [f"{fault} [{fault.code}]" for fault in faults[:FAULTS_TOLD]]
    more = [f"and {len(faults) - FAULTS_TOLD} more"] if len(faults) > FAULTS_TOLD else []
    came = "\n  ".join(["lint finds:" if faults else "lint finds no faults", *told, *more])
    if expectation.kind == "no faults":
        return Judgement(not faults, came)
    return Judgement(expectation.value in {fault.code for fault in faults}, came)


def _of_plan(path: str, expectation: Expectation) -> Judgement:
    """Check an expectation that a plan file is valid or invalid."""
    plan = os.path.join(os.path.dirname(path), expectation.value)
    if not os.path.isfile(plan):
        return Judgement(None, f"there is no plan file {plan}")
    verdict = validate(_task(path), read_plan(plan))
    came = (
        f"the plan is valid, at a cost of {verdict.cost}" if verdict.valid else f"the plan is invalid: {verdict.reason}"
    )
    return Judgement(verdict.valid == (expectation.kind == "valid"), came)


def _subject(path: str, expectation: Expectation) -> Task | Position:
    """Return the task of a problem file or the level of a game that an expectation is about."""
    game_format = format_of(path)
    if game_format is None:
        return _task(path)
    game = find(path)
    level = game_format.level_at(game, expectation.line)
    if level is None:
        raise UsageError("no level follows this comment: an expectation must be in a level or before a level")
    return game.parse(game.levels[level])


def _task(path: str) -> Task:
    problem = read_text_of(path)
    if problem.kind != PROBLEM:
        raise UsageError("this file is not a problem: for a domain, only faults can be expected")
    return read(domain_beside(path), path)


def faults_of(path: str) -> list[Fault]:
    """Return the faults that `lint` finds in a file; a problem is checked with its domain, if that is found."""
    game_format = format_of(path)
    if game_format is not None:
        return game_format.lint_text(game_format.read_text(path), path)[0]
    files = [read_text_of(path)]
    if files[0].kind == PROBLEM:
        try:
            files.append(read_text_of(domain_beside(path)))
        except UsageError:  # then names in it are not checked
            pass
    return [fault for fault in lint_files(files) if fault.file == path]
