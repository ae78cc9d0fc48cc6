"""Words that look like one of the clue: `A jail` is GAOL, `A magazine` ZINE, `A veteran` VET.

Large lists of words have many old spellings and clipped forms, and clues give the modern word for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np

from unpuzzle.planners.clues.signals import PASSED_OVER, Clue, letters_of
from unpuzzle.planners.clues.sources.source import Array, ScoredWords, WordSource

MEASURES = ("alike", "begins", "ends", "sounds", "same")
"""The measures. `alike`: the common pairs of letters; `begins`, `ends`: the share of the clue's word that the word is
the beginning or the end of; `sounds`: whether both have the same consonants; `same`: whether the word is in the clue
itself, as no answer is.
"""
LEAST, CLOSE = 0.3, 0.4
_EDGE = 26


class Likeness(WordSource):
    """A source that compares the words of a list with the words of the clue."""

    name: str = "likeness"
    measures: tuple[str, ...] = MEASURES

    def __init__(self, vocabulary: Callable[[int], Array]) -> None:
        self._vocabulary = vocabulary
        self._pairs: Callable[[int], Array] = cache(self._pairs_of)

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        words = self._vocabulary(length)
        measures = np.zeros((len(words), len(MEASURES)), np.float32)
        clue_words = [letters_of(word) for word in clue.words if word not in PASSED_OVER]
        clue_words = [word for word in dict.fromkeys(clue_words) if len(word) > 2]
        short = 1.0 / max(1.0, len(clue_words) / 3)
        for word in clue_words:
            self._compare(word, length, words, short, measures)
        return ScoredWords.nonzero(words, measures)

    def _pairs_of(self, length: int) -> Array:
        return _pairs(self._vocabulary(length).view(np.uint8).reshape(-1, length))

    def _compare(self, clue_word: str, length: int, words: Array, weight: float, measures: Array) -> None:
        table = np.zeros(27 * 27, np.float32)
        table[_pairs(np.frombuffer(clue_word.encode(), np.uint8)[None, :])[0]] = 1
        shared = table[self._pairs(length)].sum(axis=1)
        alike = 2 * shared / (length + 1 + len(clue_word) + 1)
        near = alike >= LEAST
        measures[near, 0] = np.maximum(measures[near, 0], alike[near] * weight)
        sounds = skeleton(clue_word)
        for place in np.flatnonzero(near).tolist():
            word = words[place].decode()
            row = measures[place]
            if word == clue_word:
                row[4] = 1.0
            elif len(clue_word) > length:
                row[1] = max(row[1], length / len(clue_word) * weight * clue_word.startswith(word))
                row[2] = max(row[2], length / len(clue_word) * weight * clue_word.endswith(word))
            if alike[place] >= CLOSE and skeleton(word) == sounds and word != clue_word:
                row[3] = max(row[3], weight)


def _pairs(letters: Array) -> Array:
    """Return the numbers of the adjacent pairs of letters in words, including the edges."""
    inner = letters.astype(np.int16) - ord("A")
    edge = np.full((len(inner), 1), _EDGE, np.int16)
    left, right = np.hstack([edge, inner]), np.hstack([inner, edge])
    result: Array = left * 27 + right
    return result


@lru_cache(maxsize=1 << 16)
def skeleton(word: str) -> str:
    """Return roughly the sound of a word: its consonants, with similar ones made equal."""
    folded = word.replace("PH", "F").replace("CK", "K").replace("GH", "G")
    folded = folded.translate(str.maketrans("CQZXVWJ", "KKSSFUI"))
    folded = re.sub(r"(.)\1+", r"\1", folded)
    return folded[:1] + re.sub(r"[AEIOUYH]", "", folded[1:])
