"""Run a planner within limits; the result is checked (`acceptance.py`) before it is returned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from unpuzzle.base.errors import LimitReached, PlannerFailed, UnsupportedFeature
from unpuzzle.base.limits import Limits
from unpuzzle.base.outcomes import ERROR, LIMITS, SOLVED, UNSUPPORTED
from unpuzzle.base.run import ROOT, Run, current, grace, phase
from unpuzzle.base.type_hints import TypeVar
from unpuzzle.pddl.nodes import Task
from unpuzzle.planning.acceptance import accept, timed
from unpuzzle.planning.planner import MOVES, USUAL, Planner, SearchOptions
from unpuzzle.planning.registry import find
from unpuzzle.planning.result import Result
from unpuzzle.planning.walking import walker_of, weigh
from unpuzzle.puzzle.position import Position
from unpuzzle.table import load

R = TypeVar("R")
FOUND = "found"
"""The phase with the time at which a planner found a plan that it reports later."""
CLOCKS = 0.005
"""Seconds by which the clocks of a system may differ, such as the one of files."""


def run(
    planner: str | Planner,
    subject: Task | Position,
    *,
    limits: Limits | None = None,
    options: SearchOptions = USUAL,
) -> Result:
    """Return the validated result of a planner for a task or for a position; positions are solved by the rules.

    Raises DependencyMissing if the planner is not installed here, ParseError for a task with undefined costs. Never
    raises for faults of the planner: a crash is the status `error`, with the log.
    """
    start = perf_counter()
    with begin(limits, start):
        *_, last = results(find(planner, getattr(subject, "game", None)), subject, options, start)
    return last


def results(
    planner: Planner,
    subject: Task | Position,
    options: SearchOptions,
    start: float,
    validate: bool = True,
    position: Position | None = None,
    *,
    anytime: bool = False,
) -> Iterator[Result]:
    """Yield the validated answer of a planner; if `anytime`, first better and better plans as `intermediate` results.

    If a limit ends the planner, the last result is `solved`, with the best plan so far. The `total` of each result's
    seconds is the time from `start` (a `perf_counter()` value) until that plan.

    Args:
        subject: the planner's input: a task or a position.
        validate: False leaves plans unjudged (`valid` None); their cost is still computed from their steps.
        position: the position whose task the subject is, if moves are wanted.

    Raises as `run`; UsageError if `anytime` is asked of a planner that gives only one plan.
    """

    def accepted(raw: Result) -> Result:
        return accept(raw, subject, start, validate=validate, position=position, blame=planner.blame)

    refusal = _guarded(planner, lambda: _require_sense(planner, subject, options))
    if refusal is not None:
        yield timed(refusal.replace(objective=options.objective), start)
    elif anytime or planner.goes_on:  # a plan that it found and that was judged in time is not lost when time is up
        yield from _improving(planner, subject, options, start, accepted)
    else:
        result = _guarded(planner, lambda: planner.solve(subject, options))
        yield accepted(result.replace(objective=options.objective))


def _improving(
    planner: Planner,
    subject: Task | Position,
    options: SearchOptions,
    start: float,
    accepted: Callable[[Result], Result],
) -> Iterator[Result]:
    began, plans = perf_counter() - start, planner.improving(subject, options)
    best = None
    while (raw := _guarded(planner, lambda: next(plans, None))) is not None:
        raw = raw.replace(objective=options.objective)
        if best is not None and _is_plan_of(raw, best) and not current().over():
            raw = raw.lasting(validate=best.seconds.get("validate", 0.0))  # it was judged when it came
            result = timed(_with_answer(raw, best), start)
        else:
            with grace() if _came_in_time(raw, start + began) else phase("planning"):
                result = accepted(raw)
        if result.solved and (best is None or not _is_worse(result, best)):
            best = result
        elif result.status == SOLVED and best is not None and not result.intermediate:
            result = _with_answer(result, best)  # a planner's last plan need not be its best
        elif best is not None and result.status in LIMITS:
            message = f"the best plan so far; then {result.message}"
            result = _with_answer(result, best).replace(status=SOLVED, message=message)
        yield result.lasting(total=began + raw.seconds[FOUND]) if FOUND in raw.seconds else result


def _require_sense(planner: Planner, subject: Task | Position, options: SearchOptions) -> None:
    """Raise an error for what planners do not check: undefined costs, no time left, unsupported objectives."""
    if not planner.grounds and isinstance(subject, Task):
        load("costs", "refuse undefined")(subject)  # by our own grounding
    current().interrupt()
    if current().over():
        raise LimitReached("timeout", "the time limit was reached before planning")
    require_objective(planner, subject, options.objective)


def _is_plan_of(raw: Result, best: Result) -> bool:
    """Return whether a new result has the same plan as `best`, which was validated before."""
    return raw.solved and raw.cost is None and raw.plan is not None and raw.plan == best.plan


def _is_worse(result: Result, best: Result) -> bool:
    """Return whether a result is worse than an earlier result, measured by the objective."""
    costs = [(each.cost, each.pushes or 0) for each in (result, best) if each.cost is not None]
    return len(costs) == 2 and weigh(result.objective, *costs[0]) > weigh(best.objective, *costs[1])


def _came_in_time(raw: Result, began: float) -> bool:
    """Return whether a plan was found within the time limit, even if the planner reported it later."""
    if not raw.intermediate or FOUND not in raw.seconds:
        return False
    end = current().end
    return end is None or began + raw.seconds[FOUND] <= end + CLOCKS


def _with_answer(result: Result, best: Result) -> Result:
    """Return a result with the plan of another result, and with what was validated about this plan."""
    answer = {"plan": best.plan, "moves": best.moves, "cost": best.cost, "pushes": best.pushes, "valid": best.valid}
    return result.replace(**answer)


def begin(limits: Limits | None, start: float | None) -> Run:
    """Return a run with limits; its time counts from a `perf_counter()` value, or from now if that is None."""
    if isinstance(limits, Limits) and start is not None:
        limits = limits.after(perf_counter() - start)
    return Run(Limits() if limits is None and current() is ROOT else limits, "planning")


def require_objective(planner: Planner, subject: Task | Position, objective: str) -> None:
    """Raise UnsupportedFeature if the planner does not support an objective, or if there is no walker."""
    if objective == MOVES:
        return
    if objective not in planner.objectives:
        own = not isinstance(subject, Task) and subject.game.planner
        able = f"{own} and rules:ucs can" if own else "native, reference and rules:ucs can"
        message = f"planner '{planner.name}' cannot minimize '{objective}': {able}"
        raise UnsupportedFeature(message, feature="objectives")

    if walker_of(subject) is None:
        message = f"the objective '{objective}' needs a walker: a thing that is proved to move "
        message += "and return without any other change, and there is none here"
        raise UnsupportedFeature(message, feature="objectives")


def _guarded(planner: Planner, ask: Callable[[], R]) -> R | Result:
    """Return the planner's answer; a limit, an unsupported feature or a failure becomes a result."""
    try:
        return ask()
    except UnsupportedFeature as error:
        return Result(UNSUPPORTED, planner.name, message=str(error))
    except LimitReached as reached:
        return Result(reached.status, planner.name, message=str(reached))
    except PlannerFailed as error:
        return Result(ERROR, planner.name, message=str(error), log=error.log)
