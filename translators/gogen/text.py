"""Reading a Gogen: five rows of five cells, a line `words`, and the words, one a line or with blanks between them."""

from __future__ import annotations

from itertools import islice

from unpuzzle.translators.gogen.grid import EMPTY, LETTERS, SIDE, fault
from unpuzzle.translators.shared.text import Page, Word
from unpuzzle.words import count, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "words"


def read(text: str, source: str | None) -> tuple[str, tuple[str, ...]]:
    """The letters of the cells, row by row, and the words. Raises ParseError where the text is no Gogen."""
    page = Page(text, source)
    rows = page.rows()
    mark = _mark(rows)
    grid = rows[: SIDE if mark is None else mark]
    cells = _cells(page, grid)
    if mark is None:
        found = f"not {shorten(rows[SIDE][0].text)}" if len(rows) > SIDE else "and there is none"
        raise page.error_at(f"below the grid belongs a line 'words', {found}", rows[min(SIDE, len(rows) - 1)][0])
    if mark + 1 == len(rows):
        raise page.error_at("there are no words below 'words'", rows[mark][0])
    return cells, _words(page, [word for row in rows[mark + 1 :] for word in row])


def _mark(rows: list[list[Word]]) -> int | None:
    """The row that is the line `words`: the sixth one, if it can be, since `words` may be a row or a word as well."""
    marks = [number for number, row in enumerate(rows) if len(row) == 1 and row[0].text.lower() == MARK]
    return SIDE if SIDE in marks else next(iter(marks), None)


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
