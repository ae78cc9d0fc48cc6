"""Sudoku as a picture: its values between the borders of the boxes.

┌─────┬─────┐
│ 1 · │ 3 · │
│ · · │ · 2 │
├─────┼─────┤
│ · 1 │ · · │
│ 4 · │ · 1 │
└─────┴─────┘
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.translators.sudoku.board import Board


def picture(board: Board, cells: str) -> str:
    """The cells, row by row, with the borders of the boxes."""
    side, box = board.side, board.box
    line = "─" * (2 * box + 1)
    top, middle, bottom = (left + mark.join([line] * box) + right for left, mark, right in ("┌┬┐", "├┼┤", "└┴┘"))
    lines = []
    for row in range(side):
        lines += [middle] if row and row % box == 0 else []
        shown = cells[row * side : (row + 1) * side].replace(".", "·")
        parts = [" ".join(shown[start : start + box]) for start in range(0, side, box)]
        lines.append("│ " + " │ ".join(parts) + " │")
    return "\n".join([top, *lines, bottom])
