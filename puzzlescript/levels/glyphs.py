"""Boards written as makers write levels: rows of glyphs.

Not every board can be: a cell needs a glyph that stands for just what lies there. What lies in the background need not
be written where it is what every cell without a background gets, which depends on the rest of the board; so what was
written is read again, and counts only if it is the same board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.compiling.levels import cells_of, with_background


class Glyphs:
    """Writes the boards of a game; of several glyphs for the same it takes the one that the levels use most."""

    def __init__(self, game: Compiled) -> None:
        self.game = game
        used = Counter("".join([level.text for level in game.levels if level.width]))
        self._order = sorted(game.glyphs, key=lambda glyph: -used[glyph[0]])
        self._tables: dict[int, dict[int, str]] = {}

    def rows(self, cells: Sequence[int], height: int) -> list[str] | None:
        """Return the rows of a board; None where it cannot be written."""
        ground = self.game.background_layer
        fillers = sorted({cell & ground for cell in cells}, key=lambda filler: filler != self.game.background)
        return next((rows for rows in (self._written(cells, height, filler) for filler in fillers) if rows), None)

    def _written(self, cells: Sequence[int], height: int, filler: int) -> list[str] | None:
        """Return the rows, if `filler` is what a cell without a background gets."""
        table = self.table(filler)
        chars = [table.get(cell, "") for cell in cells]
        if not all(chars):
            return None
        rows = ["".join(chars[row::height]) for row in range(height)]
        again = cells_of(rows, dict(self.game.glyphs), lambda *_: None)
        same = with_background(again, self.game.background_layer, self.game.background) == tuple(cells)
        return rows if same and _readable(rows) else None

    def table(self, filler: int) -> dict[int, str]:
        """Return the glyphs by the objects that they stand for."""
        table = self._tables.get(filler)
        if table is None:
            table = {}
            for glyph, objects in self._order:
                table.setdefault(objects if objects & self.game.background_layer else objects | filler, glyph)
            self._tables[filler] = table
        return table


def _readable(rows: Sequence[str]) -> bool:
    """Return whether a level of these rows is read as one: comments and messages are not."""
    return not any("(" in row or row.startswith("message") or set(row) == {"="} for row in rows)
