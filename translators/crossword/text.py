"""The text of a crossword: one JSON object, the shape in which games with candidates are published.

    grid                 rows of `.` empty, `#` block, or letters; by default five rows of five, all empty
    horizontal_answers   lists of candidates of the words across, in the order of their numbers
    vertical_answers     and of those down
    clues_across, clues_down, solution    if they are there, they are kept; no move looks at them

With `across` and `down` instead, it is a crossword with clues and no candidates: see clued_text.py.

Other keys are passed over. Letters may be written in any case, and are upper case in what is written.
"""

from __future__ import annotations

import json

from unpuzzle.translators.crossword.clued_text import clued_level, is_clued
from unpuzzle.translators.crossword.json_places import Document
from unpuzzle.translators.crossword.level import LETTERS, Level
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, cell_names, slots_of
from unpuzzle.words import count, shorten, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from unpuzzle.translators.crossword.json_places import Path
    from unpuzzle.translators.crossword.slots import Slot

ANSWERS = ("horizontal_answers", "vertical_answers")
CLUES = ("clues_across", "clues_down")
OPEN = ["....."] * 5
MOST = 40
"""Rows and columns of a grid: newspapers print up to 25."""
SHOWN = 8
"""Of the candidates that fit nowhere, so many are named beside the first."""

LONGEST = 200
"""Characters of a line that is shown."""


class UnfitCandidate(UserWarning):
    """A list of candidates has some that can be written nowhere: the game is played without them."""


def read_level(text: str, source: str | None = None) -> tuple[Level, str]:
    """A level, and the letters in its grid row by row. Raises ParseError, with the place of what is wrong."""
    document = Document(text, source)
    if isinstance(document.value, list):
        raise document.error(f"this is a list of {count(len(document.value), 'game')}; a level is one of them")
    document.require(dict, document.value, (), 'an object: {"grid": ..., "horizontal_answers": ...}')
    letters, columns = _grid(document)
    if is_clued(document.value):
        return clued_level(document, letters, columns, _solution(document, letters, columns)), letters
    slots = slots_of(letters, columns)
    candidates = [_answers(document, name, ways) for name, ways in zip(ANSWERS, _ways(slots), strict=True)]
    across, down = (_clues(document, name, ways) for name, ways in zip(CLUES, _ways(slots), strict=True))
    solution = _solution(document, letters, columns)
    level = Level(letters, columns, [*candidates[0], *candidates[1]], (across, down), solution)
    if source is not None:
        _warn(document, level)
    return level, letters


def _ways(slots: Iterable[Slot]) -> tuple[list[Slot], list[Slot]]:
    """The slots across, and those down."""
    slots = list(slots)
    return [slot for slot in slots if slot.across], [slot for slot in slots if not slot.across]


# ---- grid


def _grid(document: Document) -> tuple[str, int]:
    """The letters row by row, and the number of columns."""
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


def _row(document: Document, value: Any, path: Path) -> str:
    row: str = document.require(str, value, path, "a row of the grid, such as '..#'").upper()
    wrong = next((letter for letter in row if letter not in LETTERS and letter not in (BLOCK, EMPTY)), None)
    if wrong is not None or not value.isascii():
        said = f"{shorten(wrong or value)} is no cell" if wrong != " " else "a blank is no cell"
        raise document.error(f"{said}: `.` is empty, `#` a block, A to Z a letter", path)
    return row


def _require_words_everywhere(document: Document, letters: str, columns: int) -> None:
    covered = {cell for slot in slots_of(letters, columns) for cell in slot.cells}
    for cell, letter in enumerate(letters):
        if letter == EMPTY and cell not in covered:
            name = cell_names(columns, len(letters))[cell]
            raise document.error(f"no word goes through the empty cell {name}", ("grid", cell // columns))


# ---- candidates, clues, solution


def _answers(document: Document, key: str, slots: list[Slot]) -> list[list[str]]:
    """The candidates of each slot of one direction."""
    if key not in document.value and slots:
        hint = suggestion(key, document.value)
        raise document.error(f'candidates are missing: there is no "{key}", a list of words for each slot{hint}')
    lists = document.require(list, document.value.get(key, []), (key,), "a list of lists of words")
    _require_as_many(document, lists, slots, key, "list")
    return [
        _words(document, words, slot, (key, number))
        for number, (words, slot) in enumerate(zip(lists, slots, strict=True))
    ]


def _require_as_many(document: Document, values: list[Any], slots: list[Slot], key: str, noun: str) -> None:
    """Refuses more values than slots, and fewer."""
    if len(values) == len(slots):
        return
    names = ", ".join(slot.name for slot in slots) or "none"
    message = f"{key} has {count(len(values), noun)}, but {count(len(slots), 'slot')} of the grid: {names}"
    raise document.error(message, (key, min(len(slots), len(values) - 1)) if values else (key,))


def _words(document: Document, value: Any, slot: Slot, path: Path) -> list[str]:
    words = document.require(list, value, path, f"the list of candidates of {slot.name}")
    if not words:
        raise document.error(f"the list of candidates of {slot.name} is empty", path)
    return [_word(document, word, slot, (*path, number)) for number, word in enumerate(words)]


def _word(document: Document, value: Any, slot: Slot, path: Path) -> str:
    """A candidate, which may be no word at all: letters of other alphabets stay as they are."""
    word: str = document.require(str, value, path, f"a word, for {slot.name}")
    _require_whole(document, word, "candidate", path)
    return word.upper() if word.isascii() else word


def _require_whole(document: Document, text: str, noun: str, path: Path) -> None:
    """Refuses a text that no file can hold."""
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise document.error(f"this {noun} has half a character (a lone surrogate) in it", path)


def _warn(document: Document, level: Level) -> None:
    """Warns of candidates that fit nowhere: of the first, with its place and the reason, and of some of the others."""
    unfit = list(level.unfit())
    if not unfit:
        return
    from warnings import warn_explicit

    slot, number, word = unfit[0]
    column = [other for other in level.slots if other.across == slot.across].index(slot)
    line, text = document.line((ANSWERS[not slot.across], column, number))
    named = [f"{shorten(other)} of {place.name}" for place, _, other in unfit[1 : SHOWN + 1]]
    more = [f"{len(unfit) - 1 - SHOWN} more"] if len(unfit) - 1 > SHOWN else []
    others = f"; nor do {', '.join([*named, *more])}" if len(unfit) > 1 else ""
    where = f" (line {line})" if len(text) > LONGEST else ""  # Python would show all of the line
    reason = (
        f"{shorten(word)}, a candidate of {slot.name}, is no word of {count(len(slot.cells), 'letter')} from A to Z"
    )
    sentence = f"{reason} and fits nowhere{others}{where}"
    warn_explicit(sentence, UnfitCandidate, document.source or "", 0 if where else line)


def _clues(document: Document, key: str, slots: list[Slot]) -> tuple[str, ...] | None:
    if key not in document.value:
        return None
    clues = document.require(list, document.value[key], (key,), "a list of clues")
    _require_as_many(document, clues, slots, key, "clue")
    for number, clue in enumerate(clues):
        document.require(str, clue, (key, number), "a clue, a text")
        _require_whole(document, clue, "clue", (key, number))
    return tuple(clues)


def _solution(document: Document, letters: str, columns: int) -> tuple[str, ...] | None:
    if "solution" not in document.value:
        return None
    value = document.require(list, document.value["solution"], ("solution",), "a list of rows")
    rows = tuple(_row(document, row, ("solution", number)) for number, row in enumerate(value))
    grid = [letters[start : start + columns] for start in range(0, len(letters), columns)]
    for number, (row, cells) in enumerate(zip(rows, grid, strict=False)):
        if len(row) != columns or any((a == BLOCK) != (b == BLOCK) for a, b in zip(row, cells, strict=True)):
            raise document.error(
                f"row {number + 1} of the solution has not the shape of the grid", ("solution", number)
            )
    if len(rows) != len(grid):
        raise document.error(f"the solution has {count(len(rows), 'row')}, the grid {len(grid)}", ("solution",))
    return rows


# ---- writing


def level_text(level: Level, letters: str) -> str:
    """The text of a level with some letters in its grid."""
    across, down = ([level.candidates[slot.name] for slot in slots] for slots in _ways(level.slots))
    rows = [letters[start : start + level.columns] for start in range(0, len(letters), level.columns)]
    return _text(rows, level.clues, (across, down), level.solution)


def sheet_text(
    rows: Sequence[str],
    clues: tuple[Sequence[str] | None, Sequence[str] | None],
    solution: Sequence[str] | None,
) -> str:
    """The text of a crossword that has clues, if any, and no candidates: which is not yet one of a level."""
    return _text(rows, clues, (), solution)


def _text(
    rows: Sequence[str],
    clues: Sequence[Sequence[str] | None],
    answers: Sequence[Sequence[Sequence[str]]],
    solution: Sequence[str] | None,
) -> str:
    parts = {"grid": json_text(rows)}
    parts.update({key: json_lines(listed) for key, listed in zip(CLUES, clues, strict=True) if listed is not None})
    parts.update({key: json_lines(lists) for key, lists in zip(ANSWERS, answers, strict=False)})
    if solution is not None:
        parts["solution"] = json_text(solution)
    return "{\n" + ",\n".join(f" {json_text(key)}: {value}" for key, value in parts.items()) + "\n}\n"


def json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def json_lines(values: Sequence[Any]) -> str:
    """A list with each value on a line of its own."""
    lines = ",\n".join(f"  {json_text(value)}" for value in values)
    return f"[\n{lines}\n ]" if lines else "[]"
