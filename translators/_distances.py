"""Fewest steps between the cells of a grid, around its walls; each breadth-first search is made once and kept."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NEVER = float("inf")


class Distances:
    """Distances in an undirected graph of cells. Ask for few different cells at one end: it keeps a table for each."""

    __slots__ = ("_neighbours", "_tables")

    def __init__(self, neighbours: Mapping[int, Iterable[int]]) -> None:
        self._neighbours = neighbours
        self._tables: dict[int, dict[int, int]] = {}

    def between(self, start: int, end: int) -> float:
        """The number of steps, infinite where there is no way."""
        table = self._tables.get(end)
        if table is not None:
            return table.get(start, NEVER)
        if start not in self._tables:
            self._tables[end] = self._search(end)
            return self._tables[end].get(start, NEVER)
        return self._tables[start].get(end, NEVER)

    def _search(self, end: int) -> dict[int, int]:
        table, layer, steps = {end: 0}, [end], 0
        while layer:
            steps += 1
            layer = [cell for cell in {near for cell in layer for near in self._neighbours[cell]} if cell not in table]
            table.update(dict.fromkeys(layer, steps))
        return table
