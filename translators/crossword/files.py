"""Crosswords as newspapers and programs exchange them, by the end of a file's name: each is read and written.

.puz     Across Lite                .ipuz    an open format in JSON
.xd      text, of collections       .txt     text for Across Lite

text = level_text(data, "mini.xd")           the level in a file, as the game `crossword-clues` reads it
data = contents(sheet, ".ipuz")              the contents of a file
"""

from __future__ import annotations

from functools import lru_cache

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.translators.crossword.ipuz_files import read_ipuz, write_ipuz
from unpuzzle.translators.crossword.puz_files import read_puz, write_puz
from unpuzzle.translators.crossword.sheet import PrintedCrossword
from unpuzzle.translators.crossword.text_files import read_across_lite, read_xd, write_across_lite, write_xd

READERS = {".ipuz": read_ipuz, ".xd": read_xd, ".txt": read_across_lite}
WRITERS = {".ipuz": write_ipuz, ".xd": write_xd, ".txt": write_across_lite}
ENDINGS = (".puz", *READERS)


def read_file(ending: str, data: bytes, source: str | None = None) -> str:
    """Return the text of the level in a file of another format. Raises ParseError for a file that is not one."""
    if ending == ".puz":
        return read_puz(data, source).text()
    text = _decoded(data)
    return READERS[ending](text, source).text() if ending != ".txt" else as_level(text, source)


def _decoded(data: bytes) -> str:
    """Return bytes as text: UTF-8, UTF-16 with its mark or, as Windows programs write, its Latin letters."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


@lru_cache(maxsize=8)
def as_level(text: str, source: str | None = None) -> str:
    """Return the level in a text of any of these formats, by what it begins with; other texts as they are."""
    start = text.removeprefix("\ufeff").lstrip()[:20]
    if start.upper().startswith("<ACROSS PUZZLE"):
        return read_across_lite(text, source).text()
    if start.startswith(("ipuz", "{")):
        return read_ipuz(text, source).text() if "ipuz.org/" in text and '"kind"' in text else text
    return read_xd(text, source).text() if start[:1].isalnum() or start[:1] == "#" else text


def write_file(ending: str, sheet: PrintedCrossword) -> bytes:
    """Return the contents of a file that is read as an equal crossword.

    Raises UnsupportedFeature if the format has no such file, DependencyMissing for a missing library.
    """
    again: PrintedCrossword
    if ending == ".puz":
        data = write_puz(sheet)
        again = read_puz(data)
    else:
        text = WRITERS[ending](sheet)
        data, again = text.encode(), READERS[ending](text)
    for name in PrintedCrossword._compared:
        if getattr(again, name) != getattr(sheet, name):
            what = "letters that are written in" if name == "rows" else name
            message = f"a file {ending} cannot hold this crossword whole: its {what} would be read otherwise"
            raise UnsupportedFeature(message, feature=what)
    return data
