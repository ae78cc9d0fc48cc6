"""Excuses are natural: they make the task solvable, and leave everything in one place that was in one."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from support.mutated_starts import BLOCKS, HOUSE, LIFT, TOWER, judged, mutants
from unpuzzle.checking.excuses import Excuse, excuses
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl import Task, parse_task
from unpuzzle.planning import registry

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")


def found(task: Task) -> tuple[Excuse, ...]:
    return excuses(task, Deadline(Limits(time=60), "explaining"))


def test_a_fault_at_the_start_is_excused_and_nothing_is_in_two_places() -> None:
    """Of more tasks: `scripts/check_excuses.py`."""
    tasks = [task for task, _ in islice(mutants(Random(46)), 20)]
    excuses_of = [found(task) for task in tasks]
    for task, excuses_ in zip(tasks, excuses_of, strict=True):
        assert [judged(task, excuse) for excuse in excuses_] == [[]] * len(excuses_)
    assert sum(any(not each.drop for each in excuses_) for excuses_ in excuses_of) >= 18


def lift(init: str, goal: str) -> Task:
    house = HOUSE[: HOUSE.index("(:init")]
    return parse_task(LIFT, f"{house}(:init {init} (over f1 f0) (over f2 f1) (over f3 f2)) (:goal {goal}))")


@pytest.mark.parametrize(
    ("init", "said"),
    [
        (
            "(lift f0) (empty) (on c f3) (shut f3) (shut f2) (shut f1)",
            [
                "if (lift f3) were true at the start and (lift f0) false",
                "if (on c f0) were true at the start and (on c f3) false",
            ],
        ),
        ("(lift f0) (empty) (on c f1) (shut f1)", ["if (shut f1) were false at the start"]),
        ("(empty) (on c f3) (shut f2)", ["if (lift f3) were true at the start"]),
        ("(lift f0) (on c f0)", ["if (empty) were true at the start"]),
    ],
)
def test_what_is_in_one_place_is_moved(init: str, said: list[str]) -> None:
    """The lift was assumed on a second floor, or nothing was found."""
    (excuse,) = found(lift(init, "(hand c)"))
    assert str(excuse) in said
    assert excuse.fewest


def test_a_precondition_that_keeps_a_thing_in_one_place_is_not_dropped() -> None:
    """Without `(empty)`, a hand would hold two blocks; without `(clear ?x)`, one on which another lies."""
    both = parse_task(BLOCKS, TOWER[: TOWER.index("(:goal")] + "(:goal (and (held q) (held s))))")
    deadline = Deadline(Limits(time=60), "explaining")
    assert excuses(both, deadline, of_the_start=False) == ()
    buried = parse_task(BLOCKS, TOWER.replace("(empty)", "").split("(:goal")[0] + "(:goal (held s)))")
    assert excuses(buried, deadline, of_the_start=False) == ()
    assert [str(each) for each in excuses(buried, deadline)] == ["if (empty) were true at the start"]


SIZES = """(define (domain sizes) (:requirements :strips :typing) (:types hole peg width)
  (:predicates (wide ?h - hole ?w - width) (thick ?p - peg ?w - width) (in ?p - peg ?h - hole) (free ?p - peg))
  (:action plug :parameters (?p - peg ?h - hole ?w - width) :precondition (and (free ?p) (wide ?h ?w) (thick ?p ?w))
    :effect (and (in ?p ?h) (not (free ?p)))))"""
PEGS = """(define (problem pegs) (:domain sizes) (:objects h g - hole p q - peg one two - width)
  (:init (wide h one) (wide g two) (thick p two) (thick q two) (free p) (free q)) (:goal (and (in p h) (in q g))))"""


def test_nothing_gets_a_second_size() -> None:
    (excuse,) = found(parse_task(SIZES, PEGS))
    assert str(excuse) in (
        "if (thick p one) were true at the start and (thick p two) false",
        "if (wide h two) were true at the start and (wide h one) false",
    )
