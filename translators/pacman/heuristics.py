"""Heuristics for Pacman. With one dot left they are distances to it; with more, they combine distances.

A plan leads to every dot, so no distance to a dot exceeds its length; a move changes each distance by at most 1, and an
eaten dot was 1 away.

*spanning-tree* is admissible: the plan reaches some dot first, the nearest at best, and its rest joins all dots. It is
consistent: if a move eats the dot f, the estimate was 1 + tree(F), and joining f by the shortest edge to the tree of
the others gives tree(F) ≤ tree(F - f) + (steps from f to the nearest other dot), the estimate afterwards.
*joined-tree* is admissible for the same reason and often higher, but not consistent: where Pacman enters a crossing
with dots at the ends of three other arms, every edge of the tree gets shorter by 1, with a single move. (The trees:
R. C. Prim, Shortest connection networks and some generalizations, 1957.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import hypot
from operator import add

from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.puzzle.heuristic import NULL, Heuristic
from unpuzzle.puzzle.options import by_name

if TYPE_CHECKING:
    from unpuzzle.translators.pacman.rules import Pacman


def _steps(position: Pacman, other: Pacman) -> float:
    return position.maze.distances.between(position.cell, other.cell)


def _edges(position: Pacman) -> dict[int, float]:
    between, cell = position.maze.distances.between, position.cell
    return {dot: between(cell, dot) for dot in position.food}


def _farthest_steps(position: Pacman) -> float:
    return max(_edges(position).values(), default=0)


def _spanning_tree(position: Pacman) -> float:
    if not position.food:
        return 0
    return min(_edges(position).values()) + position.maze.trees.weight(position.food)


def _joined_tree(position: Pacman) -> float:
    return position.maze.trees.grow(_edges(position))


_sound = partial(Heuristic, admissible=True, consistent=True)


def _farthest(name: str, about: str, measure: Callable[[int, int], float]) -> Heuristic:
    """Return the heuristic with the largest measure, by rows and columns, of the way to a dot."""

    def apart(position: Pacman, cell: int) -> float:
        row, column = divmod(position.cell, position.columns)
        other_row, other_column = divmod(cell, position.columns)
        return measure(abs(row - other_row), abs(column - other_column))

    def estimate(position: Pacman) -> float:
        return max([apart(position, dot) for dot in position.food], default=0)

    return _sound(name, about, estimate, between=lambda position, other: apart(position, other.cell))


_STEPS = "steps through the maze to the farthest dot"
_TREE = "steps to the nearest dot and a minimum spanning tree of the dots"
_JOINED = "a minimum spanning tree of Pacman and the dots; not consistent"
HEURISTICS: dict[str, Heuristic] = by_name(
    _farthest("manhattan", "rows and columns to the dot that is farthest in this measure, walls ignored", add),
    _farthest("euclidean", "straight distance to the dot that is farthest in this measure", hypot),
    _sound("farthest", _STEPS, _farthest_steps, between=_steps),
    _sound("spanning-tree", _TREE, _spanning_tree),
    Heuristic("joined-tree", _JOINED, _joined_tree, admissible=True, consistent=False),
    _sound("dots", "how many are left", lambda position: len(position.food)),
    NULL,
)
