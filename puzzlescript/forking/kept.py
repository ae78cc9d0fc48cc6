"""The levels of a game that were forked last, as PDDL or as what keeps them from it, with the steps that it took.

An answer that is kept costs as many steps as when it was found: what may be spent decides alike at any time.
"""

from __future__ import annotations

from unpuzzle.errors import EffortSpent, UnsupportedFeature
from unpuzzle.puzzlescript.forking.effort import Effort, require_affordable
from unpuzzle.puzzlescript.forking.forked import Forked
from unpuzzle.puzzlescript.playing.collecting import uncollected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.puzzlescript.game import ScriptGame
    from unpuzzle.puzzlescript.playing.states import State

KEPT = 64
"""So many levels."""


class KeptLevels:
    """What was found of the levels of one game."""

    def __init__(self) -> None:
        self._levels: list[tuple[State, Forked | UnsupportedFeature, int]] = []

    def forked(self, game: ScriptGame, state: State, tick: Callable[[], None], most_steps: int | None) -> Forked:
        """See `ScriptGame.forked`."""
        kept = next((kept for kept in self._levels if kept[0] is state or kept[0] == state), None)
        if kept is None:
            kept = (state, *_fork(game, state, Effort(tick, game.file, most_steps)))
            self._levels = [kept, *self._levels[: KEPT - 1]]
        require_affordable(kept[2], most_steps)
        if isinstance(kept[1], UnsupportedFeature):
            raise kept[1].with_traceback(None)
        return kept[1]


def _fork(game: ScriptGame, state: State, effort: Effort) -> tuple[Forked | UnsupportedFeature, int]:
    """The PDDL or what keeps the level from it, and how many steps it took to find that. Raises EffortSpent."""
    try:
        game.require_pddl()
        return uncollected(lambda: Forked(game.compiled, state, game.keys(state), effort, game.name)), effort.steps
    except EffortSpent:
        raise
    except UnsupportedFeature as refusal:
        return refusal, effort.steps
