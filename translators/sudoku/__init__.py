"""Sudoku: each value once in every row, column and box.

rules.py         positions, moves, constraints, and both as PDDL    making.py        random sudokus
board.py         boards of one size, level texts                    techniques.py    how people solve them; grades
collecting.py    files of other programs
"""

from unpuzzle.translators.sudoku.rules import Sudoku as Sudoku
