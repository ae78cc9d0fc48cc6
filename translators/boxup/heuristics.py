"""The heuristic for Boxup: `steps`, around the walls, between the marked boxes, and from the mover to the nearer one.

Boxes move only with the mover in their cell. So a marked box that is carried is where the mover is, and a step changes
the distance between the two by 1 at most; until one is carried, only the distance of the mover changes. That makes it
consistent, and admissible, since the goal is that both are in one cell, wherever the mover is then. Not used: which
sides are open, and other boxes in the way.
"""

from __future__ import annotations

from unpuzzle.puzzle.heuristic import NULL, Heuristic
from unpuzzle.puzzle.options import by_name
from unpuzzle.translators.boxup import Boxup


def _steps(position: Boxup) -> float:
    small, large = position.pair()
    if small == large:
        return 0
    between, mover = position.distances.between, position.mover
    return between(small, large) + min(between(mover, small), between(mover, large))


ABOUT = "steps around walls between the marked boxes, and from the mover to the nearer one"
HEURISTICS: dict[str, Heuristic] = by_name(Heuristic("steps", ABOUT, _steps, admissible=True, consistent=True), NULL)
