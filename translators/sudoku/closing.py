"""The candidates that the techniques up to a grade leave, fast enough to look for boards of that grade.

Techniques only ever remove candidates, and one candidate less never keeps another technique from its step. So the order
of the steps does not matter: singles are done for the whole board at once (`candidates`), and all steps of a technique
together. The hardest technique needed is then the first that leaves one candidate in each cell.
"""

from __future__ import annotations

from itertools import islice

from unpuzzle.translators.sudoku.board import EMPTY
from unpuzzle.translators.sudoku.candidates import Lattice, lattice_of
from unpuzzle.translators.sudoku.grading import hardest_technique
from unpuzzle.translators.sudoku.techniques import LADDER, Notes

SINGLES = 2
"""The number of techniques that are singles: the easiest ones."""


def left_by(lattice: Lattice, left: int, most: int) -> int:
    """Return the candidates left by the `most` easiest techniques, at least by singles; 0 in a contradiction."""
    while True:
        left = lattice.propagate(left)
        if not left or is_solved(lattice, left):
            return left
        notes = _notes(lattice, left)
        for technique in islice(LADDER.values(), SINGLES, most):
            gone = 0
            for step in technique(notes):
                for cell, values in step.removed.items():
                    gone |= sum(1 << (value - 1) * lattice.side**2 + cell for value in values)
            if gone:
                left &= ~gone
                break
        else:
            return left


def suffices(cells: str, most: int) -> bool:
    """Return whether the `most` easiest techniques solve a board that has a solution."""
    if most < SINGLES:
        return hardest_technique(cells, most) is not None
    lattice = lattice_of(round(len(cells) ** 0.5))
    return is_solved(lattice, left_by(lattice, lattice.start(cells), most))


def is_solved(lattice: Lattice, left: int) -> bool:
    """Return whether one candidate is left in each cell."""
    return left.bit_count() == lattice.side**2


def _notes(lattice: Lattice, left: int) -> Notes:
    cells = lattice.side**2
    notes = Notes(EMPTY * cells)
    values = [0] * cells
    for value in range(lattice.side):
        plane = left >> value * cells & (1 << cells) - 1
        while plane:
            low = plane & -plane
            values[low.bit_length() - 1] |= 1 << value
            plane ^= low
    notes.left = [bits if bits & bits - 1 else 0 for bits in values]
    return notes
