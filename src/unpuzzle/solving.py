"""solve(), improve(): from a puzzle or a task to checked answers. The one place that joins puzzles and planners.

Position ──task()──► Task ──planner──► Plan ──validated──► decode() ──► moves ──replayed on the rules──► Result
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import LimitReached, ParseError, UsageError
from unpuzzle.planning import registry, running
from unpuzzle.planning.acceptance import VALIDATING, timed
from unpuzzle.planning.planner import CONSTRAINTS, OWN, RULES, SCRIPT, TASK
from unpuzzle.planning.watch import Within
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import decoded_moves, require_solution
from unpuzzle.result import MEMOUT, SOLVED, TIMEOUT, UNSOLVABLE, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unpuzzle.limits import Deadline, Limits
    from unpuzzle.pddl.nodes import Task
    from unpuzzle.planning.planner import Planner
    from unpuzzle.puzzlescript.compiling.compiled import Compiled
    from unpuzzle.puzzlescript.playing.engine import Engine


def default_planner(subject: Position | Task | None = None) -> str:
    """`native`, or `reference` where the native core was not compiled; for some games, the one that they name.

    Games whose rules the core runs are then searched by these in Python.
    """
    if isinstance(subject, Position) and subject.game.planner:
        return subject.game.planner
    if registry.missing(registry.DEFAULT) is None:
        return registry.DEFAULT
    return "rules:bfs" if isinstance(subject, Position) and _has(subject, SCRIPT) else "reference"


def solve(
    subject: Position | Task,
    planner: str | Planner | None = None,
    limits: Limits | Deadline | None = None,
    *,
    validate: bool = True,
    clock: float | None = None,
    on_plan: Callable[[Result], None] | None = None,
) -> Result:
    """The best answer of a planner for a puzzle's position or a PDDL task.

    Args:
        subject: a position, or a task.
        planner: a name such as `native`, `fast-downward` or `rules:bfs`; None is the default planner.
        limits: of time, counted from `clock` (a `time.perf_counter()` value; now, if None), and of memory; or the
            deadline of a run of which this is a part.
        validate: False skips the validation of the plan and the replay of the moves; `valid` is then None.
        on_plan: anytime planning: called with a checked Result for each better plan, the first of them soon.

    Raises ParseError for an unknown planner, or one that cannot read the subject; DependencyMissing for one that is
    not installed.
    """
    deadline = running.begun(limits, clock)
    clock = perf_counter() if clock is None else clock
    chosen = _chosen(subject, planner)
    if on_plan is None:
        readable = _readable(subject, chosen, deadline, clock)
        if isinstance(readable, Result):
            return readable
        finish = _decoding(subject, validate, deadline)
        result = running.run(chosen, readable, deadline, validate=validate, clock=clock, finish=finish)
        return _begun(result, subject)
    least = None
    for result in improve(subject, chosen, deadline, validate=validate, clock=clock):
        if result.cost is not None and (least is None or result.cost < least):
            least = result.cost
            on_plan(result)
    return result


def improve(
    subject: Position | Task,
    planner: str | Planner | None = None,
    limits: Limits | Deadline | None = None,
    *,
    validate: bool = True,
    clock: float | None = None,
) -> Iterator[Result]:
    """Anytime planning: ever better checked results, each `solved`; the last one is the answer, as `solve` gives it.

    Where the limits end the search before the proof, the answer is the best plan, `solved`. Whoever has enough stops
    asking: nothing is searched between two results. Arguments and errors are those of `solve`; ParseError for a
    planner that gives one plan only.
    """
    deadline = running.begun(limits, clock)
    clock = perf_counter() if clock is None else clock
    chosen = _chosen(subject, planner)
    readable = _readable(subject, chosen, deadline, clock)
    if isinstance(readable, Result):
        yield readable
        return
    best, finish = None, _decoding(subject, validate, deadline)
    for result in running.improving(chosen, readable, deadline, validate=validate, clock=clock, finish=finish):
        if result.solved:
            best = result
        elif best is not None and result.status in (TIMEOUT, MEMOUT):
            result.status, result.plan, result.moves = SOLVED, best.plan, best.moves
            result.cost, result.valid = best.cost, best.valid
        yield _begun(result, subject)


def _begun(result: Result, subject: Position | Task) -> Result:
    """The result, which knows where its moves begin."""
    result.start = subject if isinstance(subject, Position) else None
    return result


def _chosen(subject: Position | Task, planner: str | Planner | None) -> Planner:
    planner = default_planner(subject) if planner is None else planner
    chosen = registry.find(planner) if isinstance(planner, str) else planner
    if not isinstance(subject, Position) and TASK not in chosen.reads:
        raise ParseError(f"planner '{chosen.name}' reads the rules of a puzzle, not a PDDL task")
    return chosen


def _refused(subject: Position | Task, planner: Planner, clock: float) -> Result | None:
    """The answer for a puzzle that is known to be unsolvable without any search."""
    if not isinstance(subject, Position):
        return None
    planner.require(subject)  # also where no search is needed, wrong usage is told
    reason = subject.impossible()
    if reason is None:
        return None
    seconds = {"search": 0.0, "total": perf_counter() - clock}
    return Result(UNSOLVABLE, planner.name, message=reason, seconds=seconds)


def _readable(subject: Position | Task, planner: Planner, deadline: Deadline, clock: float) -> Position | Task | Result:
    """What the planner reads of the subject; or the answer, where that is known before."""
    try:
        with Within(getattr(subject, "game", None), deadline.during("looking at the level")):
            refused = _refused(subject, planner, clock)
    except LimitReached as reached:
        return timed(Result(reached.status, planner.name, message=str(reached)), clock)
    if refused is not None or not isinstance(subject, Position) or read_by(planner, subject) != TASK:
        return subject if refused is None else refused
    from unpuzzle.planning.translating import TRANSLATING, task_within

    try:
        return task_within(subject, deadline.during(TRANSLATING))
    except LimitReached as reached:
        return timed(Result(reached.status, planner.name, message=str(reached)), clock)


def read_by(planner: Planner, subject: Position | Task) -> str:
    """What a planner reads: of several things the first that the subject has.

    Raises ParseError where it has none of them.
    """
    if not isinstance(subject, Position):
        return TASK
    for wanted in planner.reads:
        if wanted in (TASK, RULES) or (_is_own(planner, subject) if wanted == OWN else _has(subject, wanted)):
            return wanted
    if planner.reads[-1] == OWN:
        kind = registry.kind_of(planner.name)
        raise UsageError(f"planner '{planner.name}' solves games made for {kind}, and {subject.game.name} is none")
    wanted = "constraints" if planner.reads[-1] == CONSTRAINTS else "rules of a game in PuzzleScript"
    raise ParseError(f"planner '{planner.name}' reads {wanted}, and {subject.game.name} does not state any")


def _is_own(planner: Planner, position: Position) -> bool:
    """Return whether a position is of a game that names this kind of planner as its own."""
    return registry.kind_of(position.game.planner) == registry.kind_of(planner.name)


def _has(subject: Position, wanted: str) -> bool:
    from unpuzzle.puzzle.capabilities import Constrained, Scripted, offered

    capabilities: dict[str, type] = {CONSTRAINTS: Constrained, SCRIPT: Scripted}
    return offered(subject, capabilities[wanted]) is not None


def _decoding(subject: Position | Task, validate: bool, deadline: Deadline) -> Callable[[Result], None]:
    """Puts the moves of a position's plan into a result.

    Raises PlannerFailed where the rules do not agree with it, and LimitReached where its moves take too long.
    """

    def finish(result: Result) -> None:
        if result.plan is None or not isinstance(subject, Position):
            return
        judging = deadline.during(VALIDATING)
        with Within(subject.game, judging):
            moves = result.moves = decoded_moves(subject, result.plan, judging)
            if validate:
                require_solution(subject, moves, result.cost, judging)

    return finish


def engine_of(name: str, game: Compiled) -> Engine:
    """The engine of a compiled PuzzleScript game: `python` or `native`.

    Raises ParseError for an unknown name, DependencyMissing where the core was not compiled.
    """
    if name == "python":
        from unpuzzle.puzzlescript.playing.engine import PythonEngine

        return PythonEngine(game)
    if name == "native":
        from unpuzzle.puzzlescript.searching.native_engine import NativeEngine

        return NativeEngine(game)
    raise ParseError(f"unknown engine {name!r}: there are python and native")
