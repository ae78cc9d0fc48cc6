"""Sets as whole numbers: bit `i` is set for member `i`."""

from __future__ import annotations

from collections.abc import Iterator

LONG = 1024
"""The length in bits from which members are found by the digits of the number."""


def has(objects: int, mask: int, whole: bool) -> bool:
    """Return whether `objects` has all objects of `mask` (if `whole`), or else any of them."""
    return objects & mask == mask if whole else bool(objects & mask)


def flip(sets: list[int], members: int, cells: int) -> None:
    """Add `cells` to the sets of some members, or remove `cells` from sets that contain them."""
    while members:
        lowest = members & -members
        sets[lowest.bit_length() - 1] ^= cells
        members ^= lowest


def bits(number: int) -> Iterator[int]:
    """Yield the members of a set in ascending order; the time for a long set grows only with its length."""
    if number.bit_length() > LONG:
        digits = f"{number:b}"[::-1]
        place = digits.find("1")
        while place >= 0:
            yield place
            place = digits.find("1", place + 1)
        return
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
