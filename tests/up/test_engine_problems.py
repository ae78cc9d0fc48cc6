"""What problems of unified-planning may have: any names, costs, metrics, all kinds of conditions and effects."""

import warnings
from fractions import Fraction

import pytest

up = pytest.importorskip("unified_planning.shortcuts", reason="unified-planning is not installed")

from unified_planning.engines import ValidationResultStatus  # noqa: E402
from unified_planning.plans import ActionInstance  # noqa: E402

from support.up_problems import OPTIMAL, SOLVED, UNSOLVABLE, UNSUPPORTED, judge, planner, walk  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def test_any_names():
    problem = walk({"go!": 1, "when": 5})
    found = planner().solve(problem)
    assert [str(step) for step in found.plan.actions] == ["go!(A b, a_b)", "go!(a_b, ä)"]
    assert all(isinstance(step, ActionInstance) and step.action in problem.actions for step in found.plan.actions)


@pytest.mark.parametrize(
    ("costs", "default", "cost", "length"),
    [
        ({"when": 3}, 1, "2", 2),
        ({"when": Fraction(1, 3)}, Fraction(1, 2), "1/3", 1),
        ({"go!": lambda go, length: length(go.X, go.x), "when": 2}, None, "5/4", 2),
        ({"go!": lambda go, length: length(go.X, go.x) * 2 + 1, "when": 4}, None, "4", 1),
        ({"go!": lambda go, length: length(go.x, go.x), "when": 2}, None, "1", 2),
        ({"go!": 0}, 0, "0", None),
    ],
)
def test_costs(costs, default, cost, length):
    problem = walk(costs, default)
    found = planner().solve(problem)
    assert (found.status, found.metrics["cost"]) == (OPTIMAL, cost)
    assert length in (None, len(found.plan.actions))
    assert [str(value) for value in judge(problem, found.plan).metric_evaluations.values()] == [cost]
    with up.PlanValidator(name="unpuzzle") as validator:
        assert [str(value) for value in validator.validate(problem, found.plan).metric_evaluations.values()] == [cost]


@pytest.mark.parametrize(
    ("costs", "reason"),
    [
        ({"go!": -1, "when": 1}, "'go!' has a negative cost"),
        ({"go!": 1}, "'when' no cost"),
        ({"go!": lambda go, length: up.Div(1, up.Minus(length(go.X, go.x), Fraction(1, 2))), "when": 1}, "by zero"),
    ],
)
def test_costs_that_are_refused(costs, reason):
    found = planner().solve(walk(costs))
    assert found.status == UNSUPPORTED
    assert reason in found.log_messages[0].message


def test_length_is_a_metric():
    problem = walk()
    assert planner().solve(problem).status == SOLVED
    problem.add_quality_metric(up.MinimizeSequentialPlanLength())
    found = planner().solve(problem)
    assert (found.status, [step.action.name for step in found.plan.actions]) == (OPTIMAL, ["when"])
    problem.add_quality_metric(up.MinimizeActionCosts({}, 1))
    assert planner().solve(problem).status == UNSUPPORTED


def test_conditions_effects_and_defaults_of_all_kinds():
    thing, sub = up.UserType("object"), None
    sub = up.UserType("thing", thing)
    lit, odd, done = up.Fluent("lit", x=thing), up.Fluent("odd", x=thing, y=sub), up.Fluent("done")
    problem = up.Problem("kinds")
    problem.add_fluent(lit, default_initial_value=True)
    problem.add_fluent(odd, default_initial_value=True)
    problem.add_fluent(done, default_initial_value=False)
    things = [up.Object("t1", thing), up.Object("t2", sub), up.Object("t3", sub)]
    problem.add_objects(things)
    problem.set_initial_value(odd(things[0], things[1]), False)
    x, y = up.Variable("x", thing), up.Variable("y", sub)
    swap = up.InstantaneousAction("swap", x=sub)
    # The variable x hides nothing: it is another thing than the parameter of the same name.
    swap.add_precondition(up.Exists(up.And(up.Not(up.Equals(x, swap.x)), up.Iff(lit(x), lit(swap.x))), x))
    swap.add_effect(lit(x), up.Not(lit(x)), up.Or(up.Equals(x, swap.x), up.Not(odd(x, swap.x))), forall=[x])
    swap.add_effect(done, up.Forall(up.Implies(odd(swap.x, y), up.Not(lit(y))), y))
    problem.add_action(swap)
    problem.add_goal(done)
    problem.add_goal(up.Not(lit(things[0])))
    before = dict(problem.explicit_initial_values)
    found = planner().solve(problem)
    assert found.status == SOLVED
    assert judge(problem, found.plan).status == ValidationResultStatus.VALID
    assert problem.explicit_initial_values == before
    with up.OneshotPlanner(name="unpuzzle", params={"planner": "reference"}) as slow:
        assert slow.solve(problem).metrics["cost"] == found.metrics["cost"]


def test_false_conditions():
    problem = walk()
    problem.add_goal(up.FALSE())
    assert planner().solve(problem).status == UNSOLVABLE


def test_deep_conditions_are_no_crash():
    problem = walk()
    deep = up.Not(problem.goals[0])
    for _ in range(3000):
        deep = up.And(problem.goals[0], up.Not(deep))
    problem.add_goal(deep)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert planner().solve(problem).status in (SOLVED, UNSOLVABLE, UNSUPPORTED)
