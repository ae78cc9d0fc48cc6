"""Sudoku boards of one size: rows, columns and boxes, symbols, PDDL names, and the texts of levels.

A board has as many values as each of its units has cells: 4, 9 or 16, written `1` to `9`, then `A` to `G`. Cells are
numbered row by row from 0, units are the rows, then the columns, then the boxes (row by row, too).

In a level text all cells are in one line, or one row a line; other ways to write them, and files of several sudokus,
are in `collecting`. `.` is empty, and so are other signs. If a text has `0` beside another one, and no highest value,
`0` may be the lowest one of 0 to 8, or 0 to F: such a text is refused.

    ..3.4..1....2...          two times the same sudoku of 4 by 4

    ..3.
    4..1
    ....
    2...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from math import isqrt
from typing import NamedTuple

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.text import count, shorten
from unpuzzle.model.task import atom
from unpuzzle.pddl.nodes import Atom
from unpuzzle.translators.shared.cells import cell_names
from unpuzzle.translators.shared.text import Page

SIDES = (4, 9, 16)
EMPTY = "."
EMPTIES = ".0_*·-?xX"
"""The signs of empty cells, as programs write them."""
_ONE_EMPTY = str.maketrans(dict.fromkeys(EMPTIES, EMPTY))
SYMBOLS = "123456789ABCDEFG"
"""The symbols of values; value 1 is the first."""
_SHAPES = "a sudoku must have 4, 9 or 16 rows of as many cells, or all 16, 81 or 256 of them in one line"


class SudokuBoard:
    """The rows, columns and boxes of boards of one size, as lists of cells, and the symbols of their values.

    Attributes:
        side, box: the numbers of cells of a unit, and of a side of a box.
        symbols: the symbols of the values.
        names: by cell, its name.
        units: the cells of each unit.
        unit_names: `row 1`, `column 1`, `box 1`, ...
        units_of: by cell, the numbers of its row, its column and its box.
        peers: by cell, the other cells of its units.
    """

    def __init__(self, side: int) -> None:
        self.side: int = side
        self.box: int = isqrt(side)
        self.symbols: str = SYMBOLS[:side]
        self.names: tuple[str, ...] = cell_names(side, side)
        cells, box = range(side * side), self.box
        box_of = [cell // (side * box) * box + cell % side // box for cell in cells]
        units_of = [(cell // side, side + cell % side, 2 * side + box_of[cell]) for cell in cells]
        units = [tuple(cell for cell in cells if unit in units_of[cell]) for unit in range(3 * side)]
        self.units_of: tuple[tuple[int, int, int], ...] = tuple(units_of)
        self.units: tuple[tuple[int, ...], ...] = tuple(units)
        kinds = ("row", "column", "box")
        self.unit_names: tuple[str, ...] = tuple(f"{kind} {number}" for kind in kinds for number in range(1, side + 1))
        peers = [frozenset(other for unit in units_of[cell] for other in units[unit]) - {cell} for cell in cells]
        self.peers: tuple[frozenset[int], ...] = tuple(peers)

    @cached_property
    def pddl(self) -> PddlNames:
        return PddlNames(self)


board_of: Callable[[int], SudokuBoard] = cache(SudokuBoard)


class PddlNames:
    """The PDDL names of cells, units (rows, columns and boxes) and values for boards of one size.

    Attributes:
        units: by cell, the names of its row, its column and its box.
        objects, lies, goal: the objects, the static facts, and the goal of every task.
    """

    def __init__(self, board: SudokuBoard) -> None:
        unit_names = [name.replace(" ", "") for name in board.unit_names]
        values = {symbol: f"v{number}" for number, symbol in enumerate(board.symbols, 1)}
        self.units: list[list[str]] = [[unit_names[unit] for unit in units] for units in board.units_of]
        cells = list(zip(board.names, self.units, strict=True))
        self._holding = [
            {EMPTY: frozenset([atom("empty", name)])}
            | {
                symbol: frozenset([atom("holds", name, value), *[atom("has", unit, value) for unit in units]])
                for symbol, value in values.items()
            }
            for name, units in cells
        ]
        kinds = {kind: [name for name in unit_names if name.startswith(kind)] for kind in ("row", "column", "box")}
        self.objects: Mapping[str, Sequence[str]] = {"cell": board.names, "value": list(values.values()), **kinds}
        self.lies: list[Atom] = [atom("lies", name, *units) for name, units in cells]
        self.goal: list[Atom] = [atom("has", unit, value) for unit in unit_names for value in values.values()]

    def atoms(self, cells: str) -> frozenset[Atom]:
        """Return the atoms that are true on a board, as the union of cached sets."""
        return frozenset().union(*[holding[symbol] for symbol, holding in zip(cells, self._holding, strict=True)])


class Row(NamedTuple):
    """The cells of one row of a sudoku in a line of text, with their columns in the text, from 1."""

    text: str
    line: int
    columns: Sequence[int]


def cells_of(page: Page, rows: Sequence[Row]) -> str:
    """Return the cells of a sudoku, row by row, from the rows in a text; `.` is an empty cell.

    Raises ParseError for other sizes and signs, UnsupportedFeature for values from 0.
    """
    side = _side(page, rows)
    text = "".join([row.text for row in rows])
    known = {*EMPTIES, *SYMBOLS[:side]}
    if not known.issuperset(text):
        row, offset = next((row, i) for row in rows for i, symbol in enumerate(row.text) if symbol not in known)
        values = "1 to 9 and A to G" if side == 16 else f"1 to {side}"
        message = f"{shorten(row.text[offset])} is neither a value, {values}, nor '.' or '0' for empty"
        raise _error(page, message, row, offset)
    if "0" in text and not {*EMPTIES}.isdisjoint(text.replace("0", "")) and SYMBOLS[side - 1] not in text:
        values = f"0 to {('0' + SYMBOLS)[side - 1]}"
        message = f"'0' is beside '.' and there is no {SYMBOLS[side - 1]}: the values must be {values}"
        row = next(row for row in rows if "0" in row.text)
        message += f", which is not supported: write {SYMBOLS[0]} to {SYMBOLS[side - 1]}, and only '.' for empty"
        place = {"file": page.source, "line": row.line, "column": row.columns[row.text.index("0")]}
        raise UnsupportedFeature(message, feature=f"values {values}", **place)
    return text.translate(_ONE_EMPTY)


def _error(page: Page, message: str, row: Row, offset: int) -> ParseError:
    """Return an error that points to a cell of a row."""
    return page.error(message, row.line, row.columns[min(max(offset, 0), len(row.columns) - 1)])


def _side(page: Page, rows: Sequence[Row]) -> int:
    """Return the number of rows of a sudoku. Raises ParseError for a wrong shape or size."""
    first, sizes = rows[0], [side * side for side in SIDES]
    if len(rows) == 1:
        length = len(first.text)
        nearest = min(sizes, key=lambda size: abs(size - length))
        if length != nearest:
            message = f"there are {count(length, 'cell')} in one line: {_SHAPES}"
            raise _error(page, message, first, min(nearest, length - 1))
        return SIDES[sizes.index(length)]
    if len(rows) not in SIDES:
        last = rows[min(len(first.text), len(rows) - 1) if len(first.text) in SIDES else -1]
        message = f"there are {len(rows)} rows, the first of {count(len(first.text), 'cell')}: {_SHAPES}"
        raise _error(page, message, last, 0)
    for number, row in enumerate(rows, 1):
        if len(row.text) != len(rows):
            message = f"row {number} has {count(len(row.text), 'cell')}, but there are {len(rows)} rows: {_SHAPES}"
            raise _error(page, message, row, min(len(rows), len(row.text) - 1))
    return len(rows)
