"""Search in graphs that a successor function defines: distances in steps, least costs, reachable nodes."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from itertools import count

from unpuzzle.base.run import checkpoint
from unpuzzle.base.type_hints import Any, TypeVar

T = TypeVar("T", bound=Hashable)


NODES_PER_TICK = 64


def distances(
    starts: Iterable[T],
    successors: Callable[[T], Iterable[T]],
    most: int | None = None,
    until: Callable[[T], bool] | None = None,
) -> dict[T, int]:
    """Return the number of steps from the nearest start node to each reachable node; the nearest nodes come first.

    With `most`, the walk ends once it knows so many nodes; with `until`, at the first node after a step that fulfils
    it, which is then the last one.
    """
    steps = dict.fromkeys(starts, 0)
    queue = list(steps)
    for number, node in enumerate(queue):  # the list grows meanwhile
        if number % NODES_PER_TICK == 0:
            checkpoint()
        for successor in successors(node):
            if successor not in steps:
                if most is not None and len(steps) >= most:
                    return steps
                steps[successor] = steps[node] + 1
                if until is not None and until(successor):
                    return steps
                queue.append(successor)
    return steps


def least_costs(starts: Mapping[T, int], steps: Callable[[T], Iterable[tuple[int, T]]]) -> dict[T, int]:
    """Return the least cost of each reachable node (Dijkstra, 1959); `starts` maps start nodes to their costs.

    `steps` gives the cost and the end of each step from a node.
    """
    costs, tie = dict(starts), count()  # ties are broken by age, since nodes have no order
    queue = [(cost, next(tie), start) for start, cost in costs.items()]
    heapq.heapify(queue)
    while queue:
        checkpoint()
        cost, _, node = heapq.heappop(queue)
        if cost == costs[node]:
            for step, following in steps(node):
                if following not in costs or cost + step < costs[following]:
                    costs[following] = cost + step
                    heapq.heappush(queue, (cost + step, next(tie), following))
    return costs


BothWays = Callable[[], tuple[list[Any], list[Any]]]
"""Gives the names of the steps by which two equal states were reached."""


class Explorer:
    """A breadth-first search that expands one state at a time; its results stay usable after an interrupt.

    Attributes:
        states: those reached so far, in their order; the first ones are expanded.
        numbers: their numbers.
        depths: the fewest steps to each state.
        edges: by expanded state the label, the number of the state after it, and the name of each step from it.
    """

    def __init__(
        self,
        start: Any,
        steps: Callable[[Any], Iterable[tuple[Any, Any, Any]]],
        again: Callable[[Any, Any, BothWays], None] | None = None,
    ) -> None:
        """Begin a search at `start`; `steps` yields (label, next state, name) for each step from a state.

        `again` is called with a known state, an equal one that was reached later, and a function for the ways to both.
        """
        self.states: list[Any] = [start]
        self.depths = [0]
        self.edges: list[list[tuple[Any, int, Any]]] = []
        self._steps, self._again = steps, again
        self.numbers: dict[Any, int] = {start: 0}
        self._before: list[tuple[int, Any]] = [(0, "")]
        """The state from which each was reached first, and the name of the step."""

    @property
    def depth(self) -> int | None:
        """The depth of the next state to be expanded; None if all known states are expanded."""
        return None if len(self.edges) == len(self.states) else self.depths[len(self.edges)]

    def expand(self, most: int | None = None) -> bool:
        """Expand the next state; return False if successors were ignored because `most` states are already known."""
        number, edges, whole = len(self.edges), [], True
        for label, state, name in self._steps(self.states[number]):
            known = self.numbers.get(state)
            if known is None:
                if len(self.states) == most:
                    whole = False
                    continue
                known = self.add(state, number, name)
            elif self._again is not None:
                self._again(self.states[known], state, partial(self._ways, known, number, name))
            edges.append((label, known, name))
        self.edges.append(edges)
        return whole

    def add(self, state: Any, before: int, name: Any) -> int:
        """Add a new state, reached by a step from the state with number `before`; return the new state's number."""
        number = len(self.states)
        self.numbers.setdefault(state, number)
        self.states.append(state)
        self.depths.append(self.depths[before] + 1)
        self._before.append((before, name))
        return number

    def way(self, state: int) -> list[Any]:
        """Return the names of the steps on the first path found to a state."""
        names: list[Any] = []
        while state:
            state, name = self._before[state]
            names.append(name)
        return names[::-1]

    def _ways(self, known: int, before: int, name: Any) -> tuple[list[Any], list[Any]]:
        """Return two paths to a state: the first path found, and the path that ends with a step from state `before`."""
        return self.way(known), [*self.way(before), name]
