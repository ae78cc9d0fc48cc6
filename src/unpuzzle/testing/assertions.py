"""Assertions that a task is (un)solvable, that a plan is valid, or that a puzzle's rules and PDDL are the same game.

    def test_my_domain():
        assert_solvable(("domain.pddl", "easy.pddl"), cost=5)
        assert_unsolvable(("domain.pddl", "walled.pddl"))
        assert_valid(("domain.pddl", "easy.pddl"), "(push a b) (push b c)")
        assert_same_game(Boxup.parse(LEVEL), "my-boxup-domain.pddl")

They take a `pddl.Task`, the paths of domain and problem, or a position; each raises AssertionError or returns its
result.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike

from unpuzzle.base.defaults import COMPARED_STATES as MAX_STATES
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import Limits
from unpuzzle.checking.report import Check
from unpuzzle.checking.side_by_side import check, task_of
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.plans import parse_plan, read_plan
from unpuzzle.pddl.reading.reader import read
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.validation import Validation, validate
from unpuzzle.planning.planner import Planner
from unpuzzle.planning.result import Result
from unpuzzle.puzzle.position import Position
from unpuzzle.solving import solve

File = str | PathLike[str]
TaskLike = Task | tuple[File, File] | Position

_STEPS_SHOWN = 40


def assert_solvable(
    subject: TaskLike, cost: int | None = None, planner: str | Planner | None = None, limits: Limits | None = None
) -> Result:
    """Assert that a plan exists and, if `cost` is given, that the planner finds a plan of that cost."""
    __tracebackhide__ = True
    result = solve(_subject(subject), planner, limits=limits)
    if result.status == UNSOLVABLE:
        raise AssertionError(f"{result.planner} proved that there is no plan: {result.message}".rstrip(": "))
    if not result.solved:
        raise AssertionError(_no_answer(result))
    if cost is not None and result.cost != cost:
        raise AssertionError(f"the plan should cost {cost}, but {_plan_of(result)}")
    return result


def assert_unsolvable(subject: TaskLike, planner: str | Planner | None = None, limits: Limits | None = None) -> Result:
    """Assert that the planner proves that there is no plan; finding no plan is not enough."""
    __tracebackhide__ = True
    result = solve(_subject(subject), planner, limits=limits)
    if result.solved:
        raise AssertionError(f"there should be no plan, but {_plan_of(result)}")
    if result.status != UNSOLVABLE:
        raise AssertionError(_no_answer(result))
    return result


def assert_valid(subject: TaskLike, plan: Plan | Iterable[GroundAction] | File, cost: int | None = None) -> Validation:
    """Assert that a plan (nodes, a text, or a `pathlib.Path`) solves the task, at the given cost, if any."""
    __tracebackhide__ = True
    semantics = Semantics(_task(subject))
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
    """Assert that a puzzle's rules and its PDDL describe the same game from this position on.

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
        raise AssertionError(f"{report}; max_states={max_states} does not suffice, and partial=True was not asked for")
    return report


def _task(subject: TaskLike) -> Task:
    found = _subject(subject)
    return found.task() if isinstance(found, Position) else found


def _subject(subject: TaskLike) -> Task | Position:
    if isinstance(subject, Task | Position):
        return subject
    if isinstance(subject, tuple) and len(subject) == 2:
        return read(*subject)
    raise TypeError(f"expected a task, a pair of paths (domain, problem) or a puzzle, not {subject!r}")


def _plan_of(result: Result) -> str:
    """Return a sentence about a planner's plan, followed by the plan's steps."""
    optimally = ", and none is cheaper" if result.status == SOLVED_OPTIMALLY and result.condition is None else ""
    steps = list(result.moves if result.moves is not None else map(str, result.plan or ()))
    rest = [f"... and {len(steps) - _STEPS_SHOWN} more"] if len(steps) > _STEPS_SHOWN else []
    heading = f"{result.planner} found a plan that costs {result.cost}{optimally}:"
    return "\n    ".join([heading, *steps[:_STEPS_SHOWN], *rest])


def _no_answer(result: Result) -> str:
    sentence = f"{result.planner} gave no answer ({result.status}): {result.message}".rstrip(": ")
    return f"{sentence}\n{result.log}" if result.log else sentence
