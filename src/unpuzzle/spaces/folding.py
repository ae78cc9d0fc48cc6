"""A state space without walking: transitions are walks or changes, and states connected by walks are merged.

    folding = fold(level, space)              the space of a position or a task
    folding.change(state, edge)               the names of a change; None for a walk
    folding.position(state)                   a number that states share if one can walk from one to the other
    folding.members(state)                    all of these states

`planning/walking.py` finds the walker. A *walk* changes only the walker's place, and another transition undoes it;
every other transition is a *change*. With a walker, a change is identified by its effect on everything but the walker,
from any place of the walker; otherwise by its action or move.

All states that are connected by walks are one *folded position*. Walks are searched only between states that differ in
nothing but the walker: most states differ in the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cache
from typing import Any

from unpuzzle.base.distances import distances
from unpuzzle.base.run import checkpoint
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.planning.walking import walker_of
from unpuzzle.puzzle.position import Position
from unpuzzle.spaces.by_rules import RulesSpace
from unpuzzle.spaces.by_task import StateSpace
from unpuzzle.spaces.space import Space

Facts = frozenset[Hashable]
Contents = tuple[Facts, Facts]
"""The contents of a state: the walker's place, and everything else."""


Change = tuple[Hashable, ...]
"""The names of a change: the first identifies it, and equal changes elsewhere share each name."""


class Folding:
    """The walks and changes of a space; `contents` maps a state to walker and rest, or is None without a walker."""

    def __init__(self, space: Space[Any], contents: Callable[[int], Contents] | None) -> None:
        self.space, self.walks = space, contents is not None
        self._contents = contents and cache(contents)
        self._numbers: dict[int, int] = {}
        self._firsts: dict[Facts, list[int]] = {}
        self._members: dict[int, list[int]] = {}

    def contents(self, state: int) -> Contents:
        """Return the walker's place in a state, and the rest of the state; only for spaces with a walker."""
        assert self._contents is not None
        return self._contents(state)

    def change(self, state: int, edge: int) -> Change | None:
        """Return the names of the change that a transition from a state makes; None for a walk.

        With a walker, the first name is the effect on everything else, the second the action of PDDL, if it is one:
        lamps switched in another order are the same actions, but each has another effect.
        """
        space = self.space
        action = space.actions[space.operators[edge]]
        if not self.walks:
            return (action,)
        target = space.targets[edge]
        (place, rest), (new_place, new_rest) = self.contents(state), self.contents(target)
        if rest == new_rest and place != new_place and state in space.following(target):
            return None
        effect = rest - new_rest, new_rest - rest
        return (effect,) if isinstance(action, str) else (effect, action)

    def walked(self, state: int) -> list[int]:
        """Return the states that one walking move from a state reaches."""
        targets = self.space.targets
        return [targets[edge] for edge in self.space.edges(state) if self.change(state, edge) is None]

    def members(self, state: int) -> list[int]:
        """Return all states that are merged into one folded position with a state."""
        if not self.walks:
            return [state]
        first = self.position(state)
        if first not in self._members:
            self._members[first] = members = list(distances([first], self.walked))
            self._numbers.update(dict.fromkeys(members, first))
        return self._members[first]

    def position(self, state: int) -> int:
        """Return the number of a state's folded position, which is the number of one state in that position."""
        if not self.walks:
            return state
        if state not in self._numbers:
            firsts = self._firsts.setdefault(self.contents(state)[1], [])
            for first in firsts:
                self.members(first)
            if state not in self._numbers:
                self._numbers[state] = state
                firsts.append(state)
        return self._numbers[state]


# Fold the walks of a space away: find the walker, and split each state into the walker's place and the rest.
#
# In PDDL states, the atoms of the walking thing are separated from the others. Positions without PDDL give both by
# `walker_and_rest`; these values are split into pieces, so that changes can be compared: tuples into their places,
# whole numbers into their bits, since some games store the contents of a cell as bits.

NOWHERE: frozenset[Hashable] = frozenset()


def fold(subject: Position | Task, space: Space[Any]) -> Folding:
    """Return the state space of a position or task with its walks folded away. Raises LimitReached."""
    walker = walker_of(subject)
    if walker is None:
        return Folding(space, None)
    thing = walker.thing
    if thing is None:
        assert isinstance(subject, Position)
        positions = Positions(subject, space)
        return Folding(space, lambda state: _contents_of(positions.of(state)))
    assert isinstance(space, StateSpace | RulesSpace), "games that explore themselves say where the walker is"
    places = dict[Atom, bool]()

    def contents(state: int) -> Contents:
        checkpoint()
        true = space.atoms(state)
        for atom in true.difference(places):
            places[atom] = thing.has(atom)
        place = frozenset([atom for atom in true if places[atom]])
        if len(place) != 1:
            return NOWHERE, true
        return place, (true - place).union(walker.shadows(*place))

    return Folding(space, contents)


def _contents_of(position: Position) -> Contents:
    """Return the walker's place and the other pieces of a position; without a walker, the position is one piece."""
    parts = position.walker_and_rest()
    if parts is None:
        return NOWHERE, frozenset([position])
    return frozenset(_pieces(parts[0])), frozenset(_pieces(parts[1]))


def _pieces(value: Any, *way: int) -> Iterator[Hashable]:
    """Yield the pieces of a value: tuples and whole numbers are split (into items and bits), other values are not."""
    if isinstance(value, tuple):
        for number, part in enumerate(value):
            yield from _pieces(part, *way, number)
    elif isinstance(value, int) and value >= 0:
        yield from ((way, bit) for bit in range(value.bit_length()) if value >> bit & 1)
    else:
        yield way, value


class Positions:
    """The positions of a space's states; each position is computed by moves when first used."""

    def __init__(self, start: Position, space: Space[Any]) -> None:
        self._space = space
        self._known = dict(enumerate(space.positions)) if isinstance(space, RulesSpace) else {0: start}

    def of(self, state: int) -> Position:
        """Return the position of a state."""
        way, known, space = [], self._known, self._space
        while state not in known:
            way.append(state)
            state = space.previous(state)
        for following in reversed(way):
            checkpoint()
            action = space.actions[space.operators[space.first[following]]]
            move = action if isinstance(action, str) else known[state].decode(action)
            known[following] = known[state].apply(move)
            state = following
        return known[state]
