"""Dijkstra's algorithm (1959), for tests to compare with."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import TypeVar

from unpuzzle.model.position import Position

State = TypeVar("State", bound=Hashable)


def cheapest_first(
    starts: Iterable[State], steps: Callable[[State], Iterable[tuple[int, State]]]
) -> Iterator[tuple[int, State]]:
    """Yield each state that can be reached once, with its least cost, in the order of costs; steps have costs, too."""
    ties, done = count(), set[State]()
    queue = [(0, next(ties), start) for start in starts]
    while queue:
        cost, _, state = heappop(queue)
        if state not in done:
            done.add(state)
            yield cost, state
            for step, after in steps(state):
                if after not in done:
                    heappush(queue, (cost + step, next(ties), after))


def distances(starts: Iterable[State], steps: Callable[[State], Iterable[tuple[int, State]]]) -> dict[State, int]:
    """Return the least costs of all states that can be reached."""
    return {state: cost for cost, state in cheapest_first(starts, steps)}


def by_rules(position: Position) -> list[tuple[int, Position]]:
    """Steps of cost 1: the moves of a game."""
    return [(1, after) for after in position.following().values()]
