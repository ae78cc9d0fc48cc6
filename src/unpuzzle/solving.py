"""Solve a puzzle or a PDDL task (`solve`, `improve`), and change an invalid plan into a valid one (`mend`).

Position ──task()──► Task ──planner──► Plan ──validated──► decode() ──► moves ──replayed on the rules──► Result

Only this module connects puzzles and planners. The repairs of an invalid plan are to leave out a step, to insert steps,
or to continue with other steps. They are tried in this order, by planning from the state in which the plan fails; the
repaired plan is validated as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from time import perf_counter

from unpuzzle.base.errors import LimitReached, UnpuzzleError, UsageError
from unpuzzle.base.outcomes import ERROR, MEMOUT, TIMEOUT, UNSOLVABLE
from unpuzzle.base.run import Limits, Run, current, driven, part, phase
from unpuzzle.base.text import count
from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.base.values import Record
from unpuzzle.model.position import Position
from unpuzzle.pddl.nodes import Condition, GroundAction, Task
from unpuzzle.pddl.normal_form import substituted
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.validation import Validation, validate
from unpuzzle.planning import registry, running
from unpuzzle.planning.planner import CONSTRAINTS, MOVES, OWN, RULES, TASK, Planner, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.planning.running import timed
from unpuzzle.planning.walking import weigh

if TYPE_CHECKING:
    from unpuzzle.constraints import Constraints
    from unpuzzle.model.capabilities import Constrained


LEAVE_OUT, INSERT, GO_ON = "leave_out", "insert", "go_on"
MENDING_STATES = 20_000
MENDING_SECONDS = 5.0
"""The longest search for a repair, in seconds."""
ACTIONS_SHOWN = 8
CONFIRMING_STATES = 10_000
"""The most positions that are searched by an author's rules, to confirm that there is no plan."""
FEW = 16
"""The most variables of parities for which a search of all states is as good."""


def planner_for(
    subject: Position | Task, planner: str | Planner | None = None, objective: str = MOVES, **settings: Any
) -> Planner:
    """Return the planner with the given name for a position or task, or the default planner if no name is given.

    For a task, modules for puzzles are not loaded. Raises UsageError for another subject, and for a planner that reads
    no tasks if it is one.
    """
    if not isinstance(subject, Task | Position):
        raise UsageError(
            f"only a position, such as game.parse(text), or a pddl.Task can be solved, not {subject!r:.60}"
        )
    if planner is None:
        chosen = _default(subject, objective)
        chosen.is_default = True
    else:
        chosen = registry.find(planner, getattr(subject, "game", None), **settings)
    if isinstance(subject, Task) and TASK not in chosen.reads:
        raise UsageError(
            f"planner '{chosen.name}' reads the rules of a puzzle, not a PDDL task: choose a planner that reads PDDL"
        )
    return chosen


def default_planner(subject: Position | Task | None = None, objective: str = MOVES) -> str:
    """Return the name of the default planner for a position or a task.

    If that does not support an objective, return a slower planner that does. A position without PDDL is solved by a
    search on its rules. One that states many parities, and nothing else, is solved by linear algebra, so by a planner
    that reads constraints.
    """
    return _default(subject, objective).name


def _default(subject: Position | Task | None, objective: str) -> Planner:
    """Return the default planner for a position or task and an objective."""
    game = getattr(subject, "game", None)
    if objective == MOVES and game is not None and not game.planner:
        constrained = _constrained(subject)
        if constrained is not None and _many_parities(constrained.constraints()):
            return _of_constraints()
    chosen = registry.default(game)
    if isinstance(subject, Position) and chosen.reads == (TASK,) and not subject.has_pddl():
        return registry.find(registry.SLOW_BY_RULES, game)
    if objective in chosen.objectives:
        return chosen
    return registry.find(registry.SLOW if game is None else registry.SLOW_BY_RULES, game)


def _constrained(subject: object) -> Constrained | None:
    """Return the position if it can be solved as a constraint problem; None for all others and for tasks."""
    from unpuzzle.model.capabilities import Constrained, offered

    return offered(subject, Constrained)


def _many_parities(model: Constraints) -> bool:
    from unpuzzle.constraints import only_parities

    return len(model.domains) > FEW and only_parities(model)


def _of_constraints() -> Planner:
    """Return the first installed planner that solves constraint problems."""
    return next(registry.find(name) for name in registry.COUNTING if registry.missing(name) is None)


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
    """Solve a position or a PDDL task, and return the planner's best validated answer.

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
        chosen = planner_for(subject, planner, objective)
        left = current().share(0.5)  # the other half is for a planner that uses the constraints
        if left is None or not chosen.is_default or not _states_more(subject, chosen, objective):
            return _solved(subject, chosen, options, validate, clock, on_plan)
        with Run(left):
            first = _solved(subject, chosen, options, validate, perf_counter(), on_plan)
        if first.status not in (TIMEOUT, MEMOUT):
            return first
        # Constraints have no objective, no states and no better plans on the way; the run keeps the limits.
        second = _solved(subject, _of_constraints(), SearchOptions(None, progress), validate, perf_counter(), None)
        return second if second.solved or second.status == UNSOLVABLE else first


def _solved(
    subject: Position | Task,
    planner: Planner,
    options: SearchOptions,
    validate: bool,
    clock: float,
    on_plan: Callable[[Result], None] | None,
) -> Result:
    """Return the last result of a planner; report each intermediate plan with `on_plan`."""
    least = None
    for result in _results(subject, planner, options, validate, clock, anytime=on_plan is not None):
        if result.cost is None or on_plan is None:
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
    """Yield better and better validated results of a planner; the last result is the answer that `solve` returns.

    If the limits end the search before the proof, the answer is the best plan, `solved`. The search pauses between two
    results. Arguments and errors are as for `solve`; UsageError for a planner that gives only one plan.
    """
    run, clock = running.begin(limits, clock), perf_counter() if clock is None else clock
    options = SearchOptions(max_expanded, progress, objective)
    chosen = planner_for(subject, planner, objective)
    yield from driven(run, _results(subject, chosen, options, validate, clock, anytime=True))


def _results(
    subject: Position | Task, planner: Planner, options: SearchOptions, validate: bool, clock: float, *, anytime: bool
) -> Iterator[Result]:
    """Yield a planner's validated answer; if `anytime`, first yield better and better plans."""
    position = None if isinstance(subject, Task) else subject
    read = None
    try:
        reason = None if position is None else _impossible(position, planner)
        if reason is None:
            read = _input(subject, planner)
            results = running.results(planner, read, options, clock, validate, position, anytime=anytime)
        else:
            known = Result(UNSOLVABLE, planner.name, message=reason, condition="impossible() is right")
            results = iter([timed(known, clock)])
    except LimitReached as reached:
        results = iter([timed(Result(reached.status, planner.name, message=str(reached)), clock)])
    for result in results:
        answer = result
        if position is not None and isinstance(read, Task) and result.status == UNSOLVABLE:
            answer = _compared_with_rules(result, position)
        yield answer.replace(objective=options.objective, start=position)


def _compared_with_rules(result: Result, position: Position) -> Result:
    """Return an `unsolvable` result of a task; an error if the rules, which the author of a puzzle wrote, find a plan.

    If the rules have too many positions, the result depends on the PDDL, which is then its condition.
    """
    game = position.game
    kind = game if isinstance(game, type) else type(game)
    if kind.__module__.startswith("unpuzzle."):  # the tests check the PDDL of bundled puzzles
        return result
    by_rules = running.run(registry.SLOW_BY_RULES, position, options=SearchOptions(CONFIRMING_STATES))
    if by_rules.status == UNSOLVABLE:
        return result
    if by_rules.solved:
        said = f"by the PDDL there is no solution, by the rules these moves are one: {' '.join(by_rules.moves or ())}"
        message = f"the PDDL differs from the rules: {said}; `unpuzzle check` finds the difference"
        return result.replace(status=ERROR, message=message, moves=by_rules.moves)
    doubt = "this is proved of the PDDL alone: `unpuzzle check` compares it with the rules"
    return result.replace(message=f"{result.message}; {doubt}", condition="the PDDL agrees with the rules")


def _states_more(subject: Position | Task, chosen: Planner, objective: str) -> bool:
    """Return whether a position is a constraint problem but the chosen planner does not use its constraints."""
    if isinstance(subject, Task) or objective != MOVES or CONSTRAINTS in chosen.reads:
        return False
    return _constrained(subject) is not None


def is_filled_in(position: Position) -> bool:
    """Return whether the default planner solves a level as a constraint problem, so that moves only fill in values."""
    if _constrained(position) is None:
        return False
    return CONSTRAINTS in planner_for(position).reads


def _impossible(position: Position, planner: Planner) -> str | None:
    """Return the reason why a position has no solution, if the reason is known before any search.

    Wrong usage of the planner is reported all the same.
    """
    with phase("looking at the level"):
        planner.require(position)
        return position.impossible()


def _input(subject: Position | Task, planner: Planner) -> Position | Task:
    """Return what a planner gets as input: the position or task itself, or the PDDL task of the position."""
    if isinstance(subject, Task) or read_by(planner, subject) != TASK:
        return subject
    if subject.game.moves_are_actions:  # there is nothing to translate
        return subject.task()
    from unpuzzle.model.replaying import task_within

    return task_within(subject)


def read_by(planner: Planner, subject: Position | Task) -> str:
    """Return the first kind of input that a planner reads and that the position or task can provide.

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
    raise UsageError(
        f"planner '{planner.name}' reads constraints, but {subject.game.name} states none: choose another planner"
    )


class Mending(Record):
    """A change that makes an invalid plan valid.

    Attributes:
        kind: `leave_out` a step, `insert` actions before it, or `go_on` with other actions from it to the end.
        step: the number of the step, from 1; if all steps are applicable, one more than their number.
        actions: the new actions.
        cost: the cost of the whole changed plan.
    """

    kind: str
    step: int
    actions: tuple[GroundAction, ...]
    cost: int | None

    def __str__(self) -> str:
        shown = " ".join(map(str, self.actions[:ACTIONS_SHOWN]))
        more = len(self.actions) - ACTIONS_SHOWN
        shown += f" and {count(more, 'more step')}" if more > 0 else ""
        if self.kind == LEAVE_OUT:
            return f"leave out step {self.step}"
        if self.kind == INSERT:
            return f"put {shown} before step {self.step}"
        return f"go on from step {self.step} with {shown}" if shown else f"leave out step {self.step} and all after it"


def mend(
    task: Task, plan: tuple[GroundAction, ...], verdict: Validation, *, limits: Limits | None = None
) -> Mending | None:
    """Find a change that makes an invalid plan valid; None if none is found within the limits or a few seconds.

    A little of the time is left over, to report the verdict.
    """
    if verdict.valid:
        return None
    with (
        suppress(UnpuzzleError),
        Run(limits, "looking for a repair of the plan"),
        part(seconds=MENDING_SECONDS, share=0.9),
    ):
        step = len(plan) + 1 if verdict.step is None else verdict.step
        before, rest = plan[: step - 1], plan[step - 1 :]
        if rest and (whole := validate(task, (*before, *rest[1:]))).valid:
            return Mending(LEAVE_OUT, step, (), whole.cost)
        semantics = Semantics(task)
        here = _from(task, verdict, task.problem.goal)
        if rest and verdict.false:  # actions before the step may make its precondition true
            schema, binding = semantics.schema(rest[0])
            steps = _plan(_from(task, verdict, substituted(schema.precondition, binding)))
            if steps is not None and (whole := validate(task, (*before, *steps, *rest))).valid:
                return Mending(INSERT, step, steps, whole.cost)
        steps = _plan(here)
        if steps is None or not (whole := validate(task, (*before, *steps))).valid:
            return None
        return Mending(GO_ON, step, steps, whole.cost)
    return None


def _plan(task: Task) -> tuple[GroundAction, ...] | None:
    result = solve(task, max_expanded=MENDING_STATES)
    return None if result.plan is None else result.plan.steps


def _from(task: Task, verdict: Validation, goal: Condition) -> Task:
    """Return the task whose goal is `goal`, and whose initial state is the state in which a plan failed."""
    init = tuple(sorted(verdict.state, key=str))
    return Task(task.domain, task.problem.replace(init=init, goal=goal).trusted(task.domain))
