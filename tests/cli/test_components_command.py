"""unpuzzle test-components: verdicts, texts, JSON and refusals."""

import shutil
from pathlib import Path

import pytest

from support.command_line import run, run_json
from support.components import COUNT, COUNT_GAME, CROSSWORD_WITH_BLOCKS, SLIDING_TILES, planted
from support.fixtures import Capsys, Monkeypatch
from support.walls import ask_for_walls, insist_on_walls
from unpuzzle.processes import walls as walls_module
from unpuzzle.untrusted import sandbox


@pytest.fixture(autouse=True)
def walls(monkeypatch: Monkeypatch) -> None:
    ask_for_walls(monkeypatch)


@pytest.fixture
def game(tmp_path: Path) -> str:
    (tmp_path / "count.py").write_text(COUNT_GAME)
    return str(tmp_path / "count.py")


def written(folder: Path, code: str) -> str:
    (folder / "theirs.py").write_text(code)
    return str(folder / "theirs.py")


def test_right_components(capsys: Capsys, tmp_path: Path, game: str) -> None:
    code, out, err = run(capsys, "check", written(tmp_path, COUNT), "--game", game)
    assert (code, err) == (0, "")
    assert out.startswith("sound, complete\n")
    assert "tests passed, on 10 states" in out
    assert "games solved" in out
    code, fields = run_json(capsys, "check", written(tmp_path, COUNT), "--game", game)
    assert code == 0
    assert (fields["sound"], fields["complete"], fields["findings"]) == (True, True, [])
    assert fields["score"]["solved"] == fields["score"]["games"] >= 1


def test_the_walls_that_stand_are_told(capsys: Capsys, tmp_path: Path, game: str) -> None:
    words = "check", written(tmp_path, COUNT), "--game", game
    _, fields = run_json(capsys, *words)
    standing = fields["score"]["sandbox"]
    assert set(standing) == {"limits", "no_network", "no_processes", "files_closed", "namespaces"}
    told = {"limits": "limits of processor time", "no_network": "no network", "no_processes": "no processes"}
    told |= {"files_closed": "no files", "namespaces": "its own namespaces"}
    _, out, _ = run(capsys, *words)
    line = f"the sandbox: {', '.join(words for name, words in told.items() if standing[name])}\n"
    assert line in out


@pytest.mark.parametrize("as_json", [False, True])
def test_without_the_basic_walls_it_refuses_unless_that_is_asked_for(
    as_json: bool, capsys: Capsys, tmp_path: Path, game: str, monkeypatch: Monkeypatch
) -> None:
    """On a system that closes no files."""
    shutil.copy(walls_module.__file__, tmp_path)
    with (tmp_path / "walls.py").open("a") as file:
        file.write("\ncomplete = close\ndef close(*given): return {**complete(*given), 'files_closed': False}\n")
    monkeypatch.setattr(sandbox, "WALLS_FILE", str(tmp_path / "walls.py"))
    insist_on_walls(monkeypatch)
    words = "check", written(tmp_path, COUNT), "--game", game
    if as_json:
        code, fields = run_json(capsys, *words)
        assert (code, fields["status"]) == (4, "unsupported")
        code, fields = run_json(capsys, *words, "--unsafe")
        assert (code, fields["sound"], fields["score"]["sandbox"]["files_closed"]) == (0, True, False)
    else:
        code, out, err = run(capsys, *words)
        assert (code, out) == (4, "")
        assert "this system does not keep the code from your files; --unsafe" in err
        code, out, err = run(capsys, *words, "--unsafe")
        assert (code, err) == (0, "")
        assert "\nnote: this system does not keep the code from your files\n" in out


def test_a_finding_shows_state_answer_and_what_was_expected(capsys: Capsys, tmp_path: Path, game: str) -> None:
    wrong = written(tmp_path, planted(COUNT, "0 <= n <= 9", "0 <= n <= 8"))
    code, fields = run_json(capsys, "check", wrong, "--game", game)
    assert code == 1
    assert (fields["sound"], fields["complete"]) == (True, False)
    found = fields["findings"][0]
    assert set(found) == {"kind", "moves", "state", "got", "expected", "message"}
    assert (found["kind"], found["state"], found["got"], found["expected"]) == (
        "missing successor", "8\n", ["7\n"], "9\n",
    )  # fmt: skip
    assert "legal move +" in found["message"]
    code, out, _ = run(capsys, "check", wrong, "--game", game, "--quiet")
    assert code == 1
    assert out.startswith("sound, not complete\n\nmissing successor: successors() does not return the state after")
    assert "tests passed" not in out


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = 1\n", "no function is called successors(state); successor_states() or successor_state() is allowed, too"),
        ("def successors(state): return []\n", "no function is called is_goal(state); isgoal() is allowed, too"),
        (planted(COUNT, "successors(state)", "successors()"), "one argument, the state; the function takes none"),
        (
            planted(COUNT, "is_goal(state)", "is_goal(state, wish)"),
            "needs the argument 'wish', but besides the state count has none",
        ),
        (COUNT + "def cost(state): return 1\n", "two arguments, a state and its successor; the function takes 1"),
        ("successors = is_goal = 3\n", "successors is not a function"),
        ("{ this is no Python\n", "SyntaxError"),
        ("import antigravity_engine\n" + COUNT, "No module named 'antigravity_engine'"),
    ],
)
def test_what_cannot_be_tested_is_refused_in_a_sentence(
    capsys: Capsys, tmp_path: Path, game: str, code: str, said: str
) -> None:
    file = written(tmp_path, code)
    exit_code, out, err = run(capsys, "check", file, "--game", game)
    assert (exit_code, out) == (2, "")
    assert said in err
    assert err.startswith(f"unpuzzle: {file}:")


def test_levels_may_be_named_or_given_as_files(capsys: Capsys, tmp_path: Path) -> None:
    """Crosswords with blocks, which are not among the open grids of the usual suite."""
    own = tmp_path / "own.json"
    own.write_text(
        '{"horizontal_answers": [["AB", "CB"], ["DEF"]], "vertical_answers": [["AD"], ["BE", "BA"]],'
        ' "grid": ["..#", "..."]}'
    )
    words = "--game", "crossword", "--levels", "4x4", "given", str(own)
    code, fields = run_json(capsys, "check", written(tmp_path, CROSSWORD_WITH_BLOCKS), *words)
    assert (code, fields["sound"], fields["complete"]) == (0, True, True), fields["findings"]
    assert fields["score"]["levels"] == 3
    wrong = written(tmp_path, planted(CROSSWORD_WITH_BLOCKS, "state[y][x] in (None, c)", "state[y][x] != '#'"))
    code, fields = run_json(capsys, "check", wrong, *words)
    assert (code, fields["sound"], fields["complete"]) == (1, False, True)
    code, _, err = run(capsys, "check", wrong, *words[:3], "4by4")
    assert (code, "'4by4' is neither a file nor a bundled level of crossword" in err) == (2, True)


def test_a_goal_that_must_be_known_is_asked_for(capsys: Capsys, tmp_path: Path) -> None:
    file = written(tmp_path, planted(SLIDING_TILES, "is_goal(state, goal)", "is_goal(state, gaol)"))
    code, _, err = run(capsys, "check", file, "--game", "sliding-tiles")
    assert code == 2
    assert "is_goal() needs the argument 'gaol', but besides the state there are goal, did you mean 'goal'?" in err
    file = written(tmp_path, COUNT)
    code, _, err = run(capsys, "check", file, "--game", "blocksworld")
    assert code == 2
    assert "cannot know the goals of blocksworld by the state alone; it is is_goal(state, goal)" in err


def test_files_and_games_that_are_none(capsys: Capsys, tmp_path: Path, game: str) -> None:
    assert run(capsys, "check", str(tmp_path / "none.py"), "--game", game)[0] == 2
    assert run(capsys, "check", str(tmp_path), "--game", game)[0] == 2
    assert run(capsys, "check", written(tmp_path, COUNT), "--game", "no-such-game")[0] == 2
    assert run(capsys, "check", written(tmp_path, COUNT))[0] == 2
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe")
    code, _, err = run(capsys, "check", str(tmp_path / "binary.py"), "--game", game)
    assert (code, "is not UTF-8" in err) == (2, True)


@pytest.mark.parametrize(("fault", "code"), [("n == 4 and bytes(1 << 50)", 3), ("n == 4 and [][0]", 1)])
def test_calls_without_an_answer_are_no_proof(fault: str, code: int, capsys: Capsys, tmp_path: Path, game: str) -> None:
    body = f"def is_goal(state):\n    n = int(state)\n    {fault}\n    return"
    theirs = planted(COUNT, "def is_goal(state): return", body)
    got, _, _ = run(capsys, "check", written(tmp_path, theirs), "--game", game)
    assert got == code


def test_a_counterexample_is_one_whatever_else_gave_no_answer(capsys: Capsys, tmp_path: Path, game: str) -> None:
    theirs = planted(COUNT, "return state ==", "return bytes(1 << 50) if state[0] == '4' else state <=")
    got, out, _ = run(capsys, "check", written(tmp_path, theirs), "--game", game)
    assert got == 1
    assert "memory limit" in out
