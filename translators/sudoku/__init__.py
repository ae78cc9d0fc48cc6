"""Sudoku: each value once in every row, column and box."""

from unpuzzle.translators.sudoku.rules import Sudoku as Sudoku
