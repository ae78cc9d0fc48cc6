"""Ctrl-C and SIGTERM at the worst moments: while Python, our modules, or a library in C++ load."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader
from importlib.util import find_spec
from threading import Condition, Lock, RLock

import pytest

from support.command_line import run as run_here
from support.command_line import run_json
from support.waiting import wait_until
from unpuzzle.base import outcomes as exits
from unpuzzle.base.errors import LimitReached
from unpuzzle.cli import signals
from unpuzzle.cli.refusals import refusal

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

STRIKE = """
import os, signal, sys
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader

struck = []

def strike():
    if not struck:
        struck.append(True)
        os.kill(os.getpid(), signal.{signal})
"""
BEFORE_OURS = """
class Finder:
    def find_spec(name, path=None, target=None):
        if name == "unpuzzle.cli.signals":
            strike()

sys.meta_path.insert(0, Finder)
"""
WITHIN_A_LIBRARY = """
create, depth = ExtensionFileLoader.create_module, []

def create_module(self, spec):
    depth.append(spec.name)
    try:
        return create(self, spec)
    finally:
        depth.pop()

class Finder:
    def find_spec(name, path=None, target=None):
        if any(library.startswith("ortools.") for library in depth):
            strike()

ExtensionFileLoader.create_module = create_module
sys.meta_path.insert(0, Finder)
"""
RUN = """
sys.argv = ["unpuzzle", *{words}]
from unpuzzle.__main__ import run
run()
"""


def run(setting: str, number: signal.Signals, *words: str) -> subprocess.CompletedProcess[str]:
    code = STRIKE.format(signal=number.name) + setting + RUN.format(words=words)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_before_anybody_listens_they_end_the_process(number: signal.Signals) -> None:
    done = run(BEFORE_OURS, number, "solve", "boxup", "1")
    assert (done.returncode, done.stdout, done.stderr) == (-number, "", "")


@pytest.mark.skipif(find_spec("ortools") is None, reason="OR-tools is not installed")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_while_a_library_in_cpp_loads(number: signal.Signals, code: int) -> None:
    done = run(WITHIN_A_LIBRARY, number, "solve", "sudoku", "4x4")
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "unpuzzle: interrupted\n")
    done = run(WITHIN_A_LIBRARY, number, "solve", "sudoku", "4x4", "--json")
    assert (done.returncode, done.stderr) == (code, "")
    assert '"status": "interrupted"' in done.stdout


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    ignoring = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n" + STRIKE.format(signal="SIGINT")
    code = ignoring + "strike()\n" + RUN.format(words=["--version"]).replace("run()", "strike()\nrun()")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# ---- in this process


class Loading(ExtensionFileLoader):
    """Whatever it does is the loading of a library, for those who look at frames."""

    def __init__(self) -> None:
        super().__init__("a_library", "a_library.so")
        self.done = False

    def create_module(self, spec):  # type: ignore[no-untyped-def]
        signal.raise_signal(signal.SIGTERM)
        self.done = True


@pytest.fixture
def listener():
    before = signal.getsignal(signal.SIGTERM)
    listener = signals.Listener()
    signal.signal(signal.SIGTERM, listener)
    yield listener
    signal.signal(signal.SIGTERM, before)


def test_a_signal_waits_for_a_library(listener: signals.Listener) -> None:
    loading = Loading()
    with pytest.raises(exits.TerminatedError):  # noqa: PT012 - it comes some time after
        loading.create_module(None)
        wait_until(lambda: listener.waiting is None, "the signal is sent again")
    assert loading.done


def test_a_signal_that_still_waits_is_told_before_the_answer(listener: signals.Listener) -> None:
    Loading().create_module(None)
    with pytest.raises(exits.TerminatedError):
        signals.settle()
    signals.settle()  # once
    wait_until(lambda: not listener.resent, "nothing is sent again")


def test_nobody_waits_for_ever(listener: signals.Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals, "PATIENCE", -1.0)
    with pytest.raises(exits.TerminatedError):
        Loading().create_module(None)


def test_elsewhere_a_signal_does_not_wait(listener: signals.Listener) -> None:
    with pytest.raises(exits.TerminatedError):
        signal.raise_signal(signal.SIGTERM)


@pytest.mark.parametrize("lock", [Lock(), RLock()])
@pytest.mark.parametrize("error", [exits.TerminatedError(), KeyboardInterrupt(), LimitReached("timeout", "over")])
def test_a_signal_while_a_lock_is_released_is_no_fault_of_unpuzzle(lock: Lock, error: BaseException) -> None:
    """`Condition.wait` releases its lock before the `try` that takes it back: here the signal comes in between."""
    condition = Condition(lock)

    def wait() -> None:
        with condition:
            condition.release()
            raise error

    with pytest.raises(RuntimeError) as caught:
        wait()
    assert refusal(caught.value).code == exits.of_error(error)[0]


def test_an_error_of_a_lock_alone_is_a_fault_of_unpuzzle() -> None:
    with pytest.raises(RuntimeError) as caught:
        Lock().release()
    assert refusal(caught.value).code == exits.BROKEN


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("explore sliding-tiles 15-notebook", "unpuzzle: interrupted after 1,024 expanded states"),
        ("survey sliding-tiles 15-notebook", "level 15-notebook: cancelled: interrupted after 1,024 expanded states"),
        (
            "compare sliding-tiles 15-notebook --planners native",
            "interrupted: no run has ended, so there is nothing to show; 1 of 1: native was",
        ),
        ("survey sliding-tiles 8-hard", "unpuzzle: interrupted: no level was finished before the interruption"),
    ],
)
def test_an_interruption_tells_what_was_found(
    command: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def explored(*_: object, progress: Callable[[int], None], **__: object) -> None:
        if "8-hard" not in command:
            progress(1024)
        raise KeyboardInterrupt

    def solved(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("unpuzzle.cli.commands.state_spaces.explore_or_search", explored)
    monkeypatch.setattr("unpuzzle.state_space.surveying.explore_or_search", explored)
    monkeypatch.setattr("unpuzzle.experiments.comparing.solve", solved)
    code, out, err = run_here(capsys, *command.split())
    assert (code, told in err) == (130, True), err
    assert ("> 1,024" in out) == (command == "survey sliding-tiles 15-notebook")
    code, answer = run_json(capsys, *command.split())
    found = answer[0] if isinstance(answer, list) else answer
    assert (code, found["status"]) == (130, "cancelled" if isinstance(answer, list) else "interrupted")
    assert found.get("states", 1024) == 1024


def test_an_interruption_while_traps_are_sought_keeps_the_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def sought(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("unpuzzle.cli.commands.state_spaces.find_traps", sought)
    code, out, err = run_here(capsys, "explore", "sokoban", "1", "--traps")
    assert (code, out.split()[:2]) == (130, ["states", "298"])
    assert "unpuzzle: interrupted: the traps were not found" in err
