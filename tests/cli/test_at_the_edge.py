"""The command line as a process: pipes that close, signals, full disks, two runs at once. Never a traceback."""

import json
import os
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from support.waiting import PATIENCE, is_gone, wait_until, wait_until_busy
from unpuzzle import find
from unpuzzle.base import outcomes as exits
from unpuzzle.cli import main
from unpuzzle.planning import registry

UNPUZZLE = [sys.executable, "-m", "unpuzzle"]
LONG = [*UNPUZZLE, "solve", "sliding-tiles", "15-notebook", "--planner"]


def start(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["interrupt", "terminate"]
)
@pytest.mark.parametrize("planner", ["native:bfs", "reference", "rules:bfs", "fast-downward:astar(blind())"])
def test_signals_end_the_work(planner: str, number: int, code: int, seconds_to_start: float) -> None:
    if registry.missing(planner) is not None:
        pytest.skip(f"{registry.missing(planner)}")
    process = start([*LONG, planner])
    wait_until_busy(process, 0.2 + 4 * seconds_to_start)
    family = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (code, "")
    assert err.strip().splitlines()[-1] == "unpuzzle: interrupted"
    assert "Traceback" not in err
    wait_until(lambda: all(map(is_gone, family)), "what it has started is gone")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of POSIX")
@pytest.mark.parametrize("ignored", [False, True], ids=["a terminal that closes", "nohup"])
def test_a_hangup_ends_the_work_unless_it_is_ignored(ignored: bool, tmp_path: Path) -> None:
    said, go = tmp_path / "said", tmp_path / "go"
    planner = tmp_path / "planner.py"
    planner.write_text(
        f"import os, time\nopen({str(said)!r}, 'w').write(f'{{os.getpid()}}\\n')\n"
        f"while not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
    )
    template = f"command:{sys.executable} {planner} {{domain}} {{problem}}"
    command = [*UNPUZZLE, "solve", "boxup", "1", "--planner", template]
    process = start(["nohup", *command] if ignored else command)
    wait_until(lambda: said.exists() and said.read_text().endswith("\n"), "the planner has begun")
    process.send_signal(signal.SIGHUP)
    if ignored:
        go.touch()
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == (3 if ignored else 143), err
    wait_until(lambda: is_gone(int(said.read_text())), "the planner is gone")  # its guardian ends it


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_that_goes_away() -> None:
    process = start([*UNPUZZLE, "pddl", "pacman", "loops"])
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    assert process.wait() == 0
    assert err == "unpuzzle: the output was closed before all of it was written\n"


def test_eight_runs_at_once_into_one_folder(tmp_path: Path) -> None:
    def one(number: int) -> int:
        command = [*UNPUZZLE, "solve", "boxup", "3", "--plan-file", "plan.txt", "--quiet"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(8))) == [0] * 8
    assert [path.name for path in tmp_path.iterdir()] == ["plan.txt"]
    assert (tmp_path / "plan.txt").read_text().endswith("; cost = 24 (unit cost)\n")


def test_the_installed_script_is_the_module() -> None:
    script = Path(sys.executable).with_name("unpuzzle")
    by_script = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    by_module = subprocess.run([*UNPUZZLE, "--version"], capture_output=True, text=True, check=True)
    assert by_script.stdout == by_module.stdout


# ---- streams that are closed, or full

CLOSED = {"<&-": 0, ">&-": 1, "2>&-": 2}
COMMANDS = {
    "an answer": ("solve boxup 1", 0),
    "JSON": ("solve boxup 1 --json", 0),
    "help": ("solve --help", 0),
    "the overview": ("--help", 0),
    "a level from standard input": ("solve boxup -", 2),
    "a refusal": ("solve nosuch 1", 2),
    "a game": ("play boxup 1", 1),
    "a planner of its own": ("solve boxup 1 --planner fast-downward", 0),
}


def through_a_shell(words: str, redirections: str) -> subprocess.CompletedProcess[str]:
    command = f'"$0" -m unpuzzle {words} {redirections}'
    return subprocess.run(
        ["/bin/sh", "-c", command, sys.executable], capture_output=True, text=True, check=False, input=""
    )


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
@pytest.mark.parametrize("closed", [*CLOSED, "<&- >&- 2>&-"])
@pytest.mark.parametrize("what", COMMANDS)
def test_a_stream_that_is_closed(what: str, closed: str) -> None:
    words, code = COMMANDS[what]
    if "fast-downward" in words and registry.missing("fast-downward") is not None:
        pytest.skip("there is no Fast Downward")
    done = through_a_shell(words, closed)
    assert "Traceback" not in done.stderr
    assert "fault" not in done.stderr
    silenced = ">&-" in closed.split() and what not in {"a refusal", "a level from standard input"}
    unread = "<&-" in closed.split() and what == "a game"
    assert done.returncode == (2 if silenced or unread else code)
    if closed == ">&-" and silenced:
        assert done.stderr == "unpuzzle: the output could not be written: standard output is closed\n"
    if closed == "<&-" and (unread or what == "a level from standard input"):
        assert done.stderr == "unpuzzle: <stdin>: standard input is closed\n"
    if closed == "2>&-" and not code:
        assert done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["solve --help", "--help", "--version", "solve boxup 1 --json", "list"])
def test_nothing_is_said_to_be_written_to_a_full_disk(words: str) -> None:
    done = through_a_shell(words, ">/dev/full")
    assert done.returncode == 2
    assert done.stderr.startswith("unpuzzle: the output could not be written: ")
    assert done.stderr.count("\n") == 1
    assert through_a_shell(words, "2>/dev/full").returncode == 0


def test_files_do_not_get_the_numbers_of_closed_streams(tmp_path: Path) -> None:
    done = through_a_shell(f"solve boxup 1 --quiet --plan-file {tmp_path}/plan", "<&- 2>&-")
    assert (done.returncode, done.stdout) == (0, "ULDRR\n")
    assert (tmp_path / "plan").read_text().endswith("; cost = 5 (unit cost)\n")


def test_moves_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "moves").write_bytes(b"U\xff\n")
    environment = os.environ | {"PYTHONUTF8": "1"}
    command = [*UNPUZZLE, "play", "boxup", "1", "--quiet"]
    with open(tmp_path / "moves") as moves:
        done = subprocess.run(command, stdin=moves, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert "fault" not in done.stderr


# ---- A bug in unpuzzle itself: exit 4, one sentence, a report in a private file that names nobody


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

    monkeypatch.setattr("unpuzzle.state_space.surveying.explore", fail)


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
    assert err.startswith(f"unpuzzle: this is a bug in unpuzzle: {type(error).__name__}")
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
    assert answer["message"] == "this is a bug in unpuzzle: KeyError: 'unmarked'"
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
    assert err.splitlines()[-1].startswith("unpuzzle: this is a bug in unpuzzle: KeyError: 'unmarked'; please report")
    code = main(["explore", "boxup", "1", "--json"])
    out, err = capsys.readouterr()
    assert (code, json.loads(out)["report"]) == (4, None)
    assert "builtins.KeyError" in err


def test_an_answer_that_cannot_be_written_is_a_fault(temporary: Path, monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    from unpuzzle.cli.answer import Answer

    monkeypatch.setattr("unpuzzle.cli.commands.available.present_list", lambda *_: Answer(0, {"n": {1, 2}}, "text"))
    assert run_json(capsys, "list")[1]["status"] == "fault"
    assert run(capsys, "list")[0] == 0


def test_a_deep_traceback_is_cut(temporary: Path, monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    def deep(*_: object, **__: object) -> None:
        deep()

    monkeypatch.setattr("unpuzzle.state_space.surveying.explore", deep)
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
    from unpuzzle.model.faults import fault_of
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
