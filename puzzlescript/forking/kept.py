"""The levels of a game that were forked last, as PDDL or as what keeps them from it, with the steps that it took.

An answer that is kept costs as many steps as when it was found: what may be spent decides alike at any time.
"""

from __future__ import annotations

from collections.abc import Callable

from unpuzzle.errors import EffortSpent, UnsupportedFeature
from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.compiling.compiler import without_collecting
from unpuzzle.puzzlescript.forking.counted import Effort, require_affordable
from unpuzzle.puzzlescript.forking.forked import Forked
from unpuzzle.puzzlescript.playing.engine import chance, keys_of
from unpuzzle.puzzlescript.playing.states import State

MOST_KEPT = 64
"""How many levels are kept."""


class KeptLevels:
    """The PDDL of levels of one game, each found once; of two threads that ask for one at a time, both find it."""

    def __init__(self, game: Compiled, name: str, file: str | None) -> None:
        self._game, self._name, self._file = game, name, file
        self._levels: tuple[tuple[State, Forked | UnsupportedFeature, int], ...] = ()

    def forked(self, state: State, tick: Callable[[], None], most_steps: int | None = None) -> Forked:
        """Return the PDDL of a level that begins with a state; `tick` is called often, and may raise to end the work.

        Raises UnsupportedFeature where there is none, and EffortSpent where finding that out takes more steps than
        may be spent, which is the same whether it has been found out before or not.
        """
        level = next((level for level in self._levels if level[0] is state or level[0] == state), None)
        if level is None:
            level = (state, *self._fork(state, Effort(tick, self._file, most_steps)))
            self._levels = (level, *self._levels[: MOST_KEPT - 1])
        require_affordable(level[2], most_steps)
        if isinstance(level[1], UnsupportedFeature):
            raise level[1].with_traceback(None)
        return level[1]

    def _fork(self, state: State, effort: Effort) -> tuple[Forked | UnsupportedFeature, int]:
        """Return the PDDL or what keeps the level from it, and how many steps that took. Raises EffortSpent."""
        rule = chance(self._game)
        if rule is not None:
            sentence = "no PDDL: this rule is left to chance"
            return UnsupportedFeature(sentence, feature="PDDL", file=self._file, line=rule.line), 0
        try:
            keys = keys_of(self._game, state)
            return without_collecting(lambda: Forked(self._game, state, keys, effort, self._name)), effort.steps
        except EffortSpent:
            raise
        except UnsupportedFeature as refusal:
            return refusal, effort.steps
