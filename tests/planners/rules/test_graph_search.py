"""The textbook searches by themselves, on random graphs that need be no puzzle's."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.dijkstra import distances
from support.thorough import at_most
from unpuzzle.planners.rules.search import SearchGraph
from unpuzzle.planners.rules.strategies import best_first, bidirectional, depth_first
from unpuzzle.planning.planner import TIES

NEVER = float("inf")
seeds = st.integers(0, 2**32)


class Graph:
    """Edges (move, target, cost) by node; node 0 is the start."""

    def __init__(self, edges, goals):
        self.edges = edges
        self.goals = goals

    @classmethod
    def random(cls, seed, costs=(0, 1, 2, 5), most=9):
        rng = Random(seed)
        size = rng.randint(1, most)
        edges = {
            node: [(f"{node}-{i}", rng.randrange(size), rng.choice(costs)) for i in range(rng.randint(0, 3))]
            for node in range(size)
        }
        return cls(edges, {rng.randrange(size) for _ in range(rng.randint(0, 2))})

    def successors(self, node):
        return iter(self.edges[node])

    def predecessors(self, node):
        return [(move, start, cost) for start, steps in self.edges.items() for move, end, cost in steps if end == node]

    def distances(self):
        """The least cost from each node to a goal."""
        back = distances(self.goals, lambda node: [(cost, start) for _, start, cost in self.predecessors(node)])
        return dict.fromkeys(self.edges, NEVER) | back

    def cost(self, moves):
        """What a path from the start costs; it must end at a goal."""
        node, total = 0, 0
        for move in moves:
            _, node, cost = next(edge for edge in self.edges[node] if edge[0] == move)
            total += cost
        assert node in self.goals
        return total

    def searched(self, successors=None):
        return SearchGraph(0, self.successors if successors is None else successors, self.goals.__contains__)

    def backward(self, end):
        return SearchGraph(end, self.predecessors, (0).__eq__)


@settings(max_examples=at_most(600), deadline=None)
@given(seeds, st.sampled_from(TIES))
def test_from_both_ends_fewest_moves_are_found_too(seed, ties):
    graph = Graph.random(seed, costs=(1,), most=14)
    graph.goals = {max(graph.edges)}
    least = graph.distances()[0]
    for shortest, priority in ((True, lambda depth, node: depth), (False, lambda depth, node: node % 3)):
        ahead, behind = graph.searched(), graph.backward(max(graph.edges))
        moves = bidirectional(ahead, behind, (priority, priority), shortest=shortest, ties=ties)
        assert (moves is None) == (least == NEVER)
        assert ahead.counts.expanded <= 2 * len(graph.edges)
        if moves is not None:
            assert graph.cost(moves) == least or (not shortest and graph.cost(moves) > least)


def test_where_the_sides_meet_is_not_always_on_a_shortest_path():
    """Why `shortest` looks at all positions found from both sides: without it, some random graph gets a detour."""
    detours = 0
    for seed in range(3000):
        graph = Graph.random(seed, costs=(1,), most=14)
        graph.goals = {max(graph.edges)}
        priorities = (lambda depth, node: depth,) * 2
        moves = bidirectional(graph.searched(), graph.backward(max(graph.edges)), priorities, shortest=False)
        if moves is not None:
            assert graph.cost(moves) <= graph.distances()[0] + 1
            detours += graph.cost(moves) > graph.distances()[0]
    assert detours


def test_a_closed_node_is_opened_again_by_a_cheaper_path():
    """The smallest graph where A* without that is not optimal: the estimate of b is uneven."""
    graph = Graph({0: [("a", 1, 1), ("b", 2, 1)], 1: [("c", 3, 3)], 2: [("d", 1, 0), ("e", 1, 0)], 3: []}, {3})
    graph.edges[0][0] = ("a", 1, 2)
    estimates = {0: 0, 1: 0, 2: 2, 3: 0}
    costs = []
    for reopen in (True, False):
        searched = graph.searched()
        moves = best_first(searched, lambda g, node: g + estimates[node], reopen=reopen)
        costs.append((graph.cost(moves), searched.counts.expanded))
    assert costs == [(4, 4), (5, 3)]


# ---- ties

# Two ways of cost 2 to the goal 9: by 2 ("b") and by 1 ("a"), found in this order; and a detour of cost 2, equal in f.
DIAMOND = Graph({0: [("b", 2, 1), ("a", 1, 1)], 1: [("x", 9, 1)], 2: [("y", 9, 1)], 9: []}, {9})


@pytest.mark.parametrize(
    ("ties", "way"), [("fifo", "by"), ("high-g", "by"), ("low-g", "by"), ("path-lexicographic", "ax"), ("lifo", "by")]
)
def test_ties_decide_between_ways_of_equal_cost(ties, way):
    """With lifo, 1 is expanded first, but the goal is found last, and so taken first, by way of 2."""
    moves = best_first(DIAMOND.searched(), lambda g, node: g, ties=ties)
    assert "".join(moves) == way


def test_paths_are_compared_as_a_whole_and_a_beginning_comes_first():
    """All priorities are equal: positions are expanded in the order of their paths, 0, 0-1, 0-1-4, 0-2, 0-2-3."""
    graph = Graph(
        {0: [("a", 2, 1), ("b", 1, 1)], 1: [("c", 4, 1)], 2: [("d", 3, 1)], 3: [], 4: []},
        set(),
    )
    order = []

    def successors(node):
        order.append(node)
        return graph.successors(node)

    assert best_first(graph.searched(successors), lambda g, node: 0, ties="path-lexicographic") is None
    assert order == [0, 1, 4, 2, 3]


def test_the_order_of_equal_priorities():
    graph = Graph({0: [("a", 1, 1), ("b", 2, 3), ("c", 3, 2)], 1: [], 2: [], 3: []}, set())
    orders = {"fifo": [0, 1, 2, 3], "lifo": [0, 3, 2, 1], "high-g": [0, 2, 3, 1], "low-g": [0, 1, 3, 2]}
    for ties, expected in orders.items():
        order = []

        def successors(node, order=order):
            order.append(node)
            return graph.successors(node)

        best_first(graph.searched(successors), lambda g, node: 0, ties=ties)
        assert order == expected


def test_unknown_ties_are_refused():
    with pytest.raises(ValueError, match="unknown ties 'random'; it must be one of fifo, lifo, high-g"):
        best_first(DIAMOND.searched(), lambda g, node: 0, ties="random")


def test_the_counts_of_a_small_search():
    searched = DIAMOND.searched()
    best_first(searched, lambda g, node: g)
    counts = searched.counts
    assert (counts.expanded, counts.generated, counts.frontier) == (3, 4, 2)


def test_depth_first_tries_the_last_move_first():
    assert depth_first(DIAMOND.searched()) == ["a", "x"]
