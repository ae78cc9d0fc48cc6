"""Reading of level texts: lines and words with their places, errors that point to a place, and word lists.

Example: reading a level with two numbers on a line, such as `3 5`; `;` begins a comment:

    page = Page(text, source)
    rows = page.rows()                              # the words of each line that has any
    page.require_rectangle(rows)
    if len(rows[0]) != 2:
        raise page.error_at("a line has two numbers", rows[0][-1])
    numbers = [page.number(word, least=0, most=9) for word in rows[0]]
    above, below = page.parts("goal")               # the rows above and below a line `goal`

Every error has its line and column.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from random import Random
from warnings import warn_explicit

from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import count, listing, shorten
from unpuzzle.base.type_hints import Any, Self
from unpuzzle.model.options import Option

_WORD = re.compile(r"\S+")
MARK = "=== "
"""The beginning of the line before a bundled level, with its name."""
LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
LONGEST = 1000
_LIST_WORD = r"[\w'’./&!-]+"  # the words allowed in the word lists of systems
_SIGNS = {
    "apostrophes": "['’]",
    "digits and other signs": r"[\W\d_]",
    "accents": "[^A-Za-z]",
    "capitals": "[A-Z]",
}
"""By the reason to leave a word out, the pattern of its letters, compiled when a list is first read."""
Fault = Callable[[str], str | None]
"""A function from a word in capital letters to the reason why it cannot be used; None if it can."""


class Word:
    """A word of a text with its line and column, both from 1."""

    __slots__ = ("column", "line", "text")

    def __init__(self, text: str, line: int, column: int) -> None:
        self.text: str = text
        self.line: int = line
        self.column: int = column

    def __repr__(self) -> str:
        return f"Word({self.text!r}, {self.line}, {self.column})"


class Page:
    """The text of a level, divided into lines; errors name the file `source`."""

    __slots__ = ("lines", "source")

    def __init__(self, text: str, source: str | None = None) -> None:
        self.source: str | None = source
        self.lines: list[str] = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def error(self, message: str, line: int = 1, column: int = 1) -> ParseError:
        """Return an error that points to a line and a column of this page."""
        return ParseError(message, file=self.source, line=line, column=column, text=self.lines[line - 1])

    def error_at(self, message: str, word: Word, offset: int = 0) -> ParseError:
        """Return an error that points to a word, or to the character at `offset` in the word."""
        return self.error(message, word.line, word.column + offset)

    def repetition(self, sentence: str, word: Word, first: Word) -> ParseError:
        """Return the error for a word that repeats an earlier word."""
        return self.error_at(f"{sentence}; first at {first.line}:{first.column}", word)

    def require_printable(self, text: str, line: int) -> None:
        """Raise ParseError for invisible characters, such as those of binary files."""
        if not text.replace("\t", " ").isprintable():
            column = next(i for i, char in enumerate(text, 1) if char != "\t" and not char.isprintable())
            raise self.error(f"character U+{ord(text[column - 1]):04X} is not allowed in a level", line, column)

    def require_no_entities(self) -> None:
        """Raise ParseError for XML that declares entities, because they can make a small text huge."""
        for number, line in enumerate(self.lines, 1):
            if "<!ENTITY" in line:
                raise self.error("this XML declares entities, which are not supported", number)

    def rows(self, empty: str = "the level is empty") -> list[list[Word]]:
        """Return the words of each line, without comments and empty lines. Raises ParseError if no word is left."""
        rows = []
        for number, line in enumerate(self.lines, 1):
            text = line.partition(";")[0]
            self.require_printable(text, number)
            words = [Word(match[0], number, match.start() + 1) for match in _WORD.finditer(text)]
            if words:
                rows.append(words)
        if not rows:
            raise self.error(empty)
        return rows

    def parts(self, mark: str) -> tuple[list[list[Word]], list[list[Word]] | None]:
        """Return the rows above and below the line with only the word `mark`; without it, the rows below are None.

        The word may be written as `goal` or `Goal:`. Refuses a second such line, a longer line that begins with the
        word, and no rows above or below.
        """
        rows = self.rows()
        alone = [row[0].text.lower().removesuffix(":") if len(row) == 1 else row[0].text for row in rows]
        marks = [number for number, word in enumerate(alone) if word == mark]
        for number in marks:
            if rows[number][1:]:
                raise self.error_at(f"'{mark}' must be on a separate line", rows[number][1])
        if len(marks) > 1:
            raise self.error_at(f"there is a second '{mark}', but only one is allowed", rows[marks[1]][0])
        if marks and marks[0] in (0, len(rows) - 1):
            raise self.error_at(f"there is nothing {'below' if marks[0] else 'above'} '{mark}'", rows[marks[0]][0])
        return (rows[: marks[0]], rows[marks[0] + 1 :]) if marks else (rows, None)

    def number(self, word: Word, least: int, most: int) -> int:
        """Convert a word to a number. Raises ParseError if it is not a whole number from `least` to `most`."""
        text = word.text
        if text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most:
            return int(text)
        raise self.error_at(f"{shorten(text)} is not a whole number from {least} to {most}", word)

    def require_rectangle(self, rows: list[list[Word]], what: str = "row") -> None:
        """Raise ParseError if rows have different lengths."""
        for number, row in enumerate(rows, 1):
            if len(row) != len(rows[0]):
                message = f"{what} {number} has {count(len(row), 'cell')}, but {what} 1 has {len(rows[0])}"
                # The place of the first cell too many, or else the last one of the row.
                raise self.error_at(message, row[min(len(rows[0]), len(row) - 1)])

    def require_one(self, words: list[Word], noun: str, missing: str, start: Word) -> None:
        """Raise ParseError unless a list has exactly one word; for an empty one, with the message `missing`."""
        if not words:
            raise self.error_at(missing, start)
        if len(words) > 1:
            places = " and ".join(f"{word.line}:{word.column}" for word in words[:2])
            number, more = ("two", "") if len(words) == 2 else (str(len(words)), ", ...")
            raise self.error_at(f"there are {number} {noun}s, but only one is allowed: at {places}{more}", words[1])


def levels_beside(module: str) -> dict[str, str]:
    """Return the levels in the text file beside a module: NAME.txt, or levels.txt in a package."""
    path = os.path.splitext(module)[0] + ".txt"
    if not os.path.exists(path):
        path = os.path.join(os.path.dirname(module), "levels.txt")
    with open(path, encoding="utf-8") as file:
        sections = ("\n" + file.read()).split("\n" + MARK)[1:]
    pairs = (section.rstrip("\n").split("\n", 1) for section in sections)
    return {name: text + "\n" for name, text in pairs}


# Lists of words. The option of puzzles made of words is a file of words, or a bundled list: WordList("words", "the
# words that fill the grid", read_words(FILE, "own")). A file contains words separated by blanks or line ends; `#` or
# `;` begins a comment to the end of the line. In lists such as `/usr/share/dict/words`, names and words with other
# signs than A to Z are left out, and counted in a warning.


def no_fault(word: str) -> None:
    """Return None: the word has no fault. Word lists that accept all words use this function."""


class NamedWords(tuple[str, ...]):
    """Different words, with the name of the list or file from which they come as `source`."""

    source: str

    def __new__(cls, words: tuple[str, ...], source: str = "") -> Self:
        named = super().__new__(cls, words)
        named.source = source
        return named


class WordList(Option):
    """An option of a level generator: a list of words, given by the name of a file or of a bundled list.

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
    """Return the usable words in a file. Raises ParseError if it has none, or has invisible characters."""
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
    reasons = [next((why for why, sign in signs if re.search(sign, word.text)), "") for word in found]
    none = found[0] if all(reasons) else None
    strange = next((word for word in found if not re.fullmatch(_LIST_WORD, word.text)), none)
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
        raise page.error_at(f"the list has no word that can be used; for instance, {text} {fault(text)}", first)
    return NamedWords(usable, path if source is None else source)
