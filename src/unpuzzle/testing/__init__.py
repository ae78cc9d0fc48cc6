"""Helpers for tests of puzzles and PDDL: assertions, expectations in comments, and laws for games.

from unpuzzle.testing import assert_solvable, assert_unsolvable, assert_valid, assert_same_game, laws

expectations.py    assertions: solvable, unsolvable, a valid plan, the same game; comments in files that expect these
game_laws/         laws(game): properties that hold for every game, as tests for pytest
pytest_items.py    the tests that the pytest plugin collects
"""

from unpuzzle.testing.expectations import assert_same_game, assert_solvable, assert_unsolvable, assert_valid
from unpuzzle.testing.game_laws import laws

__all__ = ["assert_same_game", "assert_solvable", "assert_unsolvable", "assert_valid", "laws"]
