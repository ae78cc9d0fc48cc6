"""unpuzzle as an engine of unified-planning: its own example problems, what they do not have, and the three modes."""

import io
import random
import subprocess
import sys
import warnings
from fractions import Fraction
from itertools import pairwise

import pytest

import unpuzzle
from unpuzzle import result, solve, translators
from unpuzzle.errors import ParseError
from unpuzzle.pddl.writer import write
from unpuzzle.testing.random_tasks import random_task

up = pytest.importorskip("unified_planning.shortcuts", reason="unified-planning is not installed")

from unified_planning.engines import (  # noqa: E402
    AnytimeGuarantee,
    OptimalityGuarantee,
    PlanGenerationResultStatus,
    ValidationResultStatus,
)
from unified_planning.engines.results import FailedValidationReason  # noqa: E402
from unified_planning.environment import Environment  # noqa: E402
from unified_planning.exceptions import UPUsageError  # noqa: E402
from unified_planning.io import PDDLReader  # noqa: E402
from unified_planning.plans import ActionInstance, SequentialPlan  # noqa: E402
from unified_planning.test.examples import get_example_problems  # noqa: E402

from unpuzzle.planners.external.up.dialect import Dialect  # noqa: E402
from unpuzzle.up.engine import STATUSES, UnpuzzleEngine  # noqa: E402

SOLVED, OPTIMAL = PlanGenerationResultStatus.SOLVED_SATISFICING, PlanGenerationResultStatus.SOLVED_OPTIMALLY
UNSOLVABLE, UNSUPPORTED = PlanGenerationResultStatus.UNSOLVABLE_PROVEN, PlanGenerationResultStatus.UNSUPPORTED_PROBLEM
EXAMPLES = get_example_problems()
TAKEN = sorted(name for name, case in EXAMPLES.items() if UnpuzzleEngine.supports(case.problem.kind))

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(autouse=True)
def registered():
    up.get_environment().credits_stream = sys.stdout
    unpuzzle.register()


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


# --- unified-planning's own examples ------------------------------------------------------------------------------


def test_enough_examples_are_taken():
    assert len(TAKEN) > 15


@pytest.mark.parametrize("name", TAKEN)
def test_examples(name, capsys):
    case = EXAMPLES[name]
    found = planner().solve(case.problem, timeout=60)
    if not case.solvable:
        assert (found.status, found.plan) == (UNSOLVABLE, None)
    else:
        assert found.status == (OPTIMAL if case.problem.quality_metrics else SOLVED)
        verdict = judge(case.problem, found.plan)
        assert verdict.status == ValidationResultStatus.VALID
        if case.problem.quality_metrics:
            assert [str(value) for value in verdict.metric_evaluations.values()] == [found.metrics["cost"]]
            assert case.optimum is None or str(case.optimum) == found.metrics["cost"]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", TAKEN)
def test_plans_of_the_examples_are_judged_alike(name):
    case = EXAMPLES[name]
    with up.PlanValidator(name="unpuzzle") as validator:
        for plan in (*case.valid_plans, *case.invalid_plans):
            ours, theirs = validator.validate(case.problem, plan), judge(case.problem, plan)
            assert (ours.status, ours.reason) == (theirs.status, theirs.reason)
            assert ours.metric_evaluations == theirs.metric_evaluations


@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - set(TAKEN)))
def test_other_examples_are_refused_in_words(name):
    problem = EXAMPLES[name].problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = planner().solve(problem)
        # Nothing of ours may be taken for an answer where unified-planning's checks are switched off.
        unchecked = UnpuzzleEngine()
        unchecked.skip_checks = True
        assert unchecked.solve(problem).status == UNSUPPORTED
    assert (found.status, found.plan) == (UNSUPPORTED, None)
    assert "unpuzzle does not support" in found.log_messages[0].message


def test_random_tasks_by_way_of_unified_planning(monkeypatch):
    rng, count = random.Random(5), 0
    for number in range(60):
        task = random_task(rng, axioms=False, either=number % 4 == 0, costs=range(4) if number % 3 else None)
        manager = up.get_environment().type_manager
        with monkeypatch.context() as patch:
            patch.setattr(manager, "RealType", manager.IntType)
            problem = PDDLReader().parse_problem_string(*write(Dialect(task).task))
        for fluent in problem.fluents:
            if fluent.type.is_int_type():
                problem.fluents_defaults.setdefault(fluent, up.Int(0))
        expected, found = solve(task, "reference"), planner().solve(problem)
        assert (found.plan is None) == (expected.plan is None)
        if found.plan is not None:
            count += 1
            assert found.metrics["cost"] == str(expected.cost)
            assert judge(problem, found.plan).status == ValidationResultStatus.VALID
    assert count > 20


# --- what problems may have ---------------------------------------------------------------------------------------


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


# --- modes --------------------------------------------------------------------------------------------------------


def test_anytime():
    problem = walk({"when": 5}, 1)
    with up.AnytimePlanner(name="unpuzzle") as anytime:
        *before, last = anytime.get_solutions(problem, timeout=60)
    assert last.status is OPTIMAL
    assert {found.status for found in before} <= {PlanGenerationResultStatus.INTERMEDIATE}


def test_anytime_plans_become_better_and_cost_nothing_when_nobody_asks():
    from unpuzzle import pddl, translators

    puzzle = translators.find("sliding-tiles")
    domain, problem = pddl.write(puzzle.parse(puzzle.levels["15-easy"]).task())
    theirs = PDDLReader().parse_problem_string(domain, problem)
    with up.AnytimePlanner(name="unpuzzle") as anytime:
        answers = anytime.get_solutions(theirs, timeout=600)
        assert next(answers).status is PlanGenerationResultStatus.INTERMEDIATE
        answers.close()
        found = list(anytime.get_solutions(theirs, timeout=600))
    lengths = [len(answer.plan.actions) for answer in found]
    assert lengths[-1] == 18
    assert len(found) > 2
    assert lengths == sorted(lengths, reverse=True)


def test_what_is_ensured():
    assert UnpuzzleEngine.ensures(AnytimeGuarantee.INCREASING_QUALITY)
    assert not UnpuzzleEngine.ensures(AnytimeGuarantee.OPTIMAL_PLANS)
    assert all(UnpuzzleEngine.satisfies(guarantee) for guarantee in OptimalityGuarantee)


def test_invalid_plans():
    problem, other = walk(), walk()
    a, b, c = problem.all_objects
    go = problem.action("go!")

    def verdict(*steps):
        with up.PlanValidator(name="unpuzzle") as validator:
            return validator.validate(problem, SequentialPlan([ActionInstance(*step) for step in steps]))

    def objects(*given):
        return tuple(up.ObjectExp(each) for each in given)

    assert verdict((go, objects(a, b)), (go, objects(b, c))).status == ValidationResultStatus.VALID
    short = verdict((go, objects(a, b)))
    assert (short.status, short.reason) == (ValidationResultStatus.INVALID, FailedValidationReason.UNSATISFIED_GOALS)
    wrong = verdict((go, objects(a, b)), (go, objects(c, b)))
    assert wrong.reason == FailedValidationReason.INAPPLICABLE_ACTION
    assert str(wrong.inapplicable_action) == "go!(ä, a_b)"
    assert "step 2" in wrong.log_messages[0].message
    foreign = up.InstantaneousAction("go!")
    assert verdict((foreign, ())).reason == FailedValidationReason.INAPPLICABLE_ACTION
    assert verdict((other.action("when"), ())).status == ValidationResultStatus.VALID  # equal, so the same


def test_plans_of_what_is_not_supported_are_not_judged():
    name = next(name for name in ("basic_tils", "counter", "robot") if name in EXAMPLES)
    case = EXAMPLES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine = UnpuzzleEngine()
        engine.error_on_failed_checks = False
        assert engine.validate(case.problem, case.valid_plans[0]).status == ValidationResultStatus.UNKNOWN


def test_time_limit_and_stream(seconds_per_look):
    tiles = translators.find("sliding-tiles")
    task = tiles.parse(tiles.levels["8-harder"]).task()
    problem = PDDLReader().parse_problem_string(*write(Dialect(task).task))
    stream = io.StringIO()
    engine = planner(planner="reference")
    found = engine.solve(problem, timeout=100, output_stream=stream)
    assert found.status == PlanGenerationResultStatus.TIMEOUT
    assert "time limit" in stream.getvalue()
    assert engine.solve(problem, timeout=0).status == PlanGenerationResultStatus.TIMEOUT


def test_own_heuristics_are_not_used():
    with pytest.warns(UserWarning, match="heuristics"):
        assert planner().solve(walk(), heuristic=lambda state: 0.0).status == SOLVED


def test_parameters():
    assert planner(planner="reference", memory_limit=1 << 32).solve(walk()).status == SOLVED
    with pytest.raises(ParseError, match="unknown planner"):
        planner(planner="nonsense")


def test_every_status_has_a_word():
    assert set(STATUSES) == set(result.STATUSES)


# --- registration -------------------------------------------------------------------------------------------------


def test_registering_twice_is_harmless():
    environment = Environment()
    assert "unpuzzle" not in environment.factory.engines
    unpuzzle.register(environment)
    before = list(environment.factory.preference_list)
    unpuzzle.register(environment)
    assert environment.factory.preference_list == before
    assert before.count("unpuzzle") == 1


def test_chosen_by_kind():
    environment = up.get_environment()
    order = environment.factory.preference_list
    environment.factory.preference_list = ["unpuzzle"]
    try:
        problem = walk({"when": 5}, 1)
        with up.OneshotPlanner(problem_kind=problem.kind, optimality_guarantee="SOLVED_OPTIMALLY") as chosen:
            assert chosen.name == "unpuzzle"
            assert chosen.solve(problem).status == OPTIMAL
            with pytest.raises(UPUsageError, match="no quality metrics"):
                chosen.solve(walk())
        with up.PlanValidator(problem_kind=problem.kind, plan_kind="SEQUENTIAL_PLAN") as chosen:
            assert chosen.name == "unpuzzle"
        with pytest.raises(Exception, match="No available engine"):
            up.OneshotPlanner(problem_kind=EXAMPLES["counter"].problem.kind)
    finally:
        environment.factory.preference_list = order


def test_the_registered_engine_serves_oversubscription():
    problem = walk()
    problem.clear_goals()
    at, towns = problem.fluent("At"), problem.all_objects
    problem.add_quality_metric(up.Oversubscription({at(towns[1]): 5, at(towns[2]): 3}))
    with up.OneshotPlanner(name="oversubscription[unpuzzle]") as chosen:
        found = chosen.solve(problem)
    assert found.status == OPTIMAL
    assert {step.action.name for step in found.plan.actions} == {"go!", "when"}


def test_quiet_and_late():
    code = """if True:
        import sys, unpuzzle
        assert "unified_planning" not in sys.modules
        unpuzzle.register()
        from unified_planning.shortcuts import OneshotPlanner, Problem, Fluent
        p = Problem("p"); f = Fluent("f"); p.add_fluent(f, default_initial_value=True); p.add_goal(f)
        assert OneshotPlanner(name="unpuzzle").solve(p).plan.actions == []
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
