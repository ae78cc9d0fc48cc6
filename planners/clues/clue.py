"""A clue as it is read, and the interface of the sources that give candidate words for it.

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

_ENDINGS = ("ingly", "edly", "ingness", "nesses", "ness", "ations", "ation", "ments", "ment", "ings", "ing", "ies")
_SHORT_ENDINGS = ("ied", "est", "ed", "es", "ly", "s")
_SHORTEST_STEM = 3
Array = NDArray[Any]
SIGNALS = {
    "blank": "a blank is to be filled: '___ on a log'",
    "abbreviation": "an abbreviation is asked for: 'Abbr.', 'for short', or the clue has one itself",
    "plural": "a plural is asked for: the clue's noun is a plural",
    "past": "the past tense is asked for: the clue's verb ends in -ed",
    "participle": "the clue's verb ends in -ing",
    "agent": "who does something: 'One who', or 'a ... person'",
    "again": "something is done again: re-",
    "not": "something is undone or is not: un-, in-",
    "relating": "an adjective is described: 'Pertaining to', 'Like'",
    "comparative": "'More ...'",
    "superlative": "'Most ...'",
    "question": "a question mark: a pun",
    "quoted": "the clue quotes what is said",
    "reference": "the clue points to another entry",
}
_PATTERNS = {
    "blank": r"_{2,}|–{2,}|—{2,}|-{3,}|\.{4,}",
    "abbreviation": r"\babbr\b|for short\b|\binits?\b|\borg\.|\bbriefly\b|\bdept\.|\bacronym\b|\b(?:[A-Z]\.){2,}",
    "agent": r"\bone (?:who|that|which)\b|\b(?:person|somebody|someone) (?:who|that)\b|\bthat which\b|\bhe who\b",
    "again": r"\bagain\b|\banew\b|\bafresh\b|\bto re[a-z]+\b",
    "not": r"\bnot\b|\bwithout\b|\bfree from\b|\bremove\b|\bundo\b|\blacking\b|\bdeprive\b",
    "relating": r"\b(?:pertaining|relating|belonging) to\b|\b(?:resembling|characterized by|full of|made of)\b|^like\b",
    "comparative": r"\bmore\b",
    "superlative": r"\bmost\b",
    "question": r"\?\s*$",
    "quoted": r"^[\"“].*[\"”]$",
}
OPAQUE = frozenset({"blank", "abbreviation", "quoted", "reference"})
"""Signals with which the first word of a clue says nothing about the form of the answer."""
_COMPILED = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PATTERNS.items()}
REFERENCE = re.compile(r"\b(\d{1,3})[-‐– ]?(across|down|A\b|D\b)", re.IGNORECASE)
HEADS = {"past": "ed", "participle": "ing"}
"""By signal, the ending of the first word of a clue that begins with no article."""
_SINGULAR_ENDINGS = ("ss", "us", "is", "ous")
_NOUN = re.compile(r"^(?:an?|the|one|some|any|his|her|their)\s", re.IGNORECASE)
_ADJECTIVE = re.compile(
    r"^(?:pertaining|relating|belonging|resembling|having|being|full of|like|containing|able)\b", re.I
)


class CluePart(Record):
    """One of the meanings in a clue: its text, its stems, its part of speech."""

    text: str
    stems: tuple[str, ...]
    kind: str


class Clue(Record):
    """A parsed clue: its text, its parts, and its hints, which the docstring of this module lists."""

    text: str
    parts: tuple[CluePart, ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]
    kind: str
    references: tuple[str, ...]
    signals: frozenset[str]


def read_clue(text: str) -> Clue:
    """Return the parsed clue of a text; the text can be empty."""
    references = tuple(f"{number}{way[0].upper()}" for number, way in REFERENCE.findall(text))
    parts = tuple(read_part(part.strip()) for part in re.split(r"[;:]", text) if part.strip())
    all_stems = tuple(dict.fromkeys(stem for part in parts for stem in part.stems))
    kind = parts[0].kind if parts else ""
    words = tuple(words_of(text))
    signals = [name for name, pattern in _COMPILED.items() if pattern.search(text)]
    if references:
        signals.append("reference")
    if not kind and not OPAQUE.intersection(signals):
        first = next(iter(words_of(parts[0].text) if parts else ()), "")
        signals += [name for name, ending in HEADS.items() if len(first) > 4 and first.endswith(ending)]
        signals += ["plural"] if _is_plural(first) else []
        if not signals and words and _is_plural(words[-1]):
            signals.append("plural")
    return Clue(text, parts, words, all_stems, kind, references, frozenset(signals))


def read_part(text: str) -> CluePart:
    kind = "v" if re.match(r"to\s", text, re.I) else "n" if _NOUN.match(text) else ""
    return CluePart(text, tuple(dict.fromkeys(stems(text))), "a" if _ADJECTIVE.match(text) else kind)


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(_SINGULAR_ENDINGS)


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


# Words of definitions and clues: splitting, stems, spelling in letters; and documents of dictionaries.


class Document(Record):
    """A text about some words; also those words and their inflected forms, in capitals, and the part of speech."""

    words: tuple[str, ...]
    kind: str
    text: str
    field: str = "sense"
    forms: tuple[str, ...] = ()


def raise_to(values: MutableMapping[K, float], key: K, value: float) -> None:
    """Store a value under a key of a table if the value is larger than the stored one (0 if missing)."""
    values[key] = max(values.get(key, 0.0), value)


def plain(text: str) -> str:
    """Return a text in lower case without accents."""
    if text.isascii():
        return text.lower()
    return "".join(letter for letter in normalize("NFKD", text.lower()) if letter.isascii())


def letters_of(text: str) -> str:
    """Return a word in capital letters only, as in a grid; empty if the word contains a digit."""
    folded = plain(text)
    if folded.isalpha():
        return folded.upper()
    return "" if any(letter.isdigit() for letter in folded) else OTHER.sub("", folded).upper()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, in their order."""
    return [word.removesuffix("'s").replace("'", "") for word in WORD.findall(plain(text))]


def stems(text: str) -> list[str]:
    """Return the stems of the meaningful words of a text, in their order."""
    return [stem(word) for word in words_of(text) if word not in PASSED_OVER]


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """Return a crude stem of a word; clues and definitions are stemmed by the same rules.

    A whole stemmer (M. Porter, 1980) joins more words, such as `relate` and `relativity`, but gave worse results.
    """
    for ending in (*_ENDINGS, *_SHORT_ENDINGS):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            if ending == "s" and word.endswith(("ss", "us", "is")):
                break
            word = word[: -len(ending)] + ("y" if ending in ("ies", "ied") else "")
            break
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if len(word) > _SHORTEST_STEM and word[-1] in "ey":
        word = word[:-1]
    return word
