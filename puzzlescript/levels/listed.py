"""The levels of a game, numbered from 0 together with messages; and boards written like levels, in rows of glyphs.

A level can be asked for by the message before it, too.

Not every board can be written: a cell needs a glyph for exactly its objects. A background object need not be written if
it is the one that every cell without a background gets, which depends on the rest of the board; so the result is read
again, and is used only if it gives the same board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.compiling.sections import cells_of, with_background
from unpuzzle.puzzlescript.playing.states import State


class Levels(dict[str, str]):
    """The texts of a game's levels by number; `states` has the compiled state of each text."""

    def __init__(self, game: Compiled) -> None:
        super().__init__({str(n): f"{level.text}\n" for n, level in enumerate(game.levels) if level.width})
        self.states: dict[str, State] = {level.text: State(*level[:3]) for level in game.levels if level.width}
        self._numbers: dict[str, str] = {}
        for number, level in enumerate(game.levels[:-1]):
            if not level.width and str(number + 1) in self:
                self._numbers.setdefault(_simplified(level.text), str(number + 1))

    def number(self, name: str) -> int | None:
        """Return the number of the level with the given number or name; None if there is no such level."""
        number = name if dict.__contains__(self, name) else self._numbers.get(_simplified(name))
        return None if number is None else int(number)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.number(name) is not None

    def __missing__(self, name: str) -> str:
        number = self.number(name)
        if number is None:
            raise KeyError(name)
        return self[str(number)]


def _simplified(message: str) -> str:
    """Return a message as the name of a level: in lower case, without final punctuation."""
    return message.lower().rstrip(" .!?")


class Glyphs:
    """A writer of boards in glyphs; of several glyphs for the same objects, the most frequent in levels is used."""

    def __init__(self, game: Compiled) -> None:
        self.game = game
        used = Counter("".join([level.text for level in game.levels if level.width]))
        self._order = sorted(game.glyphs, key=lambda glyph: -used[glyph[0]])
        self.table: Callable[[int], dict[int, str]] = cache(self._table)
        """A function that returns the glyphs by their objects, given the filler for cells without a background."""

    def rows(self, cells: Sequence[int], height: int) -> list[str] | None:
        """Return the rows of a board in glyphs; None if the board cannot be written."""
        ground = self.game.background_layer
        fillers = sorted({cell & ground for cell in cells}, key=lambda filler: filler != self.game.background)
        return next((rows for rows in (self._rows(cells, height, filler) for filler in fillers) if rows), None)

    def _rows(self, cells: Sequence[int], height: int, filler: int) -> list[str] | None:
        """Return the rows in glyphs, with `filler` as the background of cells that have no background object."""
        table = self.table(filler)
        chars = [table.get(cell, "") for cell in cells]
        if not all(chars):
            return None
        rows = ["".join(chars[row::height]) for row in range(height)]
        again = cells_of(rows, dict(self.game.glyphs), lambda *_: None)
        same = with_background(again, self.game.background_layer, self.game.background) == tuple(cells)
        other = any("(" in row or row.startswith("message") or set(row) == {"="} for row in rows)
        return rows if same and not other else None  # comments and messages are read as something else

    def _table(self, filler: int) -> dict[int, str]:
        table: dict[int, str] = {}
        for glyph, objects in self._order:
            table.setdefault(objects if objects & self.game.background_layer else objects | filler, glyph)
        return table
