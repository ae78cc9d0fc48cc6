"""The symmetries of a grid: its reflections and rotations, eight of them (the dihedral group of the square).

Half of them exchange rows and columns, so that a grid of 2 x 3 becomes one of 3 x 2. The first changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import TypeVar

from unpuzzle.translators.shared.cells import STEPS

Item = TypeVar("Item")


class Symmetry:
    """One of them, for grids of one size.

    Attributes:
        rows, columns: of the grid that it makes.
        cells: by cell (row by row from 0) the cell that it becomes.
        sides: by compass letter the one that it becomes.
    """

    __slots__ = ("cells", "columns", "rows", "sides")

    def __init__(self, rows: int, columns: int, exchanged: bool, down: int, right: int) -> None:
        """Exchange rows and columns or not; turn the rows upside down if `down` is -1, the columns if `right` is."""
        order = -1 if exchanged else 1
        self.rows, self.columns = (rows, columns)[::order]
        top, left = (0 if down > 0 else self.rows - 1), (0 if right > 0 else self.columns - 1)
        places = [divmod(cell, columns)[::order] for cell in range(rows * columns)]
        self.cells: tuple[int, ...] = tuple(
            [(top + row * down) * self.columns + left + column * right for row, column in places]
        )
        steps = [(step[::order], side) for step, side in STEPS.items()]
        self.sides: dict[str, str] = {side: STEPS[row * down, column * right] for (row, column), side in steps}

    def moved(self, contents: Sequence[Item]) -> tuple[Item, ...]:
        """Return the contents of all cells, row by row, each in its new place."""
        placed = dict(zip(self.cells, contents, strict=True))
        return tuple([placed[cell] for cell in range(len(placed))])


@lru_cache(maxsize=64)
def symmetries(rows: int, columns: int) -> tuple[Symmetry, ...]:
    """Return all eight symmetries of grids of a size."""
    return tuple([Symmetry(rows, columns, *how) for how in product((False, True), (1, -1), (1, -1))])
