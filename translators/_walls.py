"""Mazes as pictures: walls as lines that join their neighbours, two characters to a cell, so that it looks square."""

from __future__ import annotations

_JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Line characters by the sum of 1 for a line up, 2 right, 4 down, 8 left."""


def walls(rows: int, columns: int, blocked: set[int], symbols: dict[int, str]) -> str:
    """A grid whose `blocked` cells, numbered row by row, are walls; floor shows its symbol, if any.

    Walls are joined where they have floor beside the joint; the inside of thick walls stays empty.
    """

    def is_wall(row: int, column: int) -> bool:
        return 0 <= row < rows and 0 <= column < columns and row * columns + column in blocked

    def is_floor(row: int, column: int) -> bool:
        return 0 <= row < rows and 0 <= column < columns and row * columns + column not in blocked

    def joined(row: int, column: int, down: int, right: int) -> bool:
        """Whether a line runs from a wall to the next one."""
        beside = ((row + right, column + down), (row - right, column - down))
        ahead = ((row + down + right, column + right + down), (row + down - right, column + right - down))
        return is_wall(row + down, column + right) and any(is_floor(*cell) for cell in (*beside, *ahead))

    def draw(row: int, column: int) -> str:
        if is_floor(row, column):
            return symbols.get(row * columns + column, " ") + " "
        steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
        lines = [joined(row, column, down, right) for down, right in steps]
        alone = not any(lines) and any(is_floor(row + down, column + right) for down, right in steps)
        return ("▪" if alone else _JOINTS[sum(1 << i for i, line in enumerate(lines) if line)]) + "─ "[not lines[1]]

    return "\n".join("".join(draw(row, column) for column in range(columns)).rstrip() for row in range(rows))
