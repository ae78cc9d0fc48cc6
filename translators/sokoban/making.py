"""Random levels of Sokoban: a room with walls around it, and some in it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.options import Number, Option, Size, by_name
from unpuzzle.translators.sokoban.squares import pushes
from unpuzzle.words import count

OPTIONS: dict[str, Option] = by_name(
    Size("size", "rows and columns of the room, without the walls around it", (4, 4), most=20),
    Number("boxes", "how many, and as many goals", 2, least=1, most=20),
    Number("walls", "how many, in the room", 2, most=200),
)


def random_level(rng: Random, options: Mapping[str, Any]) -> tuple[str, int]:
    """Return a level's cells and columns, its boxes off dead squares if it can. Raises ParseError for small rooms."""
    (rows, columns), boxes, walls = options["size"], options["boxes"], options["walls"]
    if rows * columns < walls + boxes + 1:
        things = f"{count(walls, 'wall')}, {count(boxes, 'boxe' if boxes > 1 else 'box')} and the player"
        raise ParseError(f"a room of {rows}x{columns} cells has no place for {things}")
    width = columns + 2
    room = [row * width + column for row in range(1, rows + 1) for column in range(1, columns + 1)]
    cells = ["#"] * (width * (rows + 2))
    for cell in (free := rng.sample(room, len(room) - walls)):
        cells[cell] = "-"
    for cell in free[:boxes]:
        cells[cell] = "."
    ways = pushes("".join(cells), width)
    alive = [cell for cell in free if any(cell in way for way in ways)]
    homes = rng.sample(alive if len(alive) >= boxes else free, boxes)
    for cell in homes:
        cells[cell] = "*" if cells[cell] == "." else "$"
    player = rng.choice([cell for cell in free if cell not in homes])
    cells[player] = "+" if cells[player] == "." else "@"
    return "".join(cells), width
