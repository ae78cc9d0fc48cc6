"""The common input and output of the searches in this package: a graph, counts, and stored paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Union

from unpuzzle.base.errors import GAVE_UP, LimitReached
from unpuzzle.base.run import current
from unpuzzle.base.values import Record, field

Successors = Callable[[Any], Iterable[tuple[str, Any, int]]]
"""A function from a position to its moves, the positions after them, and their costs of 0 or more."""
Node = tuple[Any, str | None, Union["Node", None]]
"""A position, the move to it and its parent node; the last two are None at the start."""
Merge = Callable[[Node, Node], None]
NEVER = float("inf")


@dataclass(slots=True)
class Counts:
    """The counts of a search, updated while it runs, so that they are right even if a limit ends the search.

    Attributes:
        expanded: positions whose successors were computed; repetitions count.
        generated: the successors computed.
        evaluated: positions that got a priority or, in searches without priorities, that were found.
        frontier: the largest number of waiting positions.
        bound: the largest priority taken from the frontier, or the last bound of IDA*. If g + h is the priority and no
            h is too high, no path to a goal costs less.
        cost: the cost of the path that was found.
    """

    expanded: int = 0
    generated: int = 0
    evaluated: int = 0
    frontier: int = 0
    bound: float = 0
    cost: int = 0

    def look(self, most: int | None) -> None:
        """Raise LimitReached at a limit, or if `most` positions have been expanded."""
        current().look()
        if most is not None and self.expanded >= most:
            raise LimitReached(GAVE_UP, f"the limit of {most:,} expanded positions was reached")

    def figures(self) -> dict[str, Any]:
        """Return the counts of positions, by name."""
        return {name: getattr(self, name) for name in ("expanded", "generated", "evaluated", "frontier")}


def trust(old: Node, new: Node) -> None:
    """Do nothing; this is the `merge` of searches that trust the equality of positions."""


class SearchGraph(Record):
    """A graph to be searched. Its positions must be hashable, but need not be puzzle positions.

    Attributes:
        start: the position where the search begins.
        successors: position → (move, following position, cost of the move).
        goal: whether the search may end at a position.
        counts: filled in by the search.
        merge: called with two nodes with equal positions, before a search drops one of them; may raise.
        most: the positions that may be expanded; None for no limit.
    """

    start: Any
    successors: Successors
    goal: Callable[[Any], bool]
    counts: Counts = field(default_factory=Counts)
    merge: Merge = trust
    most: int | None = None

    def look(self) -> None:
        """Raise LimitReached at a limit, or if no more positions may be expanded."""
        self.counts.look(self.most)


def moves_to(node: Node) -> list[str]:
    moves = []
    _, move, parent = node
    while move is not None and parent is not None:
        moves.append(move)
        _, move, parent = parent
    return moves[::-1]
