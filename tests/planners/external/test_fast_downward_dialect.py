"""What Fast Downward reads wrong never reaches it: the task in its words means what the task means."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.pddl_texts import task
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle import solve
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE, UNSUPPORTED
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write
from unpuzzle.planners.external import fast_downward
from unpuzzle.planners.external.fast_downward import _within_its_numbers
from unpuzzle.planners.external.fast_downward_dialect import costs_fit, in_its_words
from unpuzzle.planning import registry
from unpuzzle.planning.result import Result

needs_fast_downward = pytest.mark.skipif(
    registry.missing("fast-downward") is not None, reason=f"{registry.missing('fast-downward')}"
)

Q = "(:action finish :parameters (?x - (either a b)) :precondition (and (d ?x) (not (q))) :effect (q))"
EITHER = {
    "an axiom": (
        "(:types a b c) (:predicates (s ?x) (d ?x - (either a b)) (q))"
        "(:derived (d ?x - (either a b)) (s ?x)) (:action n :parameters (?x - a) :precondition (d ?x) :effect (q))",
        "(:objects o - a) (:init (s o)) (:goal (q))",
        1,
    ),
    "an axiom that does not hold for others": (
        "(:types a b c) (:predicates (s ?x) (d ?x) (q)) (:derived (d ?x - (either a b)) (s ?x))"
        "(:action n :parameters (?x) :precondition (d ?x) :effect (q))",
        "(:objects o - c) (:init (s o)) (:goal (q))",
        None,
    ),
    "a parameter": (
        "(:types a b c) (:predicates (d ?x) (q)) " + Q,
        "(:objects o - b p - c) (:init (d o) (d p)) (:goal (q))",
        1,
    ),
    "a parameter that none fits": (
        "(:types a b c) (:predicates (d ?x) (q)) " + Q,
        "(:objects p - c) (:init (d p)) (:goal (q))",
        None,
    ),
    "an object": (
        "(:types a b c) (:predicates (s ?x - a) (d ?x - b) (q)) " + Q.replace("(either a b)", "b"),
        "(:objects o - (either a b)) (:init (s o) (d o)) (:goal (forall (?x - a) (q)))",
        1,
    ),
    "a constant, and names that are taken": (
        "(:types a-or-b - b a-and-b - a a b) (:constants o - (either a b)) (:predicates (d ?x) (q) (a-or-b-x)) " + Q,
        "(:objects p - a-or-b) (:init (d o)) (:goal (and (q) (exists (?y - (either a-or-b a-and-b)) (not (d ?y)))))",
        1,
    ),
    "anything": (
        "(:types a b) (:predicates (d ?x) (q)) " + Q.replace("(either a b)", "(either a object)"),
        "(:objects o - b) (:init (d o)) (:goal (q))",
        1,
    ),
}
COSTS = (
    "(:action cheap :parameters () :effect (and (p) (increase (total-cost) 1)))"
    "(:action then :parameters () :precondition (p) :effect (and (q) (increase (total-cost) 3)))"
)
SUMS = {
    "numbers": "(:action dear :parameters () :effect (and (q) (increase (total-cost) 5) (increase (total-cost) 1)))",
    "a term and a number": "(:action dear :parameters (?x) :effect"
    " (and (increase (total-cost) (f ?x)) (q) (increase (total-cost) 1)))",
    "two terms": "(:action dear :parameters (?x ?y) :effect"
    " (and (increase (total-cost) (f ?x)) (q) (increase (total-cost) (g ?y ?x)) (increase (total-cost) (f ?x))))",
}
PRICES = "(:objects a b) (:init (= (f a) 5) (= (f b) 4) (= (g a a) 0) (= (g a b) 0) (= (g b a) 1) (= (g b b) 2))"


def answers(subject: Task) -> list[tuple[str, int | None]]:
    found = [solve(subject, name) for name in ("reference", "fast-downward", "fast-downward:astar(blind())")]
    return [(result.status, result.cost) for result in found]


@pytest.mark.parametrize("name", EITHER)
def test_nothing_is_of_several_types_in_its_words(name: str) -> None:
    assert "either" not in "".join(write(in_its_words(task(*EITHER[name][:2]))))


@pytest.mark.parametrize("name", EITHER)
@needs_fast_downward
def test_either(name: str) -> None:
    domain, problem, cost = EITHER[name]
    subject = task(domain, problem)
    assert answers(subject) == [("unsolvable" if cost is None else "solved_optimally", cost)] * 3


@pytest.mark.parametrize("name", SUMS)
@needs_fast_downward
def test_several_costs_of_one_action(name: str) -> None:
    subject = task(
        f"(:predicates (p) (q)) (:functions (f ?x) (g ?x ?y)) {COSTS} {SUMS[name]}",
        f"{PRICES} (:goal (q)) (:metric minimize (total-cost))",
    )
    assert answers(subject) == [("solved_optimally", 4)] * 3
    dear = task(
        f"(:predicates (p) (q)) (:functions (f ?x) (g ?x ?y)) {SUMS[name]}",
        f"{PRICES} (:goal (q)) (:metric minimize (total-cost))",
    )
    (expected, *others) = answers(dear)
    assert others == [expected] * 2
    assert (expected[1] or 0) > 4


def test_what_it_reads_right_is_left_alone() -> None:
    for seed in range(20):
        subject = random_task(Random(seed))
        assert in_its_words(subject) is subject


@settings(max_examples=at_most(100), deadline=None)
@given(st.integers(0, 2**32))
def test_the_meaning_is_the_same(seed: int) -> None:
    """By the reference semantics, along random walks."""
    rng = Random(seed)
    subject = random_task(rng, either=True)
    ours, theirs = Semantics(subject), Semantics(in_its_words(subject))
    state = ours.initial
    for _ in range(10):
        assert ours.solved(state) == theirs.solved(state)
        assert ours.derived(state) == theirs.derived(state)
        actions = ours.applicable(state)
        assert theirs.applicable(state) == actions
        assert [ours.cost(action) for action in actions] == [theirs.cost(action) for action in actions]
        if not actions:
            break
        action = rng.choice(actions)
        assert ours.apply(state, action) == theirs.apply(state, action)
        state = ours.apply(state, action)


@settings(max_examples=at_most(12), deadline=None)
@given(st.integers(0, 2**32))
@needs_fast_downward
def test_the_answer_is_the_same(seed: int) -> None:
    subject = random_task(Random(seed), either=True)
    ours, theirs = solve(subject, "native"), solve(subject, "fast-downward")
    assert (theirs.status, theirs.cost) == (ours.status, ours.cost)


STEP = "(:action {0} :parameters () :precondition ({1}) :effect (and ({2}) (increase (total-cost) {3})))"


@pytest.mark.parametrize("cost", [2**31, 2**31 - 1, 10**7 + 1])
@needs_fast_downward
def test_costs_that_do_not_fit(cost: int) -> None:
    """With 2^31-1 and 9, lama-first answered that there is no plan."""
    huge = task(
        "(:predicates (p) (q) (r))" + STEP.format("one", "p", "q", cost) + STEP.format("two", "q", "r", 9),
        "(:init (p)) (:goal (r)) (:metric minimize (total-cost))",
    )
    for planner in ("fast-downward", "fast-downward:lama-first", "up:fast-downward-opt"):
        result = solve(huge, planner)
        assert result.status == UNSUPPORTED
        assert f"a cost of {cost:,} is too large for it" in result.message
    assert solve(huge, "reference").cost == cost + 9


def chain(*costs: int, goal: str = "") -> Task:
    """Return a task with one way to the goal, which costs the sum of these."""
    places = [f"c{number}" for number in range(len(costs) + 1)]
    facts = [f"(next c{n} c{n + 1}) (= (price c{n}) {cost})" for n, cost in enumerate(costs)]
    return task(
        "(:predicates (at ?x) (next ?x ?y)) (:functions (price ?x))"
        " (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))"
        " :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (price ?x))))",
        f"(:objects {' '.join(places)}) (:init (at c0) {' '.join(facts)})"
        f" (:goal {goal or f'(at {places[-1]})'}) (:metric minimize (total-cost))",
    )


@pytest.mark.parametrize("planner", ["fast-downward", "fast-downward:lama-first", "fast-downward:astar(blind())"])
@needs_fast_downward
def test_unsolvable_is_not_believed_of_costs_that_do_not_fit(planner: str) -> None:
    """The plan costs 2^31-1, which is an infinite cost for Fast Downward."""
    result = solve(chain(*[10**7] * 214, 7483647), planner)
    assert (result.status, "our own search found one" in result.message) == ("gave_up", True)


def test_what_costs_fit() -> None:
    log = "Translator operators: {}\nTranslator facts: 0\n[t=0s] Number of registered states: {}\n"
    dear, cheap = chain(10**7), chain(1)
    assert [costs_fit(log.format(1, n), dear, small_sums=True) for n in (213, 214)] == [True, False]
    assert [costs_fit(log.format(n, 1), dear, small_sums=True) for n in (213, 214)] == [True, False]
    assert [costs_fit(log.format(1, 1), each, small_sums=False) for each in (dear, cheap)] == [False, True]
    assert not costs_fit(log.format(1, 1).partition("[")[0], cheap, small_sums=True)


@needs_fast_downward
def test_unsolvable_is_believed_of_costs_that_fit_or_if_confirmed() -> None:
    for subject, words in (
        (chain(3, goal="(and (at c0) (at c1))"), "proved"),
        (chain(*[10**6] * 150, goal="(and (at c0) (at c150))"), "proved"),
    ):
        result = solve(subject, "fast-downward")
        assert (result.status, words in result.message) == (UNSOLVABLE, True)


def test_a_plan_whose_cost_does_not_fit_is_not_called_optimal() -> None:
    problem = "(:init (p)) (:goal (q)) (:metric minimize (total-cost))"
    cheap, dear = (task("(:predicates (p) (q))" + STEP.format("one", "p", "q", cost), problem) for cost in (5, 2**31))
    plan = Plan((GroundAction("one"),))
    for subject, status in ((cheap, "solved_optimally"), (dear, "solved")):
        assert _within_its_numbers(Result("solved_optimally", "fast-downward", plan=plan), subject).status == status


@needs_fast_downward
def test_a_new_function_that_would_be_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.planners.external.fast_downward_dialect.MOST_SUMS", 7)
    subject = task(
        f"(:predicates (p) (q)) (:functions (f ?x) (g ?x ?y)) {SUMS['two terms']}",
        f"{PRICES} (:goal (q)) (:metric minimize (total-cost))",
    )
    result = solve(subject, "fast-downward")
    assert result.status == UNSUPPORTED
    assert "the sum of costs of 'dear' has 16 values" in result.message


@pytest.mark.parametrize(
    ("goal", "status"),
    [
        ("(forall (?v - nothing) (or))", SOLVED_OPTIMALLY),
        ("(not (exists (?v - nothing) (and)))", SOLVED_OPTIMALLY),
        ("(forall (?w - thing ?v - nothing) (or (and (done) (or)) (or)))", SOLVED_OPTIMALLY),
        ("(exists (?v - nothing) (and))", UNSOLVABLE),
        ("(forall (?w - thing) (exists (?v - nothing) (imply (or) (done))))", UNSOLVABLE),
    ],
)
def test_constants_below_quantifiers_over_nothing(goal: str, status: str) -> None:
    domain = """(define (domain d) (:requirements :adl) (:types thing nothing) (:predicates (done) (at ?t - thing))
      (:action go :parameters (?t - thing) :precondition (not (at ?t))
       :effect (and (at ?t) (forall (?u - thing) (when (exists (?v - nothing) (and)) (done)))
        (forall (?u - thing) (and)))))"""
    task = parse_task(
        domain, f"(define (problem p) (:domain d) (:objects t - thing) (:init) (:goal (and (at t) {goal})))"
    )
    assert solve(task, "reference").status == status
    assert solve(in_its_words(task), "reference").status == status
    if fast_downward.missing() is None:
        assert solve(task, "fast-downward").status == status


RECURSION = {
    "safe where all ways out are safe": (
        "(forall (?y - place) (imply (way ?x ?y) (safe ?y)))",
        "(:init (way a b) (way b c) (at a)) (:goal (safe a))",
        0,
    ),
    "unsafe on a circle": (
        "(forall (?y - place) (imply (way ?x ?y) (safe ?y)))",
        "(:init (way a b) (way b a) (at a)) (:goal (safe a))",
        None,
    ),
    "by a negation": (
        "(not (exists (?y - place) (and (way ?x ?y) (not (or (safe ?y) (at ?y))))))",
        "(:init (way a b) (way b a) (way c a) (at c)) (:goal (safe c))",
        1,
    ),
    "one below the other": (
        "(forall (?x - place) (exists (?z - place) (and (safe ?z) (forall (?y - place) (or (way ?y ?z) (safe ?y))))))",
        "(:init (way a b) (way b b) (way c b) (at a)) (:goal (safe c))",
        None,
    ),
    "of nothing": ("(forall (?y - nothing) (safe ?x))", "(:init (at a)) (:goal (safe c))", 0),
}


def recursive(body: str, rest: str) -> Task:
    return task(
        "(:types place nothing) (:predicates (at ?x - place) (way ?x ?y - place) (safe ?x - place))"
        f"(:derived (safe ?x - place) {body})"
        "(:action go :parameters (?x ?y - place) :precondition (at ?x) :effect (and (at ?y) (not (at ?x))))",
        f"(:objects a b c - place) {rest}",
    )


@pytest.mark.parametrize("name", RECURSION)
@needs_fast_downward
def test_recursion_below_forall(name: str) -> None:
    body, rest, cost = RECURSION[name]
    expected = ("unsolvable" if cost is None else SOLVED_OPTIMALLY, cost)
    assert answers(recursive(body, rest))[:2] == [expected] * 2


@pytest.mark.parametrize(("body", "rest", "cost"), RECURSION.values(), ids=RECURSION)
def test_recursion_below_forall_in_its_words_means_the_same(body: str, rest: str, cost: int | None) -> None:
    assert solve(in_its_words(recursive(body, rest)), "reference").cost == cost


@needs_fast_downward
def test_recursion_below_forall_over_too_many_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.planners.external.fast_downward_dialect.MOST_INSTANCES", 8)
    subject = task(
        "(:predicates (p ?x) (d ?x)) (:derived (d ?x) (forall (?y ?z) (or (p ?y) (d ?z))))",
        "(:objects a b c) (:init) (:goal (d a))",
    )
    result = solve(subject, "fast-downward")
    assert result.status == UNSUPPORTED
    assert "axioms of 'd' that use 'd' in a 'forall'" in result.message


NESTED = {
    "several parts": (
        "(when (on) (and (not (on)) (forall (?x) (and (p ?x) (not (r ?x))))))",
        "(forall (?x) (p ?x))",
        1,
    ),
    "a hidden parameter": ("(when (r ?x) (forall (?x) (p ?x)))", "(and (p a) (p b))", 1),
    "a hidden variable": ("(forall (?y) (when (r ?y) (forall (?y) (when (not (r ?y)) (p ?y)))))", "(p b)", 1),
    "an outer variable": (
        "(forall (?y) (when (r ?y) (forall (?z) (q ?y ?z))))",
        "(and (q a b) (not (q b a)))",
        1,
    ),
    "a hidden parameter below another condition": (
        "(when (r ?x) (forall (?x) (when (on) (p ?x))))",
        "(and (p b) (not (p a)))",
        None,
    ),
}


@pytest.mark.parametrize("name", NESTED)
@needs_fast_downward
def test_conditional_effects_above_quantifiers(name: str) -> None:
    effect, goal, cost = NESTED[name]
    subject = task(
        f"(:predicates (on) (p ?x) (q ?x ?y) (r ?x)) (:action act :parameters (?x) :effect {effect})",
        f"(:objects a b) (:init (on) (r a)) (:goal {goal})",
    )
    expected = ("unsolvable" if cost is None else SOLVED_OPTIMALLY, cost)
    assert answers(subject) == [expected] * 3
    assert solve(subject, "up:fast-downward").status in (expected[0], "solved")
