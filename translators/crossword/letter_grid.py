"""Positions of letters in a grid with numbered slots: the common part of crosswords with candidates and with clues."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import ClassVar

from unpuzzle.drawing import Ground, Piece
from unpuzzle.puzzle.capabilities import ForComponents, Pictured
from unpuzzle.puzzle.puzzle import Puzzle
from unpuzzle.translators.crossword import files
from unpuzzle.translators.crossword.layout import CrosswordLayout
from unpuzzle.translators.crossword.picture import ground
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, by_direction, rows_of


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
