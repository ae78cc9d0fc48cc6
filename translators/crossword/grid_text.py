"""The common parts of the JSON of crosswords, with candidates or with clues: grid, solution, lists for the slots.

grid        rows of `.` empty, `#` block, or letters and digits; by default five rows of five, all empty
solution    rows of letters and blocks
bars        rows of `|` a bar on the left of a cell, `-` above it, `+` both, `.` none
circles     rows of `o` a circle in a cell, `.` none
rebus       signs in the grid and the solution, with the text of the cell for each: {"1": "HEART"}
title, author, copyright, notes

Errors point at wrong values, although Python's JSON reader gives no places: a text is read with it, and only for a
wrong value the text, then known to be JSON, is searched again for its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import corrected, count, shorten
from unpuzzle.translators.crossword.layout import CrosswordLayout, blocks_of
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, cell_names, is_letter, rows_of, slots_of, upper
from unpuzzle.translators.shared.text import Page

JsonPath = tuple[str | int, ...]
"""The keys and numbers (from 0) of the path to a value."""
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^][{}:,"\s]+')

OPEN = ["....."] * 5
MOST = 40
"""The largest number of rows and columns of a grid: newspapers print up to 25."""

CANDIDATE_KEYS = ("horizontal_answers", "vertical_answers")
PRINTED_CLUE_KEYS = ("clues_across", "clues_down")
CLUE_KEYS = tuple(zip(("across", "down"), PRINTED_CLUE_KEYS, strict=True))
"""For each direction, the key of its clues, and the key used for it in files of other formats."""
ABOUT = ("title", "author", "copyright", "notes")
OPTIONAL_KEYS = frozenset(["grid", "solution", "letters", "bars", "circles", "rebus", *PRINTED_CLUE_KEYS])
KINDS = "crosswords are read from .puz, .ipuz, .xd, .txt for Across Lite, and JSON"


class JsonDocument:
    """A JSON text: its `value`, and errors that point to its parts. Raises ParseError for a text that is not JSON."""

    def __init__(self, text: str, source: str | None = None) -> None:
        self.source: str | None = source
        self._page = Page(text, source)
        self._text = "\n".join(self._page.lines)
        try:
            self.value: Any = json.loads(self._text)
        except json.JSONDecodeError as error:
            message = f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}"
            raise self._page.error(message, error.lineno, error.colno) from None
        except RecursionError:
            raise self._page.error("this is nested too deeply for a level") from None
        except ValueError:
            raise self._page.error("a number has too many digits") from None

    def error(self, message: str, path: JsonPath = ()) -> ParseError:
        """Return an error that points to a value or, if the value is missing, to the innermost value around it."""
        return self._page.error(message, *self._place(path))

    def line(self, path: JsonPath) -> tuple[int, str]:
        """Return the number, from 1, and the text of the line on which a value begins."""
        number = self._place(path)[0]
        return number, self._page.lines[number - 1]

    def _place(self, path: JsonPath) -> tuple[int, int]:
        places = _places(self._text)
        while path not in places:
            path = path[:-1]
        before = self._text[: places[path]]
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1

    def require(self, kind: type, value: Any, path: JsonPath, what: str) -> Any:
        """Return a value if it has the given type; otherwise raise ParseError with the description `what`."""
        if type(value) is not kind:
            raise self.error(f"{shorten(json.dumps(value), 30)} must be {what}", path)
        return value

    def require_text(self, value: Any, path: JsonPath, noun: str, what: str) -> str:
        """Return a text if it has no half characters (surrogates); `noun` and `what` describe the text in errors."""
        text: str = self.require(str, value, path, what)
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise self.error(f"this {noun} has half a character (a lone surrogate) in it", path)
        return text

    def require_list(self, key: str, slots: Sequence[Slot], noun: str, what: str) -> list[Any]:
        """Return the list at a key, with a value for each slot; `noun` and `what` describe a value and the list in
        errors.
        """
        values: list[Any] = self.require(list, self.value.get(key, []), (key,), what)
        if len(values) != len(slots):
            names = ", ".join(slot.name for slot in slots) or "none"
            message = f"{key} has {count(len(values), noun)}, but the grid has {count(len(slots), 'slot')}: {names}"
            raise self.error(message, (key, min(len(slots), len(values) - 1)) if values else (key,))
        return values


def _places(text: str) -> dict[JsonPath, int]:
    """Return, for each value of a JSON text, the position at which the value begins."""
    places: dict[JsonPath, int] = {}
    path: list[str | int] = []
    key = ""
    awaits_key = False
    for match in TOKEN.finditer(text):
        token = match.group()
        if awaits_key and token[0] == '"':
            key, awaits_key = json.loads(token), False
        elif token == ":":
            path[-1] = key
        elif token == ",":
            if isinstance(path[-1], int):
                path[-1] += 1
            else:
                awaits_key = True
        elif token in "]}":
            path.pop()
            awaits_key = False
        else:
            places[tuple(path)] = match.start()
            if token in "[{":
                path.append(0 if token == "[" else "")
                awaits_key = token == "{"
    return places


def has_candidates(text: str) -> bool:
    """Return whether a text is the JSON of a crossword with lists of candidates."""
    return not _keys(text).isdisjoint(CANDIDATE_KEYS)


def has_only_clues(text: str) -> bool:
    """Return whether a text is the JSON of a crossword with clues and no candidates."""
    keys = _keys(text)
    return keys.isdisjoint(CANDIDATE_KEYS) and any(not keys.isdisjoint(names) for names in CLUE_KEYS)


def _keys(text: str) -> set[str]:
    """Return the keys of a JSON object; an empty set for other texts."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return set()
    return set(value) if isinstance(value, dict) else set()


def read_object(text: str, source: str | None, noun: str, shape: str) -> JsonDocument:
    """Return the document of one level, a JSON object. Raises ParseError for other texts, and for lists of levels."""
    if text.lstrip("\ufeff \t\r\n")[:1] in ("", "<"):
        raise Page(text, source).error(f"this is not a crossword in a known format: {KINDS}", 1)
    document = JsonDocument(text, source)
    if isinstance(document.value, list):
        raise document.error(f"this is a list of {count(len(document.value), noun)}; give one of them as a level")
    document.require(dict, document.value, (), f"an object: {shape}")
    for key in sorted(document.value.keys() - OPTIONAL_KEYS):
        small = key.lower()
        if (meant := small if small in OPTIONAL_KEYS else corrected(small, OPTIONAL_KEYS)) is not None:
            raise document.error(f"there is no key {shorten(key)} here, did you mean '{meant}'?", (key,))
    return document


def read_common(document: JsonDocument) -> tuple[str, CrosswordLayout]:
    """Return the letters of the grid, row by row, and its layout without clues."""
    rebus = _rebus(document)
    signs = "".join(rebus)
    value = document.require(list, document.value.get("grid", OPEN), ("grid",), "a list of rows")
    rows = [_row(document, row, ("grid", number), signs) for number, row in enumerate(value)]
    if not 0 < len(rows) <= MOST or len(rows[0]) > MOST:
        raise document.error(f"a grid must have 1 to {MOST} rows, with at most {MOST} cells each", ("grid",))
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            message = f"row {number + 1} has {count(len(row), 'cell')}, but row 1 has {len(rows[0])}"
            raise document.error(message, ("grid", number))
    letters, columns = "".join(rows), len(rows[0])
    bars, circles = _marks(document, "bars", "|-+", rows), _marks(document, "circles", "o", rows)
    slots = slots_of(letters, columns, bars)
    if not slots:
        raise document.error("the grid has no place for a word of two letters", ("grid",))
    covered = {cell for slot in slots for cell in slot.cells}
    for cell, name in enumerate(cell_names(columns, len(letters))):
        if letters[cell] == EMPTY and cell not in covered:
            raise document.error(f"no word goes through the empty cell {name}", ("grid", cell // columns))
    solution = _solution(document, rows, signs)
    texts = [(key, value) for key in ABOUT if isinstance(value := document.value.get(key), str) and value]
    about = tuple([(key, document.require_text(text, (key,), key, "a text")) for key, text in texts])
    return letters, CrosswordLayout(
        blocks_of(letters), columns, (None, None), solution, bars, circles, tuple(rebus.items()), about
    )


def _rebus(document: JsonDocument) -> dict[str, str]:
    """Return a map from signs to the texts of cells; a sign is a single character that stands for a cell's text."""
    value = document.require(dict, document.value.get("rebus", {}), ("rebus",), "an object of signs and texts")
    for sign, text in value.items():
        if len(sign) != 1 or not sign.isprintable() or sign in (BLOCK, EMPTY, " ") or upper(sign) != sign:
            form = "it is one character, but not a block, a blank or a small letter"
            raise document.error(f"{shorten(sign)} is not a sign for a rebus: {form}", ("rebus", sign))
        if not document.require_text(text, ("rebus", sign), "rebus", "the text of a cell").strip():
            raise document.error("a rebus needs some text", ("rebus", sign))
    return {sign: str(text) for sign, text in value.items()}


def _marks(document: JsonDocument, key: str, signs: str, rows: Sequence[str]) -> str:
    """Return the rows of signs under a key, such as `bars`, as one text; empty if there are no signs."""
    if key not in document.value:
        return ""
    value = document.require(list, document.value[key], (key,), "a list of rows")
    for number, row in enumerate(value):
        document.require(str, row, (key, number), f"a row of {key}")
        if number >= len(rows) or len(row) != len(rows[0]) or not set(row) <= {EMPTY, *signs}:
            raise document.error(
                f"a row of {key} must have one of {' '.join(signs)} or `.` for each cell", (key, number)
            )
    if len(value) != len(rows):
        raise document.error(f"{key} has {count(len(value), 'row')}, but the grid has {len(rows)}", (key,))
    marks = "".join(value)
    return marks if marks.strip(EMPTY) else ""


def _row(document: JsonDocument, value: Any, path: JsonPath, signs: str) -> str:
    row = upper(document.require(str, value, path, "a row of the grid, such as '..#'"))
    wrong = next((letter for letter in row if not is_letter(letter) and letter not in (BLOCK, EMPTY, *signs)), None)
    if wrong is not None:
        cell = f"{shorten(wrong)} is not a cell" if wrong != " " else "a blank is not a cell"
        raise document.error(f"{cell}: a cell must be `.` (empty), `#` (a block), a letter, a digit or a rebus", path)
    return row


def _solution(document: JsonDocument, grid: Sequence[str], signs: str) -> tuple[str, ...] | None:
    """Return the rows of the solution, which must have the blocks of the grid; None without a solution."""
    if "solution" not in document.value:
        return None
    value = document.require(list, document.value["solution"], ("solution",), "a list of rows")
    rows = tuple(_row(document, row, ("solution", number), signs) for number, row in enumerate(value))
    for number, (row, cells) in enumerate(zip(rows, grid, strict=False)):
        if len(row) != len(cells) or any((a == BLOCK) != (b == BLOCK) for a, b in zip(row, cells, strict=True)):
            message = f"row {number + 1} of the solution does not have the shape of the grid"
            raise document.error(message, ("solution", number))
    if len(rows) != len(grid):
        raise document.error(f"the solution has {count(len(rows), 'row')}, but the grid has {len(grid)}", ("solution",))
    return rows


def common_parts(layout: CrosswordLayout, letters: str, clue_keys: Sequence[str]) -> dict[str, Any]:
    """Return the JSON parts of a layout by key: grid with some letters, marks, texts, and clues as tuples."""
    marks = {"grid": letters, "bars": layout.bars, "circles": layout.circles}
    parts: dict[str, Any] = {key: rows_of(text, layout.columns) for key, text in marks.items() if text}
    parts |= {"rebus": dict(layout.rebus)} if layout.rebus else {}
    clues = zip(clue_keys, layout.clues, strict=True)
    return parts | dict(layout.about) | {key: texts for key, texts in clues if texts is not None}


def clues_text(layout: CrosswordLayout, letters: str) -> str:
    """Return the text of a level with clues, and with some letters in its grid."""
    parts = common_parts(layout, letters, ("across", "down"))
    if layout.solution is not None:
        parts["letters"] = "".join(layout.solution)
    return json_object(parts)


def json_object(parts: dict[str, Any]) -> str:
    """Return an object as JSON text, with each key, and each item of a tuple, on a separate line."""
    texts = []
    for key, value in parts.items():
        items = [json.dumps(item, ensure_ascii=False) for item in value] if isinstance(value, tuple) else []
        lines = "[\n  " + ",\n  ".join(items) + "\n ]"
        texts.append(f' "{key}": {lines if items else json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(texts) + "\n}\n"
