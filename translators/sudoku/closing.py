"""The candidates that the techniques up to a grade leave, fast enough to look for boards of that grade.

Techniques only ever remove candidates, and one candidate less never keeps another technique from its step. So the order
of the steps does not matter: singles are done for the whole board at once, and all steps of a technique together.
"""

from __future__ import annotations

from itertools import islice

from unpuzzle.translators.sudoku.board import EMPTY
from unpuzzle.translators.sudoku.candidates import Lattice, lattice_of
from unpuzzle.translators.sudoku.grading import hardest_technique
from unpuzzle.translators.sudoku.techniques import LADDER, Notes

SINGLES = 2  # the easiest techniques


def left_by(lattice: Lattice, left: int, most: int) -> int:
    """Return the candidates left by the `most` easiest techniques, at least by singles; 0 in a contradiction."""
    cells, gone = lattice.side**2, True
    while gone and (left := lattice.propagate(left)) and not lattice.is_solved(left):
        notes, gone = Notes(EMPTY * cells), False
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
    """Return whether the `most` easiest techniques solve a board that has a solution."""
    if most < SINGLES:
        return hardest_technique(cells, most) is not None
    lattice = lattice_of(round(len(cells) ** 0.5))
    return lattice.is_solved(left_by(lattice, lattice.start(cells), most))
