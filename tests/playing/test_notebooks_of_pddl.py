"""PDDL in notebooks: one line as text, tables as HTML; nothing in them runs, is named twice, or is not escaped."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from support.blocks import BLOCKS, SUSSMAN, tower
from support.river import CROSSING, RIVER, ROADS, delivery, river_files
from unpuzzle import find, solve
from unpuzzle.checking.reasons import Explanation, explain
from unpuzzle.pddl import Fault, GroundAction, Plan, lint, parse_task, validate
from unpuzzle.pddl.tracing import trace_plan
from unpuzzle.playing.notebook_html import MOST, html_of

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
    assert "<code>unknown-type</code>" in faults._repr_html_()
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
