"""Lint tells a cause once, not all that follows from it, and what is probably not meant in a correct text."""

import pytest

from unpuzzle.pddl import lint
from unpuzzle.pddl.linting.fault import Faults, edited

LIFT = """(define (domain lift)
  (:requirements :adl :action-costs)
  (:types floor item - object
          card parcel - item)
  (:predicates (lift-at ?f - floor) (lies ?i - item ?f - floor) (holds ?i - item) (locked ?f - floor)
    (opens ?c - card ?f - floor) (above ?high ?low - floor))
  (:functions (total-cost) - number)
  (:action up :parameters (?a ?b - floor)
    :precondition (and (lift-at ?a) (above ?b ?a) (not (locked ?b)))
    :effect (and (not (lift-at ?a)) (lift-at ?b) (increase (total-cost) 2)))
  (:action down :parameters (?a ?b - floor)
    :precondition (and (lift-at ?a) (above ?a ?b) (not (locked ?b)))
    :effect (and (not (lift-at ?a)) (lift-at ?b) (increase (total-cost) 1)))
  (:action take :parameters (?i - item ?f - floor)
    :precondition (and (lift-at ?f) (lies ?i ?f))
    :effect (and (not (lies ?i ?f)) (holds ?i) (increase (total-cost) 1)))
  (:action swipe :parameters (?c - card ?f - floor)
    :precondition (and (holds ?c) (opens ?c ?f) (locked ?f))
    :effect (and (not (locked ?f)) (not (holds ?c)) (increase (total-cost) 1))))
"""
NIGHT = """(define (problem night) (:domain lift)
  (:objects f0 f1 f2 - floor gold - card box - parcel)
  (:init (lift-at f0) (above f1 f0) (above f2 f1) (locked f2) (opens gold f2) (lies gold f1) (lies box f0)
    (= (total-cost) 0))
  (:goal (and (holds box) (lift-at f2)))
  (:metric minimize (total-cost)))
"""


def told(old: str = "", new: str = "", *, problem: str | None = NIGHT, domain: str = LIFT) -> Faults:
    """Return the faults after a change in domain or problem."""
    assert not old or old in domain or old in (problem or "")
    changed = None if problem is None else problem.replace(old, new) if old else problem
    return lint(domain.replace(old, new) if old else domain, changed, domain_name="d", problem_name="p")


def test_the_texts_are_correct() -> None:
    assert told() == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("f2 - floor gold", "f2 gold", "of 'f0', 'f1' and 'f2' is 'card', but should be 'floor': write"),
        ("f0 f1 f2 - floor gold - card box - parcel", "gold - card box - parcel f0 f1 f2", "write - floor after 'f2'"),
        ("(above ?high ?low - floor)", "(above ?high ?low - item)", "of '?high' and '?low' of the predicate 'above'"),
        (
            "(lies ?i - item ?f - floor)",
            "(lies ?i ?f - item)",
            "of the predicate 'lies' is 'item', but should be 'floor'",
        ),
        ("(?i - item ?f - floor)\n", "(?f ?i - item)\n", "of '?f' is 'item', but should be 'floor': write"),
        ("(?a ?b - floor)", "(?a ?b)", "of '?a' and '?b' is not given, but should be 'floor'"),
    ],
)
def test_a_missing_type_is_told_once(old: str, new: str, words: str) -> None:
    faults = told(old, new)
    assert len(faults) == 1, faults
    assert words in faults[0].message
    assert faults[0].places > 1


def test_the_suggestion_for_a_missing_type_mends_it() -> None:
    text = NIGHT.replace("f2 - floor gold", "f2 gold")
    (fault,) = told(problem=text)
    assert fault.suggestion is not None
    assert edited(text, [fault.suggestion]) == NIGHT


def test_objects_that_are_used_as_declared_are_not_blamed_for_swapped_arguments() -> None:
    faults = told("(holds box) (lift-at f2)", "(lies f2 box) (lies f1 box)")
    assert all(fault.message.startswith("the object '") for fault in faults)
    assert {fault.code for fault in faults} == {"wrong-type"}


def test_names_that_want_different_types_are_told_apart() -> None:
    faults = told("f0 f1 f2 - floor gold - card box - parcel", "f0 f1 f2 gold box")
    assert [fault.message.partition(":")[0] for fault in faults] == [
        "the type of 'f0', 'f1' and 'f2' is not given, but should be 'floor'",
        "the type of 'gold' is not given, but should be 'card'",
        "the type of 'box' is not given, but should be 'item'",
    ]


TYPES = "(:types floor item - object\n          card parcel - item)"


def test_a_line_of_types_that_swallows_the_next_one_is_told_where_its_type_is_missing() -> None:
    (fault,) = told(TYPES, TYPES.replace(" - object", ""))
    assert (fault.code, fault.line, fault.column) == ("type-circle", 3, 17)
    assert fault.message.endswith("as it gets the type of the next line: write - object after 'item'")
    (fault,) = told(TYPES, "(:types item - object floor\n          card parcel - item)")
    assert (fault.code, fault.suggestion is not None) == ("type-line", True)
    assert fault.message == (
        "'floor' gets the type 'item' of the next line, but is never used as 'item': is '- object' missing here?"
    )


@pytest.mark.parametrize(
    "types",
    [
        "(:types floor item - object\n          card\n          parcel - item)",  # each on its line, and each an item
        "(:types floor item - object card\n          parcel - item)",
        "(:types floor item\n  - object card parcel - item)",
        "(:types card\n - item parcel - item item floor - object)",
    ],
)
@pytest.mark.parametrize("problem", [None, NIGHT])
def test_lists_of_types_over_several_lines_are_not_suspected(types: str, problem: str | None) -> None:
    assert told(TYPES, types, problem=problem) == []


def test_one_action_without_a_cost_is_told_and_two_may_be_meant() -> None:
    (fault,) = told("(lift-at ?b) (increase (total-cost) 2)", "(lift-at ?b)")
    assert fault.message.startswith("'up' adds nothing to total-cost, unlike the other 3 actions, so it costs 0")
    assert told("(lift-at ?b) (increase (total-cost) 2)", "(lift-at ?b) (increase (total-cost) 0)") == []
    two = LIFT.replace("(lift-at ?b) (increase (total-cost) 2)", "(lift-at ?b)")
    assert told("(holds ?i) (increase (total-cost) 1)", "(holds ?i)", domain=two) == []
    assert not any(fault.code == "no-cost" for fault in told("  (:metric minimize (total-cost))", "", domain=two))


def test_a_parameter_that_nothing_binds_is_told() -> None:
    (fault,) = told(" (above ?b ?a)", "")
    assert fault.code == "unbound-parameter"
    assert fault.message == (
        "'up' makes (lift-at ?b) true, but its precondition does not relate ?b to ?a, as (above ?a ?b) does in 'down'"
    )
    faults = told("(and (lift-at ?a) (above ?b ?a) (not (locked ?b)))", "(not (locked ?b))")
    assert any(
        "'up' makes (lift-at ?a) false, but its precondition does not mention ?a" in each.message for each in faults
    )
    alone = LIFT.replace("(above ?a ?b) ", "")
    assert [fault.code for fault in told(" (above ?b ?a)", "", domain=alone)] == ["unused-predicate"]


SWEEP = "(not (lift-at ?a)) (lift-at ?b) (increase (total-cost) 2)"


@pytest.mark.parametrize(
    ("effect", "suspected"),
    [
        ("(forall (?c - card) (and (opens ?c ?b) (not (holds ?c))))", True),
        ("(forall (?i - item) (and (holds ?i) (not (holds ?i)) (lies ?i ?b)))", True),
        ("(forall (?c - card) (when (opens ?c ?b) (not (holds ?c))))", False),
        ("(forall (?i - item) (and (holds ?i) (not (lies ?i ?b))))", False),  # all of them are taken
        ("(forall (?i - item) (not (holds ?i)))", False),
        ("(forall (?f - floor) (and (above ?b ?a) (not (locked ?f))))", False),
    ],
)
def test_a_condition_among_the_effects_for_all_objects_is_told(effect: str, suspected: bool) -> None:
    faults = told(SWEEP, f"{SWEEP} {effect}")
    assert [fault.code for fault in faults if fault.code in ("forall-and", "added-and-deleted")] == (
        ["forall-and"] if suspected else []
    )


@pytest.mark.parametrize("condition", ["when (holds box) (lift-at f2)", "(when (holds box) (lift-at f2))"])
@pytest.mark.parametrize("where", ["goal", "precondition"])
def test_when_in_a_condition_is_corrected_to_imply(condition: str, where: str) -> None:
    if where == "precondition":
        condition = condition.replace("box", "?i").replace("f2", "?f")
        old = "(and (lift-at ?f) (lies ?i ?f))"
    else:
        old = "(and (holds box) (lift-at f2))"
    faults = told(old, condition)
    assert [fault.message for fault in faults] == ["'when' is an effect: in a condition, write (imply ...)"]
    text = (LIFT if where == "precondition" else NIGHT).replace(old, condition)
    suggestion = faults[0].suggestion
    assert suggestion is not None
    assert f"(imply {condition.removeprefix('(').removeprefix('when ').removesuffix('))')}" in edited(
        text, [suggestion]
    )


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("when (lies ?i ?f) (holds ?i)", "brackets are missing: write (when ...)"),
        ("imply (lies ?i ?f) (holds ?i)", "brackets are missing: write (when ...)"),
        ("or (lies ?i ?f) (holds ?i)", "'or' is a condition: expected an effect"),
        ("(imply (lies ?i ?f) (holds ?i))", "'imply' is a condition: an effect begins with 'when' here"),
    ],
)
def test_a_wrong_connective_is_told_once(effect: str, message: str) -> None:
    faults = told("(and (not (lies ?i ?f)) (holds ?i) (increase (total-cost) 1))", effect)
    assert [fault.message for fault in faults] == [message]


@pytest.mark.parametrize("goal", ["{}", "(not {})", "(forall (?i - item) {})"])
@pytest.mark.parametrize("rest", ["or (holds box)", "or (holds box) (lift-at f2)", "imply (holds box) (lift-at f2)"])
def test_the_brackets_that_a_head_lacks_are_told(rest: str, goal: str) -> None:
    faults = told("(and (holds box) (lift-at f2))", goal.format(rest))
    assert f"brackets are missing: write ({rest.split(maxsplit=1)[0]} ...)" in [fault.message for fault in faults]


def test_unknown_variables_of_an_action_without_parameters_are_one_fault():
    (fault,) = lint(LIFT.replace(":action take :parameters (?i - item ?f - floor)", ":action take"))
    assert fault.message == "'take' has no parameters, but uses variables: write :parameters (?f ?i)"
    assert len(lint(LIFT.replace("(?i - item ?f - floor)", "(?g - floor)"))) > 1


def test_actions_on_one_line_have_faults_of_their_own():
    domain = "(define (domain d) (:predicates (p ?x)) (:action a :effect (p ?x)) (:action b :effect (p ?y)))"
    assert [fault.message.split("'")[1] for fault in lint(domain)] == ["?x", "?y"]
