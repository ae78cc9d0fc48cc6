"""Readers and writers of crosswords in the formats of newspapers and programs.

.puz     Across Lite                .ipuz    an open format in JSON
.xd      text, of collections       .txt     text for Across Lite, which is only read

text = as_level(text, "mini.xd")                       the level in a text, as the game `crossword-clues` reads it
data = write_file(".ipuz", layout, letters)            the contents of a file
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from html import escape, unescape
from importlib import import_module
from typing import Any
from unicodedata import normalize

from unpuzzle.base.availability import require
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.text import count, shorten
from unpuzzle.translators.crossword import grid_text
from unpuzzle.translators.crossword.grid_text import WAYS, JsonDocument, Sheet, level_text, sheet_of, texts_of
from unpuzzle.translators.crossword.layout import (
    BLOCK,
    EMPTY,
    CrosswordLayout,
    blocks_of,
    by_number,
    cell_names,
    rows_of,
    slots_of,
    starts,
)

# Files `.ipuz`, an open format in JSON: cells with numbers and styles, clues by direction, perhaps a solution.

KIND = "http://ipuz.org/crossword#1"
OTHER_KINDS = ("diagramless", "jumble", "cipher")
"""Kinds of crosswords that are solved in another way; all others differ in their clues or their looks only."""
TAG = re.compile(r"</?(?:b|i|s|u|em|strong|big|small|br|sup|sub)\s*/?>", re.IGNORECASE)
"""The tags that texts may have."""
NUMBER = re.compile(r"\d+")
WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xA0)}
"""The characters of files of the first version in place of control characters of Latin-1, as puzpy reads them."""
XD = re.compile(r"##|[\w#.]+\n|[A-Za-z][\w -]*:|<!--")
"""The pattern of the beginning of a text in `.xd`: a part, a row of the grid, or a field such as a title."""


def read_ipuz(text: str, source: str | None = None) -> Sheet:
    """Return the crossword in an `.ipuz` text. Raises ParseError, and UnsupportedFeature for puzzles of other kinds."""
    text = text.removeprefix("\ufeff").strip()
    if call := re.match(r"ipuz\w*\s*\(", text):  # for pages that load it as a script
        text = " " * call.end() + text[call.end() :].rstrip("; \n").removesuffix(")")
    document = JsonDocument(text, source)
    document.require(dict, document.value, (), "an object, as an .ipuz file is")
    _require_crossword(document)
    cells = _cells(document, "puzzle", "cell")
    if cells is None:
        raise document.error('this is not an .ipuz file of a crossword: the key "puzzle" is missing')
    width = len(document.value["puzzle"][0])
    block = document.value.get("block", BLOCK)
    shape = "".join([BLOCK if cell.get("cell", 0) in (block, None, BLOCK) else EMPTY for cell in cells])
    styles = [_style(cell.get("style"), document.value.get("styles")) for cell in cells]
    # A bar at the right of a cell is one at the left of the next.
    sides = [str(style.get("barred", "")).upper() for style in styles]
    lefts = ["L" in side or "R" in sides[cell - 1] for cell, side in enumerate(sides)]
    aboves = ["T" in side or "B" in sides[cell - width] for cell, side in enumerate(sides)]
    bars = grid_text.bars_of(lefts, aboves, width)
    _require_labels(document, cells, shape, width, bars)
    saved = _letters(document, "saved", shape, block) or list(shape)
    for place, cell in enumerate(cells):
        if isinstance(value := cell.get("value"), str) and value and shape[place] != BLOCK:
            saved[place] = value
    solution = _letters(document, "solution", shape, block)
    if solution and EMPTY in solution:
        if {*solution} - {BLOCK, EMPTY}:
            missing = cell_names(width, len(shape))[solution.index(EMPTY)]
            found = document.error(f"the solution is left out: it has no text for {missing}", ("solution",))
            grid_text.warn_left_out(found.message, source, found.line or 1)
        solution = None
    clues = _clues(document, {slot.name for slot in slots_of(shape, width, bars)})
    about = {name: _plain(document.value.get(name)) for name in grid_text.ABOUT}
    circles = grid_text.circles_of([style.get("shapebg") == "circle" for style in styles])
    return sheet_of(width, saved, solution, clues, about, source, bars, circles)


def _require_crossword(document: JsonDocument) -> None:
    kinds = document.require(list, document.value.get("kind"), ("kind",), "a list of kinds, as .ipuz files have")
    for kind in map(str, kinds):
        name = re.sub(r"^.*?ipuz\.org/|#.*$", "", kind).lower()
        if not re.match("crossword|barred", name) or any(other in name for other in OTHER_KINDS):
            message = f"the kind {shorten(name or kind, 60)} of .ipuz files is not supported; only crosswords are"
            raise UnsupportedFeature(message, feature=name or kind, file=document.source)


def _cells(document: JsonDocument, key: str, field: str) -> list[dict[str, Any]] | None:
    """Return a grid's cells as JSON objects; a plain value becomes an object with the key `field`. None without a grid.

    Raises ParseError for rows of unequal length.
    """
    if key not in document.value:
        return None
    rows = document.require(list, document.value[key], (key,), "a list of rows")
    for number, row in enumerate(rows):
        document.require(list, row, (key, number), "a row of cells")
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        raise document.error(f"the rows of '{key}' must be equally long", (key,))
    return [cell if isinstance(cell, dict) else {field: cell} for row in rows for cell in row]


def _style(style: Any, styles: Any) -> Mapping[str, Any]:
    """Return the style of a cell, which may be the name of one of `styles`."""
    if isinstance(style, str) and isinstance(styles, dict):
        style = styles.get(style)
    return style if isinstance(style, dict) else {}


def _require_labels(
    document: JsonDocument, cells: Sequence[Mapping[str, Any]], shape: str, width: int, bars: str
) -> None:
    """Raise ParseError if the number printed in a cell is not the number of the words that begin there."""
    numbers, empty = starts(slots_of(shape, width, bars)), document.value.get("empty", 0)
    for place, name in enumerate(cell_names(width, len(shape))):
        label = cells[place].get("cell", 0)
        right = str(label) == str(numbers[place]) if place in numbers else label in (empty, 0, "", "0")
        if shape[place] == EMPTY and not right:
            reason = f"should be numbered {numbers[place]}" if place in numbers else "begins no word"
            message = f"{name} is labelled {shorten(str(label))}, but {reason}"
            raise document.error(message, ("puzzle", place // width, place % width))


def _letters(document: JsonDocument, key: str, shape: str, block: Any) -> list[str] | None:
    """Return the texts of the cells in the grid under `key`, with `.` for an empty cell; None without this grid."""
    cells = _cells(document, key, "value")
    if cells is None:
        return None
    if len(cells) != len(shape) or len(document.value[key]) != len(document.value["puzzle"]):
        raise document.error(f"the {key} must have as many rows and cells as the puzzle", (key,))
    texts = [value if isinstance(value := cell.get("value"), str) and value.strip() else block for cell in cells]
    pairs = zip(texts, shape, strict=True)
    return [BLOCK if kind == BLOCK else EMPTY if text == block else text for text, kind in pairs]


def _clues(document: JsonDocument, names: set[str]) -> dict[str, str]:
    """Return the clue of each slot; a word that shares an earlier word's clue gets a reference to that word."""
    clues, linked = dict[str, str](), dict[str, str]()
    directions = document.require(dict, document.value.get("clues") or {}, ("clues",), "an object of lists")
    for direction, entries in directions.items():
        letter = {way: letter for letter, way in WAYS.items()}.get(direction.partition(":")[0].strip().capitalize())
        if letter is None:
            raise document.error(f"clues in the direction {shorten(direction)} are not supported", ("clues", direction))
        for place, clue in enumerate(document.require(list, entries, ("clues", direction), "a list of clues")):
            fields = dict(zip(("number", "clue"), clue, strict=False)) if isinstance(clue, list) else clue
            fields = fields if isinstance(fields, dict) else {}
            numbers = NUMBER.findall(str(fields.get("numbers", fields.get("number", ""))))
            if not numbers:
                message = f"a clue {direction.lower()} has no number: {shorten(str(clue), 40)}"
                raise document.error(message, ("clues", direction, place))
            text, length = _plain(fields.get("clue")), fields.get("enumeration")
            number = int(numbers[0][:9])
            clues[f"{number}{letter}"] = f"{text} ({_plain(str(length))})" if length and text[-1:] != ")" else text
            linked |= {f"{other}{letter}": f"See {number}" for other in numbers[1:]}
    return {name: text for name, text in linked.items() if name in names} | clues


def _plain(text: Any) -> str:
    """Remove the HTML tags from a text; a value that is not a text becomes an empty text."""
    return unescape(TAG.sub("", text)).encode(errors="replace").decode() if isinstance(text, str) else ""


def write_ipuz(layout: CrosswordLayout, letters: str) -> str:
    """Return a crossword as the text of an `.ipuz` file."""
    rows = texts_of(layout, letters)
    numbers, size, width = starts(layout.slots), len(rows), layout.columns
    circled = {cell for cell, sign in enumerate(layout.circles) if sign == "o"}
    printed: list[Any] = []
    for cell, text in enumerate(rows):
        sides = [side[0].upper() for side in grid_text.SIDES.get(layout.bars[cell : cell + 1], ())]
        style = ({"barred": "".join(sides)} if sides else {}) | ({"shapebg": "circle"} if cell in circled else {})
        number = numbers.get(cell, 0)
        printed.append(BLOCK if text == BLOCK else {"cell": number, "style": style} if style else number)
    content: dict[str, Any] = {"version": "http://ipuz.org/v2", "kind": [KIND]}
    content |= {name: escape(text, quote=False) for name, text in layout.about}
    content |= {"dimensions": {"width": width, "height": size // width}, "puzzle": rows_of(printed, width)}
    if set(rows) - {BLOCK, EMPTY}:
        content["saved"] = rows_of([0 if text == EMPTY else text for text in rows], width)
    if layout.solution:
        content["solution"] = rows_of(texts_of(layout, layout.solution), width)
    clues = layout.clue_of.items()
    if any(clue for _, clue in clues):
        content["clues"] = {
            way: [[int(name[:-1]), escape(clue, quote=False)] for name, clue in clues if name.endswith(letter)]
            for letter, way in WAYS.items()
        }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


# Files `.puz` of Across Lite: grid, clues by number, and a solution, which may be locked. They need puzpy.


def read_puz(data: bytes, source: str | None = None) -> Sheet:
    """Return the crossword in a `.puz` file. Raises ParseError, and DependencyMissing if puzpy is not installed."""
    require("words", "these files need", "puz")
    puz: Any = import_module("puz")
    if puz.ACROSSDOWN not in data:
        raise ParseError(f"this is not a .puz file: {grid_text.KINDS}", file=source)
    try:
        puzzle = puz.load(data)
        windows = WINDOWS if puzzle.version_tuple() < (2,) else {}
        rebus = puzzle.rebus()
        texts = {cell: rebus.get_rebus_solution(cell) or "" for cell in rebus.get_rebus_squares()}
        fills = {cell: rebus.get_rebus_fill(cell) for cell in texts}
        circled = set(puzzle.markup().get_markup_squares(puz.GridMarkup.Circled))
    except Exception as error:  # a broken file may cause any error in the library
        reasons = {"checksum": "a checksum does not agree with its contents", "unpack": "it ends within its header"}
        why = next((why for word, why in reasons.items() if word in str(error)), "a part of it cannot be read")
        raise ParseError(f"this .puz file is cut off or damaged: {why}", file=source) from None
    if puzzle.puzzletype == puz.PuzzleType.Diagramless or puz.BLACKSQUARE2 in puzzle.solution:
        raise UnsupportedFeature("diagramless crosswords are not supported", feature="diagramless", file=source)
    if puzzle.is_solution_locked():
        grid_text.warn_left_out("the solution of this .puz file is locked (scrambled), so it is not used", source)
    width, size = puzzle.width, len(puzzle.solution)
    if not size or size != width * puzzle.height or len(puzzle.fill) != size:
        raise ParseError("this .puz file has no grid", file=source)
    solution = [(texts.get(cell) or letter).translate(windows) for cell, letter in enumerate(puzzle.solution)]
    filled = [(fills.get(cell) or letter).translate(windows) for cell, letter in enumerate(puzzle.fill)]
    grid = [EMPTY if text == puz.BLANKSQUARE else text for text in filled]
    for cell, letter in enumerate(puzzle.solution):
        if letter == puzzle.blacksquare():
            solution[cell] = grid[cell] = BLOCK
    slots = by_number(slots_of(blocks_of(grid), width))
    if len(puzzle.clues) != len(slots):
        message = f"there are {count(len(puzzle.clues), 'clue')}, but {count(len(slots), 'word')} in the grid"
        raise ParseError(message, file=source)
    known = solution if puzzle.solution_state == puz.SolutionState.Unlocked else None
    clues = {slot.name: clue.translate(windows) for slot, clue in zip(slots, puzzle.clues, strict=True)}
    about = {name: getattr(puzzle, name).translate(windows) for name in grid_text.ABOUT}
    circles = grid_text.circles_of([cell in circled for cell in range(size)])
    return sheet_of(width, grid, known, clues, about, source, "", circles)


def write_puz(layout: CrosswordLayout, letters: str) -> bytes:
    """Return a crossword as the bytes of a `.puz` file. Raises UnsupportedFeature for a crossword with bars."""
    require("words", "these files need", "puz")
    puz: Any = import_module("puz")
    if layout.bars:
        raise UnsupportedFeature("a .puz file cannot contain bars: write an .ipuz file instead", feature="bars")
    puzzle, clues = puz.Puzzle(), layout.clue_of
    puzzle.width, puzzle.height = layout.columns, len(letters) // layout.columns
    grids = [texts_of(layout, cells) for cells in (layout.solution or letters.replace(EMPTY, "X"), letters)]
    written = "".join((*dict(layout.about).values(), *clues.values(), *grids[0], *grids[1]))
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
    if not layout.solution:
        puzzle.solution_state = puz.SolutionState.NotProvided
    puzzle.clues = [clues[slot.name] for slot in by_number(layout.slots)]
    if layout.circles:
        cells = [cell for cell, sign in enumerate(layout.circles) if sign != EMPTY]
        puzzle.markup().set_markup_squares(cells, puz.GridMarkup.Circled)
    return bytes(puzzle.tobytes())


def _short(text: str) -> str:
    """Return one letter for a cell with several letters, whose full text is stored in the file's rebus section."""
    first = normalize("NFD", text)[0]
    return first if first.isascii() and first.isalnum() else "X"


Writer = Callable[[CrosswordLayout, str], str | bytes]
FORMATS: Mapping[str, tuple[Callable[[Any], Sheet], Writer]] = {
    ".puz": (read_puz, write_puz),
    ".ipuz": (read_ipuz, write_ipuz),
    ".xd": (grid_text.read_xd, grid_text.write_xd),
}
"""By the ending of a file, its reader, and its writer, whose crosswords are read back."""


def puz_level(data: bytes, source: str | None = None) -> str:
    """Convert a `.puz` file to the text of a level."""
    return level_text(*read_puz(data, source))


@lru_cache(maxsize=8)
def as_level(text: str, source: str | None = None) -> str:
    """Convert a text to a level if its beginning shows another known format; otherwise return the text itself."""
    start = text.removeprefix("\ufeff").lstrip().replace("\r", "\n")
    if start[:14].upper() == "<ACROSS PUZZLE":
        return level_text(*grid_text.read_across_lite(text, source))
    if start.startswith(("ipuz", "{")):
        return level_text(*read_ipuz(text, source)) if "ipuz.org" in text and '"kind"' in text else text
    return level_text(*grid_text.read_xd(text, source)) if XD.match(start) else text


def write_file(ending: str, layout: CrosswordLayout, letters: str) -> bytes:
    """Return the bytes of a file from which an equal crossword can be read, except for lists of candidates.

    Raises UnsupportedFeature if the format has no such file, DependencyMissing for a missing library.
    """
    read, write = FORMATS[ending]
    if ending == ".xd":  # which has one line for each text, and for notes lines without blanks around them
        lines = [(name, filter(None, map(str.strip, text.splitlines()))) for name, text in layout.about]
        about = [(name, ("\n" if name == "notes" else " ").join(parts)) for name, parts in lines]
        layout = layout.replace(about=tuple([pair for pair in about if pair[1]]))
    data = write(layout, letters)
    again, there = read(data)
    fields = ("clue_of", *[name for name in CrosswordLayout._fields if name not in ("clues", "lists")])
    names = [name for name in fields if getattr(again, name) != getattr(layout, name)]
    if names or letters != there:
        what = names[0].replace("clue_of", "clues") if names else "letters that are written in"
        message = f"a file {ending} cannot contain all of this crossword: its {what} would be read differently"
        raise UnsupportedFeature(message, feature=what)
    return data.encode() if isinstance(data, str) else data
