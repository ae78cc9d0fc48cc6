"""Crosswords as text: JSON, with candidates or with clues; `.xd`; and the text from which Across Lite makes its files.

grid        rows of `.` empty, `#` block, or letters and digits; by default five rows of five, all empty
solution    rows of letters and blocks
bars        rows of `|` a bar on the left of a cell, `-` above it, `+` both, `.` none
circles     rows of `o` a circle in a cell, `.` none
rebus       signs in the grid and the solution, with the text of the cell for each: {"1": "HEART"}
title, author, copyright, notes

Errors point at wrong values, although Python's JSON reader gives no places: only for a wrong value is the text, then
known to be JSON, read again up to its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from warnings import warn_explicit

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.text import corrected, count, shorten
from unpuzzle.translators.crossword.layout import (
    BLOCK,
    EMPTY,
    CrosswordLayout,
    Slot,
    blocks_of,
    by_direction,
    cell_names,
    is_letter,
    rows_of,
    slots_of,
    upper,
)
from unpuzzle.translators.shared.text import Page

JsonPath = tuple[str | int, ...]
"""The keys and numbers (from 0) of the path to a value."""
_BETWEEN = re.compile(r"[\s,:]*")
_DECODER = json.JSONDecoder()

OPEN = ["....."] * 5
MOST = 40
"""The largest number of rows and columns of a grid: newspapers print up to 25."""

CANDIDATE_KEYS = ("horizontal_answers", "vertical_answers")
CLUE_KEYS = (("across", "clues_across"), ("down", "clues_down"))
"""For each direction, the key of its clues, and the key used for it beside candidates and in other programs."""
GAMES = {
    "crossword": ("game", "lists of candidates", '{"grid": ..., "horizontal_answers": ...}'),
    "crossword-clues": ("crossword", "clues and no candidates", '{"grid": ..., "across": ..., "down": ...}'),
}
"""By game, what one of several levels is called, what a level has, and the shape of its text."""
ABOUT = ("title", "author", "copyright", "notes")
OPTIONAL_KEYS = frozenset("grid solution letters bars circles rebus clues_across clues_down".split())
KINDS = "crosswords are read from .puz, .ipuz, .xd, .txt for Across Lite, and JSON"
Sheet = tuple[CrosswordLayout, str]
"""A layout, and the letters that are written in, row by row."""
WAYS = {"A": "Across", "D": "Down"}
"""By the last letter of a slot's name, the name of its direction in files."""
SIDES = {"|": ("left",), "-": ("top",), "+": ("left", "top")}
"""By the sign of bars, the sides of the cell that have one."""
SIGNS = "1234567890" + "".join(map(chr, range(0x2460, 0x24B6)))
"""The signs that replace the texts of cells: digits that the grid does not have, and signs such as ①."""
Numbered = list[tuple[int, str]]
"""Lines with their numbers, without blanks around them; no blank lines."""
PARTS = ("metadata", "grid", "clues", "notes", "design")
HEADING = re.compile(r"##\s+(\w+)")  # `##CAT` is a row of the grid
FIELD = re.compile(r"([A-Za-z][\w -]*):\s*(.*)")
CLUE = re.compile(r"([A-Z]?)(\d+)\.\s*(.*)")
ABOUT_CLUE = re.compile(r"[A-Z]?\d+ \^")
NO_LETTER = re.compile(r"[\W_]")
MARKUP = re.compile(r"\{[/*_-]|[/*_-]\}")
TAG = re.compile(r"</?([A-Z][A-Z ]*?)(?: V\d+)?>", re.IGNORECASE)
ABOUT_TAGS = {"title": "TITLE", "author": "AUTHOR", "copyright": "COPYRIGHT", "notes": "NOTEPAD"}


class JsonDocument:
    """A JSON text: its `value`, and errors that point to a part of the text. Raises ParseError if it is not JSON."""

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
            raise self._page.error("the JSON of this level is nested too deeply") from None
        except ValueError:
            raise self._page.error("this level contains a number with too many digits") from None

    def error(self, message: str, path: JsonPath = ()) -> ParseError:
        """Return an error that points to a value in the text or, if it is missing, to the value around it."""
        before = self._text[: self._place(path)]
        return self._page.error(message, before.count("\n") + 1, len(before) - before.rfind("\n"))

    def _place(self, path: JsonPath) -> int:
        """Return where a value begins in the text; if the value is missing, where the value around it begins."""
        text, place = self._text, self._next(0)
        for step in path:
            inner, parts = self._next(place + 1), dict[str | int, int]()
            while text[place] in "[{" and text[inner] not in "]}":
                name: str | int = len(parts)
                if text[place] == "{":
                    name, end = _DECODER.raw_decode(text, inner)
                    inner = self._next(end)
                parts[name] = inner
                inner = self._next(_DECODER.raw_decode(text, inner)[1])
            if step not in parts:
                break
            place = parts[step]
        return place

    def _next(self, place: int) -> int:
        """Return the index in the JSON text, from `place` on, at which the next value or bracket begins."""
        return _BETWEEN.match(self._text, place).end()  # type: ignore[union-attr]

    def require(self, kind: type, value: Any, path: JsonPath, what: str) -> Any:
        """Return a value if it has the required type. Raises ParseError, which says that `what` is expected."""
        if type(value) is not kind:
            raise self.error(f"{shorten(json.dumps(value), 30)} must be {what}", path)
        return value

    def require_text(self, value: Any, path: JsonPath, noun: str, what: str) -> str:
        """Return a value if it is a text without surrogates; errors call it `noun`, or say that `what` is expected."""
        text: str = self.require(str, value, path, what)
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise self.error(f"this {noun} has half a character (a lone surrogate) in it", path)
        return text

    def require_list(self, key: str, slots: Sequence[Slot], noun: str, what: str) -> list[Any]:
        """Return the list under a key, with a value for each slot; errors call a value `noun` and the list `what`."""
        values: list[Any] = self.require(list, self.value.get(key, []), (key,), what)
        if len(values) != len(slots):
            names = ", ".join(slot.name for slot in slots) or "none"
            message = f"{key} has {count(len(values), noun)}, but the grid has {count(len(slots), 'slot')}: {names}"
            raise self.error(message, (key, min(len(slots), len(values) - 1)) if values else (key,))
        return values


def game_of(value: Any) -> str | None:
    """Return the game to whose levels the keys of a JSON object belong; None if there is no such game."""
    keys = value.keys() if isinstance(value, dict) else set()
    if not keys.isdisjoint(CANDIDATE_KEYS):
        return "crossword"
    return None if all(map(keys.isdisjoint, CLUE_KEYS)) else "crossword-clues"


def read_level(text: str, source: str | None, game: str) -> tuple[JsonDocument, str, CrosswordLayout]:
    """Read a level from JSON; return its document, the letters of its grid, and its layout without clues.

    Raises ParseError for other texts, for lists of levels, and for levels of the other game.
    """
    noun, _, shape = GAMES[game]
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
    if (other := game_of(document.value) or game) != game:
        raise document.error(f"this crossword has {GAMES[other][1]}: it is a level of the game {other}")
    return document, *_grid_and_layout(document)


def _grid_and_layout(document: JsonDocument) -> tuple[str, CrosswordLayout]:
    """Return the letters of the grid, row by row, and the layout without clues. Raises ParseError."""
    rebus = _rebus(document)
    rows = _rows(document, "grid", rebus)
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
    solution = _solution(document, rows, rebus)
    texts = [(key, value) for key in ABOUT if isinstance(value := document.value.get(key), str) and value]
    about = tuple([(key, document.require_text(text, (key,), key, "a text")) for key, text in texts])
    signs = tuple(rebus.items())
    return letters, CrosswordLayout(blocks_of(letters), columns, (), solution, bars, circles, signs, about)


def _rebus(document: JsonDocument) -> dict[str, str]:
    """Map each sign, a single character that stands for a cell with several letters (rebus), to the cell's letters."""
    value = document.require(dict, document.value.get("rebus", {}), ("rebus",), "an object of signs and texts")
    for sign, text in value.items():
        if len(sign) != 1 or not sign.isprintable() or sign in (BLOCK, EMPTY, " ") or upper(sign) != sign:
            form = "it is one character, but not a block, a blank or a small letter"
            raise document.error(f"{shorten(sign)} is not a sign for a rebus: {form}", ("rebus", sign))
        if not document.require_text(text, ("rebus", sign), "rebus", "the text of a cell").strip():
            raise document.error(f"the rebus {shorten(sign)} has no text", ("rebus", sign))
    return {sign: str(text) for sign, text in value.items()}


def _marks(document: JsonDocument, key: str, signs: str, rows: Sequence[str]) -> str:
    """Return the rows under a key, such as `bars`, as one text with a sign for each cell; empty without signs."""
    if key not in document.value:
        return ""
    value = document.require(list, document.value[key], (key,), "a list of rows")
    for number, row in enumerate(value):
        document.require(str, row, (key, number), f"a row of {key}")
        if number >= len(rows) or len(row) != len(rows[0]) or not set(row) <= {EMPTY, *signs}:
            message = f"a row of {key} must have one of {' '.join(signs)} or `.` for each cell"
            raise document.error(message, (key, number))
    if len(value) != len(rows):
        raise document.error(f"{key} has {count(len(value), 'row')}, but the grid has {len(rows)}", (key,))
    return "".join(value) if any(row.strip(EMPTY) for row in value) else ""


def _rows(document: JsonDocument, key: str, rebus: Collection[str]) -> list[str]:
    """Return the rows of letters under a key: the grid or the solution. Raises ParseError for impossible cells."""
    value = document.require(list, document.value.get(key, OPEN), (key,), "a list of rows")
    what = "a row of the grid, such as '..#'"
    rows = [upper(document.require(str, row, (key, number), what)) for number, row in enumerate(value)]
    for number, row in enumerate(rows):
        for cell in row:
            if not is_letter(cell) and cell not in (BLOCK, EMPTY, *rebus):
                wrong = f"{shorten(cell)} is not a cell" if cell != " " else "a blank is not a cell"
                form = "a cell must be `.` (empty), `#` (a block), a letter, a digit or a rebus"
                raise document.error(f"{wrong}: {form}", (key, number))
    return rows


def _solution(document: JsonDocument, grid: Sequence[str], rebus: Collection[str]) -> str:
    """Return the letters of a file's solution, row by row; empty if the file has none."""
    if "solution" not in document.value:
        return ""
    rows = _rows(document, "solution", rebus)
    for number, (row, cells) in enumerate(zip(rows, grid, strict=False)):
        if blocks_of(row) != blocks_of(cells):
            message = f"row {number + 1} of the solution does not have the shape of the grid"
            raise document.error(message, ("solution", number))
    if len(rows) != len(grid):
        raise document.error(f"the solution has {count(len(rows), 'row')}, but the grid has {len(grid)}", ("solution",))
    return "".join(rows)


def level_text(layout: CrosswordLayout, letters: str) -> str:
    """Return the JSON text of a level from its layout and the letters in its grid, which are given row by row."""
    has_lists = bool(layout.lists)
    grids = {"grid": letters, "bars": layout.bars, "circles": layout.circles}
    parts: dict[str, Any] = {key: rows_of(text, layout.columns) for key, text in grids.items() if text}
    parts |= ({"rebus": dict(layout.rebus)} if layout.rebus else {}) | dict(layout.about)
    directions, clue_of = by_direction(layout.slots), layout.clue_of
    texts = [tuple([clue_of[slot.name] for slot in slots]) for slots in directions]
    pairs = zip(CLUE_KEYS, texts, strict=True)
    parts |= {keys[has_lists]: clues for keys, clues in pairs if any(clues) or not has_lists}
    if has_lists:
        lists = [tuple([layout.candidates[slot.name] for slot in slots]) for slots in directions]
        parts |= zip(CANDIDATE_KEYS, lists, strict=True)
    if layout.solution:
        parts |= {"solution": rows_of(layout.solution, layout.columns)} if has_lists else {"letters": layout.solution}
    return "{\n" + ",\n".join([f' "{key}": {_value(part)}' for key, part in parts.items()]) + "\n}\n"


def _value(value: Any) -> str:
    items = [json.dumps(item, ensure_ascii=False) for item in value] if isinstance(value, tuple) else []
    return "[\n  " + ",\n  ".join(items) + "\n ]" if items else json.dumps(value, ensure_ascii=False)


# All readers of other formats use `sheet_of`: a crossword as printed, from the texts of its cells. A cell contains one
# letter or digit, or any other text, a *rebus*: then a sign replaces it in the grid.


class PartLeftOut(UserWarning):
    """A warning that a part of a file was not read."""


def warn_left_out(what: str, source: str | None, line: int = 1) -> None:
    if source is not None:
        warn_explicit(what, PartLeftOut, source, line)


def sheet_of(
    width: int,
    grid: Sequence[str],
    solution: Sequence[str] | None,
    clues: Mapping[str, str],
    about: Mapping[str, str],
    source: str | None = None,
    bars: str = "",
    circles: str = "",
) -> Sheet:
    """Return the crossword with the given texts of cells; a sign replaces each text of several letters (rebus).

    Raises ParseError for texts that cannot be printed, and clues for other words; UnsupportedFeature
    for more texts than there are signs.
    """
    both = [[upper(cell.strip()) or " " for cell in cells] for cells in (solution or (), grid)]
    for name, cell in zip(cell_names(width, len(grid)), both[0], strict=False):
        if not cell.isprintable() or cell == " ":
            raise ParseError(f"the solution has {shorten(cell)} in {name}, which is not a text", file=source)
    if len(placeholder := {*both[0]} - {BLOCK}) == 1 and placeholder < {*"X?-"}:
        both[0] = []
    both[1] = [cell if cell.isprintable() and cell != " " else EMPTY for cell in both[1]]
    kinds = dict.fromkeys(cell for cells in both for cell in cells if cell not in (BLOCK, EMPTY))
    texts = [text for text in kinds if not is_letter(text)]
    signs = [sign for sign in SIGNS if sign not in kinds]
    if len(texts) > len(signs):
        message = f"this crossword has {count(len(texts), 'rebus', 'rebuses')}: up to {len(signs)} are supported"
        raise UnsupportedFeature(message, feature="rebus", file=source)
    sign_of = dict(zip(texts, signs, strict=False))
    answer, letters = ("".join([sign_of.get(cell, cell) for cell in cells]) for cells in both)
    rebus = tuple([(sign, text) for text, sign in sign_of.items()])
    texts_about = tuple([(name, text) for name in ABOUT if (text := about.get(name, ""))])
    names = [slot.name for slot in slots_of(letters, width, bars)]
    for name in clues:
        if name not in names:
            number, way = name[:-1], WAYS[name[-1]].lower()
            raise ParseError(f"there is a clue {number} {way}, but no word {way} of that number", file=source)
    missing = [name for name in names if name not in clues]
    if clues and missing:
        raise ParseError(f"clues are missing for {', '.join(missing)}", file=source)
    ordered = tuple([clues.get(name, "") for name in names])
    return CrosswordLayout(blocks_of(letters), width, ordered, answer, bars, circles, rebus, texts_about), letters


def texts_of(layout: CrosswordLayout, letters: str) -> list[str]:
    """Return the text of each cell of a grid: a letter, several letters (a rebus), a block, or an empty cell."""
    rebus = dict(layout.rebus)
    return [rebus.get(cell, cell) for cell in letters]


def circles_of(cells: Iterable[bool]) -> str:
    """Return a sign for each cell that says whether the cell has a circle; the text is empty if no cell has one."""
    signs = "".join(["o" if has_circle else EMPTY for has_circle in cells])
    return signs if signs.strip(EMPTY) else ""


def bars_of(lefts: Iterable[bool], aboves: Iterable[bool], width: int) -> str:
    """Return a sign for each cell that says where the cell has bars: left, above, or both; empty without bars."""
    cells = enumerate(zip(lefts, aboves, strict=True))
    pairs = [(left and cell % width > 0, above and cell >= width) for cell, (left, above) in cells]
    signs = "".join([".|-+"[left + 2 * above] for left, above in pairs])
    return signs if signs.strip(EMPTY) else ""


# An `.xd` file has parts, after blank lines or after `## NAME`, and clues such as `A1. It purrs ~ CAT`. Small letters
# are cells with a circle (`Special: circle`), bars are in a part `## Design`. The other text has parts after `<NAME>`,
# its clues in the order of their numbers, and points for blocks.


def read_xd(text: str, source: str | None = None) -> Sheet:
    """Return the crossword in an `.xd` text. Raises ParseError, and UnsupportedFeature for too many rebus cells."""
    parts = _parts(page := Page(text, source))
    fields = {match[1].lower(): match[2].strip() for _, line in parts["metadata"] if (match := FIELD.match(line))}
    rebus = dict(reversed([pair.strip(",").split("=", 1) for pair in re.findall(r"\S+=\S+", fields.get("rebus", ""))]))
    width = _width(page, parts["grid"])
    cells = [cell for _, row in parts["grid"] for cell in row]
    texts = [BLOCK if cell in "#_" else rebus.get(cell, cell) for cell in cells]
    bars, circles = _design(page, parts["design"], len(cells), width)
    if "special" in fields and not circles:
        circles = circles_of(map(str.islower, cells))
    grid = blocks_of(texts)
    slots = {slot.name: slot for slot in slots_of(grid, width, bars)}
    clues, answers = _clues(page, parts["clues"], slots)
    solution = _answered(page, answers, texts)
    unread = [name for name, text in fields.items() if text and name not in (*ABOUT, "rebus", "special")]
    unread += [shorten(line) for _, line in parts["metadata"] if not FIELD.match(line)]
    if unread := unread + [f"## {name}" for name, lines in parts.items() if lines and name not in PARTS]:
        warn_left_out(f"not read: {', '.join(unread)}", source)
    shown, known = grid if EMPTY not in texts else texts, None if EMPTY in solution else solution
    about = fields | {"notes": "\n".join([line for _, line in parts["notes"]])}
    return sheet_of(width, shown, known, clues, about, source, bars, circles)


def _parts(page: Page) -> dict[str, Numbered]:
    """Map each part of an `.xd` text, such as its clues, to its lines; headings or blank lines separate parts."""
    parts: dict[str, Numbered] = {name: [] for name in PARTS}
    part, is_named, is_comment, blanks = "metadata", False, False, 0
    for number, line in enumerate(page.lines, 1):
        text = line.strip()
        if is_comment or text.startswith("<!--"):
            is_comment = not text.endswith("-->")
        elif match := HEADING.match(text):
            part, is_named = match[1].lower(), True
        elif text:
            if not is_named:
                part = _next_part(part, text, blanks if parts[part] else 0)
            parts.setdefault(part, []).append((number, text))
        blanks = 0 if text else blanks + 1
    return parts


def _next_part(part: str, line: str, blanks: int) -> str:
    """Return the part to which a line of an `.xd` text belongs: the previous line's part or the next one."""
    is_clue = CLUE.match(line) or ABOUT_CLUE.match(line)
    if part == "metadata" and not FIELD.match(line):
        return "grid"
    if part == "grid" and (blanks or is_clue):
        return "clues"
    return "notes" if part == "clues" and blanks and not is_clue else part


def _width(page: Page, rows: Numbered) -> int:
    """Return the number of columns of a grid. Raises ParseError if there are no rows or their lengths differ."""
    if not rows:
        raise page.error("the crossword has no grid")
    width = len(rows[0][1])
    for place, (number, row) in enumerate(rows, 1):
        if len(row) != width:
            raise page.error(f"row {place} of the grid has {count(len(row), 'cell')}, but row 1 has {width}", number)
    return width


def _answered(page: Page, answers: Sequence[tuple[Slot, int, str]], texts: Sequence[str]) -> list[str]:
    """Return the texts of a grid's cells after answers are written in; warn about gaps and the first contradiction."""
    cells, wrong, line = list(texts), "", 1
    for slot, number, answer in answers:
        there = [upper(cells[cell]) for cell in slot.cells]
        said, line = NO_LETTER.sub("", upper(answer)), number if not wrong else line
        if EMPTY in there and len(said) == len(there):
            there = [new if cell == EMPTY else cell for cell, new in zip(there, said, strict=True)]
        if NO_LETTER.sub("", "".join(there)) != said:
            wrong = wrong or f"{shorten(answer)}, the answer of {slot.name}, contradicts the grid: it is left out"
        else:
            for cell, text in zip(slot.cells, there, strict=True):
                cells[cell] = text
    if answers and EMPTY in cells:
        wrong = wrong or "the answers are left out: they do not fill the grid"
    if wrong:
        warn_left_out(wrong, page.source, line)
    return list(texts) if wrong else cells


def _clues(
    page: Page, lines: Numbered, slots: Mapping[str, Slot]
) -> tuple[dict[str, str], list[tuple[Slot, int, str]]]:
    """Return the clue of each slot, and the answers with their lines in the text."""
    clues: dict[str, str] = {}
    answers = []
    for number, line in lines:
        if ABOUT_CLUE.match(line):
            continue
        match = CLUE.match(line)
        if match is None or match[1] not in ("A", "D"):
            raise page.error("this is not a clue across or down, such as `A1. It purrs ~ CAT`", number)
        name = f"{int(match[2][:9])}{match[1]}"
        if name not in slots or name in clues:
            why = "a second clue" if name in clues else "a clue, and no word,"
            raise page.error(f"there is {why} of {match[1]}{match[2]}", number)
        clue, mark, answer = f"{match[3]} ".rpartition(" ~ ")
        clues[name] = MARKUP.sub("", clue if mark else answer).strip()
        if mark and answer.strip():
            answers.append((slots[name], number, answer.strip()))
    return clues, answers


def _design(page: Page, lines: Numbered, size: int, width: int) -> tuple[str, str]:
    """Read the design part of an `.xd` text; return its bars and its circles, each as one text of signs for cells."""
    styles: dict[str, set[str]] = {}
    for names, style in [line.split("{", 1) for _, line in lines if "{" in line]:
        properties = re.split("[;}]", re.sub(r"\s", "", style.lower()))
        for name in set(re.split(r"[\s,]+", names)):
            styles.setdefault(name, set()).update(properties)
    rows = [(number, line) for number, line in lines if not re.search(r"[\s{}<>:;]", line)]
    cells = "".join([line for _, line in rows])
    if rows and (len(cells) != size or any(len(line) != width for _, line in rows)):
        raise page.error("the design must have as many rows and cells as the grid", rows[0][0])
    kinds = [styles.get(cell, set()) for cell in cells]
    bars = bars_of(["bar-left:true" in kind for kind in kinds], ["bar-top:true" in kind for kind in kinds], width)
    return bars, circles_of([not kind.isdisjoint({"background:circle", "background:shaded"}) for kind in kinds])


def write_xd(layout: CrosswordLayout, letters: str) -> str:
    """Return a crossword as the text of an `.xd` file."""
    width = layout.columns
    about, clues, solution = dict(layout.about), layout.clue_of, layout.solution
    fields = {**about, "notes": "", "rebus": " ".join([f"{sign}={text}" for sign, text in layout.rebus])}
    lines = ["## Metadata", "", *[f"{name.capitalize()}: {text}" for name, text in fields.items() if text]]
    lines += ["", "## Grid", "", *rows_of(solution or letters, width), "", "## Clues", ""]
    for slots in by_direction(layout.slots) if any(clues.values()) else ():
        for slot in slots:
            answer = f" ~ {''.join(texts_of(layout, slot.read(solution)))}" if solution else ""
            lines.append(f"{slot.name[-1]}{slot.number}. {clues[slot.name]}{answer}")
        lines.append("")
    if layout.bars or layout.circles:
        marks = list(zip(layout.bars or EMPTY * len(letters), layout.circles or EMPTY * len(letters), strict=True))
        kinds = dict(zip([kind for kind in dict.fromkeys(marks) if kind != (EMPTY, EMPTY)], "ABCDEFG", strict=False))
        lines += ["## Design", ""]
        for (bar, circle), letter in kinds.items():
            styles = [f"bar-{side}: true" for side in SIDES.get(bar, ())] + ["background: circle"] * (circle != EMPTY)
            lines.append(f"{letter} {{ {'; '.join(styles)} }}")
        lines += ["", *rows_of("".join([kinds.get(kind, EMPTY) for kind in marks]), width), ""]
    return "\n".join([*lines, *(["## Notes", "", about["notes"], ""] if "notes" in about else [])])


def read_across_lite(text: str, source: str | None = None) -> Sheet:
    """Return the crossword in a text for the program Across Lite. Raises ParseError that names the faulty line."""
    page = Page(text, source)
    parts: dict[str, Numbered] = {}
    lines: Numbered = []
    for number, line in enumerate(page.lines, 1):
        if match := TAG.fullmatch(line.strip()):
            lines = parts.setdefault(match[1].upper(), [])
        elif line.strip():
            lines.append((number, line.strip()))
    rows = parts.get("GRID", [])
    width = _width(page, rows)
    for number, line in parts.get("SIZE", []):
        if re.sub(r"\s", "", line.lower()) != f"{width}x{len(rows)}":
            raise page.error(f"the grid has the size {width}x{len(rows)}, but this line says {shorten(line)}", number)
    statements = [part.strip() for _, line in parts.get("REBUS", []) for part in line.split(";")]
    rebus = {part[0]: part.split(":")[1] for part in statements if part[1:2] == ":"}
    cells = [cell for _, row in rows for cell in row]
    solution = [BLOCK if cell in ".:" else rebus.get(cell, cell) for cell in cells]
    grid = blocks_of(solution)
    clues: dict[str, str] = {}
    for key, slots in zip(("ACROSS", "DOWN"), by_direction(slots_of(grid, width)), strict=True):
        given = parts.get(key, [])
        if len(given) != len(slots) and any(map(parts.get, ("ACROSS", "DOWN"))):
            message = f"there are {count(len(given), 'clue')} for {count(len(slots), 'word')} {key.lower()}"
            raise page.error(message, given[min(len(slots), len(given) - 1)][0] if given else 1)
        clues |= {slot.name: clue for slot, (_, clue) in zip(slots, given, strict=False)}
    is_marked = any(part.upper() == "MARK" for part in statements)
    circles = circles_of([is_marked and cell.islower() for cell in cells])
    about = {name: "\n".join([line for _, line in parts.get(tag, [])]) for name, tag in ABOUT_TAGS.items()}
    return sheet_of(width, grid, solution, clues, about, source, "", circles)
