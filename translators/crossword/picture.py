"""A crossword's picture: numbers in the corners, letters below them, blocks black.

+---+---+
|1  |███|
| A |███|
+---+---+
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from unpuzzle.drawing import Ground, Look, Path, Rect, Shape, Text
from unpuzzle.translators.crossword.layout import CrosswordLayout
from unpuzzle.translators.crossword.slots import BLOCK, Slot, by_direction, slots_of, starts

INSIDE = 3
"""Characters of a cell between its lines: numbers have up to three digits."""


@lru_cache(maxsize=32)
def ground(blocks: str, columns: int) -> Ground:
    """Return the grid without letters; only the blocks of `blocks` matter."""
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
    return Ground(rows, columns, LOOKS, shapes, _text(blocks, columns, numbers), (3, INSIDE + 1), (1, 1), role="wall")


LOOKS = {
    letter: Look(Text(0.53, 0.58, letter, 0.58), text=f"\n {letter}", label=letter)
    for letter in map(chr, range(ord("A"), ord("Z") + 1))
}


def notes(layout: CrosswordLayout, hint: Callable[[Slot], str]) -> list[tuple[str, list[str]]]:
    """Return the clues across and down, each after its number; of a direction without clues, the hints."""
    sections = []
    for heading, slots, clues in zip(("Across", "Down"), by_direction(layout.slots), layout.clues, strict=True):
        lines = clues or map(hint, slots)
        sections.append((heading, [f"{slot.number}  {line}" for slot, line in zip(slots, lines, strict=True)]))
    return sections


def _text(blocks: str, columns: int, numbers: dict[int, int]) -> str:
    rule = "+" + ("-" * INSIDE + "+") * columns
    lines = [rule]
    for start in range(0, len(blocks), columns):
        row = range(start, start + columns)
        lines.append(_line(blocks, row, {cell: str(numbers.get(cell, "")).ljust(INSIDE) for cell in row}))
        lines.append(_line(blocks, row, dict.fromkeys(row, " " * INSIDE)))
        lines.append(rule)
    return "\n".join(lines)


def _line(blocks: str, row: range, insides: dict[int, str]) -> str:
    return "|" + "".join(("█" * INSIDE if blocks[cell] == BLOCK else insides[cell]) + "|" for cell in row)
