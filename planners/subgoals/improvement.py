"""What may be done to a plan that was joined from stages, by name; for moves and actions alike."""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import DependencyMissing, LimitReached, ParseError
from unpuzzle.limits import Deadline
from unpuzzle.planners.subgoals.trails import shorten, without_loops
from unpuzzle.result import SOLVED_OPTIMALLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unpuzzle.pddl.nodes import Task
    from unpuzzle.planners.subgoals.trails import Trail
    from unpuzzle.puzzle.position import Position
    from unpuzzle.result import Result

IMPROVEMENTS = ("shorten", "loop-free", "windows")
TIME_FOR_WINDOWS = 0.8
"""The part of the time left that windows may take: the plan is to be validated afterwards."""


def check(improvement: str | None, planner: str) -> None:
    """Raises ParseError for an unknown improvement, DependencyMissing where windows want the compiled core."""
    if improvement not in (None, *IMPROVEMENTS):
        from unpuzzle.words import suggestion

        hint = suggestion(improvement, IMPROVEMENTS) or f"; known are {', '.join(IMPROVEMENTS)}"
        raise ParseError(f"{planner}: unknown improvement '{improvement}'{hint}")
    if improvement == "windows":
        from unpuzzle.planners import native

        if (absent := native.missing()) is not None:
            raise DependencyMissing(f"{planner} with windows: {absent}", dependency="native")


def improve(
    result: Result,
    trail: Trail,
    improvement: str | None,
    subject: Position | Task,
    budget: int | None,
    watch: Deadline,
) -> tuple[Any, ...]:
    """The steps of a trail, improved as the name says; `details`, `seconds` and status of the result tell of it.

    Args:
        result: of the search that found the trail.
        trail: see there.
        improvement: one of `IMPROVEMENTS`, or None.
        subject: the trail is one of it.
        budget: for windows; see there.
        watch: over the whole run.
    """
    start = perf_counter()
    steps = {None: trail, "shorten": shorten(trail), "loop-free": without_loops(trail)}
    result.details |= {"shortened": len(steps["shorten"].steps), "loop_free": len(steps["loop-free"].steps)}
    best = steps.get(improvement, steps["loop-free"])
    found = _windowed(result, best, subject, budget, watch) if improvement == "windows" else best.steps
    result.seconds["improve"] = perf_counter() - start
    return found


def _windowed(
    result: Result, trail: Trail, subject: Position | Task, budget: int | None, watch: Deadline
) -> tuple[Any, ...]:
    from unpuzzle.planners.subgoals.windows import BUDGET, Windowed, optimise

    better = Windowed(trail.steps, optimal=False, windows=0, expanded=0)
    left = watch.time_left()
    own = Deadline(watch.limits.lasting(None if left is None else left * TIME_FOR_WINDOWS), "optimising windows")
    if result.status != SOLVED_OPTIMALLY:
        try:
            better = optimise(subject, trail, budget=BUDGET if budget is None else budget, watch=own)
        except (LimitReached, MemoryError):
            pass  # while grounding: the plan stays as it is
    result.details |= {
        "windowed": len(better.steps),
        "windows": better.windows,
        "window_states": better.expanded,
    }
    if better.optimal:
        result.status = SOLVED_OPTIMALLY
    return better.steps
