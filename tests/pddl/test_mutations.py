"""Whatever a text is, the answer is a task or a refusal with its place; and a task that was read comes back.

Tokens of two rich files are dropped, doubled, swapped and replaced at random.
"""

import re
from contextlib import suppress
from copy import copy
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.lights import TOTAL, A
from support.misspelling import everything, misspelt, renamed, replaced
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle import Limits, solve, translators
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl import Semantics, lint, parse_domain, parse_plan, parse_problem, parse_task, write
from unpuzzle.pddl.linting import soundness
from unpuzzle.pddl.linting.fault import codes
from unpuzzle.pddl.nodes import And, Atom, Not, Or, Task, TypedName, When
from unpuzzle.pddl.plans import write_plan
from unpuzzle.pddl.reading.brackets import Brackets
from unpuzzle.pddl.reading.tolerant_definitions import matching_form
from unpuzzle.pddl.syntax import Text

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


# ---- Random tasks and puzzles, misspelt in one place: the sentence is that for texts, and no planner is misled


# The sentences are those for texts -----------------------------------------------------------------------------------


@settings(max_examples=at_most(150))
@given(st.integers(0, 10**9))
def test_a_misspelt_task_gets_the_sentence_of_its_text(seed):
    rng = Random(seed)
    task = random_task(rng)
    part = rng.choice([task.domain, task.problem])
    parents = set(map(id, task.domain.types))  # one that is declared nowhere is declared by that, in texts too
    candidates = [each for each in everything(part) if isinstance(each, Atom | TypedName) and id(each) not in parents]
    if not candidates:
        return
    old = rng.choice(candidates)
    new = renamed(rng, old) if isinstance(old, Atom) else TypedName(old.name, (misspelt(old.types[0]),))
    broken = replaced(part, old, new)
    own, other = (broken, task.problem) if part is task.domain else (copy(task.domain), broken)
    with pytest.raises(ParseError) as made:
        Task(own, other)
    text = write(broken)
    with pytest.raises(ParseError) as read:
        parse_domain(text) if part is task.domain else parse_problem(text, task.domain)
    assert made.value.message.endswith(f": {read.value.message}")
    assert "did you mean" in made.value.message or "argument" in made.value.message


@settings(max_examples=at_most(100))
@given(st.integers(0, 10**9))
def test_the_quick_look_lets_no_fault_pass(seed):
    """An argument is exchanged for any other object or variable: lint says whether that is a fault."""
    rng = Random(seed)
    task = random_task(rng)
    atoms = [each for each in everything(task.problem) if isinstance(each, Atom) and each.arguments]
    if not atoms:
        return
    old = rng.choice(atoms)
    changed = [*old.arguments]
    names = [item.name for item in (*task.domain.constants, *task.problem.objects)]
    changed[rng.randrange(len(changed))] = rng.choice([*names, "?x0", "?y0", "?p0"])
    broken = replaced(task.problem, old, Atom(old.predicate, tuple(changed)))
    faulty = any(fault.severity == "error" for fault in lint(write(task.domain), write(broken)))
    quick = soundness.vocabulary(task.domain).fits(broken)
    assert not (quick and faulty)
    try:
        Task(task.domain, broken)
    except ParseError:
        assert faulty
    else:
        assert not faulty


JUNK = ("x", "?x", "X", "", None, 3, -1, (), ("x",), A, Not(A), Not(And()), Or((A,)), When(A, A), TOTAL, TypedName("x"))


@settings(max_examples=at_most(300))
@example(425)  # a cost that depends on (total-cost)
@given(st.integers(0, 10**9))
def test_anything_anywhere_is_refused_or_understood(seed):
    rng = Random(seed)
    task = random_task(rng)
    parts = [task.domain, task.problem]
    side = rng.randrange(2)
    old = rng.choice(list(everything(parts[side])))
    parts[side] = replaced(parts[side], old, rng.choice(JUNK))
    try:
        broken = Task(*parts)
    except (ParseError, UnsupportedFeature):
        return
    assert isinstance(write(broken), tuple)
    with suppress(UnsupportedFeature):
        Semantics(broken).applicable(Semantics(broken).initial)
    statuses = {solve(broken, planner, limits=Limits(time=5)).status for planner in ("native", "reference")}
    assert "error" not in statuses


# Puzzles -------------------------------------------------------------------------------------------------------------

LEVELS = {"boxup": "1", "sliding-tiles": "8-hard", "pacman": "dots"}


@settings(max_examples=at_most(40))
@given(st.sampled_from(sorted(LEVELS)), st.sampled_from(["native", "reference"]), st.integers(0, 10**9))
def test_a_puzzle_with_a_typo_is_never_unsolvable(name, planner, seed):
    rng = Random(seed)
    kind = translators.find(name)

    class Typo(kind):
        def task(self):
            right = super().task().problem
            old = rng.choice([*right.init, *right.objects, *[each for each in everything(right) if type(each) is Atom]])
            new = renamed(rng, old) if isinstance(old, Atom) else TypedName(old.name, (misspelt(old.types[0]),))
            return Task(super().task().domain, replaced(right, old, new))

    Typo.name = kind.name
    with pytest.raises(ParseError, match=r"did you mean|takes . argument"):
        solve(Typo.parse(kind.levels[LEVELS[name]]), planner)


@pytest.mark.parametrize(("name", "level"), [(n, level) for n in LEVELS for level in translators.find(n).levels])
def test_levels_pass_at_the_first_look(name, level):
    kind = translators.find(name)
    task = kind.parse(kind.levels[level]).task()
    assert soundness.vocabulary(task.domain).fits(task.problem)
