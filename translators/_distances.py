"""Fewest steps between the cells of a grid, around its walls; each breadth-first search is made once and kept."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NEVER = float("inf")


class Distances:
    """Distances in an undirected graph of cells. It keeps one table for each cell that was ever an `end`."""

    __slots__ = ("_neighbours", "_tables")

    def __init__(self, neighbours: Mapping[int, Iterable[int]]) -> None:
        self._neighbours = neighbours
        self._tables: dict[int, dict[int, int]] = {}

    def between(self, start: int, end: int) -> float:
        """The number of steps, infinite where there is no way. Ask for many starts and few ends."""
        table = self._tables.get(end)
        if table is None:
            table = self._tables[end] = self._search(end)
        return table.get(start, NEVER)

    def _search(self, end: int) -> dict[int, int]:
        table, layer, steps = {end: 0}, [end], 0
        while layer:
            steps += 1
            layer = [cell for cell in {near for cell in layer for near in self._neighbours[cell]} if cell not in table]
            table.update(dict.fromkeys(layer, steps))
        return table
