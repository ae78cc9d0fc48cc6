"""Judge levels of games such as 24 whose own planner searches on the rules (`Game.planner`), which is over before PDDL
is.
"""

from __future__ import annotations

from unpuzzle.errors import LimitReached, UnsupportedFeature
from unpuzzle.levels.candidates import (
    Chunk,
    ChunkVerdicts,
    GeneratedLevel,
    Verdict,
    Wish,
    judge_singly,
    verdict_of,
    verdict_of_space,
)
from unpuzzle.limits import Deadline
from unpuzzle.planning import registry
from unpuzzle.planning.planner import RULES
from unpuzzle.puzzle.capabilities import SelfExploring, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.result import LIMITS, UNSUPPORTED
from unpuzzle.solving import solve
from unpuzzle.spaces.by_rules import reachable_by_rules
from unpuzzle.spaces.exploration import explore


def fits(position: Position) -> bool:
    """Return whether levels like this one are judged here."""
    name = position.game.planner
    return offered(position, SelfExploring) is not None or (bool(name) and registry.find(name).reads == (RULES,))


def judge_by_rules(chunk: Chunk) -> ChunkVerdicts:
    """Judge the candidates of a chunk by searches on their rules; see `judge_singly`."""
    return judge_singly(chunk, _verdict)


def _verdict(position: Position, wish: Wish, watch: Deadline) -> Verdict:
    """Return what a best solution tells, and then, if that is wanted, what all positions do."""
    answer = solve(position, limits=watch, max_expanded=wish.max_states)
    if answer.status in LIMITS:
        raise LimitReached(answer.status, answer.message)
    if answer.status == UNSUPPORTED:  # nor would any other level be judged
        raise UnsupportedFeature(answer.message, feature="search")
    verdict = verdict_of(position, answer, wish)
    if isinstance(verdict, GeneratedLevel) and (wish.unique or wish.no_dead_ends):
        return _explored(position, verdict, wish, watch)
    return verdict


def _explored(position: Position, level: GeneratedLevel, wish: Wish, watch: Deadline) -> Verdict:
    """Return the level with what its whole space tells, if it is what is wanted."""
    if offered(position, SelfExploring):
        space = explore(position, limits=watch, max_states=wish.max_states).space
    else:
        space = reachable_by_rules(position, limits=watch, max_states=wish.max_states)
    if space.status in LIMITS:
        raise LimitReached(space.status, space.message)
    return verdict_of_space(position, level, space, wish, watch) if space.complete else "too_large"
