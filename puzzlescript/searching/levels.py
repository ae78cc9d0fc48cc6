"""Levels in the core: made of a game and a state, to be searched or explored."""

from __future__ import annotations

from unpuzzle.puzzlescript.searching.data import board_bytes
from unpuzzle.puzzlescript.searching.native_engine import endless_of, group_lines, seed_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.limits import Deadline
    from unpuzzle.planners.native import _core
    from unpuzzle.puzzlescript.playing.states import State
    from unpuzzle.puzzlescript.rules import ScriptRules


def core_level(game: ScriptRules, state: State) -> _core.ScriptLevel:
    """Return a level that begins with a state.

    Raises UnsupportedFeature where something is left to chance, DependencyMissing without the core.
    """
    game.require_certainty(state)
    core, objects = game.core, len(game.compiled.objects)
    from unpuzzle.planners.native import _core

    target = None if state.target is None else board_bytes(state.target, objects)
    seed = None if state.seed is None else seed_bytes(state.seed)
    board = (state.width, state.height, board_bytes(state.cells, objects), target, state.won)
    return _core.ScriptLevel(core, *board, seed, state.drawn, "".join(game.keys(state)))


def explore(
    game: ScriptRules,
    state: State,
    deadline: Deadline,
    max_states: int | None,
    progress: Callable[[int], None] | None,
) -> tuple[tuple[str, ...], _core.ScriptSpace]:
    """Return the keys of a level and its state space, whose operators are places of keys."""
    report = None if progress is None else lambda expanded, *others: progress(expanded)
    space = core_level(game, state).space(deadline.time_left(), deadline.memory_left(), max_states, report)
    warn(game, space)
    return game.keys(state), space


def warn(game: ScriptRules, outcome: _core.ScriptOutcome | _core.ScriptSpace) -> None:
    """Tell the author of the groups of rules, and loops, that were cut off."""
    if outcome.endless:
        game.warn_of(endless_of(outcome, group_lines(game.compiled)))
