"""The static parts of a crossword: its blocks, slots, clues and solution; and the candidates of its slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from unpuzzle.base.run import within_limits
from unpuzzle.base.values import Record
from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, Slot, by_direction, is_letter, slots_of

Crossing = tuple[Slot, int, int]
"""Another slot, the index of the common cell in this one's word, and its index in the other's."""


def blocks_of(grid: Iterable[str]) -> str:
    """Return a grid, row by row, without its letters."""
    return "".join([BLOCK if cell == BLOCK else EMPTY for cell in grid])


def fits(word: str, slot: Slot) -> bool:
    """Return whether a candidate fits a slot; published lists also contain `OPT--` and words of other lengths."""
    return len(word) == len(slot.cells) and all(map(is_letter, word))


class CrosswordLayout(Record):
    """A crossword as printed, before anything is written into it.

    Attributes:
        blocks: `#` and `.` for each cell, row by row.
        columns: the number of columns.
        clues: the clues across and the clues down, in the order of the slots; None if there are none.
        solution: the rows of the solution, if given; moves and planners ignore it.
        bars: the signs of bars, see `slots`, for each cell; empty without bars.
        circles: `o` for a cell with a circle, else `.`, for each cell; empty without circles.
        rebus: pairs of a sign in the grid or the solution, and the text that it replaces.
        about: pairs of a name, such as `title`, and a text.
    """

    blocks: str
    columns: int
    clues: tuple[tuple[str, ...] | None, tuple[str, ...] | None] = (None, None)
    solution: tuple[str, ...] | None = None
    bars: str = ""
    circles: str = ""
    rebus: tuple[tuple[str, str], ...] = ()
    about: tuple[tuple[str, str], ...] = ()

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        return slots_of(self.blocks, self.columns, self.bars)

    @property
    def clue_of(self) -> Mapping[str, str]:
        """The clue of each slot, by the slot's name; an empty text if the slot has no clue."""
        ways = zip(by_direction(self.slots), self.clues, strict=True)
        clues = [clue for slots, given in ways for clue in given or [""] * len(slots)]
        return {slot.name: clue for slot, clue in zip(self.slots, clues, strict=True)}

    @property
    def letters(self) -> frozenset[str]:
        """The letters that moves may write."""
        return frozenset()


class CandidateLayout(CrosswordLayout):
    """A crossword with a list of candidates for each slot, as printed, including repetitions and misfits."""

    lists: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def candidates(self) -> Mapping[str, tuple[str, ...]]:
        return {slot.name: words for slot, words in zip(self.slots, self.lists, strict=True)}

    @cached_property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """The distinct candidates of each slot that fit into the slot."""
        slots = within_limits(self.slots, long=True)
        fitting = {slot.name: [word for word in self.candidates[slot.name] if fits(word, slot)] for slot in slots}
        return {name: tuple(dict.fromkeys(words)) for name, words in fitting.items()}

    @cached_property
    def letters(self) -> frozenset[str]:
        return frozenset().union(*[word for words in self.words.values() for word in words])

    @cached_property
    def crossings(self) -> Mapping[str, list[Crossing]]:
        return {
            slot.name: [
                (other, slot.cells.index(cell), other.cells.index(cell))
                for other in self.slots
                if other.across != slot.across
                for cell in other.cells
                if cell in slot.cells
            ]
            for slot in self.slots
        }

    def misfits(self) -> Iterator[tuple[Slot, int, str]]:
        """Yield the candidates that do not fit their slot, each with its slot and its index in the slot's list."""
        for slot in self.slots:
            numbered = enumerate(self.candidates[slot.name])
            yield from ((slot, number, word) for number, word in numbered if not fits(word, slot))

    def clashes(self, slot: Slot, word: str) -> Iterator[tuple[Slot, str]]:
        """Yield the words that a word excludes: other candidates of its slot, and crossing words that disagree."""
        yield from ((slot, other) for other in self.words[slot.name] if other != word)
        for crossing, mine, theirs in self.crossings[slot.name]:
            yield from ((crossing, other) for other in self.words[crossing.name] if other[theirs] != word[mine])

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def __hash__(self) -> int:
        """Return a hash that is computed only once because searches put each position into tables."""
        return self._hash


def candidate_layout(grid: str, columns: int, lists: Sequence[Sequence[str]]) -> CandidateLayout:
    """Return the layout for a grid, whose letters are ignored; `lists` must be in the order of the slots."""
    return CandidateLayout(blocks_of(grid), columns, lists=tuple(map(tuple, lists)))
