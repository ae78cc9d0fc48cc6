"""The former place of GridPuzzle, for the puzzles that `unpuzzle new --grid` wrote before it had a public one."""

from __future__ import annotations

from unpuzzle.translators.shared.grid import GridPuzzle

__all__ = ["GridPuzzle"]
