"""Tell whether a level has one solution only: one of its constraints, since moves can often be made in any order."""

from __future__ import annotations

from collections.abc import Callable

from unpuzzle.constraints import Search
from unpuzzle.puzzle.capabilities import Constrained, offered
from unpuzzle.puzzle.position import Position


class TooLargeError(Exception):
    """A search has reached as many nodes as it may have."""


def search_of(constrained: Constrained, most_nodes: int, watch: Callable[[], None]) -> Search:
    """Return the search for solutions of constraints, which raises TooLargeError beyond so many nodes."""

    def look() -> None:
        if search.nodes > most_nodes:
            raise TooLargeError
        watch()

    search = Search(constrained.constraints(), look)
    return search


def one_solution(position: Position, most_nodes: int, watch: Callable[[], None]) -> bool | None:
    """Return whether a position's constraints have one solution; None without constraints. Raises TooLargeError."""
    constrained = offered(position, Constrained)
    if constrained is None:
        return None
    solutions = search_of(constrained, most_nodes, watch).solutions()
    return next(solutions, None) is not None and next(solutions, None) is None
