"""Crosswords to write and read as files: from rows of texts, random ones, and the bytes of files of each format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from unpuzzle.base.errors import ParseError
from unpuzzle.translators.crossword.files import write_file
from unpuzzle.translators.crossword.grid_text import Sheet, bars_of, sheet_of
from unpuzzle.translators.crossword.layout import slots_of
from unpuzzle.translators.crossword.making import random_shape

Rows = Sequence[Sequence[str]]
CLUES = ("a", "ü", "“quoted”", "___ on a log", "Q & A <b>", "See 1-Across (3,2)", "1. a ~b")
REBUS = ("HEART", "7", "Ñ", "♥", "É", "10", "A/B")


def sheet(rows: Rows, clues: Mapping[str, str], solution: Rows | None = None, bars: str = "", circles: str = "",
          **about: str) -> Sheet:  # fmt: skip
    """Return a crossword from rows of cells, each a text of one character or more."""
    cells = [cell for row in rows for cell in row]
    answer = None if solution is None else [cell for row in solution for cell in row]
    return sheet_of(len(rows[0]), cells, answer, clues, about, None, bars, circles)


def random_sheet(rng: Random, bars: bool = False, given: bool = True) -> Sheet:
    """Return a random crossword of any shape, with letters, clues and a solution that mean nothing."""
    rows, columns = rng.randint(2, 6), rng.randint(2, 6)
    try:
        shape = random_shape(rng, rows, columns, rng.choice((0, 0, 1, 2, 4)), 6)
    except ParseError:
        shape = "." * (rows * columns)
    sides = ([bars and cell != "#" and rng.random() < 0.2 for cell in shape] for _ in range(2))
    signs = bars_of(*sides, columns)
    covered = {cell for slot in slots_of(shape, columns, signs) for cell in slot.cells}
    signs = signs if len(covered) == shape.count(".") else ""
    cells = [
        "#" if cell == "#" else rng.choice("ABCXYZ") if rng.random() < 0.8 else rng.choice(REBUS) for cell in shape
    ]
    clues = {name: rng.choice(CLUES) for name in names_of(shape, columns, signs)} if rng.random() < 0.8 else {}
    solution = cells if rng.random() < 0.7 else None
    written = [cell if cell == "#" or (given and rng.random() < 0.3) else "." for cell in cells]
    circles = "".join("." if cell == "#" else rng.choice("..o") for cell in shape) if rng.random() < 0.5 else ""
    about = {name: "Sun & Öl" for name in ("title", "author", "copyright", "notes") if rng.random() < 0.4}
    return sheet_of(columns, written, solution, clues, about, None, signs, circles)


def names_of(shape: str, columns: int, bars: str) -> list[str]:
    return [slot.name for slot in slots_of(shape, columns, bars)]


def puz_bytes(sheet: Sheet) -> bytes:
    return write_file(".puz", *sheet)


def ipuz_text(sheet: Sheet) -> str:
    return write_file(".ipuz", *sheet).decode()
