"""A state space with walking folded away: which transitions are walks, and what the other ones, the changes, change.

    folding = fold(level, space)              of contents.py
    folding.change(state, edge)               the names of what a transition changes; None for a walk
    folding.position(state)                   a number that states share if one can walk from one to the other
    folding.members(state)                    all of these states

Who walks `planning/walking.py` says. A *walk* changes nothing but where the walker is, and a transition takes it back;
every other transition is a *change*. Where somebody walks, a change is what it does to everything but the walker, from
wherever the walker comes; elsewhere it is its action or move.

The states that one can walk between are one *folded position*. They are looked for only where two states differ in
nothing but the walker: most are told apart by the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from unpuzzle.limits import tick
from unpuzzle.spaces.space import Space
from unpuzzle.walks import distances

Facts = frozenset[Hashable]
Contents = tuple[Facts, Facts]
"""Of a state: where the walker is, and all else."""


Change = tuple[Hashable, ...]
"""The names of a change: the first says which change it is, and each is shared by equal ones elsewhere."""


class Folding:
    """The walks and the changes of a space; `contents` tells of each state what it has, None where nothing walks."""

    def __init__(self, space: Space[Any], contents: Callable[[int], Contents] | None) -> None:
        self.space, self.walks = space, contents is not None
        self._make = contents
        self._contents: dict[int, Contents] = {}
        self._numbers: dict[int, int] = {}
        self._firsts: dict[Facts, list[int]] = {}
        self._members: dict[int, list[int]] = {}

    def contents(self, state: int) -> Contents:
        """Return where the walker is in a state, and all else. Only where somebody walks."""
        if state not in self._contents:
            assert self._make is not None
            tick()
            self._contents[state] = self._make(state)
        return self._contents[state]

    def change(self, state: int, edge: int) -> Change | None:
        """Return the names of what a transition of a state changes; None for a walk.

        Where somebody walks, the first is what it does to all else, the other one its action of PDDL, if it is one:
        lamps that are switched in another order are the same actions, and each does something else.
        """
        space = self.space
        action = space.actions[space.operators[edge]]
        if not self.walks:
            return (action,)
        target = space.targets[edge]
        (place, rest), (new_place, new_rest) = self.contents(state), self.contents(target)
        if rest == new_rest and place != new_place and self._leads(target, state):
            return None
        effect = rest - new_rest, new_rest - rest
        return (effect,) if isinstance(action, str) else (effect, action)

    def _leads(self, state: int, target: int) -> bool:
        offsets = self.space.offsets
        return target in self.space.targets[offsets[state] : offsets[state + 1]]

    def walked(self, state: int) -> list[int]:
        """Return the states that one walk leads to."""
        targets = self.space.targets
        return [targets[edge] for edge in self.space.edges(state) if self.change(state, edge) is None]

    def members(self, state: int) -> list[int]:
        """Return all states of the folded position of a state."""
        if not self.walks:
            return [state]
        first = self.position(state)
        if first not in self._members:
            self._members[first] = members = list(distances([first], self.walked))
            self._numbers.update(dict.fromkeys(members, first))
        return self._members[first]

    def position(self, state: int) -> int:
        """Return the number of a state's folded position: that of one of its states."""
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
