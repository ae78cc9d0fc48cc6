"""Reading Pacman's level text, the `.lay` files: one character is a cell, the first row gives the width."""

from __future__ import annotations

from unpuzzle.translators.shared.text import Page, Word
from unpuzzle.words import count


def read(text: str, source: str | None) -> tuple[int, int, str]:
    """Return the numbers of rows and columns, and the symbols of all cells row by row; one of them is `P`."""
    page = Page(text, source)
    rows = _rows(page)
    cells, columns = "".join(rows), len(rows[0])
    starts = [cell for cell, symbol in enumerate(cells) if symbol == "P"]
    words = [Word("P", cell // columns + 1, cell % columns + 1) for cell in starts]
    page.require_one(words, "'P'", "no 'P': Pacman must start somewhere", start=Word("", 1, 1))
    return len(rows), columns, cells


def _rows(page: Page) -> list[str]:
    """Return the rows, all as wide as the first; empty lines at the text's end are none."""
    lines = page.lines
    height = max((number for number, line in enumerate(lines, 1) if line), default=0)
    if not height:
        raise page.error("the level is empty")
    width = len(lines[0])
    if not width:
        raise page.error("row 1 is empty")
    for number, line in enumerate(lines[:height], 1):
        page.require_printable(line, number)
        if "\t" in line[:width]:
            raise page.error("a tab is not a cell: write blanks", number, line.index("\t") + 1)
        if len(line) < width:
            raise page.error(f"row {number} has {count(len(line), 'cell')}, row 1 has {width}", number, len(line) + 1)
        rest = line[width:]
        if rest.strip():
            column = width + len(rest) - len(rest.lstrip()) + 1
            raise page.error(f"row {number} goes on beyond the {width} cells of row 1", number, column)
    return [line[:width] for line in lines[:height]]
