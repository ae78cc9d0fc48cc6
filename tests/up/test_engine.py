"""unpuzzle as an engine of unified-planning: its three modes, its parameters, and how it is registered."""

import io
import subprocess
import sys
import warnings

import pytest

import unpuzzle
from unpuzzle import translators
from unpuzzle.base import outcomes
from unpuzzle.base.errors import UsageError
from unpuzzle.pddl.writer import write

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

from support.up_problems import OPTIMAL, SOLVED, planner, walk  # noqa: E402
from unpuzzle.planners.external.up import Dialect  # noqa: E402
from unpuzzle.up import STATUSES, UnpuzzleEngine  # noqa: E402

EXAMPLES = get_example_problems()

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


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
    domain, problem = pddl.write(puzzle.parse(puzzle.levels["15-hard"]).task())
    theirs = PDDLReader().parse_problem_string(domain, problem)
    with up.AnytimePlanner(name="unpuzzle") as anytime:
        answers = anytime.get_solutions(theirs, timeout=600)
        assert next(answers).status is PlanGenerationResultStatus.INTERMEDIATE
        answers.close()
        found = list(anytime.get_solutions(theirs, timeout=600))
    lengths = [len(answer.plan.actions) for answer in found]
    assert lengths[-1] == 50
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
    with pytest.raises(UsageError, match="unknown planner"):
        planner(planner="nonsense")


def test_every_status_has_a_word():
    assert set(STATUSES) == set(outcomes.STATUSES)


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
        problem = walk({"go!": lambda action, length: length(action.X, action.x)}, 5)  # its numbers are for costs only
        with up.OneshotPlanner(problem_kind=problem.kind, optimality_guarantee="SOLVED_OPTIMALLY") as chosen:
            assert chosen.name == "unpuzzle"
            assert chosen.solve(problem).status == OPTIMAL
            with pytest.raises(UPUsageError, match=r"no quality metrics|cannot establish"):
                chosen.solve(walk())
        with up.PlanValidator(problem_kind=problem.kind, plan_kind="SEQUENTIAL_PLAN") as chosen:
            assert chosen.name == "unpuzzle"
        with pytest.raises(Exception, match="No available engine"):
            up.OneshotPlanner(problem_kind=EXAMPLES["counter"].problem.kind)
    finally:
        environment.factory.preference_list = order


@pytest.mark.parametrize("change", ["condition", "increase", "assignment"])
def test_numbers_that_matter_are_not_in_the_supported_kind(change):
    problem = walk()
    fuel = up.Fluent("fuel", up.IntType())
    problem.add_fluent(fuel, default_initial_value=3)
    engine = UnpuzzleEngine()
    engine.skip_checks = True  # newer versions take numbers that nothing uses for a feature of the problem
    assert engine.solve(problem).plan is not None
    action = problem.action("when")
    if change == "condition":
        action.add_precondition(up.GE(fuel, 1))
    else:
        (action.add_increase_effect if change == "increase" else action.add_effect)(fuel, 1)
    assert {"INT_FLUENTS", "SIMPLE_NUMERIC_PLANNING"} <= problem.kind.features
    assert not UnpuzzleEngine.supports(problem.kind)
    assert not {"INT_FLUENTS", "SIMPLE_NUMERIC_PLANNING"} & UnpuzzleEngine.supported_kind().features


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
