"""Numbers on the command line: the allowed range of each number, and the error message for other values.

The ranges exceed the power of any machine, and stay below the limits of libraries and the core.
"""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Callable

from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import cut

MOST, SEEDS, PROCESSES, SECONDS, BYTES = 10**15, 2**63 - 1, 1024, 1e9, 2**60
"""The largest numbers allowed for counts, random seeds, processes, seconds and bytes."""
SHOWN = 40
"""The most characters of a wrong value that a message shows."""


def whole(least: int = 1, most: int = MOST) -> Callable[[str], int]:
    """Return a function that reads a whole number between two bounds from a text."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:  # also of more digits than Python reads
            raise _wrong(f"a whole number from {least:,} to {most:,}", text) from None
        if not least <= number <= most:
            raise _wrong(f"at least {least:,}" if number < least else f"at most {most:,}", text)
        return number

    return read


seed: Callable[[str], int] = whole(-SEEDS, SEEDS)


def seconds(text: str) -> float:
    number = _decimal(text)
    if not 0 < number <= SECONDS:
        raise _wrong(f"a number of seconds, more than 0 and at most {SECONDS:,.0f}", text)
    return number


def best_end(text: str) -> int | float:
    """Read a time such as `60s`, `5m` or `1h` in seconds (as a float), or a number of candidates (as an int)."""
    units = {"s": 1, "m": 60, "h": 3600}
    if text and text[-1] in units:
        number = _decimal(text[:-1]) * units[text[-1]]
        if 0 < number <= SECONDS:
            return number
    elif text.isascii() and text.isdecimal() and 1 <= int(text[:16]) <= MOST:
        return int(text[:16])
    raise _wrong("a time such as 60s, 5m or 1h, or a number of candidates such as 2000", text)


def size(text: str) -> int:
    """Read a number of bytes, such as `500M`; K, M, G and T are powers of 1024."""
    digits, factor = text.strip().upper().removesuffix("B").removesuffix("I"), 1
    if digits and digits[-1] in "KMGT":
        factor = 1024 ** ("KMGT".index(digits[-1]) + 1)
        digits = digits[:-1]
    number = _decimal(digits) * factor
    if not 1 <= number <= BYTES:
        raise _wrong(f"a size such as 500M or 4G, at most {BYTES // 2**40:,}T", text)
    return int(number)


def between(least: float, most: float) -> Callable[[str], float]:
    """Return a function that reads a number between two bounds from a text."""

    def read(text: str) -> float:
        number = _decimal(text)
        if not least <= number <= most:
            raise _wrong(f"a number from {least:,} to {most:,}", text)
        return number

    return read


def _decimal(text: str) -> float:
    """Return the number in a text or, if there is no number, NaN, which is outside of all bounds."""
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _wrong(expected: str, text: str) -> ArgumentTypeError:
    return ArgumentTypeError(f"must be {expected}, not {cut(text, SHOWN)}")


def moves_between(text: str) -> tuple[int | None, int | None]:
    """Return the bounds that a text gives, such as `5..9`, `5..`, `..9` or `5`."""
    least, dots, most = text.partition("..")
    bounds = (least, most) if dots else (text, text)
    if not any(bounds) or not all(re.fullmatch("[0-9]{0,9}", bound) for bound in bounds):
        raise UsageError(f"--moves must be MIN..MAX, MIN.., ..MAX or a number, such as 10..20, not '{text[:40]}'")
    first, last = (int(bound) if bound else None for bound in bounds)
    return first, last
