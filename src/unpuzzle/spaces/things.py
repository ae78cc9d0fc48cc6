"""The things in the states of an explored level, with their places, to find things that can never move again.

A thing is a kind and a place: in a position with a picture a piece and its cell, otherwise a predicate and its
arguments. Positions are computed by playing moves, each from a known one, and cached.
"""

from __future__ import annotations

from functools import cached_property

from unpuzzle.planning.walking import Walker
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.run import checkpoint
from unpuzzle.spaces.exploration import Exploration

Place = tuple[float | str, ...]
"""Row and column of a cell, from 0, or the arguments of a fact."""
Thing = tuple[str, Place]
"""The kind of a piece and its cell, or a predicate and its arguments."""


def things_of(position: Position) -> frozenset[Thing]:
    pictured = offered(position, Pictured)
    if pictured is not None:
        return frozenset([(kind, (row, column)) for _, row, column, kind in pictured.pieces()])
    return frozenset([(atom.predicate, atom.arguments) for atom in position.atoms()])


class Things:
    """The things in the states of an exploration of a position."""

    def __init__(self, exploration: Exploration, walker: Walker | None) -> None:
        self.exploration = exploration
        self.walker = walker
        assert isinstance(exploration.subject, Position)
        self._positions: dict[int, Position] = {0: exploration.subject}
        self._things: dict[int, frozenset[Thing]] = {}
        self._walks: dict[int, bool] = {}

    @cached_property
    def _edge_to(self) -> dict[int, tuple[int, int]]:
        """The predecessor of each state, and the first transition that reaches the state."""
        space, first = self.exploration.space, dict[int, tuple[int, int]]()
        for state in range(space.states):
            checkpoint()
            for edge in space.edges(state):
                first.setdefault(space.targets[edge], (state, edge))
        return first

    def position(self, state: int) -> Position:
        way = []
        while state not in self._positions:
            before, edge = self._edge_to[state]
            way.append((state, edge))
            state = before
        position = self._positions[state]
        for after, edge in reversed(way):
            checkpoint()
            position = self._positions[after] = position.apply(self.move(edge))
        return position

    def move(self, edge: int) -> str:
        return self.exploration.moves[self.exploration.space.operators[edge]]

    def of(self, state: int) -> frozenset[Thing]:
        if state not in self._things:
            self._things[state] = things_of(self.position(state))
        return self._things[state]

    def is_walk(self, state: int, edge: int) -> bool:
        """Return whether a transition from a state is a walk; False without a walker."""
        if self.walker is None:
            return False
        if edge not in self._walks:
            checkpoint()
            space = self.exploration.space
            back = state in space.targets[self.edges_of(space.targets[edge])]
            self._walks[edge] = back and self.walker.is_walk(self.position(state), self.move(edge))
        return self._walks[edge]

    def edges_of(self, state: int) -> slice:
        """Return the numbers of a state's transitions, as a slice."""
        offsets = self.exploration.space.offsets
        return slice(offsets[state], offsets[state + 1])

    @cached_property
    def walking_kind(self) -> str | None:
        """The kind of the walking piece, found at the first walk; None without any."""
        space = self.exploration.space
        if offered(self.exploration.subject, Pictured) is None:
            return None
        for state in range(space.states):
            for edge in space.edges(state):
                if self.is_walk(state, edge):
                    kinds = {kind for kind, _ in self.of(state) ^ self.of(space.targets[edge])}
                    return kinds.pop() if len(kinds) == 1 else None
        return None

    def walker_at(self, state: int) -> frozenset[Place]:
        """Return the cells of the walking piece in a state."""
        return frozenset([place for kind, place in self.of(state) if kind == self.walking_kind])
