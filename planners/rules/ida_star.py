"""IDA*: depth-first within a bound on g + h, again and again, with ever larger bounds (R. E. Korf, 1985).

It remembers one path only, so memory is no matter, but positions that many paths lead to are expanded once for each of
them, and everything is expanded anew in each round. The next bound is the least g + h that was beyond the last one; so
with an admissible heuristic the first solution is an optimal one. A path never returns to a position that is on it:
that would be no shorter, and where moves cost nothing, it would have no end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from unpuzzle.planners.rules.counts import NEVER, Counts, Merge, Node, Position, Successors, moves_to, trusting


def ida_star(
    start: Position,
    *,
    successors: Successors[Position],
    goal: Callable[[Position], bool],
    estimate: Callable[[Position], float],
    watch: Callable[[], None],
    counts: Counts,
    merge: Merge = trusting,
) -> list[str] | None:
    """Return the moves of a path to a goal, or None if there is none.

    `estimate` is the heuristic, infinity where there is no way to a goal; for the other arguments see `best_first`.
    `counts.frontier` is the length of the longest path.
    """
    bound = estimate(start)
    while bound < NEVER:
        moves, bound = _round(start, bound, successors, goal, estimate, watch, counts, merge)
        if moves is not None:
            return moves
    return None


def _round(
    start: Position,
    bound: float,
    successors: Successors[Position],
    goal: Callable[[Position], bool],
    estimate: Callable[[Position], float],
    watch: Callable[[], None],
    counts: Counts,
    merge: Merge,
) -> tuple[list[str] | None, float]:
    """Search depth-first within a bound on g + h; return the moves, or None, and the least g + h beyond the bound."""
    beyond = NEVER
    path: dict[Position, Node] = {}  # the positions in order
    node: Node | None = None  # the last of them
    # Before each position of the path, and after the last.
    untried: list[Iterator[tuple[str | None, Position, int]]] = [iter([(None, start, 0)])]
    while untried:
        step = next(untried[-1], None)
        if step is None:
            untried.pop()
            if node is not None:
                node = path.popitem()[1][2]
            continue
        move, position, g = step
        if position in path:
            merge(path[position], (position, move, node))
            continue
        counts.evaluated += 1
        value = g + estimate(position)
        if value > bound:
            beyond = min(beyond, value)
            continue
        node = path[position] = (position, move, node)
        counts.frontier = max(counts.frontier, len(path))
        if goal(position):
            return moves_to(node), bound
        watch()
        counts.expanded += 1
        untried.append(_steps(successors, position, g, counts))
    return None, beyond


def _steps(
    successors: Successors[Position], position: Position, g: int, counts: Counts
) -> Iterator[tuple[str, Position, int]]:
    """Yield the successors, with the cost of the path to each."""
    for move, following, cost in successors(position):
        counts.generated += 1
        yield move, following, g + cost
