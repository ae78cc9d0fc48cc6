"""unpuzzle asked by unified-planning: a planner, a judge of plans, and a problem whose names no PDDL could have."""

from fractions import Fraction
from itertools import pairwise

import pytest

up = pytest.importorskip("unified_planning.shortcuts", reason="unified-planning is not installed")

from unified_planning.engines import PlanGenerationResultStatus  # noqa: E402

SOLVED, OPTIMAL = PlanGenerationResultStatus.SOLVED_SATISFICING, PlanGenerationResultStatus.SOLVED_OPTIMALLY
UNSOLVABLE, UNSUPPORTED = PlanGenerationResultStatus.UNSOLVABLE_PROVEN, PlanGenerationResultStatus.UNSUPPORTED_PROBLEM


def planner(**params):
    return up.OneshotPlanner(name="unpuzzle", params=params)


def judge(problem, plan):
    """The verdict of unified-planning's own validator."""
    with up.PlanValidator(name="sequential_plan_validator") as validator:
        return validator.validate(problem, plan)


def walk(costs=None, default=None):
    """Towns on a line, one way: the plan is `go a b`, `go b c`; with a short cut of its own action."""
    town = up.UserType("Town")
    at, road = up.Fluent("At", x=town), up.Fluent("road", x=town, y=town)
    length = up.Fluent("length", up.RealType(), x=town, y=town)
    towns = [up.Object(name, town) for name in ("A b", "a_b", "ä")]
    go = up.InstantaneousAction("go!", X=town, x=town)
    go.add_precondition(at(go.X))
    go.add_precondition(road(go.X, go.x))
    go.add_effect(at(go.X), False)
    go.add_effect(at(go.x), True)
    fly = up.InstantaneousAction("when")
    fly.add_effect(at(towns[2]), True)
    problem = up.Problem("walk")
    problem.add_fluents([at, road])
    problem.add_fluent(length, default_initial_value=Fraction(1, 2))
    problem.fluents_defaults.update({at: up.FALSE(), road: up.FALSE()})
    problem.add_actions([go, fly])
    problem.add_objects(towns)
    problem.set_initial_value(at(towns[0]), True)
    for start, end in pairwise(towns):
        problem.set_initial_value(road(start, end), True)
    problem.set_initial_value(length(towns[1], towns[2]), Fraction(3, 4))
    problem.add_goal(at(towns[2]))
    if costs is not None or default is not None:
        by_action = {
            problem.action(name): cost(problem.action(name), length) if callable(cost) else cost
            for name, cost in (costs or {}).items()
        }
        problem.add_quality_metric(up.MinimizeActionCosts(by_action, default))
    return problem
