"""Planners for puzzles with a constraint model, such as Sudoku; they can also count solutions.

`backtracking` is propagation and search in plain Python (`unpuzzle.constraints`): always available, and slow in large
searches. `cp-sat`, the default of puzzles that consist of constraints, is CP-SAT, the solver of Google's OR-tools.

If all solutions of a model cost the same (`costs` None), each of them is optimal. A model that consists of parities is
solved by linear algebra, whatever the planner (see `unpuzzle.constraints`); only if its kernel is too large to
compare all solutions, the planner searches.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from itertools import islice, pairwise
from threading import Thread
from threading import enumerate as enumerate_threads
from time import perf_counter, sleep
from typing import Any

from unpuzzle.base.availability import missing as missing_extra
from unpuzzle.base.errors import DependencyMissing, LimitReached, PlannerFailed
from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import current, part, phase
from unpuzzle.constraints import MOST_VECTORS, Constraints, Relation, Search, only_parities, parity_solutions, violated
from unpuzzle.model.capabilities import Constrained, required
from unpuzzle.model.position import Position
from unpuzzle.planning.planner import CONSTRAINTS, USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.result import Result

Solution = Mapping[str, Hashable]

FOR_SEARCHING = 0.8
"""The share of the time for the search for the least of too many solutions."""
_SEED = 1
_LOOK = 0.02  # seconds between two checks of the limits


class Finder(ABC):
    """The interface of solvers of constraint models; each search needs a new object.

    `nodes` counts the search nodes so far; `proved` says whether the solution of `best` is proved to be cheapest.
    """

    nodes: int = 0
    proved: bool = False

    @abstractmethod
    def solutions(self, model: Constraints, most: int) -> Iterator[Solution]:
        """Yield up to `most` distinct solutions of a model. Raises LimitReached."""

    @abstractmethod
    def best(self, model: Constraints) -> Solution | None:
        """Return a solution, if possible a cheapest one, or None; then `proved` says whether this is proved best."""


class ConstraintPlanner(Planner):
    """The base class of planners for constraint models; the class `finder` is the solver, which may be missing."""

    reads: tuple[str, ...] = (CONSTRAINTS,)
    counts: bool = True
    blame: str = "the constraints differ from the rules"
    finder: type[Finder]

    def require(self, subject: Any) -> None:
        required(subject, Constrained, f"cannot be solved by {self.name}")

    def solve(self, subject: Position, options: SearchOptions = USUAL) -> Result:
        """Solve a puzzle by its constraint model; return the moves of a solution, a cheapest one if possible.

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
                        message = f"the kernel has {details['kernel']} vectors, so not all solutions were compared"
        except LimitReached as reached:
            status, message = reached.status, str(reached)
        result = Result(
            status, self.name, moves=moves, cost=cost, expanded=finder.nodes, message=message, details=details
        )
        return result.replace(seconds={"search": perf_counter() - began}, peak_memory=current().peak())

    def solutions(self, subject: Position, most: int) -> Iterator[Solution]:
        """Yield up to `most` solutions of a puzzle's constraint model.

        Raises LimitReached, UsageError, DependencyMissing.
        """
        model = required(subject, Constrained, f"cannot be solved by {self.name}").constraints()
        finder = self.finder()  # fails if its library is missing, so that no answer depends on the kind of puzzle
        if only_parities(model):
            linear = parity_solutions(model)
            for ones in islice(linear.every(), most):
                current().look()
                yield linear.values(ones)
        else:
            yield from islice(finder.solutions(model, most), most)  # a finder may give more than it is asked for


def _best(model: Constraints, finder: Finder) -> tuple[Mapping[str, Hashable] | None, dict[str, int]]:
    """Return a solution of a model, or None, and a dictionary of details for the result.

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


class _BacktrackingFinder(Finder):
    """The solver of `backtracking`, which runs a `Search` on the constraint model."""

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
    finder: type[Finder] = _BacktrackingFinder


class BacktrackingKind(PlannerKind):
    """The planner kind `backtracking`, which makes planners of the class `Backtracking`."""

    name: str = "backtracking"
    planner = Backtracking


def missing_cp_sat() -> str | None:
    """Return None if OR-tools is installed, otherwise a sentence that says how to install it."""
    return missing_extra("sat", "CP-SAT needs")


class _CpSatFinder(Finder):
    """The solver of `cp-sat`, which runs OR-tools on the constraint model."""

    def __init__(self) -> None:
        if reason := missing_cp_sat():
            message = f"{reason} (or ask for another planner, such as backtracking)"
            raise DependencyMissing(message, dependency="cp-sat")

    def solutions(self, model: Constraints, most: int) -> Iterator[Solution]:
        return iter(self._run(_Model(model, minimize=False), most))

    def best(self, model: Constraints) -> Solution | None:
        solutions = self._run(_Model(model, minimize=model.costs is not None), 1)
        return solutions[-1] if solutions else None

    def _run(self, translated: _Model, most: int) -> list[Solution]:
        """Return up to `most` distinct solutions; if the model has costs, only one best solution."""
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
        solver.parameters.num_workers = 1  # results must not depend on the timing of threads
        solver.parameters.random_seed = _SEED
        solver.parameters.catch_sigint_signal = False
        solver.parameters.enumerate_all_solutions = not translated.minimizes and most > 1
        status, reached = _run_within(solver, translated.model, Callback())
        self.nodes += solver.num_branches
        self.proved = status == cp_model.OPTIMAL
        if status == cp_model.MODEL_INVALID:
            raise PlannerFailed(f"CP-SAT refuses the model: {translated.model.validate()}", planner="cp-sat")
        enough = not translated.minimizes and len(solutions) >= most
        # A limit is an error only if it left no answer.
        if reached is not None and not enough and not (translated.minimizes and solutions):
            raise reached
        self.proved = self.proved or enough
        every = list(solutions.values())
        return every[-1:] if translated.minimizes else every  # each solution costs less than those before it


def _run_within(solver: Any, model: Any, callback: Any) -> tuple[Any, LimitReached | None]:
    """Run the OR-tools solver; return its status, and the LimitReached if a limit ended the run, otherwise None."""
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
    """A constraint model in the form of OR-tools; `impossible` is True if a variable has an empty domain."""

    def __init__(self, constraints: Constraints, *, minimize: bool) -> None:
        from ortools.sat.python import cp_model

        values = dict.fromkeys(value for domain in constraints.domains.values() for value in domain)
        # CP-SAT refuses sums beyond 64 bits, so only small numbers stay themselves, and only if all values are numbers.
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
        """Require that the values of consecutive variables are neighbours, as in the words of Gogen."""
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
        """Return a Boolean variable that is true if and only if a variable has a value."""
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
    finder: type[Finder] = _CpSatFinder


class CpSatKind(PlannerKind):
    """The planner kind `cp-sat`, with `backtracking` as the fallback if OR-tools is missing."""

    name: str = "cp-sat"
    fallback: str = "backtracking"
    planner = CpSat

    def missing(self) -> str | None:
        return missing_cp_sat()
