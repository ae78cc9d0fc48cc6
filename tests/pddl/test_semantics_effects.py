"""The reference semantics of effects: all conditions before, deletes before adds, for all and derived."""

from __future__ import annotations

import pytest

from support.pddl_texts import act, atoms, task
from unpuzzle.pddl.semantics import Semantics


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
