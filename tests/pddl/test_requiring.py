"""What a domain's text leaves out of its requirements is written into it, and nothing else is changed."""

from __future__ import annotations

import pytest

from support.registry import WITH_PDDL
from unpuzzle import find, pddl
from unpuzzle.cli import main
from unpuzzle.pddl.judging.requirements import lacking, requiring

BODY = "(:types cell) (:predicates (at ?c - cell))\n (:action go :parameters (?c - cell) :effect (not (at ?c))))"
PROBLEM = "(define (problem p) (:domain d) (:objects a - cell) (:init (at a)) (:goal (or (not (at a)) (= a a))))"


@pytest.mark.parametrize(
    ("head", "then"),
    [
        ("(define (domain d) ", "(define (domain d)\n  (:requirements {}) "),
        (
            "; (domain x)\n(DEFINE\n(Domain d ) ; (:requirements)\n",
            "; (domain x)\n(DEFINE\n(Domain d )\n  (:requirements {}) ; (:requirements)\n",
        ),
        (
            "(define (domain d) (:REQUIREMENTS :strips ; none )\n )",
            "(define (domain d) (:REQUIREMENTS :strips ; none )\n  {})",
        ),
    ],
)
def test_requirements_are_added_where_they_belong(head, then):
    text = head + BODY
    task = pddl.parse_task(text, PROBLEM)
    missing = lacking(task)
    assert missing == [":typing", ":negative-preconditions", ":disjunctive-preconditions", ":equality"]
    written = requiring(text, missing)
    assert written == then.format(" ".join(missing)) + BODY
    assert pddl.parse_task(written, PROBLEM) == task
    assert lacking(pddl.parse_task(written, PROBLEM)) == []


def test_a_text_that_declares_all_stays_as_it_is():
    text = "(define (domain d) (:requirements :adl) " + BODY
    assert lacking(pddl.parse_task(text, PROBLEM)) == []
    assert requiring(text, []) == text


@pytest.mark.parametrize("name", WITH_PDDL)
def test_lint_misses_no_requirement_in_what_is_written(name, tmp_path, capsys):
    for level in list(find(name).levels)[:2]:
        assert main(["pddl", name, level, "--output", str(tmp_path), "--quiet"]) == 0
        main(["lint", str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")])
        assert "is missing" not in capsys.readouterr().out


def test_a_goal_that_needs_more_than_the_domain_declares(tmp_path, capsys):
    """A domain with comments, of a puzzle whose goal is that something is not so."""
    (tmp_path / "flag.pddl").write_text(
        "; mine\n(define (domain flag)\n  (:predicates (up)) ; all\n  (:action down :effect (not (up))))\n"
    )
    (tmp_path / "flag.py").write_text(
        """from unpuzzle.puzzle import Puzzle


class Flag(Puzzle):
    name = "flag"
    title = "Flag: take it down"
    levels = {"1": "up\\n"}
    actions = {"down": "d"}

    def __init__(self, up=True):
        self.up = up

    @classmethod
    def parse(cls, text, source=None):
        return cls(text == "up\\n")

    def __str__(self):
        return "up\\n" if self.up else "down\\n"

    def following(self):
        return {"d": Flag(False)}

    def solved(self):
        return not self.up

    def facts(self):
        return [("up",)] if self.up else []

    def goal_condition(self):
        return [("not", "up")]
"""
    )
    assert main(["pddl", str(tmp_path / "flag.py"), "1", "--output", str(tmp_path / "out"), "--quiet"]) == 0
    capsys.readouterr()
    domain, problem = (str(tmp_path / "out" / f"{kind}.pddl") for kind in ("domain", "problem"))
    assert main(["lint", domain, problem]) == 0
    assert capsys.readouterr().out == "0 errors, 0 warnings\n"
    text = (tmp_path / "out" / "domain.pddl").read_text()
    assert text.startswith(
        "; mine\n(define (domain flag)\n  (:requirements :negative-preconditions)\n  (:predicates (up)) ; all\n"
    )
    assert main(["solve", str(tmp_path / "flag.py"), "1", "--quiet"]) == 0
