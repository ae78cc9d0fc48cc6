"""CP-SAT, the constraint solver of Google's OR-tools, applied to the constraints of a position.

One worker and a fixed seed: the same model gives the same answer. It runs in its own thread, so that the calling thread
can check the limits, and Ctrl-C ends it.

Each variable is a whole number: its value if all values of the model are numbers, else the value's index.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import pairwise
from threading import Thread
from threading import enumerate as enumerate_threads
from time import sleep
from typing import Any

from unpuzzle.base.availability import missing as missing_extra
from unpuzzle.base.errors import DependencyMissing, LimitReached, PlannerFailed
from unpuzzle.base.run import current
from unpuzzle.constraints import Constraints, Relation
from unpuzzle.planners.constraint.planner import ConstraintPlanner, Finder, Solution
from unpuzzle.planning.planner import PlannerKind

_SEED = 1
_LOOK = 0.02  # seconds between two checks of the limits


def missing() -> str | None:
    """Return None if OR-tools is installed, else a sentence that says how to install OR-tools."""
    return missing_extra("sat", "CP-SAT needs")


class _Finder(Finder):
    def __init__(self) -> None:
        if reason := missing():
            message = f"{reason} (or ask for another planner, such as backtracking)"
            raise DependencyMissing(message, dependency="cp-sat")

    def solutions(self, model: Constraints, most: int) -> Iterator[Solution]:
        return iter(self._run(_Model(model, minimize=False), most))

    def best(self, model: Constraints) -> Solution | None:
        solutions = self._run(_Model(model, minimize=model.costs is not None), 1)
        return solutions[-1] if solutions else None

    def _run(self, translated: _Model, most: int) -> list[Solution]:
        """Return distinct solutions, up to the number `most`; for a model with costs, only the best solution."""
        from ortools.sat.python import cp_model

        current().look()
        if translated.impossible:
            return []
        solutions: dict[tuple[int, ...], Solution] = {}

        class Callback(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                numbers = tuple(self.value(variable) for variable in translated.variables.values())
                solutions[numbers] = translated.solution(numbers)
                if not translated.minimizes and len(solutions) >= most:
                    self.stop_search()

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = _SEED
        solver.parameters.catch_sigint_signal = False
        solver.parameters.enumerate_all_solutions = not translated.minimizes and most > 1
        status, reached = _run_within(solver, translated.model, Callback())
        self.nodes += solver.num_branches
        self.proved = status == cp_model.OPTIMAL
        if status == cp_model.MODEL_INVALID:
            raise PlannerFailed(f"CP-SAT refuses the model: {translated.model.validate()}", planner="cp-sat")
        enough = not translated.minimizes and len(solutions) >= most
        if reached is not None and not enough and not (translated.minimizes and solutions):
            raise reached
        self.proved = self.proved or enough
        every = list(solutions.values())
        return every[-1:] if translated.minimizes else every


def _run_within(solver: Any, model: Any, callback: Any) -> tuple[Any, LimitReached | None]:
    """Run the solver within the limits; return its status and the limit that ended it, or None."""
    errors, statuses = list[BaseException](), list[Any]()

    def work() -> None:
        try:
            statuses.append(solver.solve(model, callback))
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=work, daemon=True)
    reached = None
    try:
        thread.start()
        while thread.is_alive():
            thread.join(_LOOK)
            try:
                if reached is None:
                    current().look()
            except LimitReached as error:
                reached = error
                solver.stop_search()
    except BaseException:
        # A solver that still runs when Python ends crashes the whole process. A solver that is just starting ignores
        # the first call; `enumerate` lists threads from the moment they are started.
        while thread in enumerate_threads():
            solver.stop_search()
            sleep(_LOOK)
        raise
    if errors:
        raise errors[0]
    return statuses[0], reached


class _Model:
    """A constraint model for OR-tools, with `variables` by name; `impossible` if some variable has no value."""

    def __init__(self, constraints: Constraints, *, minimize: bool) -> None:
        from ortools.sat.python import cp_model

        values = dict.fromkeys(value for domain in constraints.domains.values() for value in domain)
        numbers = all(type(value) is int and abs(value) < 1 << 40 for value in values)
        self.number: dict[Hashable, int] = {
            value: value if numbers and isinstance(value, int) else place for place, value in enumerate(values)
        }
        self.value = {number: value for value, number in self.number.items()}
        self.model = cp_model.CpModel()
        self.impossible = not all(constraints.domains.values())
        self.minimizes = minimize
        if self.impossible:
            return
        self.variables = {
            name: self.model.new_int_var_from_domain(
                cp_model.Domain.from_values([self.number[value] for value in domain]), name
            )
            for name, domain in constraints.domains.items()
        }
        for relation in constraints.relations:
            getattr(self, f"_{relation.kind}")(relation, [self.variables[name] for name in relation.variables])
        if minimize:
            costs = [(name, *item) for name, row in (constraints.costs or {}).items() for item in row.items()]
            self.model.minimize(sum(cost * self._is(self.variables[name], value) for name, value, cost in costs))

    def solution(self, numbers: tuple[int, ...]) -> Solution:
        return {name: self.value[number] for name, number in zip(self.variables, numbers, strict=True)}

    def _all_different(self, relation: Relation, variables: list[Any]) -> None:
        self.model.add_all_different(variables)

    def _table(self, relation: Relation, variables: list[Any]) -> None:
        rows = [[self.number.get(value) for value in row] for row in relation.data]
        self._allow(variables, [row for row in rows if None not in row])

    def _path(self, relation: Relation, variables: list[Any]) -> None:
        beside = [
            [self.number[value], self.number[other]]
            for value, others in relation.data.items()
            for other in dict.fromkeys(others)
            if value in self.number and other in self.number
        ]
        for pair in pairwise(variables):
            self._allow(list(pair), beside)

    def _parity(self, relation: Relation, variables: list[Any]) -> None:
        half = self.model.new_int_var(0, len(variables), "")
        ones = [self._is(variable, 1) for variable in variables]
        self.model.add(sum(ones) == 2 * half + int(bool(relation.data)))

    def _allow(self, variables: list[Any], rows: list[Any]) -> None:
        if rows:
            self.model.add_allowed_assignments(variables, rows)
        else:
            self.model.add_bool_or([])

    def _is(self, variable: Any, value: Hashable) -> Any:
        literal = self.model.new_bool_var("")
        if value not in self.number:
            self.model.add(literal == 0)
        else:
            self.model.add(variable == self.number[value]).only_enforce_if(literal)
            self.model.add(variable != self.number[value]).only_enforce_if(~literal)
        return literal


class CpSat(ConstraintPlanner):
    """The planner `cp-sat`, which runs the constraint solver of OR-tools."""

    name: str = "cp-sat"
    finder: type[Finder] = _Finder


class CpSatKind(PlannerKind):
    """The planner kind `cp-sat`, with `backtracking` as the fallback if OR-tools is missing."""

    name: str = "cp-sat"
    fallback: str = "backtracking"
    planner = CpSat

    def missing(self) -> str | None:
        return missing()
