"""A crossword with clues and no candidates: nothing is known for certain, so it has no moves and no PDDL.

Its solution is guessed by the planner `clues`. All that wants moves, a goal or PDDL is refused in a sentence.
"""

from __future__ import annotations

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.puzzle.capabilities import Clued
from unpuzzle.translators.crossword.rules import Crossword

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn, Self


class CluedCrossword(Crossword, Clued):
    """A level with clues, and the letters in its grid, row by row."""

    __slots__ = ()

    planner = "clues"

    def __str__(self) -> str:
        from unpuzzle.translators.crossword.clued_text import clued_text

        return clued_text(self.level, self.letters)

    @property
    def columns(self) -> int:
        return self.level.columns

    def clued_slots(self) -> list[tuple[str, tuple[int, ...], str]]:
        """See `unpuzzle.puzzle.capabilities.Clued`."""
        across, down = self.level.clues
        clues = [*(across or ()), *(down or ())]
        return [(slot.name, tuple(slot.cells), clue) for slot, clue in zip(self.level.slots, clues, strict=True)]

    def filled(self, line: str) -> Self:
        """The position with these letters, rows joined by `/`."""
        return type(self)(self.level, line.replace("/", ""))

    def _refuse(self, *_: Any) -> NoReturn:
        raise UnsupportedFeature(
            "this crossword has clues and no candidates, so it has no moves and no PDDL: "
            "solve it, which is guessing, with the planner clues",
            feature="crossword without candidates",
        )

    def moves(self) -> NoReturn:
        self._refuse()

    def apply(self, move: str) -> NoReturn:
        self._refuse()

    def solved(self) -> bool:
        """Nobody can tell."""
        return False

    def impossible(self) -> None:
        return None

    def constraints(self) -> NoReturn:
        self._refuse()

    def moves_to(self, solution: Mapping[str, Any]) -> NoReturn:
        self._refuse()

    def writings(self, consistent: bool) -> NoReturn:
        self._refuse()

    def task(self) -> NoReturn:
        self._refuse()

    def atoms(self) -> NoReturn:
        self._refuse()

    def facts(self) -> NoReturn:
        self._refuse()
