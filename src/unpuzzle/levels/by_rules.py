"""Judging levels of games whose own planner searches on the rules (`Game.planner`), such as 24.

Where levels have little in common, or more than PDDL can list, a search on the rules is over before a task is grounded.
"""

from __future__ import annotations

from unpuzzle.errors import LimitReached, UnsupportedFeature
from unpuzzle.levels.candidates import Level, told
from unpuzzle.levels.singly import judged_singly
from unpuzzle.planning import registry
from unpuzzle.planning.planner import RULES
from unpuzzle.puzzle.capabilities import SelfExploring, level_text_of, offered
from unpuzzle.result import LIMITS, MEMOUT, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE, UNSUPPORTED
from unpuzzle.solving import solve
from unpuzzle.spaces.by_rules import reachable_by_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unpuzzle.levels.candidates import Chunk, Judged, Verdict, Wish
    from unpuzzle.limits import Deadline
    from unpuzzle.puzzle.position import Position
    from unpuzzle.spaces.space import Space


def fits(position: Position) -> bool:
    """Whether levels like this one are judged here."""
    name = position.game.planner
    return offered(position, SelfExploring) is not None or (bool(name) and registry.find(name).reads == (RULES,))


def judged(chunk: Chunk) -> Judged:
    """See `judged_singly`."""
    return judged_singly(chunk, _verdict)


def _verdict(position: Position, wish: Wish, watch: Deadline) -> Verdict:
    """What a best solution tells, and then, if that is wanted, what all positions do."""
    answer = solve(position, limits=watch, max_expanded=wish.max_states)
    if answer.status in LIMITS:
        raise LimitReached(answer.status, answer.message)
    if answer.status == UNSUPPORTED:  # nor would any other level be judged
        raise UnsupportedFeature(answer.message, feature="search")
    if answer.status == UNSOLVABLE:
        return "unsolvable"
    if answer.status != SOLVED_OPTIMALLY or answer.cost is None or answer.moves is None or answer.expanded is None:
        return "too_large"
    misfit = wish.misfit(answer.cost)
    if misfit is not None:
        return misfit
    level = Level(level_text_of(position), answer.cost, answer.moves, answer.expanded)
    return _explored(position, level, wish, watch) if wish.unique or wish.no_dead_ends else level


def _explored(position: Position, level: Level, wish: Wish, watch: Deadline) -> Verdict:
    """The level with what its whole space tells, if it is what is wanted."""
    try:
        explored = _explored_by_itself if offered(position, SelfExploring) else reachable_by_rules
        space = explored(position, watch, max_states=wish.max_states)
    except LimitReached as reached:
        if reached.status in (TIMEOUT, MEMOUT):
            raise
        return "too_large"
    return told(position, level, space, wish, watch)


def _explored_by_itself(position: Position, watch: Deadline, *, max_states: int | None) -> Space[Any]:
    """Return the space of a position that explores it itself, where the core is there for it."""
    from unpuzzle.spaces.exploration import explore

    return explore(position, watch, max_states=max_states).space
