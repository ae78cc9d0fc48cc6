"""Minimum spanning trees of the dots of a maze (R. C. Prim, Shortest connection networks, 1957)."""

from __future__ import annotations

from collections.abc import Callable

from unpuzzle.translators.shared.distances import Distances

Tick = Callable[[], None]

TREES_KEPT = 50_000
DOTS_PER_TICK = 64


class Trees:
    """Minimum spanning trees of a maze's dots. Many positions have the same dots: a number of trees is kept."""

    __slots__ = ("_distances", "_weights")

    def __init__(self, distances: Distances) -> None:
        self._distances = distances
        self._weights: dict[frozenset[int], float] = {}

    def weight(self, dots: frozenset[int], tick: Tick) -> float:
        """Return the weight of the tree of some dots, in steps through the maze."""
        weight = self._weights.get(dots)
        if weight is None:
            if len(self._weights) >= TREES_KEPT:
                self._weights.clear()
            first = min(dots)
            edges = {dot: self._distances.between(first, dot, tick) for dot in dots}
            weight = self._weights[dots] = self.grow(edges, tick)
        return weight

    def grow(self, edges: dict[int, float], tick: Tick) -> float:
        """Return the weight of a tree that starts somewhere and has these distances to the dots that it must reach."""
        between = self._distances.between
        weight: float = 0
        while edges:
            if len(edges) % DOTS_PER_TICK == 0:
                tick()
            nearest = min(edges, key=edges.__getitem__)
            weight += edges.pop(nearest)
            for dot, distance in edges.items():
                edges[dot] = min(distance, between(nearest, dot, tick))
        return weight
