"""Heuristics for searches that apply a game's rules, and subgoals for searches in stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from unpuzzle.base.errors import GameFault
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.model.classes import place_of

TOLERANCE = 1e-9
"""The allowed rounding error of estimates, for sums of square roots."""
NO_ESTIMATE = "no_estimate"
"""The code of the fault that an estimate is below 0 or not a number (NaN)."""


def exceeds(estimate: float, bound: float) -> bool:
    """Return whether an estimate is greater than a bound, with a tolerance for floats only."""
    if isinstance(estimate, float):
        return estimate - TOLERANCE > bound
    return estimate > (bound + TOLERANCE if isinstance(bound, float) else bound)


def _fits(position: object) -> None:
    """Return None, as the default of `Heuristic.unfit`: the heuristic is suitable for every level."""


class Heuristic(Record):
    """A named estimate of the cost from a position to a goal, for searches that apply the rules.

    Attributes:
        name: on the command line, e.g. `manhattan`.
        about: one line for people.
        estimate: position → estimate: a number of 0 or more, whole or not, the same for equal positions, and 0 at
            goals. `float("inf")` means that no goal can be reached. Any other value is a GameFault. If it takes long,
            it calls `run.checkpoint` now and then, so that the limits of a search hold.
        admissible: whether no estimate, on any level it fits, is more than the least cost, so 0 at goals. Searches take
            the author's word: their results have this claim as the `condition`, and `check_heuristic` proves or refutes
            it on a level. A search that finds a path cheaper than an estimate no longer calls its plan optimal.
        consistent: whether no move, on any level it fits, lowers the estimate by more than it costs.
        between: (position, other position) → estimate of the cost from the one to the other, or None if the heuristic
            only knows the way to the goal. Searches from both ends need it to aim backwards.
        unfit: position → why the heuristic does not fit this level, or None if it does.
    """

    name: str
    about: str
    estimate: Callable[..., float]
    admissible: bool
    consistent: bool
    between: Callable[[Any, Any], float] | None = None
    unfit: Callable[[Any], str | None] = _fits

    def watched(self) -> Callable[[Any], float]:
        """Return `estimate` as a function that raises GameFault, with the position, for an invalid value."""
        ask, plain = self.estimate, (int, float)

        def estimate(position: Any) -> float:
            value = ask(position)
            return value if type(value) in plain and value >= 0 else self.number(value, position)

        return estimate

    def number(self, value: Any, position: object) -> float:
        """Return a heuristic's value as a number. Raises GameFault unless the value is a number of at least 0."""
        from numbers import Integral, Real

        is_number = isinstance(value, Real)
        if is_number and value >= 0:  # truth values, and numbers of other libraries
            return int(value) if isinstance(value, Integral) else float(value)
        said, file = f"heuristics[{self.name!r}].estimate(...) gave {value!r:.60}", place_of(position)[0]
        if not is_number:
            raise GameFault(f"{said}, but an estimate must be a number", file=file)
        raise GameFault(
            f"{said}, but an estimate must be at least 0; the position:\n{position}", file=file, code=NO_ESTIMATE
        )

    def __repr__(self) -> str:
        return f"Heuristic({self.name!r})"


def _nothing(*positions: object) -> int:
    return 0


NULL = Heuristic(
    "null", "always 0: A* becomes uniform-cost search", _nothing, admissible=True, consistent=True, between=_nothing
)
"""The estimate that every game has."""


class Subgoal(Record):
    """A subgoal of a position, with a search that ignores everything irrelevant to the subgoal.

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
