"""Chance in PuzzleScript: the stream cipher RC4, keyed with the text of a seed, so that plays can be repeated.

A draw takes seven bytes, the most significant first, as a fraction of 2^56 - 1 in double precision.
"""

from __future__ import annotations

from functools import lru_cache

BYTES = 7


class Draws:
    """A source of random numbers from 0 to 1."""

    __slots__ = ("_boxes", "_i", "_j", "drawn")

    def __init__(self, seed: str) -> None:
        key = seed_bytes(seed) or b"\0"
        boxes = list(range(256))
        j = 0
        for i in range(256):
            j = (j + boxes[i] + key[i % len(key)]) % 256
            boxes[i], boxes[j] = boxes[j], boxes[i]
        self._boxes = boxes
        self._i = self._j = 0
        self.drawn: int = 0
        """The number of draws so far."""

    def copy(self) -> Draws:
        """Return a source that will draw the same numbers."""
        other = Draws.__new__(Draws)
        other._boxes, other._i, other._j, other.drawn = list(self._boxes), self._i, self._j, self.drawn
        return other

    def below(self, count: int) -> int:
        """Draw a random number from 0 to `count` - 1."""
        self.drawn += 1
        boxes, i, j, part = self._boxes, self._i, self._j, 0.0
        for _ in range(BYTES):
            i = (i + 1) % 256
            j = (j + boxes[i]) % 256
            boxes[i], boxes[j] = boxes[j], boxes[i]
            part = part * 256 + boxes[(boxes[i] + boxes[j]) % 256]
        self._i, self._j = i, j
        return int(part / (2.0 ** (8 * BYTES) - 1) * count)


def seed_bytes(seed: str) -> bytes:
    """Return the key for the text of a seed: the codes of its characters, most significant bytes first."""
    codes = [ord(char) for char in seed]
    return b"".join([code.to_bytes(max(1, (code.bit_length() + 7) // 8), "big") for code in codes])


@lru_cache(maxsize=1024)
def draws_at(seed: str, drawn: int) -> Draws:
    """Return a source after some draws; it must be copied before drawing from it.

    It is computed from the source at the next lower multiple of 100, or of a higher power of ten.
    """
    if not drawn:
        return Draws(seed)
    unit = 100
    while drawn % unit == 0:
        unit *= 10
    draws = draws_at(seed, drawn - drawn % unit).copy()
    while draws.drawn < drawn:
        draws.below(1)
    return draws
