"""Boards of one size: which cells are the rows, columns and boxes, and how values are written.

A board has as many values as each of its units has cells: 4, 9 or 16, written `1` to `9`, then `A` to `G`. Cells are
numbered row by row from 0, units are the rows, then the columns, then the boxes (row by row, too).
"""

from __future__ import annotations

from functools import cache
from math import isqrt

from unpuzzle.translators.shared.cells import cell_names

SIDES = (4, 9, 16)
EMPTY = "."
SYMBOLS = "123456789ABCDEFG"
"""Value 1 is the first of them."""


class Board:
    """All that is the same for every position of a size.

    Attributes:
        side, box: how many cells a unit has, and how many a side of a box has.
        symbols: the values as they are written.
        names: by cell, its name.
        units: the cells of each unit.
        unit_names: `row 1`, `column 1`, `box 1`, ...
        units_of: by cell, the numbers of its row, its column and its box.
        peers: by cell, the other cells of its units.
    """

    __slots__ = ("box", "names", "peers", "side", "symbols", "unit_names", "units", "units_of")

    def __init__(self, side: int) -> None:
        self.side, self.box, self.symbols = side, isqrt(side), SYMBOLS[:side]
        self.names: tuple[str, ...] = cell_names(side, side)
        cells, box = range(side * side), self.box
        box_of = [cell // (side * box) * box + cell % side // box for cell in cells]
        self.units_of: tuple[tuple[int, int, int], ...] = tuple(
            (cell // side, side + cell % side, 2 * side + box_of[cell]) for cell in cells
        )
        self.units: tuple[tuple[int, ...], ...] = tuple(
            tuple(cell for cell in cells if unit in self.units_of[cell]) for unit in range(3 * side)
        )
        kinds = ("row", "column", "box")
        self.unit_names: tuple[str, ...] = tuple(f"{kind} {number}" for kind in kinds for number in range(1, side + 1))
        self.peers: tuple[frozenset[int], ...] = tuple(
            frozenset(other for unit in self.units_of[cell] for other in self.units[unit]) - {cell} for cell in cells
        )


board_of = cache(Board)
