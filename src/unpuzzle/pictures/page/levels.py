"""What a page has to know of one level: its picture, its moves, and what it plays by."""

from __future__ import annotations

from unpuzzle.exploring.exploration import explore
from unpuzzle.picture import picture_of
from unpuzzle.pictures.page.operators import Operators
from unpuzzle.pictures.page.tables import Table
from unpuzzle.pictures.svg import SCOPE, board, frame, roles, symbols
from unpuzzle.planners.watch import LimitReachedError
from unpuzzle.result import GAVE_UP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from unpuzzle.exploring.exploration import Exploration
    from unpuzzle.limits import Limits
    from unpuzzle.picture import Ground
    from unpuzzle.puzzle.position import Position

MAX_STATES = 20_000
"""The most states of a table, unless more are asked for: about 100 KB."""
SHAPES = "p"
"""The scope of the looks' names: a page shows one level at a time."""
SIDES = "udlrnesw"
"""The letters of moves for which there are arrows."""
NOTE = "This level has more than {states:,} positions: it can be played to the end, but the page knows no hints for it."


class Level:
    """A level on a page.

    Attributes:
        position: the start.
        name: what it is called.
        states: how many there are in its table; None where there are too many for one.
        roles: the paint that its picture needs.
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
    ) -> None:
        """Explore a level. Where it has more than `max_states` states, the page plays without hints, but shows a
        `solution`, if it is given.

        Raises LimitReachedError; and for too large a level what `Operators` does.
        """
        self.position = position
        self.name = name
        ground, _ = picture_of(position)
        self.roles = roles([*ground.shapes, *(shape for look in ground.looks.values() for shape in look.shapes)])
        found = _explored(position, max_states, limits, progress)
        self.states = found.states if found else None
        self.model = "table.js" if found else "operators.js"
        played = Table(found) if found else Operators(position, limits)
        self.named = any(len(move) > 1 or move.lower() not in SIDES for move, _ in played.moves)
        head = _head(ground, played)
        head |= {"states": self.states} if found else {"note": NOTE.format(states=max_states)}
        head |= {"solution": list(solution)} if solution else {}
        self.data = head, played.packed()


def _explored(
    position: Position, max_states: int, limits: Limits | None, progress: Callable[[int], None] | None
) -> Exploration | None:
    """The state space, None if it is larger than wanted."""
    try:
        return explore(position, limits, max_states=max_states, progress=progress)
    except LimitReachedError as reached:
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
