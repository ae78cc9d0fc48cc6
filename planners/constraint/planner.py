"""The base class of planners that read constraints: turns solutions into moves, and can count solutions.

If all solutions of a model cost the same (`costs` None), each of them is optimal. A model that consists of parities is
solved by linear algebra, whatever the planner (see `unpuzzle.constraints`); only if its kernel is too large to
compare all solutions, the planner searches.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from time import perf_counter
from typing import Any

from unpuzzle.base.errors import SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, LimitReached, PlannerFailed
from unpuzzle.base.run import current, part, phase
from unpuzzle.constraints import MOST_VECTORS, Constraints, only_parities, parity_solutions, violated
from unpuzzle.planning.planner import CONSTRAINTS, USUAL, Planner, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.puzzle.capabilities import Constrained, required
from unpuzzle.puzzle.position import Position

Solution = Mapping[str, Hashable]

FOR_SEARCHING = 0.8
"""The share of the time for the search for the least of too many solutions."""


class Finder(ABC):
    """One search for the solutions of a constraint model.

    `nodes` counts the search nodes so far; `proved` says whether the solution of `best` is proved to be cheapest.
    """

    nodes: int = 0
    proved: bool = False

    @abstractmethod
    def solutions(self, model: Constraints, most: int) -> Iterator[Solution]:
        """Yield up to `most` distinct solutions of a model. Raises LimitReached."""

    @abstractmethod
    def best(self, model: Constraints) -> Solution | None:
        """Return a solution, a cheapest one if `proved` is true; None if there is no solution. Raises LimitReached."""


class ConstraintPlanner(Planner):
    """The base of constraint planners; each has a `finder`, which raises DependencyMissing if it is not installed."""

    reads: tuple[str, ...] = (CONSTRAINTS,)
    counts: bool = True
    blame: str = "the constraints are not the game"
    finder: type[Finder]

    def require(self, subject: Any) -> None:
        required(subject, Constrained, f"cannot be solved by {self.name}")

    def solve(self, subject: Position, options: SearchOptions = USUAL) -> Result:
        """Return a result with the moves to a solution: a cheapest one if the costs differ and there is enough time.

        Raises PlannerFailed if the values from the search are not a solution.
        """
        began = perf_counter()
        constrained = required(subject, Constrained, f"cannot be solved by {self.name}")
        finder, moves, cost, message = self.finder(), None, None, ""
        details = dict[str, int]()
        try:
            with phase("searching"):
                model = constrained.constraints()
                values, details = _best(model, finder)
                if values is None:
                    status, message = UNSOLVABLE, "no values fulfil the constraints"
                else:
                    if (wrong := violated(model, values)) is not None:
                        message = f"{self.name} gave values that are not a solution: the relation {wrong} does not hold"
                        raise PlannerFailed(message, planner=self.name)
                    status = SOLVED_OPTIMALLY if finder.proved else SOLVED
                    moves = tuple(constrained.moves_to(values))
                    cost = None if model.costs is None else model.cost(values)
                    if details and not finder.proved:
                        message = f"the kernel has {details['kernel']} vectors: not all solutions were compared"
        except LimitReached as reached:
            status, message = reached.status, str(reached)
        result = Result(
            status, self.name, moves=moves, cost=cost, expanded=finder.nodes, message=message, details=details
        )
        return result.replace(seconds={"search": perf_counter() - began}, peak_memory=current().peak())

    def solutions(self, subject: Position, most: int) -> Iterator[Solution]:
        """Yield up to `most` solutions of a position's constraints.

        Raises LimitReached, UsageError, DependencyMissing.
        """
        model = required(subject, Constrained, f"cannot be solved by {self.name}").constraints()
        finder = self.finder()  # which may not be installed
        if only_parities(model):
            linear = parity_solutions(model)
            for ones in islice(linear.every(), most):
                current().look()
                yield linear.values(ones)
        else:
            yield from islice(finder.solutions(model, most), most)


def _best(model: Constraints, finder: Finder) -> tuple[Mapping[str, Hashable] | None, dict[str, int]]:
    """Return a solution or None, and details: the kernel size if the model has only parity constraints.

    If the kernel is too large, and the search does not end in most of the time, one solution is known all the same.
    Raises LimitReached.
    """
    if not only_parities(model):
        return finder.best(model), {}
    linear = parity_solutions(model)
    details = {"kernel": len(linear.kernel)}
    if linear.one is None or len(linear.kernel) <= MOST_VECTORS:
        finder.proved = True
        return linear.least(), details
    with suppress(LimitReached), part(share=FOR_SEARCHING):
        return finder.best(model), details
    return linear.values(linear.one), details
