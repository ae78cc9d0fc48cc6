"""Fewest steps between the cells of a grid, around its walls; each breadth-first search is made once and kept.

A table of a large grid takes milliseconds and many bytes, and many dots want many tables. So before each new one a
function `tick` is called, which may raise where a limit is reached.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Set

NEVER = float("inf")


def no_tick() -> None:
    """Do nothing: there are no limits."""


class Distances:
    """Distances in an undirected graph of cells. Ask for few different cells at one end: it keeps a table for each."""

    __slots__ = ("_neighbours", "_tables")

    def __init__(self, neighbours: Mapping[int, Iterable[int]]) -> None:
        self._neighbours = neighbours
        self._tables: dict[int, dict[int, int]] = {}

    def between(self, start: int, end: int, tick: Callable[[], None] = no_tick) -> float:
        """Return the number of steps, infinite where there is no way."""
        table = self._tables.get(end)
        if table is not None:
            return table.get(start, NEVER)
        if start not in self._tables:
            tick()
            self._tables[end] = self._search(end)
            return self._tables[end].get(start, NEVER)
        return self._tables[start].get(end, NEVER)

    def nearest(self, start: int, goals: Set[int]) -> int | None:
        """Return the goal that is the fewest steps away, the first of several; None if there is no way to any."""
        seen, layer = {start}, {start}
        while layer:
            if near_goals := layer & goals:
                return min(near_goals)
            layer = {near for cell in layer for near in self._neighbours[cell]} - seen
            seen |= layer
        return None

    def _search(self, end: int) -> dict[int, int]:
        table, layer, steps = {end: 0}, [end], 0
        while layer:
            steps += 1
            layer = [cell for cell in {near for cell in layer for near in self._neighbours[cell]} if cell not in table]
            table.update(dict.fromkeys(layer, steps))
        return table
