"""Walks folded away: who walks, and plans that are best for each objective, against searches written here."""

from __future__ import annotations

import heapq
import random
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
