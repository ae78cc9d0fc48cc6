"""Random Sokoban levels: rooms with random walls, rooms made of patterns, and levels changed at random.

Rooms that look handmade have goals close together, and boxes pulled away from them. The plan is a pavement of 3x3
patterns, turned and mirrored, as in J. Taylor and I. Parberry, Procedural generation of Sokoban levels (2011); the
patterns here are others. The largest part is kept, blind alleys are closed, and a plan with a large empty hall or
hardly any floor is replaced. Boxes begin on their goals, and are pulled from there at random: so each level can be
solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import count
from unpuzzle.model.options import Cells, Choice, Levels, Number, Option, Size, by_name, cells_in
from unpuzzle.translators.shared.cells import neighbours
from unpuzzle.translators.sokoban.boards import SIDES, pushes

NOISE, ROOMS = "noise", "rooms"
OPTIONS: dict[str, Option] = by_name(
    Size("size", "rows and columns of the room, without the walls around it", (4, 4), most=20),
    Number("boxes", "how many, and as many goals", 2, least=1, most=20),
    Number("walls", "how many in the room, if the layout is noise", 2, most=200),
    Choice("layout", "walls anywhere, or rooms that look handmade", NOISE, (NOISE, ROOMS)),
    Levels("from", "levels to change, instead of making rooms", nothing="none"),
    Number("changes", "with --from, the most things that are moved, added or removed", 4, least=1, most=1000),
    Cells("locked", "with --from, cells that changes leave alone"),
)
OF_ROOMS, OF_CHANGES = ("size", "boxes", "walls", "layout"), ("changes", "locked")
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
"""Rows and columns of areas: a level that has such an area without a wall is too empty."""
LEAST_FLOOR = 0.4
PULLS = (6, 24)
"""The least and the largest number of pulls for each box."""
_BACK = {"u": "d", "d": "u", "l": "r", "r": "l"}


def level_of(rng: Random, options: Mapping[str, Any], given: Callable[[str], tuple[str, int]]) -> tuple[str, int]:
    """Return a random level as (cells, columns); `given` returns these for the name or text of a level.

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
        raise ParseError(
            "--walls works only with --layout noise: the other layout takes the walls from its patterns of rooms"
        )
    return made_room(rng, options["size"], options["boxes"])


def random_level(rng: Random, options: Mapping[str, Any]) -> tuple[str, int]:
    """Return a level with random walls as (cells, columns). Raises ParseError if the room is too small."""
    (rows, columns), boxes, walls = options["size"], options["boxes"], options["walls"]
    if rows * columns < walls + boxes + 1:
        things = f"{count(walls, 'wall')}, {count(boxes, 'boxe' if boxes > 1 else 'box')} and the player"
        raise ParseError(f"a room of {rows}x{columns} cells is too small for {things}")
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


# New levels by changing given ones: boxes, goals, walls and the player are moved, added and removed.
#
# The outside, the walls beside it and locked cells are unchanged. A change is kept if there is a goal for each box, and
# if the player could reach all of them without other boxes in the way.

TRIES = 50
"""The number of tries for one change; if all fail, the level is unchanged."""
NEAR = 0.5
"""The probability that an object moves to an adjacent cell, and not to any cell."""
WALL, FLOOR, OUTSIDE, GOALS, BOXES, PLAYERS = "#", "-", " ", ".+*", "$*", "@+"
_SYMBOLS = {(0, 0, 0): "-", (1, 0, 0): ".", (0, 1, 0): "$", (1, 1, 0): "*", (0, 0, 1): "@", (1, 0, 1): "+"}
"""The symbol for each combination of a goal, a box and the player."""


def changed_level(levels: Sequence[tuple[str, int]], rng: Random, options: Mapping[str, Any]) -> tuple[str, int]:
    """Return one of the given levels after random changes, as (cells, columns).

    Raises ParseError if one of them does not have a locked cell.
    """
    locked = [_cells(options["locked"], cells, columns) for cells, columns in levels]
    number = rng.randrange(len(levels))
    cells, columns = levels[number]
    changer = _Changer(cells, columns, locked[number], rng)
    return changer.change(rng.randint(1, options["changes"])), columns


def _cells(blocks: Sequence[tuple[int, int, int, int]], cells: str, columns: int) -> set[int]:
    rows = len(cells) // columns
    return {(row - 1) * columns + column - 1 for row, column in cells_in(blocks, rows, columns)}


class _Changer:
    """A maker of random changes to a level, which never changes locked cells."""

    def __init__(self, cells: str, columns: int, locked: set[int], rng: Random) -> None:
        self.cells, self.columns, self.locked, self.rng = cells, columns, locked, rng
        self._around = neighbours(len(cells) // columns, columns, SIDES)
        self._free = [cell for cell in range(len(cells)) if cell not in locked and not self._is_outside(cell)]

    def _is_outside(self, cell: int) -> bool:
        """Return whether a cell is outside of the level or one of the level's outer walls."""
        row, column = divmod(cell, self.columns)
        rows = len(self.cells) // self.columns
        if self.cells[cell] == OUTSIDE or row in (0, rows - 1) or column in (0, self.columns - 1):
            return True
        near = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        return any(self.cells[y * self.columns + x] == OUTSIDE for y, x in near)

    def change(self, number: int) -> str:
        """Return the cells of the level after the given number of random changes."""
        cells = self.cells
        for _ in range(number if len(self._free) > 1 else 0):
            cells = self._once(cells)
        return cells

    def _once(self, cells: str) -> str:
        """Return the cells after one random change that leaves a level; the same cells if no change is found."""
        for _ in range(TRIES):
            new = list(cells)
            self.rng.choice((self._move, self._move, self._exchange, self._wall, self._wall, self._add, self._remove))(
                new
            )
            if new != list(cells) and self._is_level(new):
                return "".join(new)
        return cells

    def _is_level(self, cells: Sequence[str]) -> bool:
        """Return whether cells form a level: its one player reaches all boxes and goals, and no locked cell changed."""
        players = [cell for cell, symbol in enumerate(cells) if symbol in PLAYERS]
        boxes = [cell for cell, symbol in enumerate(cells) if symbol in BOXES]
        goals = [cell for cell, symbol in enumerate(cells) if symbol in GOALS]
        if (
            len(players) != 1
            or not boxes
            or len(boxes) > len(goals)
            or any(cells[c] != self.cells[c] for c in self.locked)
        ):
            return False
        inside = distances(players, lambda cell: [to for to in self._around[cell].values() if cells[to] not in "# "])
        return all(cell in inside for cell in (*boxes, *goals))

    def _move(self, cells: list[str]) -> None:
        """Move a random box, a random goal or the player to another cell that is no wall."""
        here = self._some(cells, BOXES + GOALS + PLAYERS)
        if here is None:
            return
        target = self._near(here) if self.rng.random() < NEAR else self.rng.choice(self._free)
        if cells[target] == WALL or target == here:
            return
        parts = [part for part, has_it in enumerate(_parts(cells[here])) if has_it]
        part = self.rng.choice(parts)
        one, other = list(_parts(cells[here])), list(_parts(cells[target]))
        one[part], other[part] = other[part], one[part]
        symbols = [_SYMBOLS.get((goal, box, player)) for goal, box, player in (one, other)]
        if symbols[0] is not None and symbols[1] is not None:
            cells[here], cells[target] = symbols[0], symbols[1]

    def _exchange(self, cells: list[str]) -> None:
        one, other = self.rng.choice(self._free), self.rng.choice(self._free)
        cells[one], cells[other] = cells[other], cells[one]

    def _wall(self, cells: list[str]) -> None:
        """Turn a random floor cell into a wall, or a random wall into floor."""
        cell = self._some(cells, WALL + FLOOR)
        if cell is not None:
            cells[cell] = FLOOR if cells[cell] == WALL else WALL

    def _add(self, cells: list[str]) -> None:
        """Add a random box and a random goal."""
        box = self._some(cells, "-.")
        if box is not None:
            cells[box] = "*" if cells[box] == "." else "$"
        goal = self._some(cells, "-@$")
        if box is not None and goal is not None:
            _, boxes, players = _parts(cells[goal])
            cells[goal] = _SYMBOLS[1, boxes, players]

    def _remove(self, cells: list[str]) -> None:
        """Remove a random box and a random goal."""
        box, goal = self._some(cells, BOXES), self._some(cells, GOALS)
        if box is None or goal is None:
            return
        cells[box] = "." if cells[box] == "*" else FLOOR
        _, boxes, players = _parts(cells[goal])
        cells[goal] = _SYMBOLS[0, boxes, players]

    def _some(self, cells: Sequence[str], symbols: str) -> int | None:
        places = [cell for cell in self._free if cells[cell] in symbols]
        return self.rng.choice(places) if places else None

    def _near(self, cell: int) -> int:
        near = [to for to in self._around[cell].values() if to in self._free]
        return self.rng.choice(near) if near else cell


def _parts(symbol: str) -> tuple[int, int, int]:
    """Return three numbers, each 0 or 1: whether a symbol includes a goal, a box and the player."""
    return int(symbol in GOALS), int(symbol in BOXES), int(symbol in PLAYERS)


def made_room(rng: Random, size: tuple[int, int], boxes: int) -> tuple[str, int]:
    """Return a solvable level made of patterns, as (cells, columns); `size` is its size without outer walls.

    Raises ParseError if the boxes never fit.
    """
    rows, columns = size
    if rows * columns < 2 * boxes + 2:
        raise ParseError(f"a room of {rows}x{columns} cells is too small for moving {count(boxes, 'box', 'boxes')}")
    for last in range(PLANS, 0, -1):
        floor = _plan(rng, rows, columns)
        if _is_good(floor, rows, columns, boxes, patient=last > PLANS // 4):
            break
    else:
        floor = {(row, column) for row in range(rows) for column in range(columns)}
    width = columns + 2
    free = {(row + 1) * width + column + 1 for row, column in floor}
    return _with_goals_and_boxes(rng, free, (rows + 2) * width, width, boxes), width


def _plan(rng: Random, rows: int, columns: int) -> set[tuple[int, int]]:
    """Return the floor of a random room: the largest connected part of 3x3 patterns, without dead ends."""
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
    """Return a floor without its alleys that are dead ends."""
    while True:
        ends = [cell for cell in floor if len(near := _beside(cell, floor)) == 1 and len(_beside(near[0], floor)) <= 2]
        if not ends:
            return floor
        floor = floor.difference(ends)


def _is_good(floor: set[tuple[int, int]], rows: int, columns: int, boxes: int, patient: bool) -> bool:
    """Return whether a floor is large enough and, if `patient` is true, neither small nor a wide hall."""
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


def _with_goals_and_boxes(rng: Random, free: set[int], cells: int, width: int, boxes: int) -> str:
    """Return the cells of a level with a given floor: goals close together, and boxes pulled away from them."""
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
    """Return the cells outside of a level that are not needed as its walls."""
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
    """Pull boxes away from the goals at random; return the cells of the player and of the boxes."""
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
    """Return the cells to which the player can walk, the nearest first."""
    return list(distances([player], lambda cell: [to for to in around[cell].values() if to not in boxes]))
