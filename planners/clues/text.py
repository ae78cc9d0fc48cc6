"""Words of definitions and clues: splitting, stems, spelling in letters; and documents of dictionaries."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from functools import lru_cache
from typing import TypeVar
from unicodedata import normalize

from unpuzzle.record import Record

K = TypeVar("K")

PARTS_OF_SPEECH = ("n", "v", "a", "r", "")
"""Noun, verb, adjective, adverb, unknown."""
FIELDS = ("sense", "synonym", "relative", "phrase")
"""A definition; a synonym; a more or less general word; the rest of a phrase with the word."""

WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
OTHER = re.compile(r"[^a-z]")
PASSED_OVER = frozenset({"a", "an", "the", "to", "of", "or", "and", "s"})
"""Words without meaning of their own; the part of speech that they show is read elsewhere."""

_ENDINGS = ("ingly", "edly", "ingness", "nesses", "ness", "ations", "ation", "ments", "ment", "ings", "ing", "ies")
_SHORT_ENDINGS = ("ied", "est", "ed", "es", "ly", "s")
_SHORTEST_STEM = 3


class Document(Record):
    """A text about words: the words and their inflected forms, in capital letters, and their part of speech."""

    words: tuple[str, ...]
    kind: str
    text: str
    field: str = "sense"
    forms: tuple[str, ...] = ()


def raise_to(values: MutableMapping[K, float], key: K, value: float) -> None:
    """Store a value in a table if it is larger than the present one (0 if missing)."""
    values[key] = max(values.get(key, 0.0), value)


def plain(text: str) -> str:
    """Return a text in small letters without accents."""
    if text.isascii():
        return text.lower()
    return "".join(letter for letter in normalize("NFKD", text.lower()) if letter.isascii())


def letters_of(text: str) -> str:
    """Return a word as a grid has it, in capital letters only; empty if it contains a digit."""
    folded = plain(text)
    if folded.isalpha():
        return folded.upper()
    return "" if any(letter.isdigit() for letter in folded) else OTHER.sub("", folded).upper()


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, in their order."""
    return [word.removesuffix("'s").replace("'", "") for word in WORD.findall(plain(text))]


def stems(text: str) -> list[str]:
    """Return the stems of the meaningful words of a text, in their order."""
    return [stem(word) for word in words_of(text) if word not in PASSED_OVER]


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """Return a crude stem of a word, the same in clues and definitions.

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
