"""Walks: a breadth-first one, compared with the lengths of all short ways."""

import json
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.limited import Called
from unpuzzle import find
from unpuzzle.base.distances import NODES_PER_TICK, distances
from unpuzzle.planners.rules.search import MOVES_PER_TICK, RulesSearch

GRAPHS = st.lists(st.lists(st.integers(0, 5), max_size=3), min_size=6, max_size=6)


@given(GRAPHS, st.lists(st.integers(0, 5), min_size=1, max_size=2))
def test_distances_are_those_of_the_shortest_ways(graph: list[list[int]], starts: list[int]) -> None:
    steps = distances(starts, graph.__getitem__)
    layer, lengths = set(starts), {}
    for length in range(7):
        for node in layer:
            lengths.setdefault(node, length)
        layer = {other for node in layer for other in graph[node]}
    assert steps == lengths
    assert list(steps.values()) == sorted(steps.values())
    assert all(steps[other] <= steps[node] + 1 for node, other in product(steps, steps) if other in graph[node])


@pytest.mark.parametrize("most", [1, 2, 10])
def test_a_walk_ends_where_it_knows_enough(most: int) -> None:
    assert distances([0], lambda node: (node + 1, node + 2), most) == {node: (node + 1) // 2 for node in range(most)}


def test_a_long_walk_looks_at_the_limits_of_the_running_work() -> None:
    """The walks of a level of 8 kB took 9 seconds for a limit of one."""
    ticks: list[None] = []
    with Called(lambda: ticks.append(None)):
        distances([0], lambda node: [node + 1] if node < 1_000 else [])
    assert len(ticks) >= 1_000 // NODES_PER_TICK


def test_large_levels_look_at_the_limits_of_the_running_work() -> None:
    """Tables, lists of candidates, and positions with 90,000 moves took seconds beyond a limit of one."""
    ticks: list[None] = []

    def ticks_of(work: Callable[[], object]) -> int:
        ticks.clear()
        with Called(lambda: ticks.append(None)):
            work()
        return len(ticks)

    words = ["ABCDE"] * 5
    crossword = find("crossword").parse(
        json.dumps({"horizontal_answers": [words] * 5, "vertical_answers": [words] * 5, "grid": ["....."] * 5})
    )
    assert ticks_of(crossword.impossible) >= 10
    assert ticks_of(crossword.moves) >= 10
    tiles = find("sliding-tiles").parse("\n".join(" ".join(str(7 * row + n) for n in range(7)) for row in range(6)))
    assert ticks_of(lambda: tiles.heuristics["manhattan"].estimate(tiles)) >= 42
    lights = find("lights-out").parse("1......\n" * 6)
    assert ticks_of(lights.moves) >= 42
    numbers = find("24").parse("1 2 3 4 5 6")
    assert (
        ticks_of(lambda: list(RulesSearch(numbers).successors(numbers))) >= len(numbers.moves()) // MOVES_PER_TICK > 1
    )
