"""A sequence of positions as text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unpuzzle.puzzle.position import Position


def pictures(puzzle: Position, moves: Iterable[str]) -> str:
    """The start and the position after each move, each under its heading. The moves must be legal."""
    parts = [f"start\n{puzzle.draw().rstrip()}\n"]
    for number, move in enumerate(moves, 1):
        puzzle = puzzle.apply(move)
        parts.append(f"{number}. {move}\n{puzzle.draw().rstrip()}\n")
    return "\n".join(parts) + "\n"
