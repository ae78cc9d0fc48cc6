"""The former place of `unpuzzle.puzzle.options`, for puzzles that import it from here."""

from unpuzzle.puzzle.options import Choice, Number, Option, Size, completed

__all__ = ["Choice", "Number", "Option", "Size", "completed"]
