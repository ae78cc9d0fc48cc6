"""unpuzzle trace, and unpuzzle lint for games in PuzzleScript."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.script_texts import script
from unpuzzle.cli import main


@pytest.fixture
def game(tmp_path: Path) -> str:
    file = tmp_path / "game.txt"
    file.write_text(script(levels="message One\n\np*.o\n\np.*o"))
    return str(file)


def test_boards_after_each_input(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", game, "1", "lrr", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    start = "background player,background crate,background,background target"
    after = "background,background player,background crate,background target"
    assert found == {
        "schema": "unpuzzle/trace/1",
        "start": start,
        "boards": [start, after],
        "won": 3,
        "capped": False,
        "loops": [],
    }
    assert main(["trace", game, "One", "lrr"]) == 0
    shown = capsys.readouterr().out
    assert f"2: r  {after}" in shown
    assert "input 3 wins" in shown


def test_levels_from_files(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level = tmp_path / "level.txt"
    level.write_text("p.o*\n")
    assert main(["trace", game, str(level), "r", "--json", "--seed", "x"]) == 0
    assert json.loads(capsys.readouterr().out)["boards"] == [
        "background,background player,background target,background crate"
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["1", "uq"], 2, "input:2: 'q' is no input"),
        (["7", "u"], 2, "'7' is neither a file nor a level of"),
        (["1", "u", "--engine", "quick"], 2, "unknown engine 'quick'"),
    ],
)
def test_wrong_usage(
    game: str, arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", game, *arguments]) == code
    assert message in capsys.readouterr().err


def test_other_puzzles_have_no_trace(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "boxup", "1", "u"]) == 2
    assert "boxup cannot be traced" in capsys.readouterr().err


def test_lint_shows_line_and_caret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text(script(rules="[ Playr ] -> [ Player ]"))
    assert main(["lint", str(file)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{file}:39:3: error: playr is not defined, did you mean 'player'? [script-unknown-name]",
        "    [ Playr ] -> [ Player ]",
        "      ^",
        "1 error, 0 warnings",
    ]
    assert main(["lint", str(file), "--json"]) == 1
    (fault,) = json.loads(capsys.readouterr().out)["faults"]
    assert (fault["line"], fault["column"], fault["severity"]) == (39, 3, "error")
    assert main(["lint", str(file), "problem.pddl"]) == 2


def test_a_game_with_chance_is_unsupported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text(script(rules="random [ Crate ] -> [ Wall ]"))
    assert main(["solve", str(file), "0"]) == 4
    assert "left to chance" in capsys.readouterr().err
