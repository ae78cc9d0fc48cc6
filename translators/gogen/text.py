"""Reading a Gogen: five rows of five cells, a line `words`, and the words, one a line or with blanks between them.

The first words may stand on the line `words` itself.
"""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.translators.gogen.grid import EMPTY, LETTERS, SIDE, fault
from unpuzzle.translators.shared.text import Page, Word
from unpuzzle.words import count, shorten, suggestion

MARK = "words"


def read(text: str, source: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Return the letters of the cells, row by row, and the words. Raises ParseError if the text is no Gogen."""
    page = Page(text, source)
    rows = page.rows()
    marks = [number for number, row in enumerate(rows) if _is_mark(row[0])]
    mark = SIDE if SIDE in marks else next(iter(marks), None)  # a row or a word may be `words`, too
    if mark == 0:
        raise page.error_at(f"above 'words' belongs a grid of {SIDE} rows, and there is none", rows[0][0])
    cells = _cells(page, rows[: SIDE if mark is None else mark])
    if mark is None:
        raise _without_mark(page, rows)
    second = next((row[0] for row in rows[mark + 1 :] if len(row) > 1 and _is_mark(row[0])), None)
    if len(rows[mark]) > 1 and second is not None:  # it is not clear whether its first word is one
        raise page.error_at("a second line 'words'; words go on with one a line, or with blanks between them", second)
    words = [*rows[mark][1:], *[word for row in rows[mark + 1 :] for word in row]]
    if not words:
        raise page.error_at("there are no words below 'words'", rows[mark][0])
    return cells, _words(page, words)


def _is_mark(word: Word) -> bool:
    return word.text.lower().removesuffix(":") == MARK


def _without_mark(page: Page, rows: list[list[Word]]) -> ParseError:
    """Return the error for a text without a row that begins with `words`."""
    if len(rows) == SIDE:
        return page.error_at("below the grid belongs a line 'words', and there is none", rows[-1][0])
    there = rows[SIDE][0]
    hint = suggestion(there.text.lower(), [MARK])
    return page.error_at(f"below the grid belongs a line 'words', not {shorten(there.text)}{hint}", there)


def _cells(page: Page, rows: list[list[Word]]) -> str:
    first_places: dict[str, Word] = {}
    cells = []
    for number, row in enumerate(rows, 1):
        places = [(word, place) for word in row for place in range(len(word.text))]
        symbols = [Word(word.text[i], word.line, word.column + i) for word, i in places[: SIDE + 1]]
        cells += [_cell(page, symbol, first_places) for symbol in symbols]
        if len(symbols) != SIDE:
            raise page.error_at(
                f"row {number} has {count(len(places), 'cell')}, a Gogen has {SIDE} in each", symbols[-1]
            )
    if len(rows) != SIDE:
        end = rows[-1][0] if rows else Word("", 1, 1)
        raise page.error_at(f"the grid has {count(len(rows), 'row')}, a Gogen has {SIDE}", end)
    return "".join(cells)


def _cell(page: Page, symbol: Word, first_places: dict[str, Word]) -> str:
    letter = symbol.text.upper() if symbol.text.isascii() else symbol.text
    if letter == EMPTY:
        return letter
    if letter not in LETTERS:
        raise page.error_at(f"bad symbol {symbol.text!r}: a cell is a letter from A to Y, or '.' if empty", symbol)
    if letter in first_places:
        raise page.repetition(f"the letter {letter}", symbol, first_places[letter])
    first_places[letter] = symbol
    return letter


def _words(page: Page, words: list[Word]) -> tuple[str, ...]:
    first_places: dict[str, Word] = {}
    for word in words:
        text = word.text.upper() if word.text.isascii() else word.text
        wrong = fault(text)
        if wrong:
            raise page.error_at(f"{shorten(word.text)} {wrong}", word)
        if text in first_places:
            raise page.repetition(f"the word {text}", word, first_places[text])
        first_places[text] = word
    return tuple(first_places)
