"""Walks: a breadth-first one, compared with the lengths of all short ways."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unpuzzle.limits import ticking
from unpuzzle.walks import NODES_PER_TICK, distances

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
    with ticking(lambda: ticks.append(None)):
        distances([0], lambda node: [node + 1] if node < 1_000 else [])
    assert len(ticks) >= 1_000 // NODES_PER_TICK
