"""Words that PuzzleScript knows, and those that other dialects of it have besides."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache

from unpuzzle.words import suggestion

COLOURS = frozenset(
    "black white grey gray darkgrey darkgray lightgrey lightgray red darkred lightred brown darkbrown lightbrown "
    "orange yellow green darkgreen lightgreen blue lightblue darkblue purple pink transparent".split()
)

PLUS = "PuzzleScript Plus"


@lru_cache(maxsize=1)
def _dialects() -> dict[str, str]:
    """Return the dialect of each word that only a dialect has."""
    with open(os.path.join(os.path.dirname(__file__), "dialects.txt"), encoding="ascii") as file:
        lines = [line.rpartition(":") for line in file]
    return {word: dialect for dialect, _, words in lines for word in words.split()}


def foreign(word: str) -> str:
    """Return what to add to a message about an unknown word: the dialect that knows it; empty if none does."""
    dialect = _dialects().get(word)
    return f": it belongs to the dialect {dialect}" if dialect else ""


def unknown(word: str, known: Iterable[str]) -> str:
    """Return the same, or a suggestion for a near miss."""
    return foreign(word) or suggestion(word, known)
