"""State spaces as pictures: layers, marks, one optimal way; a profile of very many states."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unpuzzle import explore, find
from unpuzzle.errors import LimitReached
from unpuzzle.limits import Limits
from unpuzzle.rendering import state_graph as spaces
from unpuzzle.rendering.state_graph import space_svg


def explored(name: str, level: str):
    game = find(name)
    return explore(game.parse(game.levels[level]))


def test_a_picture_tells_what_was_found() -> None:
    found = explored("boxup", "1")
    text = space_svg(found)
    ElementTree.fromstring(text)
    assert "140 positions, 3 solved, 0 dead ends, the best solution costs 5" in text
    assert len(text) < 12_000


def test_every_position_has_a_place_of_its_own() -> None:
    space = explored("boxup", "3").space
    ground = spaces._graph(space, lambda: None)
    dots = [shape for shape in ground.shapes if getattr(shape, "line", "") == "wall"]
    crosses = [shape for shape in ground.shapes if getattr(shape, "line", "") == "hero"]
    goals = [shape for shape in ground.shapes if isinstance(shape, spaces.Circle) and shape.line == "goal"]
    places = [train[0] for train in dots[0].trains]
    assert len(set(places)) == len(places)
    assert len(places) + len(crosses[0].trains) / 2 + len(goals) == space.states == 611


@pytest.mark.parametrize(("name", "level"), [("boxup", "3"), ("sokoban", "1"), ("pacman", "room")])
def test_the_way_is_optimal(name: str, level: str) -> None:
    found = explored(name, level)
    way = spaces._way(found.space)
    assert found.space.goals[way[-1]]
    costs = 0
    for state, following in pairwise(way):
        costs += min(cost for _, target, cost in found.successors(state) if target == following)
    assert costs == found.cost


def test_no_way_where_there_is_no_solution() -> None:
    found = explored("lights-out", "unsolvable")
    assert spaces._way(found.space) == [0]
    assert "no solution" in space_svg(found)


def test_very_many_states_are_a_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    found = explored("boxup", "3")
    monkeypatch.setattr(spaces, "MOST", 100)
    text = space_svg(found)
    ElementTree.fromstring(text)
    for depth, number in enumerate(found.depths):
        assert f">{depth}</text>" in text
        assert f">{number}" in text
    assert len(text) < 25_000


def test_very_many_layers_are_taken_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spaces, "MOST", 100)
    monkeypatch.setattr(spaces, "MOST_BARS", 10)
    found = explored("boxup", "3")
    text = space_svg(found)
    together = -(-len(found.depths) // 10)
    assert f">0 to {together - 1}</text>" in text
    assert f">{sum(found.depths[:together])}" in text


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=12))
def test_pooled_numbers_ascend_and_keep_their_mean(values: list[int]) -> None:
    found = spaces._ascending(values)
    assert all(one <= other + 1e-9 for one, other in pairwise(found))
    assert sum(found) == pytest.approx(sum(values))
    if sorted(values) == values:
        assert found == pytest.approx(values)


def test_a_limit_ends_the_work() -> None:
    with pytest.raises(LimitReached, match="the time limit was reached while drawing") as reached:
        space_svg(explored("boxup", "1"), limits=Limits(time=1e-9))
    assert reached.value.status == "timeout"
