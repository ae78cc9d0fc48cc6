"""Walks: a breadth-first one, compared with the lengths of all short ways."""

import json
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.limited import Called
from unpuzzle import find
from unpuzzle.base.distances import NODES_PER_TICK, Explorer, distances, least_costs
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


GRAPH = {"a": {"b": 1, "c": 5}, "b": {"c": 1, "a": 0}, "c": {"d": 0}, "d": {}, "e": {"a": 1}}


def test_a_walk_ends_at_the_first_node_that_is_asked_for() -> None:
    assert distances(["a"], GRAPH.__getitem__, until="c".__eq__) == {"a": 0, "b": 1, "c": 1}
    assert distances(["a"], GRAPH.__getitem__, until="e".__eq__) == {"a": 0, "b": 1, "c": 1, "d": 2}


def test_least_costs_are_those_of_the_cheapest_paths() -> None:
    def steps(node: str) -> list[tuple[int, str]]:
        return [(cost, after) for after, cost in GRAPH[node].items()]

    assert least_costs({"a": 0}, steps) == {"a": 0, "b": 1, "c": 2, "d": 2}
    assert least_costs({"a": 3, "d": 1}, steps) == {"a": 3, "b": 4, "c": 5, "d": 1}


def test_an_explorer_keeps_the_first_way_to_each_state() -> None:
    again = []
    explorer = Explorer(
        "a",
        lambda node: [(cost, after, node + after) for after, cost in GRAPH[node].items()],
        lambda known, reached, ways: again.append((known, *ways())),
    )
    depths = []
    while explorer.depth is not None:
        depths.append(explorer.depth)
        assert explorer.expand()
    assert (explorer.states, explorer.depths, depths) == (list("abcd"), [0, 1, 1, 2], [0, 1, 1, 2])
    assert explorer.edges == [[(1, 1, "ab"), (5, 2, "ac")], [(1, 2, "bc"), (0, 0, "ba")], [(0, 3, "cd")], []]
    assert [explorer.way(number) for number in range(4)] == [[], ["ab"], ["ac"], ["ac", "cd"]]
    assert again == [("c", ["ac"], ["ab", "bc"]), ("a", [], ["ab", "ba"])]


def test_an_explorer_leaves_out_steps_to_more_states_than_it_may_have() -> None:
    explorer = Explorer("a", lambda node: [(None, after, after) for after in GRAPH[node]])
    assert not explorer.expand(2)
    assert explorer.expand(2) is False
    assert (explorer.states, explorer.edges, explorer.depth) == (["a", "b"], [[(None, 1, "b")], [(None, 0, "a")]], None)
