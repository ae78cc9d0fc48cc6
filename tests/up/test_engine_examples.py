"""unpuzzle as an engine of unified-planning on its own example problems, and on random tasks read by it."""

import random
import warnings

import pytest

from support.random_tasks import random_task
from unpuzzle import solve
from unpuzzle.pddl.writer import write

up = pytest.importorskip("unified_planning.shortcuts", reason="unified-planning is not installed")

from unified_planning.engines import ValidationResultStatus  # noqa: E402
from unified_planning.io import PDDLReader  # noqa: E402
from unified_planning.test.examples import get_example_problems  # noqa: E402

from support.up_problems import OPTIMAL, SOLVED, UNSOLVABLE, UNSUPPORTED, judge, planner  # noqa: E402
from unpuzzle.planners.external.up import Dialect  # noqa: E402
from unpuzzle.up import UnpuzzleEngine  # noqa: E402

EXAMPLES = get_example_problems()
TAKEN = sorted(name for name, case in EXAMPLES.items() if UnpuzzleEngine.supports(case.problem.kind))

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


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
    said = found.log_messages[0].message
    assert any(words in said for words in ("unpuzzle does not support", "cannot be translated", "is not Boolean"))


def test_random_tasks_by_way_of_unified_planning(monkeypatch):
    rng, count = random.Random(5), 0
    for number in range(12):
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
    assert count > 4
