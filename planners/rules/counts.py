"""What a search has done, and the paths it remembers; shared by all searches of this folder."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar, Union

Position = TypeVar("Position", bound=Hashable)
Successors = Callable[[Position], Iterable[tuple[str, Position, int]]]
"""From a position the moves, the positions after them, and what they cost: 0 or more."""
Node = tuple[Any, str | None, Union["Node", None]]
"""A position, the move that led to it and the node it was made from; both None at the start."""
Merge = Callable[[Node, Node], None]
"""Called with two nodes whose positions are equal, of which a search goes on with one; may raise."""
NEVER = float("inf")


@dataclass(slots=True)
class Counts:
    """What a search has done: filled in while it runs, so that it is right when a limit ends the search, too.

    Attributes:
        expanded: positions whose successors were asked for; the same one twice counts twice.
        generated: successors so made.
        evaluated: positions that were given a priority, or that were seen, where there are none.
        frontier: the most positions that waited to be expanded at one time.
    """

    expanded: int = 0
    generated: int = 0
    evaluated: int = 0
    frontier: int = 0


def trusting(known: Node, reached: Node) -> None:
    """Do nothing: the `merge` of searches that trust equality, for what is no position of a puzzle."""


def moves_to(node: Node) -> list[str]:
    """Return the moves from the start to a node."""
    moves = []
    _, move, parent = node
    while move is not None and parent is not None:
        moves.append(move)
        _, move, parent = parent
    return moves[::-1]
