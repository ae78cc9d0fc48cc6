"""A PuzzleScript game as a game of unpuzzle: its levels are those of its text, its moves are keys.

Moves are `u l d r`, `x` unless the game has none, and `t`, a tick, where the state asks for ticks. A key that leads to
the same state is no move, nor is one after which turns of `again` never end. A won position keeps its moves.
"""

from __future__ import annotations

import os
from functools import cached_property, lru_cache
from itertools import takewhile

from unpuzzle.errors import IllegalMove, ParseError, UnsupportedFeature
from unpuzzle.puzzle.capabilities import (
    Generating,
    HasHeuristics,
    Interruptible,
    Pictured,
    Scripted,
    Symmetric,
    Translated,
)
from unpuzzle.puzzle.position import Game
from unpuzzle.puzzle.puzzle import late
from unpuzzle.puzzlescript.compiling.compiler import compile_game
from unpuzzle.puzzlescript.compiling.reading import read_text
from unpuzzle.puzzlescript.playing.applying import endless_message, no_limit
from unpuzzle.puzzlescript.playing.engine import PythonEngine, chance, has_restart
from unpuzzle.puzzlescript.playing.play import MOST_AGAINS, has_player
from unpuzzle.puzzlescript.playing.states import State, StateText
from unpuzzle.puzzlescript.searching.estimates import heuristics, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from random import Random
    from typing import Any

    from unpuzzle.drawing import Ground, Piece
    from unpuzzle.pddl import Fault
    from unpuzzle.pddl.nodes import Atom, Domain, GroundAction, Task
    from unpuzzle.puzzle.heuristic import Heuristic
    from unpuzzle.puzzlescript.compiling.compiled import Compiled, Level
    from unpuzzle.puzzlescript.forking.forked import Forked
    from unpuzzle.puzzlescript.forking.kept import KeptLevels
    from unpuzzle.puzzlescript.glyphs import Glyphs
    from unpuzzle.puzzlescript.picture import Painter
    from unpuzzle.puzzlescript.playing.engine import Engine
    from unpuzzle.puzzlescript.searching.symmetry import Symmetry

KEYS = ("u", "l", "d", "r", "x", "t")


class ScriptGame(Game, Generating, HasHeuristics, Interruptible):
    """A game that a text in PuzzleScript describes.

    Attributes: `compiled`, the game as plain data; `engine`; `source`, the text; `file`, its name, if it has one;
    `kept`, what planners keep of the game.
    """

    levels: Levels
    options = late("unpuzzle.puzzlescript.making", "OPTIONS")

    def __init__(self, text: str, name: str, file: str | None = None, tick: Callable[[], None] = no_limit) -> None:
        self.source = text
        self.file = file
        self.name = name
        self.compiled: Compiled = compile_game(text, file, tick)
        self.title = self.compiled.title or name
        self.author, self.homepage = self.compiled.author, self.compiled.homepage
        self.levels = Levels(self.compiled)
        self.engine: Engine = PythonEngine(self.compiled)
        self.text = StateText(self.compiled)
        self.has_restart = has_restart(self.compiled)
        self.recent: tuple[State, Mapping[str, ScriptPosition]] | None = None
        """What followed the state that was last asked for: a search asks for all moves, then makes each."""
        self.kept: dict[str, Any] = {}

    @property
    def interrupts(self) -> Callable[[], None] | None:
        """What is called often while its turns are made, and may raise to end them; see `Engine`."""
        return self.engine.tick

    @interrupts.setter
    def interrupts(self, tick: Callable[[], None] | None) -> None:
        self.engine.tick = tick

    @cached_property
    def heuristics(self) -> Mapping[str, Heuristic]:  # type: ignore[override]
        """Estimates from the win conditions."""
        return heuristics(self.compiled)

    @cached_property
    def shortened(self) -> tuple[int, ...]:
        """For each win condition how much one move may shorten its distances; see `estimates`."""
        return shortened(self.compiled)

    @cached_property
    def _kept_levels(self) -> KeptLevels:
        from unpuzzle.puzzlescript.forking.kept import KeptLevels

        return KeptLevels()

    @cached_property
    def painter(self) -> Painter:
        """What draws its positions."""
        from unpuzzle.puzzlescript.picture import Painter

        return Painter(self.compiled)

    @cached_property
    def glyphs(self) -> Glyphs:
        """What writes its boards as levels are written."""
        from unpuzzle.puzzlescript.glyphs import Glyphs

        return Glyphs(self.compiled)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The reflections and rotations that it does not notice."""
        from unpuzzle.puzzlescript.searching.symmetry import symmetries_of

        keys = [key for key in KEYS[:5] if key != "x" or not self.compiled.options.noaction]
        return symmetries_of(self.compiled, self.engine, keys, chance(self.compiled) is None)

    def generate(self, rng: Random, options: Mapping[str, Any]) -> ScriptPosition:
        """A level of the game, changed at random."""
        from unpuzzle.puzzlescript.making import made

        return made(self, rng, options)

    def parse(self, text: str, source: str | None = None) -> ScriptPosition:
        """The position of a board, or the one in which a level of rows of glyphs begins.

        A level of the game's own is what its compiler made of it: characters that are no glyphs are faults of the game,
        which runs with a few of them.
        """
        own = self.levels.states.get(text.strip())
        state, fresh = self.text.read(text, source) if own is None else (own, True)
        if self.has_restart:
            state = state._replace(target=state.target or state.cells)
        started = self.engine.started(state) if fresh else state
        if started is None:
            message = f"the level never comes to rest: it begins with more than {MOST_AGAINS} turns of `again`"
            raise ParseError(message, file=source)
        return ScriptPosition(self, started, written=text.strip("\r\n") + "\n" if fresh else "")

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

    def forked(self, state: State, tick: Callable[[], None], most_steps: int | None = None) -> Forked:
        """The PDDL of a level that begins with a state; `tick` is called often, and may raise to end the work.

        Raises UnsupportedFeature where there is none, and EffortSpent where finding that out takes more steps than
        may be spent, which is the same whether it has been found out before or not.
        """
        return self._kept_levels.forked(self, state, tick, most_steps)

    def no_level(self, name: str) -> str:
        """Why there is no level of a name; empty where there is nothing to be said of it."""
        levels = self.compiled.levels
        if not self.levels:
            messages = f", only messages (from line {levels[0].line} on)" if levels else ""
            return f"{self.file or self.name} has no levels{messages}"
        if name.isdecimal() and int(name) < len(levels):
            level = levels[int(name)]
            return f"number {name} of {self.file or self.name} is no level, but the message in line {level.line}"
        return ""

    def cautions(self) -> list[Fault]:
        """Return a warning for each group of rules, and each loop, that was cut off in any turn so far."""
        from unpuzzle.pddl import Fault

        file = self.file or self.name
        return [Fault(file, line, None, "warning", endless_message(loop)) for line, loop in sorted(self.engine.endless)]

    def domain(self) -> Domain:
        """Raises ParseError: only a level has PDDL."""
        raise ParseError(f"{self.name} has no domain for all levels: each brings its own", file=self.file)

    def require_pddl(self) -> None:
        """Raises UnsupportedFeature for a game with chance: PDDL draws no numbers."""
        rule = chance(self.compiled)
        if rule is not None:
            sentence = "no PDDL: this rule is left to chance"
            raise UnsupportedFeature(sentence, feature="PDDL", file=self.file, line=rule.line)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _regained, (self.source, self.name, self.file)

    def __repr__(self) -> str:
        return f"game_of({self.file or self.name!r})"


class Levels(dict[str, str]):
    """The levels by number, from 0, messages counted; a level may be asked for by the message before it, too."""

    def __init__(self, game: Compiled) -> None:
        super().__init__({str(n): f"{level.text}\n" for n, level in enumerate(game.levels) if level.width})
        self.states = {level.text: State(*level[:3]) for level in game.levels if level.width}
        """What the compiler made of each text."""
        self._named: dict[str, str] = {}
        for number, level in enumerate(game.levels[:-1]):
            if not level.width and str(number + 1) in self:
                self._named.setdefault(_plain(level.text), str(number + 1))

    def number(self, name: str) -> int | None:
        """The number of a level that is asked for by number or name."""
        found = name if dict.__contains__(self, name) else self._named.get(_plain(name))
        return None if found is None else int(found)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.number(name) is not None

    def __missing__(self, name: str) -> str:
        number = self.number(name)
        if number is None:
            raise KeyError(name)
        return self[str(number)]


def _plain(message: str) -> str:
    """A message as the name of a level: in any case, and without a full stop, which would make it a file's name."""
    return message.lower().rstrip(" .!?")


class ScriptPosition(Pictured, Symmetric, Scripted, Translated):
    """A position of a PuzzleScript game.

    `start` is the state in which its level begins, which decides on its PDDL; the first position of a level knows how
    that is `written`.
    """

    __slots__ = ("_game", "_written", "start", "state")

    def __init__(self, game: ScriptGame, state: State, start: State | None = None, *, written: str = "") -> None:
        self._game = game
        self.state = state
        self.start = state if start is None else start
        self._written = written

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
        made = {key: ScriptPosition(game, new, self.start) for key, new in found if new is not None and new != state}
        game.recent = (state, made)
        return made

    def moves(self) -> tuple[str, ...]:
        return tuple(self.following())

    def apply(self, move: str) -> ScriptPosition:
        recent = self._game.recent
        if recent is not None and recent[0] is self.state and move in recent[1]:
            return recent[1][move]
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
        return self._game.forked(self.start, no_limit)

    def translate(self, tick: Callable[[], None], most_steps: int | None = None) -> None:
        """Finds the PDDL of the level, which the game keeps."""
        self._game.forked(self.start, tick, most_steps)

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

    def ground(self) -> Ground:
        """What no move changes, in the colours of the game."""
        return self._game.painter.ground(self.state)

    def pieces(self) -> Sequence[Piece]:
        """The other objects; one that turns into another is another piece, except for players."""
        return self._game.painter.pieces(self.state)

    def seen(self) -> Hashable:
        """The board: neither a won mark nor the rest of what a state remembers is seen."""
        return self.state.width, self.state.height, self.state.cells

    def impossible(self) -> str | None:
        """Why nothing can ever happen here: there is no player, and no rule does anything or wins without one."""
        game, state = self._game, self.state
        if state.won or has_player(game.compiled, state.cells):
            return None
        if state.seed is None and chance(game.compiled) is not None:
            return None
        keys = game.keys(state)
        if not keys or any(after is not None and after != state for after in game.engine.successors(state, keys)):
            return None
        line = next((f" (line {level.line})" for level in game.compiled.levels if self._is(level)), "")
        return f"this level{line} has no player, and no rule does anything without one"

    def messages(self) -> tuple[Sequence[str], Sequence[str]]:
        """The messages that come before its level, and those after it where no other level follows."""
        levels = self._game.compiled.levels
        number = next((number for number, level in enumerate(levels) if self._is(level)), None)
        if number is None:
            return (), ()
        before = list(takewhile(lambda level: not level.width, reversed(levels[:number])))
        last = not any(level.width for level in levels[number + 1 :])
        after = levels[number + 1 :] if last else ()
        return [level.text for level in reversed(before)], [level.text for level in after]

    def _is(self, level: Level) -> bool:
        """Whether it is where a level of the game begins, as far as the board tells."""
        return level.width > 0 and (level.text == self._written.strip() or level[:3] == self.state[:3])

    def symmetries(self) -> Iterable[ScriptPosition]:
        """The same but for a reflection or rotation, as far as the game does not notice it; itself at first."""
        game, state = self._game, self.state
        if state.seed is not None:
            return (self,)
        found = dict.fromkeys([symmetry.state(state) for symmetry in game.symmetries])
        return tuple([ScriptPosition(game, same) for same in found])

    def script(self) -> tuple[ScriptGame, State]:
        """The game, whose rules are plain data, and the state."""
        return self._game, self.state

    def level_text(self) -> str:
        """Rows of glyphs, where a level of these begins as this position."""
        rows = None if self._written else self._game.glyphs.rows(self.state.cells, self.state.height)
        if rows is None:
            return self._written or str(self)
        text = "\n".join([*rows, ""])
        try:
            return text if self._game.parse(text) == self else str(self)
        except ParseError:  # rows that are read as something else, or that never come to rest
            return str(self)

    def _key(self) -> Hashable:
        return self.state


def game_of(text: str, name: str, file: str | None = None) -> ScriptGame:
    """The game that a text describes. Raises ParseError where it is none."""
    return ScriptGame(text, name, file)


@lru_cache(maxsize=8)
def _regained(text: str, name: str, file: str | None) -> ScriptGame:
    """The game that was pickled: workers get it with every job, and compile it once."""
    return ScriptGame(text, name, file)


def read_game(path: str, name: str = "", tick: Callable[[], None] | None = None) -> ScriptGame:
    """The game of a file, by default named like it. Raises ParseError for what is no game in PuzzleScript.

    `tick` is called often, and may raise to end the work.
    """
    return ScriptGame(
        read_text(path, tick), name or os.path.splitext(os.path.basename(path))[0], path, tick or no_limit
    )
