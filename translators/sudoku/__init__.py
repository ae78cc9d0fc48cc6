"""Sudoku: each value once in every row, column and box.

rules.py       positions, moves, and both as PDDL (domain.pddl)     picture.py      as text
text.py        reading levels                                       pddl_names.py   what things are called in PDDL
levels.txt     the bundled levels                                   candidates.py   solving, all candidates at once
board.py       cells and units of a size                            making.py       unique and minimal levels
mace4.py       as formulas for the model finder Mace4               techniques.py   how people solve it
grading.py     how hard it is, the next step and why
"""

from unpuzzle.translators.sudoku.rules import Sudoku as Sudoku
