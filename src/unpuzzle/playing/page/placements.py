"""Placements, the numbered pieces of a page; and the encoding of numbers as bytes.

A **placement** is a piece in its place, with a counter for several equal pieces there. Numbers are written in groups of
seven bits, low ones first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, pairwise
from re import split

from unpuzzle.drawing import Ground, Piece

Placement = tuple[str, float, float, str, int]
"""Look, row, column, kind, and the counter among equal pieces."""
CostedMove = tuple[str, int]


def distinct(pieces: Sequence[Piece]) -> list[Placement]:
    """Return pieces as placements, with counters for equal pieces."""
    if len(set(pieces)) == len(pieces):
        return [(*piece, 0) for piece in pieces]
    counters = {piece: count() for piece in pieces}
    return [(*piece, next(counters[piece])) for piece in pieces]


def numbered(ground: Ground, all_placements: Iterable[Placement]) -> dict[Placement, int]:
    """Return placements with their numbers, in the order in which they are painted."""
    layers = ground.layers()
    ordered = sorted(set(all_placements), key=lambda placement: (layers[placement[0]], *placement[1:]))
    return {placement: number for number, placement in enumerate(ordered)}


def natural(move: CostedMove) -> list[tuple[int, str]]:
    """Return a key that sorts `r2c1` before `r10c1`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in split(r"(\d+)", move[0])] + [(move[1], "")]


def write(out: bytearray, number: int) -> None:
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def write_gaps(out: bytearray, numbers: Sequence[int]) -> None:
    """Write the count of ascending numbers, and the difference of each from the one before."""
    write(out, len(numbers))
    for before, number in pairwise([0, *numbers]):
        write(out, number - before)
