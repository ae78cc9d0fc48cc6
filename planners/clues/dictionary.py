"""A source of candidate words, which searches a dictionary for the words whose definitions resemble a clue.

    tokens ──► documents ──► words            the index: arrays of numpy, one file each, only mapped into memory

Documents are the senses of a dictionary, cut at semicolons. For the stems of a clue, every document gets two shares:
the share of the clue found in it, and its own share found in the clue; rarer stems count more (K. Spärck Jones, 1972).
Then each word of the wanted length gets the best value of its documents. This takes a few operations on whole arrays,
so a clue takes milliseconds.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from math import log

import numpy as np

from unpuzzle.planners.clues.clue import (
    FIELDS,
    PARTS_OF_SPEECH,
    Array,
    Clue,
    CluePart,
    Document,
    ScoredWords,
    WordSource,
    letters_of,
    place_in,
    plain,
    raise_to,
    stem,
    stems,
    words_of,
)

LONGEST = 40
"""The longest word, in letters; grids have no longer rows."""
FADING = 0.06
"""The decrease of the weight for each further word of a definition."""
OWN, INFLECTED, REFERRED = 0, 1, 2
"""The relation of a document to a word: it defines the word, its base form, or a word that its entry refers to."""


def build(documents: Iterable[Document]) -> dict[str, Array]:
    """Index the documents of a dictionary; return the arrays of the index.

    `tokens` are sorted stems; `starts` the bounds of each one's postings; `places` the documents of a posting;
    `weights` the weight of the stem in it; `mass` the total weight of the stems of a document; `kind`, `field` of a
    document; `said` the stems of all documents, one after the other, and `bounds` those of each one's. And for each
    length N `wordsN` sorted, `firstN` the bounds of each one's pairs, `aboutN` their documents, `howN` the relation of
    a document to the word, `stemN` the number of the stem of each word, -1 if no document has it.
    """
    builder = _Builder()
    for document in documents:
        builder.add(document)
    rank = {name: place for place, name in enumerate(sorted(builder.numbers))}
    return builder.postings(rank) | builder.words(rank)


class _Builder:
    """A builder of a dictionary's index, which collects documents and converts them to arrays."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.tokens, self.order, self.kinds, self.fields = (array("i") for _ in range(4))
        self.bounds = array("i", [0])
        self.about: dict[str, dict[int, int]] = {}
        self.references: list[tuple[str, str]] = []

    def add(self, document: Document) -> None:
        clauses = [clause for clause in document.text.split(";") if clause.strip()]
        for text in [document.text, *clauses] if len(clauses) > 1 else clauses:
            if different := dict.fromkeys(stems(text)):
                number = len(self.kinds)
                self.tokens.extend([self.numbers.setdefault(one, len(self.numbers)) for one in different])
                self.order.extend(range(len(different)))
                self.bounds.append(len(self.tokens))
                self.kinds.append(PARTS_OF_SPEECH.index(document.kind))
                self.fields.append(FIELDS.index(document.field))
                for word in document.words:
                    self.about.setdefault(word, {})[number] = OWN
                for word in document.forms:
                    self.about.setdefault(word, {}).setdefault(number, INFLECTED)
        if referred := _reference(document.text):
            self.references += [(word, referred) for word in document.words]

    def postings(self, rank: Mapping[str, int]) -> dict[str, Array]:
        """Return the arrays of the index that list the documents of each stem, and the stems of each document."""
        tokens = np.array([rank[name] for name in self.numbers], np.int32)[np.array(self.tokens, np.int32)]
        documents = len(self.kinds)
        owners = np.repeat(np.arange(documents, dtype=np.int32), np.diff(self.bounds))
        counts = np.bincount(tokens, minlength=len(rank))
        rarity = np.log((documents + 1.0) / (counts + 0.5))
        weights = (rarity[tokens] / (1 + FADING * np.array(self.order))).astype(np.float32)
        by_token = np.argsort(tokens, kind="stable")
        return {
            "tokens": np.array([name.encode() for name in rank]),
            "starts": np.cumsum([0, *counts]),
            "places": owners[by_token],
            "weights": weights[by_token],
            "mass": np.maximum(np.bincount(owners, weights, documents), 1e-6).astype(np.float32),
            "kind": np.array(self.kinds, np.int8),
            "field": np.array(self.fields, np.int8),
            "said": tokens,
            "bounds": np.array(self.bounds),
        }

    def words(self, rank: Mapping[str, int]) -> dict[str, Array]:
        """Return the arrays that lead from words of each length to the documents about them."""
        # Definitions of a word also count for entries that refer to it: `Gaol: see Jail`.
        for word, other in self.references:
            for number, how in list(self.about.get(other, {}).items()):
                if how == OWN:
                    self.about.setdefault(word, {}).setdefault(number, REFERRED)
        arrays: dict[str, Array] = {}
        for length, words in by_length(self.about).items():
            pairs = [self.about[word] for word in words]
            arrays[f"words{length}"] = np.array([word.encode() for word in words])
            arrays[f"first{length}"] = np.cumsum([0, *map(len, pairs)])
            arrays[f"about{length}"] = np.array([place for pair in pairs for place in pair], np.int32)
            arrays[f"how{length}"] = np.array([how for pair in pairs for how in pair.values()], np.int8)
            arrays[f"stem{length}"] = np.array([rank.get(stem(word.lower()), -1) for word in words], np.int32)
        return arrays


def by_length(words: Iterable[str]) -> dict[int, list[str]]:
    """Group words by length, and sort each group; leave out words that are too short or too long for a grid."""
    lengths: dict[int, list[str]] = {}
    for word in sorted(words):
        if 2 <= len(word) <= LONGEST:
            lengths.setdefault(len(word), []).append(word)
    return lengths


_REFERRING = re.compile(r"(?:see|same as|a form of|an old form of|var of|variant of|obsolete form of|imp of) (\S+)")


def _reference(text: str) -> str:
    """Return the word to which a dictionary entry such as `see Jail` refers; empty if the entry has a definition."""
    beginning = " ".join(plain(text.partition(".")[0].partition(",")[0]).split())
    referring = _REFERRING.fullmatch(beginning)
    return letters_of(referring[1]) if referring else ""


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
    """A source of words that searches the definitions in an index; `arrays` are the arrays that `build` returns."""

    measures: tuple[str, ...] = MEASURES

    def __init__(self, name: str, arrays: Mapping[str, Array]) -> None:
        self.name: str = name
        self.arrays: Mapping[str, Array] = arrays
        self.documents: int = len(arrays["mass"])
        self._counting: dict[int, dict[str, Array]] = {}
        self._likenesses: dict[CluePart, tuple[Array, Array]] = {}

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        words = self.listing(length)
        measures = np.zeros((len(words), len(MEASURES)), np.float32)
        if len(words):
            columns = dict(zip(MEASURES, measures.T, strict=True))  # views: writing to them fills the rows
            for part in clue.parts:
                self._measure(part, length, columns)
            columns["meanings"] /= max(len(clue.parts), 1)
            self._reverse(clue, length, columns)
        return ScoredWords.nonzero(words, measures)

    def _measure(self, part: CluePart, length: int, columns: dict[str, Array]) -> None:
        """Increase the measures of the words of a length by the likeness of their documents to one part of a clue."""
        covered, likeness = self._likeness(part)
        names = ("sense", "synonym", "relative", "phrase", "form")
        best = dict(zip(names, self._best(length, likeness, *names), strict=True))
        (best["covered"],) = self._best(length, covered, "sense")
        for name, value in best.items():
            np.maximum(columns[name], value, out=columns[name])
        columns["meanings"] += np.maximum(np.maximum(best["sense"], best["synonym"]), 0.8 * best["form"])

    def _best(self, length: int, values: Array, *names: str) -> list[Array]:
        """Return, for each measure in `names`, the largest value among the documents of each word of a length."""
        documents, first = self.arrays[f"about{length}"], self.arrays[f"first{length}"]
        if length not in self._counting:
            fields, own = self.arrays["field"][documents], self.arrays[f"how{length}"] == OWN
            counting = {field: own & (fields == number) for number, field in enumerate(FIELDS)}
            counting |= {"form": ~own, "own": own, "any": own | ~own}
            self._counting[length] = {name: counts.astype(np.float32) for name, counts in counting.items()}
        paired = values[documents]
        return [np.maximum.reduceat(paired * self._counting[length][name], first[:-1]) for name in names]

    def _likeness(self, part: CluePart) -> tuple[Array, Array]:
        """Return, for each document, the share of a clue part's stems in it, and its likeness to the clue part."""
        if part not in self._likenesses:
            covered, inside = self.shares([(place_in(self.arrays["tokens"], stem), 1.0) for stem in part.stems])
            likeness = np.sqrt(covered * inside)
            if part.kind:
                kinds = self.arrays["kind"]
                fits = (kinds == PARTS_OF_SPEECH.index(part.kind)) | (kinds == PARTS_OF_SPEECH.index(""))
                likeness = np.where(fits, likeness, OTHER_KIND * likeness)
            if len(self._likenesses) >= MOST_PARTS:
                self._likenesses.pop(next(iter(self._likenesses)))
            self._likenesses[part] = covered, likeness
        return self._likenesses[part]

    def fitting(self, parts: Sequence[CluePart], length: int) -> Array:
        """Return, for each word of a length, the greatest likeness of one of its definitions to a clue part."""
        values = np.zeros(len(self.listing(length)), np.float32)
        for part in parts if len(values) else ():
            np.maximum(values, self._best(length, self._likeness(part)[1], "own")[0], out=values)
        return values

    def _reverse(self, clue: Clue, length: int, columns: dict[str, Array]) -> None:
        """Measure words by their weights in definitions of the clue's words, and by the likeness of definitions."""
        defining: dict[int, float] = {}
        for part in clue.parts:
            definitions = self._definitions(part)
            for token, share in definitions.items():
                raise_to(defining, token, share)
            if definitions:
                near = sorted(definitions, key=lambda token: -definitions[token] * self._rarity(token))[:MOST_NEAR]
                covered, inside = self.shares([(token, definitions[token]) for token in near])
                (near_words,) = self._best(length, np.sqrt(covered * inside), "any")
                np.maximum(columns["near"], near_words, out=columns["near"])
        if defining:
            shares = np.zeros(len(self.arrays["tokens"]) + 1, np.float32)  # the last one: no stem
            shares[list(defining)] = list(defining.values())
            columns["reverse"][:] = shares[self.arrays[f"stem{length}"]]

    def _definitions(self, part: CluePart) -> dict[int, float]:
        """Return the stems in the definitions of a clue part's words, with weights; none if the clue part is long.

        The first stem of a definition has the largest weight.
        """
        telling = [word for word in words_of(part.text) if len(word) > 2]
        weights: dict[int, float] = {}
        for word in map(letters_of, telling if len(telling) <= MOST_TELLING else ()):
            place = place_in(self.listing(len(word)), word)
            for document in [] if place is None else self._part(f"about{len(word)}", f"first{len(word)}", place):
                for number, token in enumerate(self._part("said", "bounds", document).tolist(), 1):
                    raise_to(weights, token, number**-0.5 / len(telling))
        return weights

    def _part(self, name: str, bounds: str, place: int) -> Array:
        """Return the slice number `place` of the array `name`; the array `bounds` has the starts of the slices."""
        return self.arrays[name][slice(*self.arrays[bounds][place : place + 2])]

    def _rarity(self, token: int | None) -> float:
        """Return the inverse document frequency of a stem: the logarithm of its rarity among the documents."""
        if token is None:
            return log(self.documents + 1.0)
        starts = self.arrays["starts"]
        return log((self.documents + 1.0) / (int(starts[token + 1] - starts[token]) + 0.5))

    def shares(self, query: Iterable[tuple[int | None, float]]) -> tuple[Array, Array]:
        """Return, for each document, the share of the query in the document, and the document's share in the query.

        The query has stems by number, with weights; None is a stem that no document contains.
        """
        covered = np.zeros(self.documents, np.float32)
        inside = np.zeros(self.documents, np.float32)
        whole = 0.0
        for token, weight in query:
            telling = weight * self._rarity(token)
            whole += telling
            if token is not None:
                places = self._part("places", "starts", token)
                covered[places] += telling
                inside[places] += weight * self._part("weights", "starts", token)
        return covered / max(whole, 1e-6), inside / self.arrays["mass"]
