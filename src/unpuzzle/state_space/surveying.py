"""Survey all levels of a game: whether each is solvable, in how few moves, and whether players can get stuck.

    rows = survey(game, limits=Limits(time=10))
    hard = [row.level for row in rows if row.cost is None or row.cost > 50]

Each level is explored within its own limits. A level that is too large is searched, and its row says whether it can
be solved and in how few moves: two thirds of the time are for exploring, the rest for the search, which visits fewer
states and needs less time and memory. A level that is known to be impossible is not explored; nor is a level that
consists of constraints: its solutions are counted. An unreadable level has a row that says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from time import perf_counter
from typing import Any

from unpuzzle.base.errors import (
    LimitReached,
    ModelMismatch,
    ParseError,
    UnpuzzleError,
    UnsupportedFeature,
    UsageError,
    WorkersFailed,
)
from unpuzzle.base.outcomes import CANCELLED, ERROR, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, UNSUPPORTED
from unpuzzle.base.run import Limits, Run, current, phase
from unpuzzle.base.text import suggestion
from unpuzzle.base.values import Record, schema_name
from unpuzzle.counting import count_solutions
from unpuzzle.model.capabilities import Constrained, Traced, offered
from unpuzzle.model.position import Game, Position
from unpuzzle.planning.planner import MOVES, SearchOptions
from unpuzzle.planning.running import require_objective
from unpuzzle.planning.walking import LOOKING
from unpuzzle.processes.parallel import each
from unpuzzle.processes.worker import CallOutcome
from unpuzzle.solving import is_filled_in, planner_for, solve
from unpuzzle.state_space.difficulty import MEASURED, MEASURES, Requirement, requirement
from unpuzzle.state_space.exploration import Exploration, explore

BAD_INPUT = "bad_input"
FIELDS = (
    *("level", "status", "solvable", "cost", "states", "dead_ends", "optimal_plans", *MEASURED[:2], "unique"),
    *(*MEASURES, "seconds", "message"),
)
READING = "reading the level"
FOR_EXPLORING = 2 / 3
"""The share of the time limit for exploring; all remaining time is for the search."""


class SearchAnswer(Record):
    """The result of a search for a solution of one level.

    Attributes:
        solvable: whether there is a solution; None if unknown.
        cost, pushes: of a solution that is proved best for the objective, or None.
        message: why the search has no answer.
    """

    solvable: bool | None = None
    cost: int | None = None
    message: str = ""
    pushes: int | None = None


def explore_or_search(
    position: Position,
    *,
    max_states: int | None = None,
    objective: str = MOVES,
    progress: Callable[[int], None] | None = None,
) -> tuple[Exploration, SearchAnswer | None]:
    """Explore a level; if it is too large, search for a solution in the remaining time.

    Exploring finds only solutions of least cost, so for another `objective` a search is made in any case. `max_states`
    are the most states that the level may have, and that a search may expand; `progress` is as for `explore`. Raises
    UnsupportedFeature for an objective that needs a walker, if there is none.
    """
    chosen = planner_for(position, objective=SearchOptions(objective=objective).objective)
    with phase(LOOKING):
        require_objective(chosen, position, objective)
    exploring = current().share(FOR_EXPLORING)
    exploration = explore(position, limits=exploring, max_states=max_states, progress=progress)
    if exploration.complete and (objective == MOVES or exploration.cost is None):
        return exploration, None
    return exploration, search(position, max_states, objective)


def search(position: Position, max_states: int | None, objective: str = MOVES) -> SearchAnswer:
    """Solve a level with its default planner, in the remaining time."""
    if current().over():
        return SearchAnswer(message="no time is left for a search")
    try:
        result = solve(position, objective=objective, max_expanded=max_states)
    except UnpuzzleError as error:
        return SearchAnswer(message=str(error))
    if result.status == SOLVED_OPTIMALLY:
        return SearchAnswer(True, result.cost, pushes=result.pushes)
    if result.solved:
        return SearchAnswer(True)
    return SearchAnswer(False) if result.status == UNSOLVABLE else SearchAnswer(message=result.message or result.status)


class SurveyRow(Record):
    """The survey of one level, as a row of a table.

    Attributes:
        level: its name.
        status: `solved_optimally` or `unsolvable` if all of it was seen, or if its answer is known without (then
            `states` is None): it is impossible, or consists of constraints, whose solutions are counted; `timeout`,
            `memout`, `cancelled` or `gave_up` beyond a limit; `unsupported` or `bad_input`; `error` if the process of
            the level broke, or if the rules do not allow the solution of its PDDL.
        solvable: whether there is a solution; None if unknown. Beyond a limit, a search may have found out.
        cost: of an optimal solution, which is the least number of moves if each costs 1; or None. For another
            objective, of a solution that is best for that.
        states: the number of reachable positions; beyond a limit, of those seen.
        dead_ends: the number of positions from which no goal can be reached; None if not all were seen.
        optimal_plans: the number of optimal solutions, 0 for an unsolvable level; None if not all was seen, or if it
            is infinite, since moves of cost 0 form a cycle.
        optimal_lines: the number of optimal solutions up to walks and the order of independent changes
            (`state_space.lines`); None if unknown or infinite.
        least_lines: a lower bound for it; None if not all was seen.
        unique: whether there is only one solution: if constraints are stated, one solution of these, with moves in
            any order; otherwise one optimal line. None if unknown.
        pushes, detours, traps, shortest_trap, trap_lasts, optimal_choices, longer_choices, fatal_choices, lost: see
            `state_space.difficulty.Difficulty`; None if not all was seen.
        seconds: spent on this level.
        message: why there is no answer, or no solution.
        constrained: whether `unique` is about solutions of constraints.
    """

    level: str
    status: str
    solvable: bool | None = None
    cost: int | None = None
    states: int | None = None
    dead_ends: int | None = None
    optimal_plans: int | None = None
    optimal_lines: int | None = None
    least_lines: int | None = None
    unique: bool | None = None
    pushes: int | None = None
    detours: int | None = None
    traps: int | None = None
    shortest_trap: int | None = None
    trap_lasts: int | None = None
    optimal_choices: float | None = None
    longer_choices: float | None = None
    fatal_choices: float | None = None
    lost: float | None = None
    seconds: float = 0.0
    message: str = ""
    constrained: bool = False

    schema = "survey"

    @property
    def complete(self) -> bool:
        """Whether the row is final: the level was completely explored, or needed no exploration."""
        return self.status in (SOLVED_OPTIMALLY, UNSOLVABLE)

    def meets(self, required: str | Requirement) -> bool | None:
        """Return whether the level meets a requirement such as `unique` or `traps>=3`; None if unknown.

        Raises UsageError for a text that is no requirement.
        """
        wanted = requirement(required) if isinstance(required, str) else required
        return wanted.met_by({name: getattr(self, name) for name in FIELDS})

    def to_dict(self) -> dict[str, Any]:
        """Return the row as data for JSON, by the names in `FIELDS`."""
        return {"schema": schema_name(self.schema), **{name: getattr(self, name) for name in FIELDS}}


def survey(
    game: Game,
    levels: Iterable[str] | None = None,
    *,
    limits: Limits | None = None,
    max_states: int | None = None,
    objective: str = MOVES,
    read: Callable[[str], str | Position] | None = None,
    on_row: Callable[[SurveyRow], None] | None = None,
    progress: Callable[[str, int], None] | None = None,
    workers: int = 1,
    scheduler: str | None = None,
) -> list[SurveyRow]:
    """Survey the levels of a game: is each solvable, in how few moves, and can a player get stuck?

    Args:
        levels: the names of some of its levels; all if None.
        limits: of each level: time, and memory as `explore` counts it.
        max_states: the most states that a level may have to be explored, and that a search may expand.
        objective: the objective that the reported cost is best for, as in `solve`.
        read: returns the text or the position of a named level; by default the game's own levels are read.
        on_row: called with each row as soon as it is known.
        progress: called now and then with the name of a level and the number of its states seen.
        workers: the number of levels at a time. With more than one, each has a separate process; if that breaks,
            only its own row is lost.
        scheduler: the address of a Dask cluster that does the work instead.

    Raises WorkersFailed if the cluster cannot be used, UsageError if there are no levels, or no level of a name.
    """
    names = list(game.levels if levels is None else levels)
    if not names:
        raise UsageError(game.no_level("") or f"{game.name} has no levels to survey")
    if max_states is not None and max_states < 1:
        raise UsageError(f"max_states must be at least 1, not {max_states}")
    SearchOptions(objective=objective)  # it refuses unknown ones
    if read is None:
        require_levels(game, names)
    rows, text_of, limits = [], read or game.levels.__getitem__, limits or Limits()

    def made() -> Iterator[SurveyRow]:
        if workers == 1 and scheduler is None:
            for name in names:
                with Run(limits, READING):
                    tell = None if progress is None else partial(progress, name)
                    row = row_of(game, name, _level_or_error(name, text_of), max_states, objective, tell)
                yield row  # outside of the run, whose limits must not end the caller's work
            return
        jobs = ((game, name, _level_or_error(name, text_of), max_states, objective) for name in names)
        ends = each(row_of, jobs, limits, READING, workers=workers, scheduler=scheduler)
        for name, outcome in zip(names, ends, strict=False):
            yield _row_apart(name, outcome)
            if progress is not None:
                progress(name, 0)

    for row in made():
        rows.append(row)
        if on_row is not None:
            on_row(row)
        if row.status == CANCELLED:
            break
    return rows


def _level_or_error(name: str, read: Callable[[str], str | Position]) -> Any:
    """Return a level as a text or a position; if it cannot be read, return the error."""
    try:
        return read(name)
    except (ParseError, LimitReached) as error:
        return error


def _row_apart(name: str, outcome: CallOutcome) -> SurveyRow:
    """Return the survey row of a level that was surveyed in a separate process, which may have failed."""
    try:
        row: SurveyRow = outcome.value()
    except (LimitReached, WorkersFailed) as error:
        status = error.status if isinstance(error, LimitReached) else ERROR
        return SurveyRow(name, status, message=str(error), seconds=round(outcome.wall, 6))
    return row


def require_levels(game: Game, names: Iterable[str]) -> None:
    for name in names:
        if name not in game.levels:
            hint = suggestion(name, game.levels) or f"; the levels are {', '.join(game.levels)}"
            raise UsageError(f"{game.name} has no level '{name}'{hint}")


def row_of(
    game: Game,
    name: str,
    read: Any,
    max_states: int | None,
    objective: str,
    progress: Callable[[int], None] | None = None,
) -> SurveyRow:
    """Return the survey row of one level, given as a text, a position, or the error that reading it raised."""
    began = perf_counter()
    try:
        if isinstance(read, Exception):
            raise read
        level = game.parse(read, name) if isinstance(read, str) else read
        with phase("looking at the level"):
            row = _unexplored(name, level, objective)
            if row is None:
                answers = explore_or_search(level, max_states=max_states, objective=objective, progress=progress)
                answers[0].require_solution()  # exploring may have used the PDDL alone
                row = _unique(_explored(name, *answers), answers[0], level)
    except LimitReached as reached:
        row = SurveyRow(name, reached.status, message=str(reached))
    except (ParseError, UnsupportedFeature) as error:
        row = SurveyRow(name, BAD_INPUT if isinstance(error, ParseError) else UNSUPPORTED, message=str(error))
    except ModelMismatch as error:
        row = SurveyRow(name, ERROR, message=str(error))
    else:
        if offered(game, Traced) is not None:  # its levels are texts of an author, who may have forgotten something
            row = row.replace(message="; ".join(filter(None, [row.message, *level.remarks()])))
    return row.replace(seconds=round(perf_counter() - began, 6))


def _unexplored(name: str, level: Position, objective: str) -> SurveyRow | None:
    """Return the survey row of a level that is decided without exploration; None if exploration is needed.

    The solutions are counted for levels that consist of constraints.
    """
    reason = level.impossible()
    if reason is not None:
        constrained = offered(level, Constrained) is not None
        return SurveyRow(
            name, UNSOLVABLE, False, optimal_plans=0, unique=False, message=reason, constrained=constrained
        )
    if objective != MOVES or not is_filled_in(level):
        return None

    try:
        with phase("counting solutions"):
            counted = count_solutions(level)
            result = counted.result
            if result.status == SOLVED:  # solutions differ in cost
                result = solve(level)
    except ModelMismatch:  # exploring shows what the level is without its constraints
        return None
    row = SurveyRow(name, result.status, unique=counted.unique, constrained=True, message=result.message)
    if result.solved or counted.solutions:
        cost = result.cost if result.status == SOLVED_OPTIMALLY else None
        return row.replace(solvable=True, cost=cost)
    named = f"no solution: {', '.join(counted.conflict)} contradict each other" if counted.conflict else row.message
    return row.replace(solvable=False if result.status == UNSOLVABLE else None, message=named)


def _explored(name: str, exploration: Exploration, answer: SearchAnswer | None) -> SurveyRow:
    """Return the survey row of a level that is explored or, if it is too large, searched for a solution."""
    states, message, cost = exploration.states or None, exploration.reason, exploration.cost
    if exploration.complete and answer is not None:  # of another objective than the exploration's
        cost, message = answer.cost, answer.message
    elif answer is not None:
        reason, found = exploration.overlooked, answer.message
        found = found.replace(f": {reason}", "") if reason else found  # which is said already
        message += f"; searched instead: {found}" if found else ""
        row = SurveyRow(name, exploration.status, answer.solvable, answer.cost, states, message=message)
        return row.replace(pushes=answer.pushes)
    solvable = exploration.cost is not None
    counts = states, exploration.dead_ends, exploration.optimal_plans
    measures = exploration.measures
    message = "; ".join(filter(None, [message, measures.message]))
    status = SOLVED_OPTIMALLY if solvable else UNSOLVABLE
    row = SurveyRow(name, status, solvable, cost, *counts, message=message, **measures.figures())
    return row if answer is None else row.replace(pushes=answer.pushes)


def _unique(row: SurveyRow, exploration: Exploration, level: Position) -> SurveyRow:
    """Return the survey row with the field `unique` set: whether the level has exactly one solution."""
    if offered(level, Constrained) is None:
        lines = exploration.measures.lines if exploration.complete else None
        return row.replace(unique=False if row.solvable is False else lines and lines.unique)
    if row.solvable is False:
        return row.replace(constrained=True, unique=False)
    try:
        counted = count_solutions(level)
        if row.solvable and counted.unique is False and not counted.solutions:
            said = "they have no solution, and the level has one; `check` finds the difference"
            raise ModelMismatch(f"the constraints differ from the rules: {said}")
        return row.replace(constrained=True, unique=counted.unique)
    except ModelMismatch as failed:  # the constraints are not the game
        return row.replace(constrained=True, message="; ".join([*filter(None, [row.message]), str(failed)]))
