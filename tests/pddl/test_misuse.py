"""Arguments in the wrong order, or of another kind, are told in words; constructors show their fields."""

from inspect import signature

import pytest

from unpuzzle import Result, pddl
from unpuzzle.errors import UsageError
from unpuzzle.pddl import parse_task
from unpuzzle.pddl.semantics import Semantics, holds

TASK = parse_task(
    "(define (domain d) (:predicates (a) (b)) (:action go :parameters () :precondition (a) :effect (b)))",
    "(define (problem p) (:domain d) (:init (a)) (:goal (b)))",
)
MEANING = Semantics(TASK)
STATE, GOAL = MEANING.initial, TASK.problem.goal
[GO] = MEANING.applicable(STATE)


@pytest.mark.parametrize(
    ("misuse", "said"),
    [
        (lambda: MEANING.holds(GOAL, STATE), "a condition, after the state, is expected, not frozenset"),
        (lambda: MEANING.holds(STATE, "(b)"), "a condition, after the state, is expected, not '(b)'"),
        (lambda: MEANING.holds([], GOAL), "a state, a frozenset of atoms, is expected, not []"),
        (lambda: MEANING.holds({"(a)"}, GOAL), "a state, a frozenset of atoms, is expected, not {'(a)'}"),
        (lambda: MEANING.solved(GOAL), "a state, a frozenset of atoms, is expected, not Atom"),
        (lambda: MEANING.applicable(GO), "a state, a frozenset of atoms, is expected, not GroundAction"),
        (lambda: MEANING.apply(GO, STATE), "a ground action is expected, not frozenset"),
        (lambda: MEANING.why_not(GO, STATE), "a ground action is expected, not frozenset"),
        (lambda: MEANING.cost("(go)"), "a ground action is expected, not '(go)'"),
        (lambda: holds(STATE, TASK, GOAL), "a task is expected, not frozenset"),
        (lambda: Semantics(TASK.domain), "a task is expected, not Domain"),
    ],
)
def test_arguments_of_another_kind(misuse, said):
    with pytest.raises(UsageError) as caught:
        misuse()
    assert said in str(caught.value)


def test_constructors_show_their_fields():
    assert list(signature(pddl.Action).parameters) == ["name", "parameters", "precondition", "effect", "span"]
    assert list(signature(pddl.GroundAction).parameters) == ["name", "arguments", "span"]
    assert str(signature(pddl.GroundAction).parameters["arguments"]) == "arguments: 'tuple[str, ...]' = ()"
    assert list(signature(Result).parameters)[:3] == ["status", "planner", "plan"]
    assert list(signature(pddl.Not).parameters) == ["operand", "span"]  # a constructor of its own
    assert all(f"`{name}`" in (pddl.Action.__doc__ or "") for name in ("name", "parameters", "precondition", "effect"))
    for kind in vars(pddl).values():
        if isinstance(kind, type) and hasattr(kind, "_fields"):
            assert not {"values", "named"} & signature(kind).parameters.keys(), kind
