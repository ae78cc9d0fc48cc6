"""Best-first search: one algorithm that the priority turns into many (R. Dechter and J. Pearl, 1985).

    priority     is
    g            uniform-cost search (E. W. Dijkstra, 1959)
    h            greedy best-first search (J. E. Doran and D. Michie, 1966)
    g + h        A* (P. E. Hart, N. J. Nilsson and B. Raphael, 1968)
    g + w h      weighted A* (I. Pohl, 1970)

g is the cost of the path to a position, h a heuristic's estimate of the remaining cost. The smallest priority is first.

A position is expanded when it is taken from the frontier and not closed yet; the goal is tested when it is taken, not
when it is found: a cheaper path may still turn up. An estimate may be so uneven (*inconsistent*) that a cheaper path
leads to a closed position. A* is optimal all the same if such a position is opened again; with `reopen=False` each
position is expanded once. With consistent heuristics this never happens.

`ties` decides which of several best positions is first:

    fifo                  the one that was found first (the default)
    lifo                  the one that was found last
    high-g, low-g         the one with the greatest, least g; then the one found first
    path-lexicographic    the one whose whole path, the keys of its positions from the start on, comes first in
                          lexicographic order: as in a queue whose entries are (priority, path)

A second path to a position that is no cheaper than the first would be taken after it and then skipped, so it does not
enter the frontier; if later paths may overtake (`OVERTAKING`), an equally cheap one does.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from unpuzzle.planners.rules.graph import NEVER, Node, SearchGraph, moves_to
from unpuzzle.planning.planner import TIES

OVERTAKING = ("lifo", "path-lexicographic")


def best_first(
    graph: SearchGraph,
    priority: Callable[[int, Any], float],
    *,
    ties: str = "fifo",
    key: Callable[[Any], Any] = str,
    reopen: bool = True,
) -> list[str] | None:
    """Return the moves of a path to a goal, or None if there is none.

    Args:
        graph: the graph to search.
        priority: (g, position) → number; the least is expanded first, infinity leaves the position out.
        ties: one of `TIES`.
        key: position → value to compare for `path-lexicographic`; not called otherwise.
        reopen: whether a cheaper path to a closed position opens it again.
    """
    start, counts, successors = graph.start, graph.counts, graph.successors
    frontier = Frontier(ties, key)
    root: Node = (start, None, None)
    cheapest: dict[Any, tuple[int, Node]] = {start: (0, root)}
    closed = set[Any]()
    counts.evaluated += 1
    frontier.push(priority(0, start), 0, root, None)
    while frontier.entries:
        counts.frontier = max(counts.frontier, len(frontier.entries))
        g, node, path = frontier.pop()
        position = node[0]
        if position in closed:
            continue
        if graph.goal(position):
            counts.bound, counts.cost = frontier.highest, g
            return moves_to(node)
        closed.add(position)
        graph.look()
        counts.expanded += 1
        for move, following, cost in successors(position):
            counts.generated += 1
            total = g + cost
            new: Node = (following, move, node)
            if following in cheapest:
                least, old = cheapest[following]
                graph.merge(old, new)
                late = total > least or (total == least and (following in closed or not frontier.overtaking))
                if late or (following in closed and not reopen):
                    continue
            closed.discard(following)
            cheapest[following] = total, new
            counts.evaluated += 1
            frontier.push(priority(total, following), total, new, path)
    return None


class Frontier:
    """The open list: a heap of entries (priority, tie, number, g, node, path), numbered in the order of arrival."""

    __slots__ = ("entries", "highest", "key", "number", "overtaking", "ties")

    def __init__(self, ties: str, key: Callable[[Any], Any]) -> None:
        if ties not in TIES:
            raise ValueError(f"unknown ties {ties!r}; it must be one of {', '.join(TIES)}")
        self.entries: list[tuple[float, Any, int, int, Node, tuple[Any, ...] | None]] = []
        self.ties: str = ties
        self.key: Callable[[Any], Any] = key
        self.overtaking: bool = ties in OVERTAKING
        self.number: int = 0
        self.highest: float = 0  # the largest priority that was taken

    def push(self, priority: float, g: int, node: Node, path: tuple[Any, ...] | None) -> None:
        """Insert a node, unless its priority is infinite; `path` is the parent's path."""
        if priority >= NEVER:
            return
        self.number += 1
        tie: Any = 0
        if self.ties == "lifo":
            tie = -self.number
        elif self.ties in ("high-g", "low-g"):
            tie = -g if self.ties == "high-g" else g
        elif self.ties == "path-lexicographic":
            # The keys are shared between paths, and Python compares the same object with itself in no time.
            tie = path = (*(path or ()), self.key(node[0]))
        heappush(self.entries, (priority, tie, self.number, g, node, path))

    def pop(self) -> tuple[int, Node, tuple[Any, ...] | None]:
        """Remove the best entry and return its g, node and path."""
        entry = heappop(self.entries)
        if entry[0] > self.highest:  # noqa: PLR1730  # a call for each position would take longer
            self.highest = entry[0]
        return entry[3:]
