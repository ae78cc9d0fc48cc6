"""--objective on the commands that solve: figures, JSON, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command_line import run

pytestmark = pytest.mark.usefixtures("settled")


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code, out, _ = run(capsys, *words, "--json")
    return code, json.loads(out)


def test_solve_tells_cost_and_pushes(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", "sokoban", "2", "--objective", "pushes,moves")
    assert code == 0
    assert "; solved_optimally: cost 14, 4 pushes, " in out
    code, answer = run_json(capsys, "solve", "sokoban", "2", "--objective", "pushes")
    assert (code, answer["objective"], answer["pushes"]) == (0, "pushes", 4)
    code, answer = run_json(capsys, "solve", "hanoi", "3")
    assert (code, answer["objective"], answer["pushes"]) == (0, "moves", None)


def test_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "pddl", "sokoban", "2", "--output", str(tmp_path))[0] == 0
    files = [str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")]
    code, answer = run_json(capsys, "plan", *files, "--objective", "moves,pushes")
    assert (code, answer["cost"], answer["pushes"]) == (0, 14, 4)
    code, out, _ = run(capsys, "solve", *files, "--objective", "pushes,moves")
    assert (code, "cost 14, 4 pushes" in out) == (0, True)


def test_tables(capsys: pytest.CaptureFixture[str]) -> None:
    code, rows = run_json(capsys, "compare", "sokoban", "2", "--objective", "pushes,moves")
    assert (code, [(row["algorithm"], row["pushes"], row["cost"]) for row in rows]) == (0, [("ucs", 4, 14)])
    assert {row["objective"] for row in rows} == {"pushes,moves"}
    words = ["compare", "sokoban", "2", "--algorithms", "bfs", "ucs", "--objective", "pushes"]
    code, rows = run_json(capsys, *words)
    assert (code, [row["status"] for row in rows]) == (0, ["unsupported", "solved_optimally"])
    code, rows = run_json(capsys, "survey", "sokoban", "1", "2", "--objective", "pushes")
    assert (code, [row["pushes"] for row in rows]) == (0, [2, 4])
    code, answer = run_json(capsys, "explore", "sokoban", "2", "--objective", "pushes")
    assert (code, answer["objective"], answer["pushes"], answer["cost"]) == (0, "pushes", 4, 14)
    words = ["generate", "sokoban", "--count", "2", "--moves", "2..5", "--objective", "pushes", "--workers", "1"]
    code, answer = run_json(capsys, *words)
    assert code == 0
    assert all(2 <= level["pushes"] <= 5 for level in answer["levels"])


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ("solve sokoban 1 --objective pusches", 2, "unknown objective 'pusches', did you mean 'pushes'?"),
        ("explore sokoban 1 --objective steps", 2, "unknown objective 'steps'; there are moves, pushes, "),
        ("compare sokoban 1 --objective steps", 2, "unknown objective 'steps'"),
        ("solve sokoban 1 --planner rules:bfs --objective pushes", 4, "'rules:bfs' cannot make 'pushes' least: "),
        ("solve hanoi 3 --objective pushes", 4, "'pushes' needs somebody who walks"),
        ("explore hanoi 3 --objective pushes", 4, "needs somebody who walks"),
        ("survey hanoi 3 --objective pushes", 4, "needs somebody who walks"),
        ("generate hanoi --count 1 --workers 1 --objective pushes", 4, "needs somebody who walks"),
        ("solve sudoku 4x4 --count 2 --objective pushes", 2, "does not go together with --objective"),
    ],
)
def test_refusals(words: str, code: int, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer, _, err = run(capsys, *words.split())
    assert answer == code
    assert sentence in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["solve", "plan", "compare", "generate", "survey", "explore"])
def test_help_says_what_objectives_are(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert (code, "--objective NAME" in out) == (0, True)
