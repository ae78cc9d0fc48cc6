"""unpuzzle new: what it writes runs at once, is tested, and never stands over what is there."""

import json
import subprocess
import sys

import pytest

from unpuzzle import find, generate
from unpuzzle.base.text import shorten
from unpuzzle.cli import main
from unpuzzle.verification import check


@pytest.fixture(scope="module", params=["plain", "--grid", "--constraints"])
def written(request, tmp_path_factory):
    """A folder with a new puzzle in it."""
    folder = tmp_path_factory.mktemp(request.param)
    words = [request.param] if request.param.startswith("--") else []
    assert main(["new", "lights-out-2", "--output", str(folder), "--quiet", *words]) == 0
    return folder


def test_it_runs_at_once(written, capsys):
    path = str(written / "lights_out_2.py")
    for words in (["solve", path, "1"], ["check", path, "1"], ["explore", path, "2"], ["compare", path, "1"]):
        assert main([*words, "--json"]) == 0
    capsys.readouterr()
    assert main(["generate", path, "--count", "2", "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["puzzle"] == "lights-out-2"
    game = find(path)
    assert (game.__name__, game.title.partition(":")[0]) == ("LightsOut2", "Lights out 2")
    assert check(game.parse(game.levels["2"])).exhaustive
    assert len(generate(game, {}, count=2, workers=2).levels) == 2


def test_a_puzzle_of_constraints_has_one_solution_by_every_way(tmp_path, capsys):
    """It is short, and any planner of constraints or of PDDL solves it alike."""
    assert main(["new", "latin", "--constraints", "--output", str(tmp_path), "--quiet"]) == 0
    path = tmp_path / "latin.py"
    assert sum(bool(row.strip()) for row in path.read_text().splitlines()) <= 60
    capsys.readouterr()
    for planner in ("backtracking", "native", "rules:bfs"):
        assert main(["solve", str(path), "2", "--planner", planner, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["cost"], sorted(found["moves"])[:2]) == (9, ["r1c2=2", "r1c3=3"])
    assert main(["solve", str(path), "2", "--count", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unique"] is True
    (tmp_path / "wrong.txt").write_text("1...\n..1.\n...1\n.1.1\n")
    assert main(["solve", str(path), str(tmp_path / "wrong.txt")]) == 2
    assert "wrong.txt:4:4: 1 is in its row or column already" in capsys.readouterr().err


def test_one_kind_of_puzzle_at_a_time(tmp_path, capsys):
    assert main(["new", "latin", "--grid", "--constraints", "--output", str(tmp_path)]) == 2
    assert "not allowed with argument --grid" in capsys.readouterr().err


def test_its_own_test_passes(written):
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=written,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert "passed" in run.stdout
    assert "failed" not in run.stdout


def test_nothing_of_the_template_is_left(written):
    for file in written.glob("*lights_out_2*"):
        text = file.read_text()
        assert "my" not in text.lower().replace("-", " ").replace("_", " ").split()
        assert all(len(line) <= 120 for line in text.splitlines())


def test_it_is_in_good_style(written):
    pytest.importorskip("ruff")
    for words in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *words, "--isolated", "--line-length", "120", str(written)]
        # Elsewhere than in a clone, whose folders ruff would look at to tell whose an import is.
        folder = written if written.is_dir() else written.parent
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout


def test_nothing_is_overwritten(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hex.pddl").write_text("mine")
    assert main(["new", "hex", "--json"]) == 2
    fields = json.loads(capsys.readouterr().out)
    assert (fields["status"], fields["message"]) == (
        "bad_input",
        "nothing was written: overwriting hex.pddl needs --force",
    )
    assert [path.name for path in tmp_path.iterdir()] == ["hex.pddl"]
    assert (tmp_path / "hex.pddl").read_text() == "mine"
    assert main(["new", "hex", "--force"]) == 0
    assert (tmp_path / "hex.pddl").read_text() != "mine"


def test_it_tells_what_it_wrote(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "hex", "--output", "my puzzles", "--json"]) == 0
    files = ["my puzzles/hex.py", "my puzzles/hex.pddl", "my puzzles/test_hex.py"]
    assert json.loads(capsys.readouterr().out) == {"schema": "unpuzzle/new/1", "status": "written", "files": files}
    assert main(["new", "tic-tac"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "tic_tac.py",
        "tic_tac.pddl",
        "test_tic_tac.py",
        "",
        "It runs; make it yours:",
        "  unpuzzle solve ./tic_tac.py 1",
        "  unpuzzle check ./tic_tac.py 1",
        "  pytest test_tic_tac.py",
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *[
            (name, f"{name!r} is not a name for a puzzle: use small letters, digits and hyphens")
            for name in ("Lights", "lights_out", "a b", "2048", "-x", "x-", "x--y", "", "é", "x.py", "../x", "x\n")
        ],
        ("lights_out", "such as 'lights-out'"),
        ("Rush_Hour", "such as 'rush-hour'"),
        ("Long" * 15, f"such as {shorten('long' * 15, 40)}"),
        ("x" * 500 + "!", "is not a name for a puzzle"),
        ("class", "'class' is a word of the language Python: a file class.py would hide it; choose another name"),
        ("random", "'random' is a module that Python programs import: a file random.py would hide it"),
        ("pytest", "'pytest' is a module that Python programs import"),
    ],
)
def test_what_is_no_name_is_refused(name, said, tmp_path, capsys):
    words = ["new", "--output", str(tmp_path / "out"), "--json", "--", name]
    assert main(words) == 2
    message = json.loads(capsys.readouterr().out)["message"]
    assert said in message
    assert len(message) < 200
    assert not (tmp_path / "out").exists()
