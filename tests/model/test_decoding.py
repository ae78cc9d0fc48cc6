"""A `decode` that looks at its position serves where there is one; elsewhere the error says what to do."""

from __future__ import annotations

import json

import pytest

from unpuzzle.cli import main

SLIDE = '''from unpuzzle.model.capabilities import Generating
from unpuzzle.translators.shared import GridPuzzle


class Slide(GridPuzzle, Generating):
    name = "slide"
    title = "Slide: walk to the flag"
    levels = {"1": "@..\\n..F\\n"}
    symbols = {".": "floor", "@": "the walker", "F": "the flag", "+": "the walker at the flag"}
    single = {"walker": "@+"}
    directions = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
    actions = {"go": lambda p, a, b: next(m for m, to in p.around[p.walker].items() if p.names[to] == b)}
    predicates = {"@": ("at",), "+": ("at",)}
    pddl = """(define (domain slide)
      (:requirements :strips :typing)
      (:types cell)
      (:predicates (at ?c - cell) (next ?a ?b - cell))
      (:action go :parameters (?a ?b - cell)
        :precondition (and (at ?a) (next ?a ?b)) :effect (and (at ?b) (not (at ?a)))))"""

    @property
    def walker(self):
        return self.where("@+")[0]

    def following(self):
        left = {self.walker: "F" if self.cells[self.walker] == "+" else "."}
        steps = self.around[self.walker].items()
        return {move: self.changed({**left, to: "+" if self.cells[to] == "F" else "@"}) for move, to in steps}

    def solved(self):
        return "+" in self.cells

    def statics(self):
        cells = range(len(self.cells))
        return [("next", self.names[cell], self.names[to]) for cell in cells for to in self.around[cell].values()]

    def goal_condition(self):
        return [("at", self.names[cell]) for cell in self.where("F+")]

    @classmethod
    def generate(cls, rng, options):
        cells = list("@F....")
        rng.shuffle(cells)
        return cls("".join(cells), 3)
'''
METHOD = """
    def decode(self, action):
        places = {self.names[to]: move for move, to in self.around[self.walker].items()}
        return places[action.arguments[1]]
"""
FINE = SLIDE.replace(
    "lambda p, a, b: next(m for m, to in p.around[p.walker].items() if p.names[to] == b)",
    'lambda p, a, b: {10: "d", -10: "u", 1: "r", -1: "l"}[int(b[1] + b[3]) - int(a[1] + a[3])]',
)
CURE = "let it depend on the action's name and arguments, and give the action in the domain a parameter"


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text):
        (tmp_path / "slide.py").write_text(text)
        return "./slide.py"

    return write


@pytest.mark.parametrize("text", [SLIDE, SLIDE.replace("    actions =", "    table =") + METHOD, FINE])
def test_solving_checking_and_exploring_have_a_position_to_look_at(text, written, capsys):
    path = written(text)
    for words, key, value in (
        (["solve", path, "1"], "cost", 3),
        (["check", path, "1"], "same", True),
        (["explore", path, "1"], "states", 6),
    ):
        assert main([*words, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)[key] == value


@pytest.mark.parametrize(
    ("text", "method"),
    [
        (SLIDE, "the table `actions` of slide needs the position to find the move of (go r1c1 r"),
        (
            SLIDE.replace("    actions =", "    table =") + METHOD,
            f"decode() of slide (slide.py:{SLIDE.count(chr(10)) + 2}) needs the position to find the move of (go ",
        ),
    ],
)
def test_generate_unique_names_the_method_and_the_cure(text, method, written, capsys):
    path = written(text)
    assert main(["generate", path, "--unique", "--count", "1", "--workers", "1"]) == 4
    said = capsys.readouterr().err
    assert method in said
    assert CURE in said
    assert main(["play", path, "1", "-o", "page.html", "--max-states", "2"]) != 1
    assert "Traceback" not in capsys.readouterr().err


def test_the_cure_cures(written, capsys):
    path = written(FINE)
    assert main(["generate", path, "--unique", "--count", "1", "--workers", "1", "--quiet"]) == 0
