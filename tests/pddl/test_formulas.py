"""Walking over conditions and effects."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unpuzzle.pddl
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle.pddl import parse_domain
from unpuzzle.pddl.formulas import conjuncts, effects, walk
from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, Imply, Increase, Not, Or, Problem, TypedName, When

P, Q, R = Atom("p"), Atom("q"), Atom("r")
X = (TypedName("?x"),)


def formulas(seed):
    """The conditions and effects of a random task."""
    task = random_task(Random(seed), costs=range(4))
    yield task.problem.goal
    yield from (axiom.body for axiom in task.domain.axioms)
    yield from (formula for action in task.domain.actions for formula in (action.precondition, action.effect))


@settings(max_examples=at_most(60), deadline=None)
@given(st.integers(0, 10**9))
def test_a_walk_finds_every_atom_and_a_node_is_made_of_its_children(seed):
    for formula in formulas(seed):
        nodes = list(walk(formula))
        assert nodes[0] is formula
        assert sum(isinstance(node, Atom) for node in nodes) == repr(formula).count("Atom(")
        assert sum(isinstance(node, Exists | Forall) for node in nodes) == repr(formula).count("TypedName('?") - sum(
            len(node.parameters) - 1 for node in nodes if isinstance(node, Exists | Forall)
        )
        for node in nodes:
            assert node.rebuilt(node.children()) == node


def test_a_walk_goes_from_left_to_right_and_from_above_to_below():
    imply, some = Imply(P, Q), Exists(X, R)
    condition = And((Not(P), Or((imply, some))))
    found = list(walk(condition))
    assert found == [condition, Not(P), P, Or((imply, some)), imply, P, Q, some, R]


def test_effects_are_walked_without_their_conditions():
    when = When(P, And((Q, Not(R))))
    effect = And((Forall(X, when), Q))
    assert list(effects(effect)) == [effect, Forall(X, when), when, And((Q, Not(R))), Q, Not(R), R, Q]


def test_conjuncts():
    assert list(conjuncts(And((P, And((Or((P, Q)), And())), Not(And((P, Q))))))) == [P, Or((P, Q)), Not(And((P, Q)))]
    assert list(conjuncts(P)) == [P]


def test_what_is_rebuilt_stands_where_it_stood():
    text = """(define (domain d) (:predicates (p)) (:action a
        :precondition (and (p) (or (p)) (not (p)) (imply (p) (p)) (exists (?x) (p)) (forall (?x) (p)))
        :effect (and (when (p) (p)) (increase (total-cost) 1))))"""
    action = parse_domain(text).actions[0]
    for node in (*walk(action.precondition), *walk(action.effect)):
        again = node.rebuilt([Q] * len(node.children()))
        assert again.span is node.span is not None
        assert type(again) is type(node)
        if not isinstance(node, Atom | Increase):
            assert set(again.children()) == {Q}


@pytest.mark.parametrize("node", [Not(P), Imply(P, Q), Exists(X, P), When(P, Q)])
def test_a_node_has_as_many_children_as_it_takes(node):
    with pytest.raises(TypeError):
        node.rebuilt([P, Q, R])


@pytest.mark.parametrize("several", [list, tuple, dict.fromkeys, iter], ids=["list", "tuple", "dict", "iterator"])
def test_several_things_may_come_in_anything(several):
    """What holds several nodes is a tuple, so that each node has a hash."""
    assert And(several([P, Q])) == And((P, Q))
    assert hash(Or(several([P]))) == hash(Or((P,)))
    assert Problem("p", "d", init=several([P, Q])) == Problem("p", "d", init=(P, Q))


def test_other_fields_at_the_same_place():
    domain = parse_domain("(define (domain d) (:predicates (p)) (:action a :effect (p)))")
    assert domain.replace(actions=()) == parse_domain("(define (domain d) (:predicates (p)))")
    assert domain.replace(name="e").span is domain.span
    with pytest.raises(TypeError, match="axiom"):
        domain.replace(axiom=())


# ---- unpuzzle.pddl as a package: lazy, complete, and not to be taken for other people's `pddl`


def test_every_exported_name_is_there():
    for name in unpuzzle.pddl.__all__:
        assert getattr(unpuzzle.pddl, name) is not None
    assert set(unpuzzle.pddl.__all__) <= set(dir(unpuzzle.pddl))


def test_the_functions_win_over_modules():
    program = (
        "import unpuzzle.pddl.linting.linting, unpuzzle.pddl.writer\nfrom unpuzzle.pddl import lint, write, read\n"
    )
    subprocess.run([sys.executable, "-c", program + "assert all(map(callable, (lint, write, read)))"], check=True)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = unpuzzle.pddl.nothing


def test_importing_it_loads_nothing():
    program = "import sys, unpuzzle.pddl; print(*[name for name in sys.modules if name.startswith('unpuzzle.pddl.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_bare_name_is_refused():
    folder = Path(unpuzzle.pddl.__file__).parent.parent
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); import pddl"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "use `import unpuzzle.pddl`" in done.stderr
