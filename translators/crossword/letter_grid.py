"""Positions of letters in a grid with numbered slots: the common part of crosswords with candidates and with clues."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache, partial
from typing import ClassVar

from unpuzzle.drawing import Ground, Look, Path, Piece, Rect, Shape, Text
from unpuzzle.puzzle.capabilities import ForComponents, Pictured
from unpuzzle.puzzle.puzzle import Puzzle
from unpuzzle.translators.crossword import files
from unpuzzle.translators.crossword.layout import CrosswordLayout
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, by_direction, rows_of, slots_of, starts


def _read_file(kind: str, data: bytes, source: str) -> str:
    """Return the text of the level in a file of another format."""
    sheet = files.read_puz(data, source) if kind == "puz" else files.read_ipuz(data, source)
    return sheet.text()


class LetterGrid(Puzzle, Pictured, ForComponents):
    """A position: a layout, and the letters in its grid, row by row, with `.` for empty cells and `#` for blocks."""

    __slots__ = ("layout", "letters")

    one_letter_moves = False
    formats: ClassVar[Mapping[str, Callable[[bytes, str], str]]] = {
        f".{kind}": partial(_read_file, kind) for kind in ("puz", "ipuz")
    }

    def __init__(self, layout: CrosswordLayout, letters: str) -> None:
        self.layout: CrosswordLayout = layout
        self.letters: str = letters

    def _key(self) -> Hashable:
        return self.letters, self.layout

    def rows(self) -> list[str]:
        return rows_of(self.letters, self.layout.columns)

    def line(self) -> str:
        return "/".join(self.rows())

    def plain(self) -> list[list[str | None]]:
        """Return rows of letters; None is an empty cell, `#` a block."""
        return [[None if letter == EMPTY else letter for letter in row] for row in self.rows()]

    def ground(self) -> Ground:
        return ground(self.layout.blocks, self.layout.columns, self.layout.letters.union(self.letters))

    def pieces(self) -> list[Piece]:
        columns = self.layout.columns
        cells = enumerate(self.letters)
        return [(letter, i // columns, i % columns, letter) for i, letter in cells if letter not in (BLOCK, EMPTY)]

    def notes(self) -> list[tuple[str, list[str]]]:
        """Return the clues across and down, each after its number; of a direction without clues, the hints."""
        sections = []
        ways = zip(("Across", "Down"), by_direction(self.layout.slots), self.layout.clues, strict=True)
        for heading, slots, clues in ways:
            lines = zip(slots, clues or map(self.hint, slots), strict=True)
            sections.append((heading, [f"{slot.number}  {line}" for slot, line in lines]))
        return sections

    def hint(self, slot: Slot) -> str:
        """Return a hint to print for a slot without a clue."""
        return ""


# A crossword's picture: numbers in the corners, letters below them, blocks black.
#
# +---+---+
# |1  |███|
# | A |███|
# +---+---+

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
