"""Programs to compare with: find, run and measure them, and report their versions."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

UNPUZZLE = str(Path(sys.executable).with_name("unpuzzle"))
PEERS = ("unpuzzle", "up-fast-downward", "fast-downward.translate", "pyperplan", "pymimir", "up-symk")
PATIENCE = 120
"""CPU seconds after which a peer with a whole task is stopped."""


@dataclass
class Finished:
    """A finished process: CPU seconds and peak memory (bytes) of it and its children, and its output."""

    cpu: float
    peak: int
    output: str


def run(command: list[str], folder: str) -> Finished:
    """Run a program to its end."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return Finished(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output)


def starting_seconds() -> float:
    """Return the CPU seconds until a new process of ours can plan, which runs of an experiment do not need."""
    words = [sys.executable, "-c", "import unpuzzle.solving, unpuzzle.planners.native"]
    return min(run(words, ".").cpu for _ in range(5))


def driver(package: str, folder: str) -> str:
    """Return the path of the driver script in a package of unified-planning: Fast Downward's, or symk's."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return str(Path(spec.submodule_search_locations[0]) / folder / "fast-downward.py")


def fast_downward() -> str:
    """Return the path of Fast Downward's driver."""
    return driver("up_fast_downward", "downward")


GROUND = """
from unpuzzle.pddl import read
from unpuzzle.planners.native.grounding import CoreGrounding
CoreGrounding(read("domain.pddl", "problem.pddl")).task()
"""

PYMIMIR = """
import pymimir
problem = pymimir.Problem(pymimir.Domain("domain.pddl"), "problem.pddl", "grounded")
result = pymimir.astar_eager(problem, problem.get_initial_state(), pymimir.BlindHeuristic(problem))
assert result.status == "solved", result.status
"""


def versions() -> dict[str, str]:
    """Return the versions of the compared programs, and the machine."""
    found = {"python": platform.python_version(), "machine": f"{platform.machine()}, {os.cpu_count()} CPUs"}
    for name in PEERS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
