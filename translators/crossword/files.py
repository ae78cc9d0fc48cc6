"""Crosswords as newspapers and programs exchange them: `.puz` (Across Lite) and `.ipuz` (JSON), grid and clues.

    sheet = read_puz(data, "mini.puz")      sheet.rows, sheet.clues["1A"], sheet.solution
    data = puz_bytes(sheet)                 and read_ipuz, ipuz_text

Both go through libraries, `puzpy` and `ipuz`, which load when they are used. Such files have clues and no candidates.
"""

from __future__ import annotations

from collections.abc import Callable

from unpuzzle.translators.crossword.ipuz_file import ipuz_text, read_ipuz
from unpuzzle.translators.crossword.puz_file import puz_bytes, read_puz
from unpuzzle.translators.crossword.sheet import Sheet

__all__ = ["FORMATS", "Sheet", "ipuz_text", "puz_bytes", "read_ipuz", "read_puz"]

FORMATS: dict[str, Callable[[bytes, str], str]] = {
    ".puz": lambda data, source: read_puz(data, source).text(),
    ".ipuz": lambda data, source: read_ipuz(data, source).text(),
}
"""By the end of a file's name, how it becomes the text of a level."""
