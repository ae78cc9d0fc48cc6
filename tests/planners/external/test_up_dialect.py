"""The dialect that unified-planning reads: the same task in plain names and costs, and the way back."""

import random

import pytest

from support.random_tasks import random_task
from support.roads import COSTS, ODD, ROADS, ROADS_PROBLEM, UNIT
from unpuzzle import solve
from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.pddl.nodes import GroundAction, Problem, Task
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.writer import write
from unpuzzle.planners.external.up import Dialect, PlainNames


def test_plain_names():
    names = PlainNames()
    given = [names.name(wanted, "o") for wanted in ("a", "A", "a-b", "a_b", "1-1", "o_1-1", "when", "?x", "ü", "")]
    assert len(set(given)) == len(given)
    assert given[:5] == ["a", "a_2", "a_b", "a_b_2", "o_1_1"]
    assert all(name.isidentifier() and name.isascii() and name.islower() and name != "when" for name in given)


def test_dialect_means_the_same():
    rng = random.Random(7)
    for number in range(60):
        task = random_task(rng, axioms=False, either=number % 2 == 0, costs=range(4) if number % 3 else None)
        ours, theirs = solve(task, "reference"), solve(Dialect(task).task, "reference")
        assert (ours.status, ours.cost) == (theirs.status, theirs.cost), write(task)


def test_equal_names_in_one_list():
    task = parse_task(
        """(define (domain d) (:types a b) (:predicates (p ?x) (q ?x ?y))
      (:action one :parameters (?x - a ?x) :precondition (not (p ?x)) :effect (p ?x))
      (:action all :parameters () :precondition (exists (?x - a ?x - b) (p ?x))
        :effect (forall (?y - b ?y) (forall (?y ?x) (q ?y ?x)))))""",
        """(define (problem p) (:domain d) (:objects a1 - a b1 - b) (:init (p b1))
      (:goal (and (p a1) (q a1 b1))))""",
    )
    assert solve(Dialect(task).task, "reference").cost == solve(task, "reference").cost == 2
    from unified_planning.io import PDDLReader

    assert len(PDDLReader().parse_problem_string(*write(Dialect(task).task)).actions) == 2


def test_dialect_is_read_without_a_change():
    from unified_planning.io import PDDLReader

    dialect = Dialect(ODD)
    problem = PDDLReader().parse_problem_string(*write(dialect.task))
    assert {action.name for action in problem.actions} == {action.name for action in dialect.task.domain.actions}
    assert {each.name for each in problem.all_objects} == {
        each.name for each in (*dialect.task.domain.constants, *dialect.task.problem.objects)
    }


def test_dialect_leads_back():
    dialect = Dialect(ODD)
    names = [action.name for action in dialect.task.domain.actions]
    objects = [each.name for each in (*dialect.task.domain.constants, *dialect.task.problem.objects)]
    assert [dialect.back(name, objects) for name in names] == [
        GroundAction(name, ("1-1", "when", "o_1-1", "at", "7")) for name in ("at", "1-1")
    ]


def test_dialect_adds_costs_up_and_leaves_useless_things_out():
    task = Dialect(COSTS).task
    assert [action.name for action in task.domain.actions] == ["go", "fly"]
    assert "(increase (total-cost) 20)" in write(task)[0]
    assert "increase" not in "".join(write(Dialect(COSTS, costs=False).task))
    assert "length" not in "".join(write(Dialect(UNIT).task))


def test_sums_of_static_costs_are_refused():
    text = ROADS.replace("(increase (total-cost) 5)", "(increase (total-cost) (length ?x ?y))")
    with pytest.raises(UnsupportedFeature, match="one cost per action; 'fly' has 2"):
        Dialect(parse_task(text, ROADS_PROBLEM))


def test_costs_that_nobody_asks_for_may_be_anything():
    problem = COSTS.problem
    free = Task(
        COSTS.domain, Problem(problem.name, problem.domain_name, (), problem.objects, problem.init, (), problem.goal)
    )
    assert solve(Dialect(free).task, "reference").cost == 1
