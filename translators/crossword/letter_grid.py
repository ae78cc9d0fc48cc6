"""Positions that are letters in a grid with numbered slots: what crosswords with candidates and with clues share."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from unpuzzle.puzzle.capabilities import ForComponents, Pictured
from unpuzzle.puzzle.puzzle import Puzzle
from unpuzzle.translators.crossword.layout import CrosswordLayout
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, rows_of

if TYPE_CHECKING:
    from unpuzzle.drawing import Ground, Piece


class LetterGrid(Puzzle, Pictured, ForComponents):
    """A position: a layout, and the letters in its grid, row by row, with `.` for empty cells and `#` for blocks."""

    __slots__ = ("layout", "letters")

    def __init__(self, layout: CrosswordLayout, letters: str) -> None:
        self.layout: CrosswordLayout = layout
        self.letters: str = letters

    def _key(self) -> Hashable:
        return self.letters, self.layout

    def rows(self) -> list[str]:
        """Return the rows of the grid."""
        return rows_of(self.letters, self.layout.columns)

    def line(self) -> str:
        """Return the rows, joined by `/`."""
        return "/".join(self.rows())

    def plain(self) -> list[list[str | None]]:
        """Return rows of letters; None is an empty cell, `#` a block."""
        return [[None if letter == EMPTY else letter for letter in row] for row in self.rows()]

    def ground(self) -> Ground:
        from unpuzzle.translators.crossword.picture import ground

        return ground(self.layout.blocks, self.layout.columns)

    def pieces(self) -> list[Piece]:
        columns = self.layout.columns
        cells = enumerate(self.letters)
        return [(letter, i // columns, i % columns, letter) for i, letter in cells if letter not in (BLOCK, EMPTY)]

    def notes(self) -> list[tuple[str, list[str]]]:
        """Return the clues across and down; where there are none, a hint for each slot."""
        from unpuzzle.translators.crossword.picture import notes

        return notes(self.layout, self.hint)

    def hint(self, slot: Slot) -> str:
        """Return what is printed for a slot where there are no clues."""
        return ""
