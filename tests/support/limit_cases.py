"""Rows for all public functions with limits: a call that takes far longer than the limits of a test, and a short one.

A long call is given `limits=...`, or nothing, and its outcome tells a status. Where a limit is missed, most long calls
end by themselves after a while, so that a test fails instead of going on for ever. Inputs are made when first used.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from importlib import import_module
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

import unpuzzle
from support.pddl_texts import EXPLODING, MANY
from support.pddl_texts import task as task_of
from unpuzzle import Family, LimitReached, Limits, pddl, testing
from unpuzzle.base.run import detached
from unpuzzle.model import Position
from unpuzzle.pddl import GroundAction, Task

T = TypeVar("T")

SOKOBAN, TILES = unpuzzle.find("sokoban"), unpuzzle.find("sliding-tiles")
MODULES = ("unpuzzle", "unpuzzle.pddl", "unpuzzle.model", "unpuzzle.testing")
NOTHING = "nothing was made"
"""The status of a list without rows."""


def _status(outcome: Any) -> str:
    return str(outcome.status)


def _of_all(outcomes: Any) -> str:
    """Return the status that all rows of an outcome have."""
    found = sorted({row.status for row in outcomes})
    return " and ".join(found) or NOTHING


class Row(NamedTuple):
    """One function, or one of its ways.

    Attributes:
        long: a call that takes seconds at least.
        short: a call that needs next to no time.
        right: tells whether the outcome of the short call is right.
        status: returns how an outcome ended.
        raises: whether the function raises LimitReached instead of telling a status.
        says: what stands for a status where the function has no place for it.
        apart: whether processes of their own do the work.
    """

    long: Callable[..., Any]
    short: Callable[..., Any]
    right: Callable[[Any], object] = lambda outcome: outcome
    status: Callable[[Any], str] = _status
    raises: bool = False
    says: Mapping[str, str] = {}
    apart: bool = False


def with_limits() -> Iterator[str]:
    """Yield the name of each public function and method with limits, once, without `unpuzzle.`."""
    seen = set()
    for module in map(import_module, MODULES):
        home = module.__name__.removeprefix("unpuzzle").removeprefix(".")
        for name in module.__all__:
            for path, value in _callables(f"{home}.{name}".removeprefix("."), getattr(module, name)):
                if _has_limits(value) and value not in seen:
                    seen.add(value)
                    yield path


def _callables(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    yield path, value
    if inspect.isclass(value):
        yield from ((f"{path}.{name}", getattr(value, name)) for name in dir(value) if name[0] != "_")


def _has_limits(value: Any) -> bool:
    try:
        return callable(value) and "limits" in inspect.signature(value).parameters
    except (TypeError, ValueError):
        return False


def ended(row: Row, **given: Limits) -> tuple[str, Any]:
    """Return how the long call of a row ended, and its outcome, which is an error where the function raises it."""
    if not row.raises:
        outcome = row.long(**given)
        return row.status(outcome), outcome
    try:
        row.long(**given)
    except LimitReached as reached:
        return reached.status, reached
    return "nothing was raised", None


# ---- inputs


def _input(make: Callable[..., T]) -> Callable[..., T]:
    """Return a function that makes an input once, whatever run is over meanwhile."""

    @cache
    @wraps(make)
    def made(*names: Any) -> T:
        with detached():
            return make(*names)

    return made


@_input
def level(game: str, name: str) -> Position:
    """Return a level of a game."""
    found = unpuzzle.find(game)
    position: Position = found.parse(found.levels[name])
    return position


@_input
def large() -> Position:
    """Return a position of the 15-puzzle, far from its goal."""
    return level("sliding-tiles", "15-notebook")


@_input
def endless() -> Task:
    """Return the task of a 15-puzzle without a solution; planners do not see that before they have seen all states."""
    numbers = [0, 8, 14, *map(int, str(large()).split()[3:])]  # tiles 8 and 14 in each other's place
    board, goal = (
        "\n".join(" ".join(map(str, each[start : start + 4])) for start in range(0, 16, 4))
        for each in (numbers, list(range(16)))
    )
    return TILES.parse(f"{board}\ngoal\n{goal}").task()


@_input
def small() -> Position:
    """Return a position with five states."""
    return level("sliding-tiles", "row")


@_input
def endless_family() -> Family:
    """Return the family of the endless task, made before any run."""
    with detached():
        return Family(endless())


@_input
def small_family() -> Family:
    """Return the family of the position with five states."""
    with detached():
        return Family(small().task())


@_input
def two_places() -> Task:
    """Return the task of somebody who goes from one place to the other and back."""
    domain = """(:predicates (at ?x) (road ?x ?y))
        (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
         :effect (and (not (at ?x)) (at ?y)))"""
    return task_of(domain, "(:objects a b) (:init (at a) (road a b) (road b a)) (:goal (at a))")


def repeated(times: int) -> Task:
    """Return the task with the two places, with its facts so many times."""
    task = two_places()
    return Task(task.domain, task.problem.replace(init=task.problem.init * times).trusted(task.domain))


def to_and_fro(times: int) -> list[GroundAction]:
    """Return a plan that goes so many times from one place to the other and back."""
    return [GroundAction("go", ("a", "b")), GroundAction("go", ("b", "a"))] * times


@_input
def ungroundable() -> Task:
    """Return a task with 80⁶ ground actions."""
    return task_of(EXPLODING, MANY)


@_input
def open_grid() -> Position:
    """Return a sudoku without givens."""
    position: Position = unpuzzle.find("sudoku").parse("\n".join(["." * 9] * 9))
    return position


@_input
def domain(size: int) -> str:
    """Return the text of a domain with so many actions."""
    action = "(:action a%d :parameters (?x) :precondition (p ?x) :effect (q))\n"
    return f"(define (domain d) (:predicates (p ?x) (q))\n{''.join([action % number for number in range(size)])})"


@_input
def problem(size: int) -> str:
    """Return the text of a problem with so many objects and facts."""
    names = [f"o{number}" for number in range(size)]
    facts = "\n".join([f"(p {name})" for name in names])
    return f"(define (problem x) (:domain d) (:objects {' '.join(names)}) (:init {facts}) (:goal (q)))"


def plan(size: int) -> str:
    """Return the text of a plan with so many steps."""
    return "(a1 o1)\n" * size


LARGE = {domain: 50_000, problem: 150_000, plan: 300_000}
SMALL = 10
_FOLDER = TemporaryDirectory(prefix="unpuzzle-limits-")
_NUMBERS = count()


@_input
def file(make: Callable[[int], str], size: int) -> Path:
    """Return a file with a text of this size."""
    path = Path(_FOLDER.name, f"{make.__name__}-{size}.pddl")
    path.write_text(make(size))
    return path


def text(make: Callable[[int], str]) -> str:
    """Return the large text of a kind."""
    return make(LARGE[make])


def large_file(make: Callable[[int], str]) -> Path:
    """Return the file with the large text of a kind."""
    return file(make, LARGE[make])


# ---- calls that need more than one line

MOST = 6_000_000
"""States after which a search gives up, if no limit ended it."""


def unsaid(assertion: Callable[..., Any], subject: Any, **given: Limits) -> str:
    """Return the status that an assertion about a subject names in its error, or how its result ended."""
    try:
        return str(assertion(subject, **given).status)
    except AssertionError as error:
        found = re.search(r"gave no answer \((\w+)\)", str(error))
        return found[1] if found else str(error)


def experiment(name: str, **given: Any) -> Any:
    """Return the runs of a planner on a level, in a file of their own."""
    output = Path(_FOLDER.name, f"runs-{next(_NUMBERS)}.jsonl")
    return unpuzzle.experiment({name: level("sliding-tiles", name)}, ["rules:bfs"], output=output, **given)


def members(family: Family, number: int, **given: Any) -> Any:
    """Return the answers of a family for its task, so many times."""
    return family.solve_many([frozenset(family.task.problem.init)] * number, max_expanded=MOST, **given)


def solved(rows: Any) -> bool:
    """Tell whether there are rows, and all of them are solved."""
    return _of_all(rows) == "solved_optimally"


ROWS: dict[str, Row] = {
    "Family": Row(
        lambda **given: Family(ungroundable(), **given),
        lambda **given: Family(small().task(), **given),
        lambda family: family.groundings == 1,
        raises=True,
    ),
    "Family.solve": Row(
        lambda **given: endless_family().solve(frozenset(endless().problem.init), max_expanded=MOST, **given),
        lambda **given: small_family().solve(small(), **given),
        lambda answer: answer.actions,
    ),
    "Family.solve_many": Row(
        lambda **given: members(endless_family(), 3, **given),
        lambda **given: members(small_family(), 3, **given),
        solved,
        _of_all,
    ),
    "check": Row(
        lambda **given: unpuzzle.check(large(), max_states=MOST, **given),
        lambda **given: unpuzzle.check(small(), **given),
        lambda report: report.same,
    ),
    "check_heuristic": Row(
        lambda **given: unpuzzle.check_heuristic(large(), "manhattan", max_states=MOST, **given),
        lambda **given: unpuzzle.check_heuristic(small(), "manhattan", **given),
        lambda report: report.holds,
    ),
    "compare": Row(
        lambda **given: unpuzzle.compare(large(), ["bfs", "idastar"], **given),
        lambda **given: unpuzzle.compare(small(), ["bfs", "idastar"], **given),
        solved,
        _of_all,
    ),
    "count_solutions": Row(
        lambda **given: unpuzzle.count_solutions(open_grid(), 10**6, planner="backtracking", **given),
        lambda **given: unpuzzle.count_solutions(level("sudoku", "4x4"), planner="backtracking", **given),
        lambda found: found.unique,
        lambda found: str(found.result.status),
    ),
    "experiment": Row(
        lambda **given: experiment("8-harder", **given),
        lambda **given: experiment("row", **given),
        solved,
        _of_all,
        says={"cancelled": NOTHING, "over": NOTHING},
        apart=True,
    ),
    "explore": Row(
        lambda **given: unpuzzle.explore(large(), max_states=MOST, **given),
        lambda **given: unpuzzle.explore(small(), **given),
        lambda exploration: exploration.states == 5,
    ),
    "generate": Row(
        lambda **given: unpuzzle.generate(SOKOBAN, {"size": (9, 9)}, count=1000, **given),
        lambda **given: unpuzzle.generate(SOKOBAN, count=1, seed=1, **given),
        lambda generation: generation.complete,
    ),
    "improve": Row(
        lambda **given: list(unpuzzle.improve(endless(), max_expanded=MOST, **given)),
        lambda **given: list(unpuzzle.improve(small(), **given)),
        lambda results: results[-1].valid,
        lambda results: str(results[-1].status),
    ),
    "reachable": Row(
        lambda **given: unpuzzle.reachable(endless(), max_states=MOST, **given),
        lambda **given: unpuzzle.reachable(small(), **given),
        lambda space: space.states == 5,
    ),
    "replay": Row(
        lambda **given: unpuzzle.replay(small(), "LR" * 1_000_000, **given),
        lambda **given: unpuzzle.replay(small(), "LR", **given),
        lambda played: played.legal,
        raises=True,
    ),
    "same": Row(
        lambda **given: unpuzzle.same(endless(), large(), max_states=MOST, **given),
        lambda **given: unpuzzle.same(small(), small().task(), **given),
        lambda sameness: sameness.status == "complete",
    ),
    "solve": Row(
        lambda **given: unpuzzle.solve(endless(), max_expanded=MOST, **given),
        lambda **given: unpuzzle.solve(small(), **given),
        lambda result: result.valid,
    ),
    "solve_by_subgoals": Row(
        lambda **given: unpuzzle.solve_by_subgoals(endless(), **given),
        lambda **given: unpuzzle.solve_by_subgoals(small().task(), **given),
        lambda result: result.valid,
    ),
    "solve_many": Row(
        lambda **given: unpuzzle.solve_many([large()] * 3, max_expanded=MOST, **given),
        lambda **given: unpuzzle.solve_many([small()] * 3, **given),
        solved,
        _of_all,
    ),
    "survey": Row(
        lambda **given: unpuzzle.survey(TILES, ["15-notebook"], max_states=MOST, **given),
        lambda **given: unpuzzle.survey(TILES, ["row", "3x2"], **given),
        solved,
        _of_all,
    ),
    "pddl.Semantics": Row(
        lambda **given: pddl.Semantics(repeated(1_000_000), **given),
        lambda **given: pddl.Semantics(repeated(1), **given),
        lambda semantics: semantics.initial,
        raises=True,
    ),
    "pddl.lint": Row(
        lambda **given: pddl.lint(text(domain), problem(SMALL), **given),
        lambda **given: pddl.lint("(define", **given),
        raises=True,
    ),
    "pddl.parse_domain": Row(
        lambda **given: pddl.parse_domain(text(domain), **given),
        lambda **given: pddl.parse_domain(domain(SMALL), **given),
        lambda read: len(read.actions) == SMALL,
        raises=True,
    ),
    "pddl.parse_plan": Row(
        lambda **given: pddl.parse_plan(text(plan), **given),
        lambda **given: pddl.parse_plan(plan(SMALL), **given),
        lambda read: len(read) == SMALL,
        raises=True,
    ),
    "pddl.parse_problem": Row(
        lambda **given: pddl.parse_problem(text(problem), None, **given),
        lambda **given: pddl.parse_problem(problem(SMALL), None, **given),
        lambda read: len(read.init) == SMALL,
        raises=True,
    ),
    "pddl.parse_task": Row(
        lambda **given: pddl.parse_task(domain(SMALL), text(problem), **given),
        lambda **given: pddl.parse_task(domain(SMALL), problem(SMALL), **given),
        lambda read: len(read.problem.init) == SMALL,
        raises=True,
    ),
    "pddl.read": Row(
        lambda **given: pddl.read(file(domain, SMALL), large_file(problem), **given),
        lambda **given: pddl.read(file(domain, SMALL), file(problem, SMALL), **given),
        lambda read: len(read.problem.init) == SMALL,
        raises=True,
    ),
    "pddl.read_domain": Row(
        lambda **given: pddl.read_domain(large_file(domain), **given),
        lambda **given: pddl.read_domain(file(domain, SMALL), **given),
        lambda read: len(read.actions) == SMALL,
        raises=True,
    ),
    "pddl.read_plan": Row(
        lambda **given: pddl.read_plan(large_file(plan), **given),
        lambda **given: pddl.read_plan(file(plan, SMALL), **given),
        lambda read: len(read) == SMALL,
        raises=True,
    ),
    "pddl.read_problem": Row(
        lambda **given: pddl.read_problem(large_file(problem), None, **given),
        lambda **given: pddl.read_problem(file(problem, SMALL), None, **given),
        lambda read: len(read.init) == SMALL,
        raises=True,
    ),
    "pddl.validate": Row(
        lambda **given: pddl.validate(two_places(), to_and_fro(200_000), **given),
        lambda **given: pddl.validate(two_places(), to_and_fro(2), **given),
        raises=True,
    ),
    "testing.assert_solvable": Row(
        lambda **given: unsaid(testing.assert_solvable, endless(), **given),
        lambda **given: unsaid(testing.assert_solvable, small(), **given),
        lambda said: said == "solved_optimally",
        str,
    ),
    "testing.assert_unsolvable": Row(
        lambda **given: unsaid(testing.assert_unsolvable, endless(), **given),
        lambda **given: unsaid(testing.assert_unsolvable, level("sliding-tiles", "8-unsolvable"), **given),
        lambda said: said == "unsolvable",
        str,
    ),
}
"""By name, without `unpuzzle.`."""

OTHER_WAYS: dict[str, Row] = {
    "compare, two workers": Row(
        lambda **given: unpuzzle.compare(level("sliding-tiles", "8-harder"), ["bfs", "ucs"], workers=2, **given),
        lambda **given: unpuzzle.compare(small(), ["bfs"], workers=2, **given),
        solved,
        _of_all,
        apart=True,
    ),
    "generate, two workers": Row(
        lambda **given: unpuzzle.generate(SOKOBAN, {"size": (9, 9)}, count=50, workers=2, **given),
        lambda **given: unpuzzle.generate(SOKOBAN, count=1, seed=1, workers=2, **given),
        lambda generation: generation.complete,
        apart=True,
    ),
    "survey, two workers": Row(
        lambda **given: unpuzzle.survey(TILES, ["15-notebook", "15-hard"], max_states=2_000_000, workers=2, **given),
        lambda **given: unpuzzle.survey(TILES, ["row"], workers=2, **given),
        solved,
        _of_all,
        apart=True,
    ),
    "count_solutions, cp-sat": Row(
        lambda **given: unpuzzle.count_solutions(open_grid(), 10_000, planner="cp-sat", **given),
        lambda **given: unpuzzle.count_solutions(level("sudoku", "4x4"), planner="cp-sat", **given),
        lambda found: found.unique,
        lambda found: str(found.result.status),
    ),
    "solve, rules": Row(
        lambda **given: unpuzzle.solve(large(), "rules:astar(misplaced)", max_expanded=MOST, **given),
        lambda **given: unpuzzle.solve(small(), "rules:bfs", **given),
        lambda result: result.valid,
    ),
    "solve, reference": Row(
        lambda **given: unpuzzle.solve(endless(), "reference", max_expanded=MOST, **given),
        lambda **given: unpuzzle.solve(small(), "reference", **given),
        lambda result: result.valid,
    ),
}
"""The same with other planners, threads or processes."""
