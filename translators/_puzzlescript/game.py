"""A PuzzleScript game as a game of unpuzzle: its levels are those of its text, its moves are keys.

Moves are `u l d r`, `x` unless the game has none, and `t`, a tick, where the state asks for ticks. A key that leads to
the same state is no move, nor is one after which turns of `again` never end. A won position keeps its moves.
"""

from __future__ import annotations

import os

from unpuzzle.errors import IllegalMove, ParseError, UnsupportedFeature
from unpuzzle.puzzle.game import Game
from unpuzzle.puzzle.position import Position
from unpuzzle.translators._puzzlescript.compiling import compile_game
from unpuzzle.translators._puzzlescript.engine import PythonEngine, chance
from unpuzzle.translators._puzzlescript.playing import MOST_AGAINS
from unpuzzle.translators._puzzlescript.states import StateText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from typing import Any

    from unpuzzle.pddl.nodes import Atom, GroundAction, Task
    from unpuzzle.translators._puzzlescript.compiled import Compiled
    from unpuzzle.translators._puzzlescript.engine import Engine
    from unpuzzle.translators._puzzlescript.forking.forked import Forked
    from unpuzzle.translators._puzzlescript.states import State

KEYS = ("u", "l", "d", "r", "x", "t")
KEPT = 8
"""So many levels are kept as PDDL."""


class ScriptGame(Game):
    """A game that a text in PuzzleScript describes.

    Attributes: `compiled`, the game as plain data; `engine`; `source`, the text; `file`, its name, if it has one.
    """

    planner = "rules:bfs"
    levels: Levels

    def __init__(self, text: str, name: str, file: str | None = None) -> None:
        self.source = text
        self.file = file
        self.name = name
        self.compiled: Compiled = compile_game(text, file)
        self.title = self.compiled.title or name
        self.levels = Levels(self.compiled)
        self.engine: Engine = PythonEngine(self.compiled)
        self.text = StateText(self.compiled)
        self._forked: list[Forked] = []

    def parse(self, text: str, source: str | None = None) -> ScriptPosition:
        """The position of a board, or the one in which a level of rows of glyphs begins."""
        state, fresh = self.text.read(text, source)
        return ScriptPosition(self, self.engine.started(state) if fresh else state)

    def keys(self, state: State) -> tuple[str, ...]:
        """The inputs that a state takes."""
        without = ("x",) if self.compiled.options.noaction else ()
        return tuple([key for key in KEYS if key not in without and (key != "t" or state.ticks)])

    def require_certainty(self, state: State) -> None:
        """Raises UnsupportedFeature for a game with chance, where the state has no seed."""
        rule = None if state.seed is not None else chance(self.compiled)
        if rule is not None:
            raise UnsupportedFeature(
                "this rule is left to chance: a search needs a level with a seed, a line `seed 1` after its board",
                feature="random",
                file=self.file,
                line=rule.line,
            )

    def forked(self, state: State) -> Forked:
        """The PDDL of a level that begins with a state. Raises UnsupportedFeature where there is none."""
        for known in self._forked:
            if known.start is state or known.start == state:
                return known
        from unpuzzle.translators._puzzlescript.forking.forked import Forked

        self.require_pddl()
        forked = Forked(self.compiled, state, self.keys(state), _no_limit, self.file, self.name)
        self._forked = [forked, *self._forked[: KEPT - 1]]
        return forked

    def require_pddl(self) -> None:
        """Raises UnsupportedFeature for a game with chance: PDDL draws no numbers."""
        rule = chance(self.compiled)
        if rule is not None:
            sentence = "no PDDL: this rule is left to chance"
            raise UnsupportedFeature(sentence, feature="PDDL", file=self.file, line=rule.line)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return game_of, (self.source, self.name, self.file)

    def __repr__(self) -> str:
        return f"game_of({self.file or self.name!r})"


class Levels(dict[str, str]):
    """The levels by number, from 0, messages counted; a level may be asked for by the message before it, too."""

    def __init__(self, game: Compiled) -> None:
        super().__init__({str(n): f"{level.text}\n" for n, level in enumerate(game.levels) if level.width})
        self._named: dict[str, str] = {}
        for number, level in enumerate(game.levels[:-1]):
            if not level.width and str(number + 1) in self:
                self._named.setdefault(level.text.lower(), str(number + 1))

    def number(self, name: str) -> int | None:
        """The number of a level that is asked for by number or name."""
        found = name if dict.__contains__(self, name) else self._named.get(name.lower())
        return None if found is None else int(found)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.number(name) is not None

    def __missing__(self, name: str) -> str:
        number = self.number(name)
        if number is None:
            raise KeyError(name)
        return self[str(number)]


class ScriptPosition(Position):
    """A position of a PuzzleScript game; `start` is the state in which its level begins, which decides on its PDDL."""

    __slots__ = ("_game", "start", "state")

    def __init__(self, game: ScriptGame, state: State, start: State | None = None) -> None:
        self._game = game
        self.state = state
        self.start = state if start is None else start

    def __reduce__(self) -> tuple[Any, ...]:
        return ScriptPosition, (self._game, self.state, self.start)

    @property
    def game(self) -> ScriptGame:
        return self._game

    def __str__(self) -> str:
        return self._game.text.write(self.state)

    def following(self) -> Mapping[str, ScriptPosition]:
        """The positions after the keys that change something.

        Raises UnsupportedFeature where that is left to chance.
        """
        game, state = self._game, self.state
        game.require_certainty(state)
        keys = game.keys(state)
        after = game.engine.successors(state, keys)
        found = zip(keys, after, strict=True)
        return {key: ScriptPosition(game, new, self.start) for key, new in found if new is not None and new != state}

    def moves(self) -> tuple[str, ...]:
        return tuple(self.following())

    def apply(self, move: str) -> ScriptPosition:
        keys = self._game.keys(self.state)
        if move not in keys:
            raise IllegalMove(f"{move!r} is not a move: they are {', '.join(keys)}", move=move)
        self._game.require_certainty(self.state)
        after = self._game.engine.after(self.state, move)
        if after is None:
            why = f"it is followed by more than {MOST_AGAINS} turns of `again`"
            raise IllegalMove(f"{move!r} is not a move here: {why}", move=move)
        if after == self.state:
            raise IllegalMove(f"{move!r} is not a move here: it changes nothing", move=move)
        return ScriptPosition(self._game, after, self.start)

    def solved(self) -> bool:
        return self.state.won

    # ---- PDDL

    def forked(self) -> Forked:
        """The PDDL of the level that this position belongs to."""
        return self._game.forked(self.start)

    def task(self) -> Task:
        return self.forked().task(self.state)

    def atoms(self) -> frozenset[Atom]:
        return frozenset(self.forked().atoms(self.state))

    def decode(self, action: GroundAction) -> str:
        return self.forked().decode(action)

    # ----

    def draw(self) -> str:
        """The board in glyphs: a cell's own, or that of its topmost object which has one."""
        return self._game.text.picture(self.state)

    def _key(self) -> Hashable:
        return self.state


def _no_limit() -> None:
    """Looks at no limit."""


def game_of(text: str, name: str, file: str | None = None) -> ScriptGame:
    """The game that a text describes. Raises ParseError where it is none."""
    return ScriptGame(text, name, file)


def read_game(path: str) -> ScriptGame:
    """The game of a file. Raises ParseError where there is none, or it is not a game in PuzzleScript."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise ParseError("there is no such file", file=path) from None
    text = data.decode("utf-8-sig", "replace")
    return game_of(text, os.path.splitext(os.path.basename(path))[0], path)
