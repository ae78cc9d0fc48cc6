"""The reader on hostile, huge and empty input: a sentence or an answer, soon, and without heavy imports."""

import subprocess
import sys
import tracemalloc

import pytest

from support.counting import calls
from support.yard import DOMAIN, PROBLEM, action_with, refused
from unpuzzle.errors import ParseError
from unpuzzle.pddl import parse_domain, parse_problem, read_domain
from unpuzzle.pddl.reading.brackets import Brackets
from unpuzzle.pddl.reading.lexer import Text
from unpuzzle.pddl.reading.scoring import Scoring


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

    with pytest.raises(InterruptedError):
        Brackets(Text(BROKEN, "p.pddl"), "problem", {}, tick)
