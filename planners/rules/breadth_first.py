"""Breadth-first search: fewest moves first (E. F. Moore, 1959).

The frontier is a queue, so positions are expanded in the order of their depth, and the first way found to a position is
one of fewest moves. The goal is tested when a position is taken from the queue: all positions nearer to the start have
been expanded by then. Hence the answer is optimal if all moves tried so far cost the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from unpuzzle.planners.rules.counts import Counts, Merge, Node, Position, Successors, moves_to, trusting


def breadth_first(
    start: Position,
    *,
    successors: Successors[Position],
    goal: Callable[[Position], bool],
    watch: Callable[[], None],
    counts: Counts,
    merge: Merge = trusting,
) -> list[str] | None:
    """Return the moves of a shortest path to a goal, or None; for the arguments see `best_first`."""
    root: Node = (start, None, None)
    frontier = deque([root])
    seen = {start: root}
    counts.evaluated += 1
    while frontier:
        counts.frontier = max(counts.frontier, len(frontier))
        node = frontier.popleft()
        if goal(node[0]):
            return moves_to(node)
        watch()
        counts.expanded += 1
        for move, following, _ in successors(node[0]):
            counts.generated += 1
            reached: Node = (following, move, node)
            known = seen.setdefault(following, reached)
            if known is not reached:
                merge(known, reached)
                continue
            counts.evaluated += 1
            frontier.append(reached)
    return None
