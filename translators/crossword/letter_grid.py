"""Positions of letters in a grid with numbered slots: the common part of crosswords with candidates and with clues."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache, partial
from typing import Any, ClassVar, Self

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.drawing import Circle, Ground, Look, Path, Piece, Rect, Shape, Text
from unpuzzle.puzzle.capabilities import ForComponents, Pictured
from unpuzzle.puzzle.position import Puzzle
from unpuzzle.translators.crossword import files
from unpuzzle.translators.crossword.layout import (
    BAR_ABOVE,
    BAR_LEFT,
    BLOCK,
    EMPTY,
    CrosswordLayout,
    Slot,
    by_direction,
    rows_of,
    starts,
)


def _write(ending: str, position: LetterGrid) -> bytes:
    layout, letters = position.layout, position.letters
    if EMPTY in letters and getattr(layout, "lists", None):
        message = f"a file {ending} has no place for lists of candidates"
        raise UnsupportedFeature(message, feature="candidates")
    if ending == ".xd" and EMPTY not in letters and (position.solved() or "".join(layout.solution or ()) == letters):
        layout, letters = layout.replace(solution=tuple(position.rows())), layout.blocks
    return files.write_file(ending, layout, letters)


class LetterGrid(Puzzle, Pictured, ForComponents):
    """A position: a layout, and the letters in its grid, row by row, with `.` for empty cells and `#` for blocks."""

    __slots__ = ("layout", "letters")

    one_letter_moves = False
    formats: ClassVar[Mapping[str, Callable[[bytes, str], str]]] = {".puz": files.puz_level}
    writers: ClassVar[Mapping[str, Callable[[Any], bytes]]] = {
        ending: partial(_write, ending) for ending in files.WRITTEN
    }

    def __init__(self, layout: CrosswordLayout, letters: str) -> None:
        self.layout: CrosswordLayout = layout
        self.letters: str = letters

    def _key(self) -> Hashable:
        return self.letters, self.layout

    def rows(self) -> list[str]:
        return rows_of(self.letters, self.layout.columns)

    def own_answer(self) -> Self | None:
        solution = "".join(self.layout.solution or EMPTY)
        return None if EMPTY in solution else type(self)(self.layout, solution)

    def line(self) -> str:
        return "/".join(self.rows())

    def plain(self) -> list[list[str | None]]:
        """Return rows of letters; None is an empty cell, `#` a block."""
        return [[None if letter == EMPTY else letter for letter in row] for row in self.rows()]

    def ground(self) -> Ground:
        return ground(self.layout, self.layout.letters.union(self.letters))

    def pieces(self) -> list[Piece]:
        columns = self.layout.columns
        cells = enumerate(self.letters)
        return [(letter, i // columns, i % columns, letter) for i, letter in cells if letter not in (BLOCK, EMPTY)]

    def notes(self) -> list[tuple[str, list[str]]]:
        """Return the clues across and down, each after its number; a direction without clues has hints instead."""
        sections = []
        ways = zip(("Across", "Down"), by_direction(self.layout.slots), self.layout.clues, strict=True)
        for heading, slots, clues in ways:
            lines = zip(slots, clues or map(self.hint, slots), strict=True)
            sections.append((heading, [f"{slot.number}  {line}" for slot, line in lines]))
        return sections

    def hint(self, slot: Slot) -> str:
        """Return a hint to print for a slot without a clue."""
        return ""


# A crossword's picture: numbers in the corners, letters below them, blocks black; bars are thick lines.
#
# +---+---+
# |1  |███|
# | A |███|
# +---+---+

INSIDE = 3
"""Characters of a cell between its lines: numbers have up to three digits."""


@lru_cache(maxsize=32)
def ground(layout: CrosswordLayout, letters: frozenset[str] = frozenset()) -> Ground:
    """Return the background picture: the empty grid, and the drawings of the usual letters and of `letters`."""
    blocks, columns = layout.blocks, layout.columns
    rows = len(blocks) // columns
    lines = [[(0, r), (columns, r)] for r in range(1, rows)] + [[(c, 0), (c, rows)] for c in range(1, columns)]
    shapes: list[Shape] = [Rect(0, 0, columns, rows, fill="floor"), Path(*lines, line="edge", thick=0.03)]
    cells = [(i % columns, i // columns) for i in range(len(blocks))]
    shapes += [Rect(*cell, 1, 1, fill="edge") for cell, sign in zip(cells, blocks, strict=True) if sign == BLOCK]
    for (x, y), sign in zip(cells, layout.circles, strict=False):
        shapes += [Circle(x + 0.5, y + 0.5, 0.47, line="edge", thick=0.03)] if sign != EMPTY else []
    bars = list(zip(cells, layout.bars, strict=False))
    thick = [[(x, y), (x, y + 1)] for (x, y), sign in bars if sign in BAR_LEFT]
    thick += [[(x, y), (x + 1, y)] for (x, y), sign in bars if sign in BAR_ABOVE]
    shapes += [Path(*thick, line="edge", thick=0.12)] if thick else []
    shapes.append(Rect(0, 0, columns, rows, 0.02, line="edge", thick=0.06))
    numbers = starts(layout.slots)
    shapes += [
        Text(cell % columns + 0.07 + 0.08 * len(str(number)), cell // columns + 0.18, str(number), 0.24)
        for cell, number in numbers.items()
    ]
    rebus = dict(layout.rebus)
    looks = LOOKS | {letter: _look(rebus.get(letter, letter)) for letter in sorted(letters - {BLOCK, EMPTY})}
    return Ground(rows, columns, looks, shapes, _text(layout, numbers), (3, INSIDE + 1), (1, 1), role="wall")


def _look(text: str) -> Look:
    """Return the drawing of a cell with a letter or with the text of a rebus, shortened in terminals."""
    size = min(0.58, 1.4 / len(text))  # so that the text fits into the cell
    return Look(Text(0.53, 0.58, text, size), text=f"\n {text}" if len(text) == 1 else f"\n{text[:INSIDE]}", label=text)


LOOKS = {letter: _look(letter) for letter in map(chr, range(ord("A"), ord("Z") + 1))}


def _text(layout: CrosswordLayout, numbers: dict[int, int]) -> str:
    """Return the grid in characters: a bar is a double line, a circle a pair of parentheses."""
    blocks, columns = layout.blocks, layout.columns
    bars, circles = layout.bars or EMPTY * len(blocks), layout.circles or EMPTY * len(blocks)
    lines = []
    for start in range(0, len(blocks), columns):
        row = range(start, start + columns)
        lines.append("+" + "".join([("=" if bars[cell] in BAR_ABOVE else "-") * INSIDE + "+" for cell in row]))
        rings = ["( )" if circles[cell] != EMPTY else " " * INSIDE for cell in row]
        for insides in ([str(numbers.get(cell, "")).ljust(INSIDE) for cell in row], rings):
            cells = ["█" * INSIDE if blocks[cell] == BLOCK else text for cell, text in zip(row, insides, strict=True)]
            sides = ["‖" if bars[cell] in BAR_LEFT else "|" for cell in row]
            lines.append("".join([side + text for side, text in zip(sides, cells, strict=True)]) + "|")
    return "\n".join([*lines, "+" + ("-" * INSIDE + "+") * columns])
