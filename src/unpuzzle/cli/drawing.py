"""A sequence of positions as text."""

from __future__ import annotations

from itertools import zip_longest

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


def differing(one: Position, other: Position) -> str:
    """Two pictures of one shape, one after the other; carets below the second where it differs from the first."""
    first, second = (position.draw().rstrip().split("\n") for position in (one, other))
    lines = [*first, ""]
    for above, line in zip_longest(first, second, fillvalue=""):
        marks = "".join(" " if a == b else "^" for a, b in zip_longest(above, line, fillvalue=" ")).rstrip()
        lines += [line, *([marks] if marks else [])]
    return "\n".join(lines) + "\n"
