"""Where candidates come from: the interface of sources, small, so that another one is a file of its own.

    source.name                          "wordnet"
    source.candidates(clue, length)      ScoredWords: words, and for each of them what `source.measures` says

A measure is a number, 0 where there is nothing to be said for a word and more the better it fits. What a measure is
worth is learned: `scoring` makes one probability of those of all sources.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unpuzzle.errors import UnpuzzleError
from unpuzzle.planners.clues.signals import Clue

Array = NDArray[Any]


class SourceFailed(UnpuzzleError):
    """A source cannot say anything this time; the sentence says why. The others go on."""


@dataclass(frozen=True, eq=False, slots=True)
class ScoredWords:
    """Words of one length, as sorted bytes, and a row of measures for each."""

    words: Array
    measures: Array

    @classmethod
    def of(cls, scores: Mapping[str, float], length: int) -> ScoredWords:
        """Return the words of a length with their scores, the one measure."""
        words = sorted(word for word in scores if len(word) == length)
        rows = np.array([scores[word] for word in words], np.float32).reshape(-1, 1)
        return cls(np.array([word.encode() for word in words], f"S{length}"), rows)

    @classmethod
    def nonzero(cls, words: Array, measures: Array) -> ScoredWords:
        """Return the words for which there is something to be said."""
        chosen = measures.any(axis=1)
        return cls(words[chosen], measures[chosen])


class WordSource(ABC):
    """The base of all sources.

    Attributes:
        name: as it is asked for.
        measures: the names of what it says about each word.
        listed: whether all that it tells is in its own listing or in that of others.
    """

    name: str
    measures: tuple[str, ...]
    listed: bool = True

    def listing(self, length: int) -> Array:
        """Return all words of a length that the source knows, as sorted bytes; none, if it must be asked for a clue."""
        return np.zeros(0, f"S{length}")

    @abstractmethod
    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        """Return words of a length for a clue. Raises SourceFailed where the source cannot say this time."""
