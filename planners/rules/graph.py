"""What every search of this folder takes and fills in: a graph, counts, and the paths that are remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Union

Successors = Callable[[Any], Iterable[tuple[str, Any, int]]]
"""From a position the moves, the positions after them, and what they cost: 0 or more."""
Node = tuple[Any, str | None, Union["Node", None]]
"""A position, the move that led to it and the node it was made from; both None at the start."""
Merge = Callable[[Node, Node], None]
NEVER = float("inf")


@dataclass(slots=True)
class Counts:
    """What a search has done: filled in while it runs, so that it is right when a limit ends the search, too.

    Attributes:
        expanded: positions whose successors were asked for; the same one twice counts twice.
        generated: successors so made.
        evaluated: positions that were given a priority, or that were met, where there are none.
        frontier: the most positions that waited to be expanded at one time.
    """

    expanded: int = 0
    generated: int = 0
    evaluated: int = 0
    frontier: int = 0


def trust(old: Node, new: Node) -> None:
    """Do nothing: the `merge` of searches that trust equality."""


@dataclass(frozen=True, slots=True)
class SearchGraph:
    """A graph to be searched. Its positions are hashable; they need not be of a puzzle.

    Attributes:
        start: the position where the search begins.
        successors: position → (move, following position, cost of the move).
        goal: whether the search may end at a position.
        watch: called before each expansion; may raise to end the search.
        counts: filled in.
        merge: called with two nodes whose positions are equal, of which a search goes on with one; may raise.
    """

    start: Any
    successors: Successors
    goal: Callable[[Any], bool]
    watch: Callable[[], None] = lambda: None
    counts: Counts = field(default_factory=Counts)
    merge: Merge = trust


def moves_to(node: Node) -> list[str]:
    """Return the moves from the start to a node."""
    moves = []
    _, move, parent = node
    while move is not None and parent is not None:
        moves.append(move)
        _, move, parent = parent
    return moves[::-1]
