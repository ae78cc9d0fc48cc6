"""`-` is standard input wherever a help text says so."""

import io
import re
from pathlib import Path

import pytest

from support.blocks import BLOCKS, SUSSMAN, tower
from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from support.river import CROSSING, RIVER
from unpuzzle import find
from unpuzzle.cli.commands import COMMANDS

FIRST = "(row left right goat)"
WAY = " ".join(
    f"(row {there} {thing})"
    for there, thing in zip(
        ["left right", "right left"] * 4, "goat farmer wolf goat cabbage farmer goat".split(), strict=False
    )
)
COMPONENTS = "def successors(state, *_):\n    return []\n\n\ndef is_goal(state, *_):\n    return False\n"
"""Wrong ones: what matters is that they are tried."""
PROMISED = {
    "solve": ("domain.pddl", "-"),
    "pddl": ("domain.pddl", "-", "--output", "out"),
    "check": ("domain.pddl", "-", "--domain", "domain.pddl"),
    "compare": ("domain.pddl", "-", "--planners", "native"),
    "explore": ("domain.pddl", "-"),
    "draw": ("domain.pddl", "-"),
    "explain": ("domain.pddl", "-"),
    "replay": ("domain.pddl", "-", WAY),
    "trace": ("domain.pddl", "-", WAY),
    "booklet": ("domain.pddl", "-", "-o", "x.pdf"),
    "survey": ("domain.pddl", "-"),
    "lint": ("domain.pddl", "-"),
    "play": ("domain.pddl", "-", "-o", "x.html"),
}
"""By command the arguments with which it reads a problem from standard input."""
OTHERS = {"validate", "grade"}
"""Commands that read something else there; each has a test below."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "domain.pddl").write_text(RIVER)
    (tmp_path / "crossing.pddl").write_text(CROSSING)
    return tmp_path


def give(text: str, monkeypatch: Monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_all_commands_that_promise_it_are_tried(capsys: Capsys) -> None:
    promise = set()
    for command in COMMANDS:
        if re.search(r"- for\s+(problems|standard)", run(capsys, command, "--help")[1]):
            promise.add(command)
    assert promise <= PROMISED.keys() | OTHERS
    assert "solve" in promise


@pytest.mark.parametrize("command", PROMISED)
def test_a_problem_is_read_there(command: str, folder: Path, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    give(CROSSING, monkeypatch)
    code, out, err = run(capsys, command, *PROMISED[command])
    assert (code, err) == (0, "")
    assert out


@pytest.mark.parametrize("command", PROMISED)
def test_a_broken_one_has_its_place_there(command: str, folder: Path, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    give(CROSSING.replace("(:goal (and (at wolf right)", "(:goal (and (at woolf right)"), monkeypatch)
    code, out, err = run(capsys, command, *PROMISED[command])
    assert code in (1, 2)
    assert re.search(r"(<stdin>|-):6:19", out + err)


@pytest.mark.parametrize("command", ["validate", "replay", "trace"])
def test_a_plan_is_read_there(command: str, folder: Path, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    give(WAY.replace(") (", ")\n("), monkeypatch)
    assert run(capsys, command, "domain.pddl", "crossing.pddl", "-")[0] == 0
    give(FIRST, monkeypatch)
    assert run(capsys, command, "domain.pddl", "crossing.pddl", "-")[0] == 1


def test_a_level_for_components(folder: Path, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    (folder / "mine.py").write_text(COMPONENTS)
    game = find("lights-out")
    give(next(iter(game.levels.values())), monkeypatch)
    code, out, _ = run(capsys, "check", "mine.py", "--game", "lights-out", "--levels", "-", "--unsafe")
    assert (code, "successors" in out) == (1, True)


# ---- several problems in one text


@pytest.fixture
def students(folder: Path) -> None:
    (folder / "right.pddl").write_text(BLOCKS)
    (folder / "wrong.pddl").write_text(
        BLOCKS.replace("(not (clear ?x)) (not (handempty)) (holding ?x)", "(holding ?x)")
    )


def test_problems_to_grade_with(students: None, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    words = "grade", "right.pddl", "wrong.pddl", "right.pddl", "--problems", "-"
    give(f"; two of them\n{tower(2)}\n{SUSSMAN}", monkeypatch)
    code, rows = run_json(capsys, *words)
    assert code == 1
    assert [row["verdict"] for row in rows] == ["different", "same"]
    assert rows[0]["difference"].startswith("sussman: after (pick-up b)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "<stdin>: there is no problem in standard input"),
        ("; nothing\n", "<stdin>: there is no problem in standard input"),
        (SUSSMAN + SUSSMAN, "<stdin>:6:1: there is already a problem 'sussman'"),
        (SUSSMAN + BLOCKS, "<stdin>:6:1: expected '(define (problem NAME) ...)'"),
        (SUSSMAN + "\n )", "<stdin>:7:2: this ')' closes no open bracket"),
        (SUSSMAN + tower(2)[:-3], "<stdin>:10:3: this bracket is never closed"),
        (SUSSMAN + tower(2).replace("ontable b1", "ontable x"), "<stdin>:9:"),
    ],
)
def test_what_is_wrong_there_has_its_place(
    text: str, message: str, students: None, capsys: Capsys, monkeypatch: Monkeypatch
) -> None:
    give(text, monkeypatch)
    code, out, err = run(capsys, "grade", "right.pddl", "right.pddl", "--problems", "-")
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("name", ["2", "lights-out-2", "9"])
def test_problems_for_levels_of_a_game(name: str, folder: Path, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    game = find("lights-out")
    level = list(game.levels)[1]
    assert run(capsys, "pddl", "lights-out", level, "--output", "ours")[0] == 0
    text = Path("ours/problem.pddl").read_text()
    named = re.sub(r"\(problem [^)]+\)", f"(problem {name.replace('2', level)})", text)
    give(named, monkeypatch)
    words = "check", "ours/domain.pddl", "--game", "lights-out", "--samples", "0", "--max-states", "500"
    code, _, err = run(capsys, *words, "--problems", "-")
    if name == "9":
        assert code == 2
        assert "<stdin>: '9' is not a bundled level of lights-out" in err
    else:
        assert code in (0, 3), err
