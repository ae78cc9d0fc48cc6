"""Optional libraries (*extras*) and optional features of the operating system (*facilities*).

Extras are groups of libraries, each with the command that installs it; facilities have a use and a substitute.

    require("plots", "plots need", "matplotlib")      raises DependencyMissing if a library is not installed
    missing("sat", "CP-SAT needs", "ortools")         the same sentence, or None
    has("alarm")                                      whether this system has a facility

All code that needs such a library asks here, so that the sentence is the same everywhere; a test compares the libraries
with `pyproject.toml`. No code asks for the name of the system, but for the facility it needs. Nothing is cached: each
call looks at the system again. Two scripts that run in separate processes import nothing of ours and test for
themselves: `src/unpuzzle/processes/guardian.py` and `processes/walls.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from unpuzzle.base.errors import DependencyMissing
from unpuzzle.base.platform_facts import peak_memory
from unpuzzle.base.text import listing
from unpuzzle.base.values import Record

BASE, EXTRA, OTHER = "base", "extra", "other"
"""The kinds of parts of an installation."""


class Extra(Record):
    """An extra of the package: its name, its purpose, and its libraries as pairs (module, distribution)."""

    name: str
    gives: str
    libraries: tuple[tuple[str, str], ...]

    def command(self) -> str:
        """Return the command that installs the extra."""
        return f"pip install 'unpuzzle[{self.name}]'"

    def absent(self, *modules: str) -> list[str]:
        """Return the distributions of the extra's `modules` (default: all its modules) that are not installed."""
        known = dict(self.libraries)
        return [known[module] for module in modules or known if not is_installed(module)]


ENGINE_PACKAGES = {
    engine: "up-" + engine.removesuffix("-opt").removesuffix("-anytime").removesuffix("-any")
    for engine in (
        "aries enhsp enhsp-any enhsp-opt fast-downward fast-downward-opt lpg lpg-anytime pyperplan pyperplan-opt symk "
        "symk-opt tamer"
    ).split()
}
"""The engines that unified-planning has names for, with their packages."""
EXTRAS = {
    extra.name: extra
    for extra in (
        Extra("sat", "CP-SAT, for puzzles of constraints", (("ortools", "ortools"),)),
        Extra(
            "plots",
            "plots of comparisons, reports of experiments, and their runs as tables",
            (("matplotlib", "matplotlib"), ("pandas", "pandas"), ("scipy", "scipy")),
        ),
        Extra(
            "pictures",
            "pictures as PNG, GIF, APNG, WebP and PDF, and booklets",
            (("resvg_py", "resvg-py"), ("PIL", "Pillow"), ("reportlab", "reportlab")),
        ),
        Extra("distributed", "work on a Dask cluster", (("distributed", "distributed"),)),
        Extra(
            "words",
            "crosswords without candidates, and their `.puz` files",
            (
                *(("puz", "puzpy"), ("wordfreq", "wordfreq"), ("numpy", "numpy")),
                *(("httpx", "httpx"), ("platformdirs", "platformdirs")),
            ),
        ),
        Extra("llm", "language models, for unpuzzle repair", (("openai", "openai"),)),
        Extra("exchange", "tasks and plans as objects of tarski", (("tarski", "tarski"),)),
        Extra(
            "studio",
            "a page to write puzzles on, and files that are checked at every save",
            (
                *(("starlette", "starlette"), ("uvicorn", "uvicorn")),
                *(("watchfiles", "watchfiles"), ("django_ace", "django-ace")),
            ),
        ),
        Extra("lsp", "a language server for editors", (("pygls", "pygls"), ("lsprotocol", "lsprotocol"))),
        Extra("mcp", "tools for agents", (("mcp", "mcp"), ("pydantic", "pydantic"), ("anyio", "anyio"))),
    )
}
"""The extras for run time, by name; the extra `all` installs all of them."""


def is_installed(module: str) -> bool:
    """Return whether a top-level module can be found, without importing the module."""
    try:
        return find_spec(module) is not None
    except ValueError:  # a loaded module without a spec
        return True


def missing(extra: str, what: str, *modules: str) -> str | None:
    """Return a sentence with the command that installs an extra; None if all `modules` are installed.

    `what` begins the sentence, such as "plots need".
    """
    absent = EXTRAS[extra].absent(*modules)
    return f"{what} {listing(absent)}: {EXTRAS[extra].command()}" if absent else None


def require(extra: str, what: str, *modules: str, dependency: str = "") -> None:
    """Raise DependencyMissing, with the command that installs an extra, if one of its `modules` is not installed.

    The error's `dependency` is, by default, the first missing distribution.
    """
    sentence = missing(extra, what, *modules)
    if sentence is not None:
        raise DependencyMissing(sentence, dependency=dependency or EXTRAS[extra].absent(*modules)[0])


class Facility(Record):
    """An optional feature of the operating system, such as `alarm`.

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
        "No process that a planner's program starts can escape its guardian.",
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
        "The kernel isolates untrusted code (seccomp, Landlock) in `check --game` and `repair`.",
        "Untrusted code is not run, unless `--unsafe` is given.",
    ),
}
"""By name: the test, the systems that have it, its benefit, and its substitute."""


def has(name: str) -> bool:
    return FACILITIES[name][0]()


def facilities() -> tuple[Facility, ...]:
    """Return all optional features of operating systems, and whether this system has them."""
    return tuple([Facility(name, row[0](), *row[1:]) for name, row in FACILITIES.items()])
