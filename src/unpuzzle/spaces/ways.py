"""The optimal ways of a level: all positions on optimal solutions, with the choices of a player in each.

    ways = Ways(fold(level, space))
    ways.states                       the states on optimal ways, nearest first
    ways.positions                    their folded positions, except goals
    ways.choices(position)            the possible changes there, each optimal, longer or fatal
    ways.least(weight)                the least weight of an optimal solution

A choice is *fatal* if no goal can be reached after it, *optimal* if an optimal solution makes it, else *longer*. A
player at a folded position may walk to all of its states, so its choices are the changes from any of them.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from functools import cached_property

from unpuzzle.limits import tick
from unpuzzle.record import Record
from unpuzzle.spaces.folding import Folding
from unpuzzle.walks import distances

OPTIMAL, LONGER, FATAL = "optimal", "longer", "fatal"


class Choice(Record):
    """A possible change at a folded position.

    Attributes:
        kind: `optimal`, `longer` or `fatal`.
        state, edge: the state before it, and its transition.
        position: the folded position after it.
    """

    kind: str
    state: int
    edge: int
    position: int


class Ways:
    """The optimal ways from the start of a space to its goals; there is at least one."""

    def __init__(self, folding: Folding) -> None:
        self.folding, self.space = folding, folding.space
        self._choices: dict[int, list[Choice]] = {}

    @cached_property
    def states(self) -> list[int]:
        """The states on optimal ways, nearest first."""
        return list(distances([0], self._next))

    def _next(self, state: int) -> list[int]:
        tick()
        return [self.space.targets[edge] for edge in self.space.tight(state)]

    @cached_property
    def positions(self) -> list[int]:
        """The folded positions on optimal ways, except goals, nearest first."""
        goals, position = self.space.goals, self.folding.position
        return list(dict.fromkeys([position(state) for state in self.states if not goals[state]]))

    def choices(self, position: int) -> list[Choice]:
        """Return the possible changes at a folded position on optimal ways, equal ones once."""
        if position not in self._choices:
            self._choices[position] = self._choices_at(position)
        return self._choices[position]

    def _choices_at(self, position: int) -> list[Choice]:
        folding, space = self.folding, self.space
        choices: dict[object, Choice] = {}
        for state in sorted(folding.members(position)):
            tick()
            for edge in () if space.goals[state] else space.edges(state):
                change = folding.change(state, edge)
                if change is None or space.targets[edge] == state:
                    continue
                target = folding.position(space.targets[edge])
                choice = Choice(self._kind(state, edge), state, edge, target)
                known = choices.setdefault((change[0], target), choice)
                if choice.kind == OPTIMAL != known.kind:
                    choices[change[0], target] = choice
        return list(choices.values())

    def _kind(self, state: int, edge: int) -> str:
        if self.space.goal_distance[self.space.targets[edge]] < 0:
            return FATAL
        return OPTIMAL if state in self._on_ways and edge in self.space.tight(state) else LONGER

    @cached_property
    def _on_ways(self) -> frozenset[int]:
        return frozenset(self.states)

    def is_trap(self, position: int) -> bool:
        """Return whether a choice at a folded position is fatal."""
        return any(choice.kind == FATAL for choice in self.choices(position))

    def least(self, weight: Callable[[int, int], int], first: int = 0) -> int:
        """Return the least sum of weights of the transitions, plus `first`, over all optimal solutions (Dijkstra 1959).

        `weight` takes a state and a transition of it.
        """
        space, sums = self.space, {0: first}
        queue = [(first, 0)]
        while queue:
            tick()
            total, state = heapq.heappop(queue)
            if space.goals[state]:
                return total
            if total > sums[state]:
                continue
            for edge in space.tight(state):
                target, more = space.targets[edge], total + weight(state, edge)
                if target not in sums or more < sums[target]:
                    sums[target] = more
                    heapq.heappush(queue, (more, target))
        raise AssertionError("a state that is no dead end has a way to a goal")
