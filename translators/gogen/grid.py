"""The grid of all Gogens, and the adjacent letters required by a list of words.

A word can be traced exactly if each two consecutive letters are in cells that touch, since letters repeat neither in a
word nor in the grid. So a list of words only determines which letters must touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from unpuzzle.translators.shared.cells import cell_names, neighbours

SIDE = 5
CELLS = SIDE * SIDE
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"
EMPTY = "."
NAMES = cell_names(SIDE, SIDE)
NUMBERS = {name: cell for cell, name in enumerate(NAMES)}
STEPS = {f"{down} {right}": (down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right}
TOUCHING = tuple(frozenset(near.values()) for near in neighbours(SIDE, SIDE, STEPS))
"""By cell, the cells that touch it, at a side or at a corner."""
BESIDE = {NAMES[cell]: tuple([NAMES[other] for other in sorted(near)]) for cell, near in enumerate(TOUCHING)}
"""The same by names, in a fixed order."""


@lru_cache(maxsize=64)
def joins(words: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """Return, for each letter, its neighbours in the words, each with the first word in which they are neighbours."""
    neighbours_of: dict[str, dict[str, str]] = {letter: {} for letter in LETTERS}
    for word in words:
        for one, other in pairwise(word):
            neighbours_of[one].setdefault(other, word)
            neighbours_of[other].setdefault(one, word)
    return neighbours_of


def apart(places: Mapping[str, int], words: Sequence[str]) -> Iterable[tuple[str, str, str]]:
    """Yield each pair of placed letters that are neighbours in a word but not in the grid, and the word."""
    for one, others in joins(words).items():
        for other, word in others.items():
            if one < other and one in places and other in places and places[other] not in TOUCHING[places[one]]:
                yield one, other, word


def traceable(places: Mapping[str, int], word: str) -> bool:
    """Return whether all letters of a word are placed, each in a cell that touches the cell of the next letter."""
    if not all(letter in places for letter in word):
        return False
    return all(places[other] in TOUCHING[places[one]] for one, other in pairwise(word))


def fault(word: str) -> str | None:
    """Return why a Gogen cannot use a word in capital letters, or None if the word can be used."""
    if not (word.isascii() and word.isalpha()):
        return "is not a word: words are made of letters alone"
    if len(word) > CELLS:
        return f"has {len(word)} letters, and the grid has {CELLS} cells"
    if "Z" in word:
        return "has a Z, and a Gogen has the letters A to Y"
    twice = next((letter for letter in word if word.count(letter) > 1), None)
    if twice:
        return f"can never be traced: it has {twice} twice, and each letter is there once"
    return None
