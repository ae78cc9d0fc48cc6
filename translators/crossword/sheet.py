"""A crossword as it is printed, and what the readers of files share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from unpuzzle.errors import DependencyMissing, ParseError
from unpuzzle.translators.crossword.grid_text import json_lines, json_object, json_text
from unpuzzle.translators.crossword.layout import LETTERS
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, by_direction, cell_names, slots_of
from unpuzzle.words import cut, shorten

WAYS = {"A": "Across", "D": "Down"}
"""By the end of a slot's name, what its direction is called in files."""


@dataclass(frozen=True)
class Sheet:
    """A crossword as it is printed.

    Attributes:
        rows: rows of `.` empty, `#` block, and letters that are written in.
        clues: by name of slot, such as `1A`; those of all slots, or none.
        solution: rows of letters and blocks; None if the file has none, or keeps it locked.
        title, author: empty if the file has none.

    Raises ParseError, with `source` as the file, where clues and slots do not go together.
    """

    rows: tuple[str, ...]
    clues: Mapping[str, str] = field(hash=False)
    solution: tuple[str, ...] | None = None
    title: str = ""
    author: str = ""
    source: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        names = [slot.name for slot in self.slots]
        for name in self.clues:
            if name not in names:
                number, way = name[:-1], WAYS[name[-1]].lower()
                raise ParseError(f"there is a clue {number} {way}, but no word {way} of that number", file=self.source)
        missing = [name for name in names if name not in self.clues]
        if self.clues and missing:
            raise ParseError(f"clues are missing: of {', '.join(missing)}", file=self.source)
        object.__setattr__(self, "clues", {name: self.clues[name] for name in names if name in self.clues})

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots of the grid."""
        return slots_of("".join(self.rows), len(self.rows[0]))

    def text(self) -> str:
        """Return the crossword as the text of a level: of the game `crossword-clues`, where there are clues."""
        parts = {"grid": json_text(self.rows)}
        if self.clues:
            for key, slots in zip(("clues_across", "clues_down"), by_direction(self.slots), strict=True):
                parts[key] = json_lines([self.clues[slot.name] for slot in slots])
        if self.solution is not None:
            parts["solution"] = json_text(self.solution)
        return json_object(parts)


def library(name: str, distribution: str) -> Any:
    """Return a module of another distribution. Raises DependencyMissing where it is not installed."""
    from importlib import import_module
    from importlib.util import find_spec

    if find_spec(name) is None:
        message = f"these files need {distribution}: pip install 'unpuzzle[words]'"
        raise DependencyMissing(message, dependency=distribution)
    return import_module(name)


def letter_of(cell: str) -> str:
    """Return the content of a cell, if it is one letter or a block; else an empty cell."""
    return cell if cell in LETTERS or cell in (BLOCK, EMPTY) else EMPTY


def require_letters(cells: list[str], width: int, source: str | None) -> None:
    """Refuse a solution in which a cell has anything but one letter."""
    for place, cell in enumerate(cells):
        if cell not in LETTERS and cell not in (BLOCK, EMPTY):
            name = cell_names(width, len(cells))[place]
            raise ParseError(
                f"the solution has {shorten(cell)} in {name}, which is not one letter from A to Z", file=source
            )


def split(cells: Any, width: int) -> list[Any]:
    """Return a sequence cut into pieces of equal length."""
    return [cells[start : start + width] for start in range(0, len(cells), width)]


def said_by(error: Exception) -> str:
    """Return the message of a library's error, cut short."""
    return cut(str(error) or str(getattr(error, "message", "")) or type(error).__name__, 100)
