"""What a page has to know of one level: its picture, its moves, and what it plays by."""

from __future__ import annotations

from unpuzzle.errors import LimitReached, PlannerMissing, UnsupportedFeature
from unpuzzle.exploring.exploration import Exploration, explore
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pictures.page.operators import Operators
from unpuzzle.pictures.page.tables import Table
from unpuzzle.pictures.svg import SCOPE, board, frame, roles, symbols
from unpuzzle.planners.spaces.by_rules import RulesSpace
from unpuzzle.result import GAVE_UP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from unpuzzle.picture import Ground
    from unpuzzle.puzzle.position import Position

MAX_STATES = 20_000
"""The most states of a table, unless more are asked for: about 100 KB."""
SHAPES = "p"
"""The scope of the looks' names: a page shows one level at a time."""
SIDES = "udlrnesw"
"""The letters of moves for which there are arrows."""
NOTE = "This level has more than {states:,} positions: it can be played, but this page knows no hints for it."
FILM = "Only one solution can be played here, by Solution or move by move."


class Level:
    """A level on a page.

    Attributes:
        position: the start.
        name: what it is called.
        states: how many there are in its table; None where there are too many for one.
        ground: of its pictures, and the `roles` of paint that they need.
        model: the script that plays it.
        named: whether some moves are not just the sides of a cross.
        data: what that reads: an object for JSON, and bytes.
    """

    def __init__(
        self,
        position: Position,
        name: str = "",
        *,
        solution: Sequence[str] = (),
        max_states: int = MAX_STATES,
        limits: Limits | None = None,
        progress: Callable[[int], None] | None = None,
        free: bool = True,
    ) -> None:
        """Explore a level.

        Args:
            position: the start.
            name: what to call it, where a page has several.
            solution: legal moves, which the page plays when it is asked for a solution; else it plays a best one.
            max_states: if there are more states, the page plays freely and without hints,
            free: or, if this is false or cannot be, the solution and nothing else.
            limits: of the time and the memory that this takes.
            progress: called now and then with the number of states that were explored.

        Raises LimitReached, and for too large a level without a solution what `Operators` does.
        """
        self.position = position
        self.name = name
        found = _explored(position, max_states, limits, progress)
        self.states = found.states if found else None
        played, told = (Table(found), {}) if found else _beyond(position, solution, max_states, limits, free)
        self.model = "table.js" if isinstance(played, Table) else "operators.js"
        self.named = any(len(move) > 1 or move.lower() not in SIDES for move, _ in played.moves)
        self.ground = ground = played.ground
        self.roles = roles([*ground.shapes, *(shape for look in ground.looks.values() for shape in look.shapes)])
        head = _head(ground, played) | told
        head |= {"states": len(played.positions)} if isinstance(played, Table) else {}
        head |= {"solution": list(solution)} if solution else {}
        self.data = head, played.packed()


def _beyond(
    position: Position, solution: Sequence[str], max_states: int, limits: Limits | None, free: bool
) -> tuple[Table | Operators, dict[str, Any]]:
    """What a page plays by where there are too many states for a table, and what it says about that."""
    try:
        if free or not solution:
            return Operators(position, limits), {"note": NOTE.format(states=max_states)}
    except (UnsupportedFeature, PlannerMissing) as error:
        if not solution:
            message = f"no page without a table of all states, and there are more than {max_states:,}: {error}"
            if isinstance(error, PlannerMissing):
                raise PlannerMissing(message, planner=error.planner) from None
            raise UnsupportedFeature(message, feature=error.feature) from None
    return Table(_only(position, solution)), {"note": FILM, "film": 1}


def _only(position: Position, solution: Sequence[str]) -> Exploration:
    """A state space in which a solution is all that can be done."""
    positions, edges, operators = [position], [], []
    for number, move in enumerate(solution):
        operators.append((move, positions[-1].cost(move)))
        positions.append(positions[-1].apply(move))
        edges.append([(number, number + 1)])
    return Exploration(position, RulesSpace(positions, [*edges, []], operators, False, Deadline(Limits(), "drawing")))


def _explored(
    position: Position, max_states: int, limits: Limits | None, progress: Callable[[int], None] | None
) -> Exploration | None:
    """The state space, None if it is larger than wanted."""
    try:
        return explore(position, limits, max_states=max_states, progress=progress)
    except LimitReached as reached:
        if reached.status != GAVE_UP:
            raise
        return None


def _head(ground: Ground, played: Table | Operators) -> dict[str, Any]:
    """The picture and the names of things."""
    layers = ground.layers()
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(place[3] for place in played.numbers))}
    costs = [cost for _, cost in played.moves]
    return {
        "box": frame(ground),
        "board": f"<defs>{symbols(ground)}</defs>{board(ground)}".replace(SCOPE, SHAPES),
        "labels": [look.label or look.text.strip() for look in ground.looks.values()],
        "places": [[layers[look], row, column, kinds[kind]] for look, row, column, kind, _ in played.numbers],
        "moves": [move for move, _ in played.moves],
        **({"costs": costs} if set(costs) - {1} else {}),
    }
