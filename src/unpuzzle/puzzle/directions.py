"""Moves that are directions, and the keys for them, alike on pages and in a terminal.

In such games moves are letters: `uldr` or the compass, in either case, `x`, which acts, and `t`, which lets time pass.
Letters on the keyboard are keys, not names of moves: W A S D move, and U undoes, though a move is called `u`.
"""

from __future__ import annotations

from collections.abc import Iterable

SIDES = ("up", "left", "down", "right")
COMPASSES = ("uldr", "nwse")
"""Letters of moves up, left, down and right."""
ACT, WAIT = "x", "t"


def letters_of(moves: Iterable[str]) -> str:
    """Return the letters of moves up, left, down and right, in this order; empty if no move is one of them.

    >>> letters_of(["U", "R", "x"]), letters_of("NESW"), letters_of(["AB"])
    ('uldr', 'nwse', '')
    """
    letters = {move.lower() for move in moves}
    if any(len(letter) > 1 for letter in letters):
        return ""
    best = max(COMPASSES, key=lambda compass: len(letters.intersection(compass)))
    return best if letters.intersection(best) else ""


def are_directions(moves: Iterable[str]) -> bool:
    """Return whether all moves are directions, `x` or `t`, and at least one is."""
    moves = list(moves)
    letters = letters_of(moves)
    return bool(letters) and {move.lower() for move in moves} <= {*letters, ACT, WAIT}
