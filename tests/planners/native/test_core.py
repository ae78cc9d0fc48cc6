"""The search core against a slow twin: the meaning of an FDR task in a page of plain Python, and random tasks.

The random tasks have few reachable states by construction (at most five variables change, each among at most four of
its values), whatever the widths of their variables; so the twin explores all of them.
"""

from __future__ import annotations

import heapq
import random
import subprocess
import sys
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding.fdr import Effect, FDRTask, Operator, Rule, Variable

State = tuple[int, ...]
ACTION = GroundAction("act", ())


def core(task: FDRTask) -> _core.Task:
    return _core.Task(**task.buffers())


# --- the twin -----------------------------------------------------------------------------------------------------


def holds(facts, state: State) -> bool:
    return all(state[variable] == value for variable, value in facts)


def derive(task: FDRTask, state) -> State:
    """The state with its derived variables, layer by layer, each to its fixpoint."""
    values = [0 if variable.layer >= 0 else value for variable, value in zip(task.variables, state, strict=True)]
    for layer in sorted({variable.layer for variable in task.variables} - {-1}):
        rules = [rule for rule in task.axioms if task.variables[rule.variable].layer == layer]
        changed = True
        while changed:
            changed = False
            for rule in rules:
                if values[rule.variable] == 0 and holds(rule.body, values):
                    values[rule.variable] = 1
                    changed = True
    return tuple(values)


def apply(task: FDRTask, operator: Operator, state: State) -> State:
    after = list(state)
    for effect in operator.effects:
        if holds(effect.conditions, state):
            after[effect.variable] = effect.value
    return derive(task, after)


def successors(task: FDRTask, state: State) -> list[tuple[int, State]]:
    return [
        (number, apply(task, operator, state))
        for number, operator in enumerate(task.operators)
        if holds(operator.precondition, state)
    ]


def distances(task: FDRTask, cost_of) -> dict[State, int]:
    """Dijkstra over all that can be reached."""
    start = derive(task, task.initial)
    found, queue = {start: 0}, [(0, start)]
    while queue:
        g, state = heapq.heappop(queue)
        if g > found[state]:
            continue
        for number, child in successors(task, state):
            cost = g + cost_of(task.operators[number])
            if cost < found.get(child, cost + 1):
                found[child] = cost
                heapq.heappush(queue, (cost, child))
    return found


def goal_distance(task: FDRTask, reached: dict[State, int]) -> int | None:
    return min((g for state, g in reached.items() if holds(task.goal, state)), default=None)


def replay(task: FDRTask, plan: list[int]) -> int:
    """The plan's cost; every step must be applicable and the goal must hold at the end."""
    state = derive(task, task.initial)
    for number in plan:
        assert holds(task.operators[number].precondition, state)
        state = apply(task, task.operators[number], state)
    assert holds(task.goal, state)
    return sum(task.operators[number].cost for number in plan)


# --- random tasks -------------------------------------------------------------------------------------------------


class Random:
    """A random task from a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        rng = self.rng
        self.domains = self.random_domains()
        active = rng.sample(range(len(self.domains)), min(len(self.domains), rng.randint(1, 5)))
        self.values = {v: rng.sample(range(self.domains[v]), min(self.domains[v], rng.randint(1, 4))) for v in active}
        self.initial = [rng.randrange(domain) for domain in self.domains]
        for variable, values in self.values.items():
            self.initial[variable] = rng.choice(values)
        self.layers = {len(self.domains) + i: rng.randint(0, 2) for i in range(rng.choice((0, 0, 2, 4)))}
        self.shuffled = list(range(len(self.domains) + len(self.layers)))
        rng.shuffle(self.shuffled)  # derived variables stand anywhere

    def random_domains(self) -> list[int]:
        rng = self.rng
        kind = rng.randrange(4)
        if kind == 0:
            return [rng.randint(1, 5) for _ in range(rng.randint(1, 6))]
        if kind == 1:
            return [rng.randint(1, 70) for _ in range(rng.randint(8, 60))]  # 1 to 7 words
        if kind == 2:
            return [rng.choice((2, 3, 65, 70)) for _ in range(rng.randint(100, 180))]  # more than 512 bits
        return [rng.choice((2, 2**31 - 1, 2**20 + 1, 64)) for _ in range(rng.randint(1, 12))]

    def fact(self, below: int = 3) -> tuple[int, int]:
        """Any variable that changes, sometimes another; derived ones of layers less than `below`."""
        rng = self.rng
        derived = [variable for variable, layer in self.layers.items() if layer < below]
        if derived and rng.random() < 0.3:
            return rng.choice(derived), rng.randint(0, 1)
        if rng.random() < 0.1:
            variable = rng.randrange(len(self.domains))
            return variable, rng.choice((self.initial[variable], rng.randrange(self.domains[variable])))
        variable = rng.choice(list(self.values))
        return variable, rng.choice(self.values[variable])

    def facts(self, most: int, below: int = 3) -> list[tuple[int, int]]:
        return [self.fact(below) for _ in range(self.rng.randint(0, most))]

    def effect(self) -> Effect:
        rng = self.rng
        variable = rng.choice(list(self.values))
        conditions = self.facts(2) if rng.random() < 0.4 else []
        return Effect(conditions, variable, rng.choice(self.values[variable]))

    def permutation(self) -> list[Effect]:
        """Effects `when v=a: v:=b` for all values, as in permutation puzzles."""
        variable, values = self.rng.choice(list(self.values.items()))
        return [Effect([(variable, a)], variable, self.rng.choice(values)) for a in values]

    def operator(self, costs) -> Operator:
        effects = [self.effect() for _ in range(self.rng.randint(0, 4))]
        if self.rng.random() < 0.2:
            effects += self.permutation()
        self.rng.shuffle(effects)
        return Operator(ACTION, self.facts(3), effects, self.rng.choice(costs))

    def rule(self) -> Rule:
        head, layer = self.rng.choice(list(self.layers.items()))
        body = self.facts(2, below=layer)
        same = [variable for variable, other in self.layers.items() if other == layer]
        body += [(self.rng.choice(same), 1) for _ in range(self.rng.choice((0, 0, 1)))]
        return Rule(head, body)

    def task(self) -> FDRTask:
        rng = self.rng
        costs = rng.choice(((1,), (7,), (0,), (0, 1, 2, 3), (0, 1, 2, 3), (0, 2**31, 2**31 - 1)))
        operators = [self.operator(costs) for _ in range(rng.choice((0, 1, 5, 10, 20)))]
        rules = [self.rule() for _ in range(rng.randint(0, 8))] if self.layers else []
        return self.renumbered(operators, rules, self.facts(3) if rng.random() < 0.9 else [])

    def renumbered(self, operators, rules, goal) -> FDRTask:
        new = self.shuffled

        def facts(old):
            return [(new[variable], value) for variable, value in old]

        variables: list[Variable] = [Variable(())] * len(new)
        initial = [0] * len(new)
        for old, place in enumerate(new):
            derived = old in self.layers
            # A huge domain stands for itself: only its length is asked for.
            values = range(2 if derived else self.domains[old])
            variables[place] = Variable.__new__(Variable)
            variables[place].values, variables[place].layer = values, self.layers.get(old, -1)
            initial[place] = self.rng.randint(0, 1) if derived else self.initial[old]
        return FDRTask(
            variables,
            initial,
            facts(goal),
            [
                Operator(
                    ACTION,
                    facts(operator.precondition),
                    [Effect(facts(e.conditions), new[e.variable], e.value) for e in operator.effects],
                    operator.cost,
                )
                for operator in operators
            ],
            [Rule(new[rule.variable], facts(rule.body)) for rule in rules],
        )


seeds = st.integers(0, 2**40)
many = settings(max_examples=800, deadline=None)


@many
@given(seeds)
def test_one_step_is_the_twins(seed):
    task = Random(seed).task()
    native = core(task)
    assert native.variables == len(task.variables)
    reached = list(distances(task, lambda operator: operator.cost))
    for state in random.Random(seed).sample(reached, min(10, len(reached))):
        assert native.successors(state) == [(number, list(child)) for number, child in successors(task, state)]


@many
@given(seeds)
def test_a_star_is_dijkstra(seed):
    task = Random(seed).task()
    reached = distances(task, lambda operator: operator.cost)
    outcome = core(task).search("astar", "blind")
    check(task, outcome, "solved_optimally", goal_distance(task, reached))
    whole_space(task, outcome, reached)


@many
@given(seeds)
def test_bfs_has_the_fewest_steps(seed):
    task = Random(seed).task()
    reached = distances(task, lambda operator: 1)
    outcome = core(task).search("bfs", "blind")
    if outcome.status == "unsolvable":
        assert goal_distance(task, reached) is None
    else:
        assert len(outcome.plan) == goal_distance(task, reached)
        assert outcome.cost == replay(task, outcome.plan)
        same = len({operator.cost for operator in task.operators}) <= 1
        assert outcome.status == ("solved_optimally" if same or not outcome.plan else "solved")
    whole_space(task, outcome, reached)


@many
@given(seeds)
def test_an_inadmissible_heuristic_claims_nothing(seed):
    task = Random(seed).task()
    best = goal_distance(task, distances(task, lambda operator: operator.cost))
    outcome = core(task).search("astar", "goalcount")
    if best is None:
        assert outcome.status == "unsolvable"
    else:
        assert outcome.cost == replay(task, outcome.plan) >= best
        assert outcome.status == "solved" or outcome.cost == best


def check(task: FDRTask, outcome: _core.Outcome, status: str, cost: int | None) -> None:
    if cost is None:
        assert (outcome.status, outcome.plan, outcome.cost) == ("unsolvable", None, None)
    else:
        assert (outcome.status, outcome.cost) == (status, cost)
        assert replay(task, outcome.plan) == cost


def contradictory(facts) -> bool:
    return len(dict(facts)) < len(set(facts))


def whole_space(task: FDRTask, outcome: _core.Outcome, reached) -> None:
    """A search without a plan has expanded every state once, if it needed to search at all."""
    if outcome.status != "unsolvable":
        assert outcome.states <= len(reached)
    elif contradictory(task.goal):
        assert (outcome.expanded, outcome.generated, outcome.states) == (0, 0, 0)
    else:
        assert outcome.expanded == outcome.evaluated == outcome.states == len(reached)
        assert outcome.generated == sum(len(successors(task, state)) for state in reached)


# --- made by hand -------------------------------------------------------------------------------------------------


def numbered(*sizes: int) -> list[Variable]:
    return [Variable((None,) * size) for size in sizes]


def test_later_effects_win():
    overwritten = Operator(ACTION, [], [Effect([], 0, 1), Effect([(1, 0)], 0, 2), Effect([], 0, 3)], 1)
    conditional_last = Operator(ACTION, [], [Effect([], 0, 1), Effect([(1, 0)], 0, 2)], 1)
    task = FDRTask(numbered(4, 2), [0, 0], [(0, 2)], [overwritten, conditional_last])
    assert core(task).successors([0, 0]) == [(0, [3, 0]), (1, [2, 0])]
    assert core(task).successors([0, 1]) == [(0, [3, 1]), (1, [1, 1])]


def test_conditions_are_tested_in_the_state_before():
    swap = Operator(ACTION, [], [Effect([(v, a)], 1 - v, a) for v in (0, 1) for a in range(3)], 1)
    assert core(FDRTask(numbered(3, 3), [0, 0], [], [swap])).successors([1, 2]) == [(0, [2, 1])]


def test_reopening_finds_the_cheaper_path():
    """Goal count sends A* over the dear edge to the middle first; the middle is then reached at less cost."""
    place, junk = 0, range(1, 11)
    detour = Operator(ACTION, [(place, 0)], [Effect([], place, 1), *(Effect([], v, 1) for v in junk)], 1)
    back = Operator(ACTION, [(place, 1)], [Effect([], place, 2), *(Effect([], v, 0) for v in junk)], 1)
    dear = Operator(ACTION, [(place, 0)], [Effect([], place, 2)], 3)
    last = Operator(ACTION, [(place, 2)], [Effect([], place, 3)], 20)
    goal = [(place, 3), *((v, 0) for v in junk)]
    task = FDRTask(numbered(4, *(2 for _ in junk)), [0] * 11, goal, [detour, back, dear, last])
    outcome = core(task).search("astar", "goalcount")
    assert (outcome.plan, outcome.cost, outcome.reopened) == ([0, 1, 3], 22, 1)
    assert (outcome.expanded, outcome.evaluated) == (4, 4)


@pytest.mark.parametrize("algorithm", ["bfs", "astar"])
def test_corner_cases(algorithm):
    empty = core(FDRTask([], [], [], [])).search(algorithm)
    assert (empty.status, empty.plan, empty.cost, empty.expanded) == ("solved_optimally", [], 0, 0)
    stuck = core(FDRTask(numbered(2), [0], [(0, 1)], [])).search(algorithm)
    assert (stuck.status, stuck.plan, stuck.expanded, stuck.states) == ("unsolvable", None, 1, 1)
    one_value = core(FDRTask(numbered(1, 1), [0, 0], [(1, 0)], [])).search(algorithm)
    assert one_value.plan == []


def test_costs_beyond_32_bits():
    steps = [Operator(ACTION, [(0, i)], [Effect([], 0, i + 1)], 2**31) for i in range(8)]
    steps.append(Operator(ACTION, [(0, 0)], [Effect([], 0, 8)], 2**31 - 1))
    steps.append(Operator(ACTION, [(0, 8)], [Effect([], 0, 9)], 1))
    task = core(FDRTask(numbered(10), [0], [(0, 9)], steps))
    assert task.search("astar").plan == [8, 9]
    without = core(FDRTask(numbered(10), [0], [(0, 8)], steps[:8] + steps[9:]))
    assert without.search("astar").cost == 2**34


@pytest.mark.parametrize("count", [1, 63, 64, 65, 128, 511, 512, 513, 1000])
def test_every_width_of_state(count):
    """A counter over many variables of two values: a state of `count` bits with a path of `count` steps."""
    steps = [
        Operator(ACTION, [(i, 0), *([(i - 1, 1)] if i else [])], [Effect([], i, 1)], 1 + i % 2) for i in range(count)
    ]
    native = core(FDRTask(numbered(*[2] * count), [0] * count, [(i, 1) for i in range(count)], steps))
    assert native.bits_per_state == count
    assert native.bytes_per_state == (count + 63) // 64 * 8
    for algorithm in ("bfs", "astar"):
        assert native.search(algorithm).plan == list(range(count))


def test_deep_decision_trees_need_no_recursion():
    """Operator i wants i facts, all those of operator i - 1 and one more."""
    count = 700
    steps = [Operator(ACTION, [(v, 0) for v in range(i)], [Effect([], i, 1)], 1) for i in range(count)]
    native = core(FDRTask(numbered(*[2] * count), [0] * count, [], steps))
    assert [number for number, _ in native.successors([0] * count)] == list(range(count))
    assert [number for number, _ in native.successors([0] * 350 + [1] * 350)] == list(range(351))


def test_huge_domains_cost_nothing():
    wide = Variable.__new__(Variable)
    wide.values, wide.layer = range(2**31 - 1), -1
    far = 2**31 - 2
    steps = [Operator(ACTION, [(0, i * 10**6)], [Effect([], 0, (i + 1) * 10**6)], 1) for i in range(2000)]
    steps.append(Operator(ACTION, [], [Effect([(0, 2 * 10**9)], 0, far)], 1))
    outcome = core(FDRTask([wide], [0], [(0, far)], steps)).search("bfs")
    assert outcome.cost == 2001
    assert outcome.bytes < 2_000_000


# --- sliding tiles ------------------------------------------------------------------------------------------------


def neighbours(rows: int, columns: int) -> list[tuple[int, int]]:
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    return [(r * columns + c, s * columns + d) for r, c in cells for s, d in cells if abs(r - s) + abs(c - d) == 1]


def tiles_by_place(rows: int, columns: int, start: list[int]) -> FDRTask:
    """One variable a tile (0 is the blank): where it is."""
    count = rows * columns
    moves = [
        Operator(ACTION, [(0, to), (tile, place)], [Effect([], 0, place), Effect([], tile, to)], 1)
        for to, place in neighbours(rows, columns)
        for tile in range(1, count)
    ]
    initial = [start.index(tile) for tile in range(count)]
    return FDRTask(numbered(*[count] * count), initial, [(tile, tile) for tile in range(count)], moves)


def tiles_by_cell(rows: int, columns: int, start: list[int]) -> FDRTask:
    """One variable a cell: what is in it."""
    count = rows * columns
    moves = [
        Operator(ACTION, [(to, 0), (place, tile)], [Effect([], to, tile), Effect([], place, 0)], 1)
        for to, place in neighbours(rows, columns)
        for tile in range(1, count)
    ]
    return FDRTask(numbered(*[count] * count), start, [(cell, cell) for cell in range(count)], moves)


@pytest.mark.parametrize("encode", [tiles_by_place, tiles_by_cell])
@pytest.mark.parametrize("algorithm", ["bfs", "astar"])
def test_eight_puzzle_half_space(encode, algorithm):
    outcome = core(encode(3, 3, [0, 2, 1, 3, 4, 5, 6, 7, 8])).search(algorithm)
    assert outcome.status == "unsolvable"
    assert outcome.expanded == outcome.evaluated == outcome.states == 181_440
    assert outcome.generated == 483_840


@pytest.mark.parametrize("encode", [tiles_by_place, tiles_by_cell])
@pytest.mark.parametrize("start", [[8, 7, 6, 0, 4, 1, 2, 5, 3], [8, 0, 6, 5, 4, 7, 2, 3, 1]])
def test_the_hardest_eight_puzzles(encode, start):
    task = encode(3, 3, start)
    outcome = core(task).search("bfs")
    assert outcome.status == "solved_optimally"
    assert outcome.cost == replay(task, outcome.plan) == 31


def test_a_board_that_is_not_square():
    task = tiles_by_place(2, 4, [0, 2, 1, 3, 4, 5, 6, 7])
    outcome = core(task).search("bfs")
    assert (outcome.status, outcome.expanded) == ("unsolvable", 20_160)


def test_costs_leave_the_blind_search_the_same_states():
    """Costs that differ take A* away from layers; it must still expand every state once."""
    task = tiles_by_place(2, 4, [0, 2, 1, 3, 4, 5, 6, 7])
    for number, operator in enumerate(task.operators):
        operator.cost = number % 4
    outcome = core(task).search("astar")
    assert (outcome.status, outcome.states) == ("unsolvable", 20_160)
    assert outcome.expanded == 20_160 + outcome.reopened


def test_runs_are_alike():
    native = core(tiles_by_cell(3, 3, [8, 7, 6, 0, 4, 1, 2, 5, 3]))

    def facts(outcome):
        return outcome.plan, outcome.expanded, outcome.generated, outcome.states, outcome.bytes

    first = facts(native.search("bfs"))
    assert facts(native.search("bfs")) == first
    # The same on every machine; changes only with the order in which successors come.
    assert first[1:4] == GOLDEN


GOLDEN = (181_392, 483_698, 181_440)


# --- the face -----------------------------------------------------------------------------------------------------


def test_unknown_names_list_the_known():
    task = core(FDRTask(numbered(2), [0], [], []))
    with pytest.raises(ValueError, match=r"unknown algorithm 'dfs': there are bfs, astar"):
        task.search("dfs")
    with pytest.raises(ValueError, match=r"unknown heuristic 'nosuch': there are blind, goalcount"):
        task.search("astar", "nosuch")
    with pytest.raises(ValueError, match="bfs takes no heuristic but blind"):
        task.search("bfs", "goalcount")


@pytest.mark.parametrize("state", [[], [0], [0, 2], [-1, 0], [0, 0, 0]])
def test_bad_states(state):
    with pytest.raises(ValueError, match="value"):
        core(FDRTask(numbered(2, 2), [0, 0], [], [])).successors(state)


def test_wide_numbers_are_taken_too():
    task = tiles_by_place(2, 2, [3, 2, 1, 0])
    wide = {name: array("q", numbers) for name, numbers in task.buffers().items()}
    narrow = {name: array("i", numbers) for name, numbers in task.buffers().items()}
    expected = core(task).search("bfs").plan
    assert _core.Task(**wide).search("bfs").plan == expected
    assert _core.Task(**narrow).search("bfs").plan == expected


def test_importing_the_core_imports_nothing_else():
    program = (
        "import sys, unpuzzle.planners.native; before = set(sys.modules);"
        "from unpuzzle.planners.native import _core; print(sorted(set(sys.modules) - before - {'atexit'}))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['unpuzzle.planners.native._core']"
