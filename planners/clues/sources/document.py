"""Document: one thing that a dictionary says about some words."""

from __future__ import annotations

PARTS_OF_SPEECH = ("n", "v", "a", "r", "")
"""Noun, verb, adjective, adverb, not known."""


class Document:
    """A text about words.

    Attributes:
        words: what it is said about, in capital letters.
        kind: their part of speech, of `PARTS_OF_SPEECH`.
        text: what is said.
        field: `sense` for a definition, `synonym`, `relative` for what is more or less general, `phrase` for the rest
            of a phrase that a word is part of.
        forms: inflected forms of the words, in capital letters.
    """

    __slots__ = ("field", "forms", "kind", "text", "words")

    def __init__(
        self, words: tuple[str, ...], kind: str, text: str, *, field: str = "sense", forms: tuple[str, ...] = ()
    ) -> None:
        self.words = words
        self.kind = kind
        self.text = text
        self.field = field
        self.forms = forms


FIELDS = ("sense", "synonym", "relative", "phrase")
