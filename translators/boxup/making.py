"""Makers of Boxup levels of a given shape: a random level, or all levels.

A level is walls, boxes in the other cells (at most one small and one large in each; one of either size is marked), and
the mover anywhere among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from random import Random

from unpuzzle.base.errors import ParseError
from unpuzzle.base.type_hints import Any, TypeVar
from unpuzzle.puzzle.options import Number, Option, Size, by_name
from unpuzzle.puzzle.position import Position
from unpuzzle.translators.shared.cells import symmetries

Level = TypeVar("Level", bound=Position)
Boxes = dict[int, str]
"""The box of each cell."""

MOST = 9
OPTIONS: dict[str, Option] = by_name(
    Size("size", "rows and columns of the grid", (3, 3), most=MOST),
    Number("boxes", "how many, the goal pair among them; each of the others is of either size", 2, least=2, most=8),
    Number("walls", "how many", 0, most=MOST * MOST - 1),
)


def sample(parse: Callable[[str], Level], rng: Random) -> Level:
    """Return a random small level, mostly one in which the mover can reach many positions."""
    rows, columns = rng.choice([(1, 5), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 3)])
    boxes = rng.choice(["xX", "xXx", "xXX", "xXxX"] if rows * columns < 12 else ["xX"])
    walls = rng.randint(0, rows * columns // 4)
    # In most random levels the mover is soon stuck: of a few, take one where it gets around.
    levels = [parse(random_level(rng, rows, columns, boxes, walls)) for _ in range(rng.choice([1, 8, 8]))]
    return max(levels, key=_reach)


def _reach(level: Position, limit: int = 60) -> int:
    """Return the number of reachable positions, counted only up to about `limit`."""
    positions: set[Position] = {level}
    queue = [level]
    while queue and len(positions) < limit:
        position = queue.pop()
        # In the order of the moves: the order of a set differs from process to process, and so would the samples.
        new = [following for following in map(position.apply, position.moves()) if following not in positions]
        positions.update(new)
        queue += new
    return len(positions)


def random_text(rng: Random, options: Mapping[str, Any]) -> str:
    """Return a random level's text. Raises ParseError if the grid has too few cells."""
    (rows, columns), walls = options["size"], options["walls"]
    smalls = rng.choice(_smalls(options))
    return random_level(rng, rows, columns, "x" * smalls + "X" * (options["boxes"] - smalls), walls)


def every_text(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of all levels, except some that are reflections or rotations of other levels."""
    (rows, columns), counts = options["size"], _smalls(options)
    cells = range(rows * columns)
    # Any level can be turned so that its mover is in the least of the cells that its own can become.
    turns = [turn.cells for turn in symmetries(rows, columns) if (turn.rows, turn.columns) == (rows, columns)]
    movers = [cell for cell in cells if cell == min(turn[cell] for turn in turns)]
    for walls in combinations(cells, options["walls"]):
        free = [cell for cell in cells if cell not in walls]
        for count in counts:
            for smalls in _placed(free, count, "nesw"):
                for larges in _placed(free, options["boxes"] - count, "NESW"):
                    for mover in movers:
                        if mover not in walls:
                            there = [larges.get(c, "") + smalls.get(c, "") + "@" * (c == mover) for c in cells]
                            yield _joined(columns, ["#" if c in walls else there[c] or "." for c in cells])


def _smalls(options: Mapping[str, Any]) -> list[int]:
    """Return the possible numbers of small boxes: at least one, not all, and at most one box of each size per cell."""
    (rows, columns), boxes, walls = options["size"], options["boxes"], options["walls"]
    free = rows * columns - walls
    counts = [smalls for smalls in range(1, boxes) if max(smalls, boxes - smalls) <= free]
    if not counts:
        raise ParseError(
            f"{rows}x{columns} cells with {walls} walls have no room for {boxes} boxes: "
            f"a cell can contain one small and one large box at most"
        )
    return counts


def _placed(free: list[int], count: int, sides: str) -> Iterator[Boxes]:
    """Yield all placements of boxes of one size in the free cells, with each choice of the marked box."""
    for homes in combinations(free, count):
        for marked in homes:
            for opens in product(sides, repeat=count):
                yield {home: side + "!" * (home == marked) for home, side in zip(homes, opens, strict=True)}


def random_level(rng: Random, rows: int, columns: int, boxes: str, walls: int) -> str:
    """Return a level's text: `boxes` has an `x` per small box and an `X` per large box, the marked boxes first."""
    cells = [["", "", ""] for _ in range(rows * columns)]
    free = rng.sample(range(len(cells)), len(cells) - walls)
    for layer, size in enumerate("Xx"):
        homes = rng.sample(free, min(boxes.count(size), len(free)))
        for number, home in enumerate(homes):
            side = rng.choice("NESW")
            cells[home][layer] = (side if size == "X" else side.lower()) + ("" if number else "!")
    cells[rng.choice(free)][2] = "@"
    words = ["".join(cell) or ("." if i in free else "#") for i, cell in enumerate(cells)]
    return _joined(columns, words)


def _joined(columns: int, words: list[str]) -> str:
    return "".join(" ".join(words[i : i + columns]) + "\n" for i in range(0, len(words), columns))
