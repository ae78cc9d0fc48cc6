"""Files `.puz` of Across Lite: grid, clues by number, and a solution, which may be locked. They need puzpy."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.extras import require
from unpuzzle.translators.crossword.sheet import PrintedCrossword, by_number, sheet_of
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, slots_of
from unpuzzle.words import count, cut

LATIN = "\xff"
"""The last letter that a cell of a file has room for."""


def _library() -> Any:
    """Return the module of puzpy. Raises DependencyMissing if it is not installed."""
    require("words", "these files need", "puz")
    return import_module("puz")


def read_puz(data: bytes, source: str | None = None) -> PrintedCrossword:
    """Return the crossword of a `.puz` file. Raises ParseError for other files, DependencyMissing without puzpy."""
    puz = _library()
    try:
        puzzle = puz.load(data)
        rebus = puzzle.rebus()
        texts = {cell: rebus.get_rebus_solution(cell) or "" for cell in rebus.get_rebus_squares()}
        fills = {cell: rebus.get_rebus_fill(cell) for cell in texts}
        circled = set(puzzle.markup().get_markup_squares(puz.GridMarkup.Circled))
    except Exception as error:  # whatever a broken file makes the library stumble over
        said = cut(str(error) or str(getattr(error, "message", "")) or type(error).__name__, 100)
        raise ParseError(f"this is not a .puz file: {said}", file=source) from None
    width, size = puzzle.width, len(puzzle.solution)
    if not size or size != width * puzzle.height or len(puzzle.fill) != size:
        raise ParseError("this .puz file has no grid", file=source)
    blocks = [letter == puzzle.blacksquare() for letter in puzzle.solution]
    solution = [BLOCK if blocks[cell] else texts.get(cell) or puzzle.solution[cell] for cell in range(size)]
    fill = [fills.get(cell) or letter for cell, letter in enumerate(puzzle.fill)]
    grid = [
        BLOCK if block else EMPTY if cell == puz.BLANKSQUARE else cell for cell, block in zip(fill, blocks, strict=True)
    ]
    shape = "".join([BLOCK if block else EMPTY for block in blocks])
    return sheet_of(
        width,
        grid,
        solution if puzzle.solution_state == puz.SolutionState.Unlocked else None,
        _clues(puzzle.clues, by_number(slots_of(shape, width)), source),
        source,
        circles="".join(["o" if cell in circled else EMPTY for cell in range(size)]),
        **{name: getattr(puzzle, name) for name in ("title", "author", "copyright", "notes")},
    )


def _clues(clues: list[str], slots: list[Slot], source: str | None) -> dict[str, str]:
    """Return the clues by slot; empty if all clues of the file are."""
    if len(clues) != len(slots):
        message = f"there are {count(len(clues), 'clue')} for {count(len(slots), 'word')} of the grid"
        raise ParseError(message, file=source)
    return {slot.name: clue for slot, clue in zip(slots, clues, strict=True)} if any(clues) else {}


def write_puz(sheet: PrintedCrossword) -> bytes:
    """Return the contents of a `.puz` file. Raises UnsupportedFeature for bars, which it cannot have."""
    puz = _library()
    if sheet.bars:
        raise UnsupportedFeature("a .puz file has no bars; an .ipuz file has them", feature="bars")
    puzzle = puz.Puzzle()
    puzzle.width, puzzle.height = sheet.width, len(sheet.rows)
    about = {name: getattr(sheet, name) for name in ("title", "author", "copyright", "notes")}
    grids = [
        sheet.texts(rows) for rows in (sheet.solution or [row.replace(EMPTY, "X") for row in sheet.rows], sheet.rows)
    ]
    if any(
        letter > LATIN for text in (*about.values(), *sheet.clues.values(), *grids[0], *grids[1]) for letter in text
    ):
        puzzle.set_version("2.0")  # in UTF-8; files of before are in Latin-1
    for name, text in about.items():
        setattr(puzzle, name, text)
    for cell, text in enumerate(grids[0]):
        if len(text) > 1 or not text.isalnum() or text > LATIN:
            puzzle.rebus().add_rebus_squares(*([cell], text) if text != BLOCK else ([], ""))
    blocks = {BLOCK: puz.BLACKSQUARE, EMPTY: puz.BLANKSQUARE}
    puzzle.solution, puzzle.fill = ("".join([blocks.get(text) or _short(text) for text in grid]) for grid in grids)
    if sheet.solution is None:
        puzzle.solution_state = puz.SolutionState.NotProvided
    puzzle.clues = [sheet.clues.get(slot.name, "") for slot in by_number(sheet.slots)]
    if sheet.circles:
        cells = [cell for cell, sign in enumerate(sheet.circles) if sign != EMPTY]
        puzzle.markup().set_markup_squares(cells, puz.GridMarkup.Circled)
    data: bytes = puzzle.tobytes()
    return data


def _short(text: str) -> str:
    """Return the one letter that a cell has where a rebus is in full elsewhere in the file."""
    return text[0] if text[0].isalnum() and text[0] <= LATIN else "X"
