"""Crosswords as newspapers and programs exchange them: `.puz` (Across Lite) and `.ipuz` (JSON), grid and clues.

    sheet = read_puz(data, "mini.puz")      and read_ipuz: sheet.rows, sheet.clues["1A"], sheet.solution

A `.puz` file has a grid, clues by number, and a solution that may be locked; an `.ipuz` file, an open format, has cells
with their numbers, clues by direction, perhaps a solution. Both go through libraries, `puzpy` and `ipuz`, which load
when they are used. Such files have clues and no candidates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.extras import require
from unpuzzle.record import Record
from unpuzzle.translators.crossword.grid_text import PRINTED_CLUE_KEYS, json_lines, json_object, json_text
from unpuzzle.translators.crossword.slots import (
    BLOCK,
    EMPTY,
    Slot,
    by_direction,
    cell_names,
    is_letter,
    rows_of,
    slots_of,
    starts,
    upper,
)
from unpuzzle.words import count, cut, shorten

WAYS = {"A": "Across", "D": "Down"}
"""By the last letter of a slot's name, the name of its direction in files."""
IPUZ_CROSSWORDS = ("crossword", "crossword/crypticcrossword")
IPUZ_KIND = "http://ipuz.org/crossword#1"


class PrintedCrossword(Record):
    """A crossword as it is printed.

    Attributes:
        rows: rows of `.` empty, `#` block, and letters that are written in.
        clues: the clues of all slots, by name, such as `1A`; or empty.
        solution: rows of letters and blocks; None if the file has none, or keeps it locked.
        title, author: empty if the file has none.

    Raises ParseError, with `source` as the file, if clues and slots do not match.
    """

    rows: tuple[str, ...]
    clues: Mapping[str, str]
    solution: tuple[str, ...] | None = None
    title: str = ""
    author: str = ""
    source: str | None = None

    _uncompared = ("source",)

    def _require_sense(self) -> None:
        names = [slot.name for slot in self.slots]
        for name in self.clues:
            if name not in names:
                number, way = name[:-1], WAYS[name[-1]].lower()
                raise ParseError(f"there is a clue {number} {way}, but no word {way} of that number", file=self.source)
        missing = [name for name in names if name not in self.clues]
        if self.clues and missing:
            raise ParseError(f"clues are missing: of {', '.join(missing)}", file=self.source)
        object.__setattr__(self, "clues", {name: self.clues[name] for name in names if name in self.clues})

    def __hash__(self) -> int:
        return hash((self.rows, self.solution, self.title, self.author))

    @property
    def slots(self) -> tuple[Slot, ...]:
        return slots_of("".join(self.rows), len(self.rows[0]))

    def text(self) -> str:
        """Return the crossword as the text of a level: of the game `crossword-clues`, if it has clues."""
        parts = {"grid": json_text(self.rows)}
        if self.clues:
            for key, slots in zip(PRINTED_CLUE_KEYS, by_direction(self.slots), strict=True):
                parts[key] = json_lines([self.clues[slot.name] for slot in slots])
        if self.solution is not None:
            parts["solution"] = json_text(self.solution)
        return json_object(parts)


def _library(name: str) -> Any:
    """Return a module of another distribution. Raises DependencyMissing if it is not installed."""
    require("words", "these files need", name)
    return import_module(name)


def _no_file(kind: str, error: Exception, source: str | None) -> ParseError:
    """Return the error for an unreadable file, with the library's message, cut short."""
    said = cut(str(error) or str(getattr(error, "message", "")) or type(error).__name__, 100)
    return ParseError(f"this is not a {kind}: {said}", file=source)


def _written(cells: Sequence[str], width: int) -> tuple[str, ...]:
    """Return the rows of a grid, with an empty cell for anything but one letter or a block."""
    letters = (cell if is_letter(cell) or cell == BLOCK else EMPTY for cell in cells)
    return tuple(rows_of("".join(letters), width))


def _require_letters(cells: Sequence[str], width: int, source: str | None) -> None:
    """Refuse a solution in which a cell has anything but one letter."""
    for name, cell in zip(cell_names(width, len(cells)), cells, strict=True):
        if not is_letter(cell) and cell not in (BLOCK, EMPTY):
            message = f"the solution has {shorten(cell)} in {name}, which is not one letter"
            raise ParseError(message, file=source)


def read_puz(data: bytes, source: str | None = None) -> PrintedCrossword:
    """Return the crossword of a `.puz` file. Raises ParseError for other files, DependencyMissing without puzpy."""
    puz = _library("puz")
    try:
        puzzle = puz.load(data)
        rebus = puzzle.has_rebus()
    except Exception as error:  # whatever a broken file makes the library stumble over
        raise _no_file(".puz file", error, source) from None
    if rebus:
        raise ParseError("a cell of the solution holds several letters (a rebus), which is not read", file=source)
    is_open = puzzle.solution_state == puz.SolutionState.Unlocked
    width, block = puzzle.width, puzzle.blacksquare()
    if not puzzle.solution or len(puzzle.solution) != width * puzzle.height or len(puzzle.fill) != len(puzzle.solution):
        raise ParseError("this .puz file has no grid", file=source)

    def cells(letters: str, blank: str = "") -> list[str]:
        """Return letters with our signs for blocks and empty cells."""
        pairs = zip(puzzle.solution, letters, strict=True)
        return [BLOCK if kind == block else EMPTY if cell == blank else upper(cell) for kind, cell in pairs]

    solution = cells(puzzle.solution)
    _require_letters(solution if is_open else [], width, source)
    rows = _written(cells(puzzle.fill, puz.BLANKSQUARE), width)
    clues = _puz_clues(puzzle.clues, by_number(slots_of("".join(rows), width)), source)
    answer = tuple(rows_of("".join(solution), width)) if is_open else None
    return PrintedCrossword(rows, clues, answer, title=puzzle.title, author=puzzle.author, source=source)


def _puz_clues(clues: list[str], slots: list[Slot], source: str | None) -> dict[str, str]:
    """Return the clues by slot; empty if all clues of the file are."""
    if len(clues) != len(slots):
        message = f"there are {count(len(clues), 'clue')} for {count(len(slots), 'word')} of the grid"
        raise ParseError(message, file=source)
    return {slot.name: clue for slot, clue in zip(slots, clues, strict=True)} if any(clues) else {}


def by_number(slots: tuple[Slot, ...]) -> list[Slot]:
    """Return slots in the order of a `.puz` file: by number, across first."""
    return sorted(slots, key=lambda slot: (slot.cells.start, slot.name[-1]))


def read_ipuz(data: bytes, source: str | None = None) -> PrintedCrossword:
    """Return the crossword of an `.ipuz` file.

    Raises ParseError for other files, UnsupportedFeature for other kinds and for bars, DependencyMissing without ipuz.
    """
    ipuz = _library("ipuz")
    try:
        content = ipuz.read(_as_crossword(data.decode("utf-8-sig").strip(), source), puzzlekinds=[IPUZ_KIND])
    except UnsupportedFeature:
        raise
    except Exception as error:  # whatever a broken file makes the library stumble over
        raise _no_file(".ipuz file of a crossword", error, source) from None
    styles = content.get("styles") or {}
    for cell in (cell for row in content["puzzle"] for cell in row if isinstance(cell, dict)):
        style = cell.get("style")
        if "barred" in ((styles.get(style) if isinstance(style, str) else style) or {}):
            raise UnsupportedFeature("bars between cells are not supported yet", feature="bars", file=source)
    block, empty = content.get("block", "#"), content.get("empty", 0)
    width = _require_rectangle(content["puzzle"], "puzzle", source)
    labels = [_inner(cell, "cell") for row in content["puzzle"] for cell in row]
    shape = "".join(BLOCK if label in (block, None) else EMPTY for label in labels)
    numbers = starts(slots_of(shape, width))
    for place, (name, label) in enumerate(zip(cell_names(width, len(shape)), labels, strict=True)):
        right = str(label) == str(numbers[place]) if place in numbers else label in (empty, 0, "", "0")
        if shape[place] == EMPTY and not right:
            reason = f"should be numbered {numbers[place]}" if place in numbers else "begins no word"
            raise ParseError(f"{name} is labelled {shorten(str(label))}, but {reason}", file=source)
    values = [_inner(cell, "value") if isinstance(cell, dict) else None for row in content["puzzle"] for cell in row]
    saved = _grid(content.get("saved"), shape, width, source) or shape
    letters = [value if isinstance(value, str) else cell for value, cell in zip(values, saved, strict=True)]
    rows = _written([upper(cell) for cell in letters], width)
    solution = _grid(content.get("solution"), shape, width, source)
    answer = tuple(rows_of(solution, width)) if solution and EMPTY not in solution else None
    clues = dict(_ipuz_clues(content.get("clues") or {}, source))
    about = {name: str(content.get(name, "")) for name in ("title", "author")}
    return PrintedCrossword(rows, clues, answer, **about, source=source)


def _as_crossword(text: str, source: str | None) -> str:
    """Return the text of a kind of crossword that only its clues distinguish as that of a plain one.

    Raises UnsupportedFeature for other kinds.
    """
    content = json.loads(text[text.find("{") : text.rfind("}") + 1])
    kinds = [str(kind) for kind in content.get("kind") or ()] if isinstance(content, dict) else []
    for kind in kinds:
        name = kind.partition("ipuz.org/")[2].partition("#")[0]
        if name not in IPUZ_CROSSWORDS:
            message = (
                f"this .ipuz file is of the kind {shorten(name or kind, 60)}, which is not supported; crosswords are"
            )
            raise UnsupportedFeature(message, feature=name or kind, file=source)
    return json.dumps(content | {"kind": [IPUZ_KIND]}) if kinds else text


def _inner(cell: Any, key: str) -> Any:
    """Return the content of a cell, which may be an object with a style."""
    return cell.get(key, 0 if key == "cell" else None) if isinstance(cell, dict) else cell


def _require_rectangle(grid: Any, name: str, source: str | None) -> int:
    """Return the number of columns. Raises ParseError for no rows, or rows of different lengths."""
    widths = {len(row) for row in grid}
    if len(widths) != 1 or widths == {0}:
        raise ParseError(f"the rows of '{name}' should be of one length", file=source)
    width: int = widths.pop()
    return width


def _grid(grid: Any, shape: str, width: int, source: str | None) -> str | None:
    """Return the letters of a grid such as the solution, with `.` for empty cells; None if there is no grid."""
    if grid is None:
        return None
    if _require_rectangle(grid, "solution", source) != width or len(grid) * width != len(shape):
        raise ParseError("the solution does not have the shape of the puzzle", file=source)
    values = [_inner(cell, "value") for row in grid for cell in row]
    letters = [
        BLOCK if kind == BLOCK else upper(value) if isinstance(value, str) and value.strip() else EMPTY
        for value, kind in zip(values, shape, strict=True)
    ]
    _require_letters(letters, width, source)
    return "".join(letters)


def _ipuz_clues(clues: Any, source: str | None) -> Iterator[tuple[str, str]]:
    for direction, entries in clues.items():
        letter = next((letter for letter, way in WAYS.items() if direction.partition(":")[0] == way), None)
        if letter is None:
            raise ParseError(f"clues in the direction {shorten(direction)} are not read", file=source)
        for clue in entries:
            number, text = (clue.get("number"), clue.get("clue", "")) if isinstance(clue, dict) else (None, "")
            if isinstance(clue, list):
                number, text = clue
            if not str(number).isdecimal():
                raise ParseError(f"a clue {direction.lower()} has no number: {shorten(str(clue), 40)}", file=source)
            yield f"{int(str(number))}{letter}", text
