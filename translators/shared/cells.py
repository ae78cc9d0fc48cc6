"""Cells of a grid and steps between them.

Cells are numbered row by row from 0. Their names count rows and columns from 1: `r1c1` is the top left one.
"""

from __future__ import annotations

from functools import lru_cache

from unpuzzle.puzzle.task import foreign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from unpuzzle.pddl.nodes import GroundAction

    Directions = Mapping[str, tuple[int, int]]
    """By move, or by compass letter, what it adds to the row and the column."""

STEPS = {(-1, 0): "N", (0, 1): "E", (1, 0): "S", (0, -1): "W"}
"""Compass letters by what a step adds to the row and the column."""
SIDES = {letter: step for step, letter in STEPS.items()}
"""By compass letter, what a step adds."""


def cell_name(cell: int, columns: int) -> str:
    """Return the name of a cell in PDDL, and in moves."""
    return f"r{cell // columns + 1}c{cell % columns + 1}"


@lru_cache(maxsize=64)
def cell_names(rows: int, columns: int) -> tuple[str, ...]:
    """Return the names of all cells of a grid."""
    return tuple([cell_name(cell, columns) for cell in range(rows * columns)])


def place(cell: int, columns: int) -> str:
    """Return a cell in words: row and column, from 1."""
    return f"row {cell // columns + 1}, column {cell % columns + 1}"


def neighbours(rows: int, columns: int, directions: Directions, torus: bool = False) -> tuple[Mapping[str, int], ...]:
    """Return by cell and direction the next cell. None lies beyond an edge, but on a torus the one opposite.

    The directions keep their order. Equal grids share one table, which is not to be changed.
    """
    return _neighbours(rows, columns, tuple(directions.items()), torus)


@lru_cache(maxsize=64)
def _neighbours(rows: int, columns: int, directions: Iterable[Any], torus: bool) -> tuple[Mapping[str, int], ...]:
    def found(row: int, column: int) -> Iterator[tuple[str, int]]:
        for name, (down, right) in directions:
            to_row, to_column = row + down, column + right
            if torus or (0 <= to_row < rows and 0 <= to_column < columns):
                yield name, to_row % rows * columns + to_column % columns

    return tuple([dict(found(row, column)) for row in range(rows) for column in range(columns)])


@lru_cache(maxsize=1 << 12)
def groups(cells: str, columns: int, symbols: str) -> tuple[tuple[int, ...], ...]:
    """Return the groups of cells that touch at their sides and hold the same symbol, one of `symbols`.

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
    """Return the cells that can be walked to, when `around` has for each cell the cells next to it by direction."""
    seen, stack = {start}, [start]
    while stack:
        new = set(around[stack.pop()].values()) - seen
        seen |= new
        stack += new
    return seen


def step(action: GroundAction, start: int, end: int) -> str:
    """Return the compass letter of the step between the cells that two of the action's arguments name.

    Raises ParseError where these are no cells, or no neighbours.
    """
    (row, column), (to_row, to_column) = (_row_and_column(action, i) for i in (start, end))
    letter = STEPS.get((to_row - row, to_column - column))
    if letter is None:
        raise foreign(action, "its cells are not neighbours")
    return letter


def _row_and_column(action: GroundAction, index: int) -> tuple[int, int]:
    row, mark, column = action.arguments[index].removeprefix("r").partition("c")
    if not (mark and row.isdecimal() and column.isdecimal()):
        raise foreign(action, f"{action.arguments[index]!r} is not a cell")
    return int(row), int(column)
