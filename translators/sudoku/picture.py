"""Sudoku's picture: its values between the borders of the boxes.

┌─────┬─────┐
│ 1 · │ 3 · │
│ · · │ · 2 │
├─────┼─────┤
│ · 1 │ · · │
│ 4 · │ · 1 │
└─────┴─────┘
"""

from __future__ import annotations

from functools import cache
from itertools import product

from unpuzzle.drawing import Ground, Look, Path, Rect, Shape, Text
from unpuzzle.translators.sudoku.board import SudokuBoard


@cache
def ground(board: SudokuBoard) -> Ground:
    """Return the empty grid of a size: strong lines around boxes, thin ones around cells."""
    side, box = board.side, board.box
    thin, strong = ([n for n in range(1, side) if (n % box == 0) is at_box] for at_box in (False, True))
    shapes: list[Shape] = [Rect(0, 0, side, side, fill="floor")]
    for lines, role, thick in ((thin, "grid", 0.02), (strong, "ink", 0.05)):
        across, down = [[(0, n), (side, n)] for n in lines], [[(n, 0), (n, side)] for n in lines]
        shapes.append(Path(*across, *down, line=role, thick=thick))
    shapes.append(Rect(0, 0, side, side, 0.04, line="ink", thick=0.07))
    looks = {symbol: Look(Text(0.5, 0.5, symbol, 0.6), text=symbol, label=symbol) for symbol in board.symbols}
    places: dict[tuple[float, float], tuple[int, int]] = {
        (row, column): (1 + row + row // box, 2 + 2 * column + 2 * (column // box))
        for row, column in product(range(side), repeat=2)
    }
    return Ground(side, side, looks, shapes, _text(side, box), role="grid", places=places)


def _text(side: int, box: int) -> str:
    line = "─" * (2 * box + 1)
    top, middle, bottom = (left + mark.join([line] * box) + right for left, mark, right in ("┌┬┐", "├┼┤", "└┴┘"))
    cells = "│ " + " │ ".join([" ".join("·" * box)] * box) + " │"
    lines = [line for row in range(side) for line in ([middle] if row and row % box == 0 else []) + [cells]]
    return "\n".join([top, *lines, bottom])
