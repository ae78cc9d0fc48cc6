"""Check an installation: which parts are installed, how to install missing parts, and whether the planners work.

    examine().healthy                True, False, or None if the trial did not end within its limits

A part of the *base* comes with `pip install unpuzzle`; *extras* and *others* are optional. Each has one status: `works`
(it was loaded or run just now), `installed` (it was found and not tried), `missing`, or `broken`. Only the base decides
whether the installation is healthy. In the trial, all planners of the base solve one small level, and must find plans
of the same cost.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from shutil import which
from typing import ClassVar

from unpuzzle.base.availability import BASE, ENGINE_PACKAGES, EXTRA, EXTRAS, OTHER, is_installed
from unpuzzle.base.errors import LimitReached, UnpuzzleError
from unpuzzle.base.outcomes import CANCELLED, ERROR, MEMOUT, SOLVED_OPTIMALLY, TIMEOUT
from unpuzzle.base.platform_facts import uses_musl
from unpuzzle.base.run import Limits, Run
from unpuzzle.base.text import listing
from unpuzzle.base.values import Record
from unpuzzle.planners.external import fast_downward
from unpuzzle.planners.native import planner as native
from unpuzzle.planning import registry
from unpuzzle.solving import solve
from unpuzzle.translators import find
from unpuzzle.version import __version__

WORKS, INSTALLED, MISSING, BROKEN = "works", "installed", "missing", "broken"

LIBRARIES = (
    ("psutil", "psutil", "limits of memory and of other programs"),
    ("networkx", "networkx", "state spaces as graphs"),
    ("argcomplete", "argcomplete", "completion in shells"),
    ("unified_planning", "unified-planning", "its engines as planners, and unpuzzle as one of them"),
)
"""The libraries of the base: module, distribution, purpose."""
PUZZLE, LEVEL = "boxup", "3"
PLANNERS = ("native", "reference", "fast-downward")
"""The level of the trial, and its planners."""
TRIAL_LIMITS = Limits(time=30)
UNDECIDED = (TIMEOUT, MEMOUT, CANCELLED)
COMPILERS = ("c++", "g++", "clang++", "cl")
BY_MANAGER = {
    "apt-get": "sudo apt-get install {}",
    "dnf": "sudo dnf install {}",
    "apk": "sudo apk add {}",
    "brew": "brew install {}",
}
"""The command for each package manager; the first one on the PATH is used."""


class Part(Record):
    """A part of an installation, such as a library or a program: its state, and how to install it.

    Attributes:
        kind: `base`, `extra` or `other`.
        status: `works`, `installed`, `missing` or `broken`.
        purpose: its use.
        message: its version or place, or the fault.
        command: the command that installs it; None if it is here, or no command is known.
    """

    name: str
    kind: str
    status: str
    purpose: str
    message: str = ""
    command: str | None = None

    @property
    def here(self) -> bool:
        """Whether the part is installed and not known to be broken."""
        return self.status in (WORKS, INSTALLED)


class TrialRun(Record):
    """The outcome of one planner's run on the test level."""

    planner: str
    status: str
    cost: int | None = None
    seconds: float = 0.0
    message: str = ""


class Trial(Record):
    """The runs of all planners on the test level; `agree` is None if it is unknown whether the results agree."""

    puzzle: str
    level: str
    runs: tuple[TrialRun, ...]
    agree: bool | None


class Installation(Record):
    """The result of checking an installation; `healthy` is whether the required parts work (None if unknown)."""

    schema: ClassVar[str] = "doctor"

    healthy: bool | None
    version: str
    python: str
    system: str
    parts: tuple[Part, ...]
    trial: Trial

    def of(self, kind: str) -> tuple[Part, ...]:
        """Return the parts of one kind: `base`, `extra` or `other`."""
        return tuple(part for part in self.parts if part.kind == kind)


def examine(*, limits: Limits | None = None) -> Installation:
    """Check all parts of this installation, and run each of its planners on a test level within the limits."""
    runs = []
    for planner in [name for name in PLANNERS if _absence(name) is None]:
        with Run(TRIAL_LIMITS if limits is None else limits):
            runs.append(_run(planner))
    trial = Trial(PUZZLE, LEVEL, tuple(runs), _agreement(runs))
    parts = (_core(), _fast_downward(trial), *_libraries(), *_extras(), *_others())
    sound = all(part.here for part in parts if part.kind == BASE)
    healthy = False if not sound or trial.agree is False else trial.agree
    return Installation(
        healthy, __version__, platform.python_version(), f"{sys.platform} {platform.machine()}", parts, trial
    )


def _absence(planner: str) -> str | None:
    try:
        return registry.missing(planner)
    except Exception as error:  # a damaged install may raise anything
        return _one_line(error)


def _run(planner: str) -> TrialRun:
    """Return the outcome of a planner on the test level; every exception becomes an outcome."""
    try:
        game = find(PUZZLE)
        result = solve(game.parse(game.levels[LEVEL]), planner)
    except Exception as error:
        status = error.status if isinstance(error, LimitReached) else ERROR
        return TrialRun(planner, status, message=_one_line(error))
    return TrialRun(planner, result.status, result.cost, result.seconds.get("total", 0.0), result.message)


def _agreement(runs: Sequence[TrialRun]) -> bool | None:
    """Return whether all runs found an optimal plan of the same cost; None if a limit ended a run."""
    ended = [run for run in runs if run.status not in UNDECIDED]
    if any(run.status != SOLVED_OPTIMALLY for run in ended) or len({run.cost for run in ended}) > 1:
        return False
    return True if len(ended) == len(runs) > 1 else None


def _one_line(error: BaseException) -> str:
    """Return the message of an exception on one line."""
    words = str(error) if isinstance(error, UnpuzzleError) else f"{type(error).__name__}: {error}"
    return " ".join(words.split())


def _core() -> Part:
    """Try to load the compiled core, and return its state as a part of the installation."""
    purpose = "the native planner, in C++"
    try:
        import_module("unpuzzle.planners.native._core")
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError):
            return Part("core", BASE, MISSING, purpose, "it was not compiled", native.COMPILE)
        return Part("core", BASE, BROKEN, purpose, _one_line(error), native.COMPILE)
    return Part("core", BASE, WORKS, purpose)


def _fast_downward(trial: Trial) -> Part:
    """Return Fast Downward as a part of the installation, with the outcome of its test run."""
    purpose = "a second planner"
    kind = BASE if has_driver_wheels(sys.platform, platform.machine()) and not uses_musl() else OTHER
    run = next((run for run in trial.runs if run.planner == "fast-downward"), None)
    if run is None:
        return Part("Fast Downward", kind, MISSING, purpose, fast_downward.PLATFORMS, fast_downward.INSTALL)
    if run.status == SOLVED_OPTIMALLY:
        return Part("Fast Downward", kind, WORKS, purpose, _version("up-fast-downward"))
    if run.status in UNDECIDED:
        return Part("Fast Downward", kind, INSTALLED, purpose, run.message)
    command = fast_downward.INSTALL.replace("install", "install --force-reinstall", 1)
    return Part("Fast Downward", kind, BROKEN, purpose, run.message, command)


def has_driver_wheels(system: str, machine: str) -> bool:
    """Return whether `pip install unpuzzle` also installs Fast Downward on a system and machine."""
    return system in ("darwin", "win32") or (system, machine) == ("linux", "x86_64")


def _libraries() -> Iterator[Part]:
    """Try to import each required library, and yield it as a part of the installation."""
    for module, distribution, purpose in LIBRARIES:
        try:
            import_module(module)
        except Exception as error:
            gone = isinstance(error, ModuleNotFoundError) and error.name == module
            status, again = (MISSING, "") if gone else (BROKEN, "--force-reinstall ")
            message = "" if gone else _one_line(error)
            yield Part(distribution, BASE, status, purpose, message, f"pip install {again}{distribution}")
        else:
            yield Part(distribution, BASE, WORKS, purpose, _version(distribution))


def _version(distribution: str) -> str:
    try:
        return version_of(distribution)
    except PackageNotFoundError:
        return ""


def _extras() -> Iterator[Part]:
    """Yield each extra as a part of the installation; its message names the missing libraries."""
    for extra in EXTRAS.values():
        absent = extra.absent()
        if not absent:
            versions = ", ".join(f"{name} {_version(name)}".strip() for _, name in extra.libraries)
            yield Part(extra.name, EXTRA, INSTALLED, extra.gives, versions)
        else:
            some = f"without {listing(absent)}" if len(absent) < len(extra.libraries) else ""
            yield Part(extra.name, EXTRA, MISSING, extra.gives, some, extra.command())


def _others() -> Iterator[Part]:
    """Yield the optional programs and libraries that belong to no extra, as parts of the installation."""
    yield _program("C++ compiler", "compiles the core on systems without a wheel", _compiler, "g++")
    if sys.platform.startswith("linux"):
        yield _program(
            "Bubblewrap", "a further protection against untrusted code", lambda: which("bwrap"), "bubblewrap"
        )
    yield _modules("clingo", "grounds problems of tarski", "clingo")
    yield _modules("pytest and hypothesis", "tests of your own puzzles", "pytest", "hypothesis")
    engines = {package for package in ENGINE_PACKAGES.values() if package != "up-fast-downward"}
    for package in sorted(engines):
        if is_installed(package.replace("-", "_")):
            yield Part(package, OTHER, INSTALLED, "an engine of unified-planning", _version(package))
    for kind in registry.KINDS:
        reason = _absence(kind)
        if reason is not None and kind not in (*PLANNERS, "up", "cp-sat"):  # these are listed above
            message, _, command = reason.partition("; get them with: ")
            yield Part(f"planner {kind}", OTHER, MISSING, "an additional planner", message, command or None)


def _compiler() -> str | None:
    names = (os.environ.get("CXX", ""), *COMPILERS)
    return next((path for name in names if name and (path := which(name.split()[0]))), None)


def _program(name: str, purpose: str, look: Callable[[], str | None], package: str) -> Part:
    """Return a program as a part of the installation, with the command that installs it on this system."""
    place = look()
    if place is not None:
        return Part(name, OTHER, INSTALLED, purpose, place)
    if sys.platform == "darwin" and package == "g++":
        return Part(name, OTHER, MISSING, purpose, command="xcode-select --install")
    manager = next((manager for manager in BY_MANAGER if which(manager)), None)
    package = "gcc-c++" if (manager, package) == ("dnf", "g++") else package
    return Part(name, OTHER, MISSING, purpose, command=manager and BY_MANAGER[manager].format(package))


def _modules(name: str, purpose: str, *modules: str) -> Part:
    """Return several libraries, given by their module names, as one part of the installation."""
    absent = [module for module in modules if not is_installed(module)]
    if absent:
        return Part(name, OTHER, MISSING, purpose, command=f"pip install {' '.join(absent)}")
    return Part(name, OTHER, INSTALLED, purpose, ", ".join(f"{module} {_version(module)}" for module in modules))
