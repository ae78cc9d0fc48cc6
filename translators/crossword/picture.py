"""A crossword's picture: numbers in the corners, letters below them, blocks black.

+---+---+
|1  |███|
| A |███|
+---+---+
"""

from __future__ import annotations

from functools import lru_cache

from unpuzzle.drawing import Ground, Look, Path, Rect, Shape, Text
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, slots_of, starts

INSIDE = 3
"""Characters of a cell between its lines: numbers have up to three digits."""


@lru_cache(maxsize=32)
def ground(blocks: str, columns: int, letters: frozenset[str] = frozenset()) -> Ground:
    """Return the grid without letters; only the blocks of `blocks` matter. `letters` may be written besides A to Z."""
    rows = len(blocks) // columns
    lines = [[(0, r), (columns, r)] for r in range(1, rows)] + [[(c, 0), (c, rows)] for c in range(1, columns)]
    shapes: list[Shape] = [Rect(0, 0, columns, rows, fill="floor"), Path(*lines, line="edge", thick=0.03)]
    shapes += [Rect(i % columns, i // columns, 1, 1, fill="edge") for i, cell in enumerate(blocks) if cell == BLOCK]
    shapes.append(Rect(0, 0, columns, rows, 0.02, line="edge", thick=0.06))
    numbers = starts(slots_of(blocks, columns))
    shapes += [
        Text(cell % columns + 0.07 + 0.08 * len(str(number)), cell // columns + 0.18, str(number), 0.24)
        for cell, number in numbers.items()
    ]
    looks = LOOKS | {letter: _look(letter) for letter in sorted(letters - {*LOOKS, BLOCK, EMPTY})}
    return Ground(rows, columns, looks, shapes, _text(blocks, columns, numbers), (3, INSIDE + 1), (1, 1), role="wall")


def _look(letter: str) -> Look:
    return Look(Text(0.53, 0.58, letter, 0.58), text=f"\n {letter}", label=letter)


LOOKS = {letter: _look(letter) for letter in map(chr, range(ord("A"), ord("Z") + 1))}


def _text(blocks: str, columns: int, numbers: dict[int, int]) -> str:
    rule = "+" + ("-" * INSIDE + "+") * columns
    lines = [rule]
    for start in range(0, len(blocks), columns):
        row = range(start, start + columns)
        for insides in ([str(numbers.get(cell, "")).ljust(INSIDE) for cell in row], [" " * INSIDE] * columns):
            cells = ["█" * INSIDE if blocks[cell] == BLOCK else text for cell, text in zip(row, insides, strict=True)]
            lines.append(f"|{'|'.join(cells)}|")
        lines.append(rule)
    return "\n".join(lines)
