"""The output of planning programs as results: the best plan, and checks of claims that there is no plan."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from unpuzzle.base.errors import GAVE_UP, UNSOLVABLE, DependencyMissing, LimitReached, ParseError, UnsupportedFeature
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.pddl.plans import parse_plan
from unpuzzle.planning import registry
from unpuzzle.planning.planner import SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.processes.program import ProgramEnd

END = "; cost"
"""The beginning of the last line of a plan."""
MOST_STATES = 100_000
"""The most states that are expanded for a confirmation."""


def result_of(end: ProgramEnd, status: str, planner: str, start: float, **values: Any) -> Result:
    """Return a planner's result with its program's time, memory, log; the planner began at `start` (`monotonic()`)."""
    seconds = {"search": end.seconds, **values.pop("seconds", {}), "total": time.monotonic() - start}
    return Result(status, planner, seconds=seconds, peak_memory=end.peak_memory or None, log=end.log, **values)


def best_plan(
    texts: Mapping[str, str], cost_of: Callable[[Plan], int | None] | None = None, *, cut: bool = False
) -> tuple[Plan | None, str]:
    """Return the best readable plan or None, and the fault of the last unreadable plan.

    Several plans end in numbers (`plan.1`, `plan.2`, ...). The best is the last one of least cost, by `cost_of`, which
    returns None for an invalid plan; without it, or if none is valid, the last one. A program that is `cut` off while
    writing leaves half a plan, so those without a cost, which ends a plan, have to be valid. A blank file is no plan:
    many programs create it before they search. (The empty plan has at least a comment.) The
    best one until a limit counts. Raises LimitReached if there is none.
    """

    def number(name: str) -> int:
        digits = name.rpartition(".")[2]
        return int(digits) if digits.isdecimal() else -1

    names = [name for name in sorted(texts, key=number, reverse=True) if texts[name].strip()]
    best = last = least = None
    fault = ""
    try:
        for name in names:
            try:
                plan = parse_plan(texts[name], name)
                if last is None and (not cut or END in texts[name]):
                    last = plan
                    if cost_of is None or len(names) == 1:  # the caller judges it
                        break
                cost = cost_of(plan) if cost_of else None
                if cost is not None and (least is None or cost < least):
                    best, least = plan, cost
            except ParseError as error:
                fault = fault or str(error).partition("\n")[0]  # the first line only
            except UnsupportedFeature:
                continue  # as above
    except LimitReached:
        if best is None and last is None:
            raise
    return last if best is None else best, fault


def judged(task: Task, said: str) -> tuple[str, str]:
    """Try to prove that a task has no plan, as a program claims (`said`); return a status and a sentence.

    Relaxed reachability is tried first, then blind search, within the limits of the current run.
    """
    found = "did not confirm it"
    try:
        result = registry.find("native:blind").solve(task, SearchOptions(max_expanded=MOST_STATES))
        if result.status == UNSOLVABLE:
            return UNSOLVABLE, f"{said}; our own search proved that there is none"
        found = found if result.plan is None else "found one"
    except (DependencyMissing, UnsupportedFeature):
        found = "is not possible here"
    return GAVE_UP, f"{said}, which alone proves nothing; our own search {found}"
