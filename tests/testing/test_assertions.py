"""The helpers for tests: what they accept, and what they say when they fail."""

import pytest

from support.explanations import _Reached
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY
from unpuzzle.base.run import Limits
from unpuzzle.pddl.nodes import GroundAction, Plan
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.writer import write
from unpuzzle.testing.expectations import assert_same_game, assert_solvable, assert_unsolvable, assert_valid
from unpuzzle.translators.boxup import Boxup

DOMAIN = """(define (domain corridor) (:predicates (at ?x) (next ?x ?y) (seen ?x))
    (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
        :effect (and (not (at ?x)) (at ?y) (seen ?y))))"""
PROBLEM = "(define (problem p) (:domain corridor) (:objects a b c) (:init (at a) (next a b) (next b c)) (:goal (at c)))"
GO_AB, GO_BC = GroundAction("go", ("a", "b")), GroundAction("go", ("b", "c"))
ONE, OTHER = ".  .  .\nn! @  W!\n.  .  .\n", "@  .  .\nn! .  N!\n.  .  .\n"


@pytest.fixture
def corridor():
    return parse_task(DOMAIN, PROBLEM)


@pytest.fixture
def dead_end():
    return parse_task(DOMAIN, PROBLEM.replace("(next b c)", "(next c b)"))


@pytest.fixture
def paths(tmp_path):
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(DOMAIN)
    problem.write_text(PROBLEM)
    return domain, problem


def message(function, *arguments, **options) -> str:
    with pytest.raises(AssertionError) as caught:
        function(*arguments, **options)
    assert [str(entry.path) for entry in caught.traceback.filter(caught)] == [__file__], "no lines of the helper"
    return str(caught.value)


@pytest.mark.parametrize("planner", [None, "reference"])
def test_what_is_solvable(corridor, paths, planner):
    for subject in (corridor, paths, (str(paths[0]), str(paths[1]))):
        result = assert_solvable(subject, cost=2, planner=planner)
        assert (result.status, list(result.plan)) == (SOLVED_OPTIMALLY, [GO_AB, GO_BC])
    assert assert_solvable(Boxup.parse(ONE), cost=5, planner=planner).moves is not None


def test_what_is_not_solvable(dead_end):
    assert message(assert_solvable, dead_end, planner="reference") == (
        "reference proved that there is no plan: all reachable states were searched: there is no plan"
    )
    assert assert_unsolvable(dead_end, planner="reference").plan is None


def test_another_cost(corridor):
    assert message(assert_solvable, corridor, cost=3, planner="reference") == (
        "the plan should cost 3, but reference found a plan that costs 2, and none is cheaper:"
        "\n    (go a b)\n    (go b c)"
    )
    assert "costs 5, and none is cheaper:\n    " in message(
        assert_solvable, Boxup.parse(ONE), cost=4, planner="reference"
    )


def test_a_plan_where_there_should_be_none(corridor):
    assert message(assert_unsolvable, corridor, planner="reference") == (
        "there should be no plan, but reference found a plan that costs 2, and none is cheaper:"
        "\n    (go a b)\n    (go b c)"
    )


def test_no_answer_is_neither(corridor):
    for function in (assert_solvable, assert_unsolvable):
        said = message(function, corridor, planner="reference", limits=Limits(memory=1, held=0))
        assert said == "reference gave no answer (memout): the memory limit was reached while searching"


def test_long_plans_are_cut():
    objects = " ".join(f"x{number}" for number in range(60))
    steps = " ".join(f"(next x{number} x{number + 1})" for number in range(59))
    game = parse_task(
        DOMAIN, f"(define (problem p) (:domain corridor) (:objects {objects}) (:init (at x0) {steps}) (:goal (at x59)))"
    )
    lines = message(assert_unsolvable, game, planner="reference").splitlines()
    assert (len(lines), lines[-1].strip()) == (42, "... and 19 more")


def test_valid_plans(corridor, paths, tmp_path):
    for plan in (
        Plan((GO_AB, GO_BC)),
        [GO_AB, GO_BC],
        "(go a b) (go b c)",
        "(GO a b)\n(go b c)\n; cost = 2 (unit cost)\n",
    ):
        assert assert_valid(corridor, plan, cost=2).cost == 2
    file = tmp_path / "plan"
    file.write_text("(go a b)\n(go b c)\n")
    assert assert_valid(paths, file)
    level = Boxup.parse(ONE)
    assert assert_valid(level, assert_solvable(level, planner="reference").plan, cost=5)


def test_invalid_plans(corridor):
    assert message(assert_valid, corridor, [GO_AB, GO_AB]) == (
        "the plan is not valid: step 2, (go a b), is not applicable: (at a) is false\n"
        "the state before it: (at b) (seen b)"
    )
    assert message(assert_valid, corridor, [GO_AB]) == (
        "the plan is not valid: the goal is not reached: (at c) is false\nthe state at the end: (at b) (seen b)"
    )
    assert message(assert_valid, corridor, [GO_AB, GO_BC], cost=3) == (
        "the plan is valid and should cost 3, but it costs 2"
    )


def test_the_same_game(tmp_path):
    level = Boxup.parse(ONE)
    found = assert_same_game(level)
    assert (found.exhaustive, found.states, found.transitions) == (True, 140, 325)
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(write(level.task().domain))
    problem.write_text(write(level.task().problem))
    for pddl in (level.task(), domain, (str(domain), problem)):
        assert assert_same_game(level, pddl).states == 140
    assert not assert_same_game(level, max_states=10, partial=True).exhaustive


def test_a_part_is_no_proof():
    said = message(assert_same_game, Boxup.parse(ONE), max_states=10)
    assert said.startswith("no difference found: ")
    assert said.endswith("; max_states=10 does not suffice: raise it, or accept a part with partial=True")


def test_another_game(tmp_path):
    """Another level, and a domain in which one cannot simply walk."""
    level = Boxup.parse(ONE)
    said = message(assert_same_game, level, Boxup.parse(OTHER).task())
    assert said.startswith("rules and PDDL differ at the start\n  rules: ")
    assert said.endswith(f"the position there, by the rules:\n{level.draw()}")
    text = write(level.task().domain)
    domain = tmp_path / "domain.pddl"
    domain.write_text(text.replace("(:action walk", "(:action walk-no-more"))
    said = message(assert_same_game, level, domain)
    assert "PDDL:  an applicable action is not a move" in said


def test_subjects_of_another_kind():
    with pytest.raises(TypeError, match="expected a task, a pair of paths"):
        assert_solvable("domain.pddl")


@pytest.mark.parametrize("subject", [3, "ab", ("a",), ["a.pddl", "b.pddl"]])
def test_what_is_no_task_is_refused(subject):
    with pytest.raises(TypeError, match="expected a task, a pair of paths"):
        assert_solvable(subject)


def test_all_states_are_seen_where_there_are_no_more_than_allowed(corridor):
    assert [_Reached(corridor, most).complete for most in (2, 3, 4)] == [False, True, True]
