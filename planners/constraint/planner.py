"""What all planners have in common that read constraints: values become moves, and solutions can be counted.

A model whose solutions all cost the same (`costs` None) is solved optimally by any of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING

from unpuzzle.constraints import violated
from unpuzzle.errors import LimitReached, PlannerFailed
from unpuzzle.limits import Deadline
from unpuzzle.planning.planner import CONSTRAINTS, USUAL, Planner, SearchOptions
from unpuzzle.puzzle.capabilities import Constrained, required
from unpuzzle.result import SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, Result

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from typing import Any

    from unpuzzle.constraints import Constraints
    from unpuzzle.limits import Limits
    from unpuzzle.puzzle.position import Position

    Solution = dict[str, Hashable]


class Finder(ABC):
    """One search for the solutions of a model.

    Attributes:
        nodes: how many nodes it has searched so far.
        proved: whether the one solution that `best` gave is known to cost least.
    """

    nodes = 0
    proved = False

    @abstractmethod
    def solutions(self, model: Constraints, most: int, watch: Deadline) -> Iterator[Solution]:
        """Yield up to `most` solutions of a model, each of them once. Raises LimitReached."""

    @abstractmethod
    def best(self, model: Constraints, watch: Deadline) -> Solution | None:
        """Return a solution, which costs least if `proved`; None if there is none. Raises LimitReached."""


class ConstraintPlanner(Planner, ABC):
    """The base of these planners: each brings a `Finder`."""

    reads = (CONSTRAINTS,)
    counts = True
    blame = "the constraints are not the game"

    @abstractmethod
    def finder(self) -> Finder:
        """Return a new search. Raises DependencyMissing where it is not installed."""

    def require(self, subject: Any) -> None:
        """Raise UsageError for a position that states no constraints."""
        required(subject, Constrained, f"cannot be solved by {self.name}")

    def solve(self, subject: Position, limits: Limits, options: SearchOptions = USUAL) -> Result:
        """Return the moves to a solution, one that costs least where solutions differ in cost and the time allows.

        Raises PlannerFailed where the values that the search gives are no solution.
        """
        began = perf_counter()
        constrained = required(subject, Constrained, f"cannot be solved by {self.name}")
        finder, moves, cost = self.finder(), None, None
        deadline = Deadline.of(limits, "searching")
        try:
            model = constrained.constraints()
            values = finder.best(model, deadline)
            status, message = (UNSOLVABLE, "no values fulfil the constraints") if values is None else (SOLVED, "")
            if values is not None:
                self._require(model, values)
                moves = tuple(constrained.moves_to(values))
                cost = None if model.costs is None else model.cost(values)
                status = SOLVED_OPTIMALLY if finder.proved else SOLVED
        except LimitReached as reached:
            status, message = reached.status, str(reached)
        return Result(
            status,
            self.name,
            moves=moves,
            cost=cost,
            expanded=finder.nodes,
            seconds={"search": perf_counter() - began},
            peak_memory=deadline.peak(),
            message=message,
        )

    def _require(self, model: Constraints, values: Solution) -> None:
        wrong = violated(model, values)
        if wrong is not None:
            raise PlannerFailed(
                f"{self.name} gave values that are no solution: the relation {wrong} does not hold", planner=self.name
            )

    def solutions(self, subject: Position, most: int, limits: Limits) -> Iterator[Solution]:
        """Yield up to `most` solutions of a position's constraints.

        Raises LimitReached, UsageError, DependencyMissing.
        """
        constrained = required(subject, Constrained, f"cannot be solved by {self.name}")
        model = constrained.constraints()
        yield from islice(self.finder().solutions(model, most, Deadline(limits, "counting solutions")), most)
