"""Search a level that is too large to be explored: can it be solved, and in how few moves?

Two thirds of the time are for exploring, the rest for the search, which sees less and so needs less time and memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from unpuzzle.errors import UnpuzzleError
from unpuzzle.limits import Limits
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Plain
from unpuzzle.result import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.solving import solve
from unpuzzle.spaces.exploration import Exploration, explore

FOR_EXPLORING = 2 / 3
"""Of the time limit; the rest, and what exploring leaves, is for the search."""


@dataclass(frozen=True, slots=True)
class SearchAnswer(Plain):
    """What a search found out.

    Attributes:
        solvable: whether there is a solution; None if that is not known.
        cost: of an optimal solution, or None.
        message: what became of a search that did not tell.
    """

    solvable: bool | None = None
    cost: int | None = None
    message: str = ""


def explore_or_search(
    position: Position,
    *,
    limits: Limits | None = None,
    began: float | None = None,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[Exploration, SearchAnswer | None]:
    """Explore a level; where a limit ends that, search for a solution, too, within the same limits.

    Their time began at `began`, a `time.perf_counter()` value, or now. `max_states` are the most states that the level
    may have, and that a search may expand; `progress` is as for `explore`.
    """
    limits, began = limits or Limits(), perf_counter() if began is None else began
    left = limits.after(perf_counter() - began)
    exploring = left.lasting(None if left.time is None else left.time * FOR_EXPLORING)
    exploration = explore(position, limits=exploring, max_states=max_states, progress=progress)
    if exploration.complete:
        return exploration, None
    return exploration, search(position, limits=limits, began=began, max_states=max_states)


def search(position: Position, *, limits: Limits, began: float, max_states: int | None) -> SearchAnswer:
    """Solve a level by its usual planner, in what is left of the time that began at a moment."""
    if limits.time is not None and limits.time <= perf_counter() - began:
        return SearchAnswer(message="no time is left for a search")
    try:
        result = solve(position, limits=limits.after(perf_counter() - began), max_expanded=max_states)
    except UnpuzzleError as error:
        return SearchAnswer(message=str(error))
    if result.status == UNSOLVABLE:
        return SearchAnswer(solvable=False)
    if not result.solved:
        return SearchAnswer(message=result.message or result.status)
    return SearchAnswer(solvable=True, cost=result.cost if result.status == SOLVED_OPTIMALLY else None)
