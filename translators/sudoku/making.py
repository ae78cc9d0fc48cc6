"""Random sudokus with one solution, in which no clue is superfluous.

A full board is found by a search that tries everything in random order, so every full board is possible. Then clues are
removed in random order, symmetric ones together, unless this makes another solution possible. One pass is enough: a
clue needed with more clues is also needed later.

For a grade, clues are removed only as long as techniques up to it are enough. If the result is easier, some clues are
put back and others removed, repeatedly. Boards of a rare grade are found from the other side: a board without a
superfluous clue is often too hard; clues are put back that keep easier techniques from solving it, until those up to
the grade do. For a number of clues, clues that keep the grade are put back at the end. Boards that still do not fit the
request are skipped (`fits`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import count
from unpuzzle.model.options import Choice, Number, Option, by_name
from unpuzzle.translators.sudoku.board import EMPTY, SIDES
from unpuzzle.translators.sudoku.techniques import (
    GRADES,
    LADDER,
    SEARCH,
    Candidates,
    Lattice,
    hardest_technique,
    has_other,
    lattice_of,
)

Turn = Callable[[int, int, int], tuple[int, int]]
"""The image of a cell under a symmetry: (last row, row, column) to (row, column)."""
Group = tuple[int, ...]
"""Cells that are added and removed together."""

PATIENCE = {4: 100, 9: 1_000, 16: 2_000}
"""By size, the nodes after which the search for a full board restarts; rarely needed, but then it saves minutes."""
EFFORT = {4: (20, 40), 9: (20, 40), 16: (3, 5)}
"""For a wanted number of clues, by size: the number of full boards tried, and of exchanges of clues on each."""
STEPS_TO_A_GRADE = 40
"""The number of attempts to reach a grade: exchanges of clues on a full board, and full boards."""
RARE = ("X-wing",)  # removing clues hardly ever leads to it
WAYS_BACK = 4  # the number of random orders in which clues are put back on a board that is too hard
EXCHANGED = 4
LEAST = {4: 4, 9: 17, 16: 15}
"""By size, the fewest clues of a board with one solution. (9: G. McGuire and others, 2012. 16: all values but one.)"""

SYMMETRIES: dict[str, tuple[Turn, ...]] = {
    "none": (),
    "rotation": (lambda last, row, column: (last - row, last - column),),
    "quarter": (lambda last, row, column: (column, last - row),),
    "horizontal": (lambda last, row, column: (last - row, column),),
    "vertical": (lambda last, row, column: (row, last - column),),
    "diagonal": (lambda last, row, column: (column, row),),
}
"""By name, the transformations that preserve the pattern of clues."""


class BoardSize(Choice):
    """An option of the sudoku generator: the number of rows and columns of the board."""

    __slots__ = ()

    def value(self, value: object) -> Any:
        return super().value(str(value) if type(value) is int else value)

    def small(self, rng: Random) -> str:
        return "4"  # boards of 9x9 have too many states to be searched in tests


ANY = "any"
OPTIONS: dict[str, Option] = by_name(
    BoardSize("size", "rows and columns", "9", tuple(map(str, SIDES))),
    Number("clues", "how many; 0: as few as possible, so that no clue is superfluous", 0, most=max(SIDES) ** 2),
    Choice("symmetry", "of the pattern of clues", "none", tuple(SYMMETRIES)),
    Choice("grade", "the hardest technique that a person needs", ANY, (ANY, *GRADES[1:])),
)


def random_cells(rng: Random, options: Mapping[str, Any]) -> str:
    """Return the cells of a random sudoku that has one solution. Raises ParseError if none is found."""
    side, clues, turns = int(options["size"]), options["clues"], SYMMETRIES[options["symmetry"]]
    if clues:
        _require_possible(side, clues, turns)
    groups = orbits(side, turns)
    if options["grade"] not in (ANY, SEARCH):
        return _graded(rng, side, groups, GRADES.index(options["grade"]), clues)
    boards, steps = EFFORT[side] if clues else (1, 0)
    for _ in range(boards):
        full = full_board(rng, side)
        cells = _thin_out(full, full, rng.sample(groups, len(groups)), clues)
        cells = _exchange(cells, full, rng, groups, clues, steps)
        if not clues or _count(cells) == clues:
            return cells
    message = f"no {side}x{side} sudoku of {count(clues, 'clue')} was found on {boards} boards; ask for more clues"
    raise ParseError(message)


def _require_possible(side: int, clues: int, turns: Sequence[Turn]) -> None:
    """Raise ParseError if no sudoku has the given number of clues and the given symmetry."""
    if not LEAST[side] <= clues <= side * side:
        bounds = f"from {LEAST[side]} to {side * side}"
        raise ParseError(f"clues: a {side}x{side} sudoku with one solution must have {bounds}, not {clues}")
    sums = {0}
    for orbit in orbits(side, turns):
        sums |= {total + len(orbit) for total in sums}
    if clues not in sums:
        raise ParseError(f"clues: no pattern of {clues} clues on {side}x{side} cells has the symmetry wanted")


def full_board(rng: Random, side: int) -> str:
    lattice = lattice_of(side)
    while True:
        for board in lattice.solutions(lattice.full, rng, PATIENCE[side]):
            return board


def orbits(side: int, turns: Sequence[Turn]) -> list[Group]:
    """Return the orbits of a symmetry: the groups of cells that the symmetry maps to each other."""

    def turned(cell: int) -> list[int]:
        places = [turn(side - 1, *divmod(cell, side)) for turn in turns]
        return [row * side + column for row, column in places]

    groups: dict[int, Group] = {}
    for cell in range(side * side):
        if cell not in groups:
            group = tuple(sorted(distances([cell], turned)))
            groups.update(dict.fromkeys(group, group))
    return list(dict.fromkeys(groups.values()))


def _thin_out(cells: str, full: str, groups: Iterable[Group], clues: int = 0, most: int | None = None) -> str:
    """Remove superfluous groups of clues from a board; return the board, with at least `clues` clues.

    With `most`, clues that the `most` easiest techniques need are not superfluous.
    """
    for group in groups:
        fewer = without(cells, group)
        superfluous = clues <= _count(fewer) < _count(cells) and not has_other(fewer, full, group)
        if superfluous and (most is None or suffices(fewer, most)):
            cells = fewer
    return cells


def _graded(rng: Random, side: int, groups: list[Group], most: int, clues: int) -> str:
    """Return a sudoku whose hardest technique is `GRADES[most]`; if none is found, an easier or harder sudoku."""
    cells = ""
    boards = (_made_easier if GRADES[most] in RARE else _thinned)(rng, side, groups, most)
    for cells, full in islice(boards, STEPS_TO_A_GRADE):
        checkpoint()
        if hardest_technique(cells, most) == most:
            filled = _filled_up(cells, full, rng.sample(groups, len(groups)), most, clues)
            if not clues or _count(filled) == clues:
                return filled
    return cells


def _thinned(rng: Random, side: int, groups: list[Group], most: int) -> Iterator[tuple[str, str]]:
    """Yield boards that the techniques up to `GRADES[most]` solve, each with its solution."""
    full = full_board(rng, side)
    cells = _thin_out(full, full, rng.sample(groups, len(groups)), most=most)
    while True:
        yield cells, full
        there, more, back = _with_few_back(cells, full, rng, groups)
        cells = _thin_out(more, full, [*there, *back], most=most)


def _made_easier(rng: Random, side: int, groups: list[Group], most: int) -> Iterator[tuple[str, str]]:
    """Yield boards that often need the technique `GRADES[most]`, each with its solution."""
    while True:
        full = full_board(rng, side)
        cells = _thin_out(full, full, rng.sample(groups, len(groups)))
        more = _with_clues_back(cells, full, rng, groups, most)
        yield _thin_out(more, full, rng.sample(groups, len(groups)), most=most) if more else cells, full


def _with_clues_back(cells: str, full: str, rng: Random, groups: list[Group], most: int) -> str:
    """Add clues until a board's hardest technique is `GRADES[most]`; return an empty text if that never happens."""
    lattice = lattice_of(round(len(cells) ** 0.5))
    start = left_by(lattice, lattice.start(cells), most - 1)
    for _ in range(0 if lattice.is_solved(start) else WAYS_BACK):
        easy, hard, more = start, left_by(lattice, start, most), cells
        for group in rng.sample(groups, len(groups)):
            if lattice.is_solved(hard):
                return more
            kept = lattice.given(full, group)
            left = left_by(lattice, easy & kept, most - 1) if hard & ~kept else 0  # else the clues add nothing new
            if left and not lattice.is_solved(left):
                easy, hard, more = left, left_by(lattice, left, most), _with(more, full, group)
    return ""


def _filled_up(cells: str, full: str, groups: Iterable[Group], most: int, clues: int) -> str:
    """Add clues to a board, up to `clues` in all, that do not change its hardest technique."""
    for group in groups:
        more = _with(cells, full, group)
        if _count(cells) < _count(more) <= clues and hardest_technique(more, most - 1) is None:
            cells = more
    return cells


def _exchange(cells: str, full: str, rng: Random, groups: list[Group], clues: int, steps: int) -> str:
    """Put a few clues back into a board, so that more of its other clues become superfluous and can be removed."""
    for _ in range(steps):
        if _count(cells) == clues:
            break
        there, more, back = _with_few_back(cells, full, rng, groups)
        other = _thin_out(more, full, [*there, *back], clues)
        if _count(other) <= _count(cells):
            cells = other
    return cells


def _with_few_back(cells: str, full: str, rng: Random, groups: list[Group]) -> tuple[list[Group], str, list[Group]]:
    """Return a board with a few groups of clues put back, its old groups in random order, and the new groups."""
    there = [group for group in groups if cells[group[0]] != EMPTY]
    gone = [group for group in groups if cells[group[0]] == EMPTY]
    back = rng.sample(gone, min(EXCHANGED, len(gone)))
    return rng.sample(there, len(there)), _with(cells, full, [cell for group in back for cell in group]), back


def _with(cells: str, full: str, group: Iterable[int]) -> str:
    """Return a board in which a group of cells is filled in from the solution `full`."""
    there = set(group)
    return "".join([full[cell] if cell in there else symbol for cell, symbol in enumerate(cells)])


def without(cells: str, group: Iterable[int]) -> str:
    """Return a board in which a group of cells is emptied."""
    gone = set(group)
    return "".join([EMPTY if cell in gone else symbol for cell, symbol in enumerate(cells)])


def _count(cells: str) -> int:
    return len(cells) - cells.count(EMPTY)


def sample(rng: Random) -> str:
    """Return a random 4x4 sudoku for tests, with a few empty cells and sometimes with a wrong value."""
    cells = list(without(full_board(rng, 4), rng.sample(range(16), rng.randint(0, 7))))
    if rng.random() < 0.25:
        cells[rng.randrange(16)] = rng.choice("1234")
    return "".join(cells)


# The candidates that the techniques up to a grade leave, fast enough to look for boards of that grade.
#
# Techniques only ever remove candidates, and one candidate less never keeps another technique from its step. So the
# order of the steps does not matter: singles are done for the whole board at once, and all steps of a technique
# together.

SINGLES = 2  # the easiest techniques


def left_by(lattice: Lattice, left: int, most: int) -> int:
    """Return the candidates that are left by the `most` easiest techniques; 0 if they find a contradiction."""
    cells, gone = lattice.side**2, True
    while gone and (left := lattice.propagate(left)) and not lattice.is_solved(left):
        notes, gone = Candidates(EMPTY * cells), False
        every = [
            sum(1 << value for value in range(lattice.side) if left >> value * cells + c & 1) for c in range(cells)
        ]
        notes.left = [bits if bits & bits - 1 else 0 for bits in every]
        for technique in islice(LADDER.values(), SINGLES, most):
            for step in () if gone else technique(notes):
                bits = [1 << (value - 1) * cells + cell for cell, values in step.removed.items() for value in values]
                left, gone = left & ~sum(bits), True
    return left


def suffices(cells: str, most: int) -> bool:
    """Return whether the `most` easiest techniques are enough to solve a board."""
    if most < SINGLES:
        return hardest_technique(cells, most) is not None
    lattice = lattice_of(round(len(cells) ** 0.5))
    return lattice.is_solved(left_by(lattice, lattice.start(cells), most))
