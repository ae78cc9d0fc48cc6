"""Document: one thing that a dictionary says about some words."""

from __future__ import annotations

from dataclasses import dataclass

PARTS_OF_SPEECH = ("n", "v", "a", "r", "")
"""Noun, verb, adjective, adverb, not known."""
FIELDS = ("sense", "synonym", "relative", "phrase")
"""A definition; a synonym; something more or less general; the rest of a phrase that a word is part of."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text about words: the words and inflected forms of them, in capital letters, and their part of speech."""

    words: tuple[str, ...]
    kind: str
    text: str
    field: str = "sense"
    forms: tuple[str, ...] = ()
