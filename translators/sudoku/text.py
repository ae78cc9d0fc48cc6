"""Reading a sudoku: all cells in one line, or one row a line; `.` or `0` is empty, `;` begins a comment.

..3.4..1....2...          two times the same sudoku of 4 by 4

..3.
4..1
....
2...
"""

from __future__ import annotations

from unpuzzle.translators.shared.text import Page, Word
from unpuzzle.translators.sudoku.board import EMPTY, SIDES, SYMBOLS
from unpuzzle.words import count, shorten

_WANTED = "a sudoku has 4, 9 or 16 rows of as many cells, or all 16, 81 or 256 of them in one line"


def read(text: str, source: str | None) -> str:
    """Return the cells, row by row. Raises ParseError for other sizes, and for other signs."""
    page = Page(text, source)
    rows = page.rows()
    for word in (word for row in rows for word in row[1:]):
        raise page.error_at("the cells of a row stand side by side, without blanks", word)
    words = [row[0] for row in rows]
    side = _side(page, words)
    return "".join(_cell(page, word, offset, side) for word in words for offset in range(len(word.text)))


def _side(page: Page, words: list[Word]) -> int:
    """Return the number of rows. Refuses other shapes than squares, and other sizes, where they go wrong."""
    first, sizes = words[0], [side * side for side in SIDES]
    if len(words) == 1:
        if len(first.text) not in sizes:
            beyond = max((size for size in sizes if size < len(first.text)), default=len(first.text) - 1)
            raise page.error_at(f"{count(len(first.text), 'cell')} in one line: {_WANTED}", first, beyond)
        return SIDES[sizes.index(len(first.text))]
    if len(words) not in SIDES:
        last = words[min(len(first.text), len(words) - 1) if len(first.text) in SIDES else -1]
        raise page.error_at(f"{len(words)} rows, the first of {count(len(first.text), 'cell')}: {_WANTED}", last)
    for number, word in enumerate(words, 1):
        if len(word.text) != len(words):
            message = f"row {number} has {count(len(word.text), 'cell')}, and there are {len(words)} rows: {_WANTED}"
            raise page.error_at(message, word, min(len(words), len(word.text) - 1))
    return len(words)


def _cell(page: Page, word: Word, offset: int, side: int) -> str:
    symbol = word.text[offset]
    if symbol in (EMPTY, "0"):
        return EMPTY
    if symbol not in SYMBOLS[:side]:
        values = "1 to 9 and A to G" if side == 16 else f"1 to {side}"
        raise page.error_at(f"{shorten(symbol)} is neither a value, {values}, nor '.' or '0' for empty", word, offset)
    return symbol
