"""Running a planner: within limits, and with its answer judged before anybody sees it.

`run` finds the planner, runs it within the limits, and lets the reference semantics (or, for planners on the rules, the
rules) judge what came back. An invalid plan is an `error`, never an answer.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import LimitReached, PlannerFailed, UnsupportedFeature
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl.nodes import Task
from unpuzzle.planning.acceptance import accepted, timed
from unpuzzle.planning.planner import Planner
from unpuzzle.planning.registry import find
from unpuzzle.result import ERROR, TIMEOUT, UNSUPPORTED, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from unpuzzle.planning.acceptance import Finish
    from unpuzzle.puzzle.position import Position

    R = TypeVar("R")

COSTS = "unpuzzle.planners.undefined_costs"
"""The module that refuses tasks with undefined costs, by our own grounding."""


def run(
    planner: str | Planner,
    subject: Task | Position,
    limits: Limits | Deadline | None = None,
    *,
    validate: bool = True,
    clock: float | None = None,
    finish: Finish | None = None,
) -> Result:
    """The validated answer of a planner.

    Args:
        planner: a name, or a planner made by `find`.
        subject: a task, or for planners that read the rules a puzzle.
        limits: time counts from `clock` (a `time.perf_counter()` value; now, if None) to the validated answer; or the
            deadline of a run of which this is a part.
        validate: False leaves the plan unjudged (`valid` None); its cost is still that of its steps.
        finish: what is still to be done with a solved result, within the time limit; see `acceptance`.

    Raises DependencyMissing if the planner is not installed here, ParseError for a task with undefined costs. Never
    raises for what the planner does: a crash is the status `error`, with the log.
    """
    chosen = find(planner) if isinstance(planner, str) else planner
    deadline, start = begun(limits, clock), perf_counter() if clock is None else clock
    if not chosen.grounds and isinstance(subject, Task):
        from importlib import import_module

        try:
            import_module(COSTS).require_costs(subject, deadline)
        except LimitReached as reached:
            return timed(Result(reached.status, chosen.name, message=str(reached)), start)
    if deadline.over():
        return _late(chosen, start)
    result = _guarded(chosen, lambda: chosen.solve(subject, deadline.limits))
    return accepted(result, subject, deadline, start, validate=validate, finish=finish, blame=chosen.blame)


def improving(
    planner: str | Planner,
    subject: Task | Position,
    limits: Limits | Deadline | None = None,
    *,
    validate: bool = True,
    clock: float | None = None,
    finish: Finish | None = None,
) -> Iterator[Result]:
    """Anytime planning: ever better validated plans, `intermediate`; the last result is what `run` gives.

    Arguments and errors are those of `run`; ParseError for a planner that gives one plan only.
    """
    chosen = find(planner) if isinstance(planner, str) else planner
    if not chosen.improves:
        chosen.improving(subject, Limits())  # raises ParseError, with the reason
    deadline, start = begun(limits, clock), perf_counter() if clock is None else clock
    if deadline.over():
        yield _late(chosen, start)
        return
    results = chosen.improving(subject, deadline.limits)
    while (raw := _guarded(chosen, lambda: next(results, None))) is not None:
        yield accepted(raw, subject, deadline, start, validate=validate, finish=finish, blame=chosen.blame)


def begun(limits: Limits | Deadline | None, start: float | None) -> Deadline:
    """Return the deadline of a run that began at a `perf_counter()` value (None: now), or the one that it has."""
    if isinstance(limits, Deadline):
        return limits
    if limits is not None and start is not None:
        limits = limits.after(perf_counter() - start)
    return Deadline(limits, "planning")


def _late(planner: Planner, start: float) -> Result:
    return timed(Result(TIMEOUT, planner.name, message="the time limit was reached before planning"), start)


def _guarded(planner: Planner, ask: Callable[[], R]) -> R | Result:
    """What the planner says; what it raises, as a result."""
    try:
        return ask()
    except UnsupportedFeature as error:
        return Result(UNSUPPORTED, planner.name, message=str(error))
    except LimitReached as reached:
        return Result(reached.status, planner.name, message=str(reached))
    except PlannerFailed as error:
        return Result(ERROR, planner.name, message=str(error), log=error.log)
