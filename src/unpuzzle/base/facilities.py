"""Features that some operating systems lack, with a use and a substitute for each. Imports only from `base`.

    has("alarm")      whether it is here
    facilities()      the whole table, which docs/start/install.md shows

The rest of the code never asks for the name of the system, but for the facility it needs. Nothing is cached: each call
looks at the system again. Two scripts that run in separate processes import nothing of ours and test for
themselves: `src/unpuzzle/processes/guardian.py` and `processes/walls.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

from unpuzzle.base.platform_facts import peak_memory
from unpuzzle.base.values import Record


class Facility(Record):
    """A feature of the operating system, such as `alarm`, that some systems lack.

    Attributes:
        name: a word, such as `alarm`.
        here: whether this system has it.
        systems: the systems that have it, in words.
        gives: its use in unpuzzle, as a sentence.
        otherwise: its substitute elsewhere, as a sentence.
    """

    name: str
    here: bool
    systems: str
    gives: str
    otherwise: str


def _linux() -> bool:
    return sys.platform.startswith("linux")


def _has(module: str, name: str) -> bool:
    try:
        return hasattr(import_module(module), name)
    except ImportError:
        return False


FACILITIES: dict[str, tuple[Callable[[], bool], str, str, str]] = {
    "guardian": (
        lambda: _has("os", "fork") and _has("os", "wait4"),
        "Linux, macOS",
        "A small process ends a planner's program with all that it started, even when unpuzzle is killed.",
        "Such programs end at their limits and with Ctrl-C, as long as unpuzzle itself runs.",
    ),
    "subreaper": (
        lambda: _linux() and _has("ctypes", "CDLL"),
        "Linux",
        "Nothing that a planner's program starts can get away from its guardian.",
        "After a kill, the guardian ends the program's process group; processes that have left the group continue.",
    ),
    "kernel_memory": (
        lambda: _linux() and _has("resource", "RLIMIT_AS"),
        "Linux",
        "The kernel refuses a planner's program more memory than its limit.",
        "The memory of its processes is measured every 0.01 to 0.1 s, and too much ends them.",
    ),
    "kernel_processor_time": (
        lambda: _has("resource", "RLIMIT_CPU"),
        "Linux, macOS",
        "The kernel ends a planner's program at its limit of processor time.",
        "The processor time of its processes is measured every 0.01 to 0.1 s, and too much ends them.",
    ),
    "container_memory": (
        _linux,
        "Linux",
        "The usual memory limit is three quarters of the machine's memory, or of its container's limit.",
        "The usual memory limit is three quarters of the machine's memory.",
    ),
    "peak_memory": (
        lambda: peak_memory() is not None,
        "Linux, macOS",
        "The peak memory of a run is measured by the kernel.",
        "The peak memory of a run is the largest of its own measurements.",
    ),
    "alarm": (
        lambda: _has("signal", "setitimer") and _has("signal", "SIGALRM"),
        "Linux, macOS",
        "A timer of the system interrupts a puzzle's rules that take longer than the command's limits.",
        "A thread interrupts them, but no single call of compiled code, such as a long sleep.",
    ),
    "walls": (
        lambda: _linux() and _has("resource", "setrlimit") and _has("ctypes", "CDLL"),
        "Linux (x86-64, ARM64)",
        "The code of others runs behind the kernel's walls (seccomp, Landlock), in `check --game` and `repair`.",
        "The code of others is not run, unless `--unsafe` asks for it.",
    ),
}
"""By name: the test, the systems that have it, its benefit, and its substitute."""


def has(name: str) -> bool:
    return FACILITIES[name][0]()


def facilities() -> tuple[Facility, ...]:
    """Return all optional features of operating systems, and whether this system has them."""
    return tuple([Facility(name, row[0](), *row[1:]) for name, row in FACILITIES.items()])
