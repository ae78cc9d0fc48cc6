"""The reference semantics: hand-made truth tables, axioms, effects and costs; brute force on random and IPC tasks."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.data import IPC, needs_ipc
from unpuzzle.errors import IllegalMove, ParseError, UnsupportedFeature
from unpuzzle.pddl import semantics as module
from unpuzzle.pddl.nodes import (
    Action,
    And,
    Atom,
    Axiom,
    Domain,
    Exists,
    Forall,
    FunctionTerm,
    GroundAction,
    Imply,
    Increase,
    Not,
    Or,
    Predicate,
    Problem,
    Task,
    TypedName,
    When,
)
from unpuzzle.pddl.reader import parse_task, read
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write
from unpuzzle.testing.random_tasks import random_task

IPC_TASKS = sorted(path.parent for path in IPC.glob("*/*/problem.pddl"))
SEEDS = st.integers(min_value=0, max_value=2**32)


def task(domain: str, problem: str) -> Task:
    return parse_task(f"(define (domain d) {domain})", f"(define (problem p) (:domain d) {problem})")


def act(text: str) -> GroundAction:
    name, *arguments = text.strip("()").split()
    return GroundAction(name, tuple(arguments))


def atoms(*texts: str) -> frozenset[Atom]:
    return frozenset(Atom(words[0], tuple(words[1:])) for words in (text.strip("()").split() for text in texts))


def texts(found) -> list[str]:
    return sorted(str(each) for each in found)


# Conditions ---------------------------------------------------------------------------------------------------------

TABLES = [
    ("(p)", lambda p, q: p),
    ("(not (p))", lambda p, q: not p),
    ("(and)", lambda p, q: True),
    ("(and (p) (q))", lambda p, q: p and q),
    ("(and (p) (q) (not (p)))", lambda p, q: False),
    ("(or (p) (q))", lambda p, q: p or q),
    ("(or (not (p)) (and (q) (p)))", lambda p, q: not p or q),
    ("(imply (p) (q))", lambda p, q: not p or q),
    ("(imply (imply (p) (q)) (q))", lambda p, q: p or q),
    ("(not (or (p) (not (q))))", lambda p, q: not p and q),
    ("(not (imply (p) (q)))", lambda p, q: p and not q),
    ("(not (not (q)))", lambda p, q: q),
    ("(and (or (p) (q)) (not (and (p) (q))))", lambda p, q: p != q),
]


@pytest.mark.parametrize(("condition", "truth"), TABLES, ids=[condition for condition, _ in TABLES])
@pytest.mark.parametrize("p", [False, True])
@pytest.mark.parametrize("q", [False, True])
def test_connectives(condition, truth, p, q):
    init = "(p)" * p + "(q)" * q
    game = task(
        f"(:predicates (p) (q) (r)) (:action a :parameters () :precondition {condition} :effect (and (r) (p) (q)))",
        f"(:init {init}) (:goal {condition})",
    )
    semantics = Semantics(game)
    assert semantics.holds(semantics.initial, game.problem.goal) is truth(p, q)
    assert semantics.solved(semantics.initial) is truth(p, q)
    assert bool(semantics.applicable(semantics.initial)) is truth(p, q)
    assert (semantics.why_not(semantics.initial, act("(a)")) is None) is truth(p, q)


def test_an_empty_disjunction_is_false():
    game = task("(:predicates (p))", "(:init (p)) (:goal (p))")
    semantics = Semantics(game)
    assert not semantics.holds(semantics.initial, Or())
    assert semantics.holds(semantics.initial, And())
    assert semantics.holds(semantics.initial, Imply(Or(), Or()))


@pytest.mark.parametrize("true", [*chain.from_iterable(combinations("xyz", n) for n in range(4))])
def test_quantifiers(true):
    init = " ".join(f"(p {name})" for name in true)
    game = task(
        "(:types t none) (:predicates (p ?x - t))",
        f"(:objects x y z - t) (:init {init}) (:goal (and))",
    )
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


def test_an_inner_quantifier_hides_an_outer_variable():
    game = task(
        """(:predicates (p ?x) (done ?x))
        (:action a :parameters (?x) :precondition (and (not (p ?x)) (exists (?x) (p ?x))) :effect (done ?x))""",
        "(:objects u v w) (:init (p v)) (:goal (and))",
    )
    semantics = Semantics(game)
    assert texts(semantics.applicable(semantics.initial)) == ["(a u)", "(a w)"]


def test_two_quantifiers_may_use_one_name():
    game = task(
        """(:predicates (p ?x) (q ?x) (r))
        (:action a :parameters () :precondition (and (exists (?x) (p ?x)) (exists (?x) (q ?x))) :effect (r))
        (:action b :parameters () :effect (r)
            :precondition (or (exists (?x) (and (p ?x) (q ?x))) (exists (?x) (not (exists (?y) (p ?y))))))""",
        "(:objects u v) (:init (p u) (q v)) (:goal (and))",
    )
    semantics = Semantics(game)
    assert texts(semantics.applicable(semantics.initial)) == ["(a)"]


def test_disjunctions_bind_parameters():
    game = task(
        """(:predicates (p ?x ?y) (q ?x) (r))
        (:action a :parameters (?x ?y ?z) :effect (r)
            :precondition (and (or (p ?x ?y) (exists (?w) (and (q ?w) (p ?y ?w) (= ?x ?w))))
                               (or (q ?z) (not (p ?z ?z)))))
        """,
        "(:objects u v) (:init (p u v) (p v v) (q u)) (:goal (and))",
    )
    semantics = Semantics(game)
    assert texts(semantics.applicable(semantics.initial)) == ["(a u v u)", "(a v v u)"]


def test_equality():
    game = task(
        """(:predicates (r))
        (:action same :parameters (?x ?y) :precondition (= ?x ?y) :effect (r))
        (:action other :parameters (?x ?y) :precondition (not (= ?x ?y)) :effect (r))""",
        "(:objects u v) (:init) (:goal (and))",
    )
    semantics = Semantics(game)
    applicable = texts(semantics.applicable(semantics.initial))
    assert applicable == ["(other u v)", "(other v u)", "(same u u)", "(same v v)"]


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
    with pytest.raises(ParseError, match="'u' and 'v' in \\(a u v v\\) stand for one and the same \\?x"):
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


def test_a_repeated_variable_in_an_atom():
    game = task(
        "(:predicates (p ?x ?y) (r)) (:action a :parameters (?x) :precondition (p ?x ?x) :effect (r))",
        "(:objects u v) (:init (p u v) (p v v)) (:goal (and))",
    )
    semantics = Semantics(game)
    assert texts(semantics.applicable(semantics.initial)) == ["(a v)"]


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


# Axioms -------------------------------------------------------------------------------------------------------------

GRAPH = """(:predicates (edge ?x ?y) (closed ?x) (path ?x ?y) (cut ?x ?y) (all-cut ?x))
    (:derived (path ?x ?y) (and (edge ?x ?y) (not (closed ?y))))
    (:derived (path ?x ?y) (exists (?z) (and (path ?x ?z) (path ?z ?y))))
    (:derived (cut ?x ?y) (not (path ?x ?y)))
    (:derived (all-cut ?x) (forall (?y) (cut ?x ?y)))
    (:action close :parameters (?x) :precondition (not (all-cut ?x)) :effect (closed ?x))"""


def test_recursion_and_negation_by_strata():
    game = task(GRAPH, "(:objects a b c d) (:init (edge a b) (edge b c) (edge c b) (edge d a)) (:goal (all-cut d))")
    semantics = Semantics(game)
    state = semantics.initial
    paths = {"ab", "ac", "bb", "bc", "cb", "cc", "da", "db", "dc"}
    assert {a.arguments for a in semantics.derived(state) if a.predicate == "path"} == {tuple(path) for path in paths}
    assert len([a for a in semantics.derived(state) if a.predicate == "cut"]) == 16 - len(paths)
    assert not any(a.predicate == "all-cut" for a in semantics.derived(state))
    state = semantics.apply(state, act("(close b)"))
    paths_and_ends = [a for a in semantics.derived(state) if a.predicate in ("path", "all-cut")]
    assert texts(paths_and_ends) == ["(all-cut a)", "(all-cut c)", "(path b c)", "(path d a)"]
    assert texts(semantics.applicable(state)) == ["(close b)", "(close d)"]
    assert not semantics.solved(state)
    assert semantics.solved(state | atoms("(closed a)"))


def test_mutual_recursion_shares_a_stratum():
    game = task(
        """(:predicates (next ?x ?y) (zero ?x) (even ?x) (odd ?x))
        (:derived (even ?x) (or (zero ?x) (exists (?y) (and (next ?y ?x) (odd ?y)))))
        (:derived (odd ?x) (exists (?y) (and (next ?y ?x) (even ?y))))""",
        "(:objects n0 n1 n2 n3) (:init (zero n0) (next n0 n1) (next n1 n2) (next n2 n3)) (:goal (odd n3))",
    )
    semantics = Semantics(game)
    assert texts(semantics.derived(semantics.initial)) == ["(even n0)", "(even n2)", "(odd n1)", "(odd n3)"]
    assert semantics.solved(semantics.initial)


def test_recursion_through_forall_is_a_least_fixpoint():
    """What leads only to safe places is safe; a circle never becomes so."""
    game = task(
        """(:predicates (edge ?x ?y) (safe ?x))
        (:derived (safe ?x) (forall (?y) (imply (edge ?x ?y) (safe ?y))))""",
        "(:objects a b c d e) (:init (edge a b) (edge b c) (edge d e) (edge e d) (edge c c)) (:goal (and))",
    )
    semantics = Semantics(game)
    assert not semantics.derived(semantics.initial)
    without_loop = semantics.initial - atoms("(edge c c)")
    game = Task(game.domain, Problem("p", "d", objects=game.problem.objects, init=tuple(without_loop)))
    semantics = Semantics(game)
    assert texts(semantics.derived(semantics.initial)) == ["(safe a)", "(safe b)", "(safe c)"]


def test_heads_are_typed_and_may_repeat_variables():
    game = task(
        """(:types big - object) (:predicates (p ?x ?y) (q ?x))
        (:derived (p ?x ?x) (q ?x)) (:derived (q ?x - big) (and))""",
        "(:objects u - big v - object) (:init) (:goal (and (p u u) (not (p u v)) (not (p v v)) (not (q v))))",
    )
    semantics = Semantics(game)
    assert texts(semantics.derived(semantics.initial)) == ["(p u u)", "(q u)"]
    assert semantics.solved(semantics.initial)


def test_axioms_that_negate_themselves_are_refused():
    x = (TypedName("?x"),)
    p, q, r = (Atom(name, ("?x",)) for name in "pqr")
    rules = (Axiom(Predicate("p", x), Imply(q, r)), Axiom(Predicate("q", x), p))
    domain = Domain("d", predicates=(Predicate("p", x), Predicate("q", x), Predicate("r", x)), axioms=rules)
    with pytest.raises(ParseError, match="'p' depends on its own negation, by way of \\(q \\?x\\)"):
        Task(domain, Problem("p", "d"))


def test_derived_atoms_cannot_be_set():
    p = Predicate("p")
    rule = Axiom(p, And())
    with pytest.raises(ParseError, match="the derived predicate 'p' cannot be set by the initial state"):
        Task(Domain("d", predicates=(p,), axioms=(rule,)), Problem("p", "d", init=(Atom("p"),)))
    action = Action("a", (), And(), When(And(), Not(Atom("p"))))
    with pytest.raises(ParseError, match="the derived predicate 'p' cannot be set by an effect"):
        Task(Domain("d", predicates=(p,), axioms=(rule,), actions=(action,)), Problem("p", "d"))


# Effects ------------------------------------------------------------------------------------------------------------


def test_all_conditions_are_tested_in_the_old_state():
    game = task(
        """(:predicates (p) (q))
        (:action swap :parameters () :effect (and
            (when (p) (and (not (p)) (q))) (when (q) (and (p) (not (q))))))""",
        "(:init (p)) (:goal (q))",
    )
    semantics = Semantics(game)
    swap = act("(swap)")
    assert semantics.apply(atoms("(p)"), swap) == atoms("(q)")
    assert semantics.apply(atoms("(q)"), swap) == atoms("(p)")
    # With both, each is deleted and added: adding wins.
    assert semantics.apply(atoms("(p)", "(q)"), swap) == atoms("(p)", "(q)")
    assert semantics.apply(frozenset(), swap) == frozenset()


@pytest.mark.parametrize("effect", ["(and (p) (not (p)))", "(and (not (p)) (p))", "(and (when (p) (not (p))) (p))"])
@pytest.mark.parametrize("init", ["", "(p)"])
def test_deletes_come_before_adds(effect, init):
    game = task(f"(:predicates (p)) (:action a :parameters () :effect {effect})", f"(:init {init}) (:goal (p))")
    semantics = Semantics(game)
    assert semantics.apply(semantics.initial, act("(a)")) == atoms("(p)")


def test_effects_for_all():
    game = task(
        """(:types ball box) (:predicates (in ?x - ball ?y - box) (red ?x - ball) (out ?x - ball))
        (:action empty :parameters (?y - box) :effect
            (forall (?x - ball) (when (and (in ?x ?y) (red ?x)) (and (not (in ?x ?y)) (out ?x)))))
        (:action shift :parameters (?y ?z - box) :effect
            (forall (?x - ball) (when (in ?x ?y) (and (in ?x ?z) (forall (?w - box) (not (in ?x ?w)))))))""",
        """(:objects b1 b2 b3 - ball x y - box)
        (:init (in b1 x) (in b2 x) (in b3 y) (red b1) (red b3)) (:goal (and))""",
    )
    semantics = Semantics(game)
    emptied = semantics.apply(semantics.initial, act("(empty x)"))
    assert semantics.fluents(emptied) == atoms("(out b1)", "(in b2 x)", "(in b3 y)")
    shifted = semantics.apply(emptied, act("(shift x y)"))
    assert semantics.fluents(shifted) == atoms("(out b1)", "(in b2 y)", "(in b3 y)")


def test_conditional_effects_see_derived_atoms():
    game = task(
        """(:predicates (p) (q) (d)) (:derived (d) (p))
        (:action a :parameters () :effect (and (not (p)) (when (d) (q))))""",
        "(:init (p)) (:goal (and (q) (not (d))))",
    )
    semantics = Semantics(game)
    after = semantics.apply(semantics.initial, act("(a)"))
    assert after == atoms("(q)")
    assert semantics.solved(after)


# States and actions -------------------------------------------------------------------------------------------------

ROOMS = """(:types room ball) (:predicates (at ?r - room) (door ?a ?b - room) (ball-at ?b - ball ?r - room) (open))
    (:functions (total-cost) (length ?a ?b - room))
    (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b) (not (at ?b)))
        :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)) (increase (total-cost) 2)))
    (:action wait :parameters () :precondition (forall (?r - room) (imply (at ?r) (exists (?b - ball) (ball-at ?b ?r))))
        :effect (and))
    (:action drop :parameters (?b - ball) :precondition (and (or (at r1) (at r2)) (not (open))) :effect (and (open)))
    """.replace("(:types room ball)", "(:types room ball) (:constants r1 r2 - room)")
ROOMS_PROBLEM = """(:objects r3 - room b1 - ball)
    (:init (at r1) (door r1 r2) (door r2 r3) (ball-at b1 r2) (= (length r1 r2) 5))
    (:goal (and (at r3) (not (open))))"""


@pytest.fixture
def rooms() -> Semantics:
    return Semantics(task(ROOMS, f"{ROOMS_PROBLEM} (:metric minimize (total-cost))"))


def test_predicates_are_static_fluent_or_derived(rooms):
    assert rooms.static_predicates == {"door", "ball-at"}
    assert rooms.fluent_predicates == {"at", "open"}
    assert rooms.derived_predicates == frozenset()
    graph = Semantics(task(GRAPH, "(:objects a) (:init) (:goal (and))"))
    assert graph.static_predicates == {"edge"}
    assert graph.fluent_predicates == {"closed"}
    assert graph.derived_predicates == {"path", "cut", "all-cut"}


def test_a_state_means_the_same_without_its_static_atoms(rooms):
    state = rooms.initial
    fluents = rooms.fluents(state)
    assert fluents == atoms("(at r1)")
    assert rooms.applicable(fluents) == rooms.applicable(state) == (act("(go r1 r2)"), act("(drop b1)"))
    assert rooms.apply(fluents, act("(go r1 r2)")) == atoms("(at r2)")
    assert rooms.apply(state, act("(go r1 r2)")) == (state - atoms("(at r1)")) | atoms("(at r2)")


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("(go r1 r3)", "(door r1 r3) is false (static: no action changes it)"),
        ("(go r2 r3)", "(at r2) is false"),
        ("(go r1 r1)", "(door r1 r1) is false (static: no action changes it)"),
        ("(wait)", "for ?r = r1: (at r1) holds, but no objects satisfy (exists (?b) (ball-at ?b r1))"),
    ],
)
def test_the_literal_that_fails_is_named(rooms, action, reason):
    assert rooms.why_not(rooms.initial, act(action)) == reason
    with pytest.raises(IllegalMove) as caught:
        rooms.apply(rooms.initial, act(action))
    assert str(caught.value) == f"{action} is not applicable: {reason}"
    assert caught.value.move == action


def test_more_reasons(rooms):
    open_at_2 = atoms("(at r2)", "(open)")
    assert rooms.why_not(open_at_2, act("(drop b1)")) == "(open) is true, but must be false"
    at_3 = atoms("(at r3)")
    assert rooms.why_not(at_3, act("(drop b1)")) == "none of the alternatives in (or (at r1) (at r2)) holds"
    assert rooms.why_not(at_3, act("(go r3 r2)")) == "(door r3 r2) is false (static: no action changes it)"
    assert rooms.why_unsolved(open_at_2) == "(at r3) is false"
    assert rooms.why_unsolved(atoms("(at r3)", "(open)")) == "(open) is true, but must be false"
    assert rooms.why_unsolved(at_3) is None


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("(goo r1 r2)", "unknown action 'goo', did you mean 'go'?"),
        ("(fly r1 r2)", "unknown action 'fly'"),
        ("(go r1)", "(go r1) has 1, but 'go' takes 2 arguments"),
        ("(drop)", "(drop) has 0, but 'drop' takes 1 argument"),
        ("(go r1 room2)", "unknown object 'room2' in (go r1 room2)"),
        ("(go r1 r22)", "unknown object 'r22' in (go r1 r22), did you mean 'r2'?"),
        ("(go r1 b1)", "'b1' in (go r1 b1) is not of type room, as ?b must be"),
    ],
)
def test_actions_that_the_task_does_not_have(rooms, action, message):
    for ask in (rooms.apply, rooms.why_not, lambda _, action: rooms.cost(action)):
        with pytest.raises(ParseError) as caught:
            ask(rooms.initial, act(action))
        assert caught.value.message.startswith(message)


def test_the_order_of_applicable_actions():
    """By schema, then by objects in the order of the text, constants first."""
    game = task(
        """(:constants z) (:predicates (p))
        (:action two :parameters (?x ?y) :effect (p)) (:action one :parameters (?x) :effect (p))""",
        "(:objects y x) (:init) (:goal (p))",
    )
    semantics = Semantics(game)
    found = ["".join(action.arguments) for action in semantics.applicable(semantics.initial)]
    assert found == ["zz", "zy", "zx", "yz", "yy", "yx", "xz", "xy", "xx", "z", "y", "x"]


# Costs --------------------------------------------------------------------------------------------------------------


def test_the_cost_is_the_sum_of_all_increases(rooms):
    assert rooms.cost(act("(go r1 r2)")) == 7
    assert rooms.cost(act("(wait)")) == 0


def test_without_a_metric_every_action_costs_one():
    semantics = Semantics(task(ROOMS, ROOMS_PROBLEM))
    assert semantics.cost(act("(go r1 r2)")) == 1
    assert semantics.cost(act("(go r2 r3)")) == 1
    assert semantics.cost(act("(wait)")) == 1


def test_a_missing_value_is_told_when_it_is_needed(rooms):
    """Not before: mostly an action without a value for its cost is never applicable."""
    with pytest.raises(ParseError, match="an action costs \\(length r2 r3\\), but the initial state gives it no value"):
        rooms.cost(act("(go r2 r3)"))


ONE = Increase(FunctionTerm("total-cost"), 1)
X = (TypedName("?x"),)


@pytest.mark.parametrize(
    "effect",
    [When(Atom("p"), ONE), Forall(X, ONE), Forall(X, When(Atom("p"), And((Atom("p"), ONE))))],
    ids=["when", "forall", "both"],
)
def test_conditional_costs_are_refused(effect):
    action = Action("a", (), And(), And((Atom("p"), effect)))
    game = Task(Domain("d", predicates=(Predicate("p"),), actions=(action,)), Problem("p", "d"))
    with pytest.raises(UnsupportedFeature, match="action 'a' increases \\(total-cost\\) under 'when' or 'forall'"):
        Semantics(game)


def test_negative_costs_are_refused():
    game = task(ROOMS, f"{ROOMS_PROBLEM} (:metric minimize (total-cost))")
    lowered = type(game.problem.values[0])(FunctionTerm("length", ("r1", "r2")), -3)
    problem = Problem("p", "d", (), game.problem.objects, game.problem.init, (lowered,), And(), game.problem.metric)
    with pytest.raises(UnsupportedFeature, match="an action has the negative cost -3"):
        Semantics(Task(game.domain, problem)).cost(act("(go r1 r2)"))


def test_other_metrics_are_refused():
    domain = Domain("d")
    game = Task(domain, Problem("p", "d", metric=FunctionTerm("fuel")).trusted(domain))
    with pytest.raises(UnsupportedFeature, match="only \\(total-cost\\) can be minimized, not \\(fuel\\)"):
        Semantics(game)


# By brute force -----------------------------------------------------------------------------------------------------


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


@settings(max_examples=40, deadline=None)
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


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=60, deadline=None)
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


# Module functions ---------------------------------------------------------------------------------------------------


def test_module_functions():
    game = task("(:predicates (p)) (:action a :parameters () :effect (p))", "(:init) (:goal (p))")
    state = module.initial(game)
    assert state == frozenset()
    (action,) = module.applicable(game, state)
    assert module.holds(game, module.apply(game, state, action), game.problem.goal)
