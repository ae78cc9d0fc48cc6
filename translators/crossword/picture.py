"""A crossword drawn with lines: numbers in the corners, letters below them, blocks black.

+---+---+
|1  |███|
| A |███|
+---+---+
"""

from __future__ import annotations

from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, slots_of, starts

INSIDE = 3
"""Characters of a cell between its lines: numbers have up to three digits."""


def drawn(letters: str, columns: int) -> str:
    """The picture of a grid, given row by row."""
    numbers = starts(slots_of(letters, columns))
    rule = "+" + ("-" * INSIDE + "+") * columns
    lines = [rule]
    for start in range(0, len(letters), columns):
        row = range(start, start + columns)
        lines.append(_line(letters, row, {cell: str(numbers.get(cell, "")).ljust(INSIDE) for cell in row}))
        lines.append(_line(letters, row, {cell: letters[cell].replace(EMPTY, " ").center(INSIDE) for cell in row}))
        lines.append(rule)
    return "\n".join(lines)


def _line(letters: str, row: range, insides: dict[int, str]) -> str:
    return "|" + "".join(("█" * INSIDE if letters[cell] == BLOCK else insides[cell]) + "|" for cell in row)
