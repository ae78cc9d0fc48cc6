"""Programs that stop or kill who watches them, so as to outlive their run: none does, whoever is interrupted."""

from __future__ import annotations

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
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits
from unpuzzle.processes import private_directory
from unpuzzle.processes import program as process
from unpuzzle.processes.private_directory import PrivateDirectory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a subreaper, and somebody between"),
    pytest.mark.usefixtures("words"),
]

START = """
import os, signal, sys, time
said, parent = sys.argv[1], os.getppid()
with open(f"/proc/{parent}/stat") as file: above = int(file.read().rpartition(")")[2].split()[1])
def say():
    with open(said, "a") as file: file.write(f"{os.getpid()}\\n")
def deaf():
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD): signal.signal(number, signal.SIG_IGN)
def daemon(work):  # it leaves parent, session and environment
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, "-c", START + work, said, str(parent), str(above)], {})
        os._exit(0)
    os.wait()
"""
AGAIN = """
parent, above = map(int, sys.argv[2:])
deaf(); say()
while True:
    for other in (parent, above):
        try: os.kill(other, signal.SIGSTOP)
        except OSError: pass
"""
LATER = "parent, above = map(int, sys.argv[2:])\ndeaf(); say(); os.kill(parent, signal.SIGKILL); time.sleep(1000)"
PROGRAMS = {
    "stops its parent": "say(); os.kill(parent, signal.SIGSTOP); time.sleep(1000)",
    "stops those above it, deaf": "deaf(); [os.kill(p, 19) for p in (parent, above)]; say(); time.sleep(1000)",
    "stops those above it, again and again": f"deaf(); say(); daemon({AGAIN!r}); time.sleep(1000)",
    "kills its parent": "deaf(); say(); os.kill(parent, signal.SIGKILL); time.sleep(1000)",
    "kills its parent from elsewhere": f"say(); daemon({LATER!r}); time.sleep(1000)",
}
SAYING = {name: 2 if "daemon(" in text else 1 for name, text in PROGRAMS.items()}
"""How many processes say who they are."""
OWNER = """
import json, sys
from unpuzzle.base.run import Limits
from unpuzzle.processes import program as process
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.base.run import Run
words, command, seconds = json.loads(sys.argv[1])
process.guardian_words = lambda: words
with Run(Limits(seconds)), PrivateDirectory({}, planner="test") as directory:
    process.run_program(command, directory)
"""


def command(program: str, said: Path) -> list[str]:
    return [sys.executable, "-c", f"START = {START!r}\n{START}{program}", str(said)]


def pids(said: Path) -> list[int]:
    return [int(line) for line in said.read_text().splitlines()] if said.exists() else []


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_ends_at_its_limit(
    name: str, tmp_path: Path, time_is_up_when: Callable[[Callable[[], bool]], float]
) -> None:
    said = tmp_path / "said"
    limit = time_is_up_when(lambda: len(pids(said)) >= SAYING[name])
    with PrivateDirectory({}, planner="test") as directory:
        run = within(Limits(limit), process.run_program, command(PROGRAMS[name], said), directory)
    assert run.limit or run.signal, "it was ended"
    assert pids(said)
    assert all(map(is_gone, pids(said)))


def test_one_that_ends_when_it_has_stopped_its_parent_is_noticed_without_a_limit(tmp_path: Path) -> None:
    program = "os.kill(parent, signal.SIGSTOP); os.kill(above, signal.SIGSTOP); os._exit(5)"
    with PrivateDirectory({}, planner="test") as directory:
        assert process.run_program(command(program, tmp_path / "said"), directory).exit_code == 5


@pytest.mark.parametrize(
    ("name", "seconds"), [("stops its parent", 10_000), *((name, None) for name in PROGRAMS if "again" not in name)]
)
def test_it_ends_when_its_owner_is_killed(
    name: str, seconds: float | None, tmp_path: Path, scratch: Path, words: list[str]
) -> None:
    """Who stops the guardian faster than the system wakes it, and is left alone with it, is not in the list."""
    import json

    said = tmp_path / "said"
    order = json.dumps([words, command(PROGRAMS[name], said), seconds])
    owner = subprocess.Popen([sys.executable, "-c", OWNER, order], env={**os.environ, "TMPDIR": str(scratch)})
    try:
        wait_until(lambda: len(pids(said)) >= SAYING[name] or owner.poll() is not None, "it has begun")
        owner.kill()
        owner.wait()
        wait_until(lambda: all(map(is_gone, pids(said))), "all that it started ends")
        if "kills" in name:  # the run may have ended before, and its owner been killed while it removed the folder
            private_directory.remove_leftovers(str(scratch))
        wait_until(lambda: not list(scratch.iterdir()), "its folder is removed")
    finally:
        for pid in pids(said):
            with suppress(psutil.NoSuchProcess):
                psutil.Process(pid).kill()
    assert pids(said)


def _check_limits(*_: object) -> None:
    raise LimitReached("timeout", "the time limit was reached")


@pytest.fixture
def ringing() -> Any:
    before = signal.signal(signal.SIGALRM, _check_limits)
    yield lambda: os.kill(os.getpid(), signal.SIGALRM)
    signal.signal(signal.SIGALRM, before)


def test_no_alarm_interrupts_the_end_of_a_program(
    ringing: Callable[[], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, time_is_up_when: Any
) -> None:
    """Nor is the answer of a run lost to the alarm of the limit that ended it."""
    said, rung = tmp_path / "said", []
    await_end = process._Runner._await_end

    def alarmed(runner: Any, popen: Any, seconds: float) -> None:
        rung.append(ringing())
        await_end(runner, popen, seconds)
        rung.append(ringing())

    monkeypatch.setattr(process._Runner, "_await_end", alarmed)
    limit = time_is_up_when(lambda: len(pids(said)) == 1)
    with PrivateDirectory({}, planner="test") as directory:
        run = within(Limits(limit), process.run_program, command("deaf(); say(); time.sleep(1000)", said), directory)
    assert run.limit == "timeout"
    assert len(rung) >= 2
    assert all(map(is_gone, pids(said)))


def test_no_alarm_interrupts_the_removal_of_a_folder(
    ringing: Callable[[], None], monkeypatch: pytest.MonkeyPatch, scratch: Path
) -> None:
    remove = private_directory.remove_tree

    def alarmed(path: str) -> None:
        ringing()
        remove(path)

    with pytest.raises(LimitReached), PrivateDirectory({"file": "text"}, planner="test"):
        monkeypatch.setattr(private_directory, "remove_tree", alarmed)
    assert list(scratch.iterdir()) == []


def test_an_interrupt_before_the_end_has_begun_is_no_reason_to_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    start, done = private_directory.start_new_thread, list[bool]()

    def interrupted(*arguments: Any) -> None:
        monkeypatch.setattr(private_directory, "start_new_thread", start)
        raise KeyboardInterrupt

    monkeypatch.setattr(private_directory, "start_new_thread", interrupted)
    with pytest.raises(KeyboardInterrupt):
        private_directory.undisturbed(lambda: done.append(True))
    assert done == [True]


def test_what_the_end_itself_raises_is_raised(ringing: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down() -> None:
        raise OSError("broken")

    with pytest.raises(OSError, match="broken"):
        private_directory.undisturbed(break_down)

    def no_thread(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(private_directory, "start_new_thread", no_thread)
    done: list[bool] = []
    private_directory.undisturbed(lambda: done.append(True))
    assert done == [True]
