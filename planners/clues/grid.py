"""A crossword as the planner sees it: what it asks of a position, the slots, and the answers that it gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from unpuzzle.puzzle.position import Position


class CluedPosition(Protocol):
    """What the planner asks of a position: every game that names `clues` as its planner has such ones."""

    letters: str
    """Row by row: `.` an empty cell, `#` a block, or the letter that is there."""

    @property
    def columns(self) -> int:
        """The number of columns."""

    def clued_slots(self) -> Sequence[tuple[str, Sequence[int], str]]:
        """Return the slots: name, cells in the order of the word, clue; a clue that is not known is empty."""

    def with_letters(self, letters: str) -> Position:
        """Return the position with these letters in its grid, row by row."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for an answer: its name, its cells in the order of the word, and its clue, empty if it has none."""

    name: str
    cells: tuple[int, ...]
    clue: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a slot reads in the filled grid, how likely that is right, and what else it may be, likeliest first."""

    word: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Filling:
    """A filled grid: letters by cell, empty outside of slots; their confidence by cell; answers by name of slot."""

    letters: list[str]
    confidence: list[float]
    answers: dict[str, Answer]
