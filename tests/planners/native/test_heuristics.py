"""Heuristics against the truth: all reachable states of small tasks, their goal distances, and definitions in Python.

The tasks are random ones with axioms, conditional effects and costs 0..3, and levels of our puzzles. For the relaxation
heuristics there are slow twins, straight from the definitions: a fixpoint over facts.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import core, derive, ground
from support.modules import ROOT
from support.random_tasks import random_task
from support.registry import WITH_PDDL
from support.small_fdr import goal_distances
from support.thorough import at_most
from unpuzzle import translators
from unpuzzle.pddl import read
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable
from unpuzzle.planners.native.planner import SEARCHES, heuristics, parse
from unpuzzle.planning import registry

CORE = ROOT / "planners" / "native" / "core"
MOST_STATES = 400
INFINITE = float("inf")

State = tuple[int, ...]


class Space:
    """All reachable states in breadth-first order, how each was reached, and what each costs to the goal."""

    def __init__(self, task: FDRTask, most: int = MOST_STATES) -> None:
        self.task, self.core = task, core(task)
        self.states: list[State] = [derive(task, task.initial)]
        self.reached: list[tuple[int, int]] = [(0, 0)]
        self.edges: list[tuple[int, int, int]] = []  # from, to, cost
        number = {self.states[0]: 0}
        for at, state in enumerate(self.states):
            if len(self.states) > most:
                break
            for operator, after in self.core.successors(state):
                if tuple(after) not in number:
                    number[tuple(after)] = len(self.states)
                    self.states.append(tuple(after))
                    self.reached.append((at, operator))
                self.edges.append((at, number[tuple(after)], task.operators[operator].cost))
        self.whole = len(self.states) <= most
        before: dict[State, list[tuple[int, State]]] = {state: [] for state in self.states}
        for start, end, cost in self.edges:
            before[self.states[end]].append((cost, self.states[start]))
        exact = goal_distances(task, before)
        self.distances = [exact.get(state, INFINITE) for state in self.states] if self.whole else []

    def estimates(self, heuristic: str, inherit: bool = False) -> list[float]:
        values = self.core.estimates(heuristic, self.states, reached=self.reached if inherit else None)
        return [INFINITE if value is None else value for value in values]


def relaxed_value(task: FDRTask, state: State, combine) -> float:
    """h^max (`combine` is max) or h^add (sum), by its definition: the least fixpoint over facts."""
    rules = [((), (number, value), 0) for number, value in enumerate(state) if task.variables[number].layer < 0]
    rules += [((), (number, 0), 0) for number, variable in enumerate(task.variables) if variable.layer >= 0]
    rules += [(rule.body, (rule.variable, 1), 0) for rule in task.axioms]
    for operator in task.operators:
        known = dict(operator.precondition)
        for effect in operator.effects:
            if all(known.get(variable, value) == value for variable, value in effect.conditions):
                conditions = tuple({*operator.precondition, *effect.conditions})
                rules.append((conditions, (effect.variable, effect.value), operator.cost))
    values: dict[tuple[int, int], float] = {}

    def value(facts) -> float:
        return combine([values.get(fact, INFINITE) for fact in facts], default=0)

    changed = True
    while changed:
        changed = False
        for conditions, fact, cost in rules:
            new = value(conditions) + cost
            if new < values.get(fact, INFINITE):
                values[fact] = new
                changed = True
    return value(set(task.goal))


def greatest(values, default: float) -> float:
    return max(values, default=default)


def total(values, default: float) -> float:
    return sum(values, start=default)


def check_admissible(task: FDRTask) -> None:
    space = Space(task)
    if not space.whole:
        return
    values = {}
    for name, admissible in _core.heuristics().items():
        if admissible:
            with suppress(_core.UnsupportedTask):
                values[name] = space.estimates(name)
    values["lmcut, inherited"] = space.estimates("lmcut", inherit=True)
    for name, list_of_values in values.items():
        for state, h, distance in zip(space.states, list_of_values, space.distances, strict=True):
            assert h <= distance, f"{name} says {h} of {state}, whose distance is {distance}"
    assert all(low <= high for low, high in zip(values["hmax"], values["lmcut"], strict=True))


@settings(max_examples=at_most(200))
@given(st.integers(0, 2**32))
def test_admissible_on_random_tasks(seed: int) -> None:
    check_admissible(ground(random_task(Random(seed))))


@settings(max_examples=at_most(60))
@given(st.integers(0, 2**32), st.sampled_from(WITH_PDDL))
def test_admissible_on_puzzles(seed: int, puzzle: str) -> None:
    check_admissible(ground(translators.find(puzzle).sample(Random(seed)).task()))


@settings(max_examples=at_most(100))
@given(st.integers(0, 2**32))
def test_h_max_is_consistent(seed: int) -> None:
    space = Space(ground(random_task(Random(seed))))
    values = space.estimates("hmax")
    for start, end, cost in space.edges:
        assert values[start] <= values[end] + cost


@settings(max_examples=at_most(100))
@given(st.integers(0, 2**32))
def test_dead_ends_are_dead_ends_for_all(seed: int) -> None:
    """What a relaxation heuristic calls a dead end is one, even if its finite values may be too high."""
    space = Space(ground(random_task(Random(seed))))
    for name in ("hadd", "ff"):
        for h, distance in zip(space.estimates(name), space.distances, strict=bool(space.whole)):
            assert h < INFINITE or distance == INFINITE


@settings(max_examples=at_most(100))
@given(st.integers(0, 2**32))
def test_relaxation_heuristics_are_what_they_are_defined_to_be(seed: int) -> None:
    space = Space(ground(random_task(Random(seed))), most=100)
    h_max, h_add, h_ff = (space.estimates(name) for name in ("hmax", "hadd", "ff"))
    for state, maximum, sum_, plan in list(zip(space.states, h_max, h_add, h_ff, strict=True))[:15]:
        assert maximum == relaxed_value(space.task, state, greatest)
        assert sum_ == relaxed_value(space.task, state, total)
        assert plan <= sum_
        if not any(effect.conditions for operator in space.task.operators for effect in operator.effects):
            assert maximum <= plan  # else an operator that is needed twice counts once


@pytest.mark.parametrize("name", heuristics())
def test_goals_are_worth_nothing(name: str) -> None:
    for seed in range(30):
        space = Space(ground(random_task(Random(seed), axioms=name != "pdb")), most=100)
        for state, h in zip(space.states, space.estimates(name), strict=True):
            if all(state[variable] == value for variable, value in space.task.goal):
                assert h == 0


# --- the registry ---------------------------------------------------------------------------------------------------


def head_of(file: Path) -> str:
    """Return the comment with which a file begins."""
    return "".join(takewhile(lambda line: line.startswith("//"), file.open()))


@pytest.mark.parametrize("name", heuristics())
def test_a_heuristic_has_one_file_whose_head_says_what_it_is(name: str) -> None:
    made = re.compile(rf"^std::unique_ptr<Heuristic> make_{name}\(", re.MULTILINE)
    (file,) = [path for path in CORE.rglob("*.cpp") if made.search(path.read_text())]
    head = head_of(file) or head_of(file.with_suffix(".hpp"))
    assert all(word in head for word in ("dmissible", "onsistent", "upport"))
    assert re.search(r"\b(19|20)\d\d\b|Folklore", head), "the paper"
    assert ("neither admissible" not in head.casefold()) == _core.heuristics()[name]


@pytest.mark.parametrize("name", heuristics())
def test_the_name_of_a_heuristic_is_a_configuration(name: str) -> None:
    assert name in re.split(r"[:|\[\]]+", registry.usage("native"))
    assert parse(name) == parse(f"astar({name})") == ("astar", name, 1, "")
    chain = [Operator(FEW, [(0, i)], [Effect((), 0, i + 1)], 2) for i in range(3)]
    outcome = core(FDRTask([Variable((None,) * 4)], [0], [(0, 3)], chain)).search("astar", name)
    assert (outcome.cost, outcome.status) == (6, "solved_optimally" if _core.heuristics()[name] else "solved")


def test_searches_and_heuristics_have_different_names() -> None:
    assert not set(SEARCHES) & set(heuristics())


# --- tasks made by hand ---------------------------------------------------------------------------------------------

FEW = GroundAction("act", ())


def test_an_operator_with_many_conditional_effects_pays_once() -> None:
    """One press switches all lamps on: the sum over lamps would be 5."""
    lamps = [Variable((None, None)) for _ in range(5)]
    press = Operator(FEW, (), [Effect(((i, 0),), i, 1) for i in range(5)], 1)
    task = FDRTask(lamps, [0] * 5, [(i, 1) for i in range(5)], [press])
    native = core(task)
    assert native.estimates("lmcut", [[0] * 5]) == [1]
    assert native.estimates("ff", [[0] * 5]) == [1]
    assert native.estimates("hadd", [[0] * 5]) == [5]


def test_landmarks_add_up() -> None:
    """Five lamps, a switch for each: h^max sees one, the landmarks see all, and an inherited one is not lost."""
    lamps = [Variable((None, None)) for _ in range(5)]
    switches = [Operator(FEW, [(i, 0)], [Effect((), i, 1)], 2) for i in range(5)]
    task = FDRTask(lamps, [0] * 5, [(i, 1) for i in range(5)], switches)
    native = core(task)
    states = [[0] * 5, [0, 0, 1, 0, 0], [0, 1, 1, 0, 0]]
    assert native.estimates("hmax", states) == [2, 2, 2]
    assert native.estimates("lmcut", states) == [10, 8, 6]
    assert native.estimates("lmcut", states, reached=[(0, 0), (0, 2), (1, 1)]) == [10, 8, 6]


def test_long_paths_of_landmarks() -> None:
    """Longer than a path may be before all its landmarks are written down anew."""
    lamps = [Variable((None, None)) for _ in range(200)]
    switches = [Operator(FEW, [(i, 0)], [Effect((), i, 1)], 1) for i in range(200)]
    task = FDRTask(lamps, [0] * 200, [(i, 1) for i in range(200)], switches)
    states = [[1] * i + [0] * (200 - i) for i in range(201)]
    reached = [(max(i - 1, 0), max(i - 1, 0)) for i in range(201)]
    assert core(task).estimates("lmcut", states, reached=reached) == list(range(200, -1, -1))


@pytest.mark.parametrize("cost", [2**31, 2**20])
def test_costs_of_any_size(cost: int) -> None:
    chain = [Operator(FEW, [(0, i)], [Effect((), 0, i + 1)], cost) for i in range(9)]
    native = core(FDRTask([Variable((None,) * 10)], [0], [(0, 9)], chain))
    for name in ("hmax", "lmcut", "hadd", "ff"):
        assert native.estimates(name, [[0], [5], [9]]) == [9 * cost, 4 * cost, 0]


def test_h_add_stops_growing_instead_of_overflowing() -> None:
    """Two lamps a floor, each of which needs both of the floor below: the sum doubles 200 times."""
    lamps = [Variable((None, None)) for _ in range(400)]
    switches = []
    for lamp in range(400):
        below = [(lamp // 2 * 2 - 2, 1), (lamp // 2 * 2 - 1, 1)] if lamp >= 2 else []
        switches.append(Operator(FEW, below, [Effect((), lamp, 1)], 1))
    native = core(FDRTask(lamps, [0] * 400, [(399, 1)], switches))
    assert native.estimates("hadd", [[0] * 400]) == [2**60]
    assert native.estimates("ff", [[0] * 400]) == [399]
    assert native.estimates("hmax", [[0] * 400]) == [200]


def test_a_false_derived_variable_is_free() -> None:
    """The goal wants d false, which it is at last: no estimate above 0 may come of having to undo it."""
    variables = [Variable((None, None)), Variable((None, None), 0)]
    off = Operator(FEW, [(0, 1)], [Effect((), 0, 0)], 1)
    task = FDRTask(variables, [1, 0], [(1, 0)], [off], [Rule(1, [(0, 1)])])
    space = Space(task)
    assert space.distances == [1, 0]
    for name in ("hmax", "lmcut", "hadd", "ff"):
        assert space.estimates(name) == [0, 0]
    assert space.core.search("astar", "lmcut").cost == 1


def test_the_unreachable_goal_is_a_dead_end() -> None:
    task = FDRTask([Variable((None, None)), Variable((None, None))], [0, 0], [(1, 1)], [])
    for name in ("hmax", "lmcut", "hadd", "ff"):
        assert core(task).estimates(name, [[0, 0]]) == [None]
        assert core(task).search("astar", name).status == "unsolvable"


LMCUT_AT_THE_START = {  # the same by Fast Downward
    "logistics00/probLOGISTICS-4-0": 19,
    "logistics00/probLOGISTICS-6-0": 23,
    "woodworking-opt08-strips/p01": 160,
    "blocks/probBLOCKS-6-1": 10,
    "gripper/prob03": 17,
    "scanalyzer-08-strips/p01": 18,
}


@pytest.mark.parametrize("name", LMCUT_AT_THE_START)
def test_landmark_cuts_are_strong(name: str, data: Path) -> None:
    task = ground(read(data / "ipc" / name / "domain.pddl", data / "ipc" / name / "problem.pddl"))
    assert core(task).estimates("lmcut", [task.initial]) == [LMCUT_AT_THE_START[name]]
