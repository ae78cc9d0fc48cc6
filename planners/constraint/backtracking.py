"""Propagation and backtracking in plain Python, see `unpuzzle.constraints`: without dependencies, and counting its
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
    """The planner; see the head of this file."""

    name: str = "backtracking"
    finder: type[Finder] = _Finder


class BacktrackingKind(PlannerKind):
    """The kind of the planner by backtracking."""

    name: str = "backtracking"
    planner = Backtracking
