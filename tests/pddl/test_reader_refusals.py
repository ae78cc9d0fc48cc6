"""The reader: what it refuses, in which words and at which place."""

import subprocess
import sys
import tracemalloc

import pytest

from support.counting import calls
from support.limited import Called
from support.yard import DOMAIN, PROBLEM, action_with, domain_with, marked, not_offered, problem_with, refused
from unpuzzle.base.errors import ParseError
from unpuzzle.pddl import parse_domain, parse_problem, read_domain
from unpuzzle.pddl.reading.brackets import Brackets, Scoring
from unpuzzle.pddl.syntax import Text


# What is refused: (what is replaced, by what, with a ^ where the caret must stand, part of the sentence)
@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("(total-cost) 3", "(total-cost) (^weight)", "the function 'weight' takes 1 argument, not 0"),
        ("(free ?t)\n", "^free\n", "expected a condition in brackets, found 'free'"),
        ("(free ?t)\n", "(and ^free)\n", "expected a condition in brackets, found 'free'"),
        ("(free ?t)\n", "^(not (free ?t) (free ?t))\n", "expected '(not CONDITION)', found 2 operands"),
        ("(at ?t ?to)", "(not ^(and (at ?t ?to)))", "expected an atom after 'not'"),
        (":effect (and", "^(and", "expected one of :parameters, :precondition, :effect, found '(and'"),
        ("crate truck - thing", "crate truck ^-thing", "expected a blank between '-' and the type 'thing'"),
        ("crate truck - thing", "^- thing", "expected a type before '-'"),
        ("(free ?t - truck)", "(free ?t - ^)", "expected a type or '(either TYPE ...)' after '-', found ')'"),
        ("(free ?t - truck)", "(free ^t - truck)", "expected a variable (a name that begins with '?')"),
        ("place)", "^object - place place)", "'object' is the type of everything"),
        ("gate - place)", "gate - place ^gate - truck)", "the constant 'gate' was declared differently"),
        ("(domain Yard)", "^(problem Yard)", "this is a problem: expected a domain"),
        ("(domain Yard)", "(domain^)", "expected the name of the domain, found ')'"),
        (
            "(domain Yard)",
            "(domain Yard)) ^(:requirements)",
            "expected nothing more, because the definition ends in line 1",
        ),
        ("(domain Yard)", "^(domain Yard", "never closed: '(:requirements' in line 2 begins inside it"),
        ("3))))", "3) ^(", "never closed: the text ends"),
        ("(:constants", "(:constants ^(:types a)", "expected a constant, found '(:types'"),
        ("gate", "g^\u00e2te", "the character '\\xe2' cannot be part of a name"),
        ("(:constants", "(:constants ^- place", "expected a constant before '-'"),
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
        ("(free t1)", "^free", "expected an atom"),
        ("(:goal (at c1 gate))", "(:goal^)", "expected a condition in brackets, found ')'"),
        ("(:objects c1", "(:objects ^gate - truck c1", "the object 'gate' was declared differently in line 4"),
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
        (":typing", ":open-world", ":open-world"),
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


def test_a_fault_in_a_problem_of_another_domain_names_the_domains_first() -> None:
    problem = "(define (problem q) (:domain fleet) (:objects x - robot) (:init) (:goal (and)))"
    domain = parse_domain("(define (domain depot) (:requirements :typing) (:types crate))")
    domains = "the problem is of the domain 'fleet', but this domain is 'depot': unknown type 'robot'"
    with pytest.raises(ParseError, match=domains):
        parse_problem(problem, domain)
    with pytest.raises(ParseError, match="1:51: unknown type 'robot'"):
        parse_problem(problem.replace("fleet", "depot"), domain)


# ---- The reader on hostile, huge and empty input: a sentence or an answer, soon, and without heavy imports


# Hostile input
@pytest.mark.parametrize("text", ["", " \n\n", "; nothing but a comment"])
def test_empty_texts(text):
    assert "the text is empty: expected '(define (domain NAME) ...)'" in refused(text).message


@pytest.mark.parametrize(
    ("data", "sentence", "line", "column"),
    [
        (b"(define (domain d)\n \0 )", "binary", 2, 2),
        (b"(define\n (caf\xe9\n)", "not UTF-8 text: it has the byte 0xe9", 2, 6),
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
    assert "unpuzzle.pddl.reading.reader" in loaded
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


FACTS = "".join(f"  (next c{number} c{number + 1})\n" for number in range(1_000))
BROKEN = "(define (problem p) (:domain d) (:init\n" + FACTS.replace("0)", "0") + "))"


@pytest.mark.parametrize(
    ("text", "most"),
    [(BROKEN, 40), (BROKEN.replace("\n", " "), 150), (")" * 10_000, 40), ("(define (domain d) " + "a(" * 5_000, 150)],
    ids=["lines", "one line", "closing", "opening"],
)
def test_looking_for_brackets_takes_a_bounded_number_of_steps(text, most, monkeypatch):
    looked, items = [], Scoring._items

    def counted(scoring, part, expected, outer):
        looked.append(len(part))
        return items(scoring, part, expected, outer)

    monkeypatch.setattr(Scoring, "_items", counted)
    brackets = Brackets(Text(text, "p.pddl"), "problem", {})
    assert sum(looked) < most * len(brackets.tokens)


def test_each_fact_that_lacks_a_bracket_in_a_long_list_is_told_in_its_line():
    brackets = Brackets(Text(BROKEN, "p.pddl"), "problem", {})
    lines = {BROKEN[: note.start].count("\n") + 1 for note in brackets.notes}
    broken = {at for at, line in enumerate(BROKEN.split("\n"), 1) if line.startswith("  ") and ")" not in line}
    assert len(broken) == 100
    assert lines - {1} == broken - {1001}, "the last fact may as well lack it as the list"


@pytest.mark.parametrize("lost", [1, 2, 100])
def test_each_fact_that_lacks_a_bracket_in_a_long_line_is_told(lost):
    facts = [f"(next c{number} c{number + 1})" for number in range(1_000)]
    broken = facts[5 : 5 + lost * 7 : 7]
    line = " ".join(fact[:-1] if fact in broken else fact for fact in facts)
    text = f"(define (problem p) (:domain d) (:init (= (total-cost) 0) {line}) (:goal (next c1 c2)))"
    notes = Brackets(Text(text, "p.pddl"), "problem", {}).notes
    assert [text[note.start :].split(" (", maxsplit=1)[0] for note in notes] == [fact[:-1] for fact in broken]
    assert {note.code for note in notes} == {"unclosed-bracket"}


def test_the_repair_of_brackets_can_be_ended():
    ticks = []

    def tick():
        ticks.append(1)
        if len(ticks) == 50:
            raise InterruptedError

    with pytest.raises(InterruptedError), Called(tick):
        Brackets(Text(BROKEN, "p.pddl"), "problem", {})


def test_an_empty_denied_fact_is_refused_in_words() -> None:
    """It was an error of ours."""
    error = refused(problem_with("(:init", "(:init (not ())"), parse_domain(DOMAIN))
    assert error.message == "expected the name of a predicate, found ')'"
