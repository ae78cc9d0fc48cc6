"""What the JSON of crosswords has in common, with candidates or with clues: grid, solution, lists for the slots.

grid        rows of `.` empty, `#` block, or letters; by default five rows of five, all empty
solution    rows of letters and blocks
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from unpuzzle.translators.crossword.json_places import Document, JsonPath
from unpuzzle.translators.crossword.layout import LETTERS
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, cell_names, rows_of, slots_of
from unpuzzle.words import count, shorten

OPEN = ["....."] * 5
MOST = 40
"""Rows and columns of a grid: newspapers print up to 25."""

CANDIDATE_KEYS = ("horizontal_answers", "vertical_answers")
CLUE_KEYS = (("across", "clues_across"), ("down", "clues_down"))
"""Of each direction, the key of its clues, and the key that stands for it in files of other formats."""


def has_candidates(text: str) -> bool:
    """Return whether a text is the JSON of a crossword with lists of candidates."""
    return not _keys(text).isdisjoint(CANDIDATE_KEYS)


def has_only_clues(text: str) -> bool:
    """Return whether a text is the JSON of a crossword with clues and no candidates."""
    keys = _keys(text)
    return keys.isdisjoint(CANDIDATE_KEYS) and any(not keys.isdisjoint(names) for names in CLUE_KEYS)


def _keys(text: str) -> set[str]:
    """Return the keys of a JSON object; none for other texts."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return set()
    return set(value) if isinstance(value, dict) else set()


def read_object(text: str, source: str | None, noun: str, shape: str) -> Document:
    """Return the document of one level, a JSON object. Raises ParseError for other texts, and for lists of levels."""
    document = Document(text, source)
    if isinstance(document.value, list):
        raise document.error(f"this is a list of {count(len(document.value), noun)}; a level is one of them")
    document.require(dict, document.value, (), f"an object: {shape}")
    return document


def read_grid(document: Document) -> tuple[str, int]:
    """Return the letters of the grid, row by row, and the number of columns."""
    value = document.require(list, document.value.get("grid", OPEN), ("grid",), "a list of rows")
    rows = [_row(document, row, ("grid", number)) for number, row in enumerate(value)]
    if not 0 < len(rows) <= MOST or len(rows[0]) > MOST:
        raise document.error(f"a grid has from 1 to {MOST} rows, of up to {MOST} cells", ("grid",))
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            message = f"row {number + 1} has {count(len(row), 'cell')}, row 1 has {len(rows[0])}"
            raise document.error(message, ("grid", number))
    letters, columns = "".join(rows), len(rows[0])
    if not slots_of(letters, columns):
        raise document.error("the grid has no place for a word of two letters", ("grid",))
    _require_words_everywhere(document, letters, columns)
    return letters, columns


def _row(document: Document, value: Any, path: JsonPath) -> str:
    row: str = document.require(str, value, path, "a row of the grid, such as '..#'").upper()
    wrong = next((letter for letter in row if letter not in LETTERS and letter not in (BLOCK, EMPTY)), None)
    if wrong is not None or not value.isascii():
        cell = f"{shorten(wrong or value)} is no cell" if wrong != " " else "a blank is no cell"
        raise document.error(f"{cell}: `.` is empty, `#` a block, A to Z a letter", path)
    return row


def _require_words_everywhere(document: Document, letters: str, columns: int) -> None:
    covered = {cell for slot in slots_of(letters, columns) for cell in slot.cells}
    for cell, letter in enumerate(letters):
        if letter == EMPTY and cell not in covered:
            name = cell_names(columns, len(letters))[cell]
            raise document.error(f"no word goes through the empty cell {name}", ("grid", cell // columns))


def read_solution(document: Document, letters: str, columns: int) -> tuple[str, ...] | None:
    """Return the rows of the solution, which must have the blocks of the grid; None if there is none."""
    if "solution" not in document.value:
        return None
    value = document.require(list, document.value["solution"], ("solution",), "a list of rows")
    rows = tuple(_row(document, row, ("solution", number)) for number, row in enumerate(value))
    grid = rows_of(letters, columns)
    for number, (row, cells) in enumerate(zip(rows, grid, strict=False)):
        if len(row) != columns or any((a == BLOCK) != (b == BLOCK) for a, b in zip(row, cells, strict=True)):
            message = f"row {number + 1} of the solution has not the shape of the grid"
            raise document.error(message, ("solution", number))
    if len(rows) != len(grid):
        raise document.error(f"the solution has {count(len(rows), 'row')}, the grid {len(grid)}", ("solution",))
    return rows


def require_one_for_each(document: Document, values: list[Any], slots: Sequence[Slot], key: str, noun: str) -> None:
    """Refuse a list that has more or fewer values than there are slots."""
    if len(values) == len(slots):
        return
    names = ", ".join(slot.name for slot in slots) or "none"
    message = f"{key} has {count(len(values), noun)}, but {count(len(slots), 'slot')} of the grid: {names}"
    raise document.error(message, (key, min(len(slots), len(values) - 1)) if values else (key,))


def require_text(document: Document, value: Any, path: JsonPath, noun: str, what: str) -> str:
    """Return a text, if it is one that a file can hold; `noun` and `what` name it in refusals."""
    text: str = document.require(str, value, path, what)
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise document.error(f"this {noun} has half a character (a lone surrogate) in it", path)
    return text


def json_object(parts: dict[str, str]) -> str:
    """Return an object with each key on a line of its own; the values are JSON already."""
    return "{\n" + ",\n".join(f" {json_text(key)}: {value}" for key, value in parts.items()) + "\n}\n"


def json_text(value: Any) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def json_lines(values: Sequence[Any]) -> str:
    """Return a list with each value on a line of its own."""
    lines = ",\n".join(f"  {json_text(value)}" for value in values)
    return f"[\n{lines}\n ]" if lines else "[]"
