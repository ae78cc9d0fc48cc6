"""Run-length texts: `3#|#@$.#` is two rows, `2(rU)3l` is rUrUlll.

A number above 0 repeats the symbol, or the bracket, that follows it. At the start of a line, before a blank, it counts
the lines where no `|` ends a row. An invalid text is left unchanged from the fault on: its reader then reports the
number as a wrong symbol.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST = 1_000_000
"""The largest number of symbols in an expanded text."""
_NUMBER = re.compile(r"0{0,6}[1-9][0-9]{0,6}(?![0-9)\n])")
_COUNTS_LINES = re.compile(r"^[0-9]+[^\S\n]", re.MULTILINE)


def written_out(text: str) -> tuple[str, Sequence[int]]:
    """Return a text without numbers and brackets, and for each symbol its index in the given one."""
    if not re.search(r"[0-9()]", text) or ("|" not in text and _COUNTS_LINES.search(text)):
        return text, range(len(text))
    indices = _runs(text)
    return "".join([text[index] for index in indices]), indices


def _runs(text: str) -> list[int]:
    """Return the indices of the symbols in their order; from a fault in the text on, the indices of all letters."""
    indices: list[int] = []
    brackets: list[tuple[int, int, int]] = []  # of each open one: its index, the symbols before it, the repetitions
    at = 0
    while at < len(text):
        number = _NUMBER.match(text, at)
        times, symbol = (int(number[0]), number.end()) if number else (1, at)
        run: list[int] = []
        if symbol == len(text) or text[symbol].isdigit() or (text[symbol] == ")" and not brackets):
            break
        if text[symbol] == "(":
            brackets.append((at, len(indices), times))
        elif text[symbol] == ")":
            _, before, times = brackets.pop()
            run, indices = indices[before:], indices[:before]
        else:
            run = [symbol]
        if len(indices) + len(run) * times > MOST:
            break
        indices += run * times
        at = symbol + 1
    if brackets:
        at, before, _ = brackets[0]
        indices = indices[:before]
    return [*indices, *range(at, len(text))]
