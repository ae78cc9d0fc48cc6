"""Slots: the places of a grid where words go, with the numbers that crosswords are printed with.

Two or more cells in a row, or in a column, between blocks and edges, are a slot. The cells where slots begin are
numbered from 1, row by row, so that an across and a down slot that begin together share a number: `1A` and `1D`.
"""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK, EMPTY = "#", "."
SHORTEST = 2
"""A single cell between blocks is no word."""


class Slot:
    """A place for a word: its `name`, such as `1A`, and its `cells`, as places in the grid row by row."""

    __slots__ = ("cells", "name")

    def __init__(self, name: str, cells: range) -> None:
        self.name = name
        self.cells = cells

    @property
    def across(self) -> bool:
        return self.name.endswith("A")

    def read(self, letters: str) -> str:
        """What stands in it; `letters` are those of the grid, row by row."""
        return letters[self.cells.start : self.cells.stop : self.cells.step]

    def __repr__(self) -> str:
        return f"Slot({self.name!r}, {self.cells!r})"


@lru_cache(maxsize=256)
def slots_of(shape: str, columns: int) -> tuple[Slot, ...]:
    """The slots of a grid, across ones first, each by number; of `shape`, row by row, only the blocks matter."""
    across = {run.start: run for run in _runs(shape, len(shape) // columns, columns)}
    down = {run.start: run for run in _columns(shape, columns)}
    numbers = {start: number for number, start in enumerate(sorted({*across, *down}), 1)}
    rows = [Slot(f"{numbers[start]}A", run) for start, run in sorted(across.items())]
    return (*rows, *[Slot(f"{numbers[start]}D", run) for start, run in sorted(down.items())])


def _runs(shape: str, rows: int, columns: int) -> Iterator[range]:
    for row in range(rows):
        yield from _between_blocks(shape, range(row * columns, (row + 1) * columns))


def _columns(shape: str, columns: int) -> Iterator[range]:
    for column in range(columns):
        yield from _between_blocks(shape, range(column, len(shape), columns))


def _between_blocks(shape: str, line: range) -> Iterator[range]:
    """The stretches of a row or column without blocks that are long enough for words."""
    begin = 0
    for place in range(len(line) + 1):
        if place == len(line) or shape[line[place]] == BLOCK:
            if place - begin >= SHORTEST:
                yield line[begin:place]
            begin = place + 1


def cell_names(columns: int, cells: int) -> list[str]:
    """`r1c1`, `r1c2` and so on, row by row."""
    return [f"r{cell // columns + 1}c{cell % columns + 1}" for cell in range(cells)]


def starts(slots: tuple[Slot, ...]) -> dict[int, int]:
    """By cell where slots begin, the number that is printed there."""
    return {slot.cells.start: int(slot.name[:-1]) for slot in slots}
