"""Rooms that look handmade: floor plans from small patterns, goals close together, boxes pulled away from them.

The plan is a pavement of 3x3 patterns, turned and mirrored, as in J. Taylor and I. Parberry, Procedural generation of
Sokoban levels (2011); the patterns here are others. The largest part is kept, blind alleys are closed, and a plan with
a large empty hall or hardly any floor is replaced. Boxes begin on their goals, and are pulled from there at random: so
each level can be solved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from unpuzzle.errors import ParseError
from unpuzzle.translators.shared.cells import neighbours
from unpuzzle.translators.sokoban.squares import SIDES
from unpuzzle.walks import distances
from unpuzzle.words import count

PATTERNS = (
    ("...", "...", "..."),
    ("...", "...", "..."),
    ("...", "...", "..#"),
    ("...", "...", ".##"),
    ("...", "...", "###"),
    ("...", "..#", ".##"),
    ("...", ".#.", "..."),
    ("...", ".##", ".##"),
    ("#..", "...", "..#"),
    ("#..", "...", "#.."),
    ("#..", "#..", "###"),
    ("###", "...", "..."),
    ("..#", "...", "##."),
    ("#.#", "...", "..."),
)
"""Patterns of walls `#` and floor. The first one is listed twice, to be used twice as often."""
PLANS = 200
"""The largest number of plans tried until one is good."""
HALLS = ((3, 4), (4, 3))
"""Rows and columns of the smallest areas without a wall that are too empty."""
LEAST_FLOOR = 0.4
PULLS = (6, 24)
"""The least and the largest number of pulls for each box."""


def made_room(rng: Random, size: tuple[int, int], boxes: int) -> tuple[str, int]:
    """Return cells and columns of a solvable level with a size, which does not count the walls around it.

    Raises ParseError if so many boxes never fit.
    """
    rows, columns = size
    if rows * columns < 2 * boxes + 2:
        raise ParseError(f"a room of {rows}x{columns} cells has no place for {count(boxes, 'box', 'boxes')} to move")
    for last in range(PLANS, 0, -1):
        floor = _plan(rng, rows, columns)
        if _is_good(floor, rows, columns, boxes, patient=last > PLANS // 4):
            break
    else:
        floor = {(row, column) for row in range(rows) for column in range(columns)}
    width = columns + 2
    free = {(row + 1) * width + column + 1 for row, column in floor}
    return _furnished(rng, free, (rows + 2) * width, width, boxes), width


def _plan(rng: Random, rows: int, columns: int) -> set[tuple[int, int]]:
    """Return the floor of a pavement: its largest part, without blind alleys."""
    down, right = rng.randrange(3), rng.randrange(3)
    floor: set[tuple[int, int]] = set()
    for top in range(-down, rows, 3):
        for left in range(-right, columns, 3):
            pattern = _turned(rng, rng.choice(PATTERNS))
            cells = {
                (top + y, left + x) for y, row in enumerate(pattern) for x, symbol in enumerate(row) if symbol == "."
            }
            floor |= {(y, x) for y, x in cells if 0 <= y < rows and 0 <= x < columns}
    parts: list[set[tuple[int, int]]] = []
    for cell in sorted(floor):
        if not any(cell in part for part in parts):
            parts.append(set(distances([cell], lambda place: _beside(place, floor))))
    return _without_alleys(max(parts, key=len)) if parts else set()


def _turned(rng: Random, pattern: Sequence[str]) -> Sequence[str]:
    for _ in range(rng.randrange(4)):
        pattern = ["".join(column) for column in zip(*pattern, strict=True)][::-1]
    return [row[::-1] for row in pattern] if rng.random() < 0.5 else pattern


def _beside(cell: tuple[int, int], floor: set[tuple[int, int]]) -> list[tuple[int, int]]:
    row, column = cell
    return [to for y, x in SIDES.values() if (to := (row + y, column + x)) in floor]


def _without_alleys(floor: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the floor without the ends of alleys; a niche of one cell beside a wider place stays."""
    while True:
        ends = [cell for cell in floor if len(near := _beside(cell, floor)) == 1 and len(_beside(near[0], floor)) <= 2]
        if not ends:
            return floor
        floor = floor.difference(ends)


def _is_good(floor: set[tuple[int, int]], rows: int, columns: int, boxes: int, patient: bool) -> bool:
    """Return whether a plan is good enough; `patient`: also whether it is neither empty nor full."""
    if len(floor) < 2 * boxes + 2:
        return False
    if not patient:
        return True
    if len(floor) < LEAST_FLOOR * rows * columns:
        return False
    return not any(
        all((row + y, column + x) in floor for y in range(high) for x in range(wide))
        for high, wide in HALLS
        for row, column in floor
    )


def _furnished(rng: Random, free: set[int], cells: int, width: int, boxes: int) -> str:
    """Return the cells of a level with this floor: goals close together, boxes pulled away from them."""
    around = [
        {side: to for side, to in each.items() if to in free} for each in neighbours(cells // width, width, SIDES)
    ]
    centre = rng.choice(sorted(free))
    far = distances([centre], lambda cell: around[cell].values())
    near = sorted(free, key=lambda cell: (far[cell], rng.random()))
    goals = set(rng.sample(near[: boxes + (boxes + 1) // 2], boxes))
    player, places = _pulled(rng, around, goals, rng.choice([cell for cell in free if cell not in goals]))
    outside = _outside(free, cells, width)
    symbols = ["-" if cell in free else " " if cell in outside else "#" for cell in range(cells)]
    for cell in goals:
        symbols[cell] = "."
    for cell in places:
        symbols[cell] = "*" if cell in goals else "$"
    symbols[player] = "+" if player in goals else "@"
    return "".join(symbols)


def _outside(free: set[int], cells: int, width: int) -> set[int]:
    """Return the cells that need no wall: from the edge up to the cells that touch floor, even at corners."""
    across = (-1, 0, 1)
    walls = {cell + down * width + right for cell in free for down in across for right in across}
    edge = [cell for cell in range(cells) if cell < width or cell >= cells - width or cell % width in (0, width - 1)]
    around = neighbours(cells // width, width, SIDES)
    return set(
        distances(
            [cell for cell in edge if cell not in walls],
            lambda cell: [to for to in around[cell].values() if to not in walls],
        )
    )


def _pulled(rng: Random, around: Sequence[Mapping[str, int]], goals: set[int], player: int) -> tuple[int, set[int]]:
    """Return the cells of the player and the boxes after random pulls, the last ones with the fewest boxes on goals."""
    boxes, best = set(goals), (player, set(goals))
    for _ in range(rng.randint(*PULLS) * len(goals)):
        reach = _reach(around, boxes, player)
        pulls = [
            (box, cell, beyond)
            for cell in reach
            for side, beyond in around[cell].items()
            if beyond in reach and (box := around[cell].get(_BACK[side])) in boxes
        ]
        if not pulls:
            break
        box, cell, player = rng.choice(pulls)
        boxes = boxes - {box} | {cell}
        if len(boxes & goals) <= len(best[1] & goals):
            best = player, boxes
    return rng.choice(sorted(_reach(around, best[1], best[0]))), best[1]


def _reach(around: Sequence[Mapping[str, int]], boxes: set[int], player: int) -> list[int]:
    """Return the cells that the player can walk to, the nearest first."""
    return list(distances([player], lambda cell: [to for to in around[cell].values() if to not in boxes]))


_BACK = {"u": "d", "d": "u", "l": "r", "r": "l"}
