"""Tasks and plans as objects of tarski: what is kept, what is refused."""

from random import Random

import pytest

pytest.importorskip("tarski", reason="tarski is not installed")

from tarski import fstrips
from tarski.syntax import forall, land, lor, neg
from tarski.theories import Theory

from support.exchanged import ADL, CHILD_FIRST, DIAMOND, TWICE, repeats_parameters
from support.hiding import hide
from support.random_tasks import random_task
from support.roads import COSTS, DERIVED, NAMES, NOWHERE, ODD, UNIT
from support.thorough import at_most
from unpuzzle import solve
from unpuzzle.base.errors import DependencyMissing, ParseError, UnsupportedFeature
from unpuzzle.interop import from_tarski, plan_from_tarski, plan_to_tarski, to_tarski
from unpuzzle.pddl import Plan, parse_plan, parse_task, validate
from unpuzzle.pddl.normal_form import normal_form


def test_what_a_task_is_there():
    problem = to_tarski(COSTS)
    assert (problem.name, problem.domain_name) == ("p", "roads")
    assert [str(each.symbol) for each in problem.language.constants()] == ["a", "b", "c", "d"]
    assert {name: str(action.cost) for name, action in problem.actions.items()} == {
        "go": "length(?x, ?y)", "fly": "20", "rest": "1",
    }  # fmt: skip
    assert str(problem.plan_metric.opt_expression) == "total-cost()"
    assert len(problem.init.as_atoms()) == 5 + 4 + 1


@pytest.mark.parametrize(
    "task", [COSTS, UNIT, NOWHERE, ADL, DERIVED], ids=["costs", "unit", "nowhere", "adl", "derived"]
)
def test_it_means_the_same(task):
    back = from_tarski(to_tarski(task))
    assert normal_form(back) == normal_form(task)
    assert (back.problem.name, back.domain.name) == (task.problem.name, task.domain.name)
    here, there = solve(task, "reference"), solve(back, "reference")
    assert (here.status, here.cost) == (there.status, there.cost)
    if here.plan is not None:
        assert validate(back, here.plan).cost == here.cost


def test_axioms_of_one_predicate_with_variables_of_other_names():
    task = parse_task(
        """(define (domain d) (:predicates (p ?x) (q ?x) (r ?x ?y))
  (:derived (p ?x) (q ?x)) (:derived (p ?a) (exists (?x) (r ?a ?x)))
  (:action a :parameters (?x) :precondition (p ?x) :effect (q ?x)))""",
        "(define (problem p) (:domain d) (:objects o) (:init (r o o)) (:goal (q o)))",
    )
    assert normal_form(from_tarski(to_tarski(task))) == normal_form(task)


def test_types_before_their_parents():
    back = from_tarski(to_tarski(CHILD_FIRST))
    assert [(each.name, each.types) for each in back.domain.types] == [("c", ("object",)), ("b", ("c",)), ("a", ("b",))]


@pytest.mark.parametrize("seed", range(at_most(200)))
def test_random_tasks(seed):
    task = random_task(Random(seed), costs=range(4) if seed % 4 else None)
    if repeats_parameters(task):
        with pytest.raises(UnsupportedFeature, match="occurs twice"):
            to_tarski(task)
    else:
        assert normal_form(from_tarski(to_tarski(task))) == normal_form(task)


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (ODD, "one parent for a type; 'ball' has several"),
        (NAMES, "tarski refuses the task: Duplicate definition of element \"o_1-1\""),
        (DIAMOND, "one parent for a type; 'c' has several"),
        (TWICE, "a parameter of the action 'a' occurs twice"),
    ],
)  # fmt: skip
def test_what_it_cannot_say(task, reason):
    with pytest.raises(UnsupportedFeature, match=reason) as caught:
        to_tarski(task)
    assert caught.value.feature


def lamps():
    """A problem that is made as tarski's users make one."""
    language = fstrips.language("Lamps", theories=[Theory.EQUALITY, Theory.ARITHMETIC])
    lamp = language.sort("Lamp")
    on, total = language.predicate("On", lamp), language.function("total-cost", language.Real)
    language.constant("L1", lamp)
    language.constant("L2", lamp)
    problem = fstrips.create_fstrips_problem(language, "two", "Lamps")
    x, y = language.variable("x", lamp), language.variable("y", lamp)
    effects = [
        fstrips.AddEffect(on(x)),
        fstrips.UniversalEffect([y], [fstrips.DelEffect(on(y), neg(x == y))]),
        fstrips.IncreaseEffect(total(), 3),
    ]
    problem.action("Light", fstrips_binding(x), neg(on(x)), effects)
    problem.init.set(total(), 0)
    problem.goal = land(on(language.get("L2")), forall(y, lor(on(y), y != language.get("L2"))))
    problem.metric(total(), fstrips.OptimizationType.MINIMIZE)
    return problem, language


def fstrips_binding(*variables):
    from tarski.syntax.formulas import VariableBinding

    return VariableBinding(list(variables))


def test_a_problem_of_its_users():
    problem, _ = lamps()
    task = from_tarski(problem)
    result = solve(task)
    assert (str(result.plan.steps[0]), result.cost) == ("(light l2)", 3)
    [operator] = plan_to_tarski(result.plan, problem)
    assert operator.name == "Light(L2)"
    assert plan_from_tarski([operator]) == plan_from_tarski(["Light(L2)"]) == result.plan


def object_function(problem, language):
    language.function("owner", language.get_sort("Lamp"), language.get_sort("Lamp"))


def numeric_effect(problem, language):
    count = language.function("count", language.Real)
    problem.actions["Light"].effects.append(fstrips.FunctionalEffect(count(), count() + 1))


def numeric_goal(problem, language):
    problem.goal = language.function("count", language.Real)() > 1


def other_metric(problem, language):
    problem.metric(language.get("total-cost")(), fstrips.OptimizationType.MAXIMIZE)


def fraction(problem, language):
    problem.actions["Light"].effects[-1] = fstrips.IncreaseEffect(language.get("total-cost")(), 0.5)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (object_function, "the values of the function 'owner' are objects, but only numbers are supported"),
        (numeric_effect, "cannot be translated"),
        (numeric_goal, "is neither an object nor a variable"),
        (other_metric, "only \\(total-cost\\) can be minimized"),
        (fraction, "whole numbers, not 0.5"),
        (lambda problem, language: problem.constraints.append(problem.goal), "constraints"),
        (lambda problem, language: language.constant("a b", "Lamp"), "'a b' cannot be a name in PDDL"),
    ],
)
def test_what_a_task_cannot_say(change, reason):
    problem, language = lamps()
    change(problem, language)
    with pytest.raises(UnsupportedFeature, match=reason):
        from_tarski(problem)


def test_plans():
    problem, plan = to_tarski(COSTS), solve(COSTS).plan
    operators = plan_to_tarski(plan, problem)
    assert [each.name for each in operators] == ["go(a, b)", "go(b, c)", "go(c, d)"]
    assert plan_from_tarski(operators) == plan
    assert plan_from_tarski(plan_to_tarski(parse_plan("(rest)"), problem)) == Plan(parse_plan("(rest)").steps)
    for text, reason in (("(fyl a b)", "did you mean 'fly'"), ("(fly a x)", "no object 'x'"), ("(fly a)", "takes 2")):
        with pytest.raises(ParseError, match=reason):
            plan_to_tarski(parse_plan(text), problem)
    with pytest.raises(ParseError, match="is not a ground operator"):
        plan_from_tarski(["go(a"])


def test_without_tarski(monkeypatch):
    hide(monkeypatch, "tarski")
    for call in (to_tarski, from_tarski):
        with pytest.raises(DependencyMissing, match="pip install 'unpuzzle\\[exchange\\]'"):
            call(COSTS)
