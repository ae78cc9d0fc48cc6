"""What heuristics claim is all that holds, and what those of our puzzles say is what slower ways say."""

from __future__ import annotations

from itertools import combinations
from math import dist, inf
from random import Random

import networkx as nx
import pytest

from support import dijkstra
from support.registry import WITH_PDDL
from support.thorough import at_most
from unpuzzle import translators
from unpuzzle.model.capabilities import heuristics_of
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles
from unpuzzle.verification.heuristics import check_heuristic

PUZZLES = [translators.find(name) for name in WITH_PDDL]
every_heuristic = pytest.mark.parametrize(
    ("puzzle", "heuristic"),
    [pytest.param(p, h, id=f"{p.name}-{h.name}") for p in PUZZLES for h in heuristics_of(p).values()],
)


def samples(puzzle, heuristic, number=40):
    """Random small levels that the heuristic fits."""
    levels = (puzzle.sample(Random(seed)) for seed in range(4 * number))
    fitting = [level for level in levels if heuristic.unfit(level) is None][:number]
    assert len(fitting) == number
    return fitting


def distances(start):
    """The position → the least number of moves from the start (all of our puzzles' moves cost 1)."""
    return dijkstra.distances([start], dijkstra.by_rules)


# ---- claims


@every_heuristic
def test_what_a_heuristic_does_not_claim_would_be_false(puzzle, heuristic):
    reports = [check_heuristic(level, heuristic) for level in samples(puzzle, heuristic, at_most(100))]
    assert all(report.exhaustive and report.holds for report in reports)
    if not heuristic.admissible:
        assert any(report.admissible is False for report in reports)
    if not heuristic.consistent:
        assert any(report.consistent is False for report in reports)


@pytest.mark.parametrize(
    ("puzzle", "heuristic"), [each for each in every_heuristic.args[1] if each.values[1].between is not None]
)
def test_estimates_between_two_positions(puzzle, heuristic):
    rng = Random(5)
    for level in samples(puzzle, heuristic, 25):
        reached = distances(level)
        for end in rng.sample(sorted(reached, key=str), min(len(reached), 12)):
            assert heuristic.between(end, end) == 0
            if heuristic.admissible:
                assert heuristic.between(level, end) <= reached[end] + 1e-9
            if heuristic.consistent:
                before = heuristic.between(level, end)
                assert all(before <= 1 + heuristic.between(level.apply(m), end) + 1e-9 for m in level.moves())


# ---- Pacman


def graph_of(level):
    """The maze as a graph of cells."""
    graph = nx.Graph()
    for position in distances(level):
        graph.add_edges_from((position.cell, position.apply(move).cell) for move in position.moves())
    return graph


def tree(graph, cells):
    """The weight of a minimum spanning tree over cells, by steps."""
    steps = nx.Graph()
    steps.add_nodes_from(cells)
    for one, other in combinations(cells, 2):
        steps.add_edge(one, other, weight=nx.shortest_path_length(graph, one, other))
    return nx.minimum_spanning_tree(steps).size("weight")


def test_distances_and_trees_are_those_of_another_library():
    levels = [level for seed in range(120) if not (level := Pacman.sample(Random(seed))).impossible() and level.food]
    assert len(levels) > 40
    for level in levels:
        graph, estimates = graph_of(level), {name: h.estimate(level) for name, h in Pacman.heuristics.items()}
        steps = [nx.shortest_path_length(graph, level.cell, dot) for dot in level.food]
        assert estimates["farthest"] == max(steps)
        assert estimates["spanning-tree"] == min(steps) + tree(graph, level.food)
        assert estimates["joined-tree"] == tree(graph, [level.cell, *level.food])
        assert estimates["dots"] == len(level.food)
        places = [divmod(dot, level.columns) for dot in level.food]
        here = divmod(level.cell, level.columns)
        assert estimates["euclidean"] == pytest.approx(max(dist(here, place) for place in places))
        assert estimates["manhattan"] == max(abs(r - here[0]) + abs(c - here[1]) for r, c in places)


def test_food_that_cannot_be_reached_is_infinitely_far():
    level = Pacman.parse("P.%.\n")
    for name in ("farthest", "spanning-tree", "joined-tree"):
        assert Pacman.heuristics[name].estimate(level) == inf
    assert Pacman.heuristics["manhattan"].estimate(level) == 3


def test_many_different_dots_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr("unpuzzle.translators.pacman.TREES_KEPT", 10)
    level = Pacman.parse("......P......\n")
    for position in distances(level):
        assert Pacman.heuristics["spanning-tree"].estimate(position) >= 0
    assert 1 <= len(level.maze.trees._weights) <= 10


# ---- sliding tiles


def least_to_leave(line, goal):
    """How many tiles must leave a line, tried out: the fewest such that no two of those that stay are in conflict."""
    places = [goal.index(tile) for tile in line if tile and tile in goal]
    for size in range(len(places), -1, -1):
        if any(list(stay) == sorted(stay) for stay in combinations(places, size)):
            return len(places) - size
    raise AssertionError("none may stay")


def test_linear_conflicts_are_those_found_by_trying():
    rng = Random(3)
    for rows, columns in [(3, 3), (2, 5), (4, 4), (5, 3)]:
        for _ in range(60):
            tiles, goal = list(range(rows * columns)), list(range(rows * columns))
            rng.shuffle(tiles)
            rng.shuffle(goal)
            goal = [tile if rng.random() < 0.8 else None for tile in goal]
            text = "\n".join(" ".join(map(str, tiles[r * columns : (r + 1) * columns])) for r in range(rows))
            wild = ["*" if tile is None else str(tile) for tile in goal]
            text += "\ngoal\n" + "\n".join(" ".join(wild[r * columns : (r + 1) * columns]) for r in range(rows))
            level = SlidingTiles.parse(text)
            lines = [slice(r * columns, (r + 1) * columns) for r in range(rows)]
            lines += [slice(c, None, columns) for c in range(columns)]
            more = 2 * sum(least_to_leave(tiles[line], goal[line]) for line in lines)
            manhattan = SlidingTiles.heuristics["manhattan"].estimate(level)
            assert SlidingTiles.heuristics["linear-conflict"].estimate(level) == manhattan + more
            places = {tile: divmod(cell, columns) for cell, tile in enumerate(goal) if tile}
            cells = [(divmod(cell, columns), places[tile]) for cell, tile in enumerate(tiles) if tile in places]
            assert manhattan == sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in cells)
            assert SlidingTiles.heuristics["misplaced"].estimate(level) == sum(a != b for a, b in cells)
            assert SlidingTiles.heuristics["euclidean"].estimate(level) == pytest.approx(sum(dist(*c) for c in cells))


def test_the_notebooks_start():
    level = SlidingTiles.parse(SlidingTiles.levels["15-notebook"])
    estimates = {name: heuristic.estimate(level) for name, heuristic in SlidingTiles.heuristics.items()}
    assert estimates["manhattan"] == 52
    assert estimates["linear-conflict"] in range(52, 69, 2), "the optimal length is 68, and every solution's is even"
    assert estimates["manhattan-with-blank"] == 52, "the blank is at home"


def test_the_blanks_place_must_be_known_to_count_it():
    heuristic = SlidingTiles.heuristics["manhattan-with-blank"]
    assert heuristic.unfit(SlidingTiles.parse(SlidingTiles.levels["3x2"])) is None
    assert "where the blank should be" in heuristic.unfit(SlidingTiles.parse("1 0\n2 3\ngoal\n* 1\n2 3\n"))


# ---- Boxup


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("n! @ W!\n", 2 + 1),
        ("W!n! @\n", 0),
        ("n! # W!\n.  #  .\n@ . .\n", 6 + 2),
        ("n! # W!\n.  #  @\n", inf),
        ("Ne!@ . W!\n", 2),  # in the small box, which is in another large one
    ],
)
def test_steps_of_boxup(text, steps):
    assert Boxup.heuristics["steps"].estimate(Boxup.parse(text)) == steps
