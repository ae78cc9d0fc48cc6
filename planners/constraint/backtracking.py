"""A solver by propagation and backtracking in plain Python (`unpuzzle.constraints`) without dependencies; counts search
nodes.

If solutions differ in cost, it enumerates all of them: correct, but only for small models.
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.constraints import Constraints, Search
from unpuzzle.planners.constraint.planner import ConstraintPlanner, Finder, Solution
from unpuzzle.planning.planner import PlannerKind


class _Finder(Finder):
    _search: Search | None = None

    @property
    def nodes(self) -> int:  # type: ignore[override]
        return 0 if self._search is None else self._search.nodes

    def solutions(self, model: Constraints, most: int) -> Iterator[Solution]:
        self._search = Search(model)
        return self._search.solutions()

    def best(self, model: Constraints) -> Solution | None:
        solutions = self.solutions(model, 1)
        self.proved = True
        return next(solutions, None) if model.costs is None else min(solutions, key=model.cost, default=None)


class Backtracking(ConstraintPlanner):
    """The planner `backtracking`: propagation and backtracking search in plain Python."""

    name: str = "backtracking"
    finder: type[Finder] = _Finder


class BacktrackingKind(PlannerKind):
    """The planner kind `backtracking`, which makes planners of the class `Backtracking`."""

    name: str = "backtracking"
    planner = Backtracking
