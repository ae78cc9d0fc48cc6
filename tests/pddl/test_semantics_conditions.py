"""The reference semantics of conditions: truth tables, quantifiers, types, names used twice, deep nesting."""

from itertools import chain, combinations

import pytest

from support.pddl_texts import act, atoms, task, texts
from unpuzzle.base.errors import ParseError
from unpuzzle.pddl.nodes import (
    Action,
    And,
    Atom,
    Axiom,
    Domain,
    Exists,
    Forall,
    Imply,
    Not,
    Or,
    Predicate,
    Problem,
    Task,
    TypedName,
    When,
)
from unpuzzle.pddl.semantics import Semantics


def test_an_empty_disjunction_is_false():
    game = task("(:predicates (p))", "(:init (p)) (:goal (p))")
    semantics = Semantics(game)
    assert not semantics.holds(semantics.initial, Or())
    assert semantics.holds(semantics.initial, And())
    assert semantics.holds(semantics.initial, Imply(Or(), Or()))


@pytest.mark.parametrize("true", [*chain.from_iterable(combinations("xyz", n) for n in range(4))])
def test_quantifiers(true):
    init = " ".join(f"(p {name})" for name in true)
    game = task("(:types t none) (:predicates (p ?x - t))", f"(:objects x y z - t) (:init {init}) (:goal (and))")
    semantics = Semantics(game)
    x = (TypedName("?x", ("t",)),)
    p = Atom("p", ("?x",))
    state = semantics.initial
    assert semantics.holds(state, Exists(x, p)) is (len(true) > 0)
    assert semantics.holds(state, Forall(x, p)) is (len(true) == 3)
    assert semantics.holds(state, Not(Exists(x, Not(p)))) is (len(true) == 3)
    two = (TypedName("?x", ("t",)), TypedName("?y", ("t",)))
    differ = And((p, Atom("p", ("?y",)), Not(Atom("=", ("?x", "?y")))))
    assert semantics.holds(state, Exists(two, differ)) is (len(true) >= 2)
    nobody = (TypedName("?x", ("none",)),)
    assert not semantics.holds(state, Exists(nobody, And()))
    assert semantics.holds(state, Forall(nobody, Or()))


def test_types():
    """A hierarchy, `either` in parameters and objects, `object`, and a type with two parents."""
    game = task(
        """(:types animal plant - object bird fish - animal flying-fish - bird flying-fish - fish)
        (:constants tweety - bird) (:predicates (r))
        (:action any :parameters (?x) :effect (r))
        (:action animal :parameters (?x - animal) :effect (r))
        (:action either :parameters (?x - (either fish plant)) :effect (r))
        (:action both :parameters (?x - bird ?x - fish) :effect (r))""",
        "(:objects nemo - fish rose - plant exo - flying-fish odd - (either bird plant)) (:init) (:goal (and))",
    )
    semantics = Semantics(game)
    found = [str(action) for action in semantics.applicable(semantics.initial)]
    assert found == [
        "(any tweety)",
        "(any nemo)",
        "(any rose)",
        "(any exo)",
        "(any odd)",
        "(animal tweety)",
        "(animal nemo)",
        "(animal exo)",
        "(animal odd)",
        "(either nemo)",
        "(either rose)",
        "(either exo)",
        "(either odd)",
        "(both exo exo)",
    ]


def test_a_repeated_parameter_is_one_variable():
    game = task(
        """(:predicates (p ?x ?y) (r))
        (:action a :parameters (?x ?y ?x) :precondition (p ?x ?y) :effect (not (p ?x ?y)))""",
        "(:objects u v) (:init (p u v) (p v v)) (:goal (and))",
    )
    semantics = Semantics(game)
    assert texts(semantics.applicable(semantics.initial)) == ["(a u v u)", "(a v v v)"]
    with pytest.raises(
        ParseError, match="'u' and 'v' in \\(a u v v\\) are different values for the same parameter, \\?x"
    ):
        semantics.apply(semantics.initial, act("(a u v v)"))


def test_in_a_quantifier_the_second_of_two_hides_the_first():
    game = task(
        """(:types a b none) (:predicates (p ?x) (r ?x))
        (:derived (r ?y) (exists (?x - a ?x - b) (p ?x)))
        (:action act :parameters () :effect (forall (?x - a ?x - b) (not (p ?x))))""",
        """(:objects u - a v w - b) (:init (p u) (p v))
        (:goal (and (not (forall (?x - a ?x - b) (p ?x))) (exists (?x - a ?x - b) (p ?x))
                    (not (exists (?x - none ?x - b) (p ?x)))))""",
    )
    semantics = Semantics(game)
    assert semantics.solved(semantics.initial)
    assert len(semantics.derived(semantics.initial)) == 3
    assert semantics.apply(semantics.initial, act("(act)")) == atoms("(p u)")
    assert not semantics.derived(atoms("(p u)"))


def test_names_may_be_used_twice():
    game = task(
        """(:types and) (:predicates (and ?x - and) (when))
        (:action not :parameters (?x - and) :precondition (and (and ?x)) :effect (and (not (and ?x)) (when)))""",
        "(:objects and when - and) (:init (and and)) (:goal (and (when) (not (and and))))",
    )
    semantics = Semantics(game)
    (action,) = semantics.applicable(semantics.initial)
    assert str(action) == "(not and)"
    assert semantics.solved(semantics.apply(semantics.initial, action))


def test_free_variables_are_refused():
    game = task("(:predicates (p ?x))", "(:objects u) (:init (p u)) (:goal (and))")
    semantics = Semantics(game)
    with pytest.raises(ValueError, match="free variables: \\?x"):
        semantics.holds(semantics.initial, Not(Atom("p", ("?x",))))


def deeply(kind: str) -> object:
    condition: object = Atom("p", ("u", "?x"))
    for level in range(198):
        nested = {
            "not": Not(condition),
            "and": And((condition,)),
            "or": Or((condition,)),
            "mixed": Or((And((condition,)),)) if level % 2 else condition,
            "imply": Imply(And(), condition),
            "exists": Exists((TypedName("?y", ("one",)),), condition),
            "forall": Forall((TypedName("?y", ("one",)),), condition),
        }
        condition = nested[kind]
    return condition


@pytest.mark.parametrize("kind", ["not", "and", "or", "mixed", "imply", "exists", "forall"])
def test_deep_nesting(kind):
    """As deep as the reader lets pass, by every way through the code."""
    condition = deeply(kind)
    domain = Domain(
        "d",
        types=(TypedName("one"),),
        constants=(TypedName("u", ("one",)),),
        predicates=(Predicate("p", (TypedName("?x"), TypedName("?y"))), Predicate("q", (TypedName("?x"),))),
        actions=(Action("a", (TypedName("?x"),), condition, When(condition, Not(Atom("p", ("u", "?x"))))),),
        axioms=(Axiom(Predicate("q", (TypedName("?x"),)), condition),),
    )
    objects = (TypedName("v"),)
    semantics = Semantics(Task(domain, Problem("p", "d", objects=objects, init=(Atom("p", ("u", "v")),))))
    assert texts(semantics.applicable(semantics.initial)) == ["(a v)"]
    assert texts(semantics.derived(semantics.initial)) == ["(q v)"]
    assert semantics.why_not(semantics.initial, act("(a u)"))
    assert not semantics.apply(semantics.initial, act("(a v)"))
