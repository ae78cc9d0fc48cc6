"""A crossword with clues and no candidates: its solution is guessed, by the planner `clues`.

    {"grid": ["...", "...", "..."],                           `.` empty, `#` a block, or a letter that is given
     "across": ["A feline", "A short poem", "Not dry"],       the clues of the words across, by their numbers
     "down": ["It gives milk", "A drink", "A new year"]}      and of those down

No rules say which words may be written, so such a level has no moves and no PDDL: what needs them is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar, NoReturn, Self

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.translators.crossword.grid_text import has_only_clues
from unpuzzle.translators.crossword.layout import CrosswordLayout
from unpuzzle.translators.crossword.letter_grid import LetterGrid
from unpuzzle.translators.crossword.slots import BLOCK, by_direction, rows_of, slots_of
from unpuzzle.translators.crossword_clues.text import clues_text, read_clues
from unpuzzle.translators.shared.level_file import levels_beside

CLUES = ("A beast", "A drink", "___ on a log", "Né", '"Not again!"', "")
"""Of random levels for tests, which mean nothing; an empty one is not known."""


class CrosswordClues(LetterGrid):
    """A position of a crossword with clues."""

    __slots__ = ()

    name = "crossword-clues"
    title = "Crossword with clues alone: guess the words, from dictionaries and from what crosses them"
    levels: ClassVar[Mapping[str, str]] = levels_beside(__file__)
    planner = "clues"
    siblings: tuple[str, ...] = ("crossword",)

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        return cls(*read_clues(text, source))

    @classmethod
    def reads(cls, text: str) -> bool:
        """Return whether a text is a crossword with clues and no candidates."""
        return has_only_clues(text)

    def __str__(self) -> str:
        return clues_text(self.layout, self.letters)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self.layout.columns

    def clued_slots(self) -> list[tuple[str, tuple[int, ...], str]]:
        """Return the slots: name, cells in the order of the word, clue; a clue that is not known is empty."""
        across, down = self.layout.clues
        clues = [*(across or ()), *(down or ())]
        return [(slot.name, tuple(slot.cells), clue) for slot, clue in zip(self.layout.slots, clues, strict=True)]

    def with_letters(self, letters: str) -> Self:
        """Return the position with these letters in its grid, row by row."""
        return type(self)(self.layout, letters)

    def moves(self) -> NoReturn:
        """Raise UnsupportedFeature: no rules say which words may be written."""
        raise _without("moves")

    def apply(self, move: str) -> NoReturn:
        """Raise UnsupportedFeature, as `moves` does."""
        raise _without("moves")

    def solved(self) -> bool:
        """Return False: nobody can be certain."""
        return False

    def facts(self) -> NoReturn:
        """Raise UnsupportedFeature: there is no PDDL."""
        raise _without("PDDL")

    @classmethod
    def domain(cls) -> NoReturn:
        """Raise UnsupportedFeature: there is no PDDL."""
        raise _without("PDDL")

    @classmethod
    def sample(cls, rng: Random) -> Self:
        from unpuzzle.translators.crossword.making import FEW_LETTERS, SHAPES, some_given

        rows = rng.choice(SHAPES).split("/")
        blocks, columns = "".join(rows), len(rows[0])
        solution = "".join(cell if cell == BLOCK else rng.choice(FEW_LETTERS) for cell in blocks)
        across, down = (tuple(rng.choices(CLUES, k=len(slots))) for slots in by_direction(slots_of(blocks, columns)))
        solution_rows = tuple(rows_of(solution, columns)) if rng.random() < 0.5 else None
        layout = CrosswordLayout(blocks, columns, (across, down), solution_rows)
        return cls(layout, some_given(rng, blocks, solution))


def _without(feature: str) -> UnsupportedFeature:
    return UnsupportedFeature(
        "this crossword has clues and no candidates, so it has no moves and no PDDL: solve it, which is guessing, "
        "with the planner clues",
        feature=feature,
    )
