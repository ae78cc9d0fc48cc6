"""The interface of sources of candidate words; it is small, so that a new source is one file.

    source.name                          "wordnet"
    source.candidates(clue, length)      ScoredWords: words, and for each of them the `source.measures`

A measure is a number: 0 for a word without support, and larger the better the word fits. The weights of measures are
learned: `scoring` turns the measures of all sources into one probability.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.base.values import Record
from unpuzzle.planners.clues.signals import Clue

Array = NDArray[Any]


class SourceFailed(UnpuzzleError):
    """The failure of a source for one clue, with the reason as message; the other sources continue."""


class ScoredWords(Record, eq=False):
    """Words of one length, as sorted bytes, and a row of measures for each word."""

    words: Array
    measures: Array

    @classmethod
    def of(cls, scores: Mapping[str, float], length: int) -> ScoredWords:
        """Return the words of a length with their scores as the only measure."""
        words = sorted(word for word in scores if len(word) == length)
        rows = np.array([scores[word] for word in words], np.float32).reshape(-1, 1)
        return cls(np.array([word.encode() for word in words], f"S{length}"), rows)

    @classmethod
    def nonzero(cls, words: Array, measures: Array) -> ScoredWords:
        """Return the words with at least one measure other than 0."""
        chosen = measures.any(axis=1)
        return cls(words[chosen], measures[chosen])


class WordSource(ABC):
    """The base class of all sources of candidate words.

    Attributes:
        name: the name in configurations.
        measures: the names of its measures.
        listed: whether all its candidates are in the listing of some source.
    """

    name: str
    measures: tuple[str, ...]
    listed: bool = True

    def listing(self, length: int) -> Array:
        """Return all words of a length that the source knows, as sorted bytes; none if the source needs a clue."""
        return np.zeros(0, f"S{length}")

    @abstractmethod
    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        """Return candidate words of a length for a clue. Raises SourceFailed if the source cannot answer this time."""
