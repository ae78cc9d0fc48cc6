"""Validation: what it says about each kind of fault, and that unified-planning's validator agrees."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.data import IPC, needs_ipc
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.reading.reader import parse_task, read
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.validation import Validation, validate
from unpuzzle.planners.reference import Reference

DOMAIN = """(define (domain rooms)
    (:types room ball)
    (:predicates (at ?r - room) (door ?a ?b - room) (in ?b - ball ?r - room) (holding ?b - ball) (seen ?r - room))
    (:functions (total-cost) (length ?a ?b - room))
    (:derived (seen ?r - room) (exists (?b - ball) (in ?b ?r)))
    (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b))
        :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b))))
    (:action take :parameters (?b - ball ?r - room)
        :precondition (and (at ?r) (in ?b ?r) (forall (?o - ball) (not (holding ?o))))
        :effect (and (not (in ?b ?r)) (holding ?b)))
    (:action put :parameters (?b - ball ?r - room) :precondition (and (at ?r) (holding ?b))
        :effect (and (in ?b ?r) (not (holding ?b)) (increase (total-cost) 1))))"""
PROBLEM = """(define (problem one) (:domain rooms)
    (:objects hall study attic - room red blue - ball)
    (:init (at hall) (door hall study) (door study hall) (door study attic) (in red study) (in blue study)
        (= (length hall study) 3) (= (length study hall) 4))
    (:goal (and (in red hall) (not (seen attic))))
    (:metric minimize (total-cost)))"""
GOOD = "(go hall study) (take red study) (go study hall) (put red hall)"


def plan(text: str) -> Plan:
    lines = [part.strip(" ()") for part in text.split(")") if part.strip()]
    return Plan(tuple(GroundAction(words[0], tuple(words[1:])) for words in (line.split() for line in lines)))


@pytest.fixture(scope="module")
def rooms() -> Task:
    return parse_task(DOMAIN, PROBLEM)


def test_a_valid_plan(rooms):
    verdict = validate(rooms, plan(GOOD))
    assert verdict
    assert (verdict.valid, verdict.cost, verdict.step, verdict.reason) == (True, 8, None, "")
    assert str(verdict) == "the plan is valid, its cost is 8"
    assert Semantics(rooms).solved(verdict.state)
    assert validate(Semantics(rooms), list(plan(GOOD))).valid


@pytest.mark.parametrize(
    ("steps", "step", "cost", "reason"),
    [
        ("(go hall attic)", 1, 0, "step 1, (go hall attic), is not applicable: (door hall attic) is false (static: no"),
        ("(go hall study) (go hall study)", 2, 3, "step 2, (go hall study), is not applicable: (at hall) is false"),
        (
            "(go hall study) (take red study) (take blue study)",
            3,
            3,
            "for ?o = red: (holding red) is true, but must be",
        ),
        ("(go hall study) (put red study)", 2, 3, "step 2, (put red study), is not applicable: (holding red) is false"),
        ("(go hall study) (tak red study)", 2, 3, "step 2: unknown action 'tak', did you mean 'take'?"),
        ("(go hall)", 1, 0, "step 1: (go hall) has 1 argument, but 'go' takes 2 arguments"),
        ("(go hall studio)", 1, 0, "step 1: unknown object 'studio' in (go hall studio)"),
        ("(go hall studi)", 1, 0, "did you mean 'study'?"),
        ("(go hall red)", 1, 0, "step 1: 'red' in (go hall red) is not of type room, as ?b must be"),
        ("", None, 0, "the goal is not reached: (in red hall) is false"),
        ("(go hall study) (go study hall)", None, 7, "the goal is not reached: (in red hall) is false"),
    ],
)
def test_what_is_said_about_faults(rooms, steps, step, cost, reason):
    verdict = validate(rooms, plan(steps))
    assert not verdict
    assert (verdict.valid, verdict.step, verdict.cost) == (False, step, cost)
    assert reason in verdict.reason
    assert str(verdict) == f"the plan is not valid: {verdict.reason}"


def test_a_cost_that_the_task_does_not_define_is_a_fault_of_the_task(rooms):
    """Not of the plan: that would be a verdict on a file that has none."""
    with pytest.raises(
        ParseError, match=r"\(go study attic\) can be applied, but its cost \(length study attic\) has no"
    ):
        validate(rooms, plan("(go hall study) (go study attic)"))


def test_the_state_before_the_failing_step_is_kept(rooms):
    semantics = Semantics(rooms)
    bad = plan("(go hall study) (take red study) (take blue study)")
    before = semantics.apply(semantics.apply(semantics.initial, bad.steps[0]), bad.steps[1])
    assert validate(rooms, bad).state == before


def test_a_negated_derived_goal_is_named(rooms):
    """The walk to the attic has no cost in this task, so it is put on the plain one."""
    problem = PROBLEM.replace("(= (length study hall) 4)", "(= (length study hall) 4) (= (length study attic) 1)")
    game = parse_task(DOMAIN, problem.replace("(in red hall) (not", "(not"))
    steps = plan("(go hall study) (take red study) (go study attic) (put red attic)")
    assert validate(game, steps).reason == "the goal is not reached: (seen attic) is true, but must be false"


def test_already_solved():
    game = parse_task(DOMAIN, PROBLEM.replace("(in red hall) (not", "(not"))
    verdict = validate(game, Plan())
    assert (verdict.valid, verdict.cost) == (True, 0)


@settings(max_examples=at_most(60), deadline=None)
@given(st.integers(min_value=0, max_value=2**32))
def test_what_the_reference_planner_finds_is_valid(seed):
    game = random_task(Random(seed))
    result = Reference().solve(game)
    if result.plan is not None:
        verdict = validate(game, result.plan)
        assert (verdict.valid, verdict.cost) == (True, result.cost)


def variants(steps: tuple[GroundAction, ...], foreign: list[GroundAction]) -> list[tuple[GroundAction, ...]]:
    """The plan with one step dropped, doubled, swapped with the next, or with a foreign one before it."""
    found = [steps]
    for i, step in enumerate(steps):
        found.append(steps[:i] + steps[i + 1 :])
        found.append((*steps[:i], step, *steps[i:]))
        if i + 1 < len(steps):
            found.append((*steps[:i], steps[i + 1], step, *steps[i + 2 :]))
        found.append((*steps[:i], foreign[i % len(foreign)], *steps[i:]))
    return found


@needs_ipc
@pytest.mark.parametrize(
    "name",
    [
        "blocks/probBLOCKS-4-0",
        "gripper/prob01",
        "miconic-simpleadl/s3-1",
        "pegsol-opt11-strips/p01",
        "schedule/probschedule-2-0",
    ],
)
def test_unified_planning_agrees(name):
    """Valid or not, for a plan and all its small faults; among them are both kinds."""
    directory = IPC / name
    game = read(directory / "domain.pddl", directory / "problem.pddl")
    result = Reference().solve(game)
    semantics = Semantics(game)
    foreign = list(semantics.applicable(semantics.initial))
    verdicts = [(steps, validate(semantics, steps)) for steps in variants(result.plan.steps, foreign)]
    assert verdicts[0][1].valid
    assert not all(verdict.valid for _, verdict in verdicts)
    judge = judged_elsewhere(directory)
    for steps, verdict in verdicts:
        assert judge(steps) == verdict.valid, f"{' '.join(map(str, steps))}: {verdict}"


def judged_elsewhere(directory: Path):
    """unified-planning's validator for one task."""
    from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus
    from unified_planning.environment import get_environment
    from unified_planning.io import PDDLReader
    from unified_planning.plans import ActionInstance, SequentialPlan

    get_environment().credits_stream = None
    problem = PDDLReader().parse_problem(str(directory / "domain.pddl"), str(directory / "problem.pddl"))

    def judge(steps: tuple[GroundAction, ...]) -> bool:
        manager = problem.environment.expression_manager
        instances = [
            ActionInstance(
                problem.action(step.name), tuple(manager.ObjectExp(problem.object(name)) for name in step.arguments)
            )
            for step in steps
        ]
        verdict = SequentialPlanValidator().validate(problem, SequentialPlan(instances))
        return verdict.status == ValidationResultStatus.VALID

    return judge


def test_a_verdict_is_a_value_without_its_state_in_json():
    verdict = Validation(True, 3, None, "", frozenset())
    assert verdict == Validation(True, 3, None, "", frozenset()) != verdict.replace(cost=4)
    assert verdict.to_dict() == {
        "schema": "unpuzzle/validation/1", "valid": True, "cost": 3, "step": None, "reason": "",
        "false": [], "missing": [],
    }  # fmt: skip
    with pytest.raises(AttributeError, match="immutable"):
        verdict.cost = 4


@pytest.mark.parametrize("text", ["(go a b)", b"(go a b)"])
def test_a_text_is_no_plan(text: str | bytes) -> None:
    with pytest.raises(UsageError, match="not a text"):
        validate(random_task(Random(1)), text)  # type: ignore[arg-type]


def test_a_precondition_that_no_step_changed_says_so() -> None:
    task = parse_task(
        "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :precondition (p) :effect (and (q) (p))))",
        "(define (problem x) (:domain d) (:init) (:goal (q)))",
    )
    (part,) = validate(task, [GroundAction("a", ())]).false
    assert str(part) == "(p) is false; it was so at the start, and no step before changed it"
