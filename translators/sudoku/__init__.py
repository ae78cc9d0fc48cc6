"""Sudoku: each value once in every row, column and box.

rules.py         positions, moves, and both as PDDL (domain.pddl)      picture.py      drawing
board.py         reading levels; cells, units, names of a size         techniques.py   how people solve it
candidates.py    solving, all candidates at once                       grading.py      how hard it is, the next step
making.py        unique and minimal levels                             mace4.py        formulas for a model finder
levels.txt       the bundled levels
"""

from unpuzzle.translators.sudoku.rules import Sudoku as Sudoku
