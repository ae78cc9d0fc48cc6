"""Cells of a grid: names, neighbours, distances and symmetries.

Cells are numbered row by row from 0. Their names count rows and columns from 1: `r1c1` is the top left one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import product

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import shorten
from unpuzzle.base.type_hints import Any, TypeVar
from unpuzzle.model.task import foreign
from unpuzzle.pddl.nodes import GroundAction

Directions = Mapping[str, tuple[int, int]]
"""By move, or by compass letter, the change of row and column."""
Key = TypeVar("Key")
Value = TypeVar("Value")
Item = TypeVar("Item")


STEPS = {(-1, 0): "N", (0, 1): "E", (1, 0): "S", (0, -1): "W"}
"""Compass letters by the change of row and column in a step."""
SIDES = {letter: step for step, letter in STEPS.items()}
"""The change of row and column for each compass letter."""
NEVER = float("inf")


def cell_name(cell: int, columns: int) -> str:
    """Return the name of a cell in PDDL and in moves, such as `r1c2`."""
    return f"r{cell // columns + 1}c{cell % columns + 1}"


@lru_cache(maxsize=64)
def cell_names(rows: int, columns: int) -> tuple[str, ...]:
    """Return the names of all cells of a grid."""
    return tuple([cell_name(cell, columns) for cell in range(rows * columns)])


def cell_of(name: str, rows: int, columns: int) -> int | None:
    """Return the cell with a name; None if the grid has no such cell. Raises UsageError for other texts."""
    match = re.fullmatch("r([1-9][0-9]{0,3})c([1-9][0-9]{0,3})", name, re.ASCII)
    if match is None:
        raise UsageError(f"a cell must be named by its row and column, such as r3c4, not {shorten(name)}")
    row, column = int(match[1]), int(match[2])
    return (row - 1) * columns + column - 1 if row <= rows and column <= columns else None


def place(cell: int, columns: int) -> str:
    """Return a description of a cell in words, with row and column from 1."""
    return f"row {cell // columns + 1}, column {cell % columns + 1}"


def neighbours(rows: int, columns: int, directions: Directions, torus: bool = False) -> tuple[Mapping[str, int], ...]:
    """Return the neighbours of each cell by direction; on a torus, opposite edges of the grid are adjacent.

    The directions keep their order. Equal grids share one table, which is not to be changed.
    """
    return _neighbours(rows, columns, tuple(directions.items()), torus)


@lru_cache(maxsize=64)
def _neighbours(rows: int, columns: int, directions: Iterable[Any], torus: bool) -> tuple[Mapping[str, int], ...]:
    """Compute the result of `neighbours`, cached; the directions are given as pairs of a name and a step."""
    return tuple(
        [
            {
                name: (row + down) % rows * columns + (column + right) % columns
                for name, (down, right) in directions
                if torus or (0 <= row + down < rows and 0 <= column + right < columns)
            }
            for row in range(rows)
            for column in range(columns)
        ]
    )


@lru_cache(maxsize=1 << 12)
def groups(cells: str, columns: int, symbols: str) -> tuple[tuple[int, ...], ...]:
    """Return the sets of cells that have the same symbol, one of `symbols`, and are connected by their sides.

    The cells of a group are in order, and so are the groups, by their first cells.
    """
    around = neighbours(len(cells) // columns, columns, SIDES)
    group_of: dict[int, tuple[int, ...]] = {}
    for cell, symbol in enumerate(cells):
        if symbol in symbols and cell not in group_of:
            same = {i: {side: to for side, to in around[i].items() if cells[to] == symbol} for i in range(len(cells))}
            group = tuple(sorted(reachable(cell, same)))
            group_of.update(dict.fromkeys(group, group))
    return tuple(dict.fromkeys(group_of.values()))


def reachable(start: int, around: Mapping[int, Mapping[str, int]]) -> set[int]:
    """Return the cells that can be reached from a start; `around` are each cell's neighbours by direction."""
    return set(distances([start], lambda cell: around[cell].values()))


def step(action: GroundAction, start: int, end: int) -> str:
    """Return the direction from one cell to another; the cells are the arguments `start` and `end` of an action.

    Raises ParseError if these are not two adjacent cells.
    """
    places = []
    for name in (action.arguments[start], action.arguments[end]):
        row, mark, column = name.removeprefix("r").partition("c")
        if not (mark and row.isdecimal() and column.isdecimal()):
            raise foreign(action, f"{name!r} is not a cell of the level")
        places.append((int(row), int(column)))
    letter = STEPS.get((places[1][0] - places[0][0], places[1][1] - places[0][1]))
    if letter is None:
        raise foreign(action, "the cells of the action are not neighbours")
    return letter


class Distances:
    """The numbers of steps between cells, around walls; each is computed when it is first needed.

    One end should have few different cells: there is a table for each. A table of a large grid takes milliseconds and
    many bytes, so before each new one the limits are checked.
    """

    __slots__ = ("_neighbours", "_tables")

    def __init__(self, neighbours: Mapping[int, Iterable[int]]) -> None:
        """Store a graph, a map from each cell to its neighbours; all steps must be possible in both directions."""
        self._neighbours = neighbours
        self._tables: dict[int, dict[int, int]] = {}

    def between(self, start: int, end: int) -> float:
        """Return the number of steps between two cells; infinity if there is no path."""
        table = self._tables.get(end)
        if table is None:
            if start in self._tables:
                return self._tables[start].get(end, NEVER)
            checkpoint()
            table = self._tables[end] = distances([end], self._neighbours.__getitem__)
        return table.get(start, NEVER)

    def nearest(self, start: int, goals: Set[int]) -> int | None:
        """Return the goal with the fewest steps to it; None if no goal can be reached."""
        area, layer = {start}, {start}
        while layer:
            if near_goals := layer & goals:
                return min(near_goals)
            layer = {near for cell in layer for near in self._neighbours[cell]} - area
            area |= layer
        return None


class Symmetry:
    """A reflection or rotation of grids of one size, one of the eight symmetries of the square.

    Half of them exchange rows and columns, so that a grid of 2 x 3 becomes one of 3 x 2.

    Attributes:
        rows, columns: the size of the image grid.
        cells: the image of each cell (row by row from 0).
        sides: the image of each compass letter.
    """

    __slots__ = ("cells", "columns", "rows", "sides")

    def __init__(self, rows: int, columns: int, exchanged: bool, down: int, right: int) -> None:
        """Make a symmetry: rows and columns are exchanged if `exchanged`; -1 reverses the rows or the columns."""
        order = -1 if exchanged else 1
        self.rows: int = columns if exchanged else rows
        self.columns: int = rows if exchanged else columns
        top, left = (0 if down > 0 else self.rows - 1), (0 if right > 0 else self.columns - 1)
        places = [divmod(cell, columns)[::order] for cell in range(rows * columns)]
        cells = [(top + row * down) * self.columns + left + column * right for row, column in places]
        self.cells: tuple[int, ...] = tuple(cells)
        steps = [(step[::order], side) for step, side in STEPS.items()]
        self.sides: dict[str, str] = {side: STEPS[row * down, column * right] for (row, column), side in steps}

    def moved(self, contents: Sequence[Item]) -> tuple[Item, ...]:
        """Return the contents of the cells of a grid after the reflection or rotation, row by row."""
        placed = dict(zip(self.cells, contents, strict=True))
        return tuple([placed[cell] for cell in range(len(placed))])


@lru_cache(maxsize=64)
def symmetries(rows: int, columns: int) -> tuple[Symmetry, ...]:
    """Return all eight symmetries of grids of one size, first the identity."""
    return tuple([Symmetry(rows, columns, *how) for how in product((False, True), (1, -1), (1, -1))])


class Layout:
    """The base class for the data of a level that no move changes; two objects are equal if their values are equal.

    A derived class takes the size and the rest by position, and adds what it computes from them.
    """

    __slots__ = ("_hash", "_parts", "columns", "rows")

    def __init__(self, rows: int, columns: int, *more: Hashable) -> None:
        self.rows: int = rows
        self.columns: int = columns
        self._parts = (rows, columns, *more)
        self._hash = hash(self._parts)

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self._parts == other._parts)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._parts

    def name(self, cell: int) -> str:
        return cell_name(cell, self.columns)

    def place(self, cell: int) -> str:
        return place(cell, self.columns)


class Memo(dict["Key", "Value"]):
    """A dictionary that computes a missing value by a function of its key.

    For example sets of one atom: uniting such sets, which store the hashes, is three times as fast as making a new set.
    """

    def __init__(self, function: Callable[[Key], Value]) -> None:
        self._function = function

    def __missing__(self, key: Key) -> Value:
        value = self[key] = self._function(key)
        return value
