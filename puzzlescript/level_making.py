"""New levels from given levels: objects are moved, exchanged, added and removed.

A change is kept if the board can still be written in glyphs, and if it remains a level: with as many players as before,
with objects for all parts of its win conditions that had some, and with an unchanged border, if the border was uniform,
such as walls. An object and its target are added and removed together. The caller has to test whether a level can be
solved, and how hard it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from random import Random
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.puzzle.options import Cells, Levels, Number, by_name, cells_in
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzlescript.compiling.compiled import Compiled, bits, has
from unpuzzle.puzzlescript.playing.states import Glyphs, State
from unpuzzle.puzzlescript.rules import ScriptRules

OPTIONS = by_name(
    Levels("from", "the levels to change"),
    Number("changes", "how many objects to move, exchange, add or remove, at most", 4, least=1, most=1000),
    Cells("locked", "cells that changes leave alone"),
)
TRIES_OF_A_LEVEL = 10
"""The number of tries for a level: a changed level may be refused, for example if it never comes to rest."""


def make_level(game: ScriptRules, rng: Random, options: Mapping[str, Any]) -> Position:
    """Return a changed version of a level that the options name. Raises ParseError if there is no level."""
    names = options["from"] or tuple(game.levels)
    if not names:
        raise ParseError(f"{game.name} has no levels that could be changed")
    if options["locked"]:
        _require_cells(game, names, options["locked"])
    name = rng.choice(names)
    text = _text(game, name)
    state, _ = game.text.read(text, None)
    extras = [line for line in game.text.write(state).split("\n")[1:] if line.startswith("seed ")]
    ending = ["", *extras, ""] if extras else [""]
    locked = cells_in(options["locked"], state.height, state.width)
    free = [n for n in range(len(state.cells)) if (n % state.height + 1, n // state.height + 1) not in locked]
    changer = _Changer(game.compiled, game.glyphs, state, rng, free)
    for _ in range(TRIES_OF_A_LEVEL):
        changed = changer.change(options["changes"])
        rows = game.glyphs.rows(changed.cells, changed.height)
        try:
            return game.parse("\n".join([*rows, *ending]) if rows else text)
        except ParseError:
            continue
    return game.parse(text)


def _text(game: ScriptRules, name: str) -> str:
    """Return the text of a level, given by its number, by its name (the message before it), or as text."""
    known = name in game.levels
    return game.levels[name] if known else name


def _require_cells(game: ScriptRules, names: Sequence[str], locked: Any) -> None:
    """Raise ParseError if one of the levels does not have a locked cell."""
    for name in names:
        state, _ = game.text.read(_text(game, name), None)
        cells_in(locked, state.height, state.width)


TRIES = 50
"""The number of tries for one change; if all fail, the level is unchanged."""
NEAR = 0.5
"""The probability that an object moves to one of the eight cells around it, and not to any cell."""


class _Changer:
    """Random changes of a level of a game."""

    def __init__(self, game: Compiled, glyphs: Glyphs, state: State, rng: Random, free: Sequence[int]) -> None:
        self.game, self.glyphs, self.state, self.rng = game, glyphs, state, rng
        self.free = free
        """The cells that may change."""
        self._locked = set(range(len(state.cells))).difference(free)
        self._ground = game.background_layer
        self._layer_of = {number: layer for layer in game.layers for number in bits(layer)}
        self._pairs = [(win.first, win.second) for win in game.wins if win.quantifier >= 0 and not win.anything]
        self._needed = [part for win in game.wins for part in (win.first, win.second) if part]
        writable = reduce(or_, [objects for _, objects in game.glyphs], 0) & ~self._ground & ~game.player
        self._palette = list(bits(reduce(or_, (*state.cells, *self._needed), 0) & writable))
        """The objects that may be added: objects on the board, and objects of win conditions."""

    def change(self, most: int) -> State:
        """Return the level after a random number of changes, at most `most`."""
        cells = list(self.state.cells)
        for _ in range(self.rng.randint(1, most) if self.free else 0):
            cells = self._once(cells)
        return self.state._replace(cells=tuple(cells))

    def _once(self, cells: list[int]) -> list[int]:
        for _ in range(TRIES):
            new = list(cells)
            self.rng.choice((self._move, self._move, self._exchange, self._add, self._remove))(new)
            if new != cells and self._is_level(new, cells):
                return new
        return cells

    def _is_level(self, new: Sequence[int], old: Sequence[int]) -> bool:
        if self._players(new) != self._players(old) or self._opened(new, old):
            return False
        if any(new[place] != old[place] for place in self._locked):
            return False
        for objects in self._needed:
            if any(cell & objects for cell in old) and not any(cell & objects for cell in new):
                return False
        return self.glyphs.rows(new, self.state.height) is not None

    def _opened(self, new: Sequence[int], old: Sequence[int]) -> bool:
        """Return whether a level that had a uniform border, such as walls, has lost this border."""
        height, last = self.state.height, len(old) - self.state.height
        around = [c for c in range(len(old)) if c < height or c >= last or c % height in (0, height - 1)]
        frame = {old[place] for place in around}
        closed = len(frame) == 1 and any(objects & ~self._ground for objects in frame)
        return closed and any(new[place] != old[place] for place in around)

    def _players(self, cells: Sequence[int]) -> int:
        return sum(has(cell, self.game.player, self.game.player_is_aggregate) for cell in cells)

    def _move(self, cells: list[int]) -> None:
        """Move a random object; an object of the same layer in the target cell moves to the old cell in exchange."""
        place = self._filled(cells)
        if place is None:
            return
        layer = self._layer_of[self.rng.choice(list(bits(cells[place] & ~self._ground)))]
        target = self._near(place) if self.rng.random() < NEAR else self.rng.choice(self.free)
        here, there = cells[place] & layer, cells[target] & layer
        cells[place] ^= here ^ there
        if target != place:
            cells[target] ^= here ^ there

    def _near(self, place: int) -> int:
        column, row = divmod(place, self.state.height)
        column = min(max(column + self.rng.randint(-1, 1), 0), self.state.width - 1)
        row = min(max(row + self.rng.randint(-1, 1), 0), self.state.height - 1)
        return column * self.state.height + row

    def _exchange(self, cells: list[int]) -> None:
        """Exchange the objects of two random cells, except for their background."""
        one, other = self.rng.choice(self.free), self.rng.choice(self.free)
        differing = (cells[one] ^ cells[other]) & ~self._ground
        if one != other:
            cells[one] ^= differing
            cells[other] ^= differing

    def _add(self, cells: list[int]) -> None:
        """Add a random object and, at a random place, its target."""
        if not self._palette:
            return
        number = self.rng.choice(self._palette)
        self._put(cells, number)
        for first, second in self._pairs:
            partners = [other for other in self._palette if second >> other & 1]
            if first >> number & 1 and partners:
                self._put(cells, self.rng.choice(partners))

    def _put(self, cells: list[int], number: int) -> None:
        """Put an object on a random cell where its layer is free; if there is no such cell, replace another object."""
        layer = self._layer_of[number]
        empty = [place for place in self.free if not cells[place] & layer]
        place = self.rng.choice(empty or self.free)
        cells[place] = (cells[place] & ~layer) | 1 << number

    def _remove(self, cells: list[int]) -> None:
        """Remove a random object and, if it was a target, one of the objects for this target."""
        place = self._filled(cells)
        if place is None:
            return
        number = self.rng.choice(list(bits(cells[place] & ~self._ground)))
        cells[place] &= ~(1 << number)
        for first, second in self._pairs:
            lying = [other for other in self.free if cells[other] & first]
            if second >> number & 1 and lying:
                cells[self.rng.choice(lying)] &= ~first

    def _filled(self, cells: Sequence[int]) -> int | None:
        places = [place for place in self.free if cells[place] & ~self._ground]
        return self.rng.choice(places) if places else None
