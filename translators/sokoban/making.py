"""Levels of Sokoban: rooms with walls around and in them; rooms that look handmade; or changed given levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.options import Cells, Choice, Levels, Number, Option, Size, by_name
from unpuzzle.translators.sokoban.changing import changed_level
from unpuzzle.translators.sokoban.rooms import made_room
from unpuzzle.translators.sokoban.squares import pushes
from unpuzzle.words import count

NOISE, ROOMS = "noise", "rooms"
OPTIONS: dict[str, Option] = by_name(
    Size("size", "rows and columns of the room, without the walls around it", (4, 4), most=20),
    Number("boxes", "how many, and as many goals", 2, least=1, most=20),
    Number("walls", "how many, in the room, where the layout is noise", 2, most=200),
    Choice("layout", "walls anywhere, or rooms that look made", NOISE, (NOISE, ROOMS)),
    Levels("from", "what to change, instead of making rooms", nothing="none"),
    Number("changes", "with --from, how often something is moved, added or taken away, at most", 4, least=1, most=1000),
    Cells("locked", "with --from, what changes leave alone"),
)
OF_ROOMS, OF_CHANGES = ("size", "boxes", "walls", "layout"), ("changes", "locked")


def level_of(rng: Random, options: Mapping[str, Any], given: Callable[[str], tuple[str, int]]) -> tuple[str, int]:
    """Return a level's cells and columns; `given` returns them for a level by name or text.

    Options that are left out have their defaults. Raises ParseError for small rooms, and for options that exclude each
    other.
    """
    options = {name: option.default for name, option in OPTIONS.items()} | dict(options)
    sources = options["from"]
    for name in OF_ROOMS if sources else OF_CHANGES:
        if options[name] != OPTIONS[name].default:
            raise ParseError(f"--{name} is for levels that are made {'without' if sources else 'with'} --from")
    if sources:
        return changed_level([given(source) for source in sources], rng, options)
    if options["layout"] == NOISE:
        return random_level(rng, options)
    if options["walls"] != OPTIONS["walls"].default:
        raise ParseError("--walls is for --layout noise: rooms that look made have the walls of their patterns")
    return made_room(rng, options["size"], options["boxes"])


def random_level(rng: Random, options: Mapping[str, Any]) -> tuple[str, int]:
    """Return a level's cells and columns, with boxes off dead squares if possible. Raises ParseError if too small."""
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
