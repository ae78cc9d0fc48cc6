"""The text of a crossword with clues and no candidates: one JSON object.

    across, down     the clues, in the order of the numbers; or an object: {"1": "A clue", "4": ...}
    grid             rows of `.` empty, `#` block, or letters; by default five rows of five, all empty
    letters          the solution, if it is known: the letters of the grid row by row; no planner reads it

A clue that is null or empty is not known. `clues_across`, `clues_down` and `solution`, which files of other formats
become, are read, too.
"""

from __future__ import annotations

from unpuzzle.translators.crossword.level import Level
from unpuzzle.translators.crossword.slots import BLOCK, slots_of
from unpuzzle.words import count, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from unpuzzle.translators.crossword.json_places import Document
    from unpuzzle.translators.crossword.slots import Slot

KEYS = (("across", "clues_across"), ("down", "clues_down"))
CANDIDATES = ("horizontal_answers", "vertical_answers")


def is_clued(value: Any) -> bool:
    """Whether the JSON of a level is of this kind."""
    clued = any(key in value for keys in KEYS for key in keys)
    return clued and not any(key in value for key in CANDIDATES)


def clued_level(document: Document, letters: str, columns: int, solution: tuple[str, ...] | None) -> Level:
    """A level whose grid is read. Raises ParseError, with the place of what is wrong."""
    slots = slots_of(letters, columns)
    ways = [slot for slot in slots if slot.across], [slot for slot in slots if not slot.across]
    across, down = (_clues(document, keys, way) for keys, way in zip(KEYS, ways, strict=True))
    known = _letters(document, letters, columns)
    return Level(letters, columns, [()] * len(slots), (across, down), known or solution)


def _clues(document: Document, keys: tuple[str, str], slots: Sequence[Slot]) -> tuple[str, ...]:
    """The clues of one direction."""
    key = next((key for key in keys if key in document.value), None)
    names = ", ".join(slot.name for slot in slots)
    if key is None:
        if not slots:
            return ()
        raise document.error(f'clues are missing: there is no "{keys[0]}", a list of clues for {names}')
    value = document.value[key]
    if isinstance(value, dict):
        return _numbered(document, key, value, slots)
    clues = document.require(list, value, (key,), "a list of clues")
    if len(clues) != len(slots):
        message = (
            f"{key} has {count(len(clues), 'clue')}, but {count(len(slots), 'slot')} of the grid: {names or 'none'}"
        )
        raise document.error(message, (key, min(len(slots), len(clues) - 1)) if clues else (key,))
    return tuple(_clue(document, clue, (key, number)) for number, clue in enumerate(clues))


def _numbered(document: Document, key: str, value: dict[str, Any], slots: Sequence[Slot]) -> tuple[str, ...]:
    """Clues by number, which must be those of the grid."""
    found = {number.strip().rstrip(".ADad"): number for number in value}
    names = {slot.name[:-1]: slot.name for slot in slots}
    for number, told in found.items():
        if number not in names:
            said = f"{key} has a clue {shorten(told)}, but no word {key.removeprefix('clues_')} has that number"
            raise document.error(f"{said}; there are {', '.join(names) or 'none'}", (key, told))
    lacking = [name for number, name in names.items() if number not in found]
    if lacking:
        raise document.error(f"clues are missing: of {', '.join(lacking)}", (key,))
    return tuple(_clue(document, value[found[number]], (key, found[number])) for number in names)


def _clue(document: Document, value: Any, path: tuple[str | int, ...]) -> str:
    clue: str = "" if value is None else document.require(str, value, path, "a clue, a text")
    if any("\ud800" <= letter <= "\udfff" for letter in clue):
        raise document.error("this clue has half a character (a lone surrogate) in it", path)
    return clue.strip()


def _letters(document: Document, grid: str, columns: int) -> tuple[str, ...] | None:
    """The rows of the solution, which may be told with or without the blocks; None if it is not."""
    value = document.value.get("letters")
    if value is None:
        return None
    told: str = document.require(str, value, ("letters",), "the letters of the grid, row by row").upper()
    open_cells = sum(cell != BLOCK for cell in grid)
    if len(told) == open_cells:
        rest = iter(told)
        told = "".join(BLOCK if cell == BLOCK else next(rest) for cell in grid)
    if len(told) != len(grid):
        raise document.error(f"there are {count(len(told), 'letter')} for {count(open_cells, 'cell')}", ("letters",))
    for cell, letter in zip(grid, told, strict=True):
        if cell != BLOCK and not (letter.isascii() and letter.isalpha()):
            raise document.error(f"{shorten(letter)} in the letters is not one from A to Z", ("letters",))
    cells = "".join(BLOCK if cell == BLOCK else letter for cell, letter in zip(grid, told, strict=True))
    return tuple(cells[start : start + columns] for start in range(0, len(cells), columns))


def clued_text(level: Level, letters: str) -> str:
    """The text of such a level with some letters in its grid."""
    from unpuzzle.translators.crossword.text import json_lines, json_text

    rows = [letters[start : start + level.columns] for start in range(0, len(letters), level.columns)]
    across, down = level.clues
    parts = {"grid": json_text(rows), "across": json_lines(across or ()), "down": json_lines(down or ())}
    if level.solution is not None:
        parts["letters"] = json_text("".join(level.solution))
    return "{\n" + ",\n".join(f" {json_text(key)}: {value}" for key, value in parts.items()) + "\n}\n"
