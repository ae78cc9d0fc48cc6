"""A crossword with candidate lists: ten or so words are offered for each slot, and those that cross must agree.

    {"grid": ["..#", "...", "#.."],                            `.` empty, `#` a block, or a letter that is given
     "horizontal_answers": [["AT", "IT"], ["TOE"], ["NO"]],    candidates of the words across, by their numbers
     "vertical_answers": [["AT"], ["TON", "TOO"], ["EO"]]}     and of those down

A move writes a candidate into its slot, such as `1A=AT`, where it agrees with the letters that are there and fills an
empty cell. It is solved when no cell is empty and every slot reads one of its candidates. Published lists have
candidates that fit nowhere, of a wrong length or with other signs than letters: they are told by a warning, and never
written.
"""

from __future__ import annotations

from itertools import chain

from unpuzzle.constraints import Constraints, Relation
from unpuzzle.errors import IllegalMove
from unpuzzle.puzzle.capabilities import Constrained, ForComponents, Generating, HasHeuristics, Overwriting, Pictured
from unpuzzle.puzzle.puzzle import Puzzle, late
from unpuzzle.translators.crossword.level import fits
from unpuzzle.translators.crossword.levels import LEVELS
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, cell_names
from unpuzzle.words import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping
    from random import Random
    from typing import Any, Self, TypeVar

    from unpuzzle.drawing import Ground, Piece
    from unpuzzle.translators.crossword.level import Level
    from unpuzzle.translators.crossword.slots import Slot

    Facts = list[tuple[str, ...]]
    C = TypeVar("C", bound="Crossword")


class Crossword(Puzzle, Generating, HasHeuristics, Pictured, Constrained, Overwriting, ForComponents):
    """A position: a level, and the letters in its grid, row by row."""

    __slots__ = ("letters", "level")

    name = "crossword"
    title = "Crossword with candidates: choose a word for each slot, so that all that cross agree"
    levels = LEVELS
    one_letter_moves = False
    planner = "cp-sat"
    actions = {"write": lambda position, slot, word: f"{slot_of(slot)}={word[2:].upper()}"}
    heuristics = late("unpuzzle.translators.crossword.covering", "HEURISTICS")
    options = late("unpuzzle.translators.crossword.making", "OPTIONS")
    formats = late("unpuzzle.translators.crossword.files", "FORMATS")

    def __init__(self, level: Level, letters: str) -> None:
        self.level = level
        self.letters = letters

    def _key(self) -> Hashable:
        return self.letters, self.level

    def written(self, slot: Slot, word: str) -> Self:
        """The position with a word in a slot, over whatever stands there."""
        letters = list(self.letters)
        letters[slot.cells.start : slot.cells.stop : slot.cells.step] = word
        return type(self)(self.level, "".join(letters))

    # ---- text

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        from unpuzzle.translators.crossword.text import read_level

        level, letters = read_level(text, source)
        return _kind_of(level, cls)(level, letters)

    def __str__(self) -> str:
        from unpuzzle.translators.crossword.text import level_text

        return level_text(self.level, self.letters)

    def line(self) -> str:
        """The rows, joined by `/`."""
        return "/".join(self.rows())

    def plain(self) -> list[list[str | None]]:
        """Rows of letters; None is an empty cell, `#` a block."""
        return [[None if letter == EMPTY else letter for letter in row] for row in self.rows()]

    @classmethod
    def component_levels(cls, rng: Random) -> Iterator[Self]:
        """As those of published work: open grids of five rows of five."""
        from unpuzzle.translators.crossword.sampling import open_level

        for given in (0, 3, 2, 3, 2, 3, 2):
            yield cls(*open_level(rng, given))

    def component_arguments(self) -> dict[str, object]:
        """The candidates of the words across and of those down, a list for each, in the order of their numbers."""
        slots, candidates = self.level.slots, self.level.candidates
        return {
            name: [list(candidates[slot.name]) for slot in slots if slot.across == across]
            for name, across in (("horizontal_answers", True), ("vertical_answers", False))
        }

    def ground(self) -> Ground:
        from unpuzzle.translators.crossword.picture import ground

        return ground("".join([BLOCK if letter == BLOCK else EMPTY for letter in self.letters]), self.level.columns)

    def pieces(self) -> list[Piece]:
        columns = self.level.columns
        cells = enumerate(self.letters)
        return [(letter, i // columns, i % columns, letter) for i, letter in cells if letter not in (BLOCK, EMPTY)]

    def notes(self) -> list[tuple[str, list[str]]]:
        """The clues; where there are none, the candidates."""
        from unpuzzle.translators.crossword.picture import notes

        return notes(self.level)

    def rows(self) -> list[str]:
        columns = self.level.columns
        return [self.letters[start : start + columns] for start in range(0, len(self.letters), columns)]

    # ---- rules

    def fitting(self, slot: Slot) -> list[str]:
        """The candidates that agree with the letters in a slot, in their order."""
        there = slot.read(self.letters)
        return [word for word in self.level.words[slot.name] if agree(word, there)]

    def moves(self) -> tuple[str, ...]:
        open_slots = [slot for slot in self.level.slots if EMPTY in slot.read(self.letters)]
        return tuple([f"{slot.name}={word}" for slot in open_slots for word in self.fitting(slot)])

    def apply(self, move: str) -> Self:
        name, _, word = move.partition("=")
        slot = next((slot for slot in self.level.slots if slot.name == name), None)
        if slot is None:
            names = ", ".join(slot.name for slot in self.level.slots)
            raise IllegalMove(f"{shorten(move)} names no slot, as in '{self._example()}'; there are {names}", move=move)
        there = slot.read(self.letters)
        if word not in self.level.words[name]:
            known = ", ".join(self.level.words[name]) or "none that fits"
            raise IllegalMove(f"{shorten(word)} is no candidate of {name}; there are: {known}", move=move)
        if EMPTY not in there:
            raise IllegalMove(f"{name} is full: it reads {there}", move=move)
        if not agree(word, there):
            raise IllegalMove(f"{word} does not agree with {there}, which stands in {name}", move=move)
        return self.written(slot, word)

    def _example(self) -> str:
        return next((f"{name}={words[0]}" for name, words in self.level.words.items() if words), "1A=WORD")

    def solved(self) -> bool:
        slots, words = self.level.slots, self.level.words
        return EMPTY not in self.letters and all(slot.read(self.letters) in words[slot.name] for slot in slots)

    def impossible(self) -> str | None:
        dead = next((slot for slot in self.level.slots if not self.fitting(slot)), None)
        if dead is None:
            return None
        if not self.level.words[dead.name]:
            return f"no candidate of {dead.name} has {len(dead.cells)} letters, from A to Z"
        return f"no candidate of {dead.name} agrees with {dead.read(self.letters)}, which stands there"

    # ---- constraints

    def constraints(self) -> Constraints:
        """The letters of all cells: of those that are given, that one; a slot's are one of its candidates."""
        names = self._names()
        domains = {name: tuple(sorted(letters)) for name, letters in self._alphabets().items()}
        given = [Relation("table", (name,), ((letter,),), f"{name}={letter}") for name, letter in self._filled()]
        tables = [
            Relation("table", [names[cell] for cell in slot.cells], [tuple(word) for word in words], slot.name)
            for slot, words in ((slot, self.level.words[slot.name]) for slot in self.level.slots)
        ]
        return Constraints(domains, [*given, *tables])

    def _filled(self) -> list[tuple[str, str]]:
        pairs = zip(self._names(), self.letters, strict=True)
        return [(name, letter) for name, letter in pairs if letter not in (BLOCK, EMPTY)]

    def _alphabets(self) -> dict[str, set[str]]:
        """By cell, the letters that may be there: what a candidate of any of its slots has there, and what is there."""
        names = self._names()
        found: dict[str, set[str]] = {
            name: set() for name, letter in zip(names, self.letters, strict=True) if letter != BLOCK
        }
        for slot in self.level.slots:
            for word in self.level.words[slot.name]:
                for cell, letter in zip(slot.cells, word, strict=True):
                    found[names[cell]].add(letter)
        for name, letter in self._filled():
            found[name].add(letter)
        return found

    def moves_to(self, solution: Mapping[str, Hashable]) -> list[str]:
        """As few words as can be, those across first; each fills an empty cell that no other one does."""
        from unpuzzle.translators.crossword.covering import cover

        names, slots = self._names(), cover(self.letters, self.level.columns)
        return [f"{slot.name}={''.join(str(solution[names[cell]]) for cell in slot.cells)}" for slot in slots]

    # ---- what published searches do

    def writings(self, consistent: bool) -> Iterator[tuple[str, Self]]:
        """Every candidate of the right length for every slot, as often as it is listed."""
        for slot in self.level.slots:
            there = slot.read(self.letters)
            for word in self.level.candidates[slot.name]:
                if fits(word, slot) and (not consistent or agree(word, there)):
                    yield f"{slot.name}={word}", self.written(slot, word)

    def moves_towards(self, end: Self) -> list[str]:
        return self.moves_to(dict(zip(end._names(), end.letters, strict=True)))

    # ---- PDDL

    def _names(self) -> list[str]:
        return cell_names(self.level.columns, len(self.letters))

    def objects(self) -> dict[str, Iterable[str]]:
        words = dict.fromkeys(chain.from_iterable(self.level.words.values()))
        letters = sorted({letter.lower() for letters in self._alphabets().values() for letter in letters})
        cells = [name for name, letter in zip(self._names(), self.letters, strict=True) if letter != BLOCK]
        slots = [object_of(slot) for slot in self.level.slots]
        return {"slot": slots, "word": map(word_name, words), "cell": cells, "letter": letters}

    def statics(self) -> Facts:
        return list(self._statics())

    def _statics(self) -> Iterator[tuple[str, ...]]:
        names, level = self._names(), self.level
        for slot in level.slots:
            yield from (("in", names[cell], object_of(slot)) for cell in slot.cells)
            yield from (("crosses", object_of(slot), object_of(other)) for other, _, _ in level.crossings[slot.name])
            for word in level.words[slot.name]:
                written = object_of(slot), word_name(word)
                for cell, letter in zip(slot.cells, word, strict=True):
                    yield "spells", *written, names[cell], letter.lower()
                for other, clashing in level.clashing(slot, word):
                    yield "clashes", *written, object_of(other), word_name(clashing)

    def facts(self) -> Facts:
        cells = zip(self._names(), self.letters, strict=True)
        empty = [("empty", name) for name, letter in cells if letter == EMPTY]
        has = [("has", name, letter.lower()) for name, letter in self._filled()]
        return [*empty, *has, *chain.from_iterable(map(self._slot_facts, self.level.slots))]

    def _slot_facts(self, slot: Slot) -> Facts:
        fitting = [("fits", object_of(slot), word_name(word)) for word in self.fitting(slot)]
        full = [] if EMPTY in slot.read(self.letters) else [("full", object_of(slot))]
        return [*full, *fitting] if fitting else [*full, ("dead", object_of(slot))]

    def goal_condition(self) -> Facts:
        slots = [object_of(slot) for slot in self.level.slots]
        return [*(("full", slot) for slot in slots), *(("not", "dead", slot) for slot in slots)]

    # ---- levels that are asked for

    @classmethod
    def sample(cls, rng: Random) -> Self:
        from unpuzzle.translators.crossword.sampling import sample_level

        return cls(*sample_level(rng))

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        from unpuzzle.translators.crossword.making import random_level

        return cls(*random_level(rng, options))


def _kind_of(level: Level, kind: type[C]) -> type[C]:
    """The class of a position: one without candidates is of another, which has no moves."""
    if any(level.candidates.values()):
        return kind
    from unpuzzle.translators.crossword.clued import CluedCrossword

    return CluedCrossword  # type: ignore[return-value]


def agree(word: str, there: str) -> bool:
    """Whether a word can be written where some letters stand; `.` is an empty cell."""
    return all(mine in (letter, EMPTY) or letter == EMPTY for letter, mine in zip(there, word, strict=True))


def object_of(slot: Slot) -> str:
    """`1A` is `across1` in PDDL, where names begin with letters."""
    return f"{'across' if slot.across else 'down'}{slot.name[:-1]}"


def slot_of(name: str) -> str:
    """`across1` is `1A`. Raises ValueError for other names."""
    for way, letter in (("across", "A"), ("down", "D")):
        if name.startswith(way):
            return f"{int(name.removeprefix(way))}{letter}"
    raise ValueError(name)


def word_name(word: str) -> str:
    """`HEART` is `w-heart` in PDDL: words may be those of the language, such as AND."""
    return f"w-{word.lower()}"
