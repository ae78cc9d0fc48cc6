"""A sound domain or task is looked at once: not again when it is read, copied or used for another problem."""

from __future__ import annotations

import pickle
from copy import copy

import pytest

from support.lights import domain, problem
from unpuzzle.errors import ParseError
from unpuzzle.pddl import lint, parse_task, write
from unpuzzle.pddl.judging import faults, soundness
from unpuzzle.pddl.nodes import Task


@pytest.fixture
def looks(monkeypatch):
    """How often domains and problems have been looked at."""
    seen = []

    def watch(owner, name):
        original = getattr(owner, name)

        def look(*parts):
            seen.append(name)
            return original(*parts)

        monkeypatch.setattr(owner, name, look)

    watch(soundness, "require")
    watch(faults, "check_domain")
    watch(faults, "check_task")
    return seen


def test_what_was_read_is_not_checked_again(looks):
    task = parse_task(*write(Task(domain(), problem())))
    looks.clear()
    again = parse_task(*write(task))
    assert Task(again.domain, again.problem) == task
    assert looks == []


def test_a_domain_is_checked_once(looks):
    own = domain()
    for _ in range(3):
        Task(own, problem())
    assert looks == ["require", "check_domain", "require", "require"]


def test_copies_are_not_checked_again(looks):
    task = Task(domain(), problem())
    looks.clear()
    for twin in (pickle.loads(pickle.dumps(task)), copy(task)):
        assert twin == task
        Task(twin.domain, problem())
    assert looks == ["require", "require"]


DOMAIN = """(define (domain d) (:types a b) (:constants x - a y - b) (:predicates (p ?b - b) (q))
            (:action n :parameters (?a - a) :precondition (p y) :effect (q)))"""
PROBLEM = "(define (problem p) (:domain d) (:init (p y) (not (q))) (:goal (p y)))"


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        (DOMAIN.replace(":precondition (p y)", ":precondition (p x)"), PROBLEM),
        (DOMAIN, PROBLEM.replace(":init (p y)", ":init (p x)")),
        (DOMAIN, PROBLEM.replace("(not (q))", "(not (p x))")),
        (DOMAIN, PROBLEM.replace(":goal (p y)", ":goal (p x)")),
    ],
)
def test_types_of_arguments_are_checked_at_reading(domain, problem):
    """By lint's own eyes, so with lint's sentence at lint's place."""
    assert parse_task(DOMAIN, PROBLEM)
    with pytest.raises(ParseError, match="the object 'x' is of type 'a', but the predicate 'p' takes 'b'") as caught:
        parse_task(domain, problem)
    (fault,) = [fault for fault in lint(domain, problem) if fault.severity == "error"]
    assert (fault.line, fault.column, fault.message) == (caught.value.line, caught.value.column, caught.value.message)


def test_names_in_what_the_initial_state_denies_are_checked():
    with pytest.raises(ParseError, match="unknown predicate 'qq', did you mean 'q'"):
        parse_task(DOMAIN, PROBLEM.replace("(not (q))", "(not (qq))"))
    with pytest.raises(ParseError, match="unknown object 'z'"):
        parse_task(DOMAIN, PROBLEM.replace("(not (q))", "(not (p z))"))
