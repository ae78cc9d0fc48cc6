"""The reader: what it accepts, and which nodes that becomes."""

import re

import pytest

from support.yard import DOMAIN, PROBLEM, condition, domain_with, effect, problem_with
from unpuzzle.base.errors import ParseError
from unpuzzle.pddl import (
    And,
    Atom,
    Axiom,
    Exists,
    Forall,
    Function,
    FunctionTerm,
    Imply,
    Increase,
    Not,
    Or,
    Predicate,
    Semantics,
    Task,
    TypedName,
    Value,
    When,
    lint,
    parse_domain,
    parse_problem,
    parse_task,
    read,
    read_domain,
    read_problem,
    write,
)


# What is read
def test_a_task_reads_as_its_nodes():
    task = parse_task(DOMAIN, PROBLEM)
    domain, problem = task.domain, task.problem
    assert domain.name == "yard"
    assert domain.requirements == (":strips", ":typing")
    assert domain.types == (
        TypedName("thing"),
        TypedName("crate", ("thing",)),
        TypedName("truck", ("thing",)),
        TypedName("place"),
    )
    assert domain.constants == (TypedName("gate", ("place",)),)
    assert domain.predicates[0] == Predicate("at", (TypedName("?x", ("thing",)), TypedName("?p", ("place",))))
    assert domain.functions == (Function("weight", (TypedName("?c", ("crate",)),)),)
    (move,) = domain.actions
    assert move.name == "move"
    assert move.precondition == Atom("free", ("?t",))
    assert move.effect == And((Atom("at", ("?t", "?to")), Increase(FunctionTerm("total-cost"), 3)))
    assert (problem.name, problem.domain_name) == ("p1", "yard")
    assert problem.objects == (TypedName("c1", ("crate",)), TypedName("t1", ("truck",)))
    assert problem.init == (Atom("at", ("t1", "gate")), Atom("free", ("t1",)))
    assert problem.values == (Value(FunctionTerm("weight", ("c1",)), 7),)
    assert problem.goal == Atom("at", ("c1", "gate"))
    assert problem.metric == FunctionTerm("total-cost")


def test_files_are_read_like_texts(tmp_path):
    (tmp_path / "d.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_bytes(b"\xef\xbb\xbf" + PROBLEM.replace("\n", "\r\n").encode())
    task = read(tmp_path / "d.pddl", str(tmp_path / "p.pddl"))
    assert task == parse_task(DOMAIN, PROBLEM)
    assert task.domain == read_domain(tmp_path / "d.pddl")
    assert read_problem(tmp_path / "p.pddl", None) == task.problem
    assert task.problem.span.file == str(tmp_path / "p.pddl")
    with pytest.raises(FileNotFoundError):
        read_domain(tmp_path / "none.pddl")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("()", And()),
        ("(and)", And()),
        ("(or)", Or()),
        ("(not (p))", Not(Atom("p"))),
        ("(and (p) (or (p) (free ?t)))", And((Atom("p"), Or((Atom("p"), Atom("free", ("?t",))))))),
        ("(imply (p) (not (not (p))))", Imply(Atom("p"), Not(Not(Atom("p"))))),
        ("(= ?t ?u)", Atom("=", ("?t", "?u"))),
        ("(exists (?x ?y) (at ?x ?y))", Exists((TypedName("?x"), TypedName("?y")), Atom("at", ("?x", "?y")))),
        ("(forall (?t) (free ?t))", Forall((TypedName("?t"),), Atom("free", ("?t",)))),
    ],
)
def test_conditions(text, expected):
    assert condition(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("()", And()),
        ("(and)", And()),
        ("(p)", Atom("p")),
        ("(not (p))", Not(Atom("p"))),
        ("(when (p) (not (free ?t)))", When(Atom("p"), Not(Atom("free", ("?t",))))),
        ("(forall (?x) (when () (free ?x)))", Forall((TypedName("?x"),), When(And(), Atom("free", ("?x",))))),
    ],
)
def test_effects(text, expected):
    assert effect(text) == expected


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("(increase (total-cost) (f ?t))", FunctionTerm("f", ("?t",))),
        ("(increase total-cost g)", FunctionTerm("g")),
        ("(increase (total-cost) 3.0)", 3),
        ("(increase (total-cost) 0)", 0),
    ],
)
def test_costs(text, amount):
    increase = Increase(FunctionTerm("total-cost"), amount)
    assert effect(f"(and (p) {text})") == And((Atom("p"), increase))
    assert effect(text) == And((increase,))


@pytest.mark.parametrize("name", ["and", "or", "not", "imply", "exists", "forall"])
def test_a_predicate_may_be_named_like_a_connective(name):
    declared = f"({name} ?a ?b)"
    assert condition(f"({name} ?t ?u)", declared) == Atom(name, ("?t", "?u"))
    assert condition("(not (and (p) (p)))", declared) == Not(And((Atom("p"), Atom("p"))))


@pytest.mark.parametrize("name", ["and", "not", "when", "forall", "increase"])
def test_a_predicate_may_be_named_like_an_effect(name):
    declared = f"({name} ?a ?b)"
    assert effect(f"(not ({name} ?t ?u))", declared) == Not(Atom(name, ("?t", "?u")))
    assert effect("(when (p) (p))", declared) == When(Atom("p"), Atom("p"))


def test_a_name_may_be_type_predicate_object_and_action_at_once():
    task = parse_task(
        "(define (domain at) (:types at not) (:constants either - at when - not) (:predicates (at ?x - at) (not ?x))"
        " (:action at :parameters (?at - at) :precondition (not ?at) :effect (and (at either) (not (not when)))))",
        "(define (problem at) (:domain at) (:objects at - at) (:init (at at) (not when)) (:goal (not at)))",
    )
    (action,) = task.domain.actions
    assert action.precondition == Atom("not", ("?at",))
    assert action.effect == And((Atom("at", ("either",)), Not(Atom("not", ("when",)))))
    assert task.problem.init == (Atom("at", ("at",)), Atom("not", ("when",)))


def test_without_parameters_the_declaration_decides():
    assert condition("(and)", "(and)") == Atom("and")
    assert condition("(and (p))", "(and)") == And((Atom("p"),))


def test_sections_may_come_in_any_order_and_case():
    text = """(DEFINE (DOMAIN D)
        (:ACTION A :EFFECT (P C) :PARAMETERS (?X - T) :PRECONDITION (Q ?X))
        (:DERIVED (R) (EXISTS (?y - t) (q ?Y)))
        (:PREDICATES (P ?x) (Q ?x) (r)) (:CONSTANTS C - T) (:TYPES T) (:REQUIREMENTS :ADL))"""
    domain = parse_domain(text)
    assert domain.axioms == (Axiom(Predicate("r"), Exists((TypedName("?y", ("t",)),), Atom("q", ("?y",)))),)
    assert domain.actions[0].parameters == (TypedName("?x", ("t",)),)
    assert domain.actions[0].effect == Atom("p", ("c",))
    problem = "(define (problem p) (:goal (p c)) (:init) (:domain d))"
    assert parse_problem(problem, domain).goal == Atom("p", ("c",))


def test_optional_parts_may_be_missing():
    domain = parse_domain("(define (domain d) (:predicates (p)) (:action a) (:action b :effect (p)))")
    a, b = domain.actions
    assert (a.parameters, a.precondition, a.effect) == ((), And(), And())
    assert b.effect == Atom("p")
    assert parse_domain("(define (domain d))").actions == ()


def test_words_need_no_blanks_where_brackets_or_variables_part_them():
    assert condition("(and(at ?t?u)(not(p)))") == condition("(and (at ?t ?u) (not (p)))")
    assert condition("(and ; a comment (\n (p);)\n)") == And((Atom("p"),))


def test_repeated_parameters_are_kept_as_written():
    action = parse_domain(
        "(define (domain d) (:types a b) (:predicates (p ?x)) (:action r :parameters (?x - a ?x - b) :effect (p ?x)))"
    ).actions[0]
    assert action.parameters == (TypedName("?x", ("a",)), TypedName("?x", ("b",)))


def test_either():
    domain = parse_domain(
        "(define (domain d) (:types a b - object c - (either a b) e - a e - b) (:constants x - (either a b))"
        " (:predicates (p ?x - (either a b a) ?y)))"
    )
    assert domain.types[2:] == (TypedName("c", ("a", "b")), TypedName("e", ("a", "b")))
    assert domain.constants[0].types == ("a", "b")
    assert domain.predicates[0].parameters == (TypedName("?x", ("a", "b")), TypedName("?y"))


def test_object_as_a_declared_type_goes_without_saying():
    assert parse_domain("(define (domain d) (:types object a - object b))").types == (TypedName("a"), TypedName("b"))


def test_what_is_declared_twice_alike_is_declared_once():
    domain = parse_domain(
        "(define (domain d) (:types t t) (:constants a a - t) (:predicates (p ?x - t) (p ?y - t) (= ?x ?y)))"
    )
    assert len(domain.types) == len(domain.constants) == len(domain.predicates) == 1
    problem = parse_problem("(define (problem q) (:domain d) (:objects a b b - t) (:init (p a)) (:goal (p b)))", domain)
    assert problem.objects == (TypedName("b", ("t",)),)


def test_fluents_without_anything_numeric_are_accepted():
    domain = parse_domain(domain_with(":typing", ":fluents :numeric-fluents :action-costs"))
    assert ":fluents" in domain.requirements


def test_negative_facts_say_what_is_so_anyway():
    domain = parse_domain(DOMAIN)
    problem = parse_problem(problem_with("(free t1)", "(not (free t1))"), domain)
    assert problem.init == (Atom("at", ("t1", "gate")),)


def test_without_a_domain_names_are_not_resolved():
    problem = parse_problem("(define (problem p) (:domain d) (:objects a - t) (:init (q a b)) (:goal (r)))", None)
    assert problem.init == (Atom("q", ("a", "b")),)
    assert parse_problem(PROBLEM, None).values == (Value(FunctionTerm("weight", ("c1",)), 7),)


def test_a_problem_takes_the_name_of_its_domain():
    assert parse_problem(problem_with("yard", "garden"), parse_domain(DOMAIN)).domain_name == "yard"
    assert parse_problem(problem_with("yard", "garden"), None).domain_name == "garden"


def test_length_hints_are_ignored():
    assert parse_problem(problem_with("(:goal", "(:length (:serial 4)) (:goal"), parse_domain(DOMAIN)).goal


def test_spans():
    domain = parse_domain(DOMAIN, "yard.pddl")
    (move,) = domain.actions
    assert (move.span.file, move.span.line, move.span.column) == ("yard.pddl", 7, 3)
    assert move.precondition.span.text == "(free ?t)"
    assert move.parameters[1].span.text == "?to"
    assert (move.parameters[1].span.line, move.parameters[1].span.column) == (8, 29)
    assert domain.span.text == DOMAIN.strip()
    assert domain.predicates[0].span.text == "(At ?x - thing ?p - place)"


@pytest.mark.parametrize("up", [True, False])
def test_a_chain_of_thousands_of_types(up):
    """Each type names the next as its parent, or the one before."""
    many = 3000
    parents = [(f"t{number}", f"t{number + 1}") for number in range(many)]
    types = " ".join(f"{name} - {parent}" for name, parent in (parents if up else reversed(parents)))
    domain = parse_domain(
        f"(define (domain d) (:types {types}) (:predicates (p ?x - t{many}) (q))"
        f" (:action a :parameters (?x - t{many // 2}) :precondition (p ?x) :effect (q)))"
    )
    problem = parse_problem("(define (problem e) (:domain d) (:objects o - t0) (:init (p o)) (:goal (q)))", domain)
    task = Task(domain, problem)
    assert parse_task(*write(task)) == task
    assert [str(action) for action in Semantics(task).applicable(Semantics(task).initial)] == ["(a o)"]
    assert not [fault for fault in lint(*write(task)) if fault.severity == "error"]
    names = [item.name for item in domain.types]
    assert names == [f"t{number}" for number in range(many, -1, -1)], "parents come first"


@pytest.mark.parametrize(
    ("word", "number"), [("0" * 5000 + "7", 7), ("0" * 5000, 0), ("1." + "0" * 5000, 1), ("+5", 5)]
)
def test_numbers_of_thousands_of_digits(word, number):
    assert effect(f"(increase (total-cost) {word})") == And((Increase(FunctionTerm("total-cost"), number),))


@pytest.mark.parametrize("word", ["+-5", "--5", "-+5", "++5"])
def test_a_number_has_one_sign(word):
    with pytest.raises(ParseError, match=f"expected a number, found '{re.escape(word)}'"):
        effect(f"(increase (total-cost) {word})")
