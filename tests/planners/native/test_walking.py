"""Walks folded away: who walks, and plans that are best for each objective, against searches written here."""

from __future__ import annotations

import heapq
import random
from array import array
from collections.abc import Callable
from typing import Any

import pytest

from support.data import IPC, needs_ipc
from unpuzzle.pddl import Task, read
from unpuzzle.planning.planner import OBJECTIVES, SearchOptions
from unpuzzle.planning.running import run
from unpuzzle.translators import find

_core = pytest.importorskip("unpuzzle.planners.native._core")
from unpuzzle.planners.native.grounding import CoreGrounding  # noqa: E402

Cell = tuple[int, int]
State = tuple[int, ...]
HEURISTICS = ("blind", "lmcut", "pdb", "hmax")
SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))


def bundled(game: str, level: str) -> Task:
    return find(game).parse(find(game).levels[level]).task()


def weights(objective: str, moves: int, pushes: int) -> tuple[int, int]:
    return {
        "moves": (moves, 0),
        "pushes": (pushes, 0),
        "pushes,moves": (pushes, moves),
        "moves,pushes": (moves, pushes),
    }[objective]


def cheapest(start: Any, steps: Callable[[Any], list[tuple[Any, tuple[int, int]]]], goal: Callable[[Any], bool]) -> Any:
    """Dijkstra's algorithm over single steps."""
    queue, known, number = [((0, 0), 0, start)], set[Any](), 0
    while queue:
        cost, _, state = heapq.heappop(queue)
        if state in known:
            continue
        known.add(state)
        if goal(state):
            return cost
        for after, step in steps(state):
            number += 1
            heapq.heappush(queue, ((cost[0] + step[0], cost[1] + step[1]), number, after))
    return None


# ---- Sokoban, over positions


def random_level(rng: random.Random) -> str:
    """A board with a wall around it."""
    rows, columns, boxes = rng.randint(2, 4), rng.randint(3, 5), rng.randint(1, 2)
    cells = rng.sample([(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)], rows * columns)
    board = dict.fromkeys(cells, " ")
    board[cells.pop()] = "@"
    for _ in range(boxes):
        board[cells.pop()] = "$"
        board[cells.pop()] = "."
    for cell in cells[: rng.randint(0, 3)]:
        board[cell] = "#"
    return "\n".join("".join(board.get((r, c), "#") for c in range(columns + 2)) for r in range(rows + 2))


def cheapest_in_level(text: str, objective: str) -> object:
    board = {(r, c): symbol for r, row in enumerate(text.split("\n")) for c, symbol in enumerate(row)}
    where = {symbol: frozenset(cell for cell in board if board[cell] == symbol) for symbol in "@$.#"}

    def steps(state: tuple[Cell, frozenset[Cell]]) -> list[tuple[tuple[Cell, frozenset[Cell]], tuple[int, int]]]:
        (row, column), boxes = state
        found = []
        for down, right in SIDES:
            to, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if to in boxes and beyond not in boxes | where["#"]:
                found.append(((to, boxes - {to} | {beyond}), weights(objective, 1, 1)))
            elif to not in boxes | where["#"]:
                found.append(((to, boxes), weights(objective, 1, 0)))
        return found

    (player,) = where["@"]
    return cheapest((player, where["$"]), steps, lambda state: state[1] == where["."])


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(40))
def test_random_levels_of_sokoban(seed: int, objective: str) -> None:
    text = random_level(random.Random(seed))
    ground = CoreGrounding(find("sokoban").parse(text).task())
    core = ground.task()
    least = cheapest_in_level(text, objective)
    for heuristic in HEURISTICS if core.walker() and ground.goal_possible else ():
        result = core.search("astar", heuristic, objective=objective, folded=True)
        assert result.status == ("unsolvable" if least is None else "solved_optimally")
        if least is not None:
            names = [ground.action(number).name for number in result.plan]
            assert weights(objective, len(names), names.count("push")) == least


# ---- tasks, over their spaces


class Made:
    """A random task: variable 0 walks, if anything does; costs of 0, conditional effects, one-way walks are there."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.domains = [rng.randint(2, 5), *(rng.randint(2, 3) for _ in range(rng.randint(1, 4)))]
        self.rng, self.unit = rng, rng.random() < 0.5
        self.initial = [rng.randrange(domain) for domain in self.domains]
        self.operators: list[tuple[dict[int, int], list[tuple[list[tuple[int, int]], tuple[int, int]]]]] = []
        for start in range(self.domains[0]):
            for end in range(start):
                self.edge(start, end)
        edges = len(self.operators)
        for _ in range(rng.randint(2, 8)):
            self.other()
        self.costs = [1 if self.unit else rng.choice([0, 1, 1, 2, 3]) for _ in self.operators]
        if seed % 3 == 0:
            self.costs[:edges] = [0] * edges
        self.goal = dict(self.facts(2)) | ({0: rng.randrange(self.domains[0])} if rng.random() < 0.4 else {})

    def facts(self, most: int) -> list[tuple[int, int]]:
        variables = self.rng.sample(range(1, len(self.domains)), min(most, len(self.domains) - 1))
        return [(variable, self.rng.randrange(self.domains[variable])) for variable in variables]

    def edge(self, start: int, end: int) -> None:
        wanted, beside = self.facts(self.rng.choice([0, 0, 1, 2])), self.facts(int(self.rng.random() < 0.3))
        back = wanted if self.rng.random() < 0.8 else self.facts(1)
        for one, other, want in ((start, end, wanted), (end, start, back)):
            if self.rng.random() < 0.8:
                self.operators.append(({0: one, **dict(want)}, [([], (0, other)), *(([], fact) for fact in beside)]))

    def other(self) -> None:
        rng, places = self.rng, self.domains[0]
        precondition = dict(self.facts(rng.randint(0, 2)))
        if rng.random() < 0.7:
            precondition[0] = rng.randrange(places)
        effects = [([], fact) for fact in self.facts(rng.randint(1, 2))]
        if rng.random() < 0.4:
            effects.append(([], (0, rng.randrange(places))))
        if rng.random() < 0.3:
            effects.append(([(0, rng.randrange(places))], self.facts(1)[0]))
        self.operators.append((precondition, effects))

    def task(self) -> _core.Task:
        flat: list[int] = []
        for precondition, effects in self.operators:
            flat += [len(precondition), *(number for fact in precondition.items() for number in fact), len(effects)]
            for conditions, sets in effects:
                flat += [len(conditions), *(number for fact in conditions for number in fact), *sets]
        goal = [number for fact in self.goal.items() for number in fact]
        layers = [-1] * len(self.domains)
        numbers = [array("i", each) for each in (self.domains, layers, self.initial, goal)]
        return _core.Task(*numbers, array("q", self.costs), array("i", flat), array("i"))


class Space:
    """All states, with their steps: operator, state, and whether it is a walk."""

    def __init__(self, task: _core.Task, variable: int, walks: list[int]) -> None:
        self.start, self.steps = tuple(task.initial), dict[State, list[tuple[int, State, bool]]]()
        todo = [self.start]
        while todo:
            state = todo.pop()
            if state not in self.steps:
                after = [(number, tuple(values)) for number, values in task.successors(state)]
                self.steps[state] = [
                    (number, to, number in walks and self.differ(state, to) == [variable]) for number, to in after
                ]
                todo += [to for _, to in after]

    @staticmethod
    def differ(one: State, other: State) -> list[int]:
        return [i for i in range(len(one)) if one[i] != other[i]]


@pytest.mark.parametrize("seed", range(60))
def test_random_tasks(seed: int) -> None:
    made = Made(seed)
    task, among = made.task(), list(range(len(made.operators)))
    walker = task.walker(among)
    if walker is None:
        with pytest.raises(_core.UnsupportedTask, match="nothing walks"):
            task.search("astar", objective="pushes", walks=among)
        return
    space = Space(task, *walker)
    for state, steps in space.steps.items():  # every walk is taken back by one
        for _, to, walks in steps:
            assert not walks or any(back == state for _, back, also in space.steps[to] if also)
    for objective in OBJECTIVES:
        least = cheapest(
            space.start,
            lambda state, objective=objective: [
                (to, weights(objective, made.costs[number], int(not walks))) for number, to, walks in space.steps[state]
            ],
            lambda state: all(state[variable] == value for variable, value in made.goal.items()),
        )
        for heuristic in HEURISTICS:
            result = task.search("astar", heuristic, objective=objective, folded=True, walks=among)
            assert result.status == ("unsolvable" if least is None else "solved_optimally")
            if least is not None:
                assert costs_of(result, space, made, objective) == least


def costs_of(result: _core.SearchResult, space: Space, made: Made, objective: str) -> tuple[int, int]:
    state, moves, pushes = space.start, 0, 0
    for number in result.plan:
        to, walks = next((to, walks) for step, to, walks in space.steps[state] if step == number)
        state, moves, pushes = to, moves + made.costs[number], pushes + (not walks)
    assert moves == result.cost
    assert all(state[variable] == value for variable, value in made.goal.items())
    return weights(objective, moves, pushes)


# ---- who walks


def walks_of(game: str, level: str) -> set[str]:
    ground = CoreGrounding(bundled(game, level))
    walker = ground.task().walker()
    return set() if walker is None else {ground.action(number).name for number in walker[1]}


@pytest.mark.parametrize(("game", "level", "names"), [("sokoban", "1", {"walk"}), ("pacman", "loops", {"move"})])
def test_who_walks(game: str, level: str, names: set[str]) -> None:
    assert walks_of(game, level) == names


@needs_ipc
@pytest.mark.parametrize("level", ["p01", "p02", "p05"])
def test_shadows(level: str) -> None:
    """That a cell is clear says where the player is not: the player walks, though walks change what is clear."""
    folder = IPC / "sokoban-opt11-strips" / level
    ground = CoreGrounding(read(folder / "domain.pddl", folder / "problem.pddl"))
    task = ground.task()
    _, walks = task.walker()
    assert {ground.action(number).name for number in walks} == {"move"}
    plain = task.search("astar", "lmcut", max_expanded=20_000)
    folded = task.search("astar", "lmcut", folded=True, max_expanded=20_000)
    assert plain.status != "solved_optimally" or (folded.status, folded.cost) == (plain.status, plain.cost)


def test_nobody_walks() -> None:
    task = find("sliding-tiles").parse("1 0\n2 3\n").task()
    assert CoreGrounding(task).task().walker() is None
    result = run("native", task, options=SearchOptions(objective="pushes"))
    assert result.status == "unsupported"


# ---- the planner


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(("game", "level"), [("sokoban", "2"), ("pacman", "loops")])
def test_planner_and_its_twin(game: str, level: str, objective: str) -> None:
    task = bundled(game, level)
    options = SearchOptions(objective=objective)
    native, twin = (run(planner, task, options=options) for planner in ("native", "reference"))
    assert native.status == twin.status == "solved_optimally"
    assert weights(objective, native.cost, native.pushes) == weights(objective, twin.cost, twin.pushes)


def test_what_is_solved_at_the_start() -> None:
    task = find("sokoban").parse("#####\n#@* #\n#####\n").task()
    result = run("native", task, options=SearchOptions(objective="pushes"))
    assert (result.status, result.cost) == ("solved_optimally", 0)


@pytest.mark.parametrize("config", ["gbfs", "idastar", "wastar", "bidirectional", "lmcut+stubborn"])
def test_other_searches_refuse(config: str) -> None:
    task = bundled("sokoban", "2")
    assert run(f"native:{config}", task, options=SearchOptions(objective="pushes")).status == "unsupported"


def test_unknown_objective() -> None:
    task = CoreGrounding(bundled("sokoban", "2")).task()
    with pytest.raises(ValueError, match="there are moves pushes pushes,moves moves,pushes"):
        task.search("astar", objective="steps")
    with pytest.raises(ValueError, match="objective 'pushes' goes with 'astar'"):
        task.search("gbfs", objective="pushes")


# ---- limits

EMPTY = "\n".join(["#" * 12, *["#" + " " * 10 + "#"] * 7, "# @ $  $  .#", "#   $  . ..#", "#     $    #", "#" * 12])


def test_little_memory() -> None:
    task = CoreGrounding(find("sokoban").parse(EMPTY).task()).task()
    assert task.search("astar", "blind", None, 3_000_000, objective="pushes,moves").status == "memout"


@pytest.mark.parametrize("objective", ["pushes", "moves,pushes"])
def test_the_clock_is_looked_at(objective: str) -> None:
    task = CoreGrounding(find("sokoban").parse(EMPTY).task()).task()
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.001
        return now

    result = task.search("astar", "blind", 0.2, objective=objective, clock=clock)
    assert result.status == "timeout"
    assert result.expanded < 400_000
