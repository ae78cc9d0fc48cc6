"""`unpuzzle plan` judges only what is well defined, and shows what is strange above its verdict."""

import json
from pathlib import Path

import pytest

from support.command_line import run
from support.fixtures import Capsys, Monkeypatch
from support.river import ROADS, delivery
from unpuzzle.cli import main
from unpuzzle.planning import registry

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")

DOMAIN = """(define (domain parcels)
  (:requirements :strips :typing :action-costs)
  (:types place parcel)
  (:predicates (at ?p - parcel ?a - place) (road ?a ?b - place) (taped ?p - parcel))
  (:functions (total-cost) (length ?a ?b - place))
  (:action send :parameters (?p - parcel ?a ?b - place)
    :precondition (and (at ?p ?a) (road ?a ?b))
    :effect (and (not (at ?p ?a)) (at ?p ?b) (increase (total-cost) (length ?a ?b))))
  (:action tape :parameters (?p - parcel) :precondition (not (taped ?p)) :effect (taped ?p)))
"""
PROBLEM = """(define (problem p) (:domain parcels)
  (:objects home shop mill - place box - parcel)
  (:init (at box home) (road home shop) (road shop home) (road mill home)
         (= (total-cost) 0) (= (length home shop) 2) (= (length shop home) 2))
  (:goal (and (at box shop) (taped box)))
  (:metric minimize (total-cost)))
"""


@pytest.fixture
def files(tmp_path: Path):
    def write(domain: str = DOMAIN, problem: str = PROBLEM) -> tuple[str, str]:
        (tmp_path / "d.pddl").write_text(domain)
        (tmp_path / "p.pddl").write_text(problem)
        return str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl")

    return write


@pytest.mark.parametrize("planner", ["native", "native:bfs", "reference", "fast-downward", "native:gbfs"])
def test_an_undefined_cost_is_refused_whoever_plans(planner: str, files, capsys: pytest.CaptureFixture[str]) -> None:
    if registry.missing(planner) is not None:
        pytest.skip(f"{registry.missing(planner)}")
    code, out, err = run(
        capsys,
        "plan",
        *files(problem=PROBLEM.replace("(= (length home shop) 2) (= (length shop home) 2)", "")),
        "--planner",
        planner,
    )
    assert (code, out) == (2, "")
    assert "(send box home shop) can be applied, but its cost (length home shop) has no value" in err


def test_what_cannot_happen_needs_no_cost(files, capsys: pytest.CaptureFixture[str]) -> None:
    """There is a road from the mill, and no way to it."""
    code, out, err = run(capsys, "plan", *files(), "--quiet")
    assert (code, set(out.split("\n"))) == (0, {"(send box home shop)", "(tape box)", ""})
    assert err == ""
    assert main(["lint", *files(), "--quiet"]) == 0


def test_warnings_stand_above_the_verdict(files, capsys: pytest.CaptureFixture[str]) -> None:
    paths = files(problem=PROBLEM.replace("  (:metric minimize (total-cost))", ""))
    code, out, err = run(capsys, "plan", *paths)
    assert code == 0
    assert (
        err == f"{paths[1]}:1:1: warning: actions add to total-cost, but no metric minimizes it: every action costs 1\n"
    )
    code, out, _ = run(capsys, "plan", *paths, "--json")
    assert (json.loads(out)["cost"], json.loads(out)["warnings"]) == (2, [err.strip()])
    assert run(capsys, "plan", *paths, "--quiet")[2] == ""


def test_warnings_stand_above_a_no(files, capsys: pytest.CaptureFixture[str]) -> None:
    unused = DOMAIN.replace("(?p - parcel) :precondition", "(?p ?q - parcel) :precondition")
    code, _, err = run(capsys, "plan", *files(unused, PROBLEM.replace("(at box shop)", "(at box mill)")))
    assert code == 1
    first, second, *reasons = err.strip().split("\n")
    assert first.endswith("warning: the variable '?q' of 'tape' is never used")
    assert second.startswith("unpuzzle: unsolvable: there is no plan: grounding proved")
    assert reasons[0] == "unpuzzle: nothing can ever make (at box mill) true, which the goal needs"


def test_many_warnings_are_counted(files, capsys: pytest.CaptureFixture[str]) -> None:
    again = "".join("(at box home)" for _ in range(14))
    _, _, err = run(capsys, "plan", *files(problem=PROBLEM.replace("(at box home)", again)))
    lines = err.strip().split("\n")
    assert len(lines) == 11
    assert lines[-1] == "... and 3 more: see unpuzzle lint"


# ---- Lint's warnings stand above every verdict about PDDL files, each once


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
    assert warnings[0].endswith("the predicate 'idle' is never used: no action, axiom or goal mentions it")


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


def test_a_problem_named_without_its_ending_is_suggested(tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / "p1.pddl").write_text("")
    (tmp_path / "domain.pddl").write_text("(define (domain d) (:predicates (p)))")
    assert main(["plan", str(tmp_path / "domain.pddl"), str(tmp_path / "p1")]) == 2
    assert f"did you mean {tmp_path / 'p1.pddl'}?" in capsys.readouterr().err
