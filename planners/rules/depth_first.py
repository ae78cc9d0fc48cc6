"""Depth-first search of a graph: always on from the position found last (R. E. Tarjan, 1972, for what it is good for).

The frontier is a stack, and each position is expanded once, when it is first taken from the stack. All successors are
put on it, so the *last* of them is tried first: with the moves N, S, E, W the search goes west where it can. A position
may be on the stack several times; the copy on top decides by which path it is reached. Any solution will do.
"""

from __future__ import annotations

from collections.abc import Callable

from unpuzzle.planners.rules.counts import Counts, Merge, Node, Position, Successors, moves_to, trusting


def depth_first(
    start: Position,
    *,
    successors: Successors[Position],
    goal: Callable[[Position], bool],
    watch: Callable[[], None],
    counts: Counts,
    merge: Merge = trusting,
) -> list[str] | None:
    """Return the moves of some path to a goal, or None if there is none; for the arguments see `best_first`."""
    root: Node = (start, None, None)
    frontier = [root]
    closed: dict[Position, Node] = {}
    counts.evaluated += 1
    while frontier:
        counts.frontier = max(counts.frontier, len(frontier))
        node = frontier.pop()
        position = node[0]
        if position in closed:
            merge(closed[position], node)
            continue
        if goal(position):
            return moves_to(node)
        closed[position] = node
        watch()
        counts.expanded += 1
        for move, following, _ in successors(position):
            counts.generated += 1
            reached: Node = (following, move, node)
            if following in closed:
                merge(closed[following], reached)
                continue
            counts.evaluated += 1
            frontier.append(reached)
    return None
