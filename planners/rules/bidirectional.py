"""Search from both ends: two frontiers that grow towards each other (breadth-first: I. Pohl, 1971).

The sides take turns, the first one forward. In its turn a side takes one entry from its frontier and expands it, unless
it has done so before. *Every* successor enters the frontier, known or not, and so does the parent position, as in an
undirected graph: such entries use up turns when they are taken. This is wasteful, but reproduces published numbers of
expansions. The sides have met when one takes a position that the other has found, expanded or not.

Where they meet is not always on a shortest path. Say that breadth-first search is taking positions of depth i forward
and of depth j backward. No path has fewer than i + j moves: in such a path there would be two neighbours, one that was
taken forward at depth i - 1, one that was taken backward at depth j - 1, and whichever was taken later would have been
known to the other side. But the position where they meet may be one more away: found by the other side at depth j + 1,
while a position of depths i and j still waits in both frontiers. Then it has been found from both sides, though; so of
all positions found from both, one with the least sum of depths is on a shortest path, and no more is expanded for it.

A game must fulfil two claims of its author: `goal_position` is the only goal at the end of shortest
solutions, and `predecessors` leave out no position that a shortest solution passes. Without the first, "no path" says
nothing about solutions; without the second, a side may run out of positions though there is a path. For optimality all
moves must cost the same, too (see `algorithms`). A path that is returned is one in any case: it is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from unpuzzle.planners.rules.best_first import Frontier
from unpuzzle.planners.rules.graph import Counts, Merge, Node, SearchGraph, moves_to, trust

Priority = Callable[[int, Any], float]


def bidirectional(
    graph: SearchGraph,
    backward: SearchGraph,
    priorities: tuple[Priority, Priority],
    *,
    shortest: bool,
    ties: str = "fifo",
    key: Callable[[Any], Any] = str,
    meet: Merge = trust,
) -> list[str] | None:
    """Return the moves of a path from the start of one graph to the start of the other, or None if there is none.

    Args:
        graph: the graph from the start; its counts are filled in, `frontier` with the sum
            for both frontiers.
        backward: the graph from the end; its successors are (move, previous position, cost of the move there).
        priorities: for each side (depth, position) → number; the least is first, infinity leaves it out.
        shortest: join the paths at the position with the least sum of depths, not at the one where the sides met.
        ties, key: as in `best_first`.
        meet: called with the two nodes, the first from the start, at which paths are joined; may raise.
    """
    counts = graph.counts
    this = ahead = _Side(graph, counts, priorities[0], Frontier(ties, key))
    other = behind = _Side(backward, counts, priorities[1], Frontier(ties, key))
    for side in (ahead, behind):
        side.add(0, (side.graph.start, None, None), None)
    while this.frontier.entries and other.frontier.entries:
        counts.frontier = max(counts.frontier, len(this.frontier.entries) + len(other.frontier.entries))
        depth, node, path = this.frontier.pop()
        if node[0] not in this.closed:
            if node[0] in other.nodes:
                return _joined(ahead, behind, node[0], shortest, meet)
            graph.look()
            this.expand(depth, node, path)
        this, other = other, this
    return None


@dataclass(slots=True)
class _Side:
    """One side of a bidirectional search: its frontier, its nodes with their depths, and its closed positions."""

    graph: SearchGraph
    counts: Counts
    priority: Priority
    frontier: Frontier
    closed: set[Hashable] = field(default_factory=set)
    nodes: dict[Hashable, tuple[int, Node]] = field(default_factory=dict)

    def add(self, depth: int, node: Node, path: tuple[Any, ...] | None) -> None:
        old = self.nodes.setdefault(node[0], (depth, node))[1]
        if old is not node:
            self.graph.merge(old, node)
        self.counts.evaluated += 1
        self.frontier.push(self.priority(depth, node[0]), depth, node, path)  # which leaves infinite ones out

    def expand(self, depth: int, node: Node, path: tuple[Any, ...] | None) -> None:
        position, _, parent = node
        self.closed.add(position)
        self.counts.expanded += 1
        steps = list(self.graph.successors(position))
        self.counts.generated += len(steps)
        for move, following, _ in steps:
            self.add(depth + 1, (following, move, node), path)
        if parent is not None and all(following != parent[0] for _, following, _ in steps):
            self.add(depth + 1, parent, path)


def _joined(ahead: _Side, behind: _Side, meeting: Hashable, shortest: bool, meet: Merge) -> list[str]:
    """Return the moves from the start to the meeting position, and from there to the end."""
    if shortest:
        both = [meeting, *(position for position in ahead.nodes if position in behind.nodes)]
        meeting = min(both, key=lambda position: ahead.nodes[position][0] + behind.nodes[position][0])
    here, there = ahead.nodes[meeting][1], behind.nodes[meeting][1]
    meet(here, there)
    return moves_to(here) + moves_to(there)[::-1]
