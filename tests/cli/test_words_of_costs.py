"""Costs are called moves only where each move costs one, and pushes only where something is pushed."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from support.command_line import run
from unpuzzle import find
from unpuzzle.cli.commands.generate import needs
from unpuzzle.levels.generating import generate
from unpuzzle.playing.session import Guide, Session
from unpuzzle.puzzle.amounts import cost_in_words, noun_of_pushes, pushing

OUTSIDE = Path(__file__).parents[1] / "translators" / "outside"
GRID = """(define (domain d)
  (:predicates (road ?a ?b) (at ?a) (box ?a) (open))
  (:action walk :parameters (?a ?b) :precondition (and (road ?a ?b) (at ?a)) :effect (and (not (at ?a)) (at ?b)))
  (:action VERB :parameters (?a) :precondition (and (at ?a) (box ?a)) :effect (and (not (box ?a)) (open))))
"""
PROBLEM = """(define (problem p) (:domain d) (:objects l0 l1 l2)
  (:init (at l0) (road l0 l1) (road l1 l0) (road l1 l2) (road l2 l1) (box l2)) (:goal (open)))
"""


DEARER = {
    "old_style.py": {
        "def cost(self, move):\n        return 1": "def cost(self, move):\n        return 2",
        "goal=And(": "metric=__import__('unpuzzle').pddl.FunctionTerm('total-cost'), goal=And(",
    },
    "corridor-domain.pddl": {
        "(:action right": "(:functions (total-cost)) (:action right",
        "(at ?to))": "(at ?to) (increase (total-cost) 2))",
    },
}
"""What is replaced in a corridor and its domain, so that a step costs 2."""


@pytest.fixture
def dear(tmp_path, monkeypatch):
    """A corridor whose steps cost 2, in a file of the working directory."""
    monkeypatch.chdir(tmp_path)
    for name, changes in DEARER.items():
        text = (OUTSIDE / name).read_text()
        for before, after in changes.items():
            assert before in text
            text = text.replace(before, after)
        (tmp_path / name).write_text(text)
    return find("./old_style.py")


def test_a_cost_is_no_number_of_moves(dear, capsys, monkeypatch):
    name, level = next(iter(dear.levels.items()))
    start = dear.parse(level, name)
    assert start.cost(start.moves()[0]) == 2
    assert cost_in_words(start, 12) == "cost 12"
    [made] = generate(dear, count=1, seed=1).levels
    assert needs(dear, made) == f"costs {made.cost}"
    session = Session(start, Guide(start), lambda *_: "")
    session.obey(start.moves()[0])
    assert session.spent() == "cost 2"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{start.moves()[0]}\nquit\n"))
    told = [run(capsys, "play", "./old_style.py", name)[1]]
    told += run(capsys, "generate", "./old_style.py", "--count", "2", "--seed", "3")[1:]
    assert "cost 2" in told[0]
    assert not [text for text in told if re.search(r"\d moves?\b", text)]


def test_the_words_of_a_booklet(dear, capsys, monkeypatch):
    pytest.importorskip("reportlab")
    entries = []
    monkeypatch.setattr("unpuzzle.cli.commands.booklet.write_pages", lambda answer, listed, *_: entries.extend(listed))
    run(capsys, "booklet", "./old_style.py", *dear.levels, "-o", "sheet.pdf")
    run(capsys, "booklet", "hanoi", "3", "-o", "sheet.pdf")
    *words, hanoi = [entry.difficulty for entry in entries]
    assert words
    assert all(word.startswith("cost ") for word in words)
    assert hanoi == "7 moves"


@pytest.mark.parametrize(("verb", "noun"), [("push", "1 push"), ("lift", "1 move besides walking")])
def test_pushes_are_told_where_something_is_pushed(verb, noun, tmp_path, capsys):
    (tmp_path / "d.pddl").write_text(GRID.replace("VERB", verb))
    (tmp_path / "p.pddl").write_text(PROBLEM)
    files = str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl")
    for words in ([], ["--objective", "pushes"]):
        out = run(capsys, "plan", *files, *words)[1]
        assert ("push" in out) is (verb == "push")
    assert f"cost 3, {noun}" in out


def test_games_that_push():
    assert pushing(find("sokoban"))
    assert not pushing(find("sliding-tiles"))
    assert noun_of_pushes(find("sokoban"))[0] == "push"
