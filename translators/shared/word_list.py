"""The option of puzzles made of words: a file of words, or a bundled list.

    WordList("words", "the words that fill the grid", read_words(FILE, "own"))

A file contains words separated by blanks or line ends; `#` or `;` begins a comment to the end of the line. In lists
such as `/usr/share/dict/words`, names and words with other signs than A to Z are left out, and counted in a warning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, Self
from warnings import warn_explicit

from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import count, listing, shorten
from unpuzzle.puzzle.options import Option
from unpuzzle.translators.shared.text import Page, Word

LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
LONGEST = 1000
_WORD = re.compile(r"[\w'’./&!-]+")  # the words allowed in the word lists of systems
_SIGNS = {
    "apostrophes": re.compile("['’]"),
    "digits and other signs": re.compile(r"[\W\d_]"),
    "accents": re.compile("[^A-Za-z]"),
    "capitals": re.compile("[A-Z]"),
}
"""By the reason to leave a word out, the pattern of its letters."""
Fault = Callable[[str], str | None]
"""A function from a word in capital letters to the reason why it cannot be used; None if it can."""


def no_fault(word: str) -> None:
    """Accept every word."""


class NamedWords(tuple[str, ...]):
    """Distinct words in capital letters; `source` is their name on the command line: a file, or a bundled list."""

    source: str

    def __new__(cls, words: tuple[str, ...], source: str = "") -> Self:
        named = super().__new__(cls, words)
        named.source = source
        return named


class WordList(Option):
    """An option for a list of words: its text is the name of a file or of the bundled list, its value a tuple of words.

    Words with a `fault` are ignored, so that any list of words will do. Small levels are made from the default's words
    of at most `short` letters; without such a number from all of them.
    """

    default: NamedWords
    fault: Fault = no_fault
    short: int = LONGEST

    @property
    def wanted(self) -> str:
        return f"a file of words, or {self.default.source}"

    def read(self, text: str) -> NamedWords:
        return self.default if text == self.default.source else read_words(text, fault=self.fault)

    def fits(self, value: Any) -> bool:
        return isinstance(value, tuple) and bool(value) and all(map(self._is_word, value))

    def _is_word(self, word: object) -> bool:
        return isinstance(word, str) and bool(word) and LETTERS.issuperset(word) and self.fault(word) is None

    def small(self, rng: Random) -> tuple[str, ...]:
        return tuple([word for word in self.default if len(word) <= self.short]) or self.default

    def show(self, value: Any) -> str:
        return value.source if isinstance(value, NamedWords) else count(len(value), "word")


def read_words(path: str, source: str | None = None, fault: Fault = no_fault) -> NamedWords:
    """Return the usable words of a file. Raises ParseError without usable words, and for impossible characters."""
    try:
        with open(path, encoding="utf-8") as file:
            page = Page(re.sub("#.*", "", file.read()), path)
    except OSError as error:
        raise ParseError(f"the list of words cannot be read: {error.strerror}", file=path) from None
    except UnicodeDecodeError as error:
        raise ParseError(f"this is not a list of words: byte {error.start + 1} is not UTF-8", file=path) from None
    found = [word for row in page.rows("the list of words is empty") for word in row]
    # Capitals show names, unless the whole list has them.
    names = any(word.text.isascii() and word.text.isalpha() and word.text.islower() for word in found)
    signs = [*_SIGNS.items()][: None if names else -1]
    reasons = [next((why for why, sign in signs if sign.search(word.text)), "") for word in found]
    none = found[0] if all(reasons) else None
    strange = next((word for word in found if not _WORD.fullmatch(word.text)), none)
    if strange is not None:
        raise page.error_at(f"{shorten(strange.text)} is not a word of letters from A to Z", strange)
    if left_out := Counter(filter(None, reasons)):
        each = [f"{number:,} with {reason}" for reason, number in left_out.items()]
        warn_explicit(f"{count(left_out.total(), 'word')} left out: {listing(each)}", UserWarning, path, 1)
    words = dict[str, Word]()
    for word, reason in zip(found, reasons, strict=True):
        if not reason:
            words.setdefault(word.text.upper(), word)
    usable = tuple([text for text in words if fault(text) is None])
    if not usable:
        text, first = next(iter(words.items()))
        raise page.error_at(f"none of the {count(len(words), 'word')} can be used: {text} {fault(text)}", first)
    return NamedWords(usable, path if source is None else source)
