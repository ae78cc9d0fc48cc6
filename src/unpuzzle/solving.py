"""solve(), improve(): from a puzzle or a task to checked answers. The one place that joins puzzles and planners.

Puzzle ──task()──► Task ──planner──► Plan ──validated──► decode() ──► moves ──replayed on the rules──► Result
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle import planners
from unpuzzle.errors import ParseError
from unpuzzle.puzzle import Puzzle, replay
from unpuzzle.result import ERROR, MEMOUT, SOLVED, TIMEOUT, UNSOLVABLE, Limits, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    chosen = _chosen(subject, planner)
    if on_plan is None:
        refused = _refused(subject, chosen, clock)
        if refused is not None:
            return refused
        result = planners.run(chosen, _readable(subject, chosen), limits, validate=validate, clock=clock)
        return _decoded(result, subject, limits, clock, validate)
    least = None
    for result in improve(subject, chosen, limits, validate=validate, clock=clock):
        if result.cost is not None and (least is None or result.cost < least):
            least = result.cost
            on_plan(result)
    return result


def improve(
    subject: Puzzle | Task,
    planner: str | Planner | None = None,
    limits: Limits | None = None,
    *,
    validate: bool = True,
    clock: float | None = None,
) -> Iterator[Result]:
    """Anytime planning: ever better checked results, each `solved`; the last one is the answer, as `solve` gives it.

    Where the limits end the search before the proof, the answer is the best plan, `solved`. Whoever has enough stops
    asking: nothing is searched between two results. Arguments and errors are those of `solve`; ParseError for a
    planner that gives one plan only.
    """
    clock = perf_counter() if clock is None else clock
    chosen = _chosen(subject, planner)
    refused = _refused(subject, chosen, clock)
    if refused is not None:
        yield refused
        return
    best = None
    for found in planners.improving(chosen, _readable(subject, chosen), limits, validate=validate, clock=clock):
        result = _decoded(found, subject, limits, clock, validate)
        if result.solved:
            best = result
        elif best is not None and result.status in (TIMEOUT, MEMOUT):
            result.status, result.plan, result.moves = SOLVED, best.plan, best.moves
            result.cost, result.valid = best.cost, best.valid
        yield result


def _chosen(subject: Puzzle | Task, planner: str | Planner | None) -> Planner:
    planner = default_planner() if planner is None else planner
    chosen = planners.find(planner) if isinstance(planner, str) else planner
    if not isinstance(subject, Puzzle) and chosen.reads != "task":
        raise ParseError(f"planner '{chosen.name}' reads the rules of a puzzle, not a PDDL task")
    return chosen


def _refused(subject: Puzzle | Task, planner: Planner, clock: float) -> Result | None:
    """The answer for a puzzle that is known to be unsolvable without any search."""
    if not isinstance(subject, Puzzle):
        return None
    if hasattr(planner, "require"):
        planner.require(subject)  # also where no search is needed, wrong usage is told
    reason = subject.impossible()
    if reason is None:
        return None
    seconds = {"search": 0.0, "total": perf_counter() - clock}
    return Result(UNSOLVABLE, planner.name, message=reason, seconds=seconds)


def _readable(subject: Puzzle | Task, planner: Planner) -> Puzzle | Task:
    """What the planner reads of the subject."""
    return subject.task() if isinstance(subject, Puzzle) and planner.reads == "task" else subject


def _decoded(result: Result, puzzle: Puzzle | Task, limits: Limits | None, clock: float, validate: bool) -> Result:
    """The result with the puzzle's moves; an `error` where PDDL and rules disagree about them."""
    if not isinstance(puzzle, Puzzle) or result.plan is None:
        return result
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
