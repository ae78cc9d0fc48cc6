"""What may be done to a plan that was joined from stages, by name; for moves and actions alike."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import Any

from unpuzzle.errors import DependencyMissing, LimitReached, UsageError
from unpuzzle.limits import Deadline
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.subgoals.trails import Trail, shorten, without_loops
from unpuzzle.puzzle.position import Position
from unpuzzle.result import SOLVED_OPTIMALLY, Result
from unpuzzle.words import suggestion

IMPROVEMENTS = ("shorten", "loop-free", "windows")
TIME_FOR_WINDOWS = 0.8
"""The part of the time left that windows may take: the plan is to be validated afterwards."""


def check(improvement: str | None, planner: str) -> None:
    """Raise UsageError for an unknown improvement, DependencyMissing where windows want the compiled core."""
    if improvement not in (None, *IMPROVEMENTS):
        hint = suggestion(improvement, IMPROVEMENTS) or f"; known are {', '.join(IMPROVEMENTS)}"
        raise UsageError(f"{planner}: unknown improvement '{improvement}'{hint}")
    if improvement == "windows":
        from unpuzzle.planners import native

        if absent := native.missing():
            raise DependencyMissing(f"{planner} with windows: {absent}", dependency="native")


def improve(
    result: Result,
    trail: Trail,
    improvement: str | None,
    subject: Position | Task,
    budget: int | None,
    watch: Deadline,
) -> tuple[Result, tuple[Any, ...]]:
    """Return the result with details of the improvement that was asked for, and the improved steps of the trail.

    Args:
        result: the result of the search that found the trail, a plan for `subject`.
        improvement: one of `IMPROVEMENTS`, or None.
        budget: the number of states for windows; None is the usual one.
    """
    start = perf_counter()
    trails = {None: trail, "shorten": shorten(trail), "loop-free": without_loops(trail)}
    details = {"shortened": len(trails["shorten"].steps), "loop_free": len(trails["loop-free"].steps)}
    best = trails.get(improvement, trails["loop-free"])
    steps = best.steps
    if improvement == "windows":
        from unpuzzle.planners.subgoals.windows import BUDGET, Windowed, optimise

        better, left = Windowed(steps), watch.time_left()
        own = Deadline(watch.limits.lasting(None if left is None else left * TIME_FOR_WINDOWS), "optimising windows")
        if result.status != SOLVED_OPTIMALLY:
            with suppress(LimitReached, MemoryError):  # while the task is grounded
                better = optimise(subject, best, budget=BUDGET if budget is None else budget, watch=own)
        steps = better.steps
        details |= {"windowed": len(steps), "windows": better.windows, "window_states": better.expanded}
        result = result.replace(status=SOLVED_OPTIMALLY) if better.optimal else result
    return result.replace(details={**result.details, **details}).lasting(improve=perf_counter() - start), steps
