"""A PuzzleScript game as a game of unpuzzle: its levels are those of its text, its moves are keys.

Moves are `u l d r`, `x` unless the game has none, and `t`, a tick, where the state asks for ticks. A key that leads to
the same state is no move, nor is one after which turns of `again` never end. A won position keeps its moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.capabilities import Generating, Traced
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.puzzle import late
from unpuzzle.puzzlescript.playing.applying import Endless
from unpuzzle.puzzlescript.playing.play import MOST_AGAINS
from unpuzzle.puzzlescript.position import ScriptPosition
from unpuzzle.puzzlescript.rules import ScriptRules, engine_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from unpuzzle.puzzlescript.playing.tracing import Tracing


class ScriptGame(ScriptRules, Generating, Traced):
    """A game that a text in PuzzleScript describes; see `ScriptRules` for its attributes."""

    options = late("unpuzzle.puzzlescript.levels.making", "OPTIONS")

    def parse(self, text: str, source: str | None = None) -> ScriptPosition:
        """Return the position of a board, or the one in which a level of rows of glyphs begins.

        A level of the game's own is what its compiler made of it: characters that are no glyphs are faults of the game,
        which runs with a few of them.
        """
        own = self.levels.states.get(text.strip())
        state, fresh = self.text.read(text, source) if own is None else (own, True)
        if self.has_restart:
            state = state._replace(target=state.target or state.cells)
        endless: set[Endless] = set()
        started = self.engine.started(state, endless) if fresh else state
        self.warn_of(endless)
        if started is None:
            message = f"the level never comes to rest: it begins with more than {MOST_AGAINS} turns of `again`"
            raise ParseError(message, file=source)
        return ScriptPosition(self, started, written=text.strip("\r\n") + "\n" if fresh else "")

    def generate(self, rng: Random, options: Mapping[str, Any]) -> Position:
        """Return a level of the game, changed at random."""
        from unpuzzle.puzzlescript.levels.making import make_level

        return make_level(self, rng, options)

    def trace(
        self, level: str, inputs: str, *, engine: str = "python", seed: str = "1", through: bool = False
    ) -> Tracing:
        """Return a play of inputs on a level, which shows the board after each; see `playing/tracing.py`."""
        from unpuzzle.puzzlescript.playing.tracing import Tracing

        return Tracing(self, level, inputs, engine_of(engine, self.compiled), seed, through)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _unpickled, (self.source, self.name, self.file)


def game_of(text: str, name: str, file: str | None = None, *, engine: str = "python") -> ScriptGame:
    """Return the game that a text describes. Raises ParseError where it is none."""
    return ScriptGame(text, name, file, engine=engine)


@lru_cache(maxsize=8)
def _unpickled(text: str, name: str, file: str | None) -> ScriptGame:
    """Return the game that was pickled: workers get it with every job, and compile it once."""
    return ScriptGame(text, name, file)
