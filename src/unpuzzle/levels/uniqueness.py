"""Tell whether a level has one solution only: one of its constraints, since moves can often be made in any order."""

from __future__ import annotations

from unpuzzle.constraints import Search
from unpuzzle.limits import Deadline
from unpuzzle.puzzle.capabilities import Constrained, offered
from unpuzzle.puzzle.position import Position


def one_solution(position: Position, most_nodes: int, watch: Deadline) -> bool | None:
    """Return whether a position's constraints have one solution; None without constraints. Raises TooManyNodesError."""
    constrained = offered(position, Constrained)
    if constrained is None:
        return None
    solutions = Search(constrained.constraints(), limits=watch, most_nodes=most_nodes).solutions()
    return next(solutions, None) is not None and next(solutions, None) is None
