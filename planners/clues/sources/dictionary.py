"""A dictionary read backwards: from the words of a clue to the words that they define."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unpuzzle.planners.clues.index import OWN, Index
from unpuzzle.planners.clues.signals import FIELDS, PARTS_OF_SPEECH, Clue, CluePart, letters_of, raise_to, words_of
from unpuzzle.planners.clues.sources.source import Array, ScoredWords, WordSource

MEASURES = ("sense", "meanings", "covered", "synonym", "relative", "phrase", "form", "reverse", "near")
"""The measures. `sense`: the best sense for a part of the clue; `meanings`: its mean over the parts; `covered`: the
largest share of a part in one document; `synonym`, `relative`, `phrase`, `form`: the same as `sense`, for synonyms,
relatives, phrases and the base forms of the word; `reverse`: the weight of the word in the definitions of the clue's
words; `near`: the likeness of its own definitions to them.
"""
MOST_TELLING = 3
"""The longest part of a clue, in words, whose own words are looked up; in longer ones, each word says little."""
MOST_NEAR = 12
"""The number of stems of these definitions that are searched in others."""
MOST_PARTS = 16
"""The number of cached parts of clues."""
OTHER_KIND = 0.75
"""The weight of a document with another part of speech than the clue asks for."""


class Dictionary(WordSource):
    """A source of words by an index of definitions."""

    measures: tuple[str, ...] = MEASURES

    def __init__(self, name: str, index: Index) -> None:
        self.name: str = name
        self.index = index
        self._counting: dict[int, dict[str, Array]] = {}
        self._likenesses: dict[str, tuple[Array, Array]] = {}

    def listing(self, length: int) -> Array:
        return self.index.words(length)

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        words = self.index.words(length)
        measures = np.zeros((len(words), len(MEASURES)), np.float32)
        if len(words):
            for part in clue.parts:
                self._of_part(part, length, measures)
            measures[:, MEASURES.index("meanings")] /= max(len(clue.parts), 1)
            self._reverse(clue, length, measures)
        return ScoredWords.nonzero(words, measures)

    def _of_part(self, part: CluePart, length: int, measures: Array) -> None:
        """Add the measures of each word for one part of a clue."""
        covered, likeness = self._likeness(part)
        paired = likeness[self.index.pairs(length)[0]]
        best = {name: self._best(length, paired, name) for name in ("sense", "synonym", "relative", "phrase", "form")}
        best["covered"] = self._best(length, covered[self.index.pairs(length)[0]], "sense")
        for name, value in best.items():
            _raise(measures, name, value)
        meaning = np.maximum(np.maximum(best["sense"], best["synonym"]), 0.8 * best["form"])
        measures[:, MEASURES.index("meanings")] += meaning

    def _best(self, length: int, paired: Array, name: str) -> Array:
        """Return for each word the largest value among its pairs that belong to a measure."""
        if length not in self._counting:
            documents, how = self.index.pairs(length)
            fields, own = self.index.arrays["field"][documents], how == OWN
            counting = {field: (own & (fields == number)).astype(np.float32) for number, field in enumerate(FIELDS)}
            self._counting[length] = counting | {"form": (~own).astype(np.float32), "own": own.astype(np.float32)}
        return self.index.best(length, paired * self._counting[length][name])

    def _likeness(self, part: CluePart) -> tuple[Array, Array]:
        """Return two values for each document: its share of a part of the clue, and its likeness to that part."""
        key = f"{part.kind} {part.text}"
        if key not in self._likenesses:
            covered, inside = self.index.shares(part.stems)
            likeness = np.sqrt(covered * inside)
            if part.kind:
                kinds = self.index.arrays["kind"]
                fits = (kinds == PARTS_OF_SPEECH.index(part.kind)) | (kinds == PARTS_OF_SPEECH.index(""))
                likeness = np.where(fits, likeness, OTHER_KIND * likeness)
            if len(self._likenesses) >= MOST_PARTS:
                self._likenesses.pop(next(iter(self._likenesses)))
            self._likenesses[key] = covered, likeness
        return self._likenesses[key]

    def fitting(self, parts: Sequence[CluePart], length: int) -> Array:
        """Return for each word of a length the best likeness of its own definitions to any part."""
        values = np.zeros(len(self.index.words(length)), np.float32)
        for part in parts:
            paired = self._likeness(part)[1][self.index.pairs(length)[0]]
            np.maximum(values, self._best(length, paired, "own"), out=values)
        return values

    def _reverse(self, clue: Clue, length: int, measures: Array) -> None:
        """Compare the definitions of the clue's own words with each word and its definitions."""
        defining: dict[int, float] = {}
        for part in clue.parts:
            definitions = self._definitions(part)
            for token, share in definitions.items():
                raise_to(defining, token, share)
            if definitions:
                near = sorted(definitions, key=lambda token: -definitions[token] * self.index.rarity(token))[:MOST_NEAR]
                covered, inside = self.index.weighted_shares([(token, definitions[token]) for token in near])
                documents, _ = self.index.pairs(length)
                near_words = self.index.best(length, np.sqrt(covered[documents] * inside[documents]))
                _raise(measures, "near", near_words)
        if defining:
            shares = np.zeros(len(self.index.arrays["tokens"]) + 1, np.float32)  # the last one: no stem
            shares[list(defining)] = list(defining.values())
            measures[:, MEASURES.index("reverse")] = shares[self.index.arrays[f"stem{length}"]]

    def _definitions(self, part: CluePart) -> dict[int, float]:
        """Return the stems that define the words of a short part, with their weights."""
        telling = [word for word in words_of(part.text) if len(word) > 2]
        weights: dict[int, float] = {}
        for word in telling if len(telling) <= MOST_TELLING else ():
            for token, share in self.index.defining(letters_of(word)).items():
                raise_to(weights, token, share / len(telling))
        return weights


def _raise(measures: Array, name: str, values: Array) -> None:
    """Raise the column of a measure to larger values."""
    column = measures[:, MEASURES.index(name)]
    np.maximum(column, values, out=column)
