"""Bubblewrap, where it is installed and allowed: a process that sees no others, and no files but those that it needs.

The program `bwrap` (https://github.com/containers/bubblewrap) makes namespaces for it, as root or as any user.
"""

from __future__ import annotations

import os
import shutil
import sys

from unpuzzle.components.walls import needed

PROGRAM = "bwrap"


def begins_apart(folder: str, ours: str) -> list[str]:
    """Return how a command begins whose rest, arguments of Python, runs apart; empty where Bubblewrap is not installed.

    It can write in `folder`, and read `ours`, Python and the system's libraries.
    """
    program = shutil.which(PROGRAM) if sys.platform.startswith("linux") else None
    if program is None:
        return []
    python = interpreter()
    options = [program, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--dev", "/dev"]
    for path in dict.fromkeys((*needed(), "/etc/ld.so.cache", python, ours)):
        options += ["--ro-bind-try", path, path]
    return [*options, "--bind", folder, folder, "--chdir", folder, "--", python]


def interpreter() -> str:
    """Return the file of this Python itself, which a virtual environment only links to."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
