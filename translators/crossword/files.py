"""Crosswords as newspapers and programs exchange them.

.puz     Across Lite                .ipuz    an open format in JSON
.xd      text, of collections       .txt     text for Across Lite, which is only read

text = as_level(text, "mini.xd")                       the level in a text, as the game `crossword-clues` reads it
data = write_file(".ipuz", layout, letters)            the contents of a file
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from typing import Any
from unicodedata import normalize

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.extras import require
from unpuzzle.translators.crossword.grid_text import ABOUT, KINDS, clues_text
from unpuzzle.translators.crossword.ipuz_files import read_ipuz, write_ipuz
from unpuzzle.translators.crossword.layout import CrosswordLayout, blocks_of
from unpuzzle.translators.crossword.sheet import Sheet, sheet_of, texts_of, warn_left_out
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, by_number, slots_of
from unpuzzle.translators.crossword.text_files import read_across_lite, read_xd, write_xd
from unpuzzle.words import count

# Files `.puz` of Across Lite: grid, clues by number, and a solution, which may be locked. They need puzpy.

WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xA0)}
"""What files of the first version have where Latin-1, as which puzpy reads them, has control characters."""


def _library() -> Any:
    """Return the module of puzpy. Raises DependencyMissing if it is not installed."""
    require("words", "these files need", "puz")
    return import_module("puz")


def read_puz(data: bytes, source: str | None = None) -> Sheet:
    """Return the crossword of a `.puz` file. Raises ParseError for other files, DependencyMissing without puzpy."""
    puz = _library()
    if puz.ACROSSDOWN not in data:
        raise ParseError(f"this is not a .puz file: {KINDS}", file=source)
    try:
        puzzle = puz.load(data)
        windows = WINDOWS if puzzle.version_tuple() < (2,) else {}
        rebus = puzzle.rebus()
        texts = {cell: rebus.get_rebus_solution(cell) or "" for cell in rebus.get_rebus_squares()}
        fills = {cell: rebus.get_rebus_fill(cell) for cell in texts}
        circled = set(puzzle.markup().get_markup_squares(puz.GridMarkup.Circled))
    except Exception as error:  # whatever a broken file makes the library stumble over
        reasons = {"checksum": "a checksum does not agree with its contents", "unpack": "it ends within its header"}
        why = next((why for word, why in reasons.items() if word in str(error)), "a part of it cannot be read")
        raise ParseError(f"this .puz file is cut off or damaged: {why}", file=source) from None
    if puzzle.puzzletype == puz.PuzzleType.Diagramless or puz.BLACKSQUARE2 in puzzle.solution:
        raise UnsupportedFeature("diagramless crosswords are not supported", feature="diagramless", file=source)
    if puzzle.is_solution_locked():
        warn_left_out("the solution of this .puz file is locked (scrambled), so it is no answer here", source)
    width, size = puzzle.width, len(puzzle.solution)
    if not size or size != width * puzzle.height or len(puzzle.fill) != size:
        raise ParseError("this .puz file has no grid", file=source)
    written = [(texts.get(cell) or letter).translate(windows) for cell, letter in enumerate(puzzle.solution)]
    filled = [(fills.get(cell) or letter).translate(windows) for cell, letter in enumerate(puzzle.fill)]
    filled = [EMPTY if text == puz.BLANKSQUARE else text for text in filled]
    blocks = [letter == puzzle.blacksquare() for letter in puzzle.solution]
    solution, grid = (
        [BLOCK if block else text for text, block in zip(texts, blocks, strict=True)] for texts in (written, filled)
    )
    slots = by_number(slots_of(blocks_of(grid), width))
    if len(puzzle.clues) != len(slots):
        message = f"there are {count(len(puzzle.clues), 'clue')} for {count(len(slots), 'word')} of the grid"
        raise ParseError(message, file=source)
    return sheet_of(
        width,
        grid,
        solution if puzzle.solution_state == puz.SolutionState.Unlocked else None,
        {slot.name: clue.translate(windows) for slot, clue in zip(slots, puzzle.clues, strict=True)},
        {name: getattr(puzzle, name).translate(windows) for name in ABOUT},
        source,
        circles="".join(["o" if cell in circled else EMPTY for cell in range(size)]),
    )


def write_puz(layout: CrosswordLayout, letters: str) -> bytes:
    """Return the contents of a `.puz` file. Raises UnsupportedFeature for bars, which it cannot have."""
    puz = _library()
    if layout.bars:
        raise UnsupportedFeature("a .puz file has no bars; an .ipuz file has them", feature="bars")
    puzzle, clues = puz.Puzzle(), layout.clue_of
    puzzle.width, puzzle.height = layout.columns, len(letters) // layout.columns
    grids = [texts_of(layout, cells) for cells in (layout.solution or letters.replace(EMPTY, "X"), letters)]
    texts = [text for _, text in layout.about]
    written = "".join((*texts, *clues.values(), *grids[0], *grids[1]))
    if any("\x7f" < letter < "\xa0" or letter > "\xff" for letter in written):
        puzzle.set_version("2.0")  # in UTF-8; puzpy writes files of before in Latin-1
    for name, text in layout.about:
        setattr(puzzle, name, text)
    for cell, text in enumerate(grids[0]):
        if text != BLOCK and (len(text) > 1 or not text.isalnum() or not text.isascii()):
            puzzle.rebus().add_rebus_squares(cell, text)
            puzzle.rebus().set_rebus_fill(cell, grids[1][cell].strip(EMPTY))
    blocks = {BLOCK: puz.BLACKSQUARE, EMPTY: puz.BLANKSQUARE}
    puzzle.solution, puzzle.fill = ("".join([blocks.get(text) or _short(text) for text in grid]) for grid in grids)
    if layout.solution is None:
        puzzle.solution_state = puz.SolutionState.NotProvided
    puzzle.clues = [clues[slot.name] for slot in by_number(layout.slots)]
    if layout.circles:
        cells = [cell for cell, sign in enumerate(layout.circles) if sign != EMPTY]
        puzzle.markup().set_markup_squares(cells, puz.GridMarkup.Circled)
    data: bytes = puzzle.tobytes()
    return data


def _short(text: str) -> str:
    """Return the one letter that a cell has where a rebus is in full elsewhere in the file."""
    first = normalize("NFD", text)[0]
    return first if first.isascii() and first.isalnum() else "X"


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
