"""Commands that refuse a PDDL file say it in the words of lint, at the place where the author has to look."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import run
from support.fixtures import Capsys, Monkeypatch
from support.river import ROADS, delivery
from unpuzzle.cli import main
from unpuzzle.errors import ParseError
from unpuzzle.pddl import read

START = "(at t a) (lies k b) (road a b) (road b a)"
PROBLEM = delivery(START, "(at t b)").replace("(and (at t b))", "(at t b)")


def refused(capsys: Capsys, *words: str) -> dict[str, object]:
    assert main([*words, "--json"]) == 2
    fields: dict[str, object] = json.loads(capsys.readouterr().out)
    return fields


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "domain.pddl").write_text(ROADS)
    (tmp_path / "p.pddl").write_text(PROBLEM)
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("(at t b)", "(at t b) (lies k b)", "put (and ...) around them"),
        ("(:goal (at t b))", "(:goal (and (at t b))", "is never closed"),
        ("(at t a)", "(at t, a)", "by blanks, not by commas"),
        ("(at t a)", "(and (at t a))", "they need no 'and'"),
        ("(define", "Here it is:\n(define", "remove what stands before the definition"),
        ("(define", "```pddl\n(define", "remove the lines with ```"),
    ],
)
def test_a_problem_is_refused_in_the_words_of_lint(
    old: str, new: str, words: str, folder: Path, capsys: Capsys
) -> None:
    assert PROBLEM.count(old) == 1
    (folder / "p.pddl").write_text(PROBLEM.replace(old, new))
    _, out, _ = run(capsys, "lint", "domain.pddl", "p.pddl")
    for command in ("plan", "solve", "explain"):
        error = refused(capsys, command, "domain.pddl", "p.pddl")
        assert words in str(error["message"])
        assert f"p.pddl:{error['line']}:{error['column']}: error: {error['message']}" in out
    with pytest.raises(ParseError):  # the reader itself is as strict as ever
        read("domain.pddl", "p.pddl")


def test_encodings_are_named(folder: Path, capsys: Capsys) -> None:
    (folder / "domain.pddl").write_bytes(ROADS.encode("utf-16"))
    assert "UTF-16: save it as UTF-8" in str(refused(capsys, "plan", "domain.pddl", "p.pddl")["message"])
    (folder / "domain.pddl").write_bytes(b"\0\1\2")
    assert "binary" in str(refused(capsys, "plan", "domain.pddl", "p.pddl")["message"])


def test_the_second_domain_of_a_comparison(folder: Path, capsys: Capsys) -> None:
    (folder / "other.pddl").write_text(f"```\n{ROADS}")
    error = refused(capsys, "diff", "domain.pddl", "p.pddl", "other.pddl", "p.pddl")
    assert (error["file"], error["line"]) == ("other.pddl", 1)
    assert "remove the lines with ```" in str(error["message"])


def test_a_class_is_told_so_too(folder: Path, capsys: Capsys) -> None:
    (folder / "student.pddl").write_text(f"```\n{ROADS}")
    _, out, _ = run(capsys, "grade", "domain.pddl", "student.pddl", "--problems", ".")
    assert "student.pddl:1:1: this is Markdown around the PDDL" in out


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("drve t a b\n(drive t a b)\n", 1, "remove the line, or begin it with ';'"),
        ("drve t a b\n```\n(drive t a b)\n```\n", 1, "remove the line, or begin it with ';'"),
        ("```\n(drive t a b)\n```\n\ndrve t a b\n", 5, "remove the line, or begin it with ';'"),
    ],
)
def test_a_plan_is_refused_in_the_words_of_lint(text: str, line: int, words: str, folder: Path, capsys: Capsys) -> None:
    (folder / "plan.txt").write_text(text)
    error = refused(capsys, "validate", "domain.pddl", "p.pddl", "plan.txt")
    assert (error["file"], error["line"]) == ("plan.txt", line)
    assert words in str(error["message"])


@pytest.mark.parametrize("command", ["plan", "explore"])
def test_a_problem_of_another_domain_is_told_before_its_fault(command: str, folder: Path, capsys: Capsys) -> None:
    (folder / "p.pddl").write_text(PROBLEM.replace("(:domain roads)", "(:domain sky)").replace("- truck", "- kite"))
    said = refused(capsys, command, "domain.pddl", "p.pddl")["message"]
    assert str(said).startswith("the problem is of the domain 'sky', but this domain is 'roads': unknown type 'kite'")
