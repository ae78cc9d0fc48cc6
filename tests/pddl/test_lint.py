"""Lint: each fault is found, where it stands, with its severity; all of them at once; and nothing in clean texts."""

import pickle

import pytest

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl import Edit, Fault, lint, parse_domain, read_domain
from unpuzzle.pddl.judging.fault import edited
from unpuzzle.pddl.reading.texts import decoded_anyway

DOMAIN = """(define (domain yard)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types thing place - object crate truck - thing)
  (:constants gate - place)
  (:predicates (at ?x - thing ?p - place) (free ?t - truck) (any ?x))
  (:functions (total-cost) - number (weight ?c - crate) - number)
  (:action load
    :parameters (?t - truck ?c - crate ?p - place)
    :precondition (and (at ?t ?p) (at ?c ?p) (not (free ?t)))
    :effect (and (not (at ?c ?p)) (increase (total-cost) (weight ?c)))))
"""
PROBLEM = """(define (problem p1) (:domain yard)
  (:objects c1 - crate t1 - truck)
  (:init (at t1 gate) (at c1 gate) (= (weight c1) 7) (= (total-cost) 0))
  (:goal (free t1))
  (:metric minimize (total-cost)))
"""


def planted(text, old, new):
    """The text with a fault in it, and the line and column of the ^ in `new`."""
    assert old in text
    text = text.replace(old, new, 1)
    line = text[: text.index("^")].count("\n") if "^" in new else None
    place = (None, None) if line is None else (line + 1, text.split("\n")[line].index("^") + 1)
    return text.replace("^", ""), place


def faults_of(domain, problem=None):
    """The faults but for that of the predicate that only some tests use."""
    return [fault for fault in lint(domain, problem) if fault.code != "unused-predicate"]


def test_clean_texts_have_no_faults():
    assert faults_of(DOMAIN) == []
    assert faults_of(DOMAIN, PROBLEM) == []


@pytest.mark.parametrize(
    ("old", "new", "severity", "message"),
    [
        ("gate - place", "gate - ^plaice", "error", "unknown type 'plaice', did you mean 'place'?"),
        ("(at ?c ?p) (not", "(^att ?c ?p) (not", "error", "unknown predicate 'att', did you mean 'at'?"),
        ("(at ?c ?p) (not", "(at ?c ^?pp) (not", "error", "unknown variable '?pp', did you mean '?p'?"),
        ("(at ?c ?p) (not", "(at ?c ^gat) (not", "error", "unknown object 'gat', did you mean 'gate'?"),
        ("(weight ?c)))", "(^waight ?c)))", "error", "unknown function 'waight', did you mean 'weight'?"),
        ("(at ?c ?p) (not", "(^at ?c) (not", "error", "the predicate 'at' takes 2 arguments, not 1"),
        (
            "(at ?c ?p) (not",
            "(at ?c ^?t) (not",
            "error",
            "the variable '?t' is of type 'truck', but the predicate 'at' takes 'place'",
        ),
        (
            "(at ?c ?p) (not",
            "(at ^gate ?p) (not",
            "error",
            "the object 'gate' is of type 'place', but the predicate 'at' takes 'thing'",
        ),
        (
            "(weight ?c)))",
            "(weight ^?t)))",
            "error",
            "the variable '?t' is of type 'truck', but the function 'weight' takes 'crate'",
        ),
        (
            "(at ?c ?p) (not",
            "(at ?c ?p) (exists (?x) (at ^?x ?p)) (not",
            "warning",
            "the variable '?x' is of type 'object', but the predicate 'at' takes 'thing'",
        ),
        ("?p - place)\n", "?p - place ^?q - truck)\n", "warning", "the variable '?q' of 'load' is never used"),
        (
            "(at ?c ?p) (not",
            "(at ?c ?p) (exists (^?x) (at ?t ?p)) (not",
            "warning",
            "the variable '?x' of this quantifier is never used",
        ),
        (
            "(at ?c ?p) (not",
            "(at ?c ?p) (exists (^?t - truck) (at ?t ?p)) (not",
            "warning",
            "'?t' hides another variable of this name",
        ),
        (
            "(at ?c ?p) (not",
            "(at ?c ?p) (exists (?x - thing ^?x - place) (at ?c ?x)) (not",
            "warning",
            "'?x' hides another variable of this name",
        ),
        (
            "?p - place)\n",
            "?p - place ^?p - place)\n",
            "warning",
            "'?p' is a parameter twice: both arguments must be the same object",
        ),
        (  # what stands for it is of both types, so an atom that wants one of them may be true
            "?p - place)\n",
            "?p - place ^?p - truck)\n",
            "warning",
            "'?p' is a parameter twice: both arguments must be the same object",
        ),
        ("(any ?x)", "(any ?x) (^any ?y)", "warning", "the predicate 'any' is declared twice"),
        ("(any ?x)", "(any ?x) (^any ?y ?z)", "error", "the predicate 'any' was declared differently in line 5"),
        ("gate - place", "gate ^gate - place", "warning", "the object 'gate' is declared twice"),
        (
            "gate - place",
            "gate - place ^gate - truck",
            "error",
            "the constant 'gate' was declared differently in line 4",
        ),
        ("truck - thing", "truck - thing ^truck - place", "warning", "the type 'truck' is declared twice"),
        (
            "thing place - object",
            "place thing - ^things",
            "warning",
            "the type 'things' is not declared, only used as a parent, did you mean 'thing'?",
        ),
        (
            "thing place - object",
            "place - object ^thing - truck",
            "error",
            "the type 'thing' is its own ancestor: thing is of type truck and truck is of type thing; "
            "take one of these out",
        ),
        (":typing", ":typing ^:equality", "warning", "the requirement ':equality' is superfluous"),
        (
            "(:requirements :strips :typing",
            "(^:requirements :strips",
            "warning",
            "the requirement ':typing' is missing: a type in line 3 needs it",
        ),
        (
            "(at ?c ?p) (not",
            "(at ?c ?p) (or) (not",
            "warning",
            "the requirement ':disjunctive-preconditions' is missing: 'or', 'imply' or 'not' in line 9 needs it",
        ),
        ("(:functions (total-cost) - number", "(:functions", "warning", "the function 'total-cost' is not declared"),
        (
            "(weight ?c)))",
            "(weight ?c)) ^(increase (total-cost) 1))",
            "warning",
            "'load' adds to total-cost twice: some planners count only one",
        ),
        (
            "(:action load",
            "(:derived (any ?x) (not (^any ?x))) (:action load",
            "error",
            "'any' depends on its own negation, by way of (any ?x): such rules have no meaning",
        ),
        (
            "(:action load",
            "(:derived (^fre ?x) (any ?x)) (:action load",
            "error",
            "unknown predicate 'fre', did you mean 'free'?",
        ),
        ("(not (at ?c ?p))", "(not (^at ?c ?p))", "error", "the derived predicate 'at' cannot be set by an effect"),
        ("(:action load", "(:action load) (:action ^load", "error", "the action 'load' was already declared in line 7"),
    ],
)
def test_faults_of_domains(old, new, severity, message):
    text, (line, column) = planted(DOMAIN, old, new)
    if "derived predicate" in message:
        text = text.rstrip()[:-1] + "(:derived (at ?x - thing ?y - place) (any ?x)))"
    found = [fault for fault in lint(text, domain_name="d.pddl") if fault.message == message]
    assert len(found) == 1
    assert (found[0].file, found[0].severity) == ("d.pddl", severity)
    if line:
        assert (found[0].line, found[0].column) == (line, column)


@pytest.mark.parametrize(
    ("old", "new", "severity", "message"),
    [
        (
            "(:domain yard)",
            "(:domain ^yards)",
            "warning",
            "the problem is of the domain 'yards', but this domain is 'yard'",
        ),
        ("c1 - crate", "c1 - ^create", "error", "unknown type 'create', did you mean 'crate'?"),
        ("(at c1 gate)", "(at ^cl gate)", "error", "unknown object 'cl'"),
        ("(at c1 gate)", "(^att c1 gate)", "error", "unknown predicate 'att', did you mean 'at'?"),
        ("(at c1 gate)", "(^at c1)", "error", "the predicate 'at' takes 2 arguments, not 1"),
        (
            "(at c1 gate)",
            "(at c1 ^t1)",
            "error",
            "the object 't1' is of type 'truck', but the predicate 'at' takes 'place'",
        ),
        (
            "(free t1)",
            "(free ^c1)",
            "error",
            "the object 'c1' is of type 'crate', but the predicate 'free' takes 'truck'",
        ),
        (
            "(weight c1)",
            "(weight ^t1)",
            "error",
            "the object 't1' is of type 'truck', but the function 'weight' takes 'crate'",
        ),
        ("(at c1 gate)", "(at c1 gate) ^(at t1 gate)", "warning", "(at t1 gate) is given twice in the initial state"),
        ("(:objects c1", "(:objects ^gate - place c1", "warning", "the object 'gate' is declared twice"),
        ("(:objects c1", "(:objects ^gate - truck c1", "error", "the object 'gate' was declared differently in line 4"),
        (" (= (total-cost) 0)", "", "warning", "(total-cost) has no initial value: write (= (total-cost) 0)"),
        (" (= (weight c1) 7)", "", "warning", "the function 'weight' has no value in the initial state"),
        (
            "(:metric minimize (total-cost))",
            "",
            "warning",
            "actions add to total-cost, but no metric asks for it: each costs 1",
        ),
        ("(free t1)", "(or (free t1))", "warning", "the requirement ':disjunctive-preconditions' is missing"),
        ("(free t1)", "(exists (?t - truck) (free ^?x))", "error", "unknown variable '?x', did you mean '?t'?"),
    ],
)
def test_faults_of_problems(old, new, severity, message):
    text, (line, column) = planted(PROBLEM, old, new)
    message = message.replace(", did you mean '?t'?", "") if "?x" in message else message
    found = [
        fault
        for fault in lint(DOMAIN, text, domain_name="d.pddl", problem_name="p.pddl")
        if fault.message.startswith(message)
    ]
    assert len(found) == 1
    assert (found[0].file, found[0].severity) == ("p.pddl", severity)
    if line:
        assert (found[0].line, found[0].column) == (line, column)


def test_a_fault_of_names_is_told_once():
    faults = lint(DOMAIN.replace("(at ?t ?p)", "(att ?t ?p)"))
    assert [str(fault) for fault in faults] == ["9:25: error: unknown predicate 'att', did you mean 'at'?"]


def test_all_faults_come_at_once_in_order():
    domain = (
        DOMAIN.replace("gate - place", "gate - plaice")
        .replace("(at ?t ?p)", "(att ?t ?p)")
        .replace("(weight ?c)))", "(wait ?c)))")
    )
    problem = PROBLEM.replace("t1 - truck", "t1 - lorry").replace("(free t1)", "(free t2 t3)")
    faults = lint(domain, problem, domain_name="z.pddl", problem_name="a.pddl")
    assert [(fault.file, fault.line) for fault in faults if fault.severity == "error"] == [
        ("z.pddl", 4),
        ("z.pddl", 9),
        ("z.pddl", 10),
        ("a.pddl", 2),
        ("a.pddl", 4),
        ("a.pddl", 4),
        ("a.pddl", 4),
    ]


@pytest.mark.parametrize("kind", ["(either truck place)", "(either crate truck)", "thing"])
def test_either_in_arguments(kind):
    text = DOMAIN.replace("(any ?x)", f"(any ?x - {kind})").replace(
        ":precondition (and", ":precondition (and (any ?t) (forall (?e - (either crate truck)) (any ?e))"
    )
    faults = [str(fault) for fault in lint(text) if "takes" in fault.message]
    expected = [
        "9:74: warning: the variable '?e' is of type 'crate' or 'truck', "
        "but the predicate 'any' takes 'truck' or 'place'"
    ]
    assert faults == (expected if kind == "(either truck place)" else [])


def test_a_type_with_two_parents_joins_them():
    text = DOMAIN.replace("truck - thing", "truck - thing both - (either crate truck)").replace(
        ":precondition (and", ":precondition (and (exists (?x - truck) (= (weight2 ?x) 0))"
    )
    assert [fault.code for fault in lint(text)] == ["unsupported"]
    both = DOMAIN.replace("truck - thing", "truck - thing both - (either crate truck)").replace(
        "(free ?t))", "(free ?c))"
    )
    assert [fault.severity for fault in faults_of(both)] == ["warning"]  # a crate may be a truck, too
    assert [fault.severity for fault in faults_of(DOMAIN.replace("(free ?t))", "(free ?c))"))] == ["error"]


def test_adl_covers_its_parts():
    text = DOMAIN.replace(":strips :typing :negative-preconditions", ":adl")
    assert faults_of(text) == []
    assert [fault.message for fault in faults_of(text.replace(":action-costs", ":fluents"))] == []


def test_a_requirement_may_be_needed_by_the_problem_alone():
    domain = DOMAIN.replace(":typing", ":typing :disjunctive-preconditions")
    problem = PROBLEM.replace("(free t1)", "(or (free t1))")
    assert faults_of(domain, problem) == []
    assert len(faults_of(domain, PROBLEM)) == 1


def test_syntax_errors_are_faults_at_their_place():
    """And what is beside them is judged all the same."""
    text = DOMAIN.replace("truck - thing)", "truck - thing", 1).replace("(not (free ?t))", "(not (fre ?t))")
    assert [(fault.code, fault.line, fault.column) for fault in lint(text)] == [
        ("unclosed-bracket", 3, 3),
        ("unknown-predicate", 9, 52),
    ]
    assert [(fault.code, fault.line, fault.column) for fault in faults_of(DOMAIN, PROBLEM + ")")] == [
        ("extra-bracket", 6, 1)
    ]
    (fault,) = [fault for fault in lint(DOMAIN.replace(":strips", ":open-world")) if fault.severity == "error"]
    assert (fault.code, fault.message) == ("unsupported", "the requirement ':open-world' is not supported")


@pytest.mark.parametrize("requirement", [":durative-actions", ":preferences", ":processes", ":hierarchy"])
def test_a_requirement_that_is_declared_in_vain_is_a_warning(requirement):
    text = DOMAIN.replace(":strips", f":strips {requirement}")
    (fault,) = [fault for fault in lint(text) if requirement in fault.message]
    said = f"the requirement '{requirement}' is not supported, and nothing needs it"
    assert (fault.severity, fault.message) == ("warning", said)
    assert parse_domain(text) == parse_domain(DOMAIN)


@pytest.mark.parametrize("comment", ["; F\xe4hre", "; caf\xe9 ; \xdf"])
def test_comments_may_be_in_latin_1(comment, tmp_path):
    data = DOMAIN.replace("\n", f" {comment}\n").encode("latin-1")
    (tmp_path / "d.pddl").write_bytes(data)
    assert read_domain(tmp_path / "d.pddl") == parse_domain(DOMAIN)
    assert decoded_anyway(data) == (data.decode("latin-1"), [])
    (tmp_path / "d.pddl").write_bytes(data.replace(b"truck", b"tr\xfcck"))
    with pytest.raises(ParseError, match="0xfc"):
        read_domain(tmp_path / "d.pddl")


def test_latin_1_with_more_than_a_twentieth_of_control_letters_is_no_text():
    data = b"\xe9" * 19 + b"\x01"
    assert decoded_anyway(data)[0] == data.decode("latin-1")
    with pytest.raises(ValueError, match="not text"):
        decoded_anyway(data + b"\x01")


@pytest.mark.parametrize("cost", ["0.5", "1.25"])
def test_a_cost_that_is_not_whole_is_refused_at_its_place(cost):
    text = DOMAIN.replace(":effect (and", f":effect (and (increase (total-cost) {cost})", 1)
    with pytest.raises(UnsupportedFeature, match=f"the number {cost} is not whole: only whole costs are") as caught:
        parse_domain(text)
    line = text[: text.index(cost)].count("\n") + 1
    assert (caught.value.line, caught.value.text[caught.value.column - 1 :][: len(cost)]) == (line, cost)


def test_a_fault_has_a_range_and_a_correction():
    (fault,) = faults_of(DOMAIN.replace("(at ?c ?p) (not", "(att ?c ?p) (not"))
    assert (fault.line, fault.column, fault.end_line, fault.end_column) == (9, 36, 9, 39)
    assert fault.fix == Edit(9, 36, 9, 39, "at")
    assert edited(DOMAIN.replace("(at ?c ?p) (not", "(att ?c ?p) (not"), [fault.fix]) == DOMAIN
    assert fault.to_dict()["fix"] == {"line": 9, "column": 36, "end_line": 9, "end_column": 39, "text": "at"}
    assert pickle.loads(pickle.dumps(fault)) == fault


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_edits_keep_the_ends_of_lines(end):
    text = f"one{end}two{end}three"
    assert edited(text, [Edit(2, 1, 2, 4, "2"), Edit(3, 6, 3, 6, "!")]) == f"one{end}2{end}three!"
    assert edited(text, [Edit(1, 2, 2, 2, "X"), Edit(1, 3, 1, 4, "Y")]) == f"oXwo{end}three"


def test_a_correction_of_many_places_is_one_edit():
    text = DOMAIN.replace("(at ?c ?p)", "(att ?c ?p)")
    (fault,) = faults_of(text)
    assert fault.places == 2
    assert fault.message == "unknown predicate 'att', did you mean 'at'? (also in line 10)"
    assert edited(text, [fault.fix]) == DOMAIN


def test_a_name_that_is_used_as_it_is_not_declared_is_told_at_its_declaration():
    text = DOMAIN.replace("(at ?x - thing ?p - place)", "(att ?x - thing ?p - place)")
    (fault,) = faults_of(text)
    assert (fault.line, fault.column, fault.places) == (5, 17, 3)
    assert fault.message == "the predicate 'att' is declared, and 'at' is used: write at"
    assert edited(text, [fault.fix]) == DOMAIN


def test_faults_are_plain_values():
    fault = Fault("f", 1, 2, "error", "wrong")
    assert fault == Fault("f", 1, 2, "error", "wrong") != Fault("f", 1, 3, "error", "wrong")
    assert str(fault) == "f:1:2: error: wrong"
    assert len({fault, Fault("f", 1, 2, "error", "wrong")}) == 1
