"""IDA*: repeated depth-first search within a growing bound on g + h (R. E. Korf, 1985).

It stores only one path, so it needs little memory, but a position with many paths to it is expanded once for each of
them, and again in each round. The next bound is the least g + h beyond the last bound; so with an admissible heuristic
the first solution is optimal. A path never returns to a position on it: that would be no shorter and, with moves of
cost 0, endless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from unpuzzle.planners.rules.graph import NEVER, Node, SearchGraph, moves_to

Estimate = Callable[[Any], float]


def ida_star(graph: SearchGraph, estimate: Estimate) -> list[str] | None:
    """Return the moves of a path to a goal, or None if there is none.

    `estimate` is the heuristic, infinity for a dead end. `counts.frontier` is the length of the longest path.
    """
    bound = estimate(graph.start)
    while bound < NEVER:
        moves, bound = _round(graph, estimate, bound)
        if moves is not None:
            return moves
    return None


def _round(graph: SearchGraph, estimate: Estimate, bound: float) -> tuple[list[str] | None, float]:
    """Search depth-first within a bound on g + h; return the moves, or None, and the least g + h beyond the bound."""
    counts = graph.counts
    beyond = NEVER
    path: dict[Any, Node] = {}  # the positions in order
    node: Node | None = None  # the last of them
    # Before each position of the path, and after the last.
    untried: list[Iterator[tuple[str | None, Any, int]]] = [iter([(None, graph.start, 0)])]
    while untried:
        step = next(untried[-1], None)
        if step is None:
            untried.pop()
            if node is not None:
                node = path.popitem()[1][2]
            continue
        move, position, g = step
        if position in path:
            graph.merge(path[position], (position, move, node))
            continue
        counts.evaluated += 1
        rest = estimate(position)
        value = rest if rest == NEVER else g + rest  # g may be too large for a float
        if value > bound:
            beyond = min(beyond, value)
            continue
        node = path[position] = (position, move, node)
        counts.frontier = max(counts.frontier, len(path))
        if graph.goal(position):
            counts.bound, counts.cost = bound, g
            return moves_to(node), bound
        graph.watch()
        counts.expanded += 1
        untried.append(_steps(graph, position, g))
    return None, beyond


def _steps(graph: SearchGraph, position: Any, g: int) -> Iterator[tuple[str, Any, int]]:
    for move, following, cost in graph.successors(position):
        graph.counts.generated += 1
        yield move, following, g + cost
