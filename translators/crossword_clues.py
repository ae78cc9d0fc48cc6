"""A crossword with clues and no candidates: its solution is guessed, by the planner `clues`.

    {"grid": ["...", "...", "..."],                           `.` empty, `#` a block, or a letter that is given
     "across": ["A feline", "A short poem", "Not dry"],       the clues of the words across, by their numbers
     "down": ["It gives milk", "A drink", "A new year"]}      and of the words down

Clues may also be an object: {"1": "A clue", "4": ...}; a null or empty clue is unknown. The solution, if known, is in
`letters`: the letters of the grid row by row; no planner reads it. `clues_across`, `clues_down` and `solution`, from
files of other formats, are read, too.

No rules restrict the words, so such a level has no moves and no PDDL: functions that need them raise an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, ClassVar, NoReturn, Self

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.base.text import count, shorten
from unpuzzle.translators.crossword import files
from unpuzzle.translators.crossword.grid_text import CLUE_KEYS, JsonDocument, read_level
from unpuzzle.translators.crossword.layout import (
    BLOCK,
    CrosswordLayout,
    Slot,
    by_direction,
    is_letter,
    slots_of,
    upper,
)
from unpuzzle.translators.crossword.making import random_grid, some_given
from unpuzzle.translators.crossword.rules import LetterGrid
from unpuzzle.translators.shared.text import levels_beside

CLUES = ("A beast", "A drink", "___ on a log", "Né", '"Not again!"', "")
"""Clues of random levels for tests, without a meaning; an empty one is unknown."""
REFUSAL = (
    "this crossword has clues and no candidates, so it has no moves and no PDDL: solve it, which is guessing, with the "
    "planner clues"
)


class CrosswordClues(LetterGrid):
    """A position of a crossword with clues."""

    __slots__ = ()

    name = "crossword-clues"
    title = "Crossword with clues alone: guess the words, from dictionaries and crossing words"
    levels: ClassVar[Mapping[str, str]] = levels_beside(__file__)
    planner = "clues"
    siblings: tuple[str, ...] = ("crossword",)

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        return cls(*read_clues(files.as_level(text, source), source))

    @property
    def columns(self) -> int:
        return self.layout.columns

    def clued_slots(self) -> list[tuple[str, tuple[int, ...], str]]:
        """Return the slots, each as its name, its cells in the order of the word, and its clue, if any."""
        clues = self.layout.clue_of
        return [(slot.name, tuple(slot.cells), clues[slot.name]) for slot in self.layout.slots]

    def with_letters(self, letters: str) -> Self:
        """Return the position with the given letters in its grid, row by row."""
        return type(self)(self.layout, letters)

    def moves(self) -> NoReturn:
        """Raise UnsupportedFeature, because the rules do not say which words are allowed."""
        raise UnsupportedFeature(REFUSAL, feature="moves")

    def apply(self, move: str) -> NoReturn:
        """Raise UnsupportedFeature, because this game has no moves."""
        raise UnsupportedFeature(REFUSAL, feature="moves")

    def solved(self) -> bool:
        """Return False, because no answer to a clue is certain."""
        return False

    def facts(self) -> NoReturn:
        """Raise UnsupportedFeature, because the game cannot be written as PDDL."""
        raise UnsupportedFeature(REFUSAL, feature="PDDL")

    @classmethod
    def domain(cls) -> NoReturn:
        """Raise UnsupportedFeature, because the game cannot be written as PDDL."""
        raise UnsupportedFeature(REFUSAL, feature="PDDL")

    @classmethod
    def sample(cls, rng: Random) -> Self:
        blocks, columns, solution = random_grid(rng)
        clues = tuple(rng.choices(CLUES, k=len(slots_of(blocks, columns))))
        layout = CrosswordLayout(blocks, columns, clues, solution if rng.random() < 0.5 else "")
        return cls(layout, some_given(rng, blocks, solution))


def read_clues(text: str, source: str | None = None) -> tuple[CrosswordLayout, str]:
    """Return a level's layout, and the letters in its grid, row by row. Raises ParseError with the mistake's place."""
    document, letters, layout = read_level(text, source, "crossword-clues")
    across, down = map(partial(_clues, document), CLUE_KEYS, by_direction(layout.slots))
    solution = _letters(document, letters, layout) or layout.solution
    return layout.replace(clues=(*across, *down), solution=solution), letters


def _clues(document: JsonDocument, keys: tuple[str, str], slots: Sequence[Slot]) -> list[str]:
    """Return the clues for the slots of one direction, under the first of `keys` that the document has."""
    key = next((key for key in keys if key in document.value), None)
    if key is None:
        if not slots:
            return []
        names = ", ".join(slot.name for slot in slots)
        raise document.error(f'clues are missing: there is no "{keys[0]}", a list of clues for {names}')
    value = document.value[key]
    if isinstance(value, dict):
        places: Sequence[Any] = _keys_by_number(document, key, value, slots)
    else:
        places = range(len(document.require_list(key, slots, "clue", "a list of clues")))
    given = [(value[place], (key, place)) for place in places]
    what = "clue", "a clue, a text"
    return ["" if clue is None else document.require_text(clue, path, *what).strip() for clue, path in given]


def _keys_by_number(document: JsonDocument, key: str, value: dict[str, Any], slots: Sequence[Slot]) -> list[str]:
    """Return the keys of the clues in the order of slots. Raises ParseError if their numbers are not the grid's."""
    keys = {name.strip().rstrip(".ADad"): name for name in value}
    names = {str(slot.number): slot.name for slot in slots}
    for number, name in keys.items():
        if number not in names:
            reason = f"{key} has a clue {shorten(name)}, but no word {key.removeprefix('clues_')} has that number"
            raise document.error(f"{reason}; the words have the numbers {', '.join(names) or 'none'}", (key, name))
    missing = [name for number, name in names.items() if number not in keys]
    if missing:
        raise document.error(f"clues are missing for {', '.join(missing)}", (key,))
    return [keys[number] for number in names]


def _letters(document: JsonDocument, grid: str, layout: CrosswordLayout) -> str:
    """Return the solution, row by row, which may leave out the blocks in the level; empty if there is no solution."""
    path = ("letters",)
    value = document.value.get("letters")
    if value is None:
        return ""
    letters = upper(document.require(str, value, path, "the letters of the grid, row by row"))
    if len(letters) == len(grid):
        letters = "".join([letter for cell, letter in zip(grid, letters, strict=True) if cell != BLOCK])
    cells = len(grid) - grid.count(BLOCK)
    if len(letters) != cells:
        raise document.error(f"{count(len(letters), 'letter')} cannot fill the grid's {count(cells, 'cell')}", path)
    for letter in letters:
        if not is_letter(letter) and letter not in dict(layout.rebus):
            raise document.error(f"{shorten(letter)} in the letters is not a letter", path)
    rest = iter(letters)
    return "".join([BLOCK if cell == BLOCK else next(rest) for cell in grid])
