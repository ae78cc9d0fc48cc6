"""Actions that add again what they delete: Fast Downward's translator finds no false mutex groups in them."""

from __future__ import annotations

import re
import runpy
import tempfile
from pathlib import Path
from random import Random

import pytest

from support.modules import ROOT
from support.pddl_texts import task
from support.roads import needs
from support.shared_parameters import NARROW_DELETES, shared_parameters_texts
from support.thorough import at_most
from unpuzzle import improve, solve, translators
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY
from unpuzzle.explanation.reasons import with_goal
from unpuzzle.pddl.formulas import Or, When, conjuncts, effects
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write
from unpuzzle.planners.external import fast_downward
from unpuzzle.planners.external.fast_downward_dialect import in_its_words
from unpuzzle.planners.external.fast_downward_mutexes import original_plan, without_false_mutexes

COMPARISON = runpy.run_path(str(ROOT / "scripts" / "compare" / "compare_planners.py"))
needs_fast_downward = pytest.mark.skipif(fast_downward.missing() is not None, reason=f"{fast_downward.missing()}")

ONE = "(:predicates (lit ?x) (dim ?x) (near ?x ?y))"
BOTH = "(:objects a b) (:init (lit a)) (:goal (and (lit a) (lit b)))"
PASS = "(:action pass :parameters (?p ?q ?r) :precondition (and (lit ?p) (lit ?q)) :effect (and (not (lit ?p)) {0}))"
SHAPES = {
    "two adds": (ONE + PASS.format("(lit ?q) (lit ?r)"), BOTH),
    "three adds": (ONE + PASS.format("(lit ?q) (near ?p ?q) (lit ?r)"), BOTH),
    "a constant": (
        f"(:constants a) {ONE} (:action pass :parameters (?p ?r) :precondition (and (lit ?p) (lit a))"
        " :effect (and (not (lit ?p)) (lit a) (lit ?r)))",
        BOTH.replace(" a b", " b"),
    ),
    "two predicates": (
        ONE + PASS.format("(lit ?q) (dim ?r)"),
        "(:objects a b) (:init (lit a)) (:goal (and (lit a) (dim b)))",
    ),
    "a counted place": (
        f"{ONE} (:action pull :parameters (?o ?p ?q ?r) :precondition (and (near ?o ?p) (near ?o ?q))"
        " :effect (and (not (near ?o ?p)) (near ?o ?q) (near ?o ?r)))",
        "(:objects a b) (:init (near a a) (near b a)) (:goal (and (near a a) (near a b)))",
    ),
    "known to be the same": (
        ONE + PASS.format("(lit ?q) (lit ?r)").replace("(lit ?q)) :effect", "(lit ?q) (= ?p ?q)) :effect"),
        BOTH,
    ),
    "a conditional add": (
        ONE + PASS.format("(when (dim ?p) (lit ?q)) (lit ?r)"),
        BOTH.replace("(lit a))", "(lit a) (dim a))", 1),
    ),
    "a quantified add": (
        ONE + PASS.format("(forall (?s) (when (or (= ?s ?q) (= ?s ?r)) (lit ?s)))"),
        BOTH,
    ),
    "a conditional delete": (
        f"{ONE} (:action pass :parameters (?p ?q ?r) :precondition (and (lit ?p) (lit ?q))"
        " :effect (and (when (lit ?q) (not (lit ?p))) (lit ?q) (lit ?r)))",
        BOTH,
    ),
}
NARROW = {
    "a type that lacks it": ("", "(forall (?e - t) (not (lit ?e)))"),
    "under its own condition": ("", "(forall (?e - t) (when (lit ?e) (not (lit ?e))))"),
    "a type without objects": ("", "(forall (?e - none) (not (lit ?x)))"),
    "a variable of the condition": ("(dim ?x)", "(forall (?e - t) (when (dim ?e) (not (lit ?x))))"),
    "a variable of exists": ("(dim ?x)", "(when (exists (?e - t) (dim ?e)) (not (lit ?x)))"),
}
WIPE = "(:action wipe :parameters (?x ?y) :precondition (and (lit ?x) {}) :effect (and (lit ?y) {}))"
SHAPES |= {
    name: (
        f"(:types t none) {ONE} {WIPE.format(*parts)}",
        BOTH.replace("a b", "a b - object c - t").replace("(lit a))", "(lit a) (dim a))", 1),
    )
    for name, parts in NARROW.items()
}
SHAPES["two predicates, of a type that lacks it"] = (
    f"(:types t) {ONE} {WIPE.format('', NARROW['a type that lacks it'][1]).replace('(lit ?y)', '(dim ?y)')}",
    "(:objects a b - object c - t) (:init (lit a)) (:goal (and (lit a) (dim b)))",
)
CONDITIONAL = (
    "a conditional add",
    "a quantified add",
    "a conditional delete",
    *NARROW,
    "two predicates, of a type that lacks it",
)


def answers(subject: Task, *planners: str) -> list[tuple[str, int | None]]:
    return [(result.status, result.cost) for result in (solve(subject, name) for name in planners)]


@pytest.mark.parametrize("name", SHAPES)
@needs_fast_downward
def test_a_solvable_task_is_not_called_unsolvable(name: str) -> None:
    subject = task(*SHAPES[name])
    changed, _ = without_false_mutexes(subject)
    assert changed is not subject
    assert answers(subject, "reference", "fast-downward") == [(SOLVED_OPTIMALLY, 1)] * 2
    if name not in CONDITIONAL:
        assert not any(isinstance(part, When) for action in changed.domain.actions for part in effects(action.effect))


@needs("fast-downward")
def test_engines_with_the_same_translator_get_the_same_task() -> None:
    result = solve(task(*SHAPES["two adds"]), "up:fast-downward-opt")
    assert (result.status, result.cost, [str(step) for step in result.plan]) == (SOLVED_OPTIMALLY, 1, ["(pass a a b)"])


@needs_fast_downward
def test_plans_on_the_way_have_the_names_of_the_task() -> None:
    results = list(improve(task(*SHAPES["two adds"]), "fast-downward:lama"))
    assert {str(step) for result in results for step in result.plan} == {"(pass a a b)"}


TWO = PASS.format("(lit ?q) (lit ?r)")
START = "(:objects a b) (:init (lit a))"
HARMLESS = {
    "types": (
        f"(:types s t) {ONE} {TWO.replace('?p ?q ?r', '?p - s ?q - t ?r')}",
        "(:objects a - s b - t) (:init (lit a))",
    ),
    "not equal": (ONE + TWO.replace("(lit ?q))", "(lit ?q) (not (= ?q ?p)))"), START),
    "static facts": (
        ONE + TWO.replace("(lit ?q))", "(lit ?q) (near ?p ?q))"),
        START.replace("(lit", "(near a b) (lit"),
    ),
    "never applicable": (ONE + TWO.replace("(lit ?q))", "(lit ?q) (not (lit ?q)))"), START),
    "word for word": (ONE + PASS.format("(lit ?p) (lit ?q) (lit ?r)"), START),
    "an empty group": (ONE + TWO, "(:objects a b) (:init)"),
    "more than one at first": (ONE + TWO, "(:objects a b) (:init (lit a) (lit b))"),
    "not balanced elsewhere": (f"{ONE} {TWO} (:action light :parameters (?x) :effect (lit ?x))", START),
    "no object is left out": (
        f"(:types t - s s) {ONE} {WIPE.format('', '(forall (?e - s) (not (lit ?e)))').replace('?x ?y', '?x - t ?y')}",
        "(:objects a b - t) (:init (lit a))",
    ),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_tasks_without_threats_are_left_alone(name: str) -> None:
    domain, start = HARMLESS[name]
    subject = task(domain, f"{start} (:goal (and))")
    assert without_false_mutexes(subject) == (subject, {})
    assert without_false_mutexes(subject)[0] is subject


@pytest.mark.parametrize("name", [name for name in sorted(translators.names()) if name != "crossword-clues"])
def test_puzzles_are_left_alone(name: str) -> None:
    game = translators.find(name)
    subject = game.parse(next(iter(game.levels.values()))).task()
    assert without_false_mutexes(subject)[0] is subject


def test_the_meaning_is_the_same() -> None:
    """By the reference semantics, along random walks."""
    longer = conditional = 0
    for seed in (*range(60), *range(NARROW_DELETES, NARROW_DELETES + 30)):
        rng = Random(seed)
        subject = parse_task(*shared_parameters_texts(seed))
        words, arities = without_false_mutexes(in_its_words(subject))
        longer += bool(arities)
        conditional += "(always)" in write(words)[1] and "(when (and (always)" in write(words)[0]
        assert without_false_mutexes(words)[0] is words
        ours, theirs = Semantics(subject), Semantics(words)
        state, more = ours.initial, theirs.initial - ours.initial
        for _ in range(5):
            actions = ours.applicable(state)
            steps = theirs.applicable(state | more)
            assert ours.solved(state) == theirs.solved(state | more)
            assert sorted(map(str, original_plan(Plan(tuple(steps)), arities))) == sorted(map(str, actions))
            for step in steps:
                (action,) = original_plan(Plan((step,)), arities)
                assert theirs.cost(step) == ours.cost(action)
                assert theirs.apply(state | more, step) == ours.apply(state, action) | more
            if not actions:
                break
            state = ours.apply(state, rng.choice(actions))
    assert longer > 1
    assert conditional > 1


FALSE = (61, 84, 133)
"""Seeds of tasks in which the translator finds a false group."""


@pytest.mark.parametrize("seed", [*FALSE, *range(1_000_000, 1_000_000 + at_most(12))])
@needs_fast_downward
def test_atoms_of_a_group_are_never_true_together(seed: int) -> None:
    """By all reachable states, or the first hundreds: a test of the translator that no search can hide."""
    subject = parse_task(*shared_parameters_texts(seed))
    words = in_its_words(subject)
    states = reachable(subject, 400)
    assert not false_groups(without_false_mutexes(words)[0], states)
    assert (seed in FALSE) == bool(false_groups(words, states))


NARROW_FALSE = (NARROW_DELETES + 3, NARROW_DELETES + 7)
"""Seeds of tasks in which the translator takes a quantified delete for one of another type."""


@pytest.mark.parametrize("seed", [*NARROW_FALSE, *range(NARROW_DELETES, NARROW_DELETES + at_most(8))])
@needs_fast_downward
def test_quantified_deletes_of_another_type_balance_nothing(seed: int) -> None:
    """The goal is weakened, since the translator lists no groups where it is certain that there is no plan."""
    subject = parse_task(*shared_parameters_texts(seed))
    words = in_its_words(subject)
    words = with_goal(words, [Or(tuple(conjuncts(words.problem.goal)))])
    states = reachable(subject, 100)
    assert not false_groups(without_false_mutexes(words)[0], states)
    assert seed not in NARROW_FALSE or false_groups(words, states)


def reachable(subject: Task, most: int) -> list[set[str]]:
    semantics = Semantics(subject)
    waiting = [semantics.initial]
    seen = {semantics.initial}
    for state in waiting:
        for action in semantics.applicable(state):
            after = semantics.apply(state, action)
            if after not in seen and len(seen) < most:
                seen.add(after)
                waiting.append(after)
    return [set(map(str, state)) for state in seen]


def false_groups(words: Task, states: list[set[str]]) -> list[set[str]]:
    """Return the groups of the translator of which two atoms are true in a state."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in zip(("domain.pddl", "problem.pddl"), write(words), strict=True):
            Path(folder, name).write_text(text)
        assert COMPARISON["translate"](folder) == 0
        text = Path(folder, "output.sas").read_text()
    variables = [
        re.findall(r"^(?:Atom .*|Negated.*|<none.*)$", part, re.M)
        for part in re.findall(r"begin_variable\n.*?end_variable", text, re.S)
    ]
    groups = [
        [variables[int(row.split()[0])][int(row.split()[1])] for row in rows.splitlines()[1:]]
        for rows in re.findall(r"begin_mutex_group\n(.*?)\nend_mutex_group", text, re.S)
    ]
    named = [{_pddl(each) for each in group if each.startswith("Atom")} for group in (*variables, *groups)]
    return [group for group in named if any(len(group & state) > 1 for state in states)]


def _pddl(atom: str) -> str:
    """Return an atom of the translator, such as `Atom near(a, b)`, in PDDL."""
    name, _, terms = atom.removeprefix("Atom ").rstrip(")").partition("(")
    return f"({' '.join((name, *terms.replace(',', ' ').split()))})"
