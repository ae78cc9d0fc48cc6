"""Tasks that went to another library and back, or were read by it; and what a plan costs by its own simulator."""

import copy
from dataclasses import dataclass
from pathlib import Path

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.interop import (
    from_tarski,
    from_unified_planning,
    plan_from_tarski,
    plan_from_unified_planning,
    plan_to_tarski,
    plan_to_unified_planning,
    to_tarski,
    to_unified_planning,
)
from unpuzzle.pddl import Domain, Plan, Predicate, Problem, Task, TypedName, parse_task
from unpuzzle.pddl.normal_form import normal_form

LIBRARIES = ("unified-planning", "tarski")

ADL = parse_task(
    """(define (domain lamps) (:types lamp room - thing) (:constants hall - room)
  (:predicates (on ?l - lamp) (in ?l - lamp ?r - room) (dark ?r - room) (seen))
  (:action switch :parameters (?l - lamp ?r - room)
    :precondition (and (in ?l ?r) (or (seen) (imply (on ?l) (not (dark ?r)))) (not (= ?r hall)))
    :effect (and (when (not (on ?l)) (on ?l)) (forall (?m - lamp) (when (and (on ?m) (exists (?l - lamp) (in ?l hall)))
      (not (on ?m)))) (not (dark ?r))))
  (:action leave :parameters () :effect (seen)))""",
    """(define (problem night) (:domain lamps) (:objects l1 l2 - lamp cellar - room)
  (:init (in l1 hall) (in l2 cellar) (dark hall) (dark cellar))
  (:goal (and (forall (?r - room) (or (not (dark ?r)) (= ?r hall))) (exists (?l - lamp) (on ?l)))))""",
)
"""Conditions and effects of all kinds."""
DIAMOND = parse_task(
    "(define (domain d) (:types a b - object c - a c - b) (:predicates (p ?x - c)))",
    "(define (problem p) (:domain d) (:init) (:goal (and)))",
)
CHILD_FIRST = Task(
    Domain(
        "d", (), (TypedName("a", ("b",)), TypedName("b", ("c",))), (), (Predicate("p", (TypedName("?x", ("a",)),)),)
    ),
    Problem("p", "d"),
)
"""A task that was made in Python: a type stands before its parent, whose parent is not declared."""
TWICE = parse_task(
    "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x ?x) :effect (p ?x)))",
    "(define (problem p) (:domain d) (:init) (:goal (and)))",
)


def repeats_parameters(task: Task) -> bool:
    """Whether a parameter of an action occurs twice, which no other library has."""
    names = [[each.name for each in action.parameters] for action in task.domain.actions]
    return any(len(set(each)) < len(each) for each in names)


@dataclass(frozen=True)
class Exchanged:
    """What became of a task in another library.

    `there_and_back` and `read` are whether the task equals ours in its normal form; None where it is refused, by us or
    by their reader, and `refusal` and `unread` say why. `exact` is whether it came back without any change.
    """

    there_and_back: bool | None
    exact: bool
    read: bool | None
    refusal: str = ""
    unread: str = ""


def exchanged(task: Task, folder: Path, library: str) -> Exchanged:
    """Take a task there and back, let the library read its files, and compare."""
    there, back = (to_tarski, from_tarski) if library == "tarski" else (to_unified_planning, from_unified_planning)
    wanted, returned, refusal = normal_form(task), None, ""
    try:
        returned = back(there(task))
    except UnsupportedFeature as error:
        refusal = error.message
    same = None if returned is None else normal_form(returned) == wanted
    try:
        problem = (read_by_tarski if library == "tarski" else read_by_unified_planning)(folder)
    except Exception as error:  # whatever their readers raise
        return Exchanged(same, returned == task, None, refusal, f"{type(error).__name__}: {error}")
    return Exchanged(same, returned == task, normal_form(named(back(problem), task)) == wanted, refusal)


def named(task: Task, like: Task) -> Task:
    """Give a task the domain's name of another: unified-planning's reader does not keep it."""
    name = like.domain.name
    return Task(task.domain.replace(name=name), task.problem.replace(domain_name=name))


def read_by_unified_planning(folder: Path):
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import get_environment

    get_environment().credits_stream = None
    return PDDLReader().parse_problem(str(folder / "domain.pddl"), str(folder / "problem.pddl"))


def read_by_tarski(folder: Path):
    from tarski.io import FstripsReader
    from tarski.theories import Theory

    reader = FstripsReader(raise_on_error=True, theories=[Theory.EQUALITY], case_insensitive=True)
    return reader.read_problem(str(folder / "domain.pddl"), str(folder / "problem.pddl"))


def cost_by(library: str, task: Task, plan: Plan) -> int | None:
    """What a plan costs by the library's own simulator; None if it is no plan there.

    Raises NotImplementedError where that cannot run it: tarski's does not know quantifiers and derived predicates.
    """
    return (cost_by_tarski if library == "tarski" else cost_by_unified_planning)(task, plan)


def cost_by_unified_planning(task: Task, plan: Plan) -> int | None:
    from unified_planning.engines import SequentialPlanValidator
    from unified_planning.shortcuts import Int, MinimizeSequentialPlanLength

    problem = to_unified_planning(task)
    if not problem.quality_metrics:
        problem.add_quality_metric(MinimizeSequentialPlanLength())
    for fluent in problem.fluents:
        if fluent.type.is_int_type():  # its simulator asks for all values, also for those of roads that are not there
            problem.fluents_defaults.setdefault(fluent, Int(0))
    theirs = plan_to_unified_planning(plan, problem)
    assert plan_from_unified_planning(theirs) == plan
    verdict = SequentialPlanValidator().validate(problem, theirs)
    return int(*verdict.metric_evaluations.values()) if verdict else None


def cost_by_tarski(task: Task, plan: Plan) -> int | None:
    from tarski.evaluators.simple import evaluate
    from tarski.fstrips.representation import substitute_expression
    from tarski.search.operations import is_applicable
    from tarski.syntax import symref

    if task.domain.axioms:
        raise NotImplementedError("tarski derives nothing in its states")
    problem = to_tarski(task)
    operators = plan_to_tarski(plan, problem)
    assert plan_from_tarski(operators) == plan
    state, cost = problem.init, 0
    for step, operator in zip(plan, operators, strict=True):
        if not is_applicable(state, operator):
            return None
        action = problem.actions[step.name]
        binding = {
            symref(parameter): problem.language.get_constant(name)
            for parameter, name in zip(action.parameters, step.arguments, strict=True)
        }
        amount = 1 if action.cost is None else evaluate(substitute_expression(action.cost.addend, binding), state)
        cost += int(getattr(amount, "symbol", amount))
        state = _progressed(state, operator.effects)
    return cost if evaluate(problem.goal, state) else None


def _progressed(state, effects):
    """The state after effects. Their own function tests conditions in a state that it has begun to change."""
    from tarski.evaluators.simple import evaluate
    from tarski.fstrips import AddEffect, UniversalEffect
    from tarski.fstrips.representation import substitute_expression
    from tarski.syntax.transform.substitutions import enumerate_substitutions

    changes: dict[bool, list] = {True: [], False: []}
    waiting = list(effects)
    while waiting:
        effect = waiting.pop()
        if not evaluate(effect.condition, state):
            continue
        if isinstance(effect, UniversalEffect):
            for binding in enumerate_substitutions(effect.variables):
                waiting += [substitute_expression(each, binding) for each in effect.effects]
        else:
            changes[isinstance(effect, AddEffect)].append(effect.atom)
    after = copy.deepcopy(state)
    for atom in changes[False]:
        after.discard(atom.predicate, *atom.subterms)
    for atom in changes[True]:
        after.add(atom.predicate, *atom.subterms)
    return after
