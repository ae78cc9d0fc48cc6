"""Try an installed unpuzzle as a user without a clone or a compiler would.

    python scripts/releasing/try_wheel.py           the unpuzzle of this Python, from any folder

The core is there and was installed, not found in a clone; the commands `unpuzzle solve` and `unpuzzle plan` answer with
an optimal plan; a page and generated levels are made. The exit code is 1, with a sentence, if one of these fails. Needs
nothing but Python and unpuzzle itself; `scripts/releasing/wheel` and the workflow for wheels call it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

COMPILERS = ("c++", "g++", "clang++", "cl", "cmake")
COMMANDS: tuple[tuple[list[str], dict[str, object]], ...] = (
    (["solve", "boxup", "1"], {"status": "solved_optimally", "cost": 5, "planner": "native"}),
    (["pddl", "boxup", "1", "--output", "."], {}),
    (["plan", "domain.pddl", "problem.pddl"], {"status": "solved_optimally", "cost": 5, "planner": "native"}),
    (["solve", "hanoi", "3", "--planner", "reference"], {"status": "solved_optimally", "cost": 7}),
    (["check", "lights-out", "3x3"], {"same": True, "states": 512}),
    (["generate", "boxup", "--size", "3x3", "--count", "1", "--workers", "1"], {}),
    (["play", "boxup", "1", "-o", "level.html"], {}),
    (["list"], {}),
)
"""Command lines, and parts of their expected JSON."""


def main() -> int:
    """Try everything; return the exit code."""
    fault = core_fault()
    environment = os.environ | {"PATH": sysconfig.get_path("scripts"), "PYTHONPATH": ""}
    near = [name for name in COMPILERS if shutil.which(name, path=environment["PATH"])]
    if near:
        fault = fault or f"{', '.join(near)} would be found: this environment is not an empty one"
    with tempfile.TemporaryDirectory() as folder:
        for words, expected in COMMANDS:
            fault = fault or command_fault(words, expected, folder, environment)
    print(fault or f"{len(COMMANDS)} commands answer as they should, without a compiler")
    return 1 if fault else 0


def core_fault() -> str:
    """Return the fault of the compiled core, or an empty text."""
    try:
        from unpuzzle.planners.native import _core
    except ImportError as error:
        return f"the core is not there: {error}"
    place = Path(_core.__file__).resolve()
    installed = [Path(sysconfig.get_path(name)).resolve() for name in ("platlib", "purelib")]
    return "" if any(map(place.is_relative_to, installed)) else f"the core is no installed one: {place}"


def command_fault(words: list[str], expected: dict[str, object], folder: str, environment: dict[str, str]) -> str:
    """Return the fault in the answer to a command line, or an empty text."""
    program = shutil.which("unpuzzle", path=environment["PATH"])
    if program is None:
        return "there is no program unpuzzle"
    done = subprocess.run(
        [program, *words, "--json"], cwd=folder, env=environment, capture_output=True, check=False, encoding="utf-8"
    )
    line = f"unpuzzle {' '.join(words)}"
    if done.returncode:
        return f"{line} ends with exit code {done.returncode}: {done.stdout}{done.stderr}"
    answer = json.loads(done.stdout)
    wrong = {name: answer.get(name) for name, value in expected.items() if answer.get(name) != value}
    return f"{line} answers {wrong}, not {expected}" if wrong else ""


if __name__ == "__main__":
    sys.exit(main())
