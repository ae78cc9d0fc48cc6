"""unpuzzle play: pages, playing over a pipe, and what is refused."""

import io
from pathlib import Path

import pytest

from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from unpuzzle import find
from unpuzzle.base import outcomes as exits
from unpuzzle.cli.drawing import text_picture
from unpuzzle.model.position import Position
from unpuzzle.play import session as playing
from unpuzzle.play.session import Guide, Session


def typed(text: str, monkeypatch: Monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def session(puzzle: str, level: str, most: int = 20_000) -> Session:
    game = find(puzzle)
    start: Position = game.parse(game.levels[level])
    return Session(start, Guide.of(start, max_states=most), text_picture)


# ---- pages


def test_a_page(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "level.html"
    assert run(capsys, "play", "boxup", "3", "-o", str(file)) == (exits.YES, f"{file}\n", "")
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    code, answer = run_json(capsys, "play", "boxup", "1", "2", "-o", str(file))
    assert code == exits.YES
    assert answer["levels"] == [
        {"level": name, "made": True, "states": states, "hints": True, "solvable": True, "message": ""}
        for name, states in (("1", 140), ("2", 204))
    ]


def test_too_large_for_a_table_is_told(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "level.html"
    code, out, complaint = run(capsys, "play", "boxup", "3", "1", "-o", str(file), "--max-states", "200")
    assert (code, out) == (exits.YES, f"{file}\n")
    assert "no hints on the page for level 3: there are more positions than 200" in complaint
    assert "operators" not in complaint
    assert "more positions than 200" not in file.read_text(encoding="utf-8")  # it is packed with its level


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["3", "-o", "x.svg"], exits.BAD_INPUT, "x.svg: the name of a page to play on must end with .html"),
        (["3", "-o", "gone/x.html"], exits.BAD_INPUT, "gone/x.html: there is no folder 'gone'"),
        (["3", "-o", "x.html", "--max-states", "0"], exits.BAD_INPUT, "--max-states must be at least 1, not 0"),
        (["3", "-o", "x.html", "--theme", "drak"], exits.BAD_INPUT, "did you mean 'dark'"),
        (["3", "2"], exits.BAD_INPUT, "several levels can be played only on a page: add -o set.html"),
        (["-"], exits.BAD_INPUT, "the moves come from standard input, so the level must come from a file"),
        (["99"], exits.BAD_INPUT, "'99' is neither a file nor a bundled level of boxup"),
    ],
)
def test_refusals(
    words: list[str], code: int, said: str, tmp_path: Path, capsys: Capsys, monkeypatch: Monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer, out, complaint = run(capsys, "play", "boxup", *words)
    assert (answer, out) == (code, "")
    assert said in complaint
    assert not list(tmp_path.iterdir())


def test_what_has_no_operators_is_played_near_to_its_solution(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "level.html"
    code, _, complaint = run(capsys, "play", "blocksworld", "six", "swap", "-o", str(file), "--max-states", "9")
    assert code == exits.YES
    assert "no hints on the page for level six: there are more positions than 9, and the pictures of" in complaint
    assert "This page has one solution and the positions near to it; see --max-states" in complaint
    assert file.exists()


def test_solve_and_draw_write_pages(tmp_path: Path, capsys: Capsys) -> None:
    for command in (["solve", "boxup", "1"], ["draw", "boxup", "1", "UL"], ["replay", "boxup", "1", "ULDRR"]):
        file = tmp_path / f"{command[0]}.html"
        assert run(capsys, *command, "-o", str(file))[0] == exits.YES
        assert "<!doctype html>" in file.read_text(encoding="utf-8")


# ---- here


def test_over_a_pipe(capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    typed("UL?\nz u?? q ignored", monkeypatch)
    code, out, _ = run(capsys, "play", "boxup", "1")
    assert code == exits.NO
    assert "2 moves, 3 left at best; hint: D" in out
    assert "0 moves, 5 left at best" in out
    assert "'u' is not a move in this position: the moves are D, R" not in out
    typed("ULDRR", monkeypatch)
    code, out, _ = run(capsys, "play", "boxup", "1")
    assert code == exits.YES
    assert out.rstrip().endswith("5 moves, solved")


def test_answers_for_programs(capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    typed("ULDRz", monkeypatch)
    answer = {"schema": "unpuzzle/play/1", "moves": [*"ULD"], "solved": False, "cost": 3}
    assert run_json(capsys, "play", "boxup", "1") == (exits.NO, answer)
    typed("AB AC undo AC", monkeypatch)
    assert run(capsys, "play", "hanoi", "3", "--quiet") == (exits.NO, "AB AC\n", "")


def test_undo_redo_restart() -> None:
    game = session("boxup", "1")
    for word in ("up", "L", "undo", "undo", "undo", "redo", "redo", "redo"):
        assert game.obey(word) == ""
    assert game.history == ("U", "L")
    game.obey("z")
    assert game.obey("R") == ""
    assert game.history == ("U", "R")
    assert game.obey("y") == ""  # what was ahead is gone
    assert game.history == ("U", "R")
    game.obey("restart")
    assert game.history == ()
    assert game.obey("q") is None


def test_hints_lead_to_the_end() -> None:
    for game in (session("boxup", "3"), session("boxup", "1", most=10)):
        best = game.guide.left(game.position)
        while not game.position.solved():
            said = game.obey("hint")
            assert said is not None
            assert said.startswith("hint: ")
            game.obey("?")
        assert best is None or len(game.history) == best == 24
        assert game.obey("?") == "it is solved"


def test_dead_ends_and_what_is_no_move() -> None:
    game = session("boxup", "3")
    for word in "RDD":
        game.obey(word)
    assert "a dead end" in game.picture()
    assert game.obey("?") == "no move helps"
    assert game.obey("X") == "'X' is not a move in this position: the moves are " + ", ".join(game.position.moves())


def test_a_letter_that_is_a_move_is_no_command() -> None:
    game = session("sokoban", "1")
    moves = game.position.moves()
    assert game.obey(moves[0].swapcase()) == ""
    assert game.history == (moves[0],)


def test_arrow_keys() -> None:
    pressed = iter("\x1b[A\x1b[1;5Cz\x1bOD\x1b[5~ \x7f\x04")
    words = playing._keys(lambda: next(pressed, ""))
    assert list(words) == ["up", "right", "z", "left", " ", "\x7f", "\x04"]


def test_a_page_without_named_levels_has_all_of_them(tmp_path: Path, capsys: Capsys) -> None:
    page = tmp_path / "all.html"
    code, answer = run_json(capsys, "play", "storeroom", "-o", str(page), "--no-hints")
    assert (code, [level["level"] for level in answer["levels"]]) == (0, [*find("storeroom").levels])
    assert run(capsys, "play", "storeroom")[0] == exits.BAD_INPUT
