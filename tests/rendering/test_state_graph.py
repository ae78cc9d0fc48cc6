"""State spaces as pictures: layers, marks, one optimal way; a profile of very many states."""

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.command_line import run
from support.river import river_files
from unpuzzle import explore, find
from unpuzzle.base import outcomes as exits
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits
from unpuzzle.rendering import analysis
from unpuzzle.rendering import analysis as spaces
from unpuzzle.rendering.analysis import EdgeMoves, space_svg
from unpuzzle.state_space.exploration import Exploration


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
    ground = spaces.Graph(space, None).ground
    dots = [shape for shape in ground.shapes if getattr(shape, "line", "") == "wall"]
    crosses = [shape for shape in ground.shapes if getattr(shape, "line", "") == "hero"]
    goals = [shape for shape in ground.shapes if isinstance(shape, spaces.Circle) and shape.line == "goal"]
    places = [train[0] for train in dots[0].trains]
    assert len(set(places)) == len(places)
    assert len(places) + len(crosses[0].trains) / 2 + len(goals) == space.states == 611


def titles(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}title")]


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def crossing(tmp_path: Path) -> Exploration:
    game = find(river_files(tmp_path))
    return explore(game.parse(game.levels["p1"]))


def test_moves_of_pddl_domains_stand_beside_the_lines(tmp_path: Path) -> None:
    found = crossing(tmp_path)
    svg = space_svg(found)
    pairs = {frozenset((state, to)) for state in range(found.states) for _, to, _ in found.successors(state)}
    assert {title for title in titles(svg) if title.startswith("row left right goat")}
    assert "row left right goat" in words(svg)
    labels = len(words(svg)) - 1  # without the legend
    assert len(pairs) - 3 <= labels <= len(pairs)
    assert len(titles(svg)) == len(pairs) + labels
    told = {move for title in titles(svg) for move in title.replace("back: ", "").replace("; ", ", ").split(", ")}
    assert told == {move.replace(":", " ") for move in found.moves}


def test_tasks_have_the_same_words(tmp_path: Path) -> None:
    found = crossing(tmp_path)
    assert sorted(titles(space_svg(explore(found.subject.task())))) == sorted(titles(space_svg(found)))


def test_moves_of_other_games_are_written_if_asked() -> None:
    found = explored("boxup", "1")
    assert not titles(space_svg(found))
    assert {"U", "D", "L", "R"} <= set(words(space_svg(found, labels=True)))


def test_pddl_without_words(tmp_path: Path) -> None:
    assert not titles(space_svg(crossing(tmp_path), labels=False))


def test_words_do_not_lie_on_each_other() -> None:
    game = find("blocksworld")
    found = explore(game.parse(game.levels["reverse"]))
    graph = spaces.Graph(found.space, EdgeMoves(found))
    boxes = [
        [float(element.attrib.get(name, 0)) for name in ("x", "y", "width", "height")]
        for element in ElementTree.fromstring(f"<svg>{''.join(graph.labels())}</svg>").iter("rect")
    ]
    assert len(boxes) > 30
    for number, (x, y, width, height) in enumerate(boxes):
        for left, top, across, down in boxes[:number]:
            apart = x >= left + across - 0.01 or left >= x + width - 0.01
            assert apart or y >= top + down - 0.01 or top >= y + height - 0.01


def test_very_many_lines_have_no_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = crossing(tmp_path)
    monkeypatch.setattr(analysis, "MOST_WORDS", 3)
    assert len(words(space_svg(found))) == 1
    assert titles(space_svg(found))
    monkeypatch.setattr(analysis, "MOST_TITLES", 3)
    assert not titles(space_svg(found))


def test_words_are_cut_only_where_they_would_overlap() -> None:
    assert analysis._forms("pick-up box hall") == ["pick-up box hall", "pu box hall", "pu box…"]
    assert analysis._forms("noop") == ["noop"]


def test_labels_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.svg"
    assert run(capsys, "explore", "boxup", "1", "--picture", str(file), "--labels")[0] == exits.YES
    assert titles(file.read_text(encoding="utf-8"))
    code, _, complaint = run(capsys, "explore", "boxup", "1", "--labels")
    assert code == exits.BAD_INPUT
    assert "add --picture FILE.svg" in complaint


@pytest.mark.parametrize(("name", "level"), [("boxup", "3"), ("sokoban", "1"), ("pacman", "room")])
def test_the_way_is_optimal(name: str, level: str) -> None:
    found = explored(name, level)
    way = spaces._optimal_path(found.space)
    assert found.space.goals[way[-1]]
    costs = 0
    for state, following in pairwise(way):
        costs += min(cost for _, target, cost in found.successors(state) if target == following)
    assert costs == found.cost


def test_no_way_where_there_is_no_solution() -> None:
    found = explored("lights-out", "unsolvable")
    assert spaces._optimal_path(found.space) == [0]
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
