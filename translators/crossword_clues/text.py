"""The text of a crossword with clues and no candidates: one JSON object.

    across, down     the clues, in the order of the numbers; or an object: {"1": "A clue", "4": ...}
    grid             rows of `.` empty, `#` block, or letters; by default five rows of five, all empty
    letters          the solution, if it is known: the letters of the grid row by row; no planner reads it

A clue that is null or empty is not known. `clues_across`, `clues_down` and `solution`, which files of other formats
become, are read, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unpuzzle.translators.crossword.grid_text import (
    CLUE_KEYS,
    JsonDocument,
    JsonPath,
    has_candidates,
    json_lines,
    json_object,
    json_text,
    read_grid,
    read_object,
    read_solution,
)
from unpuzzle.translators.crossword.layout import CrosswordLayout, blocks_of
from unpuzzle.translators.crossword.slots import BLOCK, Slot, by_direction, rows_of, slots_of
from unpuzzle.words import count, shorten


def read_clues(text: str, source: str | None = None) -> tuple[CrosswordLayout, str]:
    """Return a layout, and the letters in its grid, row by row. Raises ParseError, with the place of what is wrong."""
    document = read_object(text, source, "crossword", '{"grid": ..., "across": ..., "down": ...}')
    if has_candidates(text):
        raise document.error("this crossword has lists of candidates: it is a level of the game crossword")
    letters, columns = read_grid(document)
    solution = read_solution(document, letters, columns)
    directions = by_direction(slots_of(letters, columns))
    across, down = (_clues(document, keys, slots) for keys, slots in zip(CLUE_KEYS, directions, strict=True))
    solution = _letters(document, letters, columns) or solution
    return CrosswordLayout(blocks_of(letters), columns, (across, down), solution), letters


def _clues(document: JsonDocument, keys: tuple[str, str], slots: Sequence[Slot]) -> tuple[str, ...]:
    key = next((key for key in keys if key in document.value), None)
    if key is None:
        if not slots:
            return ()
        names = ", ".join(slot.name for slot in slots)
        raise document.error(f'clues are missing: there is no "{keys[0]}", a list of clues for {names}')
    value = document.value[key]
    if isinstance(value, dict):
        return _numbered_clues(document, key, value, slots)
    clues = document.require_list(key, slots, "clue", "a list of clues")
    return tuple(_clue(document, clue, (key, number)) for number, clue in enumerate(clues))


def _numbered_clues(document: JsonDocument, key: str, value: dict[str, Any], slots: Sequence[Slot]) -> tuple[str, ...]:
    """Return clues that stand by their numbers, which must be those of the grid."""
    keys = {name.strip().rstrip(".ADad"): name for name in value}
    names = {str(slot.number): slot.name for slot in slots}
    for number, name in keys.items():
        if number not in names:
            reason = f"{key} has a clue {shorten(name)}, but no word {key.removeprefix('clues_')} has that number"
            raise document.error(f"{reason}; there are {', '.join(names) or 'none'}", (key, name))
    missing = [name for number, name in names.items() if number not in keys]
    if missing:
        raise document.error(f"clues are missing: of {', '.join(missing)}", (key,))
    return tuple(_clue(document, value[keys[number]], (key, keys[number])) for number in names)


def _clue(document: JsonDocument, value: Any, path: JsonPath) -> str:
    return "" if value is None else document.require_text(value, path, "clue", "a clue, a text").strip()


def _letters(document: JsonDocument, grid: str, columns: int) -> tuple[str, ...] | None:
    """Return the rows of the solution, which may be written with or without the blocks; None if it is not there."""
    value = document.value.get("letters")
    if value is None:
        return None
    letters: str = document.require(str, value, ("letters",), "the letters of the grid, row by row").upper()
    open_cells = sum(cell != BLOCK for cell in grid)
    if len(letters) == open_cells:
        rest = iter(letters)
        letters = "".join(BLOCK if cell == BLOCK else next(rest) for cell in grid)
    if len(letters) != len(grid):
        raise document.error(f"there are {count(len(letters), 'letter')} for {count(open_cells, 'cell')}", ("letters",))
    for cell, letter in zip(grid, letters, strict=True):
        if cell != BLOCK and not (letter.isascii() and letter.isalpha()):
            raise document.error(f"{shorten(letter)} in the letters is not one from A to Z", ("letters",))
    cells = "".join(BLOCK if cell == BLOCK else letter for cell, letter in zip(grid, letters, strict=True))
    return tuple(rows_of(cells, columns))


def clues_text(layout: CrosswordLayout, letters: str) -> str:
    """Return the text of a level with some letters in its grid."""
    parts = {"grid": json_text(rows_of(letters, layout.columns))}
    for key, clues in zip(("across", "down"), layout.clues, strict=True):
        parts[key] = json_lines(clues or ())
    if layout.solution is not None:
        parts["letters"] = json_text("".join(layout.solution))
    return json_object(parts)
