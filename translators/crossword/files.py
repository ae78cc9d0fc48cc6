"""Crosswords as newspapers and programs exchange them.

.puz     Across Lite                .ipuz    an open format in JSON
.xd      text, of collections       .txt     text for Across Lite, which is only read

text = as_level(text, "mini.xd")                       the level in a text, as the game `crossword-clues` reads it
data = write_file(".ipuz", layout, letters)            the contents of a file
"""

from __future__ import annotations

import re
from functools import lru_cache

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.translators.crossword.grid_text import clues_text
from unpuzzle.translators.crossword.ipuz_files import read_ipuz, write_ipuz
from unpuzzle.translators.crossword.layout import CrosswordLayout
from unpuzzle.translators.crossword.puz_files import read_puz, write_puz
from unpuzzle.translators.crossword.text_files import read_across_lite, read_xd, write_xd

READERS = {".ipuz": read_ipuz, ".xd": read_xd}
WRITERS = {".ipuz": write_ipuz, ".xd": write_xd}
WRITTEN = (".puz", *WRITERS)
XD = re.compile(r"##|[\w#.]+\n|[A-Za-z][\w -]*:|<!--")
"""What a text in `.xd` begins with: a part, a row of the grid, or a field such as a title."""


def puz_level(data: bytes, source: str | None = None) -> str:
    """Return the level in a `.puz` file."""
    return clues_text(*read_puz(data, source))


@lru_cache(maxsize=8)
def as_level(text: str, source: str | None = None) -> str:
    """Return the level in a text of another format, by what it begins with; other texts as they are."""
    start = text.removeprefix("\ufeff").lstrip().replace("\r", "\n")
    if start[:14].upper() == "<ACROSS PUZZLE":
        return clues_text(*read_across_lite(text, source))
    if start.startswith(("ipuz", "{")):
        return clues_text(*read_ipuz(text, source)) if "ipuz.org" in text and '"kind"' in text else text
    return clues_text(*read_xd(text, source)) if XD.match(start) else text


def write_file(ending: str, layout: CrosswordLayout, letters: str) -> bytes:
    """Return the contents of a file that is read as an equal crossword, without candidates.

    Raises UnsupportedFeature if the format has no such file, DependencyMissing for a missing library.
    """
    if ending == ".puz":
        data = write_puz(layout, letters)
        again, there = read_puz(data)
    else:
        if ending == ".xd":  # which has one line for each text, and for notes lines without blanks around them
            lines = [(name, filter(None, map(str.strip, text.splitlines()))) for name, text in layout.about]
            about = [(name, ("\n" if name == "notes" else " ").join(parts)) for name, parts in lines]
            layout = layout.replace(about=tuple([pair for pair in about if pair[1]]))
        text = WRITERS[ending](layout, letters)
        data, (again, there) = text.encode(), READERS[ending](text)
    fields = ("clue_of", *[name for name in CrosswordLayout._fields if name != "clues"])
    names = [name for name in fields if getattr(again, name) != getattr(layout, name)]
    if names or letters != there:
        what = names[0].replace("clue_of", "clues") if names else "letters that are written in"
        message = f"a file {ending} cannot hold this crossword whole: its {what} would be read otherwise"
        raise UnsupportedFeature(message, feature=what)
    return data
