"""Pattern databases: never more than the true distance, sums that count nothing twice, and the same plans as blind.

The twin is a page of plain Python: random tasks with few states, all of them explored, with mutex groups read off the
states that can be reached (so the groups are true, and as tight as they can be).
"""

from __future__ import annotations

import heapq
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from python_grounding import ground
from support.data import IPC, needs_ipc
from unpuzzle.errors import UnsupportedFeature
from unpuzzle.limits import Limits
from unpuzzle.pddl import parse_task, read
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.planners import native
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding.fdr import Effect, FDRTask, Operator, Rule, Variable
from unpuzzle.translators.sliding_tiles import SlidingTiles

ACTION = GroundAction("act", ())
STAGES = 4


def core(task: FDRTask) -> _core.Task:
    return _core.Task(**task.buffers())


def tiles(text: str) -> FDRTask:
    return ground(SlidingTiles.parse(text).task())


# --- the twin -------------------------------------------------------------------------------------------------------


def holds(facts, state) -> bool:
    return all(state[variable] == value for variable, value in facts)


def successors(task: FDRTask, state):
    for operator in task.operators:
        if holds(operator.precondition, state):
            after = list(state)
            for effect in operator.effects:
                if holds(effect.conditions, state):
                    after[effect.variable] = effect.value
            yield operator.cost, tuple(after)


def explore(task: FDRTask, most: int):
    """All states that can be reached, each with its predecessors; None if there are more than `most`."""
    start = tuple(task.initial)
    before, pending = {start: []}, [start]
    while pending:
        state = pending.pop()
        for cost, child in successors(task, state):
            if child not in before:
                if len(before) == most:
                    return None
                before[child] = []
                pending.append(child)
            before[child].append((cost, state))
    return before


def goal_distances(task: FDRTask, before):
    found = {state: 0 for state in before if holds(task.goal, state)}
    queue = [(0, state) for state in found]
    while queue:
        distance, state = heapq.heappop(queue)
        if distance > found[state]:
            continue
        for cost, earlier in before[state]:
            if distance + cost < found.get(earlier, distance + cost + 1):
                found[earlier] = distance + cost
                heapq.heappush(queue, (distance + cost, earlier))
    return found


class Random:
    """A random task from a seed; about half have a hub, a variable that all operators change."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.domains = [rng.choice((2, 2, 3, 4)) for _ in range(rng.randint(2, 7))]
        self.hub = rng.choice((None, 0, 0))
        if self.hub is not None:
            self.domains[0] = rng.choice((2, 3, 9, 40, 70))  # 70: too many for an open hub
        self.conditional = rng.choice((0, 0, 0.3))
        self.bare = rng.choice((0, 0.2))  # how many effects have no precondition on their variable
        self.only_hub = rng.choice((0, 0.05, 0.5))

    def fact(self, variable: int | None = None) -> tuple[int, int]:
        rng = self.rng
        if variable is None:
            variable = rng.randrange(len(self.domains))
        return variable, rng.randrange(min(self.domains[variable], 5))

    def operator(self, costs) -> Operator:
        rng = self.rng
        changed = rng.sample(range(len(self.domains)), min(len(self.domains), rng.randint(1, 2)))
        if self.hub is not None:
            changed = [self.hub] if rng.random() < self.only_hub else sorted({self.hub, *changed})
        precondition = {v: self.fact(v) for v in changed if rng.random() >= self.bare}
        if rng.random() < 0.3:
            fact = self.fact()
            precondition.setdefault(fact[0], fact)
        effects = [
            Effect([self.fact() for _ in range(rng.randint(1, 2))] if rng.random() < self.conditional else [], *fact)
            for fact in map(self.fact, changed)
        ]
        if rng.random() < self.conditional:
            variable, values = (v := rng.choice(changed)), range(min(self.domains[v], 5))
            effects += [Effect([(variable, a)], variable, rng.choice(values)) for a in values]
        return Operator(ACTION, list(precondition.values()), effects, rng.choice(costs))

    def task(self) -> FDRTask:
        rng = self.rng
        costs = rng.choice(((1,), (1,), (7,), (0, 1), (0, 1, 2, 3), (0, 2**31, 2**31 - 1)))
        operators = [self.operator(costs) for _ in range(rng.choice((3, 10, 20, 40)))]
        initial = [self.fact(v)[1] for v in range(len(self.domains))]
        goal = [self.fact(v) for v in range(len(self.domains)) if rng.random() < 0.7]
        return FDRTask([Variable((None,) * size) for size in self.domains], initial, goal, operators)


def with_mutexes(task: FDRTask, reached, rng: random.Random) -> FDRTask:
    """The task with some groups of facts of which no reached state has two."""
    facts = sorted({(v, state[v]) for state in reached for v in range(len(state))})
    together = {(one, two) for state in reached for one in enumerate(state) for two in enumerate(state)}
    groups = []
    for _ in range(rng.randint(0, 6)):
        group: list[tuple[int, int]] = []
        for fact in rng.sample(facts, len(facts)):
            if all(other[0] == fact[0] or (other, fact) not in together for other in group):
                group.append(fact)
        groups.append(sorted(group))
    return FDRTask(task.variables, task.initial, task.goal, task.operators, (), groups)


seeds = st.integers(0, 2**40)


@settings(max_examples=500, deadline=None)
@given(seeds)
def test_admissible_on_random_tasks(seed):
    task = Random(seed).task()
    before = explore(task, 2000)
    if before is None:
        return
    task = with_mutexes(task, list(before), random.Random(seed))
    exact = goal_distances(task, before)
    states = list(before)
    for stage in range(2):
        for state, h in zip(states, core(task).estimates("pdb", states, stage), strict=True):
            if h is None:
                assert state not in exact, "a dead end that is none"
            else:
                assert h <= exact.get(state, h)
                assert h == 0 or not holds(task.goal, state)


@settings(max_examples=300, deadline=None)
@given(seeds)
def test_equal_costs_on_random_tasks(seed):
    task = Random(seed).task()
    if explore(task, 5000) is None:
        return
    blind, informed = (core(task).search("astar", heuristic) for heuristic in ("blind", "pdb"))
    assert (informed.status, informed.cost) == (blind.status, blind.cost)


@settings(max_examples=300, deadline=None)
@given(seeds)
def test_no_operator_counts_twice_in_a_sum(seed):
    check_sums(Random(seed).task())


@pytest.mark.parametrize("level", ["3x2", "8-hard", "15-easy", "15-hard"])
def test_no_operator_counts_twice_in_a_sum_of_tiles(level):
    task = tiles(SlidingTiles.levels[level])
    check_sums(task)
    for sum_ in core(task).pattern_sums(1):
        seen = [variable for variables, _, _ in sum_ for variable in variables]
        assert len(seen) == len(set(seen))
        for variables, hub, counted in sum_:
            assert hub is not None
            assert hub not in variables
            for number in counted:  # what a pattern counts changes none of the others
                changed = {effect.variable for effect in task.operators[number].effects} - {hub}
                assert changed <= set(variables)


def check_sums(task: FDRTask) -> None:
    for stage in range(2):
        for sum_ in core(task).pattern_sums(stage):
            counted = [number for _, _, numbers in sum_ for number in numbers]
            assert len(counted) == len(set(counted))
            for variables, hub, numbers in sum_:
                assert list(variables) == sorted(set(variables))
                for number in numbers:
                    changed = {effect.variable for effect in task.operators[number].effects}
                    assert changed & {*variables, hub}


# --- made by hand ---------------------------------------------------------------------------------------------------


def test_a_hub_that_pays_for_its_moves_is_kept():
    """A walker on a line of ten, two lamps at its ends: steps cost, lighting too; all in one table is exact."""
    steps = [
        Operator(ACTION, [(0, a)], [Effect([], 0, b)], 1) for a in range(10) for b in (a - 1, a + 1) if 0 <= b < 10
    ]
    light = [Operator(ACTION, [(0, at)], [Effect([], lamp, 1)], 1) for lamp, at in ((1, 0), (2, 9))]
    task = FDRTask([Variable((None,) * n) for n in (10, 2, 2)], [4, 0, 0], [(1, 1), (2, 1)], [*steps, *light])
    before = explore(task, 100)
    exact = goal_distances(task, before)
    assert core(task).estimates("pdb", list(before)) == [exact[state] for state in before]


def test_mutexes_keep_two_tiles_apart():
    """Without groups, databases of tiles say no more than the distances of single tiles."""
    task = tiles("0 2 1\n3 4 5\n6 8 7\n")
    loose = FDRTask(task.variables, task.initial, task.goal, task.operators)
    assert task.mutexes
    with_groups, without = (core(t).estimates("pdb", [t.initial], 1)[0] for t in (task, loose))
    assert without <= 4
    assert with_groups >= without + 6


def test_conditional_effects_within_a_pattern_are_exact():
    """Three places that two operators permute, written as `when v=a: v:=b`."""
    turns = [
        Operator(ACTION, [], [Effect([(v, a)], v, to[a]) for v in range(3) for a in range(4)], 1)
        for to in ([1, 0, 2, 3], [1, 2, 3, 0])
    ]
    task = FDRTask([Variable((None,) * 4)] * 3, [3, 0, 1], [(0, 0), (1, 1), (2, 2)], turns)
    before = explore(task, 100)
    exact = goal_distances(task, before)
    assert core(task).estimates("pdb", list(before), 1) == [exact[state] for state in before]


def test_corner_cases():
    variables = [Variable((None, None)), Variable((None,) * 3)]
    step = Operator(ACTION, [(0, 0)], [Effect([], 0, 1)], 3)
    assert core(FDRTask([], [], [], [])).search("astar", "pdb").plan == []
    assert core(FDRTask(variables, [0, 0], [], [step])).search("astar", "pdb").plan == []
    assert core(FDRTask(variables, [0, 0], [(0, 1)], [step])).search("astar", "pdb").cost == 3
    assert core(FDRTask(variables, [0, 0], [(0, 0), (0, 1)], [step])).search("astar", "pdb").status == "unsolvable"
    stuck = core(FDRTask(variables, [0, 0], [(1, 2)], [step])).search("astar", "pdb")
    assert (stuck.status, stuck.expanded) == ("unsolvable", 0)
    wide = Variable.__new__(Variable)
    wide.values, wide.layer = range(2**31 - 1), -1
    far = Operator(ACTION, [], [Effect([], 0, 2**30)], 1)
    assert core(FDRTask([wide], [0], [(0, 2**30)], [far])).search("astar", "pdb").plan == [0]


def test_axioms_are_unsupported():
    variables = [Variable((None, None)), Variable((None, None), layer=0)]
    task = FDRTask(variables, [0, 0], [(1, 1)], [Operator(ACTION, [], [Effect([], 0, 1)], 1)], [Rule(1, [(0, 1)])])
    with pytest.raises(_core.UnsupportedTask, match="axioms"):
        core(task).search("astar", "pdb")
    with pytest.raises(_core.UnsupportedTask, match="axioms"):
        core(task).pattern_sums()


def test_the_planner_says_what_is_unsupported():
    domain = """(define (domain d) (:requirements :derived-predicates) (:predicates (p) (q))
        (:derived (q) (p)) (:action a :parameters () :precondition (and) :effect (p)))"""
    task = parse_task(domain, "(define (problem x) (:domain d) (:init) (:goal (q)))")
    with pytest.raises(UnsupportedFeature, match="native:pdb") as caught:
        native.make("pdb").solve(task, Limits())
    assert caught.value.feature == "axioms"


# --- puzzles --------------------------------------------------------------------------------------------------------


def board_distances(rows: int, columns: int):
    """The distance of every position of a board from the one with the blank first, then the tiles in order."""
    start = tuple(range(rows * columns))
    steps = [
        [
            n
            for n in (
                c - columns,
                c + columns,
                *((c - 1,) * (c % columns > 0)),
                *((c + 1,) * (c % columns < columns - 1)),
            )
            if 0 <= n < rows * columns
        ]
        for c in range(rows * columns)
    ]
    found, layer, distance = {start: 0}, [start], 0
    while layer:
        distance, following = distance + 1, []
        for position in layer:
            blank = position.index(0)
            for cell in steps[blank]:
                child = list(position)
                child[blank], child[cell] = child[cell], 0
                child = tuple(child)
                if child not in found:
                    found[child] = distance
                    following.append(child)
        layer = following
    return found


def states_of(task: FDRTask, positions):
    """Positions as states of the task: a variable's values are the cells of a tile, or of the blank."""
    readers = []
    for variable in task.variables:
        names = [atom.arguments[-1] for atom in variable.values]
        cells = sorted(names)
        tile = 0 if variable.values[0].predicate == "blank" else int(variable.values[0].arguments[0][1:])
        readers.append((tile, {cells.index(name): value for value, name in enumerate(names)}))
    for position in positions:
        where = {tile: cell for cell, tile in enumerate(position)}
        yield [values[where[tile]] for tile, values in readers]


@pytest.mark.parametrize(("text", "rows", "columns"), [("3 4 5\n0 1 2\n", 2, 3), ("4 1\n2 0\n3 5\n", 3, 2)])
def test_a_small_board_is_known_exactly(text, rows, columns):
    """One pattern has all the tiles, so the blank is where it must be."""
    task, exact = tiles(text), board_distances(rows, columns)
    assert len(exact) == 360
    estimates = core(task).estimates("pdb", states_of(task, exact), STAGES)
    assert estimates == list(exact.values())


def test_the_whole_eight_puzzle():
    task, exact = tiles(SlidingTiles.levels["8-hard"]), board_distances(3, 3)
    assert len(exact) == 181_440
    for stage, least in ((0, 14.5), (1, 16), (2, 16.5)):  # Manhattan distance: 14; exact: 22
        estimates = core(task).estimates("pdb", states_of(task, exact), stage)
        assert all(h <= d for h, d in zip(estimates, exact.values(), strict=True))
        assert sum(estimates) / len(estimates) > least


@pytest.mark.parametrize("level", list(SlidingTiles.levels))
def test_levels_cost_what_they_cost(level):
    if level in ("15-hard", "15-notebook"):
        pytest.skip("blind search takes too long")
    task = core(tiles(SlidingTiles.levels[level])) if level not in ("15-medium",) else None
    if task is None:
        assert core(tiles(SlidingTiles.levels[level])).search("astar", "pdb").cost == 36
        return
    blind, informed = task.search("astar", "blind"), task.search("astar", "pdb")
    assert (informed.status, informed.cost) == (blind.status, blind.cost)


@pytest.mark.parametrize("number", [9, 12, 28, 30])
def test_easy_random_fifteen_puzzles(data, number):
    rows = [line.split() for line in (data / "korf-1-30.txt").read_text().splitlines() if not line.startswith("#")]
    _, optimal, _, _, *numbers = next(row for row in rows if row[0] == str(number))
    text = "\n".join(" ".join(numbers[i : i + 4]) for i in range(0, 16, 4)) + "\n"
    outcome = core(tiles(text)).search("astar", "pdb")
    assert (outcome.status, outcome.cost) == ("solved_optimally", int(optimal))


# --- other tasks ----------------------------------------------------------------------------------------------------


def ipc_tasks():
    return sorted(json.loads((IPC / "optimal-costs.json").read_text()).items()) if IPC.is_dir() else []


@needs_ipc
@pytest.mark.parametrize(("name", "cost"), ipc_tasks())
def test_ipc_tasks_cost_what_they_cost(name, cost):
    folder = IPC / name
    task = read(folder / "domain.pddl", folder / "problem.pddl")
    try:
        result = native.make("pdb").solve(task, Limits(time=3, memory=2**30))
    except UnsupportedFeature:
        pytest.skip("axioms")
    if result.status in ("timeout", "memout"):
        pytest.skip("takes too long")
    assert (result.status, result.cost) == ("solved_optimally", cost)


# --- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, 1000, 300_000, 1_000_000, 3_000_000])
def test_memory_limit(limit):
    outcome = core(tiles(SlidingTiles.levels["15-notebook"])).search("astar", "pdb", memory_limit=limit)
    assert (outcome.status, outcome.plan) == ("memout", None)
    assert outcome.bytes <= limit


def test_short_of_memory_the_search_goes_on_depth_first():
    """In 8 MB there is room for the databases, but not for all the states."""
    task = core(tiles(SlidingTiles.levels["15-hard"]))
    whole, short = task.search("astar", "pdb"), task.search("astar", "pdb", memory_limit=8_000_000)
    assert (short.status, short.cost) == ("solved_optimally", whole.cost) == ("solved_optimally", 50)
    assert short.bytes <= 8_000_000 < whole.bytes
    assert short.expanded > whole.expanded


@pytest.mark.parametrize("limit", [0.0, 0.005, 0.1])
def test_time_limit_holds_while_databases_are_built(limit):
    task = core(tiles(SlidingTiles.levels["15-notebook"]))
    outcome = task.search("astar", "pdb", time_limit=limit)
    assert (outcome.status, outcome.expanded) == ("timeout", 0)


def test_ever_the_same():
    text = SlidingTiles.levels["15-medium"]
    one, two = (core(tiles(text)) for _ in range(2))
    assert [one.pattern_sums(stage) for stage in range(3)] == [two.pattern_sums(stage) for stage in range(3)]
    first, second = (task.search("astar", "pdb") for task in (one, two))
    counts = [(o.plan, o.expanded, o.evaluated, o.generated, o.reopened, o.bytes) for o in (first, second)]
    assert counts[0] == counts[1]


def test_later_stages_know_more():
    """The patterns grow from stage to stage, and with them what is known of a far position."""
    task = core(tiles(SlidingTiles.levels["15-notebook"]))
    sizes = [max(len(pattern[0]) for sum_ in task.pattern_sums(stage) for pattern in sum_) for stage in range(3)]
    assert sizes == sorted(set(sizes))
    estimates = [task.estimates("pdb", [ground_initial()], stage)[0] for stage in range(3)]
    assert 52 <= estimates[0] <= estimates[-1] <= 68


def ground_initial() -> tuple[int, ...]:
    return tiles(SlidingTiles.levels["15-notebook"]).initial
