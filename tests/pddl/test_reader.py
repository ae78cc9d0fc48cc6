"""The reader: what it accepts and what that means, what it refuses and how it says so."""

import subprocess
import sys
import tracemalloc

import pytest

from support.counting import calls
from unpuzzle.errors import ParseError, UnsupportedFeature
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
    TypedName,
    Value,
    When,
    parse_domain,
    parse_problem,
    parse_task,
    read,
    read_domain,
    read_problem,
)

DOMAIN = """(define (domain Yard)
  (:requirements :strips :typing)
  (:types crate truck - thing place)
  (:constants gate - place)
  (:predicates (At ?x - thing ?p - place) (free ?t - truck))
  (:functions (total-cost) - number (weight ?c - crate) - number)
  (:action move
    :parameters (?t - truck ?to - place)
    :precondition (free ?t)
    :effect (and (at ?t ?to) (increase (total-cost) 3))))
"""
PROBLEM = """(define (problem p1) (:domain yard)
  (:objects c1 - crate t1 - truck)
  (:init (at t1 gate) (free t1) (= (weight c1) 7) (= (total-cost) 0))
  (:goal (at c1 gate))
  (:metric minimize (total-cost)))
"""


def domain_with(old, new):
    assert old in DOMAIN
    return DOMAIN.replace(old, new, 1)


def problem_with(old, new):
    assert old in PROBLEM
    return PROBLEM.replace(old, new, 1)


def action_with(precondition, effect="(free ?t)", declarations=""):
    """The domain with one action, as read."""
    predicates = f"(:predicates (at ?x ?y) (free ?t) (p) {declarations})"
    action = f"(:action a :parameters (?t ?u) :precondition {precondition} :effect {effect})"
    (read,) = parse_domain(f"(define (domain d) {predicates} (:functions (f ?x) (g)) {action})").actions
    return read


def condition(text, declarations=""):
    return action_with(text, declarations=declarations).precondition


def effect(text, declarations=""):
    return action_with("()", text, declarations).effect


def refused(text, domain=None):
    """The ParseError for a domain text, or for a problem text if its domain is given."""
    with pytest.raises(ParseError) as caught:
        parse_problem(text, domain, "file.pddl") if domain else parse_domain(text, "file.pddl")
    return caught.value


def marked(text):
    """Line and column of the ^ in a text."""
    line = text[: text.index("^")].count("\n")
    return line + 1, text.split("\n")[line].index("^") + 1


def not_offered(text, domain=None):
    with pytest.raises(UnsupportedFeature) as caught:
        parse_problem(text, domain, "file.pddl") if domain else parse_domain(text, "file.pddl")
    return caught.value


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


# What is refused: (what is replaced, by what, with a ^ where the caret must stand, part of the sentence)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("?t - truck ?to", "?t - ^truk ?to", "unknown type 'truk', did you mean 'truck'?"),
        ("gate - place", "gate - ^plaice", "unknown type 'plaice', did you mean 'place'?"),
        ("(free ?t)\n", "(^fre ?t)\n", "unknown predicate 'fre', did you mean 'free'?"),
        ("(free ?t)\n", "(free ^?tt)\n", "unknown variable '?tt', did you mean '?t'?"),
        ("(free ?t)\n", "(free ^t)\n", "unknown object 't', did you mean '?t'?"),
        ("(at ?t ?to)", "(at ?t ^gatte)", "unknown object 'gatte', did you mean 'gate'?"),
        ("(total-cost) 3", "(total-cost) (^wait ?t)", "unknown function 'wait'"),
        ("(free ?t)\n", "(^free ?t ?to)\n", "the predicate 'free' takes 1 argument, not 2"),
        ("(at ?t ?to)", "(^at ?t)", "the predicate 'at' takes 2 arguments, not 1"),
        ("(total-cost) 3", "(total-cost) (^weight)", "the function 'weight' takes 1 argument, not 0"),
        ("(total-cost) 3", "(total-cost) ^-3", "the number -3 is negative"),
        ("(free ?t)\n", "^free\n", "expected a condition in brackets, found 'free'"),
        ("(free ?t)\n", "(and ^free)\n", "expected a condition in brackets, found 'free'"),
        ("(free ?t)\n", "^(not (free ?t) (free ?t))\n", "expected '(not CONDITION)', found 2 operands"),
        ("(free ?t)\n", "(^when (free ?t) (free ?t))\n", "'when' is an effect"),
        ("(at ?t ?to)", "(^or (at ?t ?to))", "'or' is a condition"),
        ("(at ?t ?to)", "(not ^(and (at ?t ?to)))", "expected an atom after 'not'"),
        ("(at ?t ?to)", "(^= ?t ?to)", "'=' is a condition"),
        ("  (:types", "  (^:type", "unknown section ':type', did you mean ':types'?"),
        ("  (:types", "  (^:typo x) (:types", "unknown section ':typo', did you mean ':types'?"),
        (":strips", "^:strip", "unknown requirement ':strip', did you mean ':strips'?"),
        (":precondition", "^:precond", "unknown section ':precond', did you mean ':precondition'?"),
        (":effect (and", "^(and", "expected one of :parameters, :precondition, :effect, found '(and'"),
        ("crate truck - thing", "crate truck ^-thing", "expected a blank between '-' and the type 'thing'"),
        ("crate truck - thing", "^- thing", "expected a type before '-'"),
        ("(free ?t - truck)", "(free ?t - ^)", "expected a type or '(either TYPE ...)' after '-', found ')'"),
        ("(free ?t - truck)", "(free ^t - truck)", "expected a variable (a name that begins with '?')"),
        ("crate truck - thing", "^crate - truck truck - crate", "the type 'crate' is its own ancestor"),
        ("place)", "^object - place place)", "'object' is the type of everything"),
        ("gate - place)", "gate - place ^gate - truck)", "the constant 'gate' was declared differently"),
        ("(free ?t - truck)", "(^at ?x)", "the predicate 'at' was declared differently in line 5"),
        ("(domain Yard)", "^(problem Yard)", "this is a problem: expected a domain"),
        ("(domain Yard)", "(domain^)", "expected the name of the domain, found ')'"),
        ("(define", "(^defin", "expected 'define', found 'defin'"),
        (
            "(domain Yard)",
            "(domain Yard)) ^(:requirements)",
            "expected nothing more, for the definition ends in line 1",
        ),
        ("(domain Yard)", "^(domain Yard", "never closed: '(:requirements' in line 2 begins inside it"),
        ("3))))", "3) ^(", "never closed: the text ends"),
        ("(:constants", "(:constants ^(:types a)", "expected a constant, found '(:types'"),
        ("(:constants", "(^:types a) (:constants", "a second ':types' section: the first is in line 3"),
        ("gate", "g^\u00e2te", "the character '\\xe2' cannot be part of a name"),
        ("(:action move", "(:action move) (:action ^move", "the action 'move' was already declared in line 7"),
        ("(total-cost) 3", "(total-cost) ^x3", "unknown function 'x3'"),
        ("(:constants", "(:constants ^- place", "expected a constant before '-'"),
        ("move\n", "^:move\n", "expected the name of the action, found ':move'"),
        ("(:action move", "(:derived (free ?t) (free ^?u)) (:action move", "unknown variable '?u'"),
        ("(:action move", "(:derived (^fre ?t) (free ?t)) (:action move", "unknown predicate 'fre'"),
    ],
)
def test_faults_of_domains(old, new, sentence):
    error = refused(domain_with(old, new.replace("^", "")))
    assert sentence in error.message
    assert (error.file, error.line, error.column) == ("file.pddl", *marked(domain_with(old, new)))
    assert error.text == domain_with(old, new.replace("^", "")).split("\n")[error.line - 1]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("t1 - truck", "t1 - ^lorry", "unknown type 'lorry'"),
        ("(free t1)", "(free ^t2)", "unknown object 't2'"),
        ("(free t1)", "(^freed t1)", "unknown predicate 'freed', did you mean 'free'?"),
        ("(free t1)", "(not ^(at t1 gate))", "(at t1 gate) is true and false"),
        ("(free t1)", "(free ^?x)", "unknown variable '?x'"),
        ("(free t1)", "(= t1 ^t1)", "expected a number, found 't1'"),
        ("(free t1)", "^free", "expected an atom"),
        ("(weight c1) 7", "(weight c1) ^7.x", "expected a number, found '7.x'"),
        ("(weight c1) 7", "(weight c1) ^-7", "the number -7 is negative"),
        ("(weight c1) 7", "(weight c1) 7) ^(= (weight c1) 8", "(weight c1) is 7 and 8"),
        ("(weight c1) 7", "(^wait c1) 7", "unknown function 'wait'"),
        ("(:goal (at c1 gate))", "(:goal^)", "expected a condition in brackets, found ')'"),
        ("(:goal (at c1 gate))", "(:goal (at c1 gate) ^(free t1))", "expected ')', found '(free'"),
        ("(:goal (at c1 gate))", "(:goal (at c1 ^?x))", "unknown variable '?x'"),
        ("(:objects c1", "(:objects ^gate - truck c1", "the object 'gate' was declared differently in line 4"),
        ("minimize", "^minimise", "expected 'minimize', found 'minimise'"),
    ],
)
def test_faults_of_problems(old, new, sentence):
    error = refused(problem_with(old, new.replace("^", "")), parse_domain(DOMAIN))
    assert sentence in error.message
    assert (error.line, error.column) == marked(problem_with(old, new))


@pytest.mark.parametrize("section", ["(:domain yard)", "(:goal (at c1 gate))"])
def test_a_problem_needs_its_sections(section):
    assert "the problem has no" in refused(problem_with(section, ""), parse_domain(DOMAIN)).message


@pytest.mark.parametrize(
    ("old", "new", "feature"),
    [
        (":typing", ":durative-actions", ":durative-actions"),
        (":typing", ":preferences", ":preferences"),
        ("(:action", "(:durative-action", ":durative-actions"),
        ("(:action", "(:process", ":processes"),
        ("(:action", "(:constraints (p)) (:action", ":constraints"),
        ("(free ?t)\n", "(> (weight ?t) 3)\n", ":numeric-fluents"),
        ("(free ?t)\n", "(= (weight ?t) 3)\n", ":numeric-fluents"),
        ("(free ?t)\n", "(preference p (free ?t))\n", ":preferences"),
        ("(free ?t)\n", "(always (free ?t))\n", ":constraints"),
        ("(free ?t)\n", "(free (weight ?t))\n", ":object-fluents"),
        ("(total-cost) 3", "(weight ?t) 3", ":numeric-fluents"),
        ("(total-cost) 3", "(total-cost) (+ 1 2)", ":numeric-fluents"),
        ("(total-cost) 3", "(total-cost) (total-cost)", ":numeric-fluents"),
        ("(total-cost) 3", "(total-cost) 3.5", "fractions"),
        ("(total-cost) 3", "(total-cost) 1000000000001", "large numbers"),
        pytest.param("(total-cost) 3", "(total-cost) " + "9" * 5000, "large numbers", id="5000 digits"),
        ("(at ?t ?to)", "(assign (weight ?t) 2)", ":numeric-fluents"),
        ("(at ?t ?to)", "(when (free ?t) (increase (total-cost) 1))", "conditional costs"),
        ("(total-cost) - number", "(total-cost) - place", ":object-fluents"),
    ],
)
def test_features_that_are_not_offered_in_domains(old, new, feature):
    error = not_offered(domain_with(old, new))
    assert error.feature == feature
    assert error.line == DOMAIN[: DOMAIN.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "feature"),
    [
        ("(free t1)", "(at 5 (free t1))", ":timed-initial-literals"),
        ("minimize", "maximize", "maximize"),
        ("minimize (total-cost)", "minimize (total-time)", ":numeric-fluents"),
        ("minimize (total-cost)", "minimize (+ (total-cost) 1)", ":numeric-fluents"),
        ("(total-cost) 0", "(total-cost) 5", "initial total-cost"),
        ("(weight c1) 7", "(weight c1) 7.25", "fractions"),
    ],
)
def test_features_that_are_not_offered_in_problems(old, new, feature):
    error = not_offered(problem_with(old, new), parse_domain(DOMAIN))
    assert error.feature == feature
    assert error.line == PROBLEM[: PROBLEM.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    "rules",
    [
        "(:derived (p ?x) (not (p ?x)))",
        "(:derived (p ?x) (forall (?y) (imply (q ?y) (r ?x)))) (:derived (q ?x) (p ?x))",
        "(:derived (p ?x) (q ?x)) (:derived (q ?x) (r ?x)) (:derived (r ?x) (not (exists (?y) (p ?y))))",
    ],
)
def test_negation_through_recursion_is_refused(rules):
    error = refused(f"(define (domain d) (:predicates (p ?x) (q ?x) (r ?x)) {rules})")
    assert "depends on its own negation" in error.message


def test_negation_of_a_lower_stratum_is_fine():
    rules = "(:derived (p ?x) (or (p ?x) (not (q ?x)))) (:derived (q ?x) (exists (?y) (q ?y)))"
    assert len(parse_domain(f"(define (domain d) (:predicates (p ?x) (q ?x)) {rules})").axioms) == 2


def test_derived_predicates_cannot_be_set_initially():
    domain = parse_domain("(define (domain d) (:predicates (p) (q)) (:derived (p) (q)))")
    error = refused("(define (problem x) (:domain d) (:init (q) (p)) (:goal (p)))", domain)
    assert "the derived predicate 'p' cannot be set by the initial state" in error.message


def test_derived_predicates_cannot_be_set_by_effects():
    error = refused(
        "(define (domain d) (:predicates (p) (q)) (:derived (p) (q))\n"
        "(:action a :effect (forall (?x) (when (q) (and (q) (not (p)))))))"
    )
    assert "the derived predicate 'p' cannot be set by an effect" in error.message
    assert (error.line, error.column) == (2, 58)


def test_the_whole_message():
    error = refused(domain_with("gate - place", "gate -\tplaice"))
    assert str(error) == (
        "file.pddl:4:22: unknown type 'plaice', did you mean 'place'?\n"
        "      (:constants gate -\tplaice)\n"
        "                        \t^"
    )


# Hostile input


@pytest.mark.parametrize("text", ["", " \n\n", "; nothing but a comment"])
def test_empty_texts(text):
    assert "the text is empty: expected '(define (domain NAME) ...)'" in refused(text).message


@pytest.mark.parametrize(
    ("data", "sentence", "line", "column"),
    [
        (b"(define (domain d)\n \0 )", "binary", 2, 2),
        (b"(define\n ; caf\xe9\n)", "not UTF-8 text: it has the byte 0xe9", 2, 7),
        (b"\x7fELF\x01\0\0", "binary", 1, 6),
        (b"(define (domain a\x01))", "the character '\\x01' cannot be part of a name", 1, 18),
    ],
)
def test_files_that_are_no_text(tmp_path, data, sentence, line, column):
    path = tmp_path / "d.pddl"
    path.write_bytes(data)
    with pytest.raises(ParseError) as caught:
        read_domain(path)
    assert sentence in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


def test_nesting_is_limited():
    # define, action and the inner (p) are three; the words `not` are the rest
    def nested(depth):
        return action_with("(not " * depth + "(p)" + ")" * depth)

    assert nested(197)
    with pytest.raises(ParseError, match="nested more than 200 deep") as caught:
        nested(198)
    assert caught.value.column is not None


@pytest.mark.parametrize("text", ["(" * 10_000_000, "( " * 5_000_000, ")" * 10_000_000, "()" * 5_000_000])
def test_ten_megabytes_of_brackets_are_refused_at_once(text):
    refused("(")  # loads what is loaded late
    assert calls(refused, text) < 10_000, "not one for each bracket"
    tracemalloc.start()
    refused(text)
    assert tracemalloc.get_traced_memory()[1] < 60_000_000
    tracemalloc.stop()


def test_a_large_problem_is_read_quickly():
    objects = [f"location-{number}" for number in range(120)]
    facts = "\n".join(f"(connected {a} {b})" for a in objects for b in objects)
    values = "\n".join(f"(= (distance {a} {a}) 12)" for a in objects)
    text = (
        f"(define (problem big) (:domain d) (:objects {' '.join(objects)})\n"
        f"(:init {facts} {facts} {values})\n(:goal (connected location-1 location-2)))"
    )
    assert len(text) > 750_000
    domain = parse_domain("(define (domain d) (:predicates (connected ?a ?b)) (:functions (distance ?a ?b)))")
    problem = parse_problem(text, domain)
    assert len(problem.init) == 2 * 120 * 120
    assert calls(parse_problem, text, domain) < 50 * len(problem.init)


def test_reading_imports_nothing_heavy(tmp_path):
    (tmp_path / "d.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(PROBLEM)
    program = (
        "import sys; before = set(sys.modules)\n"
        "from unpuzzle.pddl import read\n"
        f"read({str(tmp_path / 'd.pddl')!r}, {str(tmp_path / 'p.pddl')!r})\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "unpuzzle.pddl.reader" in loaded
    heavy = {
        "re",
        "dataclasses",
        "typing",
        "enum",
        "difflib",
        "pathlib",
        "subprocess",
        "tempfile",
        "importlib.metadata",
    }
    assert not heavy & set(loaded)
