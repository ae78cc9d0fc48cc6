"""Techniques by which people solve sudokus: each removes candidates from cells, or places a value.

A technique is a function that yields the steps it allows on some notes. A step places a value or removes candidates,
with a reason. Every step is valid for all solutions of the sudoku, even if it has several.

    naked single        one value is left for a cell                 naked pair    two cells, the same two values
    hidden single       one cell is left for a value in a unit       hidden pair   two values, the same two cells
    locked candidates   a unit's value is where another crosses    X-wing        two lines, the same two places

`solutions` counts much faster than people: on all candidates of a board as the bits of one integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import combinations, islice, product
from operator import or_
from random import Random
from typing import Any

from unpuzzle.base.text import listing
from unpuzzle.base.values import Record, field
from unpuzzle.translators.sudoku.board import EMPTY, SYMBOLS, SudokuBoard, board_of

Technique = Callable[["Candidates"], Iterator["Deduction"]]
Crossing = tuple[int, int, list[int], list[int], list[int]]
SEARCH = "search"


class Deduction(Record):
    """One step of solving a sudoku: the technique, its reason, and the values that it places or removes.

    Attributes:
        technique: its name.
        cells, values: the numbers of the cells and the values (from 1) involved.
        reason: the reason, a sentence without its end.
        placed: the value of a cell, or nothing.
        removed: by cell, the values that it cannot have.
    """

    technique: str
    cells: Sequence[int]
    values: Sequence[int]
    reason: str
    placed: Mapping[int, int] = field(default_factory=dict)
    removed: Mapping[int, list[int]] = field(default_factory=dict)

    def plain(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the step as data for JSON; `names` are the names of the cells."""
        return {
            "technique": self.technique,
            "cells": [names[cell] for cell in self.cells],
            "values": list(self.values),
            "placed": {names[cell]: value for cell, value in self.placed.items()},
            "removed": {names[cell]: values for cell, values in self.removed.items()},
            "reason": self.reason,
        }


class Candidates:
    """The candidates of each cell of a board, as a number with one bit for each value; 0 for a filled cell."""

    __slots__ = ("board", "left")

    def __init__(self, cells: str) -> None:
        self.board: SudokuBoard = board_of(round(len(cells) ** 0.5))
        self.left: list[int] = [(1 << self.board.side) - 1] * len(cells)
        for cell, symbol in enumerate(cells):
            if symbol != EMPTY:
                self.place(cell, self.board.symbols.index(symbol) + 1)

    def place(self, cell: int, value: int) -> None:
        """Fill a cell, and remove its value from the candidates of the cells in its row, column and box."""
        self.left[cell] = 0
        for peer in self.board.peers[cell]:
            self.left[peer] &= ~(1 << value - 1)

    def take(self, step: Deduction) -> None:
        for cell, value in step.placed.items():
            self.place(cell, value)
        for cell, values in step.removed.items():
            self.left[cell] &= ~sum(1 << value - 1 for value in values)

    def places(self, unit: int, bit: int) -> tuple[int, ...]:
        """Return the cells of a unit in which a value is a candidate."""
        return tuple([cell for cell in self.board.units[unit] if self.left[cell] & bit])

    def any_of(self, cells: Iterable[int]) -> int:
        """Return the values that are candidates of at least one of the cells, as bits."""
        return reduce(or_, [self.left[cell] for cell in cells], 0)

    def removals(self, cells: Iterable[int], bits: int) -> dict[int, list[int]]:
        """Map each of the cells to its candidates among the values that `bits` encodes; leave out cells without any."""
        return {cell: values_of(self.left[cell] & bits) for cell in cells if self.left[cell] & bits}

    def cell_list(self, cells: Iterable[int]) -> str:
        """Return the names of cells as a list in words."""
        return listing([self.board.names[cell] for cell in cells])

    def symbols(self, bits: int, last: str = "and") -> str:
        """Return the symbols of values as a list in words."""
        return listing([self.board.symbols[value - 1] for value in values_of(bits)], last)


def values_of(bits: int) -> list[int]:
    return [place for place in range(1, bits.bit_length() + 1) if bits >> place - 1 & 1]


def naked_singles(notes: Candidates) -> Iterator[Deduction]:
    for cell, bits in enumerate(notes.left):
        if bits.bit_count() == 1:
            value = bits.bit_length()
            reason = f"{notes.symbols(bits)} is the only value left for {notes.board.names[cell]}"
            yield Deduction("naked single", [cell], [value], reason, placed={cell: value})


def hidden_singles(notes: Candidates) -> Iterator[Deduction]:
    """Yield a step for each value that has only one possible cell in a unit."""
    left = notes.left
    for unit, cells in enumerate(notes.board.units):
        once = twice = 0
        for cell in cells:
            twice |= once & left[cell]
            once |= left[cell]
        for value in values_of(once & ~twice):
            cell, symbol = notes.places(unit, 1 << value - 1)[0], notes.symbols(1 << value - 1)
            reason = f"in {notes.board.unit_names[unit]}, {symbol} can only go to {notes.board.names[cell]}"
            yield Deduction("hidden single", [cell], [value], reason, placed={cell: value})


def locked_candidates(notes: Candidates) -> Iterator[Deduction]:
    """Yield the steps that remove a value from a unit because another unit needs it where the two cross."""
    names = notes.board.unit_names
    for unit, other, here, both, there in _crossings(notes.board.side):
        for value in values_of(notes.any_of(both) & ~notes.any_of(here) & notes.any_of(there)):
            bit = 1 << value - 1
            symbol = notes.symbols(bit)
            reason = (
                f"in {names[unit]}, {symbol} can only be where {names[other]} crosses it; "
                f"so no other cell of {names[other]} is {symbol}"
            )
            cells = [cell for cell in both if notes.left[cell] & bit]
            yield Deduction("locked candidates", cells, [value], reason, removed=notes.removals(there, bit))


@cache
def _crossings(side: int) -> list[Crossing]:
    """Return pairs of overlapping units, each as the cells of the first alone, of both, and of the second alone."""
    units, crossings = board_of(side).units, []
    for unit, other in combinations(range(len(units)), 2):
        both = [cell for cell in units[unit] if cell in units[other]]
        if len(both) > 1:
            here, there = ([cell for cell in units[each] if cell not in both] for each in (unit, other))
            crossings += [(unit, other, here, both, there), (other, unit, there, both, here)]
    return sorted(crossings, reverse=True)  # people see first what a box implies for a line


def naked_pairs(notes: Candidates) -> Iterator[Deduction]:
    """Yield a step for each pair of cells in a unit whose only candidates are the same two values."""
    for unit, cells in enumerate(notes.board.units):
        twins = [cell for cell in cells if notes.left[cell].bit_count() == 2]
        for pair in combinations(twins, 2):
            bits = notes.left[pair[0]]
            removed = notes.removals([cell for cell in cells if cell not in pair], bits)
            if bits == notes.left[pair[1]] and removed:
                reason = (
                    f"{notes.cell_list(pair)} have only {notes.symbols(bits)} left; "
                    f"so no other cell of {notes.board.unit_names[unit]} is {notes.symbols(bits, 'or')}"
                )
                yield Deduction("naked pair", pair, values_of(bits), reason, removed=removed)


def hidden_pairs(notes: Candidates) -> Iterator[Deduction]:
    """Yield a step for each pair of values that have the same two possible cells in a unit."""
    for unit, cells in enumerate(notes.board.units):
        two = {1 << value - 1: notes.places(unit, 1 << value - 1) for value in values_of(notes.any_of(cells))}
        for one, other in combinations([bit for bit, places in two.items() if len(places) == 2], 2):
            removed = notes.removals(two[one], ~(one | other))
            if two[one] == two[other] and removed:
                reason = (
                    f"in {notes.board.unit_names[unit]}, {notes.symbols(one | other)} can only go to "
                    f"{notes.cell_list(two[one])}; so these have no other values"
                )
                yield Deduction("hidden pair", two[one], values_of(one | other), reason, removed=removed)


def x_wings(notes: Candidates) -> Iterator[Deduction]:
    """Yield a step for each value whose possible cells in two rows lie in the same two columns, or the reverse."""
    board, side = notes.board, notes.board.side
    for value, (lines, crossing) in product(range(1, side + 1), ((range(side), 1), (range(side, 2 * side), 0))):
        bit = 1 << value - 1
        places = {line: notes.places(line, bit) for line in lines}
        for pair in combinations([line for line, cells in places.items() if len(cells) == 2], 2):
            corners = [*places[pair[0]], *places[pair[1]]]
            ends = sorted({board.units_of[cell][crossing] for cell in corners})
            others = [cell for end in ends for cell in board.units[end] if cell not in corners]
            removed = notes.removals(others, bit)
            if len(ends) == 2 and removed:
                one, two, left, right = (board.unit_names[unit] for unit in (*pair, *ends))
                reason = (
                    f"in {one} and in {two}, {notes.symbols(bit)} can only be in {left} or {right}; "
                    f"so no other cell of {left} and {right} is {notes.symbols(bit)}"
                )
                yield Deduction("X-wing", corners, [value], reason, removed=removed)


LADDER: dict[str, Technique] = {
    "naked single": naked_singles,
    "hidden single": hidden_singles,
    "locked candidates": locked_candidates,
    "naked pair": naked_pairs,
    "hidden pair": hidden_pairs,
    "X-wing": x_wings,
}
"""The techniques by name, the easiest first."""


# Difficulty of sudokus for people, and the next step with its reason.
#
# A person tries the techniques from the easiest on, and begins again after each step. The grade is the hardest
# technique needed; if all fail, it is `search`: trying values until all others lead to a contradiction.

GRADES = ("nothing to do", *LADDER, SEARCH)


@lru_cache(maxsize=64)
def grade(cells: str) -> tuple[int, str] | None:
    """Return the number and the name of the hardest technique that a board needs; None without a single solution."""
    if len(list(islice(solutions(cells), 2))) != 1:
        return None
    hardest = hardest_technique(cells)
    return (len(GRADES) - 1, SEARCH) if hardest is None else (hardest, GRADES[hardest])


def hardest_technique(cells: str, most: int = len(LADDER)) -> int | None:
    """Return the index in `GRADES` of the hardest technique needed; None if the first `most` do not suffice.

    The board must have a solution; a board solved by techniques has only one.
    """
    notes, hardest = Candidates(cells), 0
    while any(notes.left):
        step = next_step(notes, most)
        if step is None:
            return None
        notes.take(step)
        hardest = max(hardest, GRADES.index(step.technique))
    return hardest


def next_step(notes: Candidates, most: int = len(LADDER)) -> Deduction | None:
    """Return the first step that one of the `most` easiest techniques finds; None if they find none."""
    steps = (step for technique in islice(LADDER.values(), most) for step in technique(notes))
    return next(steps, None)


def explain(cells: str, impossible: str | None) -> tuple[str, dict[str, Any]]:
    """Return the next value to place and the reason, as text and as data for JSON.

    `impossible` says why there is no solution. The data describe the first step, with `steps`: all steps needed up to
    the first placed value; `technique` is None without a step, and `reason` says why.
    """
    answers = list(islice(solutions(cells), 2))
    names = Candidates(cells).board.names
    if not answers or EMPTY not in cells:
        reason = "all cells are filled" if answers else impossible or _contradiction(cells, names)
        return reason, _no_step(reason)
    steps = steps_to_a_value(cells)
    if not steps and len(answers) == 2:
        cell = next(cell for cell, symbols in enumerate(zip(*answers, strict=True)) if len(set(symbols)) == 2)
        values = listing(sorted(solution[cell] for solution in answers), "or")
        reason = f"there are several solutions, and no technique helps: {names[cell]} may be {values}"
        return reason, _no_step(reason)
    steps = steps or [_by_search(cells, answers[0])]
    (cell, value), *_ = steps[-1].placed.items()
    lines = [*(f"{step.technique}: {step.reason}" for step in steps), f"so {names[cell]}={SYMBOLS[value - 1]}"]
    return "\n".join(lines), {**steps[0].plain(names), "steps": [step.plain(names) for step in steps]}


def steps_to_a_value(cells: str) -> list[Deduction]:
    """Return the easiest steps that lead to the next value; an empty list if the techniques find none."""
    notes, steps = Candidates(cells), list[Deduction]()
    while not steps or not steps[-1].placed:
        step = next_step(notes)
        if step is None:
            return []
        notes.take(step)
        steps.append(step)
    for step in steps[-2::-1]:
        steps = _replayed(cells, [other for other in steps if other.reason != step.reason]) or steps
    return steps


def _replayed(cells: str, steps: list[Deduction]) -> list[Deduction] | None:
    """Return the given steps if they alone can be made in this order on the board `cells`; otherwise None."""
    notes, again = Candidates(cells), []
    for step in steps:
        same = next((each for each in LADDER[step.technique](notes) if each.reason == step.reason), None)
        if same is None:
            return None
        notes.take(same)
        again.append(same)
    return again


def _by_search(cells: str, solution: str) -> Deduction:
    """Return a step that fills a cell of a board on which no technique finds a step; it is found by search."""
    notes = Candidates(cells)
    cell = min((cell for cell, bits in enumerate(notes.left) if bits), key=lambda cell: notes.left[cell].bit_count())
    value = notes.board.symbols.index(solution[cell]) + 1
    others = notes.left[cell] & ~(1 << value - 1)
    reason = (
        f"no technique helps; of the values left for {notes.board.names[cell]}, {notes.symbols(others)} "
        f"would lead to a contradiction"
    )
    return Deduction(SEARCH, [cell], [value, *values_of(others)], reason, placed={cell: value})


def _contradiction(cells: str, names: tuple[str, ...]) -> str:
    """Return a sentence about a smallest set of values that contradict each other."""
    needed = cells
    for cell in range(len(cells)):
        fewer = needed[:cell] + EMPTY + needed[cell + 1 :]
        if next(solutions(fewer), None) is None:
            needed = fewer
    values = [f"{name}={symbol}" for name, symbol in zip(names, needed, strict=True) if symbol != EMPTY]
    return f"there is no solution: {', '.join(values)} contradict each other"


def _no_step(reason: str) -> dict[str, Any]:
    nothing: dict[str, Any] = {"cells": [], "values": [], "placed": {}, "removed": {}, "steps": []}
    return {"technique": None, "reason": reason, **nothing}


# ---- All candidates of a board as the bits of one integer, which makes solving fast enough to generate sudokus.
#
# A candidate is a value in a cell, and a bit. The bits of a value are a plane of the board, cell by cell, and the
# planes follow each other, the first value's lowest; with 4 values:
#
#     bit 63 ...                                     ... bit 0
#     [ value 4        ][ value 3        ][ value 2        ][ value 1: r4c4 ... r1c2 r1c1 ]
#
# Every rule says "exactly one of these candidates": one value in a cell; one cell for a value in a row, in a column, in
# a box. The rules of a family have the same shape at different places. So if the number is shifted by each of a shape's
# offsets in turn, the bits at the rules' first places can be counted for all rules of a family at once: `once` has the
# rules with a candidate, `twice` the rules with a second one. 36 shifts cover all 324 rules of a 9x9 board, in some
# microseconds. (Propagation cell by cell, as `unpuzzle.constraints` does it for any model, takes nine times as long on
# boards of 9x9, and to make one, some eighty boards are solved.)


class Lattice:
    """An encoding of the rules for boards of one size, in which a set of candidates is an int with a bit for each.

    Attributes:
        full: all candidates.
        keep: by bit, the candidates that remain if this one is chosen.
        families: of rules: the offsets of a shape, and the places of the rules.
    """

    __slots__ = ("families", "full", "keep", "side")

    def __init__(self, side: int) -> None:
        self.side: int = side
        board, cells = board_of(side), side * side
        self.full: int = (1 << side**3) - 1
        bits, places = range(side**3), list(product(range(side), repeat=3))
        boxes = [row * side + column for row in range(board.box) for column in range(board.box)]
        shapes = [
            ([value * cells for value in range(side)], [value == 0 for value, _, _ in places]),
            (list(range(side)), [column == 0 for _, _, column in places]),
            ([row * side for row in range(side)], [row == 0 for _, row, _ in places]),
            (boxes, [row % board.box == column % board.box == 0 for _, row, column in places]),
        ]
        self.families: list[tuple[tuple[int, ...], int]] = [
            (tuple(o), sum(1 << bit for bit in bits if first[bit])) for o, first in shapes
        ]
        self.keep: list[int] = [self.full & ~self._rivals(bit) for bit in bits]

    def _rivals(self, bit: int) -> int:
        """Return the candidates that a given candidate excludes."""
        side, cells = self.side, self.side * self.side
        value, cell = divmod(bit, cells)
        others = [other * cells + cell for other in range(side) if other != value]
        around = [value * cells + peer for peer in board_of(side).peers[cell]]
        return sum(1 << rival for rival in (*others, *around))

    def bit(self, cell: int, symbol: str) -> int:
        """Return the number of the bit for a value's symbol in a cell."""
        return SYMBOLS.index(symbol) * self.side * self.side + cell

    def start(self, cells: str) -> int:
        """Return the candidates that do not contradict the values on a board, as bits."""
        return self.given(cells, [cell for cell, symbol in enumerate(cells) if symbol != EMPTY])

    def given(self, cells: str, where: Iterable[int]) -> int:
        """Return the candidates that agree with the values that a board has in the cells `where`."""
        left = self.full
        for cell in where:
            left &= self.keep[self.bit(cell, cells[cell])]
        return left

    def is_solved(self, left: int) -> bool:
        return left.bit_count() == self.side**2

    def propagate(self, left: int) -> int:
        """Return the candidates that are left after all singles are filled in; 0 if a rule is violated."""
        singles_done = 0
        while True:
            singles = 0
            for offsets, places in self.families:
                once = twice = 0
                for offset in offsets:
                    bits = left >> offset & places
                    twice |= once & bits
                    once |= bits
                if once != places:
                    return 0
                lone = once & ~twice
                for offset in offsets if lone else ():
                    singles |= lone << offset & left
            new = singles & ~singles_done
            if not new:
                return left
            singles_done |= new
            for bit in _bits(new):
                left &= self.keep[bit]

    def solutions(self, left: int, rng: Random | None = None, patience: int | None = None) -> Iterator[str]:
        """Yield the solutions that a set of candidates allows, shuffled by `rng`; visit up to `patience` nodes."""
        stack, nodes = [left], 0
        while stack and (patience is None or nodes < patience):
            nodes += 1
            left = self.propagate(stack.pop())
            if self.is_solved(left):
                yield self._read(left)
            elif left:
                choices = list(_bits(self._choice(left)))
                if rng is not None:
                    rng.shuffle(choices)
                stack += [left & self.keep[bit] for bit in reversed(choices)]

    def _choice(self, left: int) -> int:
        """Return the undecided candidates of the most constrained rule: the rule with the fewest, but at least two."""
        for offsets, places in self.families:
            once = twice = more = 0
            for offset in offsets:
                bits = left >> offset & places
                more |= twice & bits
                twice |= once & bits
                once |= bits
            pairs = twice & ~more
            if pairs:
                return left & sum((pairs & -pairs) << offset for offset in offsets)
        rules = (
            left & sum(1 << place + offset for offset in offsets)
            for offsets, places in self.families
            for place in _bits(places)
        )
        return min((rule for rule in rules if rule & rule - 1), key=int.bit_count)

    def _read(self, left: int) -> str:
        side, cells = self.side, [EMPTY] * self.side**2
        for bit in _bits(left):
            cells[bit % side**2] = SYMBOLS[bit // side**2]
        return "".join(cells)


lattice_of: Callable[[int], Lattice] = cache(Lattice)


def _bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def solutions(cells: str) -> Iterator[str]:
    """Yield each solution of a board once, in a fixed order."""
    lattice = _lattice(cells)
    return lattice.solutions(lattice.start(cells))


def has_other(cells: str, solution: str, where: Iterable[int]) -> bool:
    """Return whether a board has a solution that differs from `solution` in a cell of `where`."""
    lattice = _lattice(cells)
    left = lattice.start(cells)
    rivals = (left & ~(1 << lattice.bit(cell, solution[cell])) for cell in where)
    return any(next(lattice.solutions(rival), None) is not None for rival in rivals)


def _lattice(cells: str) -> Lattice:
    return lattice_of(round(len(cells) ** 0.5))
