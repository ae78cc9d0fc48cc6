"""Random sudokus with one solution, from which no clue can go.

A full board is found by a search that tries everything in random order, so each full board there is may come up. Then
clues are taken away in random order, those that belong together at once, unless that makes another solution possible.
One pass is enough: what could not go while there were more clues cannot go later.
"""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.options import Choice, Number, by_name
from unpuzzle.translators.sudoku.board import EMPTY, SIDES
from unpuzzle.translators.sudoku.candidates import has_other, lattice_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from random import Random
    from typing import Any

    Turn = Callable[[int, int, int], tuple[int, int]]
    """Where a symmetry takes a cell: last row, row, column to row, column."""

PATIENCE = {4: 100, 9: 1_000, 16: 2_000}
"""By size: nodes after which the search for a full board begins anew; it is rarely needed, and then it saves minutes."""
ATTEMPTS = 300
"""Boards that are tried where a number of clues is wanted."""
LEAST = {4: 4, 9: 17, 16: 16}
"""By size: no board with fewer clues has one solution. (9: G. McGuire and others, 2012. 16: all values but one.)"""

SYMMETRIES: dict[str, tuple[Turn, ...]] = {
    "none": (),
    "rotation": (lambda last, row, column: (last - row, last - column),),
    "quarter": (lambda last, row, column: (column, last - row),),
    "horizontal": (lambda last, row, column: (last - row, column),),
    "vertical": (lambda last, row, column: (row, last - column),),
    "diagonal": (lambda last, row, column: (column, row),),
}
"""By name: what the pattern of clues stays the same under."""


class Side(Choice):
    """The size of a board."""

    __slots__ = ()

    def small(self, rng: Random) -> str:
        return "4"  # boards of 9x9 have too many states to be searched in tests


OPTIONS = by_name(
    Side("size", "rows and columns", "9", tuple(map(str, SIDES))),
    Number("clues", "how many; 0: as few as it gets, so that no clue can go", 0, most=max(SIDES) ** 2),
    Choice("symmetry", "of the pattern of clues", "none", tuple(SYMMETRIES)),
)


def random_cells(rng: Random, options: Mapping[str, Any]) -> str:
    """The cells of a board with one solution. Raises ParseError where the clues that are wanted are not to be had."""
    side, clues, turns = int(options["size"]), options["clues"], SYMMETRIES[options["symmetry"]]
    if clues:
        _require_possible(side, clues, turns)
    for _ in range(ATTEMPTS if clues else 1):
        cells = _thinned(full_board(rng, side), rng, orbits(side, turns), clues)
        if not clues or _count(cells) == clues:
            return cells
    raise ParseError(f"no {side}x{side} sudoku of {clues} clues came up in {ATTEMPTS} attempts; ask for more clues")


def _require_possible(side: int, clues: int, turns: Iterable[Turn]) -> None:
    if not LEAST[side] <= clues <= side * side:
        raise ParseError(
            f"clues: a {side}x{side} sudoku with one solution has from {LEAST[side]} to {side * side}, not {clues}"
        )
    sums = {0}
    for orbit in orbits(side, turns):
        sums |= {total + len(orbit) for total in sums}
    if clues not in sums:
        raise ParseError(f"clues: no pattern of {clues} clues on {side}x{side} cells has this symmetry")


def full_board(rng: Random, side: int) -> str:
    """A random full board."""
    lattice = lattice_of(side)
    while True:
        for board in lattice.solutions(lattice.full, rng, PATIENCE[side]):
            return board


def orbits(side: int, turns: Iterable[Turn]) -> list[tuple[int, ...]]:
    """The cells in groups that a symmetry takes to each other."""
    groups: dict[int, tuple[int, ...]] = {}
    for cell in range(side * side):
        if cell not in groups:
            group = _orbit(cell, side, tuple(turns))
            groups.update(dict.fromkeys(group, group))
    return list(dict.fromkeys(groups.values()))


def _orbit(cell: int, side: int, turns: Iterable[Turn]) -> tuple[int, ...]:
    group, queue = {cell}, [cell]
    while queue:
        row, column = divmod(queue.pop(), side)
        for turn in turns:
            to_row, to_column = turn(side - 1, row, column)
            to = to_row * side + to_column
            if to not in group:
                group.add(to)
                queue.append(to)
    return tuple(sorted(group))


def _thinned(full: str, rng: Random, groups: list[tuple[int, ...]], clues: int = 0) -> str:
    """A full board without the clues that can go, but with so many at least."""
    cells = full
    for group in rng.sample(groups, len(groups)):
        fewer = without(cells, group)
        if _count(fewer) >= clues and not has_other(fewer, full, group):
            cells = fewer
    return cells


def without(cells: str, group: Iterable[int]) -> str:
    """A board with some cells empty."""
    gone = set(group)
    return "".join([EMPTY if cell in gone else symbol for cell, symbol in enumerate(cells)])


def _count(cells: str) -> int:
    """How many clues there are."""
    return len(cells) - cells.count(EMPTY)


def sample(rng: Random) -> str:
    """A small board for tests: 4x4 with a few empty cells; now and then a value is wrong."""
    full = full_board(rng, 4)
    cells = list(without(full, rng.sample(range(16), rng.randint(0, 7))))
    if rng.random() < 0.25:
        cells[rng.randrange(16)] = rng.choice("1234")
    return "".join(cells)
