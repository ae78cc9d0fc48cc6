"""A state space with walking folded away: its transitions are divided into walks and changes.

    folding = fold(level, space)              of contents.py
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

from collections.abc import Callable, Hashable
from typing import Any

from unpuzzle.run import checkpoint
from unpuzzle.spaces.space import Space
from unpuzzle.walks import distances

Facts = frozenset[Hashable]
Contents = tuple[Facts, Facts]
"""The contents of a state: the walker's place, and everything else."""


Change = tuple[Hashable, ...]
"""The names of a change: the first identifies it, and equal changes elsewhere share each name."""


class Folding:
    """The walks and the changes of a space; `contents` gives the contents of each state, None without a walker."""

    def __init__(self, space: Space[Any], contents: Callable[[int], Contents] | None) -> None:
        self.space, self.walks = space, contents is not None
        self._make = contents
        self._contents: dict[int, Contents] = {}
        self._numbers: dict[int, int] = {}
        self._firsts: dict[Facts, list[int]] = {}
        self._members: dict[int, list[int]] = {}

    def contents(self, state: int) -> Contents:
        """Return the walker's place in a state, and everything else. Only for spaces with a walker."""
        if state not in self._contents:
            assert self._make is not None
            checkpoint()
            self._contents[state] = self._make(state)
        return self._contents[state]

    def change(self, state: int, edge: int) -> Change | None:
        """Return the names of the change that a transition of a state makes; None for a walk.

        With a walker, the first name is the effect on everything else, the second the action of PDDL, if it is one:
        lamps switched in another order are the same actions, but each has another effect.
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
        """Return the states after one walk."""
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
        """Return the number of a state's folded position, which is the number of one of its states."""
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
