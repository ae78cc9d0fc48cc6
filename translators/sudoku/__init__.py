"""Sudoku: each value once in every row, column and box.

rules.py        positions, moves, and both as PDDL (domain.pddl)     picture.py      as text
text.py         reading levels                                       candidates.py   all candidates in one number: solving
levels.py       the bundled levels                                   making.py       random levels, unique and minimal
board.py        cells and units of a size                            techniques.py   how people solve it
mace4.py        as formulas for the model finder Mace4               grading.py      how hard it is, the next step and why
"""

from unpuzzle.translators.sudoku.rules import Sudoku as Sudoku
