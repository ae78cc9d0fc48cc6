"""PuzzleScript games as puzzles of unpuzzle: their levels, their positions, and keys as moves.

A position is a state of play, and the initial state of its level, which determines its PDDL. Moves are `u l d r`, `x`
unless the game has none, and `t`, a tick, in a game with `realtime_interval`. A key that leads to the same state is not
a move, nor is a key with endless turns of `again` after it. A won position keeps its moves.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache, reduce
from itertools import takewhile
from operator import or_
from random import Random
from typing import Any

from unpuzzle.base.errors import IllegalMove, ParseError, UsageError
from unpuzzle.base.run import Limits
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.drawing import Ground, Piece
from unpuzzle.model.capabilities import (
    Covering,
    Debugger,
    Generating,
    Pictured,
    SelfExploring,
    StateArrays,
    Symmetric,
    Traced,
    Tracing,
    Translated,
)
from unpuzzle.model.options import Cells, Levels, Number, Option, by_name, cells_in
from unpuzzle.model.position import Position
from unpuzzle.pddl.nodes import Atom, GroundAction, Task
from unpuzzle.puzzlescript.compiling.compiled import CHECKPOINT, Compiled, Level, bits, has
from unpuzzle.puzzlescript.compiling.text import read_text
from unpuzzle.puzzlescript.engine.board import aims
from unpuzzle.puzzlescript.engine.engine import MOST_AGAINS
from unpuzzle.puzzlescript.engine.states import Glyphs, State
from unpuzzle.puzzlescript.engine.turns import Endless
from unpuzzle.puzzlescript.rules import OBJECT, PARTS, ScriptRules, engine_of, object_number, without_object
from unpuzzle.puzzlescript.searching.searches import explore

if TYPE_CHECKING:
    from unpuzzle.puzzlescript.pddl_encoding.forked import Forked

_RECENT: ContextVar[tuple[State, ScriptRules, Mapping[str, ScriptPosition]] | None] = ContextVar("recent", default=None)
"""The last computed successors, for each thread: searches compute the moves of a state, then apply each."""
OPTIONS = by_name(
    Levels("from", "the levels to change"),
    Number("changes", "how many objects to move, exchange, add or remove, at most", 4, least=1, most=1000),
    Cells("locked", "cells that changes leave alone"),
)
TRIES_OF_A_LEVEL = 10
"""The number of tries for a level: a changed level may be refused, for example if it never comes to rest."""
TRIES = 50
"""The number of tries for one change; if all fail, the level is unchanged."""
NEAR = 0.5
"""The probability that an object moves to one of the eight cells around it, and not to any cell."""


class ScriptPosition(Pictured, Symmetric, SelfExploring, Translated):
    """A position in a level of a PuzzleScript game.

    Attributes: `state`; `start`, the initial state of its level. The first position of a level knows its `text`.
    """

    __slots__ = ("_game", "_text", "start", "state")

    def __init__(self, game: ScriptRules, state: State, start: State | None = None, *, text: str = "") -> None:
        self._game = game
        self.state: State = state
        self.start: State = state if start is None else start
        self._text = text

    @property
    def game(self) -> ScriptRules:
        return self._game

    def __str__(self) -> str:
        return self._game.text.write(self.state)

    def moves(self) -> tuple[str, ...]:
        """Return the keys that change the state. Raises UnsupportedFeature if the game's rules use random numbers."""
        game, state = self._game, self.state
        game.require_certainty(state)
        keys = game.keys
        endless: set[Endless] = set()
        states = list(zip(keys, game.engine.successors(state, keys, endless), strict=True))
        game.warn_of(endless)
        if any(new is None for _, new in states):
            game.given_up.add(self.start)
        after = {key: ScriptPosition(game, new, self.start) for key, new in states if new is not None and new != state}
        _RECENT.set((state, game, after))
        return tuple(after)

    def apply(self, move: str) -> ScriptPosition:
        game, recent = self._game, _RECENT.get()
        if recent is not None and recent[0] is self.state and recent[1] is game and move in recent[2]:
            return recent[2][move]
        keys = game.keys
        if move not in keys:
            raise IllegalMove(f"{move!r} is not a move: the moves are {', '.join(keys)}", move=move)
        game.require_certainty(self.state)
        endless: set[Endless] = set()
        after = game.engine.after(self.state, move, endless)
        game.warn_of(endless)
        if after is None or after == self.state:
            endless_again = f"it is followed by more than {MOST_AGAINS} turns of `again`"
            why = "it changes nothing" if after else endless_again
            raise IllegalMove(f"{move!r} is not a move here: {why}", move=move)
        return ScriptPosition(game, after, self.start)

    def solved(self) -> bool:
        return self.state.won

    def impossible(self) -> str | None:
        """Return the reason why the position never changes, if it has no player and no rule changes it; else None."""
        game, state = self._game, self.state
        if state.won or game.compiled.has_player(state.cells) or game.compiled.overlooked(self.start[:3])[0]:
            return None
        if any(after != state for after in game.engine.successors(state, game.keys)):
            return None
        return f"{self._without_player()}, and no rule does anything without one"

    def remarks(self) -> Sequence[str]:
        """Return a remark if the level has no player, although something can happen in it."""
        state = self.state
        if state != self.start or state.won or self._game.compiled.has_player(state.cells) or self.impossible():
            return ()
        return (f"{self._without_player()}, though something can happen without one",)

    def _without_player(self) -> str:
        line = next((f" (line {level.line})" for level in self._game.compiled.levels if self._begins_level(level)), "")
        return f"this level{line} has no player"

    def overlooked(self) -> str | None:
        """Return a reason why play may differ from a search, such as random rules; None if there is none."""
        game = self._game
        if not game.given_up.isdisjoint((self.start, self.state)):
            return f"a key is followed by more than {MOST_AGAINS} turns of `again`, and was given up"
        return game.compiled.overlooked(self.start[:3])[0] or None

    def goal_parts(self) -> tuple[Mapping[str, bool], ...]:
        """Return the truth value of each win condition, and those of its parts for single cells."""
        return aims(self._game.compiled, self.state.cells, self.state.height)

    def walker_and_rest(self) -> tuple[Hashable, Hashable] | None:
        """Return the player's objects in all cells, and the state without the player; None if there is no player."""
        player, cells = self._game.compiled.player, self.state.cells
        if not self._game.compiled.has_player(cells):
            return None
        rest = self.state._replace(cells=tuple([cell & ~player for cell in cells]))
        return tuple([cell & player for cell in cells]), rest

    def symmetries(self) -> Iterable[ScriptPosition]:
        """Return this position and its mirror images and rotations, as far as the rules are the same for them."""
        game, state = self._game, self.state
        if state.seed is not None:
            return (self,)
        states = dict.fromkeys([symmetry.state(state) for symmetry in game.symmetries])
        return tuple([ScriptPosition(game, same) for same in states])

    def explore_states(
        self, max_states: int | None = None, progress: Callable[[int], None] | None = None
    ) -> tuple[tuple[str, ...], StateArrays]:
        """Explore the state space in the C++ core. Raises UnsupportedFeature if the rules use random numbers."""
        return explore(self._game, self.state, max_states, progress)

    def fork(self) -> Forked:
        """Return the PDDL of the level to which this position belongs."""
        return self._game.forks.forked(self.start)

    def translate(self, most_steps: int | None = None) -> None:
        """Translate the level to PDDL, and keep the result. Raises EffortSpent if this takes more than `most_steps`."""
        self._game.forks.forked(self.start, most_steps)

    def task(self) -> Task:
        return self.fork().task(self.state)

    def atoms(self) -> frozenset[Atom]:
        return frozenset(self.fork().atoms(self.state))

    def decode(self, action: GroundAction) -> str:
        return self.fork().decode(action)

    def keyboard(self) -> Mapping[str, float]:
        options, rules = self._game.compiled.options, self._game.compiled.all_rules()
        saves = not options.norestart and any(rule.commands & CHECKPOINT for rule in rules)
        keys = {"noundo": options.noundo, "norestart": options.norestart, "checkpoints": saves}
        return {"interval": options.realtime, **keys}

    def checkpoint_after(self, move: str) -> ScriptPosition | None:
        """Return the position after a restart that follows a move, if the move sets a checkpoint; otherwise None."""
        state, nowhere = self.state, (0,) * len(self.state.cells)
        play = self._game.engine.play(state._replace(target=nowhere))
        play.press(move)
        saved = play.outcome().target
        if saved == nowhere:
            return None
        target = saved if self._game.has_restart else None
        after = self._game.engine.started(state._replace(cells=saved, target=target, won=False))
        return after and ScriptPosition(self._game, after, self.start)

    def draw(self) -> str:
        """Return the board as text, with one character for each cell."""
        return self._game.text.picture(self.state)

    def ground(self) -> Ground:
        """Return the background of the level's picture, with the objects that never change."""
        return self._game.painter.ground(self.state)

    def pieces(self) -> Sequence[Piece]:
        """Return the objects to draw in front of the background of the picture."""
        return self._game.painter.pieces(self.state)

    def seen(self) -> Hashable:
        """Return the visible part of the state: the size of the board and its cells."""
        return self.state.width, self.state.height, self.state.cells

    def messages(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the messages before the level and, if it is the last level, after it."""
        levels = self._game.compiled.levels
        number = next((number for number, level in enumerate(levels) if self._begins_level(level)), None)
        if number is None:
            return (), ()
        before = list(takewhile(lambda level: not level.width, reversed(levels[:number])))
        after = levels[number + 1 :]
        last = not any(level.width for level in after)
        return [level.text for level in reversed(before)], [level.text for level in after if last]

    def _begins_level(self, level: Level) -> bool:
        """Return whether a level of the game begins with this position."""
        return level.width > 0 and (level.text == self._text.strip() or level[:3] == self.state[:3])

    def level_text(self) -> str:
        """Return the rows of characters of the level that begins here; if none does, return the state as text."""
        rows = None if self._text else self._game.glyphs.rows(self.state.cells, self.state.height)
        if rows is None:
            return self._text or str(self)
        text = "\n".join([*rows, ""])
        try:
            return text if self._game.parse(text) == self else str(self)
        except ParseError:  # rows that are read as something else, or that never come to rest
            return str(self)

    def _key(self) -> Hashable:
        return self.state


class ScriptGame(ScriptRules, Generating, Traced):
    """A PuzzleScript game, made from its text."""

    options: Mapping[str, Option] = OPTIONS
    parts: Mapping[str, str] = PARTS

    def parse(self, text: str, source: str | None = None) -> ScriptPosition:
        """Read the text of a level or of a state, and return the position.

        A level of the game itself comes from the compiler: characters that are not glyphs are faults of the game, which
        can be played with a few of them.
        """
        state, fresh = self.read(text, source)
        return self.begun(state, text, source, fresh=fresh)

    def read(self, text: str, source: str | None = None) -> tuple[State, bool]:
        """Read the text of a level or of a state; return the state, and True for a level. Raises ParseError."""
        own = self.levels.states.get(text.strip())
        return self.text.read(text, source) if own is None else (own, True)

    def begun(self, state: State, text: str, source: str | None = None, *, fresh: bool) -> ScriptPosition:
        """Read the text of a level or of a state; return the position in which its play begins. Raises ParseError."""
        if self.has_restart:
            state = state._replace(target=state.target or state.cells)
        endless: set[Endless] = set()
        started = self.engine.started(state, endless) if fresh else state
        self.warn_of(endless)
        if started is None:
            message = f"the level never comes to rest: it begins with more than {MOST_AGAINS} turns of `again`"
            raise ParseError(message, file=source)
        return ScriptPosition(self, started, text=text.strip("\r\n") + "\n" if fresh else "")

    def generate(self, rng: Random, options: Mapping[str, Any]) -> Position:
        """Return one of the levels of the game, changed at random."""
        return make_level(self, rng, options)

    def variation(  # type: ignore[override]  # of the object: a class method is for games that are classes
        self, position: Position, rng: Random, options: Mapping[str, Any]
    ) -> Position:
        return self.generate(rng, {**options, "from": (position.level_text(),)})

    def without(self, position: Position, kind: str, name: str) -> Position:
        """Return a level in the game without one rule or object, which `rules.without_part` removes."""
        game = _left_out(self.source, self.name, self.file, (kind, name))
        text = position.level_text()
        state, fresh = game.read(text)
        if kind == OBJECT:
            state = without_object(game.compiled, state, object_number(game.compiled, name))
        return game.begun(state, text, fresh=fresh)

    def trace(
        self,
        level: str,
        inputs: str,
        *,
        engine: str = "",
        seed: str = "",
        through: bool = False,
        states: bool = False,
        rules: bool = False,
    ) -> Tracing:
        """Return a run that plays inputs on a level, and records the board after each input or every step.

        With `rules` it shows each rule that fires; see `debugging/showing.py`.
        """
        if states:
            raise UsageError(
                "--states works only for PDDL domains; all boards of a game in PuzzleScript are shown anyway"
            )
        keys = "".join(inputs.split()).lower()
        if not rules:
            from unpuzzle.puzzlescript.debugging.recording import BoardTracing

            return BoardTracing(self, level, keys, engine_of(engine or "python", self.compiled), seed or "1", through)
        if engine == "native":
            raise UsageError("--fired works only with the engine python: leave out --engine native")
        if through:
            raise UsageError("--fired works only for one level: leave out --through")
        from unpuzzle.puzzlescript.debugging.showing import RuleTracing

        return RuleTracing(self, level, keys, seed or "1")

    def cover(
        self,
        levels: Mapping[str, str] | None = None,
        *,
        limits: Limits | None = None,
        max_states: int | None = None,
        progress: Callable[[str, int], None] | None = None,
    ) -> Covering:
        """Return a run that explores levels and records which rules fire in each."""
        from unpuzzle.puzzlescript.debugging.covering import RuleCovering

        return RuleCovering(self, levels, limits=limits, max_states=max_states, progress=progress)

    def debugger(self) -> Debugger:
        """Return a debugger, which shows for each key which rules fire in a position."""
        from unpuzzle.puzzlescript.debugging.showing import KeyDebugger

        return KeyDebugger(self)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _unpickled, (self.source, self.name, self.file, self.left_out)


def read_game(path: str, name: str = "") -> ScriptGame:
    """Read a game from a file; its default name is the file's. Raises ParseError for a file that is no game."""
    stem = os.path.splitext(os.path.basename(path))[0]
    return ScriptGame(read_text(path), name or stem, path)


def game_of(text: str, name: str, file: str | None = None, *, engine: str = "python") -> ScriptGame:
    """Compile a game from its text. Raises ParseError if the text is not a game."""
    return ScriptGame(text, name, file, engine=engine)


@lru_cache(maxsize=8)
def _unpickled(text: str, name: str, file: str | None, left_out: tuple[str, str] | None = None) -> ScriptGame:
    """Create a game from its pickled arguments; games are cached, so that a worker compiles each only once."""
    return ScriptGame(text, name, file, left_out=left_out)


_left_out = _unpickled
"""A function that returns a game without a rule or an object, cached since it is needed for each generated level."""


# New levels from given levels: objects are moved, exchanged, added and removed.
#
# A change is kept if the board can still be written in glyphs, and if it remains a level: with as many players as
# before, with objects for all parts of its win conditions that had some, and with an unchanged border, if the border
# was uniform, such as walls. An object and its target are added and removed together. The caller has to test whether a
# level can be solved, and how hard it is.


def make_level(game: ScriptRules, rng: Random, options: Mapping[str, Any]) -> Position:
    """Return one of the levels in `options`, changed at random. Raises ParseError if there are no levels."""
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
    """Return the text of a level, given by its number, its name or the text itself."""
    known = name in game.levels
    return game.levels[name] if known else name


def _require_cells(game: ScriptRules, names: Sequence[str], locked: Any) -> None:
    """Raise ParseError if one of the levels does not have one of the locked cells."""
    for name in names:
        state, _ = game.text.read(_text(game, name), None)
        cells_in(locked, state.height, state.width)


class _Changer:
    """A maker of random changes to a level of a game."""

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
        """Return the level after a random number of changes, from 1 to `most`."""
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
        """Return whether changed cells are a level: locked cells and border are as before, and no object is gone."""
        if self._players(new) != self._players(old) or self._opens_border(new, old):
            return False
        if any(new[place] != old[place] for place in self._locked):
            return False
        for objects in self._needed:
            if any(cell & objects for cell in old) and not any(cell & objects for cell in new):
                return False
        return self.glyphs.rows(new, self.state.height) is not None

    def _opens_border(self, new: Sequence[int], old: Sequence[int]) -> bool:
        """Return whether a change has altered the border of a level, if the border was closed by equal cells."""
        height, last = self.state.height, len(old) - self.state.height
        around = [c for c in range(len(old)) if c < height or c >= last or c % height in (0, height - 1)]
        frame = {old[place] for place in around}
        closed = len(frame) == 1 and any(objects & ~self._ground for objects in frame)
        return closed and any(new[place] != old[place] for place in around)

    def _players(self, cells: Sequence[int]) -> int:
        return sum(has(cell, self.game.player, self.game.player_is_aggregate) for cell in cells)

    def _move(self, cells: list[int]) -> None:
        """Move a random object to a random cell; an object of its layer in that cell is moved back in exchange."""
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
        """Exchange the contents of two random cells, but not their backgrounds."""
        one, other = self.rng.choice(self.free), self.rng.choice(self.free)
        differing = (cells[one] ^ cells[other]) & ~self._ground
        if one != other:
            cells[one] ^= differing
            cells[other] ^= differing

    def _add(self, cells: list[int]) -> None:
        """Add a random object, and one of its targets if a win condition names targets for it."""
        if not self._palette:
            return
        number = self.rng.choice(self._palette)
        self._put(cells, number)
        for first, second in self._pairs:
            partners = [other for other in self._palette if second >> other & 1]
            if first >> number & 1 and partners:
                self._put(cells, self.rng.choice(partners))

    def _put(self, cells: list[int], number: int) -> None:
        """Put an object on a random cell, if possible one in which the object's layer is empty."""
        layer = self._layer_of[number]
        empty = [place for place in self.free if not cells[place] & layer]
        place = self.rng.choice(empty or self.free)
        cells[place] = (cells[place] & ~layer) | 1 << number

    def _remove(self, cells: list[int]) -> None:
        """Remove a random object; if it is a target of a win condition, also remove an object that should be on it."""
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
