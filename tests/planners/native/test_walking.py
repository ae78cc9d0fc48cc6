"""Walks folded away: who walks, and what is refused; the laws of `walker_laws` say that plans are the best."""

from __future__ import annotations

import pytest

from support.data import IPC, needs_ipc
from unpuzzle.pddl import Task, read
from unpuzzle.planners.native.grounding import CoreGrounding
from unpuzzle.planning.planner import OBJECTIVES, SearchOptions
from unpuzzle.planning.running import run
from unpuzzle.translators import find


def bundled(game: str, level: str) -> Task:
    return find(game).parse(find(game).levels[level]).task()


def weights(objective: str, moves: int, pushes: int) -> tuple[int, int]:
    return {
        "moves": (moves, 0),
        "pushes": (pushes, 0),
        "pushes,moves": (pushes, moves),
        "moves,pushes": (moves, pushes),
    }[objective]


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
