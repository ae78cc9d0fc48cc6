"""Breadth-first walks through graphs given by a function."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from unpuzzle.base.run import checkpoint
from unpuzzle.base.type_hints import TypeVar

T = TypeVar("T", bound=Hashable)


NODES_PER_TICK = 64


def distances(starts: Iterable[T], successors: Callable[[T], Iterable[T]], most: int | None = None) -> dict[T, int]:
    """Return the number of steps from the nearest start to each reachable node, the nearest nodes first.

    With `most`, the walk ends once it knows so many nodes.
    """
    steps = dict.fromkeys(starts, 0)
    queue = list(steps)
    for number, node in enumerate(queue):  # the list grows meanwhile
        if number % NODES_PER_TICK == 0:
            checkpoint()
        for successor in successors(node):
            if successor not in steps:
                if most is not None and len(steps) >= most:
                    return steps
                steps[successor] = steps[node] + 1
                queue.append(successor)
    return steps
