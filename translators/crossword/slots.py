"""Slots: the places of words in a grid, with their printed numbers; and the smallest cover of a grid by slots.

Two or more cells in a row, or in a column, between blocks, bars and edges, are a slot. The cells where slots begin are
numbered from 1, row by row, so that an across and a down slot that begin together share a number: `1A` and `1D`.

Bars are a text with a sign for each cell, empty if there are none: `|` a bar on its left, `-` above it, `+` both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar
from unicodedata import normalize

from unpuzzle.base.values import Record

BLOCK, EMPTY = "#", "."
BAR_LEFT, BAR_ABOVE = "|+", "-+"
"""The signs of cells with a bar on the left, and of cells with a bar above."""
SHORTEST = 2
"""The fewest cells of a word: a single cell between blocks is not one."""
Cells = TypeVar("Cells", str, list[Any])
Edges = Mapping[str, list[str]]
"""By slot across, the slots down with a common empty cell."""


def upper(text: str) -> str:
    """Return a text in upper case, letter by letter; an accented letter counts as one, and `ß` becomes `ẞ`."""
    letters = [(letter, letter.upper()) for letter in normalize("NFC", text).replace("ß", "ẞ")]
    return "".join([large if len(large) == 1 else letter for letter, large in letters])


@lru_cache(maxsize=1 << 10)
def is_letter(text: str) -> bool:
    """Return whether a text is a digit, or a letter of any alphabet, not a small one."""
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
    """Return the slots of a grid, slots across first, each direction by number; only blocks and bars matter."""
    rows = [range(start, start + columns) for start in range(0, len(grid), columns)]
    lines = [range(column, len(grid), columns) for column in range(columns)]
    across = {run.start: run for run in _runs(grid, rows, bars, BAR_LEFT)}
    down = {run.start: run for run in _runs(grid, lines, bars, BAR_ABOVE)}
    numbers = {start: number for number, start in enumerate(sorted({*across, *down}), 1)}
    ways = (("A", across), ("D", down))
    return tuple([Slot(f"{numbers[start]}{way}", runs[start]) for way, runs in ways for start in sorted(runs)])


def _runs(grid: str, lines: Iterable[range], bars: str, before: str) -> Iterator[range]:
    """Yield the parts of rows or columns that are long enough for words; a bar sign in `before` begins a part."""
    for line in lines:
        begin = 0
        for place in range(len(line) + 1):
            is_block = place == len(line) or grid[line[place]] == BLOCK
            if is_block or (bars and bars[line[place]] in before):
                if place - begin >= SHORTEST:
                    yield line[begin:place]
                begin = place + is_block


def by_direction(slots: Iterable[Slot]) -> tuple[list[Slot], list[Slot]]:
    slots = list(slots)
    return [slot for slot in slots if slot.across], [slot for slot in slots if not slot.across]


def by_number(slots: Iterable[Slot]) -> list[Slot]:
    """Return slots in the order of a `.puz` file: by number, across first."""
    return sorted(slots, key=lambda slot: (slot.cells.start, slot.name[-1]))


def starts(slots: Iterable[Slot]) -> dict[int, int]:
    """Return the number printed in each cell where slots begin."""
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
    """Return the cover of a grid in which `x` replaces every letter because the cover does not depend on letters."""
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


def _vertex_cover(edges: Edges) -> set[str]:
    """Return a smallest set of slots that contains at least one end of each edge."""
    partner: dict[str, str] = {}  # by slot down, the one across that it is matched with
    for across in edges:
        _match(across, edges, partner, set())
    reached = set(edges) - set(partner.values())  # then all slots on alternating paths from there
    waiting = sorted(reached)
    down: set[str] = set()
    while waiting:
        for other in edges[waiting.pop()]:
            if other not in down:
                down.add(other)
                if partner[other] not in reached:
                    reached.add(partner[other])
                    waiting.append(partner[other])
    return (set(edges) - reached) | down


def _match(across: str, edges: Edges, partner: dict[str, str], tried: set[str]) -> bool:
    """Find a partner for a slot, if necessary by giving other slots new partners (H. W. Kuhn, 1955)."""
    for other in edges[across]:
        if other not in tried:
            tried.add(other)
            if other not in partner or _match(partner[other], edges, partner, tried):
                partner[other] = across
                return True
    return False
