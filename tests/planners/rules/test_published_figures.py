"""The family `rules` does what was published of it: costs and expanded positions on known mazes."""

from __future__ import annotations

import json

import pytest

from support.data import MAZES, needs_mazes
from support.searches import figures, maze, run
from unpuzzle import solve
from unpuzzle.base.outcomes import GAVE_UP, SOLVED

EXPECTED = json.loads((MAZES / "expected.json").read_text()) if MAZES.is_dir() else {"layouts": {"(none)": {}}}
SEARCHES = {
    "BFS": "bfs",
    "DFS": "dfs",
    "UCS": "ucs",
    "Astar_manhattan": "astar(manhattan)",
    "greedy": "greedy(manhattan)",
    "bidir_bfs": "bidirectional-bfs",
    "bidir_greedy": "bidirectional-greedy(manhattan)",
}


@needs_mazes
@pytest.mark.parametrize("name", EXPECTED["layouts"])
def test_every_published_figure_of_a_maze(name):
    expected, position = EXPECTED["layouts"][name], maze(name)
    assert {known: list(figures(search, position)) for known, search in SEARCHES.items()} == {
        known: expected[known] for known in SEARCHES
    }
    for hand in ("left", "right"):
        result = run(f"wall-{hand}", position)
        assert result.cost == expected[f"wall_{hand}_startN"]
        assert result.status == (SOLVED if result.cost else GAVE_UP)
        assert ("loop" in result.message) == (result.cost is None)


@needs_mazes
@pytest.mark.parametrize("name", ["mediumMaze", "tinyMaze"])
def test_the_left_hand_goes_round_in_a_loop(name):
    result = solve(maze(name), "rules:wall-left")
    assert (result.status, result.moves, result.cost) == (GAVE_UP, None, None)
    assert result.message.startswith("a loop: after ")


@needs_mazes
def test_the_mouse_on_the_big_maze_is_of_the_published_order():
    """Published, over 300 seeds of another generator: least 1196, median 10774, most 67430. Here over 60."""
    costs = sorted(run(f"mouse={seed}", maze("bigMaze")).cost for seed in range(60))
    assert 500 < costs[0] < 3500
    assert 6000 < costs[30] < 16000
    assert 25_000 < costs[-1] < 110_000


@needs_mazes
def test_both_ends_aiming_at_each_other():
    """The repaired variant needs fewer expansions where the other one's backward search runs into a dead end."""
    position = maze("bigMaze")
    assert figures("bidirectional-greedy-aimed(manhattan)", position)[0] == 210
    assert run("bidirectional-greedy-aimed", position).expanded < run("bidirectional-greedy", position).expanded
