"""Mazes as pictures: walls as lines that join their neighbours, two characters to a cell, so that it looks square."""

from __future__ import annotations

_JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Line characters by the sum of 1 for a line up, 2 right, 4 down, 8 left."""
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def walls(rows: int, columns: int, floor: dict[int, str]) -> str:
    """A grid of walls and floor; `floor` has the symbol of each cell that is no wall, numbered row by row from 0.

    Two walls are joined where there is floor beside the joint; so the inside of thick walls stays empty. What is
    outside the grid is wall, and is drawn where floor would be open to it.
    """

    def is_floor(row: int, column: int) -> bool:
        return 0 <= row < rows and 0 <= column < columns and row * columns + column in floor

    def is_joined(row: int, column: int, down: int, right: int) -> bool:
        if is_floor(row + down, column + right):
            return False
        # Beside this cell and beside the next one, on both sides of the line between them.
        beside = ((row + i * down + j * right, column + i * right + j * down) for i in (0, 1) for j in (1, -1))
        return any(is_floor(*cell) for cell in beside)

    def draw(row: int, column: int) -> str:
        if is_floor(row, column):
            return floor[row * columns + column] + " "
        lines = [is_joined(row, column, down, right) for down, right in _STEPS]
        if not any(lines):
            return "▪ " if any(is_floor(row + down, column + right) for down, right in _STEPS) else "  "
        return _JOINTS[sum(1 << i for i, line in enumerate(lines) if line)] + ("─" if lines[1] else " ")

    edge = any(cell // columns in (0, rows - 1) or cell % columns in (0, columns - 1) for cell in floor)
    lines = ["".join(draw(r, c) for c in range(-edge, columns + edge)) for r in range(-edge, rows + edge)]
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")
