"""Invariants are what no action makes more of; suspicions say no more than they know, and little of correct tasks."""

from __future__ import annotations

import random

import pytest

from support.data import IPC, needs_ipc
from unpuzzle.pddl import Semantics, lint, parse_domain, parse_task
from unpuzzle.pddl.normal_form.invariants import Invariants

BLOCKS = """(define (domain blocks)
  (:predicates (on ?x ?y) (table ?x) (clear ?x) (empty) (holding ?x) (painted ?x))
  (:action take :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (empty))
    :effect (and (not (on ?x ?y)) (not (clear ?x)) (not (empty)) (clear ?y) (holding ?x)))
  (:action lift :parameters (?x) :precondition (and (table ?x) (clear ?x) (empty))
    :effect (and (not (table ?x)) (not (clear ?x)) (not (empty)) (holding ?x)))
  (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (on ?x ?y) (clear ?x) (empty)))
  (:action drop :parameters (?x) :precondition (holding ?x)
    :effect (and (not (holding ?x)) (table ?x) (clear ?x) (empty)))
  (:action paint :parameters (?x) :precondition (holding ?x) :effect (painted ?x)))
"""


def shown(domain: str) -> set[str]:
    """The invariants as text: `*` is counted, a number is the place of a thing that is kept."""
    result = set()
    for invariant in Invariants(parse_domain(domain)).proved:
        parts = []
        for part in sorted(invariant):
            size = len(part.kept) + (part.counted is not None)
            places = {place: str(number) for number, place in enumerate(part.kept)} | {part.counted: "*"}
            parts.append(" ".join([part.predicate, *[places[place] for place in range(size)]]))
        result.add(", ".join(parts))
    return result


def test_the_invariants_of_blocks() -> None:
    assert shown(BLOCKS) == {
        "clear 0, holding 0, on * 0",  # on a block is one other, or it is free, or it is in the hand
        "holding 0, on 0 *, table 0",  # a block is at one place
        "empty, holding *",  # the hand holds one block
    }


def test_what_only_grows_is_no_invariant() -> None:
    assert not any("painted" in invariant for invariant in shown(BLOCKS))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(not (holding ?x)) (table ?x)", "(table ?x)"),
        (":precondition (holding ?x)\n", "\n"),
        ("(not (holding ?x)) (table ?x)", "(when (painted ?x) (not (holding ?x))) (table ?x)"),
        ("(table ?x) (clear ?x) (empty)))", "(forall (?z) (table ?z)) (not (table ?x)) (clear ?x) (empty)))"),
    ],
)
def test_an_unbalanced_action_breaks_an_invariant(old: str, new: str) -> None:
    assert old in BLOCKS
    assert "holding 0, on 0 *, table 0" not in shown(BLOCKS.replace(old, new))


def test_a_conditional_effect_may_keep_it() -> None:
    lamps = """(define (domain d) (:predicates (at ?x ?p) (way ?a ?b))
      (:action go :parameters (?x ?a ?b) :precondition (way ?a ?b)
        :effect (when (at ?x ?a) (and (not (at ?x ?a)) (at ?x ?b)))))"""
    assert shown(lamps) == {"at 0 *"}
    assert shown(lamps.replace("(not (at ?x ?a)) ", "")) == set()


@needs_ipc
@pytest.mark.parametrize(
    "name", ["blocks/probBLOCKS-4-0", "gripper/prob01", "logistics00/probLOGISTICS-4-0", "storage/p01"]
)
def test_no_walk_breaks_an_invariant(name: str) -> None:
    folder = IPC / name
    task = parse_task((folder / "domain.pddl").read_text(), (folder / "problem.pddl").read_text())
    proved = Invariants(task.domain).proved
    assert proved
    semantics, rng = Semantics(task), random.Random(1)
    state = semantics.initial
    for _ in range(60):
        actions = sorted(semantics.applicable(state), key=str)
        if not actions:
            break
        after = semantics.apply(state, rng.choice(actions))
        for invariant in proved:
            parts = {part.predicate: part for part in invariant}
            number = [
                {
                    key: sum(atom.predicate in parts and parts[atom.predicate].key(atom) == key for atom in each)
                    for key in {parts[atom.predicate].key(atom) for atom in after if atom.predicate in parts}
                }
                for each in (state, after)
            ]
            assert all(number[1][key] <= number[0][key] for key in number[1]), invariant
        state = after


@needs_ipc
def test_few_suspicions_about_the_tasks_of_the_competitions() -> None:
    """Of 45 tasks, those that are named do something odd."""
    codes = {"two-places", "nowhere", "not-deleted", "delete-unasked", "goal-true", "goal-impossible", "never-enabled"}
    told = set()
    for path in sorted(IPC.glob("*/*/domain.pddl")):
        faults = lint(path.read_text(), (path.parent / "problem.pddl").read_text())
        told |= {(path.parent.parent.name, fault.code) for fault in faults if fault.code in codes}
    assert told == {
        ("optical-telegraphs", "not-deleted"),
        ("philosophers", "not-deleted"),
        ("storage", "delete-unasked"),
    }
