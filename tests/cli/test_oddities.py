"""Lint's warnings stand above every verdict about PDDL files, each once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import run
from support.fixtures import Capsys, Monkeypatch
from support.river import ROADS, delivery
from unpuzzle.planning import registry

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")

ODD = ROADS.replace("(?t - truck ?a ?b - place)", "(?t - truck ?a ?b ?idle - place)", 1)
WARNING = "the variable '?idle' of 'drive' is never used"
START = "(at t a) (lies k b) (road a b) (road b a)"
SUSPICION = "the object 'l' occurs neither at the start nor in the goal"
PLAN = "(drive t a b a)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(ODD)
    (tmp_path / "p.pddl").write_text(delivery(START, "(at t b)"))
    (tmp_path / "never.pddl").write_text(delivery(START, "(at t c)"))
    (tmp_path / "plan.txt").write_text(PLAN + "\n")
    (tmp_path / "none.txt").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["plan", "domain.pddl", "p.pddl"], 0),
        (["solve", "domain.pddl", "p.pddl"], 0),
        (["solve", "domain.pddl", "p"], 0),
        (["validate", "domain.pddl", "p.pddl", "plan.txt"], 0),
        (["trace", "domain.pddl", "p.pddl", PLAN], 0),
        (["replay", "domain.pddl", "p.pddl", PLAN], 0),
        (["check", "domain.pddl", "p.pddl", "--domain", "domain.pddl", "--problem", "p.pddl"], 0),
        (["explain", "domain.pddl", "never.pddl"], 0),
        (["diff", "domain.pddl", "p.pddl", "domain.pddl", "p.pddl"], 0),
        (["plan", "domain.pddl", "never.pddl"], 1),
        (["solve", "domain.pddl", "never.pddl"], 1),
        (["validate", "domain.pddl", "p.pddl", "none.txt"], 1),
        (["trace", "domain.pddl", "p.pddl", ""], 1),
        (["replay", "domain.pddl", "p.pddl"], 1),
    ],
    ids=str,
)
def test_warnings_stand_above_verdicts(
    words: list[str], code: int, folder: Path, monkeypatch: Monkeypatch, capsys: Capsys
) -> None:
    monkeypatch.chdir(folder)
    got, _, err = run(capsys, *words)
    assert (got, err.count(WARNING)) == (code, 1)
    assert err.startswith("domain.pddl:")
    assert (SUSPICION in err) == (code == 1 or words[0] == "explain")
    assert run(capsys, *words, "--quiet")[2].count(WARNING) == 0
    answer = json.loads(run(capsys, *words, "--json")[1])
    assert sum(WARNING in warning for warning in answer["warnings"]) == 1


def test_other_games_have_none(capsys: Capsys) -> None:
    assert "warnings" not in json.loads(run(capsys, "solve", "boxup", "1", "--json")[1])


def test_of_a_domain_to_check_the_level_s_own_problem_counts(tmp_path: Path, capsys: Capsys) -> None:
    """What only the goal speaks of is used, and of a problem that nobody wrote nothing is said."""
    run(capsys, "pddl", "pacman", "perfect", "--output", str(tmp_path))
    domain = tmp_path / "domain.pddl"
    text = domain.read_text().replace("(:predicates", "(:predicates (idle)", 1)
    domain.write_text(text.replace("(not (food ?to))", "", 1))
    code, _, err = run(capsys, "check", "pacman", "perfect", "--domain", str(domain))
    warnings = [line for line in err.splitlines() if "warning" in line]
    assert (code, len(warnings)) == (1, 1)
    assert warnings[0].endswith("the predicate 'idle' is never used: no action, axiom or goal speaks of it")


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "domain.pddl", "p.pddl", "--algorithms", "bfs"],
        ["grade", "domain.pddl", "domain.pddl", "--problems", "."],
    ],
    ids=str,
)
def test_warnings_stand_above_tables(words: list[str], folder: Path, monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    monkeypatch.chdir(folder)
    got, _, err = run(capsys, *words)
    assert (got, err.count(WARNING)) == (0, 1)
    assert err.startswith("domain.pddl:")
