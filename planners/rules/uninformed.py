"""Searches without heuristics: breadth-first search with a queue, and depth-first search with a stack.

Breadth-first search (E. F. Moore, 1959) expands positions in the order of their depth, so the first path to a position
has the fewest moves. The goal is tested when a position is taken from the queue: all positions nearer to the start have
been expanded by then. Hence the answer is optimal if all moves tried so far cost the same.

Depth-first search of a graph (for its uses see R. E. Tarjan, 1972) always continues from the position found last, and
expands each once, when it is first taken from the stack. All successors are put on it, so the *last* of them is tried
first: with the moves N, S, E, W the search moves west where it can. A position may be on the stack several times; the
copy on top decides by which path it is reached. Any solution will do.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from unpuzzle.planners.rules.graph import Node, SearchGraph, moves_to


def breadth_first(graph: SearchGraph) -> list[str] | None:
    """Return the moves of a shortest path to a goal, or None if there is none."""
    counts, root = graph.counts, (graph.start, None, None)
    frontier: deque[Node] = deque([root])
    nodes: dict[Any, Node] = {graph.start: root}
    counts.evaluated += 1
    while frontier:
        counts.frontier = max(counts.frontier, len(frontier))
        node = frontier.popleft()
        if graph.goal(node[0]):
            return moves_to(node)
        graph.look()
        counts.expanded += 1
        for move, following, _ in graph.successors(node[0]):
            counts.generated += 1
            new: Node = (following, move, node)
            old = nodes.setdefault(following, new)
            if old is not new:
                graph.merge(old, new)
                continue
            counts.evaluated += 1
            frontier.append(new)
    return None


def depth_first(graph: SearchGraph) -> list[str] | None:
    """Return the moves of some path to a goal, or None if there is none."""
    counts = graph.counts
    frontier: list[Node] = [(graph.start, None, None)]
    closed: dict[Any, Node] = {}
    counts.evaluated += 1
    while frontier:
        counts.frontier = max(counts.frontier, len(frontier))
        node = frontier.pop()
        position = node[0]
        if position in closed:
            graph.merge(closed[position], node)
            continue
        if graph.goal(position):
            return moves_to(node)
        closed[position] = node
        graph.look()
        counts.expanded += 1
        for move, following, _ in graph.successors(position):
            counts.generated += 1
            new: Node = (following, move, node)
            if following in closed:
                graph.merge(closed[following], new)
                continue
            counts.evaluated += 1
            frontier.append(new)
    return None
