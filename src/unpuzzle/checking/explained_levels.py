"""Explain why a level has no solution, in the words of its game: the reachable parts of its goal, and the nearest miss.

All reachable positions are explored, and the parts of the goal that they fulfil are reported (`spaces.shortfalls`). The
reasons from the PDDL (`reasons.explain`) are added if the parts tell nothing, since there is only one, or if the game
names no parts of its own. If the level is too large to explore, only the reasons are given; so is the game's own reason
for a level that consists of constraints.
"""

from __future__ import annotations

from contextlib import suppress

from unpuzzle.checking.reasons import SEARCH, WHETHER, Explanation, Reason, explain, usually
from unpuzzle.errors import LimitReached, UnsupportedFeature
from unpuzzle.limits import Limits
from unpuzzle.puzzle.position import Position
from unpuzzle.run import part
from unpuzzle.solving import is_filled_in
from unpuzzle.spaces.exploration import Exploration, explore
from unpuzzle.spaces.shortfalls import Shortfall, find_shortfall, searched
from unpuzzle.spaces.space import COMPLETE

MOST_STATES = 200_000
"""The most positions of a level for which its nearest miss is searched for."""
SHARE = 0.5
"""The share of the time for exploring; the rest is for the reasons."""


def explain_level(position: Position, *, limits: Limits | None = None) -> Explanation:
    """Return why a level has no solution, or the first move of a solution.

    Without a time limit the work ends after 20 seconds. Raises Interrupted as `explain` does, and UnsupportedFeature if
    neither the rules nor the PDDL of the game can be searched.
    """
    with usually(limits, "explaining"):
        try:
            said = position.impossible()
        except LimitReached as reached:
            return Explanation(None, status=reached.status, unfinished=WHETHER)
        if said is not None and is_filled_in(position):
            return Explanation(False, SEARCH, (Reason(said),))
        exploration, shortfall = _searched(position)
        if exploration is not None and exploration.cost is not None:
            plan = exploration.space.plan() or ()
            return Explanation(True, step=str(plan[0]) if plan else None)
        try:
            told = shortfall is not None and len(shortfall.parts) > 1 and bool(position.goal_parts())
            explanation = None if told else explain(position)
        except UnsupportedFeature:  # there is no PDDL: only the rules can explain
            if exploration is None:
                raise
            explanation = None
        if explanation is None or (explanation.solvable is None and shortfall is not None):
            explanation = _by_rules(position, exploration, said)
        explanation = _with_impossible(said, explanation)
        return explanation if shortfall is None else explanation.replace(shortfall=shortfall)


def _with_impossible(said: str | None, explanation: Explanation) -> Explanation:
    """Return an explanation that begins with the game's own reason, if there is one."""
    if said is None or explanation.solvable:
        return explanation
    reasons = (Reason(said), *[reason for reason in explanation.reasons if reason.text != said])
    if explanation.solvable is None:
        explanation = explanation.replace(solvable=False, kind=SEARCH, status=COMPLETE, unfinished="")
    return explanation.replace(reasons=reasons)


def _searched(position: Position) -> tuple[Exploration | None, Shortfall | None]:
    """Return the explored space if it is complete in its part of the time, and the shortfall of an unsolvable level."""
    exploration = shortfall = None
    with suppress(LimitReached), part("exploring", share=SHARE):
        explored = explore(position, max_states=MOST_STATES)
        if explored.complete:
            exploration = explored
            shortfall = None if explored.cost is not None else find_shortfall(explored)
    return exploration, shortfall


def _by_rules(position: Position, exploration: Exploration | None, said: str | None) -> Explanation:
    """Return an explanation by the rules, from an exploration if there is one."""
    if exploration is None:
        return explain(position)
    reason = Reason(said or searched(exploration.states))
    return Explanation(False, SEARCH, (reason,), states=exploration.states)
