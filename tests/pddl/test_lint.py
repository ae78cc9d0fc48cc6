"""Lint: each fault is found, where it stands, with its severity; all of them at once; and nothing in clean texts."""

import pickle

import pytest

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl import Edit, lint, parse_domain, read_domain
from unpuzzle.pddl.linting.fault import edited
from unpuzzle.pddl.linting.understanding import decode_leniently

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


def faults_of(domain, problem=None):
    """The faults but for that of the predicate that only some tests use."""
    return [fault for fault in lint(domain, problem) if fault.code != "unused-predicate"]


def test_clean_texts_have_no_faults():
    assert faults_of(DOMAIN) == []
    assert faults_of(DOMAIN, PROBLEM) == []


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
    assert decode_leniently(data) == (data.decode("latin-1"), [])
    (tmp_path / "d.pddl").write_bytes(data.replace(b"truck", b"tr\xfcck"))
    with pytest.raises(ParseError, match="0xfc"):
        read_domain(tmp_path / "d.pddl")


def test_latin_1_with_more_than_a_twentieth_of_control_letters_is_no_text():
    data = b"\xe9" * 19 + b"\x01"
    assert decode_leniently(data)[0] == data.decode("latin-1")
    with pytest.raises(ValueError, match="neither UTF-8 nor other text"):
        decode_leniently(data + b"\x01")


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
