"""The reference semantics against brute force: random tasks and the IPC's, state by state."""

from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.data import IPC, needs_ipc
from support.random_tasks import random_task
from support.registry import WITH_PDDL
from support.thorough import at_most
from unpuzzle import translators
from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.pddl import compiled
from unpuzzle.pddl.compiled import CompiledSemantics
from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, GroundAction, Imply, Not, Task, When
from unpuzzle.pddl.reading.reader import parse_task, read
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write

IPC_TASKS = sorted(path.parent for path in IPC.glob("*/*/problem.pddl"))
SEEDS = st.integers(min_value=0, max_value=2**32)


def ground(atom: Atom, binding) -> Atom:
    return Atom(atom.predicate, tuple(binding.get(term, term) for term in atom.arguments))


class BruteForce:
    """A second, independent reading of conditions, axioms and effects, without any thought for speed."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.types = {item.name: item.types[0] for item in task.domain.types}
        self.objects = [*task.domain.constants, *task.problem.objects]

    def is_of(self, types, wanted) -> bool:
        return any(
            name in wanted or "object" in wanted or (name in self.types and self.is_of([self.types[name]], wanted))
            for name in types
        )

    @cache  # noqa: B019
    def quantified(self, parameters):
        found = []
        for objects in product(self.objects, repeat=len(parameters)):
            pairs = list(zip(parameters, objects, strict=True))
            if all(self.is_of(item.types, parameter.types) for parameter, item in pairs):
                found.append((pairs, {parameter.name: item.name for parameter, item in pairs}))
        return found

    def bindings(self, parameters):
        for pairs, binding in self.quantified(parameters):
            if all(binding[parameter.name] == item.name for parameter, item in pairs):
                yield binding

    def true(self, condition, binding, state) -> bool:
        kind = type(condition)
        if kind in (Exists, Forall):
            inner = [
                self.true(condition.body, {**binding, **new}, state) for _, new in self.quantified(condition.parameters)
            ]
            return any(inner) if kind is Exists else all(inner)
        if kind is Atom:
            atom = ground(condition, binding)
            return atom.arguments[0] == atom.arguments[1] if atom.predicate == "=" else atom in state
        if kind is Not:
            return not self.true(condition.operand, binding, state)
        if kind is Imply:
            return not self.true(condition.premise, binding, state) or self.true(condition.conclusion, binding, state)
        parts = [self.true(operand, binding, state) for operand in condition.operands]
        return all(parts) if kind is And else any(parts)

    def complete(self, state):
        """With derived atoms: in random tasks `d0` comes before `d1`."""
        state = set(state)
        for name in sorted({axiom.head.name for axiom in self.task.domain.axioms}):
            before = -1
            while len(state) != before:
                before = len(state)
                for axiom in self.task.domain.axioms:
                    if axiom.head.name == name:
                        variables = tuple(parameter.name for parameter in axiom.head.parameters)
                        for binding in list(self.bindings(axiom.head.parameters)):
                            if self.true(axiom.body, binding, state):
                                state.add(ground(Atom(name, variables), binding))
        return frozenset(state)

    def applicable(self, state):
        full = self.complete(state)
        for action in self.task.domain.actions:
            for binding in self.bindings(action.parameters):
                if self.true(action.precondition, binding, full):
                    yield GroundAction(action.name, tuple(binding[parameter.name] for parameter in action.parameters))

    def apply(self, state, action):
        schema = next(each for each in self.task.domain.actions if each.name == action.name)
        binding = {named.name: term for named, term in zip(schema.parameters, action.arguments, strict=True)}
        deleted, added = set(), set()
        self.effects(schema.effect, binding, self.complete(state), deleted, added)
        return frozenset(state - deleted | added)

    def effects(self, effect, binding, full, deleted, added) -> None:
        kind = type(effect)
        if kind is Atom:
            added.add(ground(effect, binding))
        elif kind is Not:
            deleted.add(ground(effect.operand, binding))
        elif kind is And:
            for operand in effect.operands:
                self.effects(operand, binding, full, deleted, added)
        elif kind is When and self.true(effect.condition, binding, full):
            self.effects(effect.effect, binding, full, deleted, added)
        elif kind is Forall:
            for _, new in self.quantified(effect.parameters):
                self.effects(effect.body, {**binding, **new}, full, deleted, added)


def walk(semantics: Semantics, rng: Random, steps: int):
    """States of a random walk."""
    state = semantics.initial
    yield state
    for _ in range(steps):
        actions = semantics.applicable(state)
        if not actions:
            return
        state = semantics.apply(state, rng.choice(actions))
        yield state


@settings(max_examples=at_most(40), deadline=None)
@given(SEEDS, st.booleans())
def test_random_tasks_by_brute_force(seed, either):
    rng = Random(seed)
    game = random_task(rng, either=either)
    semantics, brute = Semantics(game), BruteForce(game)
    for state in walk(semantics, rng, 4):
        assert semantics.derived(state) == brute.complete(state) - state
        assert semantics.solved(state) == brute.true(game.problem.goal, {}, brute.complete(state))
        found = semantics.applicable(state)
        assert found == tuple(brute.applicable(state))
        for action in found[:8]:
            assert semantics.apply(state, action) == brute.apply(state, action)


@settings(max_examples=at_most(60), deadline=None)
@given(SEEDS)
def test_states_stay_well_formed(seed):
    """Every atom that ever becomes true is of a declared predicate, with as many objects, of the right types."""
    rng = Random(seed)
    game = random_task(rng)
    semantics, brute = Semantics(game), BruteForce(game)
    possible = {
        Atom(predicate.name, tuple(binding.values()))
        for predicate in game.domain.predicates
        for binding in brute.bindings(predicate.parameters)
    }
    static = semantics.initial - semantics.fluents(semantics.initial)
    for state in walk(semantics, rng, 10):
        assert state | semantics.derived(state) <= possible
        assert state - semantics.fluents(state) == static
        assert not {atom.predicate for atom in state} & semantics.derived_predicates


@settings(max_examples=at_most(60), deadline=None)
@given(SEEDS)
def test_an_action_is_applicable_or_has_a_reason_not_to_be(seed):
    rng = Random(seed)
    game = random_task(rng)
    semantics, brute = Semantics(game), BruteForce(game)
    for state in walk(semantics, rng, 2):
        applicable = set(semantics.applicable(state))
        for schema in game.domain.actions:
            for binding in brute.bindings(schema.parameters):
                action = GroundAction(schema.name, tuple(binding[named.name] for named in schema.parameters))
                assert (semantics.why_not(state, action) is None) == (action in applicable)


@settings(max_examples=at_most(60), deadline=None)
@given(SEEDS, st.booleans(), st.booleans())
def test_random_tasks_are_read_as_they_are_written(seed, either, priced):
    game = random_task(Random(seed), either=either, costs=range(4) if priced else None)
    assert game == random_task(Random(seed), either=either, costs=range(4) if priced else None)
    assert parse_task(write(game.domain), write(game.problem)) == game


@pytest.mark.parametrize("directory", IPC_TASKS, ids=[f"{path.parent.name}/{path.name}" for path in IPC_TASKS])
def test_ipc_tasks_by_brute_force(directory):
    """The join finds what trying all objects finds, where that is feasible; and it finds something everywhere."""
    game = read(directory / "domain.pddl", directory / "problem.pddl")
    semantics = Semantics(game)
    schemas = [
        schema
        for schema in game.domain.actions
        if (len(semantics.types.order) ** len({named.name for named in schema.parameters})) <= 3000
    ]
    for state in walk(semantics, Random(1), 3):
        applicable = set(semantics.applicable(state))
        assert applicable
        for schema in schemas:
            tried = {
                GroundAction(schema.name, tuple(binding[named.name] for named in schema.parameters))
                for binding in semantics.types.assignments(schema.parameters, {})
            }
            expected = {action for action in tried if semantics.why_not(state, action) is None}
            assert {action for action in applicable if action.name == schema.name} == expected


@needs_ipc
def test_the_ipc_tasks_are_there():
    assert len(IPC_TASKS) == 45


# ---- The compiled semantics answer as the reference does, in every state that can be reached


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
        patch.setattr(compiled, "MOST_INSTANCES", instances)
        patch.setattr(compiled, "EXPANDED", assignments)
        patch.setattr(compiled, "_KEPT", 1)
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
