"""What each kind of process gets from us, where we were started oddly: the table in docs/howto/planners/limits.md."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from unpuzzle.base.platform_facts import process_start, receive_signals

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")

ABOUT = """
import json, os, resource, signal
def about(*_):
    with open("/proc/self/status") as file:
        rows = dict(line.split(":", 1) for line in file)
    masks = {name: int(rows[name], 16) for name in ("SigIgn", "SigBlk")}
    opened = [number for number in range(3, 64) if os.path.exists(f"/proc/self/fd/{number}")]
    return {
        "ignored": [n for n in range(1, 32) if masks["SigIgn"] >> (n - 1) & 1],
        "blocked": [n for n in range(1, 32) if masks["SigBlk"] >> (n - 1) & 1],
        "files": resource.getrlimit(resource.RLIMIT_NOFILE), "core": resource.getrlimit(resource.RLIMIT_CORE),
        "cpu": resource.getrlimit(resource.RLIMIT_CPU), "memory": resource.getrlimit(resource.RLIMIT_AS),
        "inheritable": [number for number in opened if os.get_inheritable(number)],
        "linked": [os.readlink(f"/proc/self/fd/{number}") for number in opened],
        "input": os.readlink("/proc/self/fd/0"),
        "directory": os.getcwd(), "exists": os.path.isdir(os.getcwd()), "temporary": os.environ.get("TMPDIR"),
        "python": sorted(name for name in os.environ if name.startswith("PYTHON")), "other": os.environ.get("OTHER"),
        "session": os.getsid(0), "pid": os.getpid(),
    }
if __name__ == "__main__":
    print(json.dumps(about()))
"""
OWNER = """
import json, os, pickle, sys
from queue import SimpleQueue
import about
from unpuzzle.base.run import Limits
from unpuzzle.base.run import Run
from unpuzzle.processes.pool import Pool, PoolJob
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.program import run_program
from unpuzzle.processes.worker import Call, Worker

if __name__ == "__main__":
    with Run(Limits(50, 1 << 32)), PrivateDirectory({}, planner="test") as directory:
        run = run_program([sys.executable, about.__file__], directory)
    with Worker() as worker:
        call = worker.call(Call("about", "about", pickle.dumps(()), cpu=50)).value()
    answers = SimpleQueue()
    with Pool(slow=0) as pool:
        pool.submit(PoolJob("about", "about", {}, lambda data, last: answers.put(data)))
        waiting = answers.get()
    print(json.dumps({"program": json.loads(run.log), "call": call, "pool": waiting, "owner": about.about()}))
"""
STARTER = """
import os, resource, signal, sys
signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # a shell lets commands in the background ignore it
for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGUSR1): signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR2, signal.SIGALRM))
resource.setrlimit(resource.RLIMIT_NOFILE, (200, 300))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.dup2(os.open("secret", os.O_RDONLY), 9)
os.execv(sys.executable, [sys.executable, "owner.py"])
"""
KINDS = ("program", "call", "pool")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What each says about itself, started by one whom somebody has left odd signals, limits, files and variables."""
    folder = tmp_path_factory.mktemp("owner")
    for name, text in {"about.py": ABOUT, "owner.py": OWNER, "secret": "secret"}.items():
        (folder / name).write_text(text)
    environment = {**os.environ, "TMPDIR": ".", "OTHER": "kept", "PYTHONNODEBUGRANGES": "1"}
    words = [sys.executable, "-c", STARTER]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in folder.iterdir() if path.name.startswith("unpuzzle-")] == []
    said: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return said


def test_signals(told: dict[str, dict[str, Any]]) -> None:
    own = [signal.SIGPIPE, signal.SIGXFSZ]  # ignored by Python, of which each of the three is one
    ignored = {kind: sorted({*told[kind]["ignored"]} - {*own}) for kind in KINDS}
    assert ignored["program"] == []
    for kind in ("call", "pool"):
        assert ignored[kind] == [signal.SIGINT, signal.SIGUSR1], kind
    assert {kind: told[kind]["blocked"] for kind in KINDS} == {kind: [] for kind in KINDS}


def test_limits(told: dict[str, dict[str, Any]]) -> None:
    for kind in KINDS:
        assert told[kind]["files"] == [200, 300]
        assert told[kind]["core"] == [0, 0]
    assert told["program"]["cpu"][0] > 0
    assert told["program"]["memory"] == [1 << 32, 1 << 32]
    assert told["call"]["cpu"][0] == 51
    for name in ("cpu", "memory"):
        assert told["pool"][name] == told["owner"][name]


def test_descriptors(told: dict[str, dict[str, Any]]) -> None:
    for kind in KINDS:
        assert not [link for link in told[kind]["linked"] if link.endswith("secret")], kind
        assert told[kind]["inheritable"] == []
        assert told[kind]["input"] == os.devnull
    assert told["program"]["linked"] == []


@pytest.mark.parametrize("closed", [(0,), (0, 1), (0, 1, 2)])
def test_programs_run_where_our_own_input_and_output_are_closed(closed: tuple[int, ...], tmp_path: Path) -> None:
    program = f"""
import os, sys
for number in {closed}: os.close(number)
from unpuzzle.base.run import Limits
from unpuzzle.processes import program as process
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.base.run import Run
with Run(Limits(50)), PrivateDirectory({{}}, planner="test") as directory:
    run = process.run_program(["sh", "-c", "cat; echo said; exit 5"], directory, split=True)
open("told", "w").write(repr((run.exit_code, run.limit, run.output)))
"""
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, timeout=120, check=False)
    assert (tmp_path / "told").read_text() == repr((5, "", "said\n"))


def test_directories(told: dict[str, dict[str, Any]]) -> None:
    home = told["owner"]["directory"]
    assert told["program"]["directory"] == told["program"]["temporary"]
    assert Path(told["program"]["directory"]).parent == Path(home), "TMPDIR is `.`"
    assert told["call"]["directory"] == told["pool"]["directory"] == home


def test_environment_and_session(told: dict[str, dict[str, Any]]) -> None:
    assert {kind: told[kind]["other"] for kind in KINDS} == dict.fromkeys(KINDS, "kept")
    assert {kind: told[kind]["python"] for kind in KINDS} == {kind: [] for kind in KINDS}
    owner = told["owner"]["session"]
    assert told["program"]["session"] == told["program"]["pid"]
    assert told["pool"]["session"] == told["pool"]["pid"]
    assert told["call"]["session"] not in (owner, told["call"]["pid"])


def test_an_ignored_signal_is_heard_again() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
    try:
        receive_signals()
        assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()
    finally:
        signal.signal(signal.SIGCHLD, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


# --- what only the script has --------------------------------------------------------------------------------------

PUZZLE = """
import unpuzzle
from unpuzzle import UsageError
from unpuzzle.translators.boxup import Boxup

class Own(Boxup):
    pass

print("it begins", flush=True)
try: {work}
except UsageError as error: print(error)
"""
COMPARING = """unpuzzle.compare(Own.parse(Boxup.levels["1"]), ["bfs"], workers=2)"""
GENERATING = "unpuzzle.generate({game}, count=1, seed=3, workers=2)"


@pytest.mark.parametrize("work", [COMPARING, GENERATING.format(game="Own")])
def test_a_class_of_the_script_itself_is_refused_in_a_sentence(tmp_path: Path, work: str) -> None:
    (tmp_path / "script.py").write_text(PUZZLE.format(work=work))
    words = [sys.executable, str(tmp_path / "script.py")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "`__main__`" in done.stdout
    assert "put them into a module beside it" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["script.py"], ["-"]])
def test_a_script_needs_neither_a_guard_nor_a_file_for_its_workers(tmp_path: Path, words: list[str]) -> None:
    text = PUZZLE.format(work=GENERATING.format(game="unpuzzle.find('boxup')"))
    (tmp_path / "script.py").write_text(text)
    done = subprocess.run(
        [sys.executable, *words], input=text, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, "it begins\n"), done.stderr


def test_a_process_has_a_start_until_it_has_ended() -> None:
    """One that has ended and is not yet waited for has ended, too."""
    assert process_start(os.getpid()) == process_start(os.getpid()) is not None
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        start = process_start(child.pid)
        assert start is not None
        assert start >= (process_start(os.getpid()) or 0)
        child.communicate(b"")
        assert process_start(child.pid) is None
    zombie = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    assert process_start(zombie.pid) is None
    zombie.wait()
