"""The timer that holds a command's limits where nobody looks, and which commands take limits at all."""

from __future__ import annotations

import signal
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from support.stuck import STUCK
from unpuzzle.cli import COMMANDS, main
from unpuzzle.cli.edge import alarm
from unpuzzle.cli.edge.alarm import AGAIN, LATE, Alarm
from unpuzzle.cli.parser import has_limits, limits_of, parse
from unpuzzle.errors import LimitReached
from unpuzzle.limits import Deadline, Limits, ticking

WITHOUT = {"doctor", "list", "lsp", "mcp", "new", "repair", "report", "studio", "help", "version"}
"""Commands that take little time (list, new, report), serve until they are stopped, or have budgets of their own."""

WORDS = {
    "plan": ["d", "p"],
    "validate": ["d", "p", "plan"],
    "diff": ["d", "p", "d", "p"],
    "booklet": ["boxup", "1", "-o", "x.pdf"],
    "grade": ["d", "d", "--problems", "."],
    "survey": ["boxup"],
    "generate": ["boxup"],
    "experiment": ["boxup", "--planners", "native"],
    "lint": ["d"],
    "trace": ["game.txt", "1", "u"],
}


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - WITHOUT))
def test_every_command_takes_limits(command: str) -> None:
    words = WORDS.get(command, ["boxup", "1"])
    _, options = parse(command, [*words, "--time-limit", "7", "--memory-limit", "300M"])
    assert (options.time_limit, options.memory_limit, options.cpu_limit) == (7, 300 << 20, None)
    assert has_limits(options)
    _, options = parse(command, [*words, "--cpu-limit", "3"])
    assert options.cpu_limit == 3
    assert has_limits(options)


def options(**others: object) -> Namespace:
    return Namespace(**{"clock": 100.0, "time_limit": None, "memory_limit": None, **others})


def entered(given: Namespace) -> Alarm:
    """Return an alarm that takes itself for set; no timer is."""
    timer = Alarm(given)
    timer._set = True
    return timer


def test_it_strikes_after_the_time_limit_and_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = entered(options(time_limit=10))
    struck = []
    for now in (100, 110, 110 + LATE + 0.01, 111, 110 + 2 * LATE + AGAIN + 0.02):
        monkeypatch.setattr(alarm, "perf_counter", lambda now=now: now)
        try:
            timer._ring(signal.SIGINT, None)
        except LimitReached:
            struck.append(now)
    assert struck == [110 + LATE + 0.01, 110 + 2 * LATE + AGAIN + 0.02]


def test_it_strikes_beyond_the_memory_limit_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "perf_counter", lambda: 100.0)
    timer = entered(options(memory_limit=100))
    monkeypatch.setattr(alarm, "resident_memory", lambda: 103)
    timer._ring(signal.SIGINT, None)
    monkeypatch.setattr(alarm, "resident_memory", lambda: 105)
    with pytest.raises(LimitReached, match="the memory limit was reached") as reached:
        timer._ring(signal.SIGINT, None)
    assert reached.value.status == "memout"
    timer._ring(signal.SIGINT, None)


def test_it_strikes_beyond_the_limit_of_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = entered(options(cpu_limit=3, cpu_clock=50.0))
    monkeypatch.setattr(alarm, "process_time", lambda: 53.0)
    timer._ring(signal.SIGINT, None)
    monkeypatch.setattr(alarm, "process_time", lambda: 53 + LATE + 0.01)
    with pytest.raises(LimitReached, match="the limit of processor time was reached") as reached:
        timer._ring(signal.SIGINT, None)
    assert reached.value.status == "timeout"
    timer._ring(signal.SIGINT, None)


def test_the_limit_of_processor_time_is_less_what_the_command_has_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.limits.process_time", lambda: 52.0)
    given = options(cpu_limit=3, cpu_clock=50.0)
    assert Deadline(limits_of(given)).cpu_left() == 1
    given.limits_of_each = True
    assert Deadline(limits_of(given)).cpu_left() == 3


def test_limits_of_each_run_are_not_those_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = entered(options(time_limit=10, limits_of_each=True))
    monkeypatch.setattr(alarm, "perf_counter", lambda: 1e9)
    assert timer._ring(signal.SIGINT, None) is None  # and raises nothing


def test_nothing_is_struck_while_a_library_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = entered(options(time_limit=10))
    monkeypatch.setattr(alarm, "perf_counter", lambda: 1e9)
    monkeypatch.setattr(alarm, "loads_library", lambda frame: True)
    assert timer._ring(signal.SIGINT, None) is None  # and raises nothing


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
def test_a_puzzle_that_never_ends_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)
    command = [sys.executable, "-m", "unpuzzle", "solve", str(tmp_path / "stuck.py"), "1", "--time-limit", "0.5"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "unpuzzle: the time limit was reached\n"


def test_in_anothers_process_no_timer_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "setitimer", lambda *_: pytest.fail("a timer was set"))
    assert main(["draw", "boxup", "1", "--time-limit", "1000"]) == 0


def test_the_running_one_of_several_runs_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = entered(options(time_limit=10, limits_of_each=True))
    deadline = Deadline(Limits(time=10), "looking at the level")
    struck = []
    with ticking(deadline):
        for late in (-1, LATE / 2, LATE + 0.01, LATE + 0.5, LATE + AGAIN + 0.1):
            now = (deadline.end or 0) + late
            monkeypatch.setattr(alarm, "perf_counter", lambda now=now: now)
            monkeypatch.setattr("unpuzzle.limits.perf_counter", lambda now=now: now)
            try:
                timer._ring(signal.SIGINT, None)
            except LimitReached as reached:
                struck.append((late, str(reached)))
    message = "the time limit was reached while looking at the level"
    assert struck == [(LATE + 0.01, message), (LATE + AGAIN + 0.1, message)]
    timer._quiet_until = 0.0
    timer._ring(signal.SIGINT, None)  # nothing runs


NEVER_LOOKS = (
    STUCK.replace("while True:\n            pass", "return cls()")
    + """
    def impossible(self):
        while True:
            pass
"""
)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
@pytest.mark.parametrize("words", [["survey"], ["compare", "1", "--algorithms", "bfs"]])
def test_each_level_of_several_is_interrupted(words: list[str], tmp_path: Path) -> None:
    """Only `solve` was held from outside: `survey` and `compare` of a game that does not look never ended."""
    assert "return cls()" in NEVER_LOOKS
    (tmp_path / "stuck.py").write_text(NEVER_LOOKS)
    command = [
        sys.executable,
        "-m",
        "unpuzzle",
        words[0],
        str(tmp_path / "stuck.py"),
        *words[1:],
        "--time-limit",
        "0.5",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 3, done.stderr
    assert "timeout" in done.stdout
