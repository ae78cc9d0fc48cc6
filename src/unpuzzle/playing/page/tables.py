"""A level's whole state space as a few bytes a state: a page plays by it instead of by rules of its own.

States are numbered breadth-first. The page's script (`player.js`) reads, in this order:

    moves       by state, a bit mask of the level's moves
    targets     for each of them 0 for the next new state; k for the k-th of the earlier states that lead here, which
                makes the way back cheap; above those, the distance from the newest state
    distances   by state, to a goal, minus the distance of the state that it was first reached from; 0 is a dead end,
                after which nothing follows, since all states behind it are dead ends, too
    goals       the gaps between their numbers
    pictures    the placements (and facts) of the start, then all changes; and for each state its change

All is deflated afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from unpuzzle.drawing import Ground
from unpuzzle.playing.page.facts import (
    CostedMove,
    Seen,
    board_of,
    distinct,
    facts_of,
    natural,
    number_facts,
    numbered,
    write,
    write_gaps,
)
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.animation import common_ground
from unpuzzle.run import checkpoint, within_limits
from unpuzzle.spaces.exploration import Exploration
from unpuzzle.spaces.space import Space

Edge = tuple[int, int]
"""A move's number, and the number of its target state."""


class StateTable:
    """A state space, numbered for a page.

    `moves` have their costs, in the order of their numbers. By state there are `positions`, `edges`, the least cost to
    a goal (`left`, -1 in a dead end) and the state that it was first reached from (`parents`, -1 for the start).
    `goals` are the solved states, `ground` is the ground of all positions, and `numbers` has all placements, and all
    facts of a PDDL game (`facts.py`).
    """

    def __init__(self, exploration: Exploration) -> None:
        space = exploration.space
        of_operator: list[CostedMove] = list(zip(exploration.moves, space.costs, strict=True))
        self.moves: list[CostedMove] = sorted(set(of_operator), key=natural)
        self.positions: list[Position] = [exploration.position(0)]
        self.edges: list[list[Edge]] = []
        self.parents: list[int] = [-1]
        numbers = {move: number for number, move in enumerate(self.moves)}
        order = self._number_states(space, [numbers[move] for move in of_operator])
        left, goals = space.goal_distance.tolist(), space.goals.tolist()
        self.left: list[int] = [left[state] for state in order]
        self.goals: list[int] = [number for number, state in enumerate(order) if goals[state]]
        pictures = [board_of(position) for position in within_limits(self.positions)]
        self.ground: Ground = common_ground([ground for ground, _ in pictures])
        pieces = [distinct(pieces) for _, pieces in pictures]
        facts = [facts_of(position) for position in within_limits(self.positions)]
        placed = numbered(self.ground, chain.from_iterable(pieces))
        self.numbers: dict[Seen, int] = number_facts(placed, chain.from_iterable(facts))
        self._seen = [[*row, *more] for row, more in zip(pieces, facts, strict=True)]

    def _number_states(self, space: Space[Any], moves: Sequence[int]) -> list[int]:
        """Fill in positions, edges and parents; return the states of the space in the order of their numbers."""
        offsets, operators, targets = space.offsets.tolist(), space.operators.tolist(), space.targets.tolist()
        order, numbers = [0], {0: 0}
        for number, state in enumerate(order):  # the list grows meanwhile
            checkpoint()
            arcs = [(moves[operators[arc]], targets[arc]) for arc in range(offsets[state], offsets[state + 1])]
            edges = []
            for move, target in sorted(arcs):
                if target not in numbers:
                    numbers[target] = len(order)
                    order.append(target)
                    self.positions.append(self.positions[number].apply(self.moves[move][0]))
                    self.parents.append(number)
                edges.append((move, numbers[target]))
            self.edges.append(edges)
        return order

    def packed(self) -> bytes:
        """Return the table as bytes, in the format of the module's docstring."""
        out = bytearray()
        for edges in self.edges:
            write(out, sum([1 << move for move, _ in edges]))
        self._pack_targets(out)
        write(out, self.left[0] + 1)
        for left, parent in zip(self.left[1:], self.parents[1:], strict=True):
            if self.left[parent] >= 0:
                change = left - self.left[parent]
                write(out, 0 if left < 0 else 1 + (2 * change if change >= 0 else -2 * change - 1))
        write_gaps(out, self.goals)
        self._pack_pictures(out)
        return bytes(out)

    def _pack_targets(self, out: bytearray) -> None:
        newest = 1
        before: list[list[int]] = [[] for _ in self.edges]
        for state, (near, edges) in enumerate(zip(before, self.edges, strict=True)):
            for _, target in edges:
                if target > state:
                    before[target].append(state)
                if target == newest:
                    newest += 1
                    write(out, 0)
                else:
                    write(out, near.index(target) + 1 if target in near else len(near) + newest - target)

    def _pack_pictures(self, out: bytearray) -> None:
        before: list[frozenset[int]] = []
        changes: dict[frozenset[int], int] = {}
        by_state = []
        for seen, parent in zip(self._seen, self.parents, strict=True):
            checkpoint()
            before.append(frozenset([self.numbers[each] for each in seen]))
            if parent >= 0:
                by_state.append(changes.setdefault(before[-1] ^ before[parent], len(changes)))
        write_gaps(out, sorted(before[0]))
        write(out, len(changes))
        for change in changes:
            write_gaps(out, sorted(change))
        for number in by_state:
            write(out, number)
