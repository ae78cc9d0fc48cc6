"""Traps: the moves from optimal ways that make a level unsolvable, and how long a player may not notice.

    going_on = GoingOn(fold(level, space))
    going_on.changes(position)      after a fatal choice of `Ways`

is the largest number of changes that are needed to reach any position from there, so the player can see new positions
for at most so many changes on shortest ways. With 0, only walking is left, and the trap shows at once.

`shortest_trap(space)` is the fewest moves from the start into a dead end.
"""

from __future__ import annotations

from typing import Any

from unpuzzle.limits import tick
from unpuzzle.spaces.folding import Folding
from unpuzzle.spaces.space import Space
from unpuzzle.walks import distances

MOST_VISITS = 300_000
"""The most visits of folded positions for measuring how long traps last, over all traps of a level."""


class GoingOn:
    """The number of changes that are still possible from folded positions.

    Visits are counted over all of them, up to `MOST_VISITS`.
    """

    def __init__(self, folding: Folding) -> None:
        self.folding, self.visits = folding, 0
        self._following: dict[int, list[int]] = {}
        self._changes: dict[int, int | None] = {}

    def changes(self, position: int) -> int | None:
        """Return the largest number of changes needed to reach a position from there; None for too many."""
        if position not in self._changes:
            self._changes[position] = self._longest(position)
        return self._changes[position]

    def _longest(self, position: int) -> int | None:
        left = MOST_VISITS - self.visits
        steps = distances([position], self.following, left + 1)
        self.visits += len(steps)
        return None if len(steps) > left else max(steps.values())

    def following(self, position: int) -> list[int]:
        """Return the folded positions after one change."""
        if position not in self._following:
            tick()
            folding, space = self.folding, self.folding.space
            changes = [
                space.targets[edge]
                for state in folding.members(position)
                for edge in space.edges(state)
                if folding.change(state, edge) is not None
            ]
            self._following[position] = list(dict.fromkeys([folding.position(target) for target in changes]))
        return self._following[position]


def shortest_trap(space: Space[Any]) -> int | None:
    """Return the fewest moves to a dead end, not through goals; None if there is none."""
    distance, seen, layer, depth = space.goal_distance, {0}, [0], 0
    while layer:
        following: list[int] = []
        for state in layer:
            tick()
            if distance[state] < 0:
                return depth
            targets = () if space.goals[state] else space.targets[space.offsets[state] : space.offsets[state + 1]]
            fresh = [target for target in targets if target not in seen]
            seen.update(fresh)
            following += dict.fromkeys(fresh)
        layer, depth = following, depth + 1
    return None
