"""unpuzzle play in a real terminal: keys mean there what they mean on a page."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.command_line import run, run_json
from support.script_texts import script
from unpuzzle.cli import answer as exits

if sys.platform == "win32":
    pytest.skip("pseudo terminals are another thing there", allow_module_level=True)

Press = Callable[..., None]


@pytest.fixture
def press(monkeypatch: pytest.MonkeyPatch) -> Iterator[Press]:
    """What makes a terminal of the standard input, in which keys are pressed once they are read one by one."""
    import pty
    import tty

    master, slave = pty.openpty()
    stdin = os.fdopen(slave, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stdin)

    def press(keys: str, lines: bool = False) -> None:
        setcbreak = tty.setcbreak

        def then_press(file: object) -> None:
            setcbreak(file)  # type: ignore[arg-type]  # which forgets what was pressed before
            os.write(master, keys.encode())

        monkeypatch.setattr(tty, "setcbreak", then_press)
        if lines:
            os.write(master, keys.encode())

    yield press
    stdin.close()
    os.close(master)


def game(tmp_path: Path, **parts: str) -> str:
    file = tmp_path / "game.txt"
    file.write_text(script(**{"levels": ".....\n.p*o.\n.....", **parts}))
    return str(file)


@pytest.mark.parametrize(
    ("keys", "moves"),
    [
        ("dq", "r"),
        ("wasdq", "uldr"),
        ("DSq", "rd"),
        ("rlq", ""),
        ("dsuq", "r"),
        ("dszq", "r"),
        ("dszyq", "rd"),
        ("ddrq", ""),
        ("\x1b[C\x1b[Bq", "rd"),
        ("dd\x1b[Hq", ""),
        ("ds\x7f\x04", "r"),
    ],
)
def test_letters_are_keys_where_moves_are_directions(
    keys: str, moves: str, tmp_path: Path, press: Press, capsys: pytest.CaptureFixture[str]
) -> None:
    press(keys)
    _, answer = run_json(capsys, "play", game(tmp_path), "0")
    assert "".join(answer["moves"]) == moves


@pytest.mark.parametrize("key", ["x", "X", "\n"])
def test_x_and_enter_act(key: str, tmp_path: Path, press: Press, capsys: pytest.CaptureFixture[str]) -> None:
    rules = "[ action Player | Crate ] -> [ Player | ]"
    press(f"{key}q")
    code, out, _ = run(capsys, "play", game(tmp_path, rules=rules, wins="no Crate"), "0")
    assert code == exits.YES
    assert "arrows or W A S D move, X or Enter act, Z or U undo, Y redo, R restart, ? hint, Q quit\n" in out


def test_the_keys_are_shown_below_each_picture(press: Press, capsys: pytest.CaptureFixture[str]) -> None:
    press("wq")
    _, out, _ = run(capsys, "play", "boxup", "1")
    assert out.count("arrows or W A S D move, Z or U undo") == 2


def test_words_in_lines_for_moves_with_names(press: Press, capsys: pytest.CaptureFixture[str]) -> None:
    press("AB z u\nundo AC\n\x04", lines=True)
    _, out, _ = run(capsys, "play", "hanoi", "3")
    assert "write moves, or undo, redo, restart, hint or quit" in out
    assert "'z' is not a move here" in out
    assert "1 move, 6 left at best" in out.split("AC")[-1]


def test_without_hints_and_count(press: Press, capsys: pytest.CaptureFixture[str]) -> None:
    press("?wq")
    _, out, _ = run(capsys, "play", "boxup", "1", "--no-hints", "--no-count")
    assert "there are no hints" in out
    assert "left at best" not in out
    assert "? hint" not in out
