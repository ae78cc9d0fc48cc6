"""The state space of a PuzzleScript level, explored in the core by the rules of the game."""

from __future__ import annotations

from unpuzzle.limits import Deadline
from unpuzzle.puzzlescript.searching.native_engine import endless_of, group_lines
from unpuzzle.puzzlescript.searching.searches import level_of
from unpuzzle.spaces.space import Space, SpaceLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from unpuzzle.limits import Limits
    from unpuzzle.planners.native import _core


class ScriptSpace(Space[str]):
    """A `Space` whose actions are the keys of the game."""

    def __init__(self, keys: tuple[str, ...], core: _core.ScriptSpace) -> None:
        self.actions = keys
        self.costs = (1,) * len(keys)
        self._view(core)


def explored(
    script: tuple[Any, Any],
    limits: Limits | Deadline | None = None,
    *,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> ScriptSpace:
    """The space of a game and a state; arguments and errors as those of `native.state_space.reachable`."""
    game, state = script
    deadline = Deadline.of(limits, "exploring")
    told = None if progress is None else lambda expanded, *others: progress(expanded)
    core = level_of(game, state).space(deadline.time_left(), deadline.memory_left(), max_states, told)
    game.engine.endless.update(endless_of(core, group_lines(game.compiled)))
    if core.status != "complete":
        raise SpaceLimitError(core.status, core.expanded, max_states)
    return ScriptSpace(game.keys(state), core)
