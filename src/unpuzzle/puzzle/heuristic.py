"""Guidance for searches on the rules: estimates of the cost to a goal, and subgoals on the way."""

from __future__ import annotations

from unpuzzle.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


def _fits(position: object) -> None:
    """Return None: the heuristic fits all levels."""


class Heuristic(Record):
    """A named estimate of the cost from a position to a goal, for searches on the rules.

    Attributes:
        name: on the command line, e.g. `manhattan`.
        about: one line for people.
        estimate: position → estimate; 0 at goals. `float("inf")` means that no goal can be reached.
        admissible: whether no estimate, on any level it fits, is more than the least cost.
        consistent: whether no move, on any level it fits, lowers the estimate by more than it costs.
        between: (position, other position) → estimate of the cost from the one to the other, or None if the heuristic
            only knows the way to the goal. Searches from both ends need it to aim backwards.
        unfit: position → why the heuristic does not fit this level, or None if it does.
        ticking: whether `estimate` takes a second argument, a function to call now and then during a long estimate;
            it may raise, so that the limits of a search hold.
    """

    name: str
    about: str
    estimate: Callable[..., float]
    admissible: bool
    consistent: bool
    between: Callable[[Any, Any], float] | None = None
    unfit: Callable[[Any], str | None] = _fits
    ticking: bool = False

    def watched(self, tick: Callable[[], None]) -> Callable[[Any], float]:
        """Return `estimate` as a function of only a position, which calls `tick` during long work."""
        estimate = self.estimate
        return (lambda position: estimate(position, tick)) if self.ticking else estimate

    def __repr__(self) -> str:
        return f"Heuristic({self.name!r})"


def _nothing(*positions: object) -> int:
    return 0


NULL = Heuristic(
    "null", "always 0: A* becomes uniform-cost search", _nothing, admissible=True, consistent=True, between=_nothing
)
"""The estimate that every game has."""


class Subgoal(Record):
    """One stage on the way to the goal: a separate search that ignores everything irrelevant to the stage.

    Positions with the same *view* are one. The moves of a view are the moves of all its positions.

    Attributes:
        name: the achievement, such as `14 15`.
        view: position → its view, which is hashable.
        successors: view → (move, following view, cost of the move).
        achieved: view → whether this and all earlier subgoals are achieved.
        estimate: view → estimate of the cost until then.
        admissible: whether the estimate is never more than the least cost, and consistent.
        key: view → a sort key for views, used if the order of paths matters.
    """

    name: str
    view: Callable[[Any], Any]
    successors: Callable[[Any], Iterable[tuple[str, Any, int]]]
    achieved: Callable[[Any], bool]
    estimate: Callable[[Any], float]
    admissible: bool
    key: Callable[[Any], Any] = str

    def __repr__(self) -> str:
        return f"Subgoal({self.name!r})"
