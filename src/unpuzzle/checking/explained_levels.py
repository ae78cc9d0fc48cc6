"""Why a level has no solution, in the words of its game: what of its goal can be reached, and the nearest miss.

The reasons of the PDDL (`reasons.explain`) come first, where the game's PDDL speaks of what players see, or where the
parts of the goal tell nothing, since there is one; then all that can be reached is explored, and what the parts of the
goal come to is told (`spaces.shortfalls`). Where the level is too large to be explored, the reasons alone are told.
"""

from __future__ import annotations

from dataclasses import replace

from unpuzzle.checking.reasons import SEARCH, SECONDS, Explanation, Reason, explain
from unpuzzle.errors import LimitReached, UnsupportedFeature
from unpuzzle.limits import Deadline, Limits
from unpuzzle.puzzle.position import Position
from unpuzzle.spaces.exploration import Exploration, explore
from unpuzzle.spaces.shortfalls import Shortfall, find_shortfall, searched

MOST_STATES = 200_000
"""The most positions of a level for which its nearest miss is looked for."""
SHARE = 0.5
"""Of the time: what exploring may take, so that there is some for the reasons."""


def explain_level(position: Position, *, limits: Limits | Deadline | None = None) -> Explanation:
    """Return why a level has no solution, or the first move of one that it has.

    Without a time limit the work ends after 20 seconds. Raises Interrupted as `explain` does, and UnsupportedFeature
    where neither the rules nor the PDDL of a game can be searched.
    """
    deadline = Deadline.of(limits, "explaining")
    left = deadline.time_left()
    left = SECONDS if left is None else left
    deadline = Deadline(deadline.limits.lasting(left), "explaining")
    exploration, shortfall = _searched(position, Deadline(deadline.limits.lasting(left * SHARE), "exploring"))
    if exploration is not None and exploration.cost is not None:
        plan = exploration.space.plan() or ()
        return Explanation(True, step=str(plan[0]) if plan else None)
    try:
        told = shortfall is not None and len(shortfall.parts) > 1 and bool(position.goal_parts())
        explanation = None if told else explain(position, limits=deadline)
    except UnsupportedFeature:  # there is no PDDL: the rules alone tell
        if exploration is None:
            raise
        explanation = None
    if explanation is None or (explanation.solvable is None and shortfall is not None):
        explanation = _by_rules(position, exploration, deadline)
    return explanation if shortfall is None else replace(explanation, shortfall=shortfall)


def _searched(position: Position, deadline: Deadline) -> tuple[Exploration | None, Shortfall | None]:
    """Return all that can be reached, where that ends in time, and what an unsolvable level falls short of."""
    try:
        exploration = explore(position, limits=deadline, max_states=MOST_STATES)
    except LimitReached:
        return None, None
    if not exploration.complete:
        return None, None
    try:
        return exploration, None if exploration.cost is not None else find_shortfall(exploration, limits=deadline)
    except LimitReached:
        return exploration, None


def _by_rules(position: Position, exploration: Exploration | None, deadline: Deadline) -> Explanation:
    """Return what the rules tell, where they are all that there is."""
    if exploration is None:
        return explain(position, limits=deadline)
    said = position.impossible() or searched(exploration.states)
    return Explanation(False, SEARCH, (Reason(said),), states=exploration.states)
