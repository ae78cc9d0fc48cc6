"""The compiled semantics answer as the reference does, in every state that can be reached."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.registry import WITH_PDDL
from support.thorough import at_most
from unpuzzle import translators
from unpuzzle.errors import UnpuzzleError
from unpuzzle.pddl.compiled import CompiledSemantics, formulas, states
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.testing.random_tasks import random_task

rngs = st.integers(0, 10**9).map(Random)


def answer(function, *arguments):
    """What a function returns, or the message of its refusal."""
    try:
        return function(*arguments)
    except UnpuzzleError as error:
        return str(error)


def compare(task: Task, most: int = 300) -> int:
    """Explore a task by both; returns the number of states."""
    slow = Semantics(task)
    fast = CompiledSemantics(slow)
    seen, queue = {slow.fluents(slow.initial): fast.initial}, [slow.fluents(slow.initial)]
    for atoms in queue:
        state = seen[atoms]
        assert fast.atoms(state) == atoms
        assert fast.solved(state) == slow.solved(atoms)
        operators = fast.applicable(state)
        assert tuple(operator.action for operator in operators) == slow.applicable(atoms)
        for operator in operators:
            assert answer(fast.cost, operator) == answer(slow.cost, operator.action)
            following, successor = slow.apply(atoms, operator.action), fast.successor(state, operator)
            if len(seen) < most and following not in seen:
                seen[following] = successor
                queue.append(following)
            assert fast.atoms(successor) == following
            assert seen.get(following, successor) == successor
    return len(seen)


@settings(max_examples=at_most(150), deadline=None, derandomize=True)
@given(rngs, st.booleans(), st.booleans())
def test_random_tasks(rng: Random, axioms: bool, either: bool) -> None:
    assert compare(random_task(rng, axioms=axioms, either=either), most=60) > 0


@pytest.mark.parametrize("name", WITH_PDDL)
@pytest.mark.parametrize("seed", range(4))
def test_samples_of_the_puzzles(name: str, seed: int) -> None:
    assert compare(translators.find(name).sample(Random(seed)).task()) > 0


@settings(max_examples=at_most(40), deadline=None, derandomize=True)
@given(rngs, st.sampled_from([0, 3]), st.sampled_from([0, 2]))
def test_schemas_and_quantifiers_that_are_too_large_are_left_to_the_reference(
    rng: Random, instances: int, assignments: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(states, "MOST_INSTANCES", instances)
        patch.setattr(formulas, "EXPANDED", assignments)
        patch.setattr(states, "_KEPT", 1)
        assert compare(random_task(rng), most=40) > 0


DOMAIN = """
(define (domain d)
  (:types thing)
  (:predicates (near ?a ?b - thing) (on ?a - thing) (off ?a - thing) (reach ?a ?b - thing))
  (:functions (price ?a ?b - thing))
  (:derived (reach ?a ?b - thing)
    (or (and (near ?a ?b) (on ?a)) (exists (?c - thing) (and (reach ?a ?c) (reach ?c ?b)))))
  (:action press :parameters (?a ?b - thing)
    :precondition (and (near ?a ?b) (not (= ?a ?b)) (or (off ?a) (reach ?b ?a)))
    :effect (and (when (on ?a) (and (off ?a) (not (on ?a)))) (when (off ?a) (and (on ?a) (not (off ?a))))
                 (forall (?c - thing) (when (reach ?b ?c) (not (off ?c)))) (increase (total-cost) (price ?a ?b)))))
"""
PROBLEM = """
(define (problem p) (:domain d) (:objects a b c - thing)
  (:init (near a b) (near b c) (near c a) (near b a) (near a a) (off a) (on b) (off c)
         (= (price a b) 2) (= (price b a) 4) (= (price b c) 0) (= (price c a) 1))
  (:goal (forall (?x ?y - thing) (imply (on ?x) (reach ?x ?y)))) (:metric minimize (total-cost)))
"""


def test_conditional_effects_axioms_quantifiers_and_prices_that_are_missing() -> None:
    task = parse_task(DOMAIN, PROBLEM)
    assert compare(task) > 5
    names = {
        str(each) for each in CompiledSemantics(Semantics(task)).applicable(CompiledSemantics(Semantics(task)).initial)
    }
    assert "(press a b)" in names, "and (press a a), which cannot be applied, has no price"


def test_what_is_deleted_and_added_is_true() -> None:
    task = parse_task(
        "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :precondition (p) "
        ":effect (and (not (p)) (p) (when (p) (not (q))) (q))))",
        "(define (problem e) (:domain d) (:init (p)) (:goal (q)))",
    )
    fast = CompiledSemantics(Semantics(task))
    (operator,) = fast.applicable(fast.initial)
    assert sorted(map(str, fast.atoms(fast.successor(fast.initial, operator)))) == ["(p)", "(q)"]


def test_few_operators_are_tested() -> None:
    """One atom says where the player is: in each state only the steps from there are candidates."""
    game = translators.find("pacman")
    fast = CompiledSemantics(Semantics(game.parse(game.levels["dots"]).task()))
    applicable = fast.applicable(fast.initial)  # the first time, operators are listed
    assert len(fast._watching.remaining(fast.initial).candidates) == len(applicable)
