"""`lint --fix` restores what was meant, or leaves the fault: planted slips of all kinds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from support.planted_slips import KINDS, NAMED, meaning, slips
from support.registry import WITH_PDDL
from support.thorough import THOROUGH
from unpuzzle import find, pddl
from unpuzzle.checking.linted_files import DOMAIN, PROBLEM, ListedFile, lint_files, mended
from unpuzzle.cli import main
from unpuzzle.pddl.judging.requirements import lacking, requiring

FAULTY = Path(__file__).parents[1] / "pddl" / "faulty"
TASKS = {
    name: tuple((FAULTY / f"{name}.{kind}.pddl").read_text() for kind in (DOMAIN, PROBLEM))
    for name in ("river", "logistics", "lights")
}
NUMBER = 2_000 if THOROUGH else 120


def fixed(texts):
    """The texts after the corrections of `lint --fix`."""
    files = [ListedFile("d.pddl", texts[0], DOMAIN), ListedFile("p.pddl", texts[1], PROBLEM)]
    after, _ = mended(files, lambda files: lint_files(files, texts_only=True))
    return tuple(file.text for file in after)


def test_corrections_restore_what_was_meant_or_leave_the_fault() -> None:
    rng, planted, restored = Random(43), Counter[str](), Counter[str]()
    while planted.total() < NUMBER:
        for kind in KINDS:
            texts = TASKS[rng.choice(list(TASKS))]
            faulty = slips(rng, texts, kind)
            if faulty is None:
                continue
            planted[kind] += 1
            after = meaning(fixed(faulty))
            assert after in (None, meaning(texts)), (kind, faulty)
            restored[kind] += after is not None
    assert all(planted[kind] for kind in KINDS), planted
    mending, all_named = (sum(counts[kind] for kind in NAMED) for counts in (restored, planted))
    assert mending >= 0.9 * all_named, (restored, planted)
    assert restored["unequal"] == planted["unequal"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("(not (at ?t ?from)) (at ?t ?to)", "(not (at ?t ?from) (at ?t ?to))"),  # delete both, or a bracket too late?
        ("(:action load", "(:derived (seen depot) (and)) (:action load"),
        ("?from ?to - place ?c - city", "?from ?to - place base - city"),
        (":action load", ":actio n load"),  # blanks in the midst of words, of which each part may be corrected
        ("?t - truck", "?t - truc k"),
        (":predicates", ":predicate s"),
        ("load\n    :parameters", "load:parameters"),
    ],
)
def test_what_may_be_meant_otherwise_is_left(right: str, wrong: str) -> None:
    domain, problem = TASKS["logistics"]
    domain = domain.replace("(:predicates", "(:constants base - city)\n  (:predicates (seen ?x)")
    faulty = domain.replace(right, wrong), problem
    assert faulty[0] != domain
    assert fixed(faulty) == faulty


# ---- What a domain's text leaves out of its requirements is written into it, and nothing else is changed


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
