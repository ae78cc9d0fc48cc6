"""The option `words`: a file of words that Gogens are made from."""

from __future__ import annotations

import os
from random import Random
from typing import Any, Self

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.options import Option
from unpuzzle.translators.gogen.grid import fault
from unpuzzle.translators.shared.text import Page
from unpuzzle.words import count, shorten

OWN = "built-in"


class WordList(tuple[str, ...]):
    """Words in capital letters, each once, that a Gogen can hold; `source` is what the command line calls them."""

    source: str

    def __new__(cls, words: tuple[str, ...], source: str = OWN) -> Self:
        words_of_file = super().__new__(cls, words)
        words_of_file.source = source
        return words_of_file


class WordFile(Option):
    """A file of words, one a line or with blanks between them; `;` begins a comment.

    Words that no Gogen can hold (with a letter twice, with a Z) are passed over, so that any list of words will do.
    """

    __slots__ = ()

    def __init__(self, name: str, about: str) -> None:
        super().__init__(name, about, WORDS)

    @property
    def wanted(self) -> str:
        return f"a file of words, or {OWN}"

    def read(self, text: str) -> WordList:
        return WORDS if text == OWN else read_words(text)

    def fits(self, value: Any) -> bool:
        return isinstance(value, tuple) and bool(value) and all(map(_is_word, value))

    def small(self, rng: Random) -> WordList:
        return WORDS

    def show(self, value: Any) -> str:
        return value.source if isinstance(value, WordList) else count(len(value), "word")


def _is_word(word: object) -> bool:
    return isinstance(word, str) and word == word.upper() and fault(word) is None


def read_words(path: str) -> WordList:
    """Return the words of a file that a Gogen can hold. Raises ParseError if there are none, or for other signs."""
    page = Page(_text(path), path)
    words = {}
    for row in page.rows("the list of words is empty"):
        for word in row:
            if not (word.text.isascii() and word.text.isalpha()):
                raise page.error_at(f"{shorten(word.text)} is not a word: words are made of the letters A to Z", word)
            words[word.text.upper()] = word
    fitting = tuple(text for text in words if fault(text) is None)
    if not fitting:
        text, first = next(iter(words.items()))
        raise page.error_at(f"a Gogen can hold none of the {count(len(words), 'word')}: {text} {fault(text)}", first)
    return WordList(fitting, path)


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise ParseError(f"the words cannot be read: {error.strerror}", file=path) from None
    except UnicodeDecodeError as error:
        raise ParseError(f"the words cannot be read: byte {error.start + 1} is not UTF-8", file=path) from None


WORDS = WordList(read_words(os.path.join(os.path.dirname(__file__), "words.txt")))
"""The bundled list."""
