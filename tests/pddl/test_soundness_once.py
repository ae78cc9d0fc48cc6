"""A sound domain or task is looked at once: not again when it is read, copied or used for another problem."""

from __future__ import annotations

import pickle
from copy import copy

import pytest

from support.lights import domain, problem
from unpuzzle import solve
from unpuzzle.errors import ParseError
from unpuzzle.pddl import faults, parse_task, soundness, write
from unpuzzle.pddl.nodes import Atom, Problem, Task


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


def test_types_of_arguments_in_texts_are_left_to_lint():
    """As planners take them; but a problem made in Python for such a domain is looked at."""
    texts = (
        """(define (domain d) (:types a b) (:constants x - a) (:predicates (p ?b - b))
            (:action n :parameters () :effect (p x)))""",
        "(define (problem p) (:domain d) (:init) (:goal (p x)))",
    )
    task = parse_task(*texts)
    assert solve(task, "native").cost == 1
    twin = pickle.loads(pickle.dumps(task))
    assert Task(twin.domain, Problem("p", "d")).domain == task.domain
    with pytest.raises(ParseError, match="the object 'x' is of type 'a', but the predicate 'p' takes 'b'"):
        Task(task.domain, Problem("p", "d", goal=Atom("p", ("x",))))
