"""What a search has done, and the paths it remembers; shared by all searches of this folder."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Node = tuple[Any, str | None, "Node | None"]
    """A position, the move that led to it and the node it was made from; both None at the start."""


class Counts:
    """Filled in while a search runs, so that they are right when a limit ends it, too.

    Attributes:
        expanded: positions whose successors were asked for; the same one twice counts twice.
        generated: successors so made.
        evaluated: positions that were given a priority, or that were seen, where there are none.
        frontier: the most positions that waited to be expanded at one time.
    """

    __slots__ = ("evaluated", "expanded", "frontier", "generated")

    def __init__(self) -> None:
        self.expanded = self.generated = self.evaluated = self.frontier = 0


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
