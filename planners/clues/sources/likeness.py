"""Words that look like one of the clue: `A jail` is GAOL, `A magazine` ZINE, `A veteran` VET.

Old spellings and clipped forms, of which large lists of words are full, are explained by the word of today.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from unpuzzle.planners.clues.sources.source import Scored, Source
from unpuzzle.planners.clues.text import PASSED_OVER, letters_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.planners.clues.signals import Clue
    from unpuzzle.planners.clues.sources.source import Array

MEASURES = ("alike", "begins", "ends", "sounds", "same")
"""Pairs of letters that both have; how much of the clue's word it is the beginning, or the end, of; whether it has the
same consonants; whether it stands in the clue itself, which no answer does."""
LEAST, CLOSE = 0.3, 0.4
_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_EDGE = 26


class Likeness(Source):
    """Compares the words of a list with those of the clue."""

    name = "likeness"
    measures = MEASURES

    def __init__(self, vocabulary: Callable[[int], Array]) -> None:
        self.vocabulary = vocabulary
        self._pairs: dict[int, Array] = {}

    def candidates(self, clue: Clue, length: int) -> Scored:
        words = self.vocabulary(length)
        found = np.zeros((len(words), len(MEASURES)), np.float32)
        said = [letters_of(word) for word in clue.words if word not in PASSED_OVER]
        said = [word for word in dict.fromkeys(said) if len(word) > 2]
        short = 1.0 / max(1.0, len(said) / 3)
        for word in said:
            self._compare(word, length, words, short, found)
        chosen = found.any(axis=1)
        return Scored(words[chosen], found[chosen])

    def _compare(self, said: str, length: int, words: Array, weight: float, found: Array) -> None:
        pairs = self._pairs_of(length, words)
        table = np.zeros(27 * 27, np.float32)
        table[_pairs(np.frombuffer(said.encode(), np.uint8)[None, :])[0]] = 1
        shared = table[pairs].sum(axis=1)
        alike = 2 * shared / (length + 1 + len(said) + 1)
        near = alike >= LEAST
        found[near, 0] = np.maximum(found[near, 0], alike[near] * weight)
        sounds = skeleton(said)
        for place in np.flatnonzero(near).tolist():
            word = words[place].decode()
            row = found[place]
            if word == said:
                row[4] = 1.0
            elif len(said) > length:
                row[1] = max(row[1], length / len(said) * weight * said.startswith(word))
                row[2] = max(row[2], length / len(said) * weight * said.endswith(word))
            if alike[place] >= CLOSE and skeleton(word) == sounds and word != said:
                row[3] = max(row[3], weight)

    def _pairs_of(self, length: int, words: Array) -> Array:
        if length not in self._pairs:
            self._pairs[length] = _pairs(words.view(np.uint8).reshape(-1, length))
        return self._pairs[length]


def _pairs(letters: Array) -> Array:
    """Numbers of the pairs of neighbours in words, their edges included."""
    inner = letters.astype(np.int16) - ord("A")
    edge = np.full((len(inner), 1), _EDGE, np.int16)
    left, right = np.hstack([edge, inner]), np.hstack([inner, edge])
    result: Array = left * 27 + right
    return result


@lru_cache(maxsize=1 << 16)
def skeleton(word: str) -> str:
    """What a word sounds like, roughly: its consonants, those alike made equal."""
    folded = word.replace("PH", "F").replace("CK", "K").replace("GH", "G")
    folded = folded.translate(str.maketrans("CQZXVWJ", "KKSSFUI"))
    folded = re.sub(r"(.)\1+", r"\1", folded)
    return folded[:1] + re.sub(r"[AEIOUYH]", "", folded[1:])
