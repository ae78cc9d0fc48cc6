"""Invariants are what no action makes more of; suspicions say no more than they know, and little of correct tasks."""

import pytest

from support.data import IPC, needs_ipc
from unpuzzle.pddl import invariants, lint, parse_domain, parse_task
from unpuzzle.pddl.invariants import Invariants

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
def test_no_suspicions_about_the_tasks_of_the_competitions() -> None:
    """They are correct, and so is what is certain: an obstacle that an action deletes and adds."""
    codes = (
        "two-places nowhere not-deleted delete-unasked equal-arguments goal-true goal-impossible never-enabled"
        " unbound-parameter forall-and type-line no-cost"
    ).split()
    told = set()
    for path in sorted(IPC.glob("*/*/domain.pddl")):
        faults = lint(path.read_text(), (path.parent / "problem.pddl").read_text())
        told |= {(path.parent.parent.name, fault.code) for fault in faults if fault.code in codes}
    assert told == set()


ADDED_AGAIN = """(define (domain d) (:predicates (at ?x ?p) (on))
  (:action go :parameters (?x ?p ?q) :precondition (at ?x ?p) :effect (and (not (at ?x ?p)) (at ?x ?q))))
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(at ?x ?q))", "(at ?x ?q) (at ?x ?p))"),  # added again by the same words
        ("?x ?p ?q)", "?x ?p ?q ?r)"),  # without a change of the effects: it stays an invariant
        ("(at ?x ?q)))", "(at ?x ?q) (at ?y ?p)))"),  # added again where ?y is ?x
        ("(not (at ?x ?p))", "(when (not (on)) (not (at ?x ?p)))"),  # not always deleted
        ("(not (at ?x ?p))", "(when (or (on) (at ?x ?q)) (not (at ?x ?p)))"),
        ("(not (at ?x ?p))", "(forall (?p) (when (at ?p ?p) (not (at ?x ?p))))"),  # another ?p
        ("(at ?x ?q)))", "(at ?x ?q) (forall (?z) (at ?x ?z))))"),
        ("(at ?x ?q)))", "(at ?x ?q) (when (on) (at ?x ?x))))"),
    ],
)
def test_what_is_added_again_or_perhaps_not_deleted_is_no_invariant(old: str, new: str) -> None:
    assert old in ADDED_AGAIN
    changed = ADDED_AGAIN.replace(old, new).replace("?x ?p ?q)", "?x ?p ?q ?y)" if "?y" in new else "?x ?p ?q)")
    assert ("at 0 *" in shown(changed)) == ("?r" in new)
    assert "at 0 *" in shown(ADDED_AGAIN)


@pytest.mark.parametrize(
    "effect",
    [
        "(and (not (at ?x ?p)) (at ?x ?q) (when (= ?q ?p) (at ?x ?p)))",  # then ?q is where it was
        "(and (when (not (= ?p ?q)) (not (at ?x ?p))) (at ?x ?q))",
        "(and (forall (?z) (not (at ?x ?z))) (at ?x ?q))",
        "(forall (?z) (when (at ?z ?p) (and (not (at ?z ?p)) (at ?z ?q))))",  # all that is there moves
        "(and (when (or (on) (at ?x ?p)) (not (at ?x ?p))) (at ?x ?q))",
        "(and (when (on) (not (at ?x ?p))) (when (on) (at ?x ?q)))",
    ],
)
def test_cases_are_seen_through(effect: str) -> None:
    assert "at 0 *" in shown(ADDED_AGAIN.replace("(and (not (at ?x ?p)) (at ?x ?q))", effect))


def test_a_goal_that_an_added_atom_fulfils_is_not_impossible() -> None:
    problem = """(define (problem p) (:domain d) (:objects k a b) (:init (at k a)) (:goal (and (at k a) (at k b))))"""
    assert "goal-impossible" in codes_of(ADDED_AGAIN, problem)
    again = ADDED_AGAIN.replace("(at ?x ?q))", "(at ?x ?q) (at ?x ?p))")
    assert codes_of(again, problem) == {"unused-predicate", "added-and-deleted"}
    assert "two-places" not in codes_of(again, problem.replace("(:init", "(:init (at k b)"))


def test_work_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an action exchanges is found once for all candidates, and a problem's own domain is judged if it differs."""
    made, found = [], []
    begin, exchange = Invariants.__init__, invariants.PreparedAction._exchange
    monkeypatch.setattr(Invariants, "__init__", lambda *each, **named: (made.append(1), begin(*each, **named))[1])
    monkeypatch.setattr(invariants.PreparedAction, "_exchange", lambda *each: (found.append(each), exchange(*each))[1])
    problem = "(define (problem p) (:domain blocks) (:objects a b) (:init (clear a) (on a b){}) (:goal (painted b)))"
    assert not any(fault.severity == "error" for fault in lint(BLOCKS, problem.format(" (table b) (empty)")))
    assert len(made) == 1
    assert len(found) == len({(schema.action, add, *case.items()) for schema, add, case in found}) > 10
    lint(BLOCKS, problem.format(""))  # nothing can be taken
    assert len(made) == 3


def codes_of(domain: str, problem: str | None = None) -> set[str]:
    return {fault.code for fault in lint(domain, problem) if not fault.code.startswith("requirement")}


HIDDEN = ("hidden-variable", "unused-variable")


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("(on)", "(on) (off)", {"unused-predicate"}),
        ("(at ?x ?q))", "(at ?x ?q) (on) (not (on)))", {"added-and-deleted"}),
        ("(at ?x ?q))", "(at ?x ?q) (on) (when (at ?x ?x) (not (on))))", {"added-and-deleted"}),
        ("(at ?x ?q))", "(at ?x ?q) (not (on)) (when (not (on)) (on)))", set()),
        (":effect (and (not (at ?x ?p)) (at ?x ?q))", ":effect (at ?x ?p)", {"no-effect", "unused-variable"}),
        (":effect (and (not (at ?x ?p)) (at ?x ?q))", ":effect (forall (?x) (at ?x ?p))", {*HIDDEN}),
    ],
)  # fmt: skip
def test_what_is_said_of_effects_holds(old: str, new: str, codes: set[str]) -> None:
    assert old in ADDED_AGAIN
    assert codes_of(ADDED_AGAIN.replace(old, new)) - {"unused-predicate"} == codes - {"unused-predicate"}


THREE = """(define (domain three) (:requirements :strips :equality :negative-preconditions)
  (:predicates (over ?a ?b) (down ?a) (free ?a))
  (:action shift :parameters (?a ?under ?new)
    :precondition (and (free ?a) (free ?new) (not (= ?a ?new)) (over ?a ?under))
    :effect (and (not (over ?a ?under)) (over ?a ?new) (free ?under) (not (free ?new))))
  (:action lower :parameters (?a ?under)
    :precondition (and (free ?a) (over ?a ?under)) :effect (and (not (over ?a ?under)) (down ?a) (free ?under)))
  (:action raise :parameters (?a ?new)
    :precondition (and (free ?a) (free ?new) (not (= ?a ?new)) (down ?a))
    :effect (and (not (down ?a)) (over ?a ?new) (not (free ?new)))))
"""
TOWER = """(define (problem p) (:domain three) (:objects x y z)
  (:init (over x y) (over y z) (down z) (free x)) (:goal (free z)))"""


def test_a_comparison_holds_for_what_it_compares() -> None:
    """`lower` leaves (free ?a) true, and so does `shift`."""
    assert codes_of(THREE) == codes_of(THREE, TOWER) == set()
    faults = lint(THREE.replace("(not (over ?a ?under)) (down ?a)", "(down ?a)"), TOWER)
    assert [(fault.code, fault.fix) for fault in faults] == [("not-deleted", None)]
    assert "leaves (over ?a ?under) true" in faults[0].message


def test_parameters_that_may_be_equal_are_reported_with_an_instance() -> None:
    equal = THREE.replace(" (not (= ?a ?new))", "").replace(" :equality :negative-preconditions", "")
    faults = lint(equal, TOWER)
    assert [fault.code for fault in faults] == ["equal-arguments"] * 2
    assert "makes (over ?a ?a) true, as (shift x y x) does at the start" in faults[0].message
    assert codes_of(equal) == {"equal-arguments"}
    assert parse_task(equal, TOWER)
    assert codes_of(equal, TOWER.replace("(free z)", "(over x x)")) == set()  # it is meant


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(free ?a) (free ?new)", "(free ?a) (free ?new) (over ?new ?a)"),  # no block lies on itself
        ("(free ?a) (free ?new) (over", "(down ?a) (free ?new) (over"),  # of another kind, perhaps
        ("?a ?under ?new)", "?a ?under ?new ?c)"),
    ],
)
def test_other_parameters_are_not_taken_for_equal(old: str, new: str) -> None:
    equal = THREE.replace(" (not (= ?a ?new))", "", 1).replace(old, new, 1)
    assert old in THREE.replace(" (not (= ?a ?new))", "", 1)
    assert ("equal-arguments" in codes_of(equal)) == ("?c" in new)


def test_blocks_in_the_hand_are_not_free() -> None:
    """The invariant says so: (holding ?x) and (clear ?x) are never true together."""
    typed = BLOCKS.replace("(:predicates", "(:types block) (:predicates").replace("(?x ?y)", "(?x ?y - block)")
    assert codes_of(typed.replace("(?x)", "(?x - block)")) & {"equal-arguments"} == set()


def test_of_three_at_one_place_nobody_is_surprised() -> None:
    init = "(define (problem p) (:domain d) (:objects k a b c) (:init (at k a) (at k b){}) (:goal (at k c)))"
    assert "two-places" in codes_of(ADDED_AGAIN, init.format(""))
    assert "two-places" not in codes_of(ADDED_AGAIN, init.format(" (at k c)"))


def test_a_place_may_be_empty_where_things_come_and_go() -> None:
    domain = """(define (domain d) (:requirements :strips :typing) (:types robot cell)
      (:predicates (pos ?r - robot ?c - cell) (ready ?r - robot) (dry ?c - cell))
      (:action step :parameters (?r - robot ?a ?b - cell) :precondition (and (pos ?r ?a) (ready ?r))
        :effect (and (not (pos ?r ?a)) (pos ?r ?b)))
      (:action charge :parameters (?r - robot ?c - cell)
        :precondition (and (pos ?r ?c) (dry ?c)) :effect (ready ?r)))"""
    problem = """(define (problem p) (:domain d) (:objects {} - robot c1 c2 c3 - cell)
      (:init (pos r1 c1) (pos r2 c2)) (:goal (and {})))"""
    assert "nowhere" not in codes_of(domain, problem.format("r1 r2", "(pos r1 c3)"))
    assert "nowhere" in codes_of(domain, problem.format("r1 r2 r3", "(pos r1 c3) (pos r3 c1)"))
