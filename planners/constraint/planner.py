"""The base of planners that read constraints: values become moves, and solutions can be counted.

If all solutions of a model cost the same (`costs` None), each of them is optimal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from itertools import islice
from time import perf_counter
from typing import Any

from unpuzzle.constraints import Constraints, violated
from unpuzzle.errors import LimitReached, PlannerFailed
from unpuzzle.limits import Deadline, Limits
from unpuzzle.planning.planner import CONSTRAINTS, USUAL, Planner, SearchOptions
from unpuzzle.puzzle.capabilities import Constrained, required
from unpuzzle.puzzle.position import Position
from unpuzzle.result import SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, Result

Solution = dict[str, Hashable]


class Finder(ABC):
    """One search for the solutions of a model.

    `nodes` counts the search nodes so far; `proved` tells whether the solution of `best` is proved to be cheapest.
    """

    nodes: int = 0
    proved: bool = False

    @abstractmethod
    def solutions(self, model: Constraints, most: int, watch: Deadline) -> Iterator[Solution]:
        """Yield up to `most` distinct solutions of a model. Raises LimitReached."""

    @abstractmethod
    def best(self, model: Constraints, watch: Deadline) -> Solution | None:
        """Return a solution, which is a cheapest one if `proved`; None if there is none. Raises LimitReached."""


class ConstraintPlanner(Planner):
    """The base of these planners: each has a `finder`, which raises DependencyMissing if it is not installed."""

    reads: tuple[str, ...] = (CONSTRAINTS,)
    counts: bool = True
    blame: str = "the constraints are not the game"
    finder: type[Finder]

    def require(self, subject: Any) -> None:
        required(subject, Constrained, f"cannot be solved by {self.name}")

    def solve(self, subject: Position, limits: Limits, options: SearchOptions = USUAL) -> Result:
        """Return the moves to a solution, to a cheapest one if solutions differ in cost and time allows.

        Raises PlannerFailed if the values from the search are no solution.
        """
        began = perf_counter()
        constrained = required(subject, Constrained, f"cannot be solved by {self.name}")
        finder, moves, cost, message = self.finder(), None, None, ""
        deadline = Deadline.of(limits, "searching")
        try:
            model = constrained.constraints()
            values = finder.best(model, deadline)
            if values is None:
                status, message = UNSOLVABLE, "no values fulfil the constraints"
            else:
                if (wrong := violated(model, values)) is not None:
                    message = f"{self.name} gave values that are not a solution: the relation {wrong} does not hold"
                    raise PlannerFailed(message, planner=self.name)
                status = SOLVED_OPTIMALLY if finder.proved else SOLVED
                moves = tuple(constrained.moves_to(values))
                cost = None if model.costs is None else model.cost(values)
        except LimitReached as reached:
            status, message = reached.status, str(reached)
        result = Result(status, self.name, moves=moves, cost=cost, expanded=finder.nodes, message=message)
        return result.replace(seconds={"search": perf_counter() - began}, peak_memory=deadline.peak())

    def solutions(self, subject: Position, most: int, limits: Limits) -> Iterator[Solution]:
        """Yield up to `most` solutions of a position's constraints.

        Raises LimitReached, UsageError, DependencyMissing.
        """
        model = required(subject, Constrained, f"cannot be solved by {self.name}").constraints()
        yield from islice(self.finder().solutions(model, most, Deadline(limits, "counting solutions")), most)
