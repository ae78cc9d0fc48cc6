"""`lint --fix` restores what was meant, or leaves the fault: planted slips of all kinds."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from support.planted_slips import KINDS, NAMED, meaning, slips
from support.registry import WITH_PDDL
from support.thorough import THOROUGH
from unpuzzle import find, pddl
from unpuzzle.cli import main
from unpuzzle.pddl.matching import DOMAIN, PROBLEM, PddlText
from unpuzzle.pddl.writer import lacking, requiring
from unpuzzle.workspace.linting import lint_files, mended

OUTSIDE = Path(__file__).parents[1] / "translators" / "outside"
FAULTY = Path(__file__).parents[1] / "pddl" / "faulty"
TASKS = {
    name: tuple((FAULTY / f"{name}.{kind}.pddl").read_text() for kind in (DOMAIN, PROBLEM))
    for name in ("river", "logistics", "lights")
}
NUMBER = 2_000 if THOROUGH else 120


def fixed(texts):
    """The texts after the corrections of `lint --fix`."""
    files = [PddlText("d.pddl", texts[0], DOMAIN), PddlText("p.pddl", texts[1], PROBLEM)]
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
OF_BODY = "(define (problem p) (:domain d) (:objects a - cell) (:init (at a)) (:goal (or (not (at a)) (= a a))))"


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
    task = pddl.parse_task(text, OF_BODY)
    missing = lacking(task)
    assert missing == [":typing", ":negative-preconditions", ":disjunctive-preconditions", ":equality"]
    written = requiring(text, missing)
    assert written == then.format(" ".join(missing)) + BODY
    assert pddl.parse_task(written, OF_BODY) == task
    assert lacking(pddl.parse_task(written, OF_BODY)) == []


def test_a_text_that_declares_all_stays_as_it_is():
    text = "(define (domain d) (:requirements :adl) " + BODY
    assert lacking(pddl.parse_task(text, OF_BODY)) == []
    assert requiring(text, []) == text


@pytest.mark.parametrize("name", WITH_PDDL)
def test_lint_misses_no_requirement_in_what_is_written(name, tmp_path, capsys):
    for level in list(find(name).levels)[:2]:
        assert main(["pddl", name, level, "--output", str(tmp_path), "--quiet"]) == 0
        main(["lint", str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")])
        assert "is missing" not in capsys.readouterr().out


def test_a_goal_that_needs_more_than_the_domain_declares(tmp_path, capsys):
    """A domain with comments, of a puzzle whose goal is that something is not so."""
    text = """; mine
(define (domain lights-out) (:requirements :strips :typing :conditional-effects) (:types cell) ; all
  (:predicates (switches ?a ?b - cell) (lit ?c - cell))
  (:action press :parameters (?c - cell) :effect (forall (?n - cell) (when (switches ?c ?n) (not (lit ?n))))))
"""
    (tmp_path / "lights_out.pddl").write_text(text)
    (tmp_path / "lights_out.py").write_text((OUTSIDE / "lights_out.py").read_text())
    words = [str(tmp_path / "lights_out.py"), "3x3", "--quiet"]
    assert main(["pddl", *words, "--output", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    assert main(["lint", *(str(tmp_path / "out" / f"{kind}.pddl") for kind in ("domain", "problem"))]) == 0
    assert capsys.readouterr().out == "0 errors, 0 warnings\n"
    written = (tmp_path / "out" / "domain.pddl").read_text()
    assert written == text.replace(":conditional-effects)", ":conditional-effects :negative-preconditions)")
    assert main(["solve", *words, "--planner", "rules:bfs"]) == 0
