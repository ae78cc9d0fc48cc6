"""unpuzzle.planners: a task, rules or constraints in, a result out.

A planner is named `FAMILY` or `FAMILY:CONFIGURATION`. A family is a module of this package with two functions:

    make(config: str | None) -> Planner     ParseError if the configuration is not one of the family's
    missing() -> str | None                 None if it can run here, else a sentence that says how to get it

`run` is the one way in: it finds the planner, runs it within the limits, and lets the reference semantics (or, for
planners on the rules, the rules) judge what came back. An invalid plan is an `error`, never an answer.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import ParseError, PlannerFailed, UnsupportedFeature
from unpuzzle.result import ERROR, TIMEOUT, UNSUPPORTED, Limits, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol, TypeVar

    from unpuzzle.pddl.nodes import Task
    from unpuzzle.puzzle import Puzzle

    R = TypeVar("R")

    class Planner(Protocol):
        """What all planners offer. `reads` is "task" (a `pddl.Task`) or "rules" (a `Puzzle`).

        An anytime planner also has `improving(subject, limits) -> Iterator[Result]`: ever better plans, `intermediate`,
        and then the last word. One on the rules may have `require(puzzle)`, which raises ParseError where it does not
        fit, before anything runs.
        """

        name: str
        reads: str

        def solve(self, subject: Any, limits: Limits) -> Result:
            """A result whose plan has not been validated yet."""


FAMILIES = {
    "native": "native",
    "reference": "reference",
    "fast-downward": "fast_downward",
    "command": "command",
    "up": "up",
    "rules": "rules",
    "subgoals": "subgoals",
}
"""Family name → module."""

DEFAULT = "native"


def usage(family: str) -> str:
    """The family's name with what may follow it, e.g. `native[:auto|blind|bfs]`."""
    configurations: str = _family(family).CONFIGURATIONS_HELP
    return f"{family}{configurations}"


def _family(name: str) -> Any:
    from importlib import import_module

    module = FAMILIES.get(name)
    if module is None:
        from difflib import get_close_matches

        near = get_close_matches(name, FAMILIES, 1)
        hint = f", did you mean '{near[0]}'?" if near else f"; known are {', '.join(FAMILIES)}"
        raise ParseError(f"unknown planner '{name}'{hint}")
    return import_module(f"{__name__}.{module}")


def find(name: str) -> Planner:
    """The planner of a name such as `native`, `native:bfs` or `fast-downward:lama-first`.

    Raises ParseError for an unknown name or configuration.
    """
    family, colon, config = name.partition(":")
    planner: Planner = _family(family).make(config if colon else None)
    return planner


def missing(name: str) -> str | None:
    """None if a planner (of this name or family) can run here, else a sentence that says how to get it."""
    answer: str | None = _family(name.partition(":")[0]).missing()
    return answer


def run(
    planner: str | Planner,
    subject: Task | Puzzle,
    limits: Limits | None = None,
    *,
    validate: bool = True,
    clock: float | None = None,
) -> Result:
    """The validated answer of a planner.

    Args:
        planner: a name, or a planner made by `find`.
        subject: a task, or for planners that read the rules a puzzle.
        limits: time counts from `clock` (a `time.perf_counter()` value; now, if None) to the validated answer.
        validate: False leaves the plan unjudged (`valid` None) and its cost as the planner claims it.

    Raises PlannerMissing if the planner is not installed here. Never raises for what the planner does: a crash is the
    status `error`, with the log.
    """
    chosen = find(planner) if isinstance(planner, str) else planner
    limits = Limits() if limits is None else limits
    start = perf_counter() if clock is None else clock
    remaining = _remaining(limits, start)
    if remaining is None:
        return _late(chosen, start)
    result = _guarded(chosen, lambda: chosen.solve(subject, remaining))
    return _accepted(result, subject, chosen.reads, limits, validate, start)


def improving(
    planner: str | Planner,
    subject: Task | Puzzle,
    limits: Limits | None = None,
    *,
    validate: bool = True,
    clock: float | None = None,
) -> Iterator[Result]:
    """Anytime planning: ever better validated plans, `intermediate`; the last result is what `run` gives.

    Arguments and errors are those of `run`; ParseError for a planner that gives one plan only.
    """
    chosen = find(planner) if isinstance(planner, str) else planner
    plans: Callable[[Any, Limits], Iterator[Result]] | None = getattr(chosen, "improving", None)
    if plans is None:
        raise ParseError(f"planner '{chosen.name}' gives one plan only: anytime planning needs the native planner")
    limits = Limits() if limits is None else limits
    start = perf_counter() if clock is None else clock
    remaining = _remaining(limits, start)
    if remaining is None:
        yield _late(chosen, start)
        return
    results = plans(subject, remaining)
    while (raw := _guarded(chosen, lambda: next(results, None))) is not None:
        yield _accepted(raw, subject, chosen.reads, limits, validate, start)


def _remaining(limits: Limits, start: float) -> Limits | None:
    """The limits less the time that is gone since the start; None if all of it is."""
    if limits.time is None:
        return limits
    left = limits.time - (perf_counter() - start)
    return Limits(left, limits.memory) if left > 0 else None


def _late(planner: Planner, start: float) -> Result:
    return _timed(Result(TIMEOUT, planner.name, message="the time limit was reached before planning"), start)


def _guarded(planner: Planner, ask: Callable[[], R]) -> R | Result:
    """What the planner says; what it raises, as a result."""
    try:
        return ask()
    except UnsupportedFeature as error:
        return Result(UNSUPPORTED, planner.name, message=str(error))
    except PlannerFailed as error:
        return Result(ERROR, planner.name, message=str(error), log=error.log)


def _accepted(result: Result, subject: Any, reads: str, limits: Limits, validate: bool, start: float) -> Result:
    if validate and result.solved:
        began = perf_counter()
        result = judged(result, subject, reads)
        result.seconds["validate"] = perf_counter() - began
        if limits.time is not None and result.solved and perf_counter() - start > limits.time:
            # An answer after the limit is no answer, whichever phase took the time.
            result = _without_plan(result, TIMEOUT, "the time limit was reached while the plan was validated")
    return _timed(result, start)


def _timed(result: Result, start: float) -> Result:
    result.seconds.setdefault("search", 0.0)
    result.seconds["total"] = perf_counter() - start
    return result


def judged(result: Result, subject: Any, reads: str) -> Result:
    """The result with its plan validated and its cost recomputed; an `error` if the plan is wrong."""
    if reads == "rules":
        verdict: Callable[[Result, Any], tuple[int | None, str]] = _replayed
    else:
        verdict = _validated
    cost, reason = verdict(result, subject)
    if cost is None:
        return _without_plan(result, ERROR, f"{result.planner} answered with an invalid plan: {reason}")
    if result.cost is not None and result.cost != cost:
        return _without_plan(result, ERROR, f"{result.planner} claims cost {result.cost}, its plan costs {cost}")
    result.cost, result.valid = cost, True
    return result


def _validated(result: Result, task: Task) -> tuple[int | None, str]:
    from unpuzzle.pddl.validation import validate

    assert result.plan is not None
    verdict = validate(task, result.plan)
    return (verdict.cost if verdict.valid else None), verdict.reason


def _replayed(result: Result, puzzle: Puzzle) -> tuple[int | None, str]:
    from unpuzzle.puzzle import replay

    assert result.moves is not None
    verdict = replay(puzzle, result.moves)
    return (verdict.cost if verdict.solved else None), verdict.reason


def _without_plan(result: Result, status: str, message: str) -> Result:
    log = result.log
    if result.plan is not None and status == ERROR:
        log = f"{log}\n; the plan\n" + "\n".join(str(step) for step in result.plan)
    return Result(
        status,
        result.planner,
        valid=False if status == ERROR else None,
        expanded=result.expanded,
        evaluated=result.evaluated,
        generated=result.generated,
        frontier=result.frontier,
        seconds=result.seconds,
        peak_memory=result.peak_memory,
        message=message,
        log=log,
        details=result.details,
    )
