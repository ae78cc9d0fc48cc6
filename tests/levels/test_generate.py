"""generate(): levels of known difficulty, once each, the same for all numbers of workers."""

from __future__ import annotations

import pickle
import signal
import time
from collections import deque
from itertools import pairwise
from multiprocessing import active_children

import pytest

from support.hiding import hide
from support.registry import WITH_PDDL
from support.waiting import PATIENCE
from unpuzzle import count_solutions, errors, explore, find, generate, replay, solve, translators
from unpuzzle.errors import DependencyMissing, ParseError, UsageError, WorkersFailed
from unpuzzle.levels import batches, candidates, generating
from unpuzzle.levels.candidates import GeneratedLevel
from unpuzzle.limits import Deadline, Limits
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles
from unpuzzle.working.crews import crew

every_puzzle = pytest.mark.parametrize("puzzle", [translators.find(name) for name in WITH_PDDL])


def facts(made):
    """All that must not depend on who does the work."""
    return made.status, made.levels, made.candidates, made.duplicates, made.rejected


def positions(puzzle, text):
    """All positions in reach, each with its successors."""
    start = puzzle.parse(text)
    graph, queue = {}, deque([start])
    while queue:
        position = queue.popleft()
        if position not in graph:
            graph[position] = [position.apply(move) for move in position.moves()]
            queue += graph[position]
    return start, graph


def distances(graph):
    """By position, the fewest moves to a goal and the number of ways to go; dead ends are not in it."""
    before = {}
    for position, following in graph.items():
        for after in following:
            before.setdefault(after, []).append(position)
    layer = {position: 1 for position in graph if position.solved()}
    found, length = {}, 0
    while layer:
        found.update({position: (length, ways) for position, ways in layer.items()})
        onward = {}
        for position, ways in layer.items():
            for previous in before.get(position, []):
                if previous not in found:
                    onward[previous] = onward.get(previous, 0) + ways
        layer, length = onward, length + 1
    return found


# ---- the levels

SMALL = {"sliding-tiles": {"size": "2x3"}, "gogen": {"given": "20"}, "sudoku": {"size": "4", "clues": "8"}}
"""What levels are asked to be where those of the defaults have too many states for searches on the rules."""


@every_puzzle
def test_levels_are_of_the_difficulty_they_tell(puzzle):
    made = generate(puzzle, SMALL.get(puzzle.name), seed=3, count=6, moves=(2, 20))
    assert (made.status, len(made.levels)) == ("complete", 6)
    assert made.candidates == 6 + made.duplicates + sum(made.rejected.values())
    for level in made.levels:
        assert 2 <= level.cost <= 20
        position = puzzle.parse(level.text)
        assert str(position) == level.text
        assert replay(position, level.moves).solved
        assert level.cost == len(level.moves) == solve(position, "rules:bfs").cost
    order = [(level.cost, level.expanded, level.text) for level in made.levels]
    assert order == sorted(order)
    assert len({str(puzzle.parse(level.text).canonical()) for level in made.levels}) == 6


@every_puzzle
def test_equal_seeds_give_equal_levels_and_others_others(puzzle):
    one, again, other = (generate(puzzle, SMALL.get(puzzle.name), seed=seed, count=4) for seed in (5, 5, 6))
    assert facts(one) == facts(again)
    assert {level.text for level in one.levels} != {level.text for level in other.levels}


def test_fewer_levels_are_the_first_that_were_found():
    few, many = (generate(SlidingTiles, {"size": "2x3"}, seed=1, count=count, moves=(5, 12)) for count in (4, 9))
    assert {level.text for level in few.levels} < {level.text for level in many.levels}


def test_symmetric_candidates_are_duplicates():
    made = generate(SlidingTiles, {"size": "2x2"}, count=50, candidates=400)
    assert (made.status, made.candidates, len(made.levels)) == ("gave_up", 400, 6)  # of 12: 1 is solved, 5 are twice
    assert made.rejected == {"too_easy": 1}
    assert made.duplicates == 393


def test_one_way_only_and_nowhere_to_get_stuck():
    options = {"walls": 1}
    plain = generate(Boxup, options, seed=2, count=30, moves=(3, None))
    assert {(level.optimal_plans, level.dead_ends) for level in plain.levels} == {(None, None)}
    wanted = {name: set() for name in ("unique", "no_dead_ends", "both")}
    for level in plain.levels:
        start, graph = positions(Boxup, level.text)
        ways = distances(graph)
        assert ways[start][0] == level.cost
        unique, alive = explore(start).optimal_lines == 1, len(ways) == len(graph)
        for name, holds in (("unique", unique), ("no_dead_ends", alive), ("both", unique and alive)):
            if holds:
                wanted[name].add((level.text, ways[start][1], len(graph) - len(ways)))
    for name, levels in wanted.items():
        assert 0 < len(levels) < 30
        asked = {"unique": name != "no_dead_ends", "no_dead_ends": name != "unique"}
        made = generate(Boxup, options, seed=2, count=30, moves=(3, None), candidates=plain.candidates, **asked)
        assert {(level.text, level.optimal_plans, level.dead_ends) for level in made.levels} == levels
        assert set(made.rejected) >= {"several_solutions"} if name == "unique" else {"dead_ends"}


def test_figures_may_have_bounds():
    plain = generate(find("sokoban"), seed=1, count=12, require=["states=1.."])
    assert all(level.difficulty == explore(find("sokoban").parse(level.text)).difficulty for level in plain.levels)
    wanted = {level.text for level in plain.levels if level.difficulty.traps >= 2 and level.optimal_lines == 1}
    made = generate(find("sokoban"), seed=1, count=12, require=["traps>=2", "lines=1"], candidates=plain.candidates)
    assert 0 < len(wanted) < 12
    assert {level.text for level in made.levels} == wanted
    assert made.rejected["not_required"] == 12 - len(wanted)
    with pytest.raises(UsageError, match="judged by their constraints, which know no traps"):
        generate(find("sudoku"), count=1, require=["traps=1.."])
    unique = generate(find("sokoban"), seed=1, count=3, unique=True)
    assert generate(find("sokoban"), seed=1, count=3, require=["unique"]) == unique


def test_what_the_quick_search_gives_up_goes_to_the_planner(monkeypatch):
    options = {"size": "3x3", "scramble": 14}
    quick = generate(SlidingTiles, options, seed=1, count=5, moves=(8, None))
    monkeypatch.setattr(candidates, "QUICK_STATES", 20)
    slow = generate(SlidingTiles, options, seed=1, count=5, moves=(8, None))
    assert [(level.text, level.cost) for level in quick.levels] == [(level.text, level.cost) for level in slow.levels]


def test_large_levels_are_passed_over():
    made = generate(SlidingTiles, {"size": "4x4"}, count=2, candidates=3, max_states=1000)
    assert (made.status, made.levels, made.rejected) == ("gave_up", (), {"too_large": 3})
    made = generate(SlidingTiles, {"scramble": 8}, count=2, candidates=2, max_states=1000, unique=True)
    assert (made.status, made.rejected) == ("gave_up", {"too_large": 2})


def test_too_little_memory_is_no_verdict_on_levels(monkeypatch):
    # Each of 1,000 workers had so little that all levels were "too large to judge", and the search went on for others.
    made = generate(SlidingTiles, {"scramble": 25}, count=2, candidates=3, limits=Limits(memory=1, held=0))
    assert (made.status, made.levels, made.rejected) == ("memout", (), {})
    monkeypatch.setattr(
        candidates, "solve_many", lambda levels, *, limits, **others: batches.solve_many(levels, **others)
    )
    made = generate(SlidingTiles, {"scramble": 8}, count=2, candidates=3, unique=True, limits=Limits(memory=1, held=0))
    assert (made.status, made.levels, made.rejected) == ("memout", (), {})


def test_what_cannot_be_had_ends_with_the_budget():
    made = generate(Boxup, {"size": "2x2"}, count=3, moves=(500, 600), candidates=150)
    assert (made.status, made.levels, made.candidates) == ("gave_up", (), 150)
    assert set(made.rejected) == {"unsolvable", "too_easy"}


def test_a_budget_of_its_own(monkeypatch):
    monkeypatch.setattr(generating, "CANDIDATES", 20)
    made = generate(Boxup, {"size": "1x1"}, count=1)
    assert (made.status, made.candidates) == ("gave_up", 20 + generating.CANDIDATES_PER_LEVEL)


# ---- every level of a shape


def test_every_boxup_level_of_three_by_three_with_two_boxes():
    told = []
    made = generate(Boxup, every=True, workers=2, progress=lambda made: told.append((made.candidates, made.most)))
    assert made.status == "complete"
    assert len(made.levels) + sum(made.rejected.values()) == 1485  # classes, as the translators' tests count them
    assert (len(made.levels), made.rejected) == (387, {"too_easy": 171, "unsolvable": 927})
    hardest = made.levels[-1]
    assert (hardest.cost, hardest.text) == (24, "e!@ .   .\nS!  .   .\n.   .   .\n")
    for level in [*made.levels[::40], *made.levels[-3:]]:
        assert solve(Boxup.parse(level.text)).cost == solve(Boxup.parse(level.text), "rules:bfs").cost == level.cost
    assert told == [(0, 0)] + [(min(n * 512, 3888), 3888) for n in range(1, 9)]


def test_the_hardest_of_every_level():
    whole = generate(SlidingTiles, {"size": "2x3"}, every=True)
    assert (len(whole.levels) + 1, whole.levels[-1].cost) == (360, 21)  # not counting the solved one
    hardest = generate(SlidingTiles, {"size": "2x3"}, every=True, count=4)
    assert hardest.levels == whole.levels[-4:]


def test_a_shape_with_too_many_levels_or_without_a_list_is_refused():
    with pytest.raises(UsageError, match="there are more than 100 levels of this shape \\(size 2x3 "):
        generate(SlidingTiles, {"size": "2x3"}, every=True, candidates=100)
    with pytest.raises(UsageError, match="pacman cannot list every level of a shape"):
        generate(Pacman, every=True)


# ---- workers


@pytest.mark.parametrize(
    ("puzzle", "options"), [(Boxup, {"size": "2x4"}), (SlidingTiles, {"scramble": 20}), (Pacman, {"dots": 3})]
)
def test_the_number_of_workers_changes_nothing(puzzle, options):
    made = [generate(puzzle, options, seed=8, count=25, moves=(6, 20), workers=workers) for workers in (1, 3)]
    assert facts(made[0]) == facts(made[1])
    assert not active_children()


def test_a_dask_cluster_gives_the_same_levels():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        there = generate(Boxup, {"walls": 1}, seed=4, count=20, scheduler=cluster.scheduler_address)
        with crew(scheduler=cluster.scheduler_address) as working, pytest.raises(TypeError, match="bad operand"):
            list(working.results(abs, ["x"], lambda: PATIENCE))  # what goes wrong there is told here
    assert facts(there) == facts(generate(Boxup, {"walls": 1}, seed=4, count=20))


def test_a_cluster_that_cannot_be_had(monkeypatch):
    pytest.importorskip("distributed")
    for address, said, seconds in (
        ("nonsense", "missing port", PATIENCE),
        ("http://localhost:1", "unknown address scheme", PATIENCE),
        ("tcp://127.0.0.1:9", "Timed out", 1),
    ):
        monkeypatch.setattr("unpuzzle.working.crews.CONNECTING_SECONDS", seconds)
        with pytest.raises(WorkersFailed, match=f"no Dask scheduler answers at '{address}': .*{said}"):
            generate(Boxup, count=1, scheduler=address)


def test_without_dask_it_says_how_to_get_it(monkeypatch):
    hide(monkeypatch, "distributed")
    with pytest.raises(DependencyMissing, match="pip install 'unpuzzle\\[distributed\\]'"):
        generate(Boxup, count=1, scheduler="tcp://127.0.0.1:9")


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_endless_jobs(workers):
    with crew(workers) as working:
        results = working.results(abs, iter(range(0, -100_000_000, -1)), lambda: PATIENCE)
        assert [next(results) for _ in range(20)] == list(range(20))


def test_leaving_ends_what_still_runs():
    day = 86_400
    with crew(2) as working:
        results = working.results(time.sleep, [0, day, day, day, day, day], lambda: PATIENCE)
        assert next(results) is None
        with pytest.raises(TimeoutError):
            list(working.results(time.sleep, [day], lambda: 0.2))
    assert not active_children()


def test_a_worker_that_breaks():
    with crew(2) as working, pytest.raises(WorkersFailed, match="a worker process ended before its work was done"):
        list(working.results(signal.raise_signal, [signal.SIGTERM], lambda: PATIENCE))


def test_what_a_worker_raises_is_raised():
    with crew(2) as working, pytest.raises(UsageError, match="unknown puzzle 'boxap'"):
        list(working.results(translators.find, ["boxap"], lambda: PATIENCE))


@pytest.mark.parametrize(
    "error",
    [
        errors.ParseError("bad", file="f", line=1, column=2, text="x"),
        errors.UnsupportedFeature("no", feature=":fluents"),
        errors.IllegalMove("no", move="U"),
        errors.DependencyMissing("no", dependency="p"),
        errors.PlannerFailed("no", planner="p", log="l"),
        errors.WorkersFailed("no"),
    ],
)
def test_errors_come_back_from_other_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args, vars(again), str(again)) == (type(error), error.args, vars(error), str(error))


# ---- limits and refusals


@pytest.mark.parametrize("workers", [1, 2])
def test_the_time_limit_keeps_what_was_found(workers, monkeypatch):
    watches = []

    class Kept(Deadline):
        __slots__ = ()

        def __init__(self, limits, phase):
            super().__init__(limits, phase)
            watches.append(self)

    def told(made):
        if made.levels:  # there are some: now the time is up
            watches[0].end = 0.0

    monkeypatch.setattr(generating, "Deadline", Kept)
    limits = Limits(time=PATIENCE)
    made = generate(Boxup, count=1000, limits=limits, workers=workers, candidates=10**6, progress=told)
    assert made.status == "timeout"
    assert 0 < len(made.levels) < 1000
    assert list(made.levels) == sorted(made.levels, key=lambda level: (level.cost, level.expanded, level.text))
    assert not active_children()


def test_an_interruption_leaves_what_was_found_in_order():
    kept = []

    def told(made):
        kept[:] = [made]
        if made.levels:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(Boxup, count=1000, progress=told)
    assert kept[0].status == "running"
    assert all(isinstance(level, GeneratedLevel) for level in kept[0].levels)
    assert all(one.cost <= other.cost for one, other in pairwise(kept[0].levels))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"count": 0}, "count must be at least 1, not 0"),
        ({"count": -4}, "count must be at least 1, not -4"),
        ({"count": 2.5}, "count must be a whole number, not 2.5"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"candidates": 0}, "candidates must be at least 1"),
        ({"max_states": 0}, "max_states must be at least 1"),
        ({"moves": (9, 3)}, "the least number of moves is more than the most: 9..3"),
        ({"moves": (-1, 3)}, "fewer than 0 moves"),
        ({"options": {"size": "0x3"}}, "size: '0x3' is not"),
        ({"options": {"sise": "3x3"}}, "did you mean 'size'"),
        ({"options": {"walls": 9}}, "no room"),
        ({"options": {"walls": 9}, "every": True}, "no room"),
    ],
)
def test_refusals(wrong, message):
    with pytest.raises((UsageError, ParseError), match=message):
        generate(Boxup, **wrong)


# ---- games whose own planner searches on the rules


def test_levels_of_24_are_judged_by_the_rules():
    game = translators.find("24")
    made = generate(game, seed=3, count=3, moves=(3, 3))
    assert [level.cost for level in made.levels] == [3] * 3
    for number in range(made.candidates):
        position = candidates.candidate(game, made.options, 3, number)
        solved = solve(position, "native").status == "solved_optimally"
        assert solved == (str(position) in {level.text for level in made.levels})
    assert all(replay(game.parse(level.text), level.moves).solved for level in made.levels)
    assert generate(game, seed=3, count=3, moves=(3, 3), workers=2).levels == made.levels


def test_levels_too_large_for_pddl_can_be_made_of_24():
    game = translators.find("24")
    [level] = generate(game, {"numbers": 5}, count=1).levels
    assert level.cost == 4
    made = generate(game, {"numbers": 5}, count=1, candidates=2, max_states=3)
    assert (made.status, made.rejected) == ("gave_up", {"too_large": 2})


def test_whole_spaces_by_the_rules_tell_solutions_and_dead_ends():
    game = translators.find("24")
    options = {"numbers": 2, "largest": 24}
    made = generate(game, options, every=True, unique=True)
    two = {level.text: level for level in made.levels}
    assert "4 6\n" in two  # 4*6 alone
    assert "1 24\n" not in two  # 1*24 and 24/1
    assert {level.optimal_plans for level in made.levels} == {1}
    assert generate(game, options, every=True, no_dead_ends=True).levels == ()  # 4+6 is one
    few = generate(game, options, every=True, unique=True, max_states=5)
    assert few.rejected["too_large"] > 0
    assert [level.text for level in few.levels] == ["12 12\n"]  # 24, 144, 0 and 1 come of it, and no more
    assert generate(game, limits=Limits(time=0.0001)).status == "timeout"


def test_unique_levels_of_puzzles_with_constraints_have_one_solution_in_any_order():
    made = generate(find("lights-out"), {"size": (3, 3)}, seed=2, count=3, moves=(3, None), unique=True)
    assert len(made.levels) == 3
    for level in made.levels:
        assert count_solutions(find("lights-out").parse(level.text)).unique
        assert level.optimal_plans > 1
    torus = generate(find("lights-out"), {"size": (3, 3), "edges": "torus"}, candidates=10, unique=True)
    assert (torus.levels, torus.rejected["several_solutions"] > 0) == ((), True)
