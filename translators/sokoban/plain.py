"""A level as plain data, for search components that others write: rows of XSB, all of the same length."""

from __future__ import annotations

from unpuzzle.translators.shared.grid import GridPuzzle

FLOOR = str.maketrans("-_", "  ")


def rows(position: GridPuzzle) -> list[str]:
    """Return a blank is floor, or outside."""
    cells, columns = position.cells, position.columns
    return [cells[row : row + columns].translate(FLOOR) for row in range(0, len(cells), columns)]


def respelled(position: GridPuzzle, plain: object) -> object:
    """Floor may be written with `-` and `_`."""
    if not isinstance(plain, list) or not all(isinstance(row, str) for row in plain):
        return plain
    return [row.translate(FLOOR) for row in plain]
