"""How many pushes take a box from a cell to a goal, if no other box is in the way and the player can be anywhere.

It is found backwards, by pulling a box away from each goal. From a *dead square*, such as a corner, no goal can be
reached: a box there is lost (A. Junghanns and J. Schaeffer, Sokoban: enhancing general single-agent search methods
using domain knowledge, 2001).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from unpuzzle.translators.shared.cells import neighbours

SIDES = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


@lru_cache(maxsize=64)
def pushes(floor: str, columns: int) -> tuple[Mapping[int, int], ...]:
    """Return for each goal, by cell, the least number of pushes from there; cells without a way are left out.

    `floor` has `.` for goals, `-` for other cells that can be entered, row by row.
    """
    around = neighbours(len(floor) // columns, columns, SIDES)
    free = [{side: to for side, to in sides.items() if floor[to] in "-."} for sides in around]
    return tuple([_pulled(goal, free) for goal, symbol in enumerate(floor) if symbol == "."])


def _pulled(goal: int, free: Sequence[Mapping[str, int]]) -> Mapping[int, int]:
    """Return the cells that a box can be pulled to from a goal, with the number of pulls."""
    pulls, layer = {goal: 0}, [goal]
    while layer:
        following = []
        for cell in layer:
            for side, to in free[cell].items():
                if to not in pulls and side in free[to]:  # the player pulls from there
                    pulls[to] = pulls[cell] + 1
                    following.append(to)
        layer = following
    return pulls
