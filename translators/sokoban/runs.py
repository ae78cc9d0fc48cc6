"""Run-length texts: `3#|#@$.#` is two rows, `2(rU)3l` is rUrUlll.

A number stands for so many of the symbol, or of the bracket, that follows it. A text that is none is left as it is:
whoever reads it then complains about the number, which is no symbol.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 1_000_000
"""Symbols that one text may stand for."""
_NUMBER = re.compile(r"[0-9]{1,7}(?![0-9)])")


def written_out(text: str) -> tuple[str, Sequence[int]]:
    """Return a text without numbers and brackets, and for each symbol its index in the given one."""
    runs = _runs(text) if re.search(r"[0-9()]", text) else None
    if runs is None:
        return text, range(len(text))
    return "".join([text[index] for index in runs]), runs


def _runs(text: str) -> list[int] | None:
    """Return the indices of the symbols in their order; None where the text is no run-length text."""
    indices: list[int] = []
    brackets: list[tuple[int, int]] = []  # where each open one begins, and how often it is repeated
    at = 0
    while at < len(text):
        number = _NUMBER.match(text, at)
        times, at = (int(number[0]), number.end()) if number else (1, at)
        if at == len(text) or text[at].isdigit():
            return None
        if text[at] == "(":
            brackets.append((len(indices), times))
            run: list[int] = []
        elif text[at] == ")":
            if not brackets:
                return None
            start, times = brackets.pop()
            run, indices = indices[start:], indices[:start]
        else:
            run = [at]
        if len(indices) + len(run) * times > MOST:
            return None
        indices += run * times
        at += 1
    return None if brackets else indices
