"""All candidates of a board as the bits of one integer, which makes solving fast enough to generate sudokus.

A candidate is a value in a cell, and a bit. The bits of a value are a plane of the board, cell by cell, and the planes
follow each other, the first value's lowest; with 4 values:

    bit 63 ...                                     ... bit 0
    [ value 4        ][ value 3        ][ value 2        ][ value 1: r4c4 ... r1c2 r1c1 ]

Every rule says "exactly one of these candidates": one value in a cell; one cell for a value in a row, in a column, in a
box. The rules of a family have the same shape at different places. So if the number is shifted by each of a shape's
offsets in turn, the bits at the rules' first places can be counted for all rules of a family at once: `once` has the
rules with a candidate, `twice` the rules with a second one. 36 shifts cover all 324 rules of a 9x9 board, in some
microseconds. (Propagation cell by cell, as `unpuzzle.constraints` does it for any model, takes nine times as long on
boards of 9x9, and to make one, some eighty boards are solved.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from random import Random

from unpuzzle.translators.sudoku.board import EMPTY, SYMBOLS, board_of


class Lattice:
    """The candidates and the rules of one board size, as bits of integers.

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
        """Return the candidates that a candidate excludes: other values in its cell, and its value in related cells."""
        side, cells = self.side, self.side * self.side
        value, cell = divmod(bit, cells)
        others = [other * cells + cell for other in range(side) if other != value]
        around = [value * cells + peer for peer in board_of(side).peers[cell]]
        return sum(1 << rival for rival in (*others, *around))

    def bit(self, cell: int, symbol: str) -> int:
        """Return the number of a candidate's bit."""
        return SYMBOLS.index(symbol) * self.side * self.side + cell

    def start(self, cells: str) -> int:
        """Return the candidates that remain after the values of a board are set."""
        return self.given(cells, [cell for cell, symbol in enumerate(cells) if symbol != EMPTY])

    def given(self, cells: str, where: Iterable[int]) -> int:
        """Return the candidates that are not excluded by the values of a board in the given cells."""
        left = self.full
        for cell in where:
            left &= self.keep[self.bit(cell, cells[cell])]
        return left

    def is_solved(self, left: int) -> bool:
        return left.bit_count() == self.side**2

    def propagate(self, left: int) -> int:
        """Return the candidates left after all naked and hidden singles; 0 if some rule cannot be satisfied."""
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
        """Yield distinct solutions among the candidates `left`; `rng` gives a random order, `patience` limits nodes."""
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
        """Return the open candidates under the rule that has the fewest, but at least two."""
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
    """Yield the solutions of a board, each once, in a fixed order."""
    lattice = _lattice(cells)
    return lattice.solutions(lattice.start(cells))


def has_other(cells: str, solution: str, where: Iterable[int]) -> bool:
    """Return whether a board has a solution that differs from a given solution in at least one of some cells."""
    lattice = _lattice(cells)
    left = lattice.start(cells)
    rivals = (left & ~(1 << lattice.bit(cell, solution[cell])) for cell in where)
    return any(next(lattice.solutions(rival), None) is not None for rival in rivals)


def _lattice(cells: str) -> Lattice:
    return lattice_of(round(len(cells) ** 0.5))
