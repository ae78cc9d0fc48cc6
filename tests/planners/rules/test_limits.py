"""Limits of time and memory hold in searches on the rules, and errors of the rules are not hidden."""

from __future__ import annotations

import pytest

from support.searches import OPTIMAL, PUBLISHED, TWO_ENDS, WALKERS, run
from unpuzzle import solve
from unpuzzle.base.errors import IllegalMove
from unpuzzle.base.outcomes import MEMOUT, TIMEOUT
from unpuzzle.base.platform_facts import resident_memory
from unpuzzle.base.run import Limits
from unpuzzle.planners.rules.planner import ALGORITHMS, TABLE
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles

HARD = SlidingTiles.parse(SlidingTiles.levels["15-notebook"])


@pytest.mark.parametrize(
    "search", [name for name in ALGORITHMS if name not in (*WALKERS, *PUBLISHED, "greedy", "wastar", *TWO_ENDS[1:])]
)
def test_time_limits_hold(search, seconds_per_look):
    result = solve(
        HARD, f"rules:{search}(null)" if TABLE[search].informed else f"rules:{search}", limits=Limits(time=2000)
    )
    assert result.status == TIMEOUT
    assert seconds_per_look.reads <= 2005, "it is looked at until it is reached, and not again"
    assert 1000 < result.expanded <= 2000
    assert result.message == "the time limit was reached while searching"


def test_an_endless_walk_ends_at_the_limit(seconds_per_look):
    result = run("mouse", Pacman.parse("P %.\n"), Limits(time=9))
    assert (result.status, result.moves) == (TIMEOUT, None)
    assert seconds_per_look.reads <= 14


@pytest.mark.parametrize("search", ["dfs", "astar(null)", "bidirectional-bfs"])
def test_memory_limits_hold(search):
    limit = resident_memory() + (14 << 20)
    result = solve(HARD, f"rules:{search}", limits=Limits(memory=limit, held=0))
    assert (result.status, result.message) == (MEMOUT, "the memory limit was reached while searching")
    assert resident_memory() < limit + (40 << 20)


@pytest.mark.parametrize("search", [*OPTIMAL, "dfs", *WALKERS])
def test_no_memory_at_all_is_told_also_of_small_levels(search):
    result = run(search, Pacman.parse("P  .\n"), Limits(memory=1, held=0))
    assert result.status == MEMOUT


FULL_ROOM = ("P" + 49 * "." + "\n") + 49 * (50 * "." + "\n")


@pytest.mark.parametrize("heuristic", ["farthest", "spanning-tree", "joined-tree"])
def test_limits_hold_within_one_estimate_of_very_many_dots(heuristic, seconds_per_look, monkeypatch):
    """The first one alone would take some seconds and some hundred megabytes."""
    result = run(f"astar({heuristic})", Pacman.parse(FULL_ROOM), Limits(time=50))
    assert (result.status, result.expanded) == (TIMEOUT, 0)
    taken = iter(range(0, 1000, 10))
    monkeypatch.setattr("unpuzzle.base.run.resident_memory", lambda: next(taken))
    result = run(f"astar({heuristic})", Pacman.parse(FULL_ROOM), Limits(memory=30, held=0))
    assert (result.status, result.expanded) == (MEMOUT, 0)


def test_an_error_of_the_rules_is_not_hidden():
    class Broken(Pacman):
        __slots__ = ()

        def moves(self):
            return ("N", "S")

    with pytest.raises(IllegalMove):
        run("bfs", Broken.parse("P.\n"))
