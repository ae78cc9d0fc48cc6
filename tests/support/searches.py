"""The searches on the rules as tests name and run them. A new one goes into the tuples here."""

import pytest

from support.data import MAZES
from support.registry import WITH_PDDL
from unpuzzle import translators
from unpuzzle.planners.rules.planner import ALGORITHMS, Rules
from unpuzzle.planning import running
from unpuzzle.translators.pacman import Pacman

every_puzzle = pytest.mark.parametrize("puzzle", [translators.find(name) for name in WITH_PDDL])

WALKERS = ("mouse", "wall-left", "wall-right")
TWO_ENDS = tuple(name for name in ALGORITHMS if name.startswith("bidirectional"))
PUBLISHED = ("dfs-overwriting", "dfs-consistent")
"""For crosswords only."""
OPTIMAL = ("bfs", "ucs", "astar", "wastar=1", "idastar", "bidirectional-bfs")


def run(search, position, limits=None):
    return running.run(search if isinstance(search, Rules) else f"rules:{search}", position, limits=limits)


def maze(name):
    return Pacman.parse((MAZES / f"{name}.lay").read_text(), name)


def figures(search, position):
    result = run(search, position)
    return result.cost, result.expanded
