"""Every search on the rules on every puzzle: all agree, and the order of the moves decides ties only."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from support.registry import WITH_PDDL
from support.searches import OPTIMAL, TWO_ENDS, every_puzzle, run
from support.thorough import at_most
from unpuzzle import replay, solve, translators
from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import GAVE_UP, SOLVED, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE
from unpuzzle.base.run import Limits
from unpuzzle.model.capabilities import heuristics_of
from unpuzzle.planners.rules.planner import ALGORITHMS, Rules
from unpuzzle.planning import registry
from unpuzzle.planning.planner import TIES
from unpuzzle.translators.pacman import Pacman


def fits(search, position):
    try:
        return run(search, position, Limits(time=0.5) if search == "idastar" else None)
    except UsageError:
        return None


@every_puzzle
@settings(max_examples=at_most(40))
@given(st.integers(0, 2**32))
def test_all_searches_agree_about_every_puzzle(puzzle, seed):
    """Optimal ones with the native planner; the others on whether there is a solution. `run` has replayed the moves."""
    position = puzzle.sample(Random(seed))
    expected = solve(position, "native" if registry.missing("native") is None else "reference")
    for search in ("dfs", "greedy", "wastar", *OPTIMAL, "bidirectional-greedy", "bidirectional-greedy-aimed"):
        result = fits(search, position)
        if result is None:
            assert search in TWO_ENDS
            continue
        if result.status == TIMEOUT:
            assert search == "idastar"
            continue
        assert result.solved == expected.solved, (search, result.message)
        if result.solved:
            assert result.valid
            assert result.status == (SOLVED_OPTIMALLY if search in OPTIMAL else SOLVED)
            assert result.cost == expected.cost or (search not in OPTIMAL and result.cost > expected.cost)
            assert search != "wastar" or result.cost <= 2 * expected.cost
        else:
            assert result.status == UNSOLVABLE
        assert result.frontier >= (result.expanded > 0)
        assert result.expanded <= result.evaluated


@every_puzzle
@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_where_all_moves_cost_one_uniform_cost_is_breadth_first(puzzle, seed):
    position = puzzle.sample(Random(seed))
    first, second = run("bfs", position), run("ucs", position)
    for figure in ("moves", "expanded", "generated", "evaluated", "frontier"):
        assert getattr(first, figure) == getattr(second, figure)


@every_puzzle
@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(TIES))
def test_every_heuristic_and_every_tie_keeps_a_star_honest(puzzle, seed, ties):
    position = puzzle.sample(Random(seed))
    expected = run("bfs", position)
    for name, heuristic in heuristics_of(puzzle).items():
        if heuristic.unfit(position) is not None:
            continue
        result = run(Rules(f"astar({name})", ties=ties), position)
        assert result.solved == expected.solved
        if result.solved:
            assert result.status == (SOLVED_OPTIMALLY if heuristic.admissible else SOLVED)
            assert result.cost >= expected.cost
            assert result.cost == expected.cost or not heuristic.admissible


@pytest.mark.parametrize("puzzle", [p for p in map(translators.find, WITH_PDDL) if p.compass])
@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(0, 99))
def test_walkers_arrive_or_go_round(puzzle, seed, mouse):
    position = puzzle.sample(Random(seed))
    assume(not position.impossible())
    for search in ("wall-left", "wall-right"):
        result = run(search, position)
        assert result.status in (SOLVED, GAVE_UP)
        assert result.solved or "loop" in result.message or result.message == "there is no legal move"
    result = run(f"mouse={mouse}", position)
    assert result.status == SOLVED
    assert result.moves == run(f"mouse={mouse}", position).moves


@every_puzzle
@pytest.mark.parametrize("search", ALGORITHMS)
def test_equal_calls_give_equal_answers(puzzle, search):
    for level in list(puzzle.levels)[:1]:
        position = puzzle.parse(puzzle.levels[level])
        if search == "idastar":  # which has no memory: with a weak heuristic, only short ways are found soon
            position = replay(position, (solve(position).moves or ())[:-4]).position
        try:
            first, second = (run(search, position) for _ in range(2))
        except UsageError:
            continue
        assert first.moves == second.moves
        for count in ("expanded", "generated", "evaluated", "frontier", "status", "message"):
            assert getattr(first, count) == getattr(second, count)


@every_puzzle
@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_the_order_of_the_moves_changes_the_way_but_not_its_cost(puzzle, seed):
    position = puzzle.sample(Random(seed))
    for search in OPTIMAL[:4]:
        planner = Rules(search, order=tuple("WESNRLDU"))
        assert run(planner, position).cost == run(search, position).cost


def test_the_order_of_the_moves_decides_among_ways_of_equal_cost():
    room = Pacman.parse("P  \n   \n  .\n")
    ways = {}
    for order in (None, ("E",), ("S", "E"), ("nonsense",)):
        ways[order] = "".join(run(Rules("bfs", order=order), room).moves)
    assert ways == {None: "SSEE", ("E",): "EESS", ("S", "E"): "SSEE", ("nonsense",): "SSEE"}
    assert sorted(run(Rules("bidirectional-bfs", order=("E",)), room).moves) == ["E", "E", "S", "S"]
