"""Whatever a text is, the answer is a task or a refusal with its place; and a task that was read comes back.

Tokens of two rich files are dropped, doubled, swapped and replaced at random.
"""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.thorough import at_most
from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl import lint, parse_domain, parse_plan, parse_problem, parse_task, write
from unpuzzle.pddl.judging.codes import codes
from unpuzzle.pddl.plans import write_plan
from unpuzzle.pddl.reading.brackets import Brackets
from unpuzzle.pddl.reading.lexer import Text
from unpuzzle.pddl.reading.tolerant_sections import matching_form

GOLDEN = Path(__file__).parent / "golden"
DOMAIN = (GOLDEN / "domain.in.pddl").read_text()
PROBLEM = (GOLDEN / "problem.in.pddl").read_text()
FOREIGN = """
    ( ) - ? ?t and not when forall = either 5 -1 2.5 :init () x
    """.split()


def tokens(text):
    return re.findall(r";[^\n]*\n|[()]|[^\s()]+|\s+", text)


@st.composite
def mutated(draw, text):
    parts = tokens(text)
    for _ in range(draw(st.integers(1, 4))):
        index, other = draw(st.integers(0, len(parts) - 1)), draw(st.integers(0, len(parts) - 1))
        kind = draw(st.sampled_from(["drop", "double", "swap", "replace", "borrow"]))
        if kind == "drop":
            parts[index] = " "
        elif kind == "double":
            parts[index] += " " + parts[index]
        elif kind == "swap":
            parts[index], parts[other] = parts[other], parts[index]
        elif kind == "replace":
            parts[index] = f" {draw(st.sampled_from(FOREIGN))} "
        else:
            parts[index] = f" {parts[other]} "
    return "".join(parts)


def refused_with_a_place(error, text):
    assert error.line is not None
    assert error.column is not None
    lines = text.split("\n")
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert error.text == lines[error.line - 1]


@settings(max_examples=at_most(400), deadline=None)
@given(mutated(DOMAIN))
def test_domains(text):
    try:
        domain = parse_domain(text)
    except (ParseError, UnsupportedFeature) as error:
        refused_with_a_place(error, text)
    else:
        assert parse_domain(write(domain)) == domain


@settings(max_examples=at_most(200), deadline=None)
@given(mutated(PROBLEM))
def test_problems(text):
    domain = parse_domain(DOMAIN)
    try:
        problem = parse_problem(text, domain)
    except (ParseError, UnsupportedFeature) as error:
        refused_with_a_place(error, text)
    else:
        assert parse_problem(write(problem), domain) == problem


@settings(max_examples=at_most(200), deadline=None)
@given(mutated(DOMAIN), mutated(PROBLEM))
def test_lint_and_the_reader_agree(domain, problem):
    """Lint finds no error where the reader takes the text, and some where it refuses it."""
    faults = lint(domain, problem)
    assert all(fault.line and fault.column and fault.code in codes() for fault in faults)
    errors = [fault for fault in faults if fault.severity == "error"]
    if errors:
        with pytest.raises((ParseError, UnsupportedFeature)) as caught:
            parse_task(domain, problem)
        assert caught.value.line is not None
    else:
        assert parse_task(domain, problem)


def placed(item):
    """Return a form with the numbers of its brackets."""
    return item if isinstance(item, str) else (item.at, [placed(inner) for inner in item])


@pytest.mark.parametrize("kind", ["domain", "problem"])
def test_brackets_that_seem_to_match_need_no_repair(kind):
    """Of texts as `write` writes them, since a comment such as `t(x)` may be a call."""
    text, matching = {"domain": write(parse_domain(DOMAIN)), "problem": PROBLEM}[kind], []

    @settings(max_examples=at_most(200), deadline=None)
    @given(mutated(text))
    def look(text):
        form = matching_form(Text(text))
        if form is not None:
            brackets = Brackets(Text(text), kind, {})
            assert not brackets.notes
            assert placed(form) == placed(brackets.form)
            matching.append(text)

    look()
    assert len(set(matching)) >= 5


def test_brackets_of_correct_texts_match():
    assert matching_form(Text(PROBLEM)) is not None
    assert matching_form(Text("(define (domain d) (:action a :effect (p)))")) is not None
    for text in ("(define (domain d) (:action a (p)))", "(define (domain d) (:predicates (p) (:action a)))", "(p)", ""):
        assert matching_form(Text(text)) is None, text


@given(mutated("(move a b)\n; comment\n(load c d)\n3: (noop)\n; cost = 3 (unit cost)\n"))
def test_plans(text):
    try:
        plan = parse_plan(text)
    except ParseError as error:
        refused_with_a_place(error, text)
    else:
        assert parse_plan(write_plan(plan)) == plan


@given(st.text())
def test_any_text(text):
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    for read in (parse_domain, lambda text: parse_problem(text, None)):
        with pytest.raises(ParseError) as caught:
            read(text)
        refused_with_a_place(caught.value, lines)
    try:
        plan = parse_plan(text)
    except ParseError as error:
        refused_with_a_place(error, lines)
    else:
        assert not plan.steps or "(" in text
