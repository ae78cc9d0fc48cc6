"""Heuristics for Sokoban: lower bounds on the number of pushes, without walking.

All are infinite if a box is on a dead square, and `matching` also if boxes have no distinct goals. All are admissible:
other boxes and the player's way only make solutions longer. All are consistent: a push moves one box by one cell, which
changes each of these numbers by at most 1, and a step changes none; and infinite values remain infinite, since a box is
never pushed from a dead square to one that is not dead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from unpuzzle.base.run import checkpoint
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.puzzle.heuristic import NULL, Heuristic
from unpuzzle.puzzle.options import by_name
from unpuzzle.translators.sokoban.boards import dead_squares, pushes

if TYPE_CHECKING:
    from unpuzzle.translators.sokoban.rules import Sokoban

NEVER = float("inf")
FAR = 10**9
"""The number for infinity in sums and differences."""


def _matching(position: Sokoban) -> float:
    return _matched(position.floor, position.columns, tuple(position.where("$*")))


def _pushes(position: Sokoban) -> float:
    goals = pushes(position.floor, position.columns)
    return sum([min([goal.get(box, NEVER) for goal in goals], default=NEVER) for box in position.where("$")])


def _dead_squares(position: Sokoban) -> float:
    boxes = position.where("$")
    return len(boxes) if dead_squares(position.floor, position.columns).isdisjoint(boxes) else NEVER


@lru_cache(maxsize=1 << 16)
def _matched(floor: str, columns: int, boxes: tuple[int, ...]) -> float:
    """Return the estimate of `matching`, cached since most moves leave all boxes in place."""
    goals = pushes(floor, columns)
    if len(boxes) > len(goals):
        return NEVER
    least = assignment([[goal.get(box, FAR) for goal in goals] for box in boxes])
    return least if least < FAR else NEVER


def assignment(costs: Sequence[Sequence[int]]) -> int:
    """Return the least sum of costs, one of each row, no two of a column; there are at least as many columns as rows.

    The Hungarian method (H. W. Kuhn, The Hungarian method for the assignment problem, 1955): row after row gets a
    column by a shortest path of exchanges, with costs reduced by potentials. Columns count from 1; in column 0 a new
    row waits.
    """
    columns = len(costs[0]) + 1 if costs else 1
    rows, lower = [0] * (len(costs) + 1), [0] * columns  # potentials
    owner = [0] * columns  # by column: the row, from 1, that uses it; 0 if none
    for row in range(1, len(costs) + 1):
        owner[0], column = row, 0
        slack, before, done = [NEVER] * columns, [0] * columns, [False] * columns
        while owner[column]:
            checkpoint()
            done[column], this = True, owner[column]
            for other in range(1, columns):
                reduced = costs[this - 1][other - 1] - rows[this] - lower[other]
                if not done[other] and reduced < slack[other]:
                    slack[other], before[other] = reduced, column
            nearest = min((other for other in range(1, columns) if not done[other]), key=slack.__getitem__)
            step = int(slack[nearest])
            for other in range(columns):
                if done[other]:
                    rows[owner[other]] += step
                    lower[other] -= step
                else:
                    slack[other] -= step
            column = nearest
        while column:
            owner[column], column = owner[before[column]], before[column]
    return -lower[0]


_sound = partial(Heuristic, admissible=True, consistent=True)
HEURISTICS: dict[str, Heuristic] = by_name(
    _sound("matching", "pushes of all boxes to distinct goals, around walls", _matching),
    _sound("pushes", "pushes of each box to its nearest goal, summed", _pushes),
    _sound("dead-squares", "number of boxes that are not on goals; infinite if one can never be", _dead_squares),
    NULL,
)
