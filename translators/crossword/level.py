"""What no move changes: the shape of a crossword, its slots, and their candidates."""

from __future__ import annotations

from unpuzzle.translators.crossword.slots import BLOCK, EMPTY, slots_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from unpuzzle.translators.crossword.slots import Slot

    Crossing = tuple[Slot, int, int]
    """Another slot, the place in this one's word that they share, and the place in the other's."""


LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def fits(word: str, slot: Slot) -> bool:
    """Return whether a candidate can be written into a slot: published lists have `OPT--`, and words of any length."""
    return len(word) == len(slot.cells) and LETTERS.issuperset(word)


class Level:
    """A crossword without what was written into it; treat it as immutable.

    Attributes:
        columns: of the grid.
        slots: across ones first.
        candidates: by slot, as they are listed: in their order, repeated ones and those that fit nowhere included.
        words: by slot, the candidates that can be written: each once, those that are no words of its length left out.
        crossings: by slot, what it crosses.
        clues: across and down, or None; no move looks at them, nor at `solution`, the rows that are said to be it.
    """

    __slots__ = ("_hash", "_parts", "candidates", "clues", "columns", "crossings", "slots", "solution", "words")

    def __init__(
        self,
        shape: str,
        columns: int,
        candidates: Sequence[Sequence[str]],
        clues: tuple[tuple[str, ...] | None, tuple[str, ...] | None] = (None, None),
        solution: tuple[str, ...] | None = None,
    ) -> None:
        """`shape` is the grid row by row, of which only the blocks matter; candidates are in the order of the slots."""
        self.columns = columns
        self.slots = slots_of(shape, columns)
        self.candidates: Mapping[str, tuple[str, ...]] = {
            slot.name: tuple(words) for slot, words in zip(self.slots, candidates, strict=True)
        }
        self.words: Mapping[str, tuple[str, ...]] = {
            slot.name: tuple(dict.fromkeys([word for word in self.candidates[slot.name] if fits(word, slot)]))
            for slot in self.slots
        }
        self.crossings = {slot.name: list(self._crossings(slot)) for slot in self.slots}
        self.clues = clues
        self.solution = solution
        blocks = "".join(BLOCK if letter == BLOCK else EMPTY for letter in shape)
        self._parts: Hashable = (blocks, columns, tuple(self.candidates.items()), clues, solution)
        self._hash = hash(self._parts)

    def _crossings(self, slot: Slot) -> Iterator[Crossing]:
        for other in self.slots:
            if other.across != slot.across:
                for cell in other.cells:
                    if cell in slot.cells:
                        yield other, slot.cells.index(cell), other.cells.index(cell)

    def unfit(self) -> Iterator[tuple[Slot, int, str]]:
        """Yield the candidates that fit nowhere, each with its slot and its number in the slot's list, from 0."""
        for slot in self.slots:
            listed = enumerate(self.candidates[slot.name])
            yield from ((slot, number, word) for number, word in listed if not fits(word, slot))

    def clashing(self, slot: Slot, word: str) -> Iterator[tuple[Slot, str]]:
        """The candidates that a word rules out: all others of its slot, and those that cross it with another letter."""
        yield from ((slot, other) for other in self.words[slot.name] if other != word)
        for crossing, mine, theirs in self.crossings[slot.name]:
            yield from ((crossing, other) for other in self.words[crossing.name] if other[theirs] != word[mine])

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Level) and self._parts == other._parts)

    def __hash__(self) -> int:
        return self._hash
