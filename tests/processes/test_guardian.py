"""Programs whose owner is killed, stopped or hung up, and what is left of them and their folders: nothing."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from support.limited import within
from support.waiting import is_gone, wait_until
from unpuzzle.base.run import Limits
from unpuzzle.processes import private_directory
from unpuzzle.processes import program as process
from unpuzzle.processes.guardian import Guardian
from unpuzzle.processes.private_directory import PrivateDirectory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

posix = pytest.mark.skipif(os.name != "posix", reason="uses signals and forks")
pytestmark = pytest.mark.usefixtures("words")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a subreaper and death signals")

OWNER = """
import sys
from unpuzzle.base.run import Limits
from unpuzzle.processes import program as process
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.base.run import Run
words = sys.argv[3:]
process.guardian_words = lambda: words
with Run(Limits(float(sys.argv[2]))), PrivateDirectory({"file": "text"}, planner="test") as directory:
    process.run_program([sys.executable, "-c", sys.argv[1]], directory)
"""
ESCAPING = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        program = "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        program += f"open({str(said)!r}, 'a').write(f'{os.getpid()} {above} {os.getcwd()}' + chr(10)); time.sleep(1000)"
        program = "import os; " + program.replace("{above}", str(above))
        os.execve(sys.executable, [sys.executable, "-c", program], environment)
    os._exit(0)
os.wait()
time.sleep(1000)
"""
"""A deaf program with a deaf descendant that left its parent, its session and its environment."""


def escaping(said: Path, environment: str = "{}") -> str:
    return f"import os; said = {str(said)!r}; above = os.getpid(); environment = {environment}\n" + ESCAPING


@linux
@pytest.mark.skipif(os.environ.get("UNPUZZLE_REQUIRE_NATIVE", "0") == "0", reason="nothing need be compiled here")
@pytest.mark.parametrize("words", ["compiled"], indirect=True)
def test_the_guardian_is_compiled_where_the_core_is_required(words: list[str]) -> None:
    assert words[0] != sys.executable


class Owner:
    """Another Python that runs a program, until it is hindered."""

    def __init__(self, said: Path, scratch: Path, seconds: float = 100_000, inherited: str = "{}") -> None:
        environment = {**os.environ, "TMPDIR": str(scratch)}
        self.scratch = scratch
        words = [escaping(said, inherited), str(seconds), *process.guardian_words()]
        self.popen = subprocess.Popen([sys.executable, "-c", OWNER, *words], env=environment)
        wait_until(lambda: said.exists() and said.read_text().endswith("\n"), "the program has begun")
        descendant, program, _ = said.read_text().split(maxsplit=2)
        self.program, self.descendant = psutil.Process(int(program)), psutil.Process(int(descendant))
        between = psutil.Process(self.program.ppid())
        self.guardian = psutil.Process(between.ppid()) if sys.platform.startswith("linux") else between

    def everything_ends(self, *, folder: bool = True) -> None:
        wait_until(lambda: is_gone(self.program), "the program ends")
        wait_until(lambda: is_gone(self.descendant), "what it started ends")
        wait_until(lambda: is_gone(self.guardian), "the guardian ends")
        if folder:
            wait_until(lambda: not list(self.scratch.iterdir()), "the folder is removed")

    def close(self) -> None:
        if self.popen.poll() is None:
            self.popen.kill()
        self.popen.wait()
        for one in (self.guardian, self.program, self.descendant):
            with suppress(psutil.NoSuchProcess):
                one.kill()


@pytest.fixture
def owner(tmp_path: Path, scratch: Path, words: list[str]) -> Iterator[Owner]:
    made = Owner(tmp_path / "said", scratch)
    yield made
    made.close()


@linux
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_a_program_ends_when_its_owner_is_killed(owner: Owner, number: int) -> None:
    owner.popen.send_signal(number)
    owner.popen.wait()
    owner.everything_ends()
    assert is_gone(owner.program)
    assert is_gone(owner.descendant)


@linux
def test_a_program_ends_at_its_limit_when_its_owner_is_stopped(tmp_path: Path, scratch: Path) -> None:
    owner = Owner(tmp_path / "said", scratch, seconds=5)
    try:
        owner.popen.send_signal(signal.SIGSTOP)
        wait_until(lambda: is_gone(owner.descendant) and is_gone(owner.program), "the guardian ends them")
        owner.popen.send_signal(signal.SIGCONT)
        owner.popen.wait()
        owner.everything_ends()
        assert is_gone(owner.program)
    finally:
        owner.close()


@linux
def test_a_program_ends_when_its_guardian_is_killed(tmp_path: Path, scratch: Path) -> None:
    """Then its descendants are found by our mark in their environment."""
    owner = Owner(tmp_path / "said", scratch, inherited="os.environ")
    try:
        owner.guardian.kill()
        owner.everything_ends()
        assert owner.popen.wait() == 0
    finally:
        owner.close()


@linux
def test_a_program_ends_when_owner_and_guardian_are_killed_and_the_next_run_removes_the_folder(owner: Owner) -> None:
    owner.popen.send_signal(signal.SIGSTOP)
    owner.guardian.kill()
    owner.popen.kill()
    owner.popen.wait()
    wait_until(lambda: is_gone(owner.program), "the program ends")
    [left] = owner.scratch.iterdir()
    assert left.name.startswith(f"unpuzzle-{owner.popen.pid}.")
    with PrivateDirectory({}, planner="test") as directory:
        assert [path.name for path in owner.scratch.iterdir()] == [os.path.basename(directory.path)]


@linux
def test_what_escapes_before_anybody_looks_is_ended(tmp_path: Path, time_is_up_when: Any) -> None:
    """It left session, parent and environment before the first look at the processes."""
    said = tmp_path / "said"
    limit = time_is_up_when(lambda: said.exists() and said.read_text().endswith("\n"))
    with PrivateDirectory({}, planner="test") as directory:
        run = within(Limits(limit), process.run_program, [sys.executable, "-c", escaping(said)], directory)
    assert run.limit == "timeout"
    assert is_gone(int(said.read_text().split()[0]))


@linux
def test_a_bomb_of_forks_is_ended(tmp_path: Path, time_is_up_when: Any) -> None:
    said = tmp_path / "said"
    bomb = f"""
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for generation in range(5):
    os.fork()
    os.setsid() if os.getpid() != os.getsid(0) else None
    with open({str(said)!r}, "a") as file: file.write(f"{{os.getpid()}}\\n")
time.sleep(1000)
"""
    limit = time_is_up_when(lambda: said.exists() and len(said.read_text().splitlines()) >= 62)
    with PrivateDirectory({}, planner="test") as directory:
        assert within(Limits(limit), process.run_program, [sys.executable, "-c", bomb], directory).limit == "timeout"
    assert all(is_gone(int(pid)) for pid in set(said.read_text().split()))


@posix
def test_processor_time_is_limited_by_the_kernel() -> None:
    asking = "import resource; print(resource.getrlimit(resource.RLIMIT_CPU))"
    limits = {}
    for seconds in (None, 100, 1e300):
        with PrivateDirectory({}, planner="test") as directory:
            limits[seconds] = within(
                Limits(seconds), process.run_program, [sys.executable, "-c", asking], directory
            ).log
    import resource

    assert limits[None] == f"{resource.getrlimit(resource.RLIMIT_CPU)}\n"
    most = math.ceil(101 * (os.cpu_count() or 1)) + 1
    assert limits[1e300] != limits[None], "what is beyond all bounds is a limit, too"
    assert limits[100] == f"({most}, {most})\n"


@posix
def test_the_end_of_a_program_is_noticed_by_the_guardian_of_an_owner_that_blocks_signals() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM})
    try:
        with PrivateDirectory({}, planner="test") as directory:
            run = within(Limits(20), process.run_program, [sys.executable, "-c", "print('done')"], directory)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert (run.exit_code, run.limit, run.log) == (0, "", "done\n")


@posix
def test_a_program_that_nobody_could_end_is_reported_as_killed() -> None:
    """It may be stuck in the kernel when the time for killing is over: the report then has a code, too."""
    reading, report = os.pipe()
    Guardian([str(report), "1", "-", "-", "-", "0", "-", "-", "program"])._tell()
    os.close(report)
    with open(reading, "rb") as file:
        assert file.read().split()[:2] == [b"ended", b"%d" % -signal.SIGKILL]


@posix
def test_the_guardian_changes_nothing_for_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_CTYPE", raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("LANG", "C")
    asking = "import json, os, signal; s = signal.getsignal; print(json.dumps([os.getpid() == os.getsid(0),"
    asking += " sorted(os.listdir('/dev/fd')) if os.path.exists('/dev/fd') else [], 'LC_CTYPE' in os.environ]))"
    program = f'{sys.executable} -c "{asking}"'
    with PrivateDirectory({}, planner="test") as directory:
        run = process.run_program(["sh", "-c", 'test -z "$LC_CTYPE" && trap | grep -c . ; exec ' + program], directory)
    leads, files, _ = json.loads(run.log.splitlines()[-1])
    assert leads, "it leads a session of its own"
    assert len(files) <= 4, "input, output, errors, and the folder that is listed"
    assert run.log.startswith("0\n"), "no LC_CTYPE, no signals that are ignored"


# --- folders of dead runs -----------------------------------------------------------------------------------------


def folder_of(scratch: Path, name: str) -> Path:
    path = scratch / name
    path.mkdir()
    (path / "domain.pddl").write_text("")
    return path


def test_folders_of_dead_owners_are_removed_by_the_next_run(scratch: Path, tmp_path: Path) -> None:
    own = private_directory.prefix()
    pid, start, place = own.removeprefix("unpuzzle-").rstrip("-").split(".")
    assert int(pid) == os.getpid()
    dead = folder_of(scratch, f"unpuzzle-{pid}.{int(start) + 1}.{place}-abc_12")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (scratch / f"unpuzzle-{pid}.{int(start) + 2}.{place}-link").symlink_to(elsewhere)
    for name in (f"{own}alive", f"unpuzzle-{pid}.{int(start) + 1}.00000000-other", "unpuzzle-abc", "other"):
        folder_of(scratch, name)
    before = {path.name for path in scratch.iterdir()}
    with PrivateDirectory({}, planner="test"):
        pass
    assert before - {path.name for path in scratch.iterdir()} == {dead.name}
    assert elsewhere.exists()
    for path in scratch.iterdir():
        path.unlink() if path.is_symlink() else private_directory.remove_tree(str(path))


@linux
def test_an_owner_that_only_waits_to_be_buried_is_dead(scratch: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        wait_until(lambda: is_gone(child.pid), "it ends")
        place = private_directory.prefix().rstrip("-").split(".")[2]
        with open(f"/proc/{child.pid}/stat") as file:
            start = file.read().rpartition(")")[2].split()[19]
        folder_of(scratch, f"unpuzzle-{child.pid}.{start}.{place}-x")
        private_directory.remove_leftovers(str(scratch))
    assert list(scratch.iterdir()) == []
