"""The command line as a process: pipes that close, signals, full disks, two runs at once. Never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from unpuzzle import planners

UNPUZZLE = [sys.executable, "-m", "unpuzzle"]
LONG = [*UNPUZZLE, "solve", "sliding-tiles", "15-notebook", "--planner"]


def start(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until_busy(process: subprocess.Popen[str], seconds: float) -> None:
    """Until the process has used some CPU time of its own or its children's, so that it is in its work."""
    watched, deadline = psutil.Process(process.pid), time.monotonic() + 30
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        family = [watched, *watched.children(recursive=True)]
        if sum(sum(member.cpu_times()[:2]) for member in family if member.is_running()) > seconds:
            return
        time.sleep(0.02)
    pytest.fail("the process does nothing")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["interrupt", "terminate"]
)
@pytest.mark.parametrize("planner", ["native:bfs", "reference", "rules:bfs", "fast-downward:astar(blind())"])
def test_signals_end_the_work(planner: str, number: int, code: int) -> None:
    if planners.missing(planner) is not None:
        pytest.skip(f"{planners.missing(planner)}")
    process = start([*LONG, planner])
    wait_until_busy(process, 0.6)
    family = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (code, "")
    assert err.strip().splitlines()[-1] == "unpuzzle: interrupted"
    assert "Traceback" not in err
    _, alive = psutil.wait_procs(family, timeout=5)
    assert not alive


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_that_goes_away() -> None:
    process = start([*UNPUZZLE, "pddl", "pacman", "loops"])
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    assert process.wait() == 0
    assert err == "unpuzzle: the output was closed before all of it was written\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk() -> None:
    with open("/dev/full", "w") as full:
        shown = subprocess.run(
            [*UNPUZZLE, "solve", "boxup", "1"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert shown.returncode == 2
    assert shown.stderr.startswith("unpuzzle: the output could not be written: ")
    assert "Traceback" not in shown.stderr


def test_a_terminal_that_knows_only_ascii() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    shown = subprocess.run(
        [*UNPUZZLE, "solve", "boxup", "1", "--draw"], env=environment, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr


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
