"""survey(): all levels of a game in one table. Can each be solved, in how few moves, and where can a player get stuck?

Each level is explored by itself, within limits of its own. One that is too large for that is searched: then its row
says whether it can be solved and in how few moves, and nothing of what takes seeing all states. One that cannot be read
has a row that says so, and the others go on.

    rows = survey(game, limits=Limits(time=10))
    hard = [row.level for row in rows if row.cost is None or row.cost > 50]
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.counting import count_solutions
from unpuzzle.errors import LimitReached, ModelMismatch, ParseError, UnsupportedFeature
from unpuzzle.limits import Deadline, Limits, ticking
from unpuzzle.puzzle.capabilities import Constrained, Levelless, offered
from unpuzzle.result import SOLVED_OPTIMALLY, UNSOLVABLE, UNSUPPORTED
from unpuzzle.spaces.exploration import explore
from unpuzzle.spaces.searched import for_exploring, searched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from unpuzzle.puzzle.game import Game
    from unpuzzle.puzzle.position import Position
    from unpuzzle.spaces.exploration import Exploration
    from unpuzzle.spaces.searched import Known

BAD_INPUT = "bad_input"
FIELDS = ("level", "status", "solvable", "cost", "states", "dead_ends", "optimal_plans", "unique", "seconds", "message")
REQUIREMENTS = ("solvable", "unique", "no-dead-ends")
"""What may be asked of every level: a solution, exactly one, no way to get stuck."""


class Row:
    """What is known about one level.

    Attributes:
        level: its name.
        status: `solved_optimally` or `unsolvable` where all of it was seen; `timeout`, `memout` or `gave_up` beyond a
            limit; `unsupported` or `bad_input`.
        solvable: whether there is a solution; None if that is not known. Beyond a limit a search may have told.
        cost: of an optimal solution, which is the least number of moves where each costs 1; or None.
        states: how many positions can be reached; beyond a limit, how many were seen.
        dead_ends: from how many of them no goal can be reached; None where not all were seen.
        optimal_plans: how many optimal solutions there are, 0 of an unsolvable level; None where not all was seen, or
            where there is no end to them, since moves of cost 0 go round.
        unique: whether there is one solution only: where constraints are stated, one of these, whose moves may be made
            in any order; else one optimal plan. None if that is not known.
        seconds: spent on this level.
        message: why there is no answer, or no solution.
    """

    __slots__ = (
        "constrained",
        "cost",
        "dead_ends",
        "level",
        "message",
        "optimal_plans",
        "seconds",
        "solvable",
        "states",
        "status",
        "unique",
    )

    def __init__(self, level: str, status: str, message: str = "", states: int | None = None) -> None:
        self.level = level
        self.status = status
        self.message = message
        self.states = states
        self.solvable = {SOLVED_OPTIMALLY: True, UNSOLVABLE: False}.get(status)
        self.cost: int | None = None
        self.dead_ends: int | None = None
        self.optimal_plans: int | None = None
        self.unique: bool | None = None
        self.constrained = False  # whether `unique` is about solutions of constraints
        self.seconds = 0.0

    @property
    def complete(self) -> bool:
        """Whether all of the level was seen."""
        return self.status in (SOLVED_OPTIMALLY, UNSOLVABLE)

    def meets(self, requirement: str) -> bool | None:
        """Whether the level is as one of `REQUIREMENTS` says; None if that is not known."""
        if requirement == "solvable" or self.solvable is False:
            return self.solvable
        if requirement == "unique":
            return self.unique
        return self.dead_ends == 0 if self.complete else None

    def fields(self) -> dict[str, Any]:
        """The row as plain data, by the names in `FIELDS`."""
        return {name: getattr(self, name) for name in FIELDS}

    def __repr__(self) -> str:
        return f"Row({self.level!r}, {self.status!r}, cost={self.cost}, states={self.states})"


def survey(
    game: Game,
    levels: Iterable[str] | None = None,
    limits: Limits | None = None,
    *,
    max_states: int | None = None,
    read: Callable[[str], str] | None = None,
    on_row: Callable[[Row], None] | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> list[Row]:
    """A row for each level of a game.

    Args:
        game: whose levels they are.
        levels: the names of some of them; all if None.
        limits: of each level: time, and memory as `explore` counts it.
        max_states: the most states that a level may have to be explored, and that a search may expand.
        read: gives the text of a level that has a name; by default the game's own levels are meant.
        on_row: called with each row as soon as it is known.
        progress: called now and then with the name of a level and the number of its states that were seen.

    Raises ParseError where there are no levels, or none of a name.
    """
    names = list(game.levels if levels is None else levels)
    if not names:
        levelless = offered(game, Levelless)
        raise ParseError((levelless and levelless.no_level("")) or f"{game.name} has no levels to survey")
    if max_states is not None and max_states < 1:
        raise ParseError(f"max_states must be at least 1, not {max_states}")
    if read is None:
        _require_names(game, names)
    rows = []
    for name in names:
        seen = None if progress is None else _told(progress, name)
        row = _row(game, name, read or game.levels.__getitem__, limits, max_states, seen)
        rows.append(row)
        if on_row is not None:
            on_row(row)
    return rows


def _require_names(game: Game, names: Iterable[str]) -> None:
    from unpuzzle.words import suggestion

    for name in names:
        if name not in game.levels:
            hint = suggestion(name, game.levels) or f": they are {', '.join(game.levels)}"
            raise ParseError(f"{game.name} has no level '{name}'{hint}")


def _told(progress: Callable[[str, int], None], name: str) -> Callable[[int], None]:
    return lambda states: progress(name, states)


def _row(
    game: Game,
    name: str,
    read: Callable[[str], str],
    limits: Limits | None,
    max_states: int | None,
    progress: Callable[[int], None] | None,
) -> Row:
    """One level, whatever becomes of it."""
    began = perf_counter()
    try:
        with ticking(Deadline(limits, "reading the level")):
            level = game.parse(read(name), name)
        try:
            found = explore(level, for_exploring(limits), max_states=max_states, progress=progress)
            row = _explored(name, found)
        except LimitReached as reached:
            row = _searched(name, reached, searched(level, limits, began, max_states))
        _tell_unique(row, level, limits, began)
    except LimitReached as reached:
        row = Row(name, reached.status, str(reached))
    except ParseError as error:
        row = Row(name, BAD_INPUT, str(error))
    except UnsupportedFeature as error:
        row = Row(name, UNSUPPORTED, str(error))
    row.seconds = round(perf_counter() - began, 6)
    return row


def _searched(name: str, reached: LimitReached, known: Known) -> Row:
    """The row of a level that was not explored whole."""
    row = Row(name, reached.status, str(reached), getattr(reached, "states", None))
    row.solvable, row.cost = known.solvable, known.cost
    if known.message:
        row.message += f"; searched instead: {known.message}"
    return row


def _explored(name: str, found: Exploration) -> Row:
    row = Row(name, UNSOLVABLE if found.cost is None else SOLVED_OPTIMALLY, found.reason, found.states)
    row.cost, row.dead_ends, row.optimal_plans = found.cost, found.dead_ends, found.optimal_plans
    return row


def _tell_unique(row: Row, level: Position, limits: Limits | None, began: float) -> None:
    """Add whether there is one solution only."""
    row.constrained = offered(level, Constrained) is not None
    if not row.constrained:
        row.unique = row.optimal_plans == 1 if row.complete else None
    elif row.solvable is not False:
        limits = Limits() if limits is None else limits
        rest = None if limits.time is None else max(limits.time - (perf_counter() - began), 0.001)
        try:
            row.unique = count_solutions(level, limits=limits.lasting(rest)).unique
        except ModelMismatch as failed:  # the constraints are not the game
            row.message = "; ".join([*filter(None, [row.message]), str(failed)])
    else:
        row.unique = False
