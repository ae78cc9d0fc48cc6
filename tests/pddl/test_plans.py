"""Plan files: what is read, what is refused, what is written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unpuzzle.errors import ParseError
from unpuzzle.pddl import GroundAction, Plan, parse_plan, read_plan, write_plan
from unpuzzle.pddl.plans import IN_ORDER, REORDERED

words = st.text("ab1_-", min_size=1, max_size=5).map("x".__add__)
plans = st.builds(
    Plan,
    st.lists(st.builds(GroundAction, words, st.lists(words).map(tuple))).map(tuple),
    st.none() | st.integers(0, 10**9),
)


@given(plans, st.booleans())
def test_what_is_written_is_read_back(plan, unit):
    again = parse_plan(write_plan(plan, unit_cost=unit))
    assert again == plan
    assert again.cost == plan.cost


def test_writing():
    plan = Plan((GroundAction("move", ("a", "b")), GroundAction("noop")))
    assert write_plan(plan) == "(move a b)\n(noop)\n"
    assert write_plan(plan, 2) == "(move a b)\n(noop)\n; cost = 2 (unit cost)\n"
    assert write_plan(plan, 7, unit_cost=False) == "(move a b)\n(noop)\n; cost = 7 (general cost)\n"
    assert write_plan(Plan((), 0)) == "; cost = 0 (unit cost)\n"


def test_reading_is_lenient():
    text = "; a comment (not a step)\n\n(MOVE A  b) ; cost = 3\r\n 1: (noop )\n1.002: (x y) [1.5]\n(a)(b)\n"
    text += "; cost = 12 (unit cost)"
    plan = parse_plan(text)
    assert [str(step) for step in plan] == ["(move a b)", "(noop)", "(x y)", "(a)", "(b)"]
    assert plan.cost == 12
    assert len(parse_plan("")) == 0
    assert parse_plan("; cost = many\n").cost is None
    assert parse_plan("; makespan = 4\n; the cost = 3\n").cost is None


def test_spans():
    plan = parse_plan("; first\n(a)\n  (b c)\n", "my.plan")
    assert [(step.span.file, step.span.line, step.span.column, step.span.text) for step in plan] == [
        ("my.plan", 2, 1, "(a)"),
        ("my.plan", 3, 3, "(b c)"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "sentence"),
    [
        ("(a)\nmove a b\n", 2, 1, "expected a step such as '(move a b)', found 'move'"),
        ("(a (b))", 1, 4, "expected a step such as '(move a b)', found '('"),
        ("(a))", 1, 4, "expected a step such as '(move a b)', found ')'"),
        ("(a)\n (b c", 2, 2, "never closed"),
        ("(a)\n()\n", 2, 2, "expected the name of an action"),
        ("(a \u00e9)", 1, 4, "cannot be part of a name"),
    ],
)
def test_what_is_refused(text, line, column, sentence):
    with pytest.raises(ParseError) as caught:
        parse_plan(text, "my.plan")
    assert sentence in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == ("my.plan", line, column)


def test_files(tmp_path):
    path = tmp_path / "sas_plan"
    path.write_text("(a b)\n; cost = 1 (unit cost)\n")
    assert read_plan(path) == Plan((GroundAction("a", ("b",)),))
    path.write_bytes(b"\x00\x01")
    with pytest.raises(ParseError, match="binary"):
        read_plan(path)
    with pytest.raises(FileNotFoundError):
        read_plan(tmp_path / "none")


@pytest.mark.parametrize("claim", ["²", "٣", "9" * 5000, "1_000", "-1", ""])
def test_a_comment_that_claims_no_cost_claims_none(claim):
    plan = parse_plan(f"(move a b)\n; cost = {claim} (unit cost)\n")
    assert ([str(step) for step in plan], plan.cost) == (["(move a b)"], None)


def test_steps_are_taken_in_the_order_of_their_times():
    plan = parse_plan("0.003: (c)\n0.002: (b) [0.001]\n0.001: (a)\n")
    assert [str(step) for step in plan] == ["(a)", "(b)", "(c)"]
    assert plan.timing == REORDERED
    assert parse_plan("0.0: (a) [1]\n1.0: (b) [1]").timing == IN_ORDER
    assert parse_plan("0: (a)\n1: (b)").timing == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0: (a) [1.5]\n1: (b)\n", "(b) begins at 1, before (a) ends"),
        ("0: (a) [9]\n1: (b) [0.5]\n3: (c)\n", "(b) begins at 1, before (a) ends"),
        ("2: (a)\n(x)\n1: (b)\n", "(x) has no time"),
        ("0: 1: (a)\n", "found '1:'"),
        ("(a)\n1:\n", "found '1:'"),
    ],
)
def test_times_that_say_no_order_are_refused(text, words):
    with pytest.raises(ParseError, match=re.escape(words)):
        parse_plan(text)


def test_steps_at_the_same_time_are_known():
    plan = parse_plan("0: (a)\n0: (b)\n1: (c)\n2: (d)\n2.0: (e)\n2: (f)\n")
    assert plan.together == ((0, 2), (3, 6))
