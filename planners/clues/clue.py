"""Clues of crosswords, parsed, and the interface of the sources that find candidate words for a clue.

clue = read_clue("Formerly, once: Abbr.")
clue.parts                           its meanings: the text cut at semicolons
clue.signals                         the `SIGNALS` in it, hints besides its meaning: {"abbreviation"}
clue.kind                            the part of speech of the answer: "v" after `To`, "n" after an article; or empty
clue.references                      the entries that it points to: "See 8-Across" gives ("8A",)
source.candidates(clue, length)      ScoredWords: words, and for each of them the `source.measures`

A measure is a number: 0 for a word without support, and larger the better the word fits. The weights of measures are
learned: `inference` turns the measures of all sources into one probability.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, MutableMapping
from functools import lru_cache
from typing import Any, TypeVar
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.base.values import Record

K = TypeVar("K")

PARTS_OF_SPEECH = ("n", "v", "a", "r", "")
"""The parts of speech: noun, verb, adjective, adverb, unknown."""
FIELDS = ("sense", "synonym", "relative", "phrase")
"""A definition; a synonym; a more or less general word; the rest of a phrase with the word."""
WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
OTHER = re.compile(r"[^a-z]")
PASSED_OVER = frozenset({"a", "an", "the", "to", "of", "or", "and", "s"})
"""Words without their own meaning; the part of speech that they show is read elsewhere."""
_ENDINGS = tuple("ingly edly ingness nesses ness ations ation ments ment ings ing ies ied est ed es ly s".split())
_SHORTEST_STEM = 3
Array = NDArray[Any]
_PATTERNS = {
    # A blank is to be filled: `___ on a log`.
    "blank": r"_{2,}|–{2,}|—{2,}|-{3,}|\.{4,}",
    # An abbreviation is asked for, or the clue has one itself.
    "abbreviation": r"\babbr\b|for short\b|\binits?\b|\borg\.|\bbriefly\b|\bdept\.|\bacronym\b|\b(?:[A-Z]\.){2,}",
    "agent": r"\bone (?:who|that|which)\b|\b(?:person|somebody|someone) (?:who|that)\b|\bthat which\b|\bhe who\b",
    # Words with the prefix re-, and with un- or in-.
    "again": r"\bagain\b|\banew\b|\bafresh\b|\bto re[a-z]+\b",
    "not": r"\bnot\b|\bwithout\b|\bfree from\b|\bremove\b|\bundo\b|\blacking\b|\bdeprive\b",
    # An adjective is described.
    "relating": r"\b(?:pertaining|relating|belonging) to\b|\b(?:resembling|characterized by|full of|made of)\b|^like\b",
    "comparative": r"\bmore\b",
    "superlative": r"\bmost\b",
    "question": r"\?\s*$",  # a pun
    "quoted": r"^[\"“].*[\"”]$",  # what is said
}
HEADS = {"past": "ed", "participle": "ing"}
"""By signal, the ending of the first word of a clue that begins with no article."""
SIGNALS = frozenset({*_PATTERNS, *HEADS, "plural", "reference"})
"""All signals: those of patterns in the text, those of its first word, and whether it points to another entry."""
OPAQUE = frozenset({"blank", "abbreviation", "quoted", "reference"})
"""Signals with which the first word of a clue says nothing about the form of the answer."""
REFERENCE = re.compile(r"\b(\d{1,3})[-‐– ]?(across|down|A\b|D\b)", re.IGNORECASE)
_NOUN = re.compile(r"^(?:an?|the|one|some|any|his|her|their)\s", re.IGNORECASE)
_ADJECTIVE = re.compile(
    r"^(?:pertaining|relating|belonging|resembling|having|being|full of|like|containing|able)\b", re.I
)


class CluePart(Record):
    """One of the meanings that a clue gives: its text, its stems, and the part of speech."""

    text: str
    stems: tuple[str, ...]
    kind: str


class Clue(Record):
    """A parsed clue: its text, its parts, and hints such as its part of speech; the module's docstring lists them."""

    text: str
    parts: tuple[CluePart, ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]
    kind: str
    references: tuple[str, ...]
    signals: frozenset[str]


def read_clue(text: str) -> Clue:
    """Parse the text of a clue, which may be empty."""
    references = tuple(f"{number}{way[0].upper()}" for number, way in REFERENCE.findall(text))
    parts = tuple(read_part(part.strip()) for part in re.split(r"[;:]", text) if part.strip())
    kind = parts[0].kind if parts else ""
    words = words_of(text)
    signals = [name for name, pattern in _PATTERNS.items() if re.search(pattern, text, re.IGNORECASE)]
    signals += ["reference"] if references else []
    if not kind and not OPAQUE.intersection(signals):
        first = next(iter(words_of(parts[0].text) if parts else ()), "")
        signals += [name for name, ending in HEADS.items() if len(first) > 4 and first.endswith(ending)]
        signals += ["plural"] if _is_plural(first) else []
        if not signals and words and _is_plural(words[-1]):
            signals.append("plural")
    all_stems = dict.fromkeys(stem for part in parts for stem in part.stems)
    return Clue(text, parts, tuple(words), tuple(all_stems), kind, references, frozenset(signals))


def read_part(text: str) -> CluePart:
    kind = "v" if re.match(r"to\s", text, re.I) else "n" if _NOUN.match(text) else ""
    return CluePart(text, tuple(dict.fromkeys(stems(text))), "a" if _ADJECTIVE.match(text) else kind)


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


class SourceFailed(UnpuzzleError):
    """The error of a source that fails for one clue; its message is the reason. The other sources continue."""


class ScoredWords(Record, eq=False):
    """Candidate words of one length, as sorted bytes; each word has a row of measures, the numbers that rate it."""

    words: Array
    measures: Array

    @classmethod
    def of(cls, scores: Mapping[str, float], length: int) -> ScoredWords:
        """Select the words of one length from `scores`, which maps words to scores; the score is the only measure."""
        words = sorted(word for word in scores if len(word) == length)
        rows = np.array([scores[word] for word in words], np.float32).reshape(-1, 1)
        return cls(np.array([word.encode() for word in words], f"S{length}"), rows)

    @classmethod
    def nonzero(cls, words: Array, measures: Array) -> ScoredWords:
        """Return the words that have at least one measure other than 0, with their measures."""
        chosen = measures.any(axis=1)
        return cls(words[chosen], measures[chosen])


def letters_in(words: Array) -> Array:
    """Return words of one length as an array of their letters' codes, with a row for each word."""
    return np.ascontiguousarray(words).view(np.uint8).reshape(len(words), words.dtype.itemsize)


def place_in(words: Array, word: str) -> int | None:
    """Return the index of a word in an array of sorted words, as bytes; None if the word is not in the array."""
    place = int(np.searchsorted(words, word.encode()))
    return place if place < len(words) and words[place] == word.encode() else None


class WordSource(ABC):
    """The base class of all sources of candidate words.

    Attributes:
        name: the name in configurations.
        measures: the names of its measures.
        listed: whether all its candidates are in the listing of some source.
        arrays: its index, by name; `words5` has its words of five letters, as sorted bytes.
    """

    name: str
    measures: tuple[str, ...]
    listed: bool = True
    arrays: Mapping[str, Array] = {}

    def listing(self, length: int) -> Array:
        """Return all words of a length that the source knows, as sorted bytes; none if it can only answer clues."""
        return self.arrays.get(f"words{length}", np.zeros(0, f"S{length}"))

    @abstractmethod
    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        """Return candidate words of a length for a clue. Raises SourceFailed if the source cannot answer this time."""


# Words of definitions and clues: splitting, stems, spelling in letters; and documents of dictionaries.


class Document(Record):
    """A dictionary's text about words, with these words, their inflected forms, and the part of speech."""

    words: tuple[str, ...]
    kind: str
    text: str
    field: str = "sense"
    forms: tuple[str, ...] = ()


def raise_to(values: MutableMapping[K, float], key: K, value: float) -> None:
    """Store a value under a key of a dictionary, unless the stored value is larger; a missing value counts as 0."""
    values[key] = max(values.get(key, 0.0), value)


def plain(text: str) -> str:
    """Return a text in lower case without accents."""
    if text.isascii():
        return text.lower()
    return "".join(letter for letter in normalize("NFKD", text.lower()) if letter.isascii())


def letters_of(text: str) -> str:
    """Return a word in capital letters without other characters, as in a grid; empty if the word contains a digit."""
    folded = plain(text)
    if folded.isalpha():
        return folded.upper()
    return "" if any(letter.isdigit() for letter in folded) else OTHER.sub("", folded).upper()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, in their order."""
    return [word.removesuffix("'s").replace("'", "") for word in WORD.findall(plain(text))]


def stems(text: str) -> list[str]:
    """Return the stems of the words in a text, in their order, except words of little meaning, such as articles."""
    return [stem(word) for word in words_of(text) if word not in PASSED_OVER]


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """Return the approximate stem of a word; clues and definitions are stemmed by the same rules.

    A whole stemmer (M. Porter, 1980) joins more words, such as `relate` and `relativity`, but gave worse results.
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            if ending != "s" or not word.endswith(("ss", "us", "is")):
                word = word[: -len(ending)] + ("y" if ending in ("ies", "ied") else "")
            break
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if len(word) > _SHORTEST_STEM and word[-1] in "ey":
        word = word[:-1]
    return word
