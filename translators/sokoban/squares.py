"""The least numbers of pushes from a cell to a goal, without other boxes and with the player anywhere.

They are found backwards, by pulling a box away from each goal. From a *dead square*, such as a corner, no goal is
reachable: a box there is lost (A. Junghanns and J. Schaeffer, Sokoban: enhancing general single-agent search methods
using domain knowledge, 2001).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from unpuzzle.translators.shared.cells import neighbours
from unpuzzle.walks import distances

SIDES: dict[str, tuple[int, int]] = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


@lru_cache(maxsize=64)
def pushes(floor: str, columns: int) -> tuple[Mapping[int, int], ...]:
    """Return for each goal, by cell, the least number of pushes from there; cells from which it is unreachable are left
    out.

    `floor` has `.` for goals, `-` for other cells that can be entered, row by row.
    """
    pulls = _pulls(floor, columns)
    return tuple([distances([goal], pulls.__getitem__) for goal in _goals(floor)])


@lru_cache(maxsize=64)
def dead_squares(floor: str, columns: int) -> frozenset[int]:
    """Return the cells of a floor from which no goal is reachable, by one walk from all goals."""
    pulls = _pulls(floor, columns)
    alive = distances(_goals(floor), pulls.__getitem__)
    return frozenset(range(len(floor))).difference(alive)


def _goals(floor: str) -> list[int]:
    return [cell for cell, symbol in enumerate(floor) if symbol == "."]


def _pulls(floor: str, columns: int) -> list[list[int]]:
    """Return for each cell those that a box can be pulled to: the player pulls from the one beyond."""
    around = neighbours(len(floor) // columns, columns, SIDES)
    free = [{side: to for side, to in sides.items() if floor[to] in "-."} for sides in around]
    return [[to for side, to in sides.items() if side in free[to]] for sides in free]
