"""What a search tells of a level that is too large to be explored: can it be solved, and in how few moves?

Whoever explores with limits leaves a part of the time for this. A search sees less than exploring does, and with an
estimate much less: it may have the answer where exploring has run out of time or memory.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import UnpuzzleError
from unpuzzle.limits import Limits
from unpuzzle.result import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.solving import solve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.puzzle.position import Position

FOR_EXPLORING = 2 / 3
"""Of the time limit; the rest, and what exploring leaves, is for the search."""


class Known:
    """What a search found out.

    Attributes: `solvable`, None if that is not known; `cost` of an optimal solution, or None; `message`, what became of
    a search that did not tell.
    """

    __slots__ = ("cost", "message", "solvable")

    def __init__(self, solvable: bool | None = None, cost: int | None = None, message: str = "") -> None:
        self.solvable = solvable
        self.cost = cost
        self.message = message


def for_exploring(limits: Limits | None) -> Limits:
    """The limits of exploring, where a search may follow it."""
    limits = Limits() if limits is None else limits
    return limits.lasting(None if limits.time is None else limits.time * FOR_EXPLORING)


def searched(level: Position, limits: Limits | None, began: float, max_states: int | None) -> Known:
    """What a search by the usual planner tells of a level.

    Args:
        level: a level that was not explored whole.
        limits: of time, which began at `began` (a `time.perf_counter()` value), and of memory.
        began: see `limits`.
        max_states: how many states the search may expand, where its planner counts them.
    """
    limits = Limits() if limits is None else limits
    left = None if limits.time is None else limits.time - (perf_counter() - began)
    if left is not None and left <= 0:
        return Known(message="no time is left for a search")
    try:
        found = solve(level, limits=limits.lasting(left), max_expanded=max_states)
    except UnpuzzleError as error:
        return Known(message=str(error))
    if found.status == UNSOLVABLE:
        return Known(solvable=False)
    if not found.solved:
        return Known(message=found.message or found.status)
    return Known(solvable=True, cost=found.cost if found.status == SOLVED_OPTIMALLY else None)
