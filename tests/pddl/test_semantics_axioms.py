"""The reference semantics of axioms: recursion, negation by strata, and what is refused."""

from __future__ import annotations

import pytest

from support.pddl_texts import GRAPH, act, atoms, task, texts
from unpuzzle.errors import ParseError
from unpuzzle.pddl.nodes import Action, And, Atom, Axiom, Domain, Imply, Not, Predicate, Problem, Task, TypedName, When
from unpuzzle.pddl.semantics import Semantics


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
    with pytest.raises(ParseError, match=r"'p' depends on its own negation: p needs \(not \(q \?x\)\), q needs p"):
        Task(domain, Problem("p", "d"))


def test_derived_atoms_cannot_be_set():
    p = Predicate("p")
    rule = Axiom(p, And())
    with pytest.raises(ParseError, match="the derived predicate 'p' cannot be set by the initial state"):
        Task(Domain("d", predicates=(p,), axioms=(rule,)), Problem("p", "d", init=(Atom("p"),)))
    action = Action("a", (), And(), When(And(), Not(Atom("p"))))
    with pytest.raises(ParseError, match="the derived predicate 'p' cannot be set by an effect"):
        Task(Domain("d", predicates=(p,), axioms=(rule,), actions=(action,)), Problem("p", "d"))
