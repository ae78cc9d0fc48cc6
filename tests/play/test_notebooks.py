"""What notebooks show: text and pictures of positions, results, comparisons and explorations."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from support.blocks import BLOCKS, SUSSMAN, tower
from support.river import CROSSING, RIVER, ROADS, delivery, river_files
from unpuzzle import compare, explore, find, solve
from unpuzzle.experiments.comparing import ComparisonRow
from unpuzzle.explanation.reasons import Explanation, explain
from unpuzzle.model.replaying import replay
from unpuzzle.pddl import Fault, GroundAction, Plan, lint, parse_task, validate
from unpuzzle.pddl.tracing import trace_plan
from unpuzzle.play import notebooks
from unpuzzle.play.notebooks import MOST, html_of

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


# ---- PDDL in notebooks: one line as text, tables as HTML; nothing in them runs, is named twice, or is not escaped


RIVER_TASK = parse_task(RIVER, CROSSING)
PLAN = solve(RIVER_TASK).plan
assert PLAN is not None
CUT_OFF = parse_task(ROADS, delivery("(at t a) (lies k b)", "(lies k c)"))
MISSPELT = RIVER.replace("bank thing", "bank thin")
VALUES = {
    "Task('river', 'crossing', 1 action, 5 objects, 8 facts)": RIVER_TASK,
    "Plan(2 steps, cost 2: (row left right goat) (row right left farmer))": Plan(PLAN.steps[:2], 2),
    "Plan(0 steps)": Plan(),
    "Validation(valid, cost 7)": validate(RIVER_TASK, PLAN),
    "Validation(not valid, the goal is not reached: (at wolf right) is false)": validate(RIVER_TASK, PLAN.steps[:2]),
    "Trace(7 steps, valid, cost 7)": trace_plan(RIVER_TASK, PLAN),
    "Trace(2 steps, not valid, the goal is not reached: (at wolf right) is false)": trace_plan(
        RIVER_TASK, PLAN.steps[:2]
    ),
    "Explanation(solvable)": explain(RIVER_TASK),
    "Explanation(not known, timeout)": Explanation(None, status="timeout"),
    "Explanation(not solvable, no_achiever: nothing can ever make (lies k c) true, which the goal needs)": explain(
        CUT_OFF
    ),
    "Fault(d.pddl:1:2: error: what [a-code])": Fault("d.pddl", 1, 2, "error", "what", code="a-code"),
}
VOID = {"br"}


class Elements(HTMLParser):
    """The elements of a piece of HTML, in their order; all are closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.open: list[str] = []
        self.attributes: set[str] = set()
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("text", VALUES)
def test_each_value_is_one_line_of_text(text: str) -> None:
    assert repr(VALUES[text]) == text


@pytest.mark.parametrize("text", VALUES)
def test_html_has_tables_and_lists_only(text: str) -> None:
    value: Any = VALUES[text]
    elements = Elements(value._repr_html_())
    assert set(elements.names) <= {"div", "b", "table", "tr", "th", "td", "ol", "ul", "li", "br", "code", "p"}
    assert elements.attributes <= {"style"}
    assert "colo" not in value._repr_html_()  # neither colours nor backgrounds: those of the notebook are right


def test_what_html_says() -> None:
    html = VALUES["Task('river', 'crossing', 1 action, 5 objects, 8 facts)"]._repr_html_()
    assert "(row ?from ?to ?with)" in html
    assert "(not (eaten))" in html
    assert validate(RIVER_TASK, PLAN)._repr_html_() == "<div>✓ the plan is valid, its cost is 7</div>"
    assert trace_plan(RIVER_TASK, PLAN)._repr_html_().count("<tr>") == 8
    assert "<br>it would be solvable " in explain(CUT_OFF)._repr_html_()


def test_faults_are_a_list_and_a_table() -> None:
    faults = lint(MISSPELT, CROSSING, domain_name="d.pddl", problem_name="p.pddl")
    assert isinstance(faults, list)
    assert faults == list(faults)
    assert "the type &#x27;thin&#x27; is declared" in faults._repr_html_()
    assert re.search(r">d\.pddl:\d+:\d+</td>.*<code>unknown-type</code>", faults._repr_html_())
    assert lint(BLOCKS, SUSSMAN)._repr_html_() == "<div>✓ no faults</div>"


@pytest.mark.parametrize(
    "value",
    [
        Fault("<script>alert(1)</script>&\udce9.pddl", 1, 1, "error", "<b>'\"&", code="<i>"),
        Plan((GroundAction("<script>", ("&amp;",)),)),
        parse_task(
            BLOCKS.replace("blocks", "<blocks>"), SUSSMAN.replace("blocks", "<blocks>").replace("sussman", "<u>")
        ),
    ],
    ids=["fault", "plan", "task"],
)
def test_everything_is_escaped(value: Any) -> None:
    html = value._repr_html_()
    assert not {"script", "blocks", "u", "i"} & set(Elements(html).names)
    html.encode()


def test_long_ones_are_cut() -> None:
    plan = Plan([GroundAction("noop")] * (MOST + 5))
    assert plan._repr_html_().count("<li>") == MOST
    assert "and 5 more steps" in plan._repr_html_()
    assert repr(plan).endswith(" ...)")
    assert "and 401 more" in parse_task(BLOCKS, tower(300))._repr_html_()


def test_a_position_and_its_solution(tmp_path: Path) -> None:
    game = find(river_files(tmp_path))
    position = game.parse(game.levels["p1"])
    facts = "(at cabbage left) (at farmer left) (at goat left) (at wolf left)"
    assert repr(position) == f"PddlPosition('river', 'crossing', 4 facts: {facts}; 3 goals missing)"
    bundle = position._repr_mimebundle_()
    assert bundle["text/plain"] == position.draw()
    assert "✗ (at wolf right)" in bundle["text/html"]
    assert "✓ (not (eaten))" in bundle["text/html"]
    player = solve(position)._repr_mimebundle_()["text/html"]
    assert re.match('<iframe title="river, a PDDL domain" srcdoc="', player)


def test_others_are_their_text() -> None:
    assert html_of("<b>") == "<code>&#x27;&lt;b&gt;&#x27;</code>"
