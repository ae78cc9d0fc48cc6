"""Lists of words: read from a file, or the small one of plain English words that puzzles of words share.

    words = WordList("words", "a file with a word on each line", FILE)

A file holds words separated by blanks or line ends; `#` begins a comment to the end of the line.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.options import Option
from unpuzzle.words import shorten

LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
OWN = "own"
SHORT = 3


class WordList(Option):
    """A list of words in capital letters: as text the name of a file, or `own`; as a value a tuple of words."""

    file: str

    def __init__(self, name: str, about: str, file: str) -> None:
        """Make an option whose value `own` stands for the list in a file."""
        super(Option, self).__init__(name, about, read_words(file), file)

    @property
    def wanted(self) -> str:
        return "a file of words, or `own`, which is the bundled one"

    def read(self, text: str) -> tuple[str, ...]:
        return read_words(self.file if text == OWN else text)

    def fits(self, value: Any) -> bool:
        return isinstance(value, tuple) and bool(value) and all(map(_is_word, value))

    def small(self, rng: Random) -> tuple[str, ...]:
        """Return the short words, which suffice for small levels."""
        return tuple([word for word in self.default if len(word) <= SHORT]) or tuple(self.default)

    def show(self, value: Any) -> str:
        return OWN if value == self.default else f"{len(value)} words"


def read_words(path: str) -> tuple[str, ...]:
    """Return the words of a file, each once. Raises ParseError where there are none, or where something is no word."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise ParseError(f"the list of words cannot be read: {error.strerror}", file=path) from None
    except UnicodeDecodeError:
        raise ParseError("this is no list of words: it is not UTF-8", file=path) from None
    words: dict[str, None] = {}
    for number, line in enumerate(lines, 1):
        for word in line.partition("#")[0].split():
            if not _is_word(word.upper()) or not word.isascii():
                message = f"{shorten(word)} is not a word of letters from A to Z"
                raise ParseError(message, file=path, line=number, column=line.index(word) + 1, text=line)
            words[word.upper()] = None
    if not words:
        raise ParseError("the list of words is empty", file=path, line=1, column=1)
    return tuple(words)


def _is_word(word: object) -> bool:
    return isinstance(word, str) and bool(word) and LETTERS.issuperset(word)


PLAIN_ENGLISH = os.path.join(os.path.dirname(__file__), "words.txt")
"""The bundled list."""
