"""Tasks and plans as objects of unified-planning: what is kept, what is refused, and how much of it is what it was."""

from fractions import Fraction
from random import Random

import pytest

up = pytest.importorskip("unified_planning.shortcuts", reason="unified-planning is not installed")

from unified_planning.environment import Environment  # noqa: E402
from unified_planning.plans import PartialOrderPlan  # noqa: E402

from support.exchanged import ADL, CHILD_FIRST, DIAMOND, TWICE, repeats_parameters  # noqa: E402
from support.random_tasks import random_task  # noqa: E402
from support.roads import COSTS, DERIVED, NAMES, NOWHERE, ODD, UNIT  # noqa: E402
from support.thorough import at_most  # noqa: E402
from support.up_problems import walk  # noqa: E402
from unpuzzle import solve  # noqa: E402
from unpuzzle.base.errors import ParseError, UnsupportedFeature  # noqa: E402
from unpuzzle.interop import (  # noqa: E402
    from_unified_planning,
    plan_from_unified_planning,
    plan_to_unified_planning,
    to_unified_planning,
)
from unpuzzle.pddl import parse_plan, parse_task, validate  # noqa: E402
from unpuzzle.pddl.normal_form import normal_form  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def test_what_a_task_is_there():
    problem = to_unified_planning(COSTS, environment=Environment())
    assert (problem.name, problem.domain_name) == ("p", "roads")
    assert [each.name for each in problem.user_types] == ["town"]
    assert [str(each.type) for each in problem.fluents] == ["bool", "bool", "integer"]
    assert [each.name for each in problem.all_objects] == ["a", "b", "c", "d"]
    [metric] = problem.quality_metrics
    assert [str(metric.get_action_cost(each)) for each in problem.actions] == ["length(x, y)", "20", "1"]
    assert len([value for value in problem.explicit_initial_values.values() if value.is_true()]) == 5


def test_a_task_comes_back_as_it_was():
    assert from_unified_planning(to_unified_planning(UNIT.__class__(ADL.domain, ADL.problem))).problem == ADL.problem
    back = from_unified_planning(to_unified_planning(COSTS))
    assert back.problem == COSTS.problem
    assert (back.domain.types, back.domain.predicates, back.domain.functions) == (
        COSTS.domain.types, COSTS.domain.predicates, COSTS.domain.functions,
    )  # fmt: skip
    assert back != COSTS  # it says 20, not 5 and 15
    assert normal_form(back) == normal_form(COSTS)


@pytest.mark.parametrize("task", [COSTS, UNIT, NOWHERE, ADL], ids=["costs", "unit", "nowhere", "adl"])
def test_it_means_the_same(task):
    back = from_unified_planning(to_unified_planning(task))
    assert normal_form(back) == normal_form(task)
    here, there = solve(task, "reference"), solve(back, "reference")
    assert (here.status, here.cost) == (there.status, there.cost)
    if here.plan is not None:
        assert validate(back, here.plan).cost == here.cost


def test_types_before_their_parents():
    back = from_unified_planning(to_unified_planning(CHILD_FIRST, environment=Environment()))
    assert [(each.name, each.types) for each in back.domain.types] == [("c", ("object",)), ("b", ("c",)), ("a", ("b",))]


@pytest.mark.parametrize("seed", range(at_most(200)))
def test_random_tasks(seed):
    task = random_task(Random(seed), axioms=False, costs=range(4) if seed % 4 else None)
    if repeats_parameters(task):
        with pytest.raises(UnsupportedFeature, match="occurs twice"):
            to_unified_planning(task, environment=Environment())
    else:
        assert normal_form(from_unified_planning(to_unified_planning(task, environment=Environment()))) == normal_form(
            task
        )


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (DERIVED, "no derived predicates"),
        (ODD, "'object' and|allows no name twice|either|several"),
        (NAMES, "allows no name twice: 'o_1-1' is a predicate and an object"),
        (DIAMOND, "one parent for a type; 'c' has several"),
        (TWICE, "a parameter of the action 'a' occurs twice"),
        (parse_task("(define (domain d) (:types t) (:predicates (p ?x - t)) "
                    "(:action a :parameters (?x - object) :precondition (p ?x) :effect (not (p ?x))))",
                    "(define (problem p) (:domain d) (:init) (:goal (and)))"), "unified-planning refuses the task"),
    ],
)  # fmt: skip
def test_what_it_cannot_say(task, reason):
    with pytest.raises(UnsupportedFeature, match=reason) as caught:
        to_unified_planning(task, environment=Environment())
    assert caught.value.feature


def test_shared_names_where_the_environment_allows_them():
    environment = Environment()
    environment.error_used_name = False
    with pytest.warns(UserWarning, match="already defined"):
        problem = to_unified_planning(NAMES, environment=environment)
    assert normal_form(from_unified_planning(problem)) == normal_form(NAMES)


def test_hidden_variables_and_effects_on_nothing():
    task = parse_task(
        """(define (domain d) (:types t nobody) (:predicates (p ?x - t) (q ?x - t))
  (:action a :parameters (?x - t) :precondition (forall (?x - t) (exists (?x - t) (p ?x)))
    :effect (and (forall (?x - t) (when (p ?x) (forall (?x - t) (q ?x)))) (forall (?n - nobody) (not (p ?x))))))""",
        "(define (problem p) (:domain d) (:objects o) (:init) (:goal (and)))".replace("o)", "o - t)"),
    )
    problem = to_unified_planning(task, environment=Environment())
    [effect] = problem.actions[0].effects
    assert (str(effect.fluent), str(effect.condition), [each.name for each in effect.forall]) == (
        "q(x-3)", "p(x-2)", ["x-2", "x-3"],
    )  # fmt: skip
    assert normal_form(from_unified_planning(problem)) == normal_form(task)


def test_names_that_pddl_cannot_say():
    with pytest.raises(UnsupportedFeature, match="'A b' cannot be a name in PDDL"):
        from_unified_planning(walk())


def test_names_that_differ_in_capitals():
    problem = up.Problem("p")
    for name in ("Lit", "lit"):
        problem.add_fluent(name, default_initial_value=False)
    with pytest.raises(UnsupportedFeature, match="'Lit' and 'lit' are the same name"):
        from_unified_planning(problem)


def lit_problem():
    problem = up.Problem("Lights: 1")
    lit, level = up.Fluent("Lit"), up.Fluent("level", up.IntType())
    problem.add_fluent(lit, default_initial_value=False)
    problem.add_fluent(level, default_initial_value=0)
    switch = up.InstantaneousAction("Switch")
    switch.add_effect(lit, True)
    problem.add_action(switch)
    problem.add_goal(lit)
    return problem, lit, level, switch


def test_names_in_small_letters_and_names_that_mean_nothing():
    problem, *_ = lit_problem()
    task = from_unified_planning(problem)
    assert (task.problem.name, task.domain.name) == ("lights__1", "lights__1")
    result = solve(task)
    theirs = plan_to_unified_planning(result.plan, problem)
    assert [step.action.name for step in theirs.actions] == ["Switch"]
    assert plan_from_unified_planning(theirs) == result.plan


def maximize(problem, lit, level, switch):
    problem.add_quality_metric(up.MaximizeExpressionOnFinalState(level))


def costing(cost):
    return lambda problem, lit, level, switch: problem.add_quality_metric(up.MinimizeActionCosts({switch: cost}))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda problem, lit, level, switch: problem.add_goal(up.GE(level, 1)), "the condition"),
        (
            lambda problem, lit, level, switch: switch.add_increase_effect(level, 1),
            "changes a fluent that is not Boolean",
        ),
        (lambda problem, lit, level, switch: problem.add_action(up.DurativeAction("slow")), "continuous time"),
        (lambda problem, lit, level, switch: problem.add_timed_goal(up.GlobalStartTiming(5), lit), "time"),
        (lambda problem, lit, level, switch: problem.add_trajectory_constraint(up.Sometime(lit)), "trajectory"),
        (lambda problem, lit, level, switch: problem.add_fluent("who", up.UserType("person")), "object fluents"),
        (maximize, "final"),
        (costing(Fraction(1, 3)), "whole numbers"),
        (costing(-1), "negative"),
    ],
)
def test_what_a_task_cannot_say(change, reason):
    problem, *parts = lit_problem()
    change(problem, *parts)
    with pytest.raises(UnsupportedFeature, match=reason):
        from_unified_planning(problem)


def test_costs_that_are_computed():
    problem, lit, level, switch = lit_problem()
    wire = up.Fluent("wire", up.IntType(), lamp=up.UserType("lamp"))
    problem.add_fluent(wire, default_initial_value=2)
    problem.add_object("l1", up.UserType("lamp"))
    mend = up.InstantaneousAction("mend", lamp=up.UserType("lamp"))
    mend.add_effect(lit, True)
    problem.add_action(mend)
    problem.add_quality_metric(up.MinimizeActionCosts({mend: up.Times(wire(mend.lamp), 3), switch: up.Plus(level, 7)}))
    task = from_unified_planning(problem)
    assert {str(value.term): value.number for value in task.problem.values} == {
        "(level)": 0, "(wire l1)": 2, "(cost_of_mend l1)": 6,
    }  # fmt: skip
    assert [str(part.amount) for part in task.domain.actions[0].effect.operands[1:]] == ["(level)", "7"]
    assert str(solve(task).plan.steps[0]) == "(mend l1)"


def test_plans():
    task = UNIT
    problem, plan = to_unified_planning(task), solve(task).plan
    theirs = plan_to_unified_planning(plan, problem)
    assert len(theirs.actions) == len(plan)
    assert plan_from_unified_planning(theirs) == plan
    for text, reason in (("(fyl a b)", "did you mean 'fly'"), ("(fly a x)", "no object 'x'"), ("(fly a)", "takes 2")):
        with pytest.raises(ParseError, match=reason):
            plan_to_unified_planning(parse_plan(text), problem)
    partial = PartialOrderPlan({each: [] for each in theirs.actions})
    with pytest.raises(UnsupportedFeature, match="not a partial order plan"):
        plan_from_unified_planning(partial)
