"""What notebooks show: text and pictures of positions, results, comparisons and explorations."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from unpuzzle import compare, explore, find, solve
from unpuzzle.lab.comparing import ComparisonRow
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
    bundle = result._repr_mimebundle_()
    assert bundle[TEXT] == f"{result!r}: {result.message}"
    assert bundle[HTML].startswith("<div>✗ unsolvable, planner ")
    assert result.message in bundle[HTML]
    task = solve(START.task())
    assert task._repr_mimebundle_()[TEXT] == repr(task)
    assert task._repr_mimebundle_()[HTML].count("<li>") == 5


def test_a_comparison() -> None:
    rows = compare(START, ["bfs", "astar"])
    assert isinstance(rows, tuple)
    bundle = rows._repr_mimebundle_()
    assert bundle[TEXT].startswith("algorithm")
    assert f"{rows[0].expanded} expanded, cost 5" in bundle[SVG]
    assert "linear scale" in bundle[SVG]
    ElementTree.fromstring(bundle[SVG])


def lengths(svg: str) -> list[float]:
    """The lengths of the bars."""
    rects = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}rect")
    return [float(rect.attrib["width"]) for rect in rects][1:]  # the first is the paper


def test_bars_are_linear_or_their_scale_is_named() -> None:
    row = ComparisonRow("bfs", "solved", 5, 5, 100, 200, 9, 0.1, None, "rules:bfs")
    long, short = lengths(notebooks.chart_svg([row, row.replace(expanded=25)]))
    assert long == pytest.approx(4 * short, rel=0.01)
    svg = notebooks.chart_svg([row, row.replace(expanded=1_000_000)])
    assert "expanded states, logarithmic scale" in svg
    assert ">1,000,000</text>" in svg
    short, long = lengths(svg)
    assert long < 4 * short


@pytest.mark.parametrize("numbers", [[], [0], [0, 0], [None, 3], [0, 10**12]])
def test_odd_numbers_have_a_chart(numbers: list[int | None]) -> None:
    row = ComparisonRow("bfs", "timeout", None, None, None, None, None, 0.1, None, "rules:bfs")
    chart = ElementTree.fromstring(notebooks.chart_svg([row.replace(expanded=number) for number in numbers]))
    words = "".join(chart.itertext())
    assert words.count("bfs") == len(numbers)
    assert all(f"{number:,}" in words for number in numbers if number is not None)


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
