"""Show all levels of a game in one table: can each be solved, in how few moves, and where can a player get stuck?

    rows = survey(game, limits=Limits(time=10))
    hard = [row.level for row in rows if row.cost is None or row.cost > 50]

Each level is explored within limits of its own. One that is too large is searched, and its row says whether it can be
solved and in how few moves: two thirds of the time are for exploring, the rest for the search, which sees less and so
needs less time and memory. One that cannot be read has a row that says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from time import perf_counter
from typing import Any

from unpuzzle.errors import LimitReached, ModelMismatch, ParseError, UnpuzzleError, UnsupportedFeature, UsageError
from unpuzzle.limits import Deadline, Limits, ticking
from unpuzzle.planning.planner import MOVES, SearchOptions
from unpuzzle.planning.running import planner_of, require_objective
from unpuzzle.planning.walking import LOOKING
from unpuzzle.puzzle.capabilities import Constrained, offered
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.record import Record, schema_name
from unpuzzle.result import CANCELLED, SOLVED_OPTIMALLY, UNSOLVABLE, UNSUPPORTED
from unpuzzle.solving import default_planner, solve
from unpuzzle.spaces.exploration import Exploration, explore
from unpuzzle.words import suggestion

BAD_INPUT = "bad_input"
FIELDS = (
    *("level", "status", "solvable", "cost", "pushes", "states", "dead_ends", "optimal_plans", "unique", "seconds"),
    "message",
)
REQUIREMENTS = ("solvable", "unique", "no-dead-ends")
"""What may be asked of every level: a solution, exactly one, no way to get stuck."""
FOR_EXPLORING = 2 / 3
"""Of the time limit; the rest, and what exploring leaves, is for the search."""


class SearchAnswer(Record):
    """The answer of a search.

    Attributes:
        solvable: whether there is a solution; None if that is not known.
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
    limits: Limits | None = None,
    began: float | None = None,
    max_states: int | None = None,
    objective: str = MOVES,
    progress: Callable[[int], None] | None = None,
) -> tuple[Exploration, SearchAnswer | None]:
    """Explore a level; where a limit ends that, search for a solution, too, within the same limits.

    Exploring tells of solutions of least cost, so for another `objective` a solution is searched for in any case. Their
    time began at `began`, a `time.perf_counter()` value, or now. `max_states` are the most states that the level
    may have, and that a search may expand; `progress` is as for `explore`. Raises UnsupportedFeature for an objective
    that needs somebody who walks, where nobody does.
    """
    limits, began = limits or Limits(), perf_counter() if began is None else began
    chosen = default_planner(position, SearchOptions(objective=objective).objective)
    require_objective(planner_of(chosen, position.game), position, objective, Deadline.of(limits, LOOKING))
    left = limits.after(perf_counter() - began)
    exploring = left.lasting(None if left.time is None else left.time * FOR_EXPLORING)
    exploration = explore(position, limits=exploring, max_states=max_states, progress=progress)
    if exploration.complete and (objective == MOVES or exploration.cost is None):
        return exploration, None
    return exploration, search(position, limits=limits, began=began, max_states=max_states, objective=objective)


def search(
    position: Position, *, limits: Limits, began: float, max_states: int | None, objective: str = MOVES
) -> SearchAnswer:
    """Solve a level by its usual planner, in the time that is left since it began."""
    seconds = perf_counter() - began
    if limits.time is not None and limits.time <= seconds:
        return SearchAnswer(message="no time is left for a search")
    try:
        result = solve(position, objective=objective, limits=limits.after(seconds), max_expanded=max_states)
    except UnpuzzleError as error:
        return SearchAnswer(message=str(error))
    if result.status == SOLVED_OPTIMALLY:
        return SearchAnswer(True, result.cost, pushes=result.pushes)
    if result.solved:
        return SearchAnswer(True)
    return SearchAnswer(False) if result.status == UNSOLVABLE else SearchAnswer(message=result.message or result.status)


class SurveyRow(Record):
    """All that is known about one level.

    Attributes:
        level: its name.
        status: `solved_optimally` or `unsolvable` where all of it was seen; `timeout`, `memout`, `cancelled` or
            `gave_up` beyond a limit; `unsupported` or `bad_input`.
        solvable: whether there is a solution; None if that is not known. Beyond a limit a search may have told.
        cost: of an optimal solution, which is the least number of moves where each costs 1; or None. Where another
            objective was asked for, of a solution that is best for that.
        pushes: how many of its moves do more than walk, where an objective asks for that; else None.
        states: how many positions can be reached; beyond a limit, how many were seen.
        dead_ends: from how many of them no goal can be reached; None where not all were seen.
        optimal_plans: how many optimal solutions there are, 0 of an unsolvable level; None where not all was seen, or
            where there is no end to them, since moves of cost 0 go round.
        unique: whether there is one solution only: where constraints are stated, one of these, whose moves may be made
            in any order; else one optimal plan. None if that is not known.
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
    unique: bool | None = None
    seconds: float = 0.0
    message: str = ""
    constrained: bool = False
    pushes: int | None = None

    schema = "survey"

    @property
    def complete(self) -> bool:
        """Whether all of the level was seen."""
        return self.status in (SOLVED_OPTIMALLY, UNSOLVABLE)

    def meets(self, requirement: str) -> bool | None:
        """Return whether the level is as one of `REQUIREMENTS` says; None if that is not known."""
        if requirement == "solvable" or self.solvable is False:
            return self.solvable
        if requirement == "unique":
            return self.unique
        return self.dead_ends == 0 if self.complete else None

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
    read: Callable[[str], str] | None = None,
    on_row: Callable[[SurveyRow], None] | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> list[SurveyRow]:
    """Tell of each level of a game whether it can be solved, in how few moves, and where a player can get stuck.

    Args:
        levels: the names of some of its levels; all if None.
        limits: of each level: time, and memory as `explore` counts it.
        max_states: the most states that a level may have to be explored, and that a search may expand.
        objective: what is least in the solutions whose cost is told, as in `solve`.
        read: gives the text of a level that has a name; by default the game's own levels are meant.
        on_row: called with each row as soon as it is known.
        progress: called now and then with the name of a level and the number of its states that were seen.

    Raises UsageError where there are no levels, or none of a name.
    """
    names = list(game.levels if levels is None else levels)
    if not names:
        raise UsageError(game.no_level("") or f"{game.name} has no levels to survey")
    if max_states is not None and max_states < 1:
        raise UsageError(f"max_states must be at least 1, not {max_states}")
    SearchOptions(objective=objective)  # which refuses unknown ones
    if read is None:
        require_levels(game, names)
    rows = []
    for name in names:
        tell = None if progress is None else partial(progress, name)
        row = _row(game, name, read or game.levels.__getitem__, limits or Limits(), max_states, objective, tell)
        rows.append(row)
        if on_row is not None:
            on_row(row)
        if row.status == CANCELLED:
            break
    return rows


def require_levels(game: Game, names: Iterable[str]) -> None:
    """Raise UsageError where a game has no level of a name."""
    for name in names:
        if name not in game.levels:
            hint = suggestion(name, game.levels) or f": they are {', '.join(game.levels)}"
            raise UsageError(f"{game.name} has no level '{name}'{hint}")


def _row(
    game: Game,
    name: str,
    read: Callable[[str], str],
    limits: Limits,
    max_states: int | None,
    objective: str,
    progress: Callable[[int], None] | None,
) -> SurveyRow:
    """Return the row of a level, whatever becomes of it."""
    began = perf_counter()
    try:
        with ticking(Deadline(limits, "reading the level")):
            level = game.parse(read(name), name)
        answers = explore_or_search(
            level, limits=limits, began=began, max_states=max_states, objective=objective, progress=progress
        )
        row = _unique(_explored(name, *answers), level, limits.after(perf_counter() - began))
    except LimitReached as reached:
        row = SurveyRow(name, reached.status, message=str(reached))
    except (ParseError, UnsupportedFeature) as error:
        row = SurveyRow(name, BAD_INPUT if isinstance(error, ParseError) else UNSUPPORTED, message=str(error))
    return row.replace(seconds=round(perf_counter() - began, 6))


def _explored(name: str, exploration: Exploration, answer: SearchAnswer | None) -> SurveyRow:
    """Return the row of a level that was explored or, where it is too large, searched."""
    states, message, cost = exploration.states or None, exploration.reason, exploration.cost
    if exploration.complete and answer is not None:  # of another objective than the exploration's
        cost, message = answer.cost, answer.message
    elif answer is not None:
        message += f"; searched instead: {answer.message}" if answer.message else ""
        row = SurveyRow(name, exploration.status, answer.solvable, answer.cost, states, message=message)
        return row.replace(pushes=answer.pushes)
    solvable = exploration.cost is not None
    figures = states, exploration.dead_ends, exploration.optimal_plans
    row = SurveyRow(name, SOLVED_OPTIMALLY if solvable else UNSOLVABLE, solvable, cost, *figures, message=message)
    return row if answer is None else row.replace(pushes=answer.pushes)


def _unique(row: SurveyRow, level: Position, limits: Limits) -> SurveyRow:
    """Return the row with whether there is one solution only."""
    if offered(level, Constrained) is None:
        return row.replace(unique=row.optimal_plans == 1 if row.complete else None)
    if row.solvable is False:
        return row.replace(constrained=True, unique=False)
    try:
        from unpuzzle.counting import count_solutions

        return row.replace(constrained=True, unique=count_solutions(level, limits=limits).unique)
    except ModelMismatch as failed:  # the constraints are not the game
        return row.replace(constrained=True, message="; ".join([*filter(None, [row.message]), str(failed)]))
