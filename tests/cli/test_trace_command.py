"""unpuzzle trace, and unpuzzle lint for games in PuzzleScript."""

import json
import os
import threading
from pathlib import Path

import pytest

from support.fixtures import Capsys
from support.script_texts import script
from unpuzzle.cli import main


@pytest.fixture
def game(tmp_path: Path) -> str:
    file = tmp_path / "game.txt"
    file.write_text(script(levels="message One\n\np*.o\n\np.*o"))
    return str(file)


def test_boards_after_each_input(game: str, capsys: Capsys) -> None:
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
    assert "1: l  nothing changes\n2: r\n.p*o\n" in shown
    assert "input 3 wins" in shown


def test_levels_from_files(game: str, tmp_path: Path, capsys: Capsys) -> None:
    level = tmp_path / "level.txt"
    level.write_text("p.o*\n")
    assert main(["trace", game, str(level), "r", "--json", "--seed", "x"]) == 0
    assert json.loads(capsys.readouterr().out)["boards"] == [
        "background,background player,background target,background crate"
    ]


RIVER = "(define (domain d) (:predicates (p)) (:action go :parameters () :precondition (and) :effect (p)))"


@pytest.fixture
def pddl(tmp_path: Path) -> list[str]:
    """A domain and a problem that `(go)` solves."""
    texts = RIVER, "(define (problem p) (:domain d) (:init) (:goal (p)))"
    files = [tmp_path / name for name in ("domain.pddl", "problem.pddl")]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    return list(map(str, files))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("command", ["trace", "replay"])
def test_a_plan_comes_from_a_pipe(command: str, pddl: list[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=("(go)\n",), daemon=True)
    writer.start()
    assert main([command, *pddl, str(tmp_path / "pipe"), "--quiet"]) == 0


@pytest.mark.parametrize("name", ["nothing.plan", "./nothing", "/nothing/plan"])
def test_a_missing_file_is_no_invalid_plan(name: str, pddl: list[str], capsys: Capsys) -> None:
    assert main(["trace", *pddl, name]) == 2
    assert "No such file" in capsys.readouterr().err


def test_rules_that_fire(game: str, tmp_path: Path, capsys: Capsys) -> None:
    picture = tmp_path / "rules.svg"
    assert main(["trace", game, "1", "rr", "--fired", "--picture", str(picture)]) == 0
    shown = capsys.readouterr().out
    assert "  line 39 right   [ > Player | Crate ] -> [ > Player | > Crate ]" in shown
    assert "    at r1c1 r1c2\n      r1c2  right crate" in shown
    assert "  the level is won\ninput 2 wins" in shown
    assert "line 39 right" in picture.read_text()
    assert main(["trace", game, "1", "r", "--fired", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    (turn,) = answer["turns"]
    assert [step["step"] for step in turn["steps"]] == ["input", "rule", "movement"]
    assert turn["steps"][1]["cells"] == [["r1c1", "r1c2"]]
    assert answer["rules"] == {"39": "[ > Player | Crate ] -> [ > Player | > Crate ]"}


def test_rules_beside_the_board_need_a_page(game: str, tmp_path: Path, capsys: Capsys) -> None:
    assert main(["play", game, "1", "--debug"]) == 2
    assert "rules can be shown only on a page" in capsys.readouterr().err
    page = tmp_path / "page.html"
    assert main(["play", "boxup", "1", "--debug", "-o", str(page)]) == 2
    assert not page.exists()
    assert main(["play", game, "1", "--debug", "-o", str(page)]) == 0
    assert "Which rule did it" not in page.read_text()  # scripts on pages have no comments
    assert "turnsOf" in page.read_text()
