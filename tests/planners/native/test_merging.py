"""Tasks with other objects, other static facts and other goals as members of one family: the same answers as alone."""

from __future__ import annotations

from unpuzzle import solve, translators
from unpuzzle.pddl import parse_domain, parse_problem, validate
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native.families import Family, Union, groups


def assert_like_alone(tasks: list[Task]) -> None:
    for members in groups(tasks):
        union = Union([tasks[member] for member in members])
        starts = [union.start(tasks[member]) for member in members]
        goals = [union.goal(tasks[member]) for member in members]
        family = Family(union.task, starts, goals, varying=union.varying)
        for member, answer in zip(members, family.solve_many(starts, goals), strict=True):
            alone = solve(tasks[member], "native")
            assert (answer.status, answer.cost) == (alone.status, alone.cost)
            if answer.actions is not None:
                verdict = validate(tasks[member], answer.actions)
                assert verdict.valid, verdict.reason
                assert verdict.cost == answer.cost


DOMAIN = parse_domain(
    """(define (domain lamps) (:requirements :adl) (:types lamp plug)
       (:predicates (on ?l - lamp) (wired ?l - lamp) (lucky))
       (:action all :parameters () :precondition (forall (?l - lamp) (wired ?l)) :effect (forall (?l - lamp) (on ?l)))
       (:action some :parameters () :precondition (exists (?l - lamp) (not (wired ?l))) :effect (lucky))
       (:action free :parameters (?l - lamp) :precondition (not (on ?l)) :effect (lucky)))"""
)


def lamps(objects: str, init: str, goal: str = "(forall (?l - lamp) (on ?l))") -> Task:
    text = f"(define (problem p) (:domain lamps) (:objects {objects}) (:init {init}) (:goal {goal}))"
    return Task(DOMAIN, parse_problem(text, DOMAIN))


def test_quantifiers_and_parameters_range_over_what_is_present():
    tasks = [
        lamps("a b - lamp", "(wired a) (wired b)"),
        lamps("a - lamp", "(wired a)"),
        lamps("a b c - lamp", "(wired a) (wired b)"),
        lamps("", ""),
        lamps("a - lamp", "(on a)", "(lucky)"),
        lamps("a - lamp", "(on a) (wired a)", "(lucky)"),
        lamps("a b - lamp", "(on a) (on b) (wired a)", "(lucky)"),
    ]
    assert groups(tasks) == [list(range(7))]
    assert [solve(task, "native").cost for task in tasks] == [1, 1, None, 0, 1, None, 1]
    assert_like_alone(tasks)


def test_what_cannot_be_merged_is_not():
    one = lamps("a - lamp", "")
    other = lamps("a - plug", "")
    third = lamps("b - lamp a - plug", "")
    assert groups([one, other, one, third]) == [[0, 2], [1, 3]]
    assert_like_alone([one, other, third])


def test_levels_with_many_objects_of_their_own_are_ground_alone():
    """A union of the first two would take minutes to ground; the last one has the objects of the first."""
    tasks = [translators.find("24").parse(text).task() for text in ("3 6 10 11\n", "4 4 10 12\n", "3 6 10 11\n")]
    assert groups(tasks) == [[0, 2], [1]]
