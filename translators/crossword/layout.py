"""The data that no move changes in a crossword: blocks, slots, clues, solution, and the candidates of slots.

Two or more cells in a row, or in a column, between blocks, bars and edges, are a slot. The cells where slots begin are
numbered from 1, row by row, so that an across and a down slot that begin together share a number: `1A` and `1D`.

Bars are a text with a sign for each cell, empty if there are none: `|` a bar on its left, `-` above it, `+` both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, TypeVar
from unicodedata import normalize

from unpuzzle.base.run import within_limits
from unpuzzle.base.values import Record

BLOCK, EMPTY = "#", "."
BAR_LEFT, BAR_ABOVE = "|+", "+-"
"""The signs of cells with a bar on the left, and of cells with a bar above."""
Cells = TypeVar("Cells", str, list[Any])


def upper(text: str) -> str:
    """Return a text in upper case, letter by letter: each letter stays one character, so `ß` becomes `ẞ`."""
    letters = [(letter, letter.upper()) for letter in normalize("NFC", text).replace("ß", "ẞ")]
    return "".join([large if len(large) == 1 else letter for letter, large in letters])


@lru_cache(maxsize=1 << 10)
def is_letter(text: str) -> bool:
    """Return whether a text is one digit, or one capital letter of any alphabet."""
    return len(text) == 1 and (text.isdecimal() or (text.isalpha() and not text.islower() and upper(text) == text))


class Slot(Record):
    """A place for a word: its `name`, such as `1A`, and its `cells`, numbered row by row."""

    name: str
    cells: range

    @property
    def across(self) -> bool:
        """Whether the word of this slot is read from left to right."""
        return self.name.endswith("A")

    @property
    def number(self) -> int:
        """The number printed in the first cell of this slot."""
        return int(self.name[:-1])

    def read(self, letters: str) -> str:
        """Return the text in this slot, given the letters of the grid, row by row."""
        return letters[self.cells.start : self.cells.stop : self.cells.step]


@lru_cache(maxsize=256)
def slots_of(grid: str, columns: int, bars: str = "") -> tuple[Slot, ...]:
    """Return the slots of a grid, those across first, in the order of their numbers; letters do not matter."""
    pairs = zip(grid, bars or EMPTY * len(grid), strict=True)
    signs = "".join([BLOCK if cell == BLOCK else bar for cell, bar in pairs])
    across = _runs(signs, [range(start, start + columns) for start in range(0, len(grid), columns)], BAR_LEFT)
    down = _runs(signs, [range(column, len(grid), columns) for column in range(columns)], BAR_ABOVE)
    numbers = {start: number for number, start in enumerate(sorted({run.start for run in across + down}), 1)}
    ways = ("A", across), ("D", down)
    return tuple([Slot(f"{numbers[run.start]}{way}", run) for way, runs in ways for run in runs])


def _runs(signs: str, lines: Iterable[range], before: str) -> list[range]:
    """Return the runs of cells in rows or columns that are long enough for words; a sign in `before` begins a run."""
    word = re.compile(f"[^#][^#{before}]+")
    parts = [(line, part) for line in lines for part in word.finditer(signs[line.start : line.stop : line.step])]
    return sorted([line[part.start() : part.end()] for line, part in parts], key=lambda run: run.start)


def by_direction(slots: Iterable[Slot]) -> tuple[list[Slot], list[Slot]]:
    slots = list(slots)
    return [slot for slot in slots if slot.across], [slot for slot in slots if not slot.across]


def by_number(slots: Iterable[Slot]) -> list[Slot]:
    """Sort slots by their numbers; of two slots with the same number, the one across comes first."""
    return sorted(slots, key=lambda slot: (slot.cells.start, slot.name[-1]))


def starts(slots: Iterable[Slot]) -> dict[int, int]:
    """Map each cell in which slots begin to the number that is printed in it."""
    return {slot.cells.start: slot.number for slot in slots}


def cell_names(columns: int, cells: int) -> list[str]:
    """Return the names of all cells, `r1c1`, `r1c2` and so on, row by row."""
    return [f"r{cell // columns + 1}c{cell % columns + 1}" for cell in range(cells)]


def rows_of(letters: Cells, columns: int) -> list[Cells]:
    return [letters[start : start + columns] for start in range(0, len(letters), columns)]


def cover(letters: str, columns: int, bars: str = "") -> tuple[Slot, ...]:
    """Return the fewest slots that contain all empty cells of a grid, in the order of slots.

    In any solution, an empty cell is filled by the word across or the word down. So the written words cover all empty
    cells; and a least cover, written with the words of any solution, is a shortest plan for it. Cells are the edges
    between slots across and slots down, so it is a least vertex cover of a bipartite graph, which a largest matching
    gives (D. König, Graphs and matrices, 1931).
    """
    return _cover(re.sub(r"[^#.]", "x", letters), columns, bars)


@lru_cache(maxsize=1 << 12)
def _cover(cells: str, columns: int, bars: str) -> tuple[Slot, ...]:
    """Compute `cover` for a grid in which `x` replaces each letter; results are cached for equal grids."""
    slots = slots_of(cells.replace("x", EMPTY), columns, bars)
    through: dict[int, list[Slot]] = {}
    for slot in slots:
        for cell in slot.cells:
            if cells[cell] == EMPTY:
                through.setdefault(cell, []).append(slot)
    names = {pair[0].name for pair in through.values() if len(pair) == 1}
    edges: dict[str, list[str]] = {}
    for pair in through.values():
        if names.isdisjoint(slot.name for slot in pair):
            edges.setdefault(pair[0].name, []).append(pair[1].name)
    names |= _vertex_cover(edges)
    return tuple([slot for slot in slots if slot.name in names])


def _vertex_cover(edges: Mapping[str, list[str]]) -> set[str]:
    """Return a smallest vertex cover of a graph of slots; `edges` maps slots across to slots down that cross them."""
    partner: dict[str, str] = {}  # by slot down, the one across that it is matched with
    for across in edges:
        _match(across, edges, partner, set())
    unmatched = set(edges) - set(partner.values())
    down: set[str] = set()  # all that alternating paths from there reach, which the failing tries go through
    for across in unmatched:
        _match(across, edges, partner, down)
    return (set(edges) - unmatched - {partner[other] for other in down}) | down


def _match(across: str, edges: Mapping[str, list[str]], partner: dict[str, str], tried: set[str]) -> bool:
    """Find a partner for a slot, after changing other slots' partners if necessary (H. W. Kuhn, 1955)."""
    for other in edges[across]:
        if other not in tried:
            tried.add(other)
            if other not in partner or _match(partner[other], edges, partner, tried):
                partner[other] = across
                return True
    return False


def blocks_of(grid: Iterable[str]) -> str:
    """Return a grid, row by row, with an empty cell in place of each letter."""
    return "".join([BLOCK if cell == BLOCK else EMPTY for cell in grid])


def fits(word: str, slot: Slot) -> bool:
    """Return whether a candidate can be written into a slot; some candidates in published lists cannot."""
    return len(word) == len(slot.cells) and all(map(is_letter, word))


def alphabets_of(slots: Iterable[Slot], words: Mapping[str, Iterable[str]]) -> dict[int, set[str]]:
    """Return, for each cell of slots, the letters that the slots' words have in this cell."""
    alphabets: dict[int, set[str]] = {}
    for slot in slots:
        for place, cell in enumerate(slot.cells):
            alphabets.setdefault(cell, set()).update([word[place] for word in words[slot.name]])
    return alphabets


class CrosswordLayout(Record):
    """A crossword as it is printed, before any letter is written into its grid.

    Attributes:
        blocks: `#` and `.` for each cell, row by row.
        columns: the number of columns.
        clues: the clue of each slot, in the order of the slots; empty if there are none.
        solution: the letters of the solution, row by row, if given; moves and planners ignore it.
        bars: the signs of bars for each cell; empty without bars.
        circles: `o` for a cell with a circle, else `.`, for each cell; empty without circles.
        rebus: pairs of a sign in the grid or the solution, and the text that it replaces.
        about: pairs of a name, such as `title`, and a text.
        lists: the candidates of each slot, in the order of the slots; empty for a crossword with clues alone.
    """

    blocks: str
    columns: int
    clues: tuple[str, ...] = ()
    solution: str = ""
    bars: str = ""
    circles: str = ""
    rebus: tuple[tuple[str, str], ...] = ()
    about: tuple[tuple[str, str], ...] = ()
    lists: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        return slots_of(self.blocks, self.columns, self.bars)

    @property
    def clue_of(self) -> Mapping[str, str]:
        """The clue of each slot, by the slot's name; an empty text if the slot has no clue."""
        clues = self.clues or [""] * len(self.slots)
        return {slot.name: clue for slot, clue in zip(self.slots, clues, strict=True)}

    @cached_property
    def candidates(self) -> Mapping[str, tuple[str, ...]]:
        """The candidates of each slot as printed, even repeated or unfit ones; none if there are only clues."""
        return {slot.name: words for slot, words in zip(self.slots, self.lists, strict=False)}

    @cached_property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """The candidates of each slot that fit into the slot, without repetitions."""
        pairs = within_limits(tuple(zip(self.slots, self.lists, strict=False)), long=True)
        return {slot.name: tuple(dict.fromkeys([word for word in words if fits(word, slot)])) for slot, words in pairs}

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters that can be written into the grid."""
        return frozenset().union(*[word for words in self.words.values() for word in words])

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def __hash__(self) -> int:
        """Return a hash of the layout, computed once only, because searches need the hash of each position."""
        return self._hash
