"""What notebooks show: text and pictures of positions, results, comparisons and explorations."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from unpuzzle import compare, explore, find, solve
from unpuzzle.playing import notebooks
from unpuzzle.puzzle.replaying import replay

BOXUP = find("boxup")
START = BOXUP.parse(BOXUP.levels["1"])
TEXT, SVG, HTML = "text/plain", "image/svg+xml", "text/html"


class Frames(HTMLParser):
    """The attributes of all frames, and that there is nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag == "iframe"
        self.found.append(dict(attrs))


def test_a_position() -> None:
    bundle = START._repr_mimebundle_()
    assert bundle[TEXT] == START.draw()
    assert "<animate" not in bundle[SVG]
    ElementTree.fromstring(bundle[SVG])


def test_a_solution_moves() -> None:
    result = solve(START)
    bundle = result._repr_mimebundle_(include=None, exclude=None)
    assert "ULDRR" in bundle[TEXT]
    assert "@keyframes" in bundle[SVG]
    assert result.start == START
    assert replay(result.start, result.moves or ()).solved


def test_an_answer_without_a_solution_is_words() -> None:
    lights = find("lights-out")
    result = solve(lights.parse(lights.levels["unsolvable"]))
    assert result._repr_mimebundle_() == {TEXT: f"{result!r}: {result.message}"}
    task = solve(START.task())
    assert task._repr_mimebundle_() == {TEXT: repr(task)}


def test_a_comparison() -> None:
    rows = compare(START, ["bfs", "astar"])
    assert isinstance(rows, tuple)
    bundle = rows._repr_mimebundle_()
    assert bundle[TEXT].startswith("algorithm")
    assert f"{rows[0].expanded} expanded, cost 5" in bundle[SVG]
    ElementTree.fromstring(bundle[SVG])


def test_an_exploration() -> None:
    bundle = explore(START)._repr_mimebundle_()
    assert bundle[TEXT] == "Exploration(140 states, 325 transitions)"
    assert "140 positions" in bundle[SVG]


def test_a_player_is_in_a_frame_that_reaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is an attribute of the frame, with all that would end it escaped."""
    page = '<!doctype html><title>"a" & b</title>'
    monkeypatch.setattr(notebooks, "page_of_scene", lambda scene, small: page)
    reader = Frames()
    reader.feed(solve(START)._repr_mimebundle_()[HTML])
    [frame] = reader.found
    assert frame["sandbox"] == "allow-scripts"
    assert frame["srcdoc"] == page
