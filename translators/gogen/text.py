"""Reading a Gogen: five rows of five cells, a line `words`, and the words, one a line or with blanks between them.

The first words may stand on the line `words` itself.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from unpuzzle.translators.gogen.grid import EMPTY, LETTERS, SIDE, fault
from unpuzzle.translators.shared.text import Page, Word
from unpuzzle.words import count, shorten, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unpuzzle.errors import ParseError

MARK = "words"


def read(text: str, source: str | None = None) -> tuple[str, tuple[str, ...]]:
    """The letters of the cells, row by row, and the words. Raises ParseError where the text is no Gogen."""
    page = Page(text, source)
    rows = page.rows()
    mark = _mark(rows)
    if mark == 0:
        raise page.error_at(f"above 'words' belongs a grid of {SIDE} rows, and there is none", rows[0][0])
    cells = _cells(page, rows[: SIDE if mark is None else mark])
    if mark is None:
        raise _without_mark(page, rows)
    _require_one_mark(page, rows[mark:])
    found = [*rows[mark][1:], *[word for row in rows[mark + 1 :] for word in row]]
    if not found:
        raise page.error_at("there are no words below 'words'", rows[mark][0])
    return cells, _words(page, found)


def _mark(rows: list[list[Word]]) -> int | None:
    """The row that begins with `words`: the sixth one, if it can be, since `words` may be a row or a word as well."""
    marks = [number for number, row in enumerate(rows) if _is_mark(row[0])]
    return SIDE if SIDE in marks else next(iter(marks), None)


def _is_mark(word: Word) -> bool:
    return word.text.lower().removesuffix(":") == MARK


def _require_one_mark(page: Page, rows: list[list[Word]]) -> None:
    """Refuses two lines of `words` and words, of which the second might mean the word as well."""
    second = next((row[0] for row in rows[1:] if len(row) > 1 and _is_mark(row[0])), None)
    if len(rows[0]) > 1 and second is not None:
        raise page.error_at("a second line 'words'; words go on with one a line, or with blanks between them", second)


def _without_mark(page: Page, rows: list[list[Word]]) -> ParseError:
    """The error where no row begins with `words`."""
    if len(rows) == SIDE:
        return page.error_at("below the grid belongs a line 'words', and there is none", rows[-1][0])
    there = rows[SIDE][0]
    return page.error_at(
        f"below the grid belongs a line 'words', not {shorten(there.text)}{suggestion(there.text.lower(), [MARK])}",
        there,
    )


def _cells(page: Page, rows: list[list[Word]]) -> str:
    seen: dict[str, Word] = {}
    cells = []
    for number, row in enumerate(rows, 1):
        symbols = list(islice(_symbols(row), SIDE + 1))
        cells += [_cell(page, symbol, seen) for symbol in symbols]
        if len(symbols) != SIDE:
            found = count(sum(len(word.text) for word in row), "cell")
            raise page.error_at(f"row {number} has {found}, a Gogen has {SIDE} in each", symbols[-1])
    if len(rows) != SIDE:
        end = rows[-1][0] if rows else Word("", 1, 1)
        raise page.error_at(f"the grid has {count(len(rows), 'row')}, a Gogen has {SIDE}", end)
    return "".join(cells)


def _symbols(row: list[Word]) -> Iterator[Word]:
    """The characters of a row, each with its place."""
    return (Word(symbol, word.line, word.column + i) for word in row for i, symbol in enumerate(word.text))


def _cell(page: Page, symbol: Word, seen: dict[str, Word]) -> str:
    letter = symbol.text.upper() if symbol.text.isascii() else symbol.text
    if letter == EMPTY:
        return letter
    if letter not in LETTERS:
        raise page.error_at(f"bad symbol {symbol.text!r}: a cell is a letter from A to Y, or '.' if empty", symbol)
    if letter in seen:
        first = seen[letter]
        raise page.error_at(f"the letter {letter} is there twice; first at {first.line}:{first.column}", symbol)
    seen[letter] = symbol
    return letter


def _words(page: Page, found: list[Word]) -> tuple[str, ...]:
    seen: dict[str, Word] = {}
    for word in found:
        text = word.text.upper() if word.text.isascii() else word.text
        wrong = fault(text)
        if wrong:
            raise page.error_at(f"{shorten(word.text)} {wrong}", word)
        if text in seen:
            first = seen[text]
            raise page.error_at(f"the word {text} is there twice; first at {first.line}:{first.column}", word)
        seen[text] = word
    return tuple(seen)
