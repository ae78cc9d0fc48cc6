"""solve(): from a puzzle or a task to a checked answer. The one place that joins puzzles and planners.

Puzzle ──task()──► Task ──planner──► Plan ──validated──► decode() ──► moves ──replayed on the rules──► Result
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle import planners
from unpuzzle.errors import ParseError
from unpuzzle.puzzle import Puzzle, replay
from unpuzzle.result import ERROR, TIMEOUT, UNSOLVABLE, Limits, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from unpuzzle.pddl.nodes import Task
    from unpuzzle.planners import Planner


def default_planner() -> str:
    """`native`, or `reference` where the native core was not compiled."""
    return planners.DEFAULT if planners.missing(planners.DEFAULT) is None else "reference"


def solve(
    subject: Puzzle | Task,
    planner: str | Planner | None = None,
    limits: Limits | None = None,
    *,
    validate: bool = True,
    clock: float | None = None,
    on_plan: Callable[[Result], None] | None = None,
) -> Result:
    """The best answer of a planner for a puzzle's position or a PDDL task.

    Args:
        subject: a position, or a task.
        planner: a name such as `native`, `fast-downward` or `rules:bfs`; None is the default planner.
        limits: of time, counted from `clock` (a `time.perf_counter()` value; now, if None), and of memory.
        validate: False skips the validation of the plan and the replay of the moves; `valid` is then None.
        on_plan: anytime planning: called with a checked Result for each better plan, the first of them soon.

    Raises ParseError for an unknown planner, or one that cannot read the subject; PlannerMissing for one not installed.
    """
    clock = perf_counter() if clock is None else clock
    planner = default_planner() if planner is None else planner
    chosen = planners.find(planner) if isinstance(planner, str) else planner
    if on_plan is not None and not hasattr(chosen, "on_plan"):
        raise ParseError(f"planner '{chosen.name}' gives one plan only: anytime planning needs the native planner")
    if not isinstance(subject, Puzzle):
        if chosen.reads != "task":
            raise ParseError(f"planner '{chosen.name}' reads the rules of a puzzle, not a PDDL task")
        if on_plan is not None:
            _listen(chosen, subject, None, on_plan, clock)
        return planners.run(chosen, subject, limits, validate=validate, clock=clock)
    reason = subject.impossible()
    if reason is not None:
        seconds = {"search": 0.0, "total": perf_counter() - clock}
        return Result(UNSOLVABLE, chosen.name, message=reason, seconds=seconds)
    if chosen.reads == "rules":
        return planners.run(chosen, subject, limits, validate=validate, clock=clock)
    task = subject.task()
    if on_plan is not None:
        _listen(chosen, task, subject, on_plan, clock)
    result = planners.run(chosen, task, limits, validate=validate, clock=clock)
    return _decoded(result, subject, limits, clock, validate) if result.plan is not None else result


def _listen(planner: Any, task: Task, puzzle: Puzzle | None, on_plan: Callable[[Result], None], clock: float) -> None:
    """Let a planner tell of its plans, each checked before it is passed on."""

    def check(result: Result) -> None:
        result = planners.judged(result, task, "task")
        if puzzle is not None and result.plan is not None:
            result = _decoded(result, puzzle, None, clock, True)
        result.seconds["total"] = perf_counter() - clock
        if result.solved:
            on_plan(result)

    planner.on_plan = check


def _decoded(result: Result, puzzle: Puzzle, limits: Limits | None, clock: float, validate: bool) -> Result:
    """The result with the puzzle's moves; an `error` where PDDL and rules disagree about them."""
    assert result.plan is not None
    moves = tuple([puzzle.decode(action) for action in result.plan])
    result.moves = moves
    if validate:
        verdict = replay(puzzle, moves)
        if not verdict.solved or verdict.cost != result.cost:
            result.status, result.valid = ERROR, False
            said = verdict.reason or f"the moves cost {verdict.cost}, the plan costs {result.cost}"
            result.message = f"the PDDL is not the game: {said} (moves {' '.join(moves)}); `check` finds the difference"
    result.seconds["total"] = perf_counter() - clock
    if limits is not None and limits.time is not None and result.seconds["total"] > limits.time:
        result.status, result.plan, result.moves, result.cost, result.valid = TIMEOUT, None, None, None, None
        result.message = "the time limit was reached while the moves were replayed"
    return result
