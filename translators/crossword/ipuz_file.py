"""`.ipuz`, an open format of puzzles in JSON: cells with their numbers, clues by direction, perhaps a solution."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.translators.crossword.sheet import WAYS, Sheet, letter_of, library, require_letters, said_by, split
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, cell_names, rows_of, slots_of, starts
from unpuzzle.words import shorten

IPUZ_VERSION, IPUZ_KIND = "http://ipuz.org/v2", "http://ipuz.org/crossword#1"


def read_ipuz(data: bytes, source: str | None = None) -> Sheet:
    """Return the crossword of an `.ipuz` file. Raises ParseError for other files, DependencyMissing without ipuz."""
    ipuz = library("ipuz", "ipuz")
    try:
        content = ipuz.read(data.decode("utf-8-sig").strip(), puzzlekinds=[IPUZ_KIND, "http://ipuz.org/crossword"])
    except Exception as error:  # whatever a broken file makes the library stumble over
        raise ParseError(f"this is no .ipuz file of a crossword: {said_by(error)}", file=source) from None
    block, empty = content.get("block", "#"), content.get("empty", 0)
    width = _require_rectangle(content["puzzle"], "puzzle", source)
    labels = [_inner(cell, "cell") for row in content["puzzle"] for cell in row]
    shape = "".join(BLOCK if label in (block, None) else EMPTY for label in labels)
    _require_numbers(labels, shape, width, (empty, 0, "", "0"), source)
    values = [_inner(cell, "value") if isinstance(cell, dict) else None for row in content["puzzle"] for cell in row]
    saved = _grid(content.get("saved"), shape, width, source) or shape
    letters = [value if isinstance(value, str) else cell for value, cell in zip(values, saved, strict=True)]
    rows = tuple(rows_of("".join(letter_of(cell.upper()) for cell in letters), width))
    solution = _grid(content.get("solution"), shape, width, source)
    known = tuple(rows_of(solution, width)) if solution and EMPTY not in solution else None
    clues = dict(_ipuz_clues(content.get("clues") or {}, source))
    about = {name: str(content.get(name, "")) for name in ("title", "author")}
    return Sheet(rows, clues, known, **about, source=source)


def ipuz_text(sheet: Sheet) -> str:
    """Return the contents of an `.ipuz` file with a crossword."""
    ipuz = library("ipuz", "ipuz")
    width, numbers = len(sheet.rows[0]), starts(sheet.slots)
    cells = ["#" if cell == BLOCK else numbers.get(place, 0) for place, cell in enumerate("".join(sheet.rows))]
    letters = [0 if cell == EMPTY else cell for cell in "".join(sheet.rows)]
    content: dict[str, Any] = {
        "version": IPUZ_VERSION,
        "kind": [IPUZ_KIND],
        "dimensions": {"width": width, "height": len(sheet.rows)},
        "puzzle": split(cells, width),
        "saved": split(letters, width),
    }
    if sheet.solution is not None:
        content["solution"] = [list(row) for row in sheet.solution]
    if sheet.clues:
        content["clues"] = {
            way: [[int(name[:-1]), clue] for name, clue in sheet.clues.items() if name.endswith(letter)]
            for letter, way in WAYS.items()
        }
    content.update({name: text for name, text in (("title", sheet.title), ("author", sheet.author)) if text})
    text: str = ipuz.write(content)
    return text + "\n"


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


def _require_numbers(labels: list[Any], shape: str, width: int, empty: tuple[Any, ...], source: str | None) -> None:
    """Refuse printed numbers that are not those of the grid."""
    numbers = starts(slots_of(shape, width))
    for cell, label in enumerate(labels):
        right = str(label) == str(numbers[cell]) if cell in numbers else label in empty
        if shape[cell] == EMPTY and not right:
            reason = f"should be numbered {numbers[cell]}" if cell in numbers else "begins no word"
            name = cell_names(width, len(shape))[cell]
            raise ParseError(f"{name} is labelled {shorten(str(label))}, but {reason}", file=source)


def _grid(grid: Any, shape: str, width: int, source: str | None) -> str | None:
    """Return the letters of a grid such as the solution, with `.` for empty cells; None if there is no grid."""
    if grid is None:
        return None
    if _require_rectangle(grid, "solution", source) != width or len(grid) * width != len(shape):
        raise ParseError("the solution has not the shape of the puzzle", file=source)
    values = [_inner(cell, "value") for row in grid for cell in row]
    letters = [
        BLOCK if kind == BLOCK else value.upper() if isinstance(value, str) and value.strip() else EMPTY
        for value, kind in zip(values, shape, strict=True)
    ]
    require_letters(letters, width, source)
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
