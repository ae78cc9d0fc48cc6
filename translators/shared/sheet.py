"""Reading a grid of symbols: one character a cell, one row a line.

A line is a row from its first to its last character; `;` begins a comment, unless it is a symbol. Empty lines before
and after the grid do not count. Where a blank is no symbol, blanks around a row do not count either. Above the grid
there may be lines with one of a puzzle's keywords each, such as `torus`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from unpuzzle.errors import ParseError
from unpuzzle.translators.shared.text import Page, Word
from unpuzzle.words import count

MOST_CELLS = 250_000


class Sheet:
    """A grid as it was read, short rows filled up, and where in the text its cells stand.

    Attributes: `cells` (the symbols, row by row), `columns`, `keywords` (words above the cells).
    """

    __slots__ = ("_lines", "_page", "cells", "columns", "keywords")

    def __init__(
        self,
        text: str,
        source: str | None,
        symbols: Mapping[str, str],
        aliases: Mapping[str, str],
        filler: str,
        keywords: Iterable[str],
    ) -> None:
        """Read a grid of the symbols that the attributes of `GridPuzzle` describe.

        Raises ParseError where the text is no such grid.
        """
        self._page = Page(text, source)
        readable = {**symbols, **{alias: symbols[symbol] for alias, symbol in aliases.items()}}
        self._lines = self._rows(readable)
        self.keywords: frozenset[str] = self._taken(tuple(keywords))
        if not self._lines:
            raise self._page.error("the level is empty")
        self.columns: int = max(len(row.text) for row in self._lines)
        self._require_size(filler)
        self._require_symbols(readable)
        rows = [row.text.translate({ord(alias): symbol for alias, symbol in aliases.items()}) for row in self._lines]
        self.cells: str = "".join([row.ljust(self.columns, filler or " ") for row in rows])

    def _rows(self, symbols: Mapping[str, str]) -> list[Word]:
        """Return the rows with their places, those between the first and the last that are not empty."""
        rows = []
        for number, line in enumerate(self._page.lines, 1):
            row = line if ";" in symbols else line.partition(";")[0]
            if row != line and not row.strip():
                continue  # a line that is a comment is no row
            self._page.require_printable(row, number)
            text = row if " " in symbols else row.strip()
            rows.append(Word(text, number, 1 + len(row) - len(row.lstrip()) if text != row else 1))
        filled = [index for index, row in enumerate(rows) if row.text]
        return rows[filled[0] : filled[-1] + 1] if filled else []

    def _taken(self, keywords: tuple[str, ...]) -> frozenset[str]:
        """Return the keywords above the rows, each taken away from them."""
        words: set[str] = set()
        while self._lines and (word := self._lines[0].text.strip()) in keywords:
            if word in words:
                raise self._page.error_at(f"a second '{word}'", self._lines[0])
            words.add(word)
            del self._lines[0]
        return frozenset(words)

    def _require_size(self, filler: str) -> None:
        for number, row in enumerate(self._lines, 1):
            if not filler and len(row.text) != len(self._lines[0].text):
                first = len(self._lines[0].text)
                message = f"row {number} has {count(len(row.text), 'cell')}, row 1 has {first}"
                raise self._page.error_at(message, row, min(first, len(row.text)))
        if len(self._lines) * self.columns > MOST_CELLS:
            message = (
                f"{len(self._lines):,} rows of up to {count(self.columns, 'cell')}: more than {MOST_CELLS:,} in all"
            )
            raise self._page.error_at(message, self._lines[0])

    def _require_symbols(self, symbols: Mapping[str, str]) -> None:
        for row in self._lines:
            strange = next((index for index, symbol in enumerate(row.text) if symbol not in symbols), None)
            if strange is not None:
                known = ", ".join(f"{symbol!r} {meaning}" for symbol, meaning in symbols.items())
                raise self._page.error_at(f"bad symbol {row.text[strange]!r}: a cell is {known}", row, strange)

    def error(self, message: str, cell: int) -> ParseError:
        """Return an error at a cell."""
        return self._page.error_at(message, self._word(cell))

    def require_one(self, noun: str, symbols: str) -> None:
        """Refuse a grid that has none or several cells with these symbols."""
        places = [index for index, symbol in enumerate(self.cells) if symbol in symbols]
        words = [self._word(cell) for cell in places[:3]]
        self._page.require_one(words, noun, f"no {noun}: one cell needs {symbols[0]!r}", self._lines[0])

    def _word(self, cell: int) -> Word:
        row, column = divmod(cell, self.columns)
        line = self._lines[row]
        return Word(self.cells[cell], line.line, line.column + column)
