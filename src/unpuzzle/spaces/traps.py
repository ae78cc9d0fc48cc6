"""Traps: the moves from optimal ways that make a level unsolvable, and how long a player can go on before it shows.

    ways = Ways(fold(level, space))
    for fatal in fatal_moves(ways):
        fatal.state, fatal.move, fatal.target, fatal.lasts

`state` is on a folded position of the optimal ways (the player may have to walk there), `target` the state after the
move, from which no goal can be reached. `lasts` is how many changes can still be made, each new: the largest number of
changes that are needed from there to reach any position that can be reached. 0: nothing but walking is left, and the
trap shows at once. After so many changes, if not before, all that a player sees is a repetition, or longer ways to it.

`shortest_trap(space)` is the fewest moves from the start into a state from which no goal can be reached.
"""

from __future__ import annotations

from typing import Any

from unpuzzle.limits import tick
from unpuzzle.record import Record
from unpuzzle.spaces.folding import Folding
from unpuzzle.spaces.space import Space
from unpuzzle.spaces.ways import FATAL, Ways
from unpuzzle.walks import distances

MOST_VISITS = 300_000
"""Of folded positions while looking how long traps last, over all traps of a level."""


class FatalMove(Record):
    """A move from an optimal way that makes a level unsolvable.

    Attributes:
        state: before the move.
        action: of the space: a ground action of PDDL, or a move.
        target: the state after it.
        lasts: how many changes can still be made, each to a new position; None where there are too many to look at.
    """

    state: int
    action: Any
    target: int
    lasts: int | None


def fatal_moves(ways: Ways) -> tuple[FatalMove, ...]:
    """Return the fatal moves from optimal ways, nearest first; equal changes of a folded position count once.

    Raises LimitReached as the running work's ticker does.
    """
    space, going_on = ways.space, GoingOn(ways.folding)
    choices = [choice for position in ways.positions for choice in ways.choices(position) if choice.kind == FATAL]
    moves = [
        FatalMove(
            choice.state,
            space.actions[space.operators[choice.edge]],
            space.targets[choice.edge],
            going_on.changes(choice.position),
        )
        for choice in choices
    ]
    return tuple(sorted(moves, key=lambda fatal: (space.depth[fatal.state], fatal.state, fatal.target)))


class GoingOn:
    """How long one can go on from folded positions; `visits` are counted over all of them, up to `MOST_VISITS`."""

    def __init__(self, folding: Folding) -> None:
        self.folding, self.visits = folding, 0
        self._following: dict[int, list[int]] = {}
        self._changes: dict[int, int | None] = {}

    def changes(self, position: int) -> int | None:
        """Return the largest number of changes that are needed to reach a position from there; None for too many."""
        if position not in self._changes:
            self._changes[position] = self._longest(position)
        return self._changes[position]

    def _longest(self, position: int) -> int | None:
        left = MOST_VISITS - self.visits
        steps = distances([position], self.following, left + 1)
        self.visits += len(steps)
        return None if len(steps) > left else max(steps.values())

    def following(self, position: int) -> list[int]:
        """Return the folded positions that one change leads to."""
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
    """Return the fewest moves to a state from which no goal can be reached, not through goals; None where none is."""
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
