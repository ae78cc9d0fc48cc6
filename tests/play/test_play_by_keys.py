"""unpuzzle play in a real terminal: keys mean there what they mean on a page."""

import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.blocks import BLOCKS, SUSSMAN, tower
from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from support.river import river_files
from support.script_texts import script
from unpuzzle.base import outcomes as exits
from unpuzzle.play.session import SHOWN, chosen, listed, words_in

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
    assert "'z' is not a move in this position" in out
    assert "1 move, 6 left at best" in out.split("AC")[-1]


def test_without_hints_and_count(press: Press, capsys: pytest.CaptureFixture[str]) -> None:
    press("?wq")
    _, out, _ = run(capsys, "play", "boxup", "1", "--no-hints", "--no-count")
    assert "there are no hints" in out
    assert "left at best" not in out
    assert "? hint" not in out


# ---- Choosing among the actions of a PDDL domain in a terminal: by number, by words, by beginnings of words


@pytest.fixture
def domain(tmp_path: Path) -> str:
    (tmp_path / "domain.pddl").write_text(BLOCKS)
    (tmp_path / "sussman.pddl").write_text(SUSSMAN)
    (tmp_path / "tower.pddl").write_text(tower(100))
    return str(tmp_path / "domain.pddl")


def played(capsys: Capsys, monkeypatch: Monkeypatch, text: str, *words: str) -> tuple[list[str], str]:
    """The moves that were made, and what was shown."""
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    out = run(capsys, "play", *words)[1]
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    return run_json(capsys, "play", *words)[1]["moves"], out


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("2", ["unstack:c:a"]),
        ("unstack c a", ["unstack:c:a"]),
        ("UNSTACK C A", ["unstack:c:a"]),
        ("unstack:c:a put-down:c", ["unstack:c:a", "put-down:c"]),
        ("(unstack c a) (put-down c)", ["unstack:c:a", "put-down:c"]),
        ("u\npu\n3", ["unstack:c:a", "put-down:c", "pick-up:c"]),
        ("u c\ns c b", ["unstack:c:a", "stack:c:b"]),
        ("u 1", ["unstack:c:a", "put-down:c"]),
        ("u undo", []),
        ("u\nundo\nredo", ["unstack:c:a"]),
        ("9 0 foo\n(broken", []),
        ("hint hint", ["unstack:c:a"]),
    ],
)
def test_moves_are_chosen(text: str, moves: list[str], domain: str, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    assert played(capsys, monkeypatch, text, domain, "sussman")[0] == moves


def test_moves_are_listed_with_numbers(domain: str, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    _, out = played(capsys, monkeypatch, "u\nst\nunstack b a\nhint", domain, "sussman")
    assert "write a move, its number or its beginning, or undo, redo, restart, hint or quit" in out
    assert "0 moves, 6 left at best\npick-up  [1] b\nunstack  [2] c a\n" in out
    assert "1 move, 5 left at best\nput-down  [1] c\nstack     [2] c a  [3] c b\n" in out
    assert "; 'st' may be stack c a, stack c b: write more of it" in out
    assert "; (unstack b a) is not applicable: (on b a) is false" in out
    assert "; hint: put-down c" in out


def test_dead_ends_are_told(tmp_path: Path, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    _, out = played(capsys, monkeypatch, "row left right wolf\nrow", river_files(tmp_path), "p1")
    assert "1 move, a dead end: from here the goal cannot be reached\nno action is applicable here\n" in out
    assert "; no move here is, or begins with, 'row'\n" in out


def test_very_many_moves_are_not_all_listed(domain: str, capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    moves, out = played(capsys, monkeypatch, "60\ndown", domain, "tower")
    assert len(moves) == 1
    moves, out = played(capsys, monkeypatch, "61", domain, "tower")
    assert not moves
    assert "and 40 more: write the words of one, or their beginnings" in out


def test_what_is_exact_is_meant() -> None:
    moves = ["go:b1:x", "go:b10:x", "go:b10:y"]
    assert chosen("go:b1", moves) == ["go:b1:x"]
    assert chosen("go:b10", moves) == moves[1:]
    assert chosen("g:b10:y", moves) == moves[2:]
    assert not chosen("go:b1:x:z", moves)
    assert not chosen("²", moves)
    assert chosen(str(SHOWN), [f"m:{number}" for number in range(SHOWN)]) == [f"m:{SHOWN - 1}"]


def test_a_list_without_moves() -> None:
    assert listed([]) == "no action is applicable here"
    assert listed(["noop", "go:a%3ab"]) == "noop  [1]\ngo    [2] a:b"


def test_names_with_colons_are_written_as_they_are(domain: str) -> None:
    from unpuzzle import find

    game = find(domain)
    start = game.parse(game.levels["sussman"])
    assert words_in("go a:b", start, ("undo",)) == ["go", "a:b"]
    assert words_in("(go a:b)", start, ("undo",)) == ["go:a%3ab"]
    assert words_in("undo undo", start, ("undo",)) == ["undo", "undo"]


def test_bundled_games_with_such_moves(capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    moves, out = played(capsys, monkeypatch, "unstack c a\npu\n9", "blocksworld", "sussman")
    assert moves == ["unstack:c:a", "put-down:c"]
    assert "no move here is, or begins with, '9'" in out
    assert run(capsys, "play", "blocksworld", "sussman")[0] == exits.NO
