"""solve(), improve(): from a puzzle or a task to checked answers. Only this module joins puzzles and planners.

Position ──task()──► Task ──planner──► Plan ──validated──► decode() ──► moves ──replayed on the rules──► Result
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from unpuzzle.errors import LimitReached, ModelMismatch, UsageError
from unpuzzle.limits import Limits
from unpuzzle.pddl.nodes import Task
from unpuzzle.planning import registry, running
from unpuzzle.planning.acceptance import Finish, timed
from unpuzzle.planning.planner import CONSTRAINTS, MOVES, OWN, RULES, TASK, Planner, SearchOptions
from unpuzzle.planning.walking import weigh
from unpuzzle.puzzle.position import Position
from unpuzzle.result import ERROR, MEMOUT, TIMEOUT, UNSOLVABLE, Result
from unpuzzle.run import Run, current, driven, phase
from unpuzzle.type_hints import TYPE_CHECKING

if TYPE_CHECKING:
    from unpuzzle.constraints import Constraints
    from unpuzzle.puzzle.capabilities import Constrained


def default_planner(subject: Position | Task | None = None, objective: str = MOVES) -> str:
    """Return `native`, or `reference` without a compiled core; for some games, their own planner.

    If that does not support an objective, return a slower planner that does. A position that states many parities, and
    nothing else, is solved by linear algebra, so by a planner that reads constraints.
    """
    game = getattr(subject, "game", None)
    name = registry.default(game)
    if objective == MOVES and game is not None and not game.planner:
        constrained = _constrained(subject)
        if constrained is not None and _many_parities(constrained.constraints()):
            return _of_constraints()
    if objective == MOVES or objective in registry.find(name, game).objectives:
        return name
    return registry.SLOW if subject is None or isinstance(subject, Task) else registry.SLOW_BY_RULES


def _constrained(subject: object) -> Constrained | None:
    """Return a position that states its constraints; None for other positions and tasks."""
    from unpuzzle.puzzle.capabilities import Constrained, offered

    return offered(subject, Constrained)


FEW = 16
"""The most variables of parities that a search of all states is as good for."""


def _many_parities(model: Constraints) -> bool:
    from unpuzzle.constraints.parity import only_parities

    return len(model.domains) > FEW and only_parities(model)


def _of_constraints() -> str:
    """Return the first planner that reads constraints and can run here."""
    return next(name for name in registry.COUNTING if registry.missing(name) is None)


def solve(
    subject: Position | Task,
    planner: str | Planner | None = None,
    *,
    objective: str = MOVES,
    limits: Limits | None = None,
    max_expanded: int | None = None,
    progress: Callable[[str], None] | None = None,
    validate: bool = True,
    clock: float | None = None,
    on_plan: Callable[[Result], None] | None = None,
) -> Result:
    """Return the best answer of a planner for a puzzle's position or a PDDL task.

    Args:
        planner: a name such as `native`, `fast-downward` or `rules:bfs`; None is the default planner for the objective,
            which leaves half of the time to a planner that reads constraints, if the position states any.
        objective: the figure to minimize: `moves`, which is their cost; `pushes`, the steps other than walks (see
            `planning.walking`); `pushes,moves` or `moves,pushes`, one and then the other. Without a walker, or if the
            planner does not support it, the status is `unsupported`.
        limits: of time, counted from `clock` (a `time.perf_counter()` value; now, if None), of memory and of processor
            time.
        max_expanded: the most states to expand, if the planner counts them.
        progress: called now and then with a sentence about the planner's progress, if it reports it.
        validate: False skips the validation of the plan and the replay of the moves; `valid` is then None.
        on_plan: anytime planning: called with a checked Result for each better plan, the first of them soon.

    A limit that is reached, or `limits.cancel()`, shows in the status. Raises UsageError for an unknown planner, or one
    that cannot read the subject; DependencyMissing for one that is not installed.
    """
    with running.begin(limits, clock):
        clock = perf_counter() if clock is None else clock
        options = SearchOptions(max_expanded, progress, objective)
        chosen = _chosen(subject, planner, objective)
        left = current().time_left()
        if planner is not None or left is None or not _states_more(subject, chosen, objective):
            return _solved(subject, chosen, options, validate, clock, on_plan)
        with Run(Limits(left / 2)):
            first = _solved(subject, chosen, options, validate, perf_counter(), on_plan)
        if first.status not in (TIMEOUT, MEMOUT):
            return first
        other = _chosen(subject, _of_constraints(), objective)
        second = _solved(subject, other, SearchOptions(None, progress), validate, perf_counter(), None)
        return second if second.solved or second.status == UNSOLVABLE else first


def _solved(
    subject: Position | Task,
    planner: Planner,
    options: SearchOptions,
    validate: bool,
    clock: float,
    on_plan: Callable[[Result], None] | None,
) -> Result:
    if on_plan is None:
        readable = _readable(subject, planner, clock)
        if isinstance(readable, Result):
            return _placed(readable, subject, options.objective)
        finish = _decoder(subject, validate)
        result = running.run(planner, readable, options=options, validate=validate, clock=clock, finish=finish)
        return _placed(result, subject, options.objective)
    least = None
    for result in _improving(subject, planner, options, validate, clock):
        if result.cost is None:
            continue
        weight = weigh(options.objective, result.cost, result.pushes or 0)
        if least is None or weight < least:
            least = weight
            on_plan(result)
    return result


def improve(
    subject: Position | Task,
    planner: str | Planner | None = None,
    *,
    objective: str = MOVES,
    limits: Limits | None = None,
    max_expanded: int | None = None,
    progress: Callable[[str], None] | None = None,
    validate: bool = True,
    clock: float | None = None,
) -> Iterator[Result]:
    """Yield ever better checked results, each `solved`; the last one is the answer, as from `solve`.

    If the limits end the search before the proof, the answer is the best plan, `solved`. The search pauses between two
    results. Arguments and errors are as for `solve`; UsageError for a planner that gives only one plan.
    """
    run, clock = running.begin(limits, clock), perf_counter() if clock is None else clock
    options = SearchOptions(max_expanded, progress, objective)
    chosen = _chosen(subject, planner, objective)
    yield from driven(run, _improving(subject, chosen, options, validate, clock))


def _improving(
    subject: Position | Task, planner: Planner, options: SearchOptions, validate: bool, clock: float
) -> Iterator[Result]:
    readable = _readable(subject, planner, clock)
    if isinstance(readable, Result):
        yield _placed(readable, subject, options.objective)
        return
    finish = _decoder(subject, validate)
    for result in running.improving(planner, readable, options=options, validate=validate, clock=clock, finish=finish):
        yield _placed(result, subject, options.objective)


def _states_more(subject: Position | Task, chosen: Planner, objective: str) -> bool:
    """Return whether a position states constraints that its default planner does not read."""
    if isinstance(subject, Task) or objective != MOVES or CONSTRAINTS in chosen.reads:
        return False
    return _constrained(subject) is not None


def is_filled_in(position: Position) -> bool:
    """Return whether a level consists of constraints, so that its states are no more than orders of filling it in."""
    if _constrained(position) is None:
        return False
    return CONSTRAINTS in running.planner_of(default_planner(position), position.game).reads


def _placed(result: Result, subject: Position | Task, objective: str) -> Result:
    result = result if result.objective == objective else result.replace(objective=objective)
    return result if isinstance(subject, Task) else result.replace(start=subject)


def _chosen(subject: Position | Task, planner: str | Planner | None, objective: str) -> Planner:
    """Return the planner for a subject. For a task, modules for puzzles are not loaded."""
    if isinstance(subject, Task):
        chosen = running.planner_of(default_planner(subject, objective) if planner is None else planner)
        if TASK not in chosen.reads:
            raise UsageError(f"planner '{chosen.name}' reads the rules of a puzzle, not a PDDL task")
        return chosen

    if not isinstance(subject, Position):
        raise UsageError(
            f"only a position, such as game.parse(text), or a pddl.Task can be solved, not {subject!r:.60}"
        )
    return running.planner_of(default_planner(subject, objective) if planner is None else planner, subject.game)


def _readable(subject: Position | Task, planner: Planner, clock: float) -> Position | Task | Result:
    """Return the planner's input from the subject; or the answer, if it is known before any search."""
    if isinstance(subject, Task):
        return subject
    try:
        with phase("looking at the level"):
            planner.require(subject)  # wrong usage is reported even if no search is needed
            reason = subject.impossible()
        if reason is not None:
            return timed(Result(UNSOLVABLE, planner.name, message=reason, condition="impossible() is right"), clock)
        if read_by(planner, subject) != TASK:
            return subject
        if subject.game.moves_are_actions:  # there is nothing to translate
            return subject.task()
        from unpuzzle.planning.translating import task_within

        return task_within(subject)
    except LimitReached as reached:
        return timed(Result(reached.status, planner.name, message=str(reached)), clock)


def read_by(planner: Planner, subject: Position | Task) -> str:
    """Return the kind of input that a planner reads from a subject: the first in `planner.reads` that the subject has.

    Raises UsageError if it has none of them.
    """
    if isinstance(subject, Task):
        return TASK
    own = planner.kind or registry.kind_of(planner.name)
    for kind in planner.reads:
        if kind == OWN:
            fits = registry.kind_of(subject.game.planner) == own
        else:
            fits = kind in (TASK, RULES) or _constrained(subject) is not None
        if fits:
            return kind
    if planner.reads[-1] == OWN:
        raise UsageError(f"planner '{planner.name}' solves games made for {own}, not {subject.game.name}")
    raise UsageError(f"planner '{planner.name}' reads constraints, and {subject.game.name} does not state any")


def _decoder(subject: Position | Task, validate: bool) -> Finish:
    """Return a function that puts the moves of a position's plan into a result.

    If the rules disagree with the plan, the result is an `error`. Raises LimitReached. If the rules are the PDDL, the
    plan was already judged by them.
    """

    def finish(result: Result) -> Result:
        if result.plan is None or isinstance(subject, Task):
            return result
        if subject.game.moves_are_actions:  # and the plan has been judged by them
            return result.replace(moves=tuple([subject.decode(action) for action in result.plan]))
        from unpuzzle.puzzle.replaying import decoded_moves, require_solution

        moves = decoded_moves(subject, result.plan)
        result = result.replace(moves=moves)
        try:
            if validate:
                require_solution(subject, moves, result.cost)
        except ModelMismatch as error:  # the plan stays, to help find the mistake
            return result.replace(status=ERROR, valid=False, message=str(error))
        return result

    return finish
