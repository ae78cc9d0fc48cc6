"""Boxup as a picture: boxes are frames without their open side; the goal pair has double lines; `@` is the mover.

┌─────┐      a large box open to the east, in it the marked small box,
│╔   ╗       open to the north, in it the mover
│║ @ ║
│╚═══╝
└─────┘
"""

from __future__ import annotations

_WIDTH, _HEIGHT = 7, 5
_SINGLE, _DOUBLE = "─│┌┐└┘", "═║╔╗╚╝"

Cell = tuple[str, str, bool, bool]
"""Large box, small box (as in the level's text), whether the mover is here, whether this is a wall."""


def picture(cells: list[Cell], columns: int) -> str:
    """The cells of a board, given row by row."""
    rule = "─" * ((_WIDTH + 1) * columns + 1)
    lines = [f"╭{rule}╮"]
    for start in range(0, len(cells), columns):
        blocks = [_cell(*cell) for cell in cells[start : start + columns]]
        lines += ["│ " + " ".join(parts) + " │" for parts in zip(*blocks, strict=True)]
    return "\n".join([*lines, f"╰{rule}╯"])


def _cell(large: str, small: str, mover: bool, wall: bool) -> list[str]:
    """The lines of one cell."""
    if wall:
        return ["█" * _WIDTH] * _HEIGHT
    canvas = [[" "] * _WIDTH for _ in range(_HEIGHT)]
    for box, margin in ((large, 0), (small, 1)):
        if box:
            _frame(canvas, box[0].upper(), _DOUBLE if box.endswith("!") else _SINGLE, margin)
    canvas[_HEIGHT // 2][_WIDTH // 2] = "@" if mover else " " if large or small else "·"
    return ["".join(line) for line in canvas]


def _frame(canvas: list[list[str]], side: str, lines: str, margin: int) -> None:
    """Draws a box `margin` from the cell's edge; of its open side only the corners remain."""
    flat, upright, corners = lines[0], lines[1], lines[2:]
    top, bottom, left, right = margin, _HEIGHT - 1 - margin, margin, _WIDTH - 1 - margin
    for column in range(left + 1, right):
        canvas[top][column] = " " if side == "N" else flat
        canvas[bottom][column] = " " if side == "S" else flat
    for row in range(top + 1, bottom):
        canvas[row][left] = " " if side == "W" else upright
        canvas[row][right] = " " if side == "E" else upright
    for (row, column), corner in zip(
        ((top, left), (top, right), (bottom, left), (bottom, right)), corners, strict=True
    ):
        canvas[row][column] = corner
