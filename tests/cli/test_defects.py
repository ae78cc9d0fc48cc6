"""A fault of unpuzzle itself: exit 4, one sentence, a report in a private file that names nobody."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from unpuzzle import find
from unpuzzle.cli import answer as exits
from unpuzzle.cli import main

SECRET = "/home/alice/private/plan-of-bob.txt"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: Monkeypatch) -> Path:
    """The system's temporary folder, for the test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def broken(error: BaseException, monkeypatch: Monkeypatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("unpuzzle.spaces.surveying.explore", fail)


@pytest.mark.parametrize(
    "error",
    [
        KeyError("unmarked"),
        AssertionError(),
        RecursionError("too deep"),
        TypeError("x"),
        SystemExit(0),
        ValueError("v"),
    ],
    ids=repr,
)
def test_it_exits_4_with_a_sentence(
    error: BaseException, temporary: Path, monkeypatch: Monkeypatch, capsys: Capsys
) -> None:
    broken(error, monkeypatch)
    code, out, err = run(capsys, "explore", "boxup", "1")
    assert (code, out) == (exits.BROKEN, "")
    (file,) = temporary.iterdir()
    assert err.startswith(f"unpuzzle: this is a fault of unpuzzle: {type(error).__name__}")
    assert str(file) in err
    assert "please report it" in err
    assert "Traceback" not in err
    assert err.count("\n") == 1
    report = file.read_text()
    assert f"builtins.{type(error).__name__}" in report
    assert "unpuzzle.cli" in report


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_the_report_is_private(temporary: Path, monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    broken(KeyError("x"), monkeypatch)
    run(capsys, "explore", "boxup", "1")
    (file,) = temporary.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_in_json_it_has_a_status_of_its_own(temporary: Path, monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    broken(KeyError("unmarked"), monkeypatch)
    code, answer = run_json(capsys, "explore", "boxup", "1")
    (file,) = temporary.iterdir()
    assert (code, answer["status"], answer["report"]) == (4, "fault", str(file))
    assert answer["message"] == "this is a fault of unpuzzle: KeyError: 'unmarked'"
    assert {"file", "line", "column"} <= set(answer)


def test_the_report_names_nobody(temporary: Path, tmp_path: Path, monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    level = tmp_path / "alices-level.txt"
    level.write_text(".  .  .\nn! @ W!\n.  .  .\n")
    cause = OSError(f"no way to {SECRET}")
    error = RuntimeError(f"while {SECRET} was read")
    error.__cause__ = cause
    broken(error, monkeypatch)
    monkeypatch.setenv("HOME", "/home/alice")
    assert run(capsys, "explore", "boxup", str(level), "--time-limit=9999", f"--graph={level}.dot")[0] == 4
    (file,) = temporary.iterdir()
    report = file.read_text()
    assert "unpuzzle explore --time-limit --graph\n" in report
    assert "RuntimeError: while (a path) was read\n" in report
    assert "OSError: no way to (a path)\n" in report
    for private in ("alice", "bob", str(tmp_path), "9999", str(Path(__file__).parents[2]), "test_defects"):
        assert private not in report, private


def test_where_it_cannot_be_written_the_traceback_goes_to_stderr(monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    broken(KeyError("unmarked"), monkeypatch)
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    code, out, err = run(capsys, "explore", "boxup", "1")
    assert (code, out) == (4, "")
    assert "builtins.KeyError: 'unmarked'\n" in err
    assert err.splitlines()[-1].startswith("unpuzzle: this is a fault of unpuzzle: KeyError: 'unmarked'; please report")
    code = main(["explore", "boxup", "1", "--json"])
    out, err = capsys.readouterr()
    assert (code, json.loads(out)["report"]) == (4, None)
    assert "builtins.KeyError" in err


def test_an_answer_that_cannot_be_written_is_a_fault(temporary: Path, monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    from unpuzzle.cli.answer import Answer

    monkeypatch.setattr("unpuzzle.cli.commands.list.execute", lambda options: Answer(0, {"n": {1, 2}}, "text"))
    assert run_json(capsys, "list")[1]["status"] == "fault"
    assert run(capsys, "list")[0] == 0


def test_a_deep_traceback_is_cut(temporary: Path, monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    def deep(*_: object, **__: object) -> None:
        deep()

    monkeypatch.setattr("unpuzzle.spaces.surveying.explore", deep)
    assert run(capsys, "explore", "boxup", "1")[0] == 4
    (file,) = temporary.iterdir()
    assert " more\n" in file.read_text()
    assert len(file.read_text()) < 20_000


def test_a_fault_of_a_users_puzzle_is_none_of_ours(temporary: Path, tmp_path: Path, capsys: Capsys) -> None:
    assert run(capsys, "new", "hop", "--output", str(tmp_path))[0] == 0
    file = tmp_path / "hop.py"
    file.write_text(
        file.read_text().replace("    def solved(self)", "    def moves(self): return {}['x']\n\n    def solved(self)")
    )
    assert run(capsys, "explore", str(file), "1")[0] == 2
    assert not list(temporary.iterdir())


def test_pddl_made_from_rules_is_not_looked_at_for_a_fault(monkeypatch: Monkeypatch) -> None:
    """It is not the author's, and making it may take minutes."""
    from unpuzzle.puzzle.faults import fault_of
    from unpuzzle.puzzlescript.game import ScriptPosition

    monkeypatch.setattr(ScriptPosition, "task", lambda position: pytest.fail("it was made"))
    assert fault_of(TypeError("ours"), find("storeroom")) is None


@pytest.mark.parametrize(
    ("error", "code", "said"), [("MemoryError", 3, "unpuzzle: the memory ran out"), ("KeyError", 4, "KeyError")]
)
def test_what_escapes_the_command_line_is_never_the_proof_that_there_is_no_plan(
    error: str, code: int, said: str
) -> None:
    """With too little memory even to load what writes a refusal, say."""
    program = f"import unpuzzle.cli as cli\ndef main(**_): raise {error}\ncli.main = main\ncli.run()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (code, said)
