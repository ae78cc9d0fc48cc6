"""What a page has to know of one level: its picture, its moves, and the table of its states."""

from __future__ import annotations

from unpuzzle.exploring import explore
from unpuzzle.picture import picture_of
from unpuzzle.pictures.page.tables import Table, numbered
from unpuzzle.pictures.svg import SCOPE, board, frame, roles, symbols
from unpuzzle.planners.watch import LimitReachedError
from unpuzzle.result import GAVE_UP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from unpuzzle.exploring import Exploration
    from unpuzzle.picture import Ground
    from unpuzzle.puzzle.position import Position

MAX_STATES = 20_000
"""The most states of a table, unless more are asked for: about 100 KB."""
SHAPES = "p"
"""The scope of the looks' names: a page shows one level at a time."""


class Level:
    """A level on a page.

    Attributes:
        position: the start.
        name: what it is called.
        roles: the paint that its picture needs.
        data: what the player reads, before it is packed: `{...}` in JSON, then the table.
    """

    def __init__(
        self, position: Position, name: str = "", solution: Sequence[str] = (), max_states: int = MAX_STATES
    ) -> None:
        self.position = position
        self.name = name
        ground, _ = picture_of(position)
        self.roles = roles([*ground.shapes, *(shape for look in ground.looks.values() for shape in look.shapes)])
        head: dict[str, Any] = {
            "name": name,
            "box": frame(ground),
            "board": _picture(ground),
            "labels": [look.label or look.text.strip() for look in ground.looks.values()],
        }
        if solution:
            head["solution"] = list(solution)
        found = explored(position, max_states)
        self.states = found.states if found else None
        self.data = _with_table(head, ground, found) if found else (head, b"")


def explored(position: Position, max_states: int) -> Exploration | None:
    """The state space, None if it is larger than wanted."""
    try:
        return explore(position, max_states=max_states)
    except LimitReachedError as reached:
        if reached.status != GAVE_UP:
            raise
        return None


def _picture(ground: Ground) -> str:
    return f"<defs>{symbols(ground)}</defs>{board(ground)}".replace(SCOPE, SHAPES)


def _with_table(head: dict[str, Any], ground: Ground, found: Exploration) -> tuple[dict[str, Any], bytes]:
    table = Table(found)
    numbers = numbered(ground, table.positions)
    layers = ground.layers()
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(place[3] for place in numbers))}
    head["places"] = [[layers[look], row, column, kinds[kind]] for look, row, column, kind, _ in numbers]
    head["moves"] = [move for move, _ in table.moves]
    if {cost for _, cost in table.moves} - {1}:
        head["costs"] = [cost for _, cost in table.moves]
    head["states"] = len(table.positions)
    return head, table.packed(numbers)
