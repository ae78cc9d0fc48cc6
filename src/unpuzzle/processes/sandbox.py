"""A sandbox: a child process in which a script of this project runs untrusted code.

The script first puts up the kernel's walls (`walls.py`), for good, and then runs the code. If Bubblewrap
(https://github.com/containers/bubblewrap) is installed and may make namespaces, as root or another user, the process
is *isolated*, too: it sees no other processes, and only the files that it needs. It is a program with limits like any
other (`program.py`), but inherits no environment.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from typing import Any

from unpuzzle.base.availability import has
from unpuzzle.processes import walls
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.program import ProgramEnd, run_program

WALLS = os.path.abspath(walls.__file__)
LACKING = {
    "limits": "sets no limits to processor time",
    "no_network": "does not close the network to the code",
    "no_processes": "does not keep the code from starting processes",
    "files_closed": "does not keep the code from your files",
}
"""The missing protection on a system without each wall."""
REQUEST = "request.json"
BUBBLEWRAP = "bwrap"
_SIGNALLED = 128


def run_script(script: str, request: Mapping[str, Any], *, user: str, isolated: bool) -> tuple[ProgramEnd, bool]:
    """Run a script in a directory with a request file; return how the script ended, and whether it was isolated.

    The script gets the path of `walls.py`. It is isolated if that is wanted and Bubblewrap is here.
    """
    isolated = isolated and has("walls") and shutil.which(BUBBLEWRAP) is not None
    with PrivateDirectory({REQUEST: json.dumps({**request, "namespaces": isolated})}, planner=user) as directory:
        start = isolation(directory.path, script) if isolated else [sys.executable]
        end = run_program([*start, "-I", "-S", "-B", script, WALLS], directory, split=True, bare=True)
    if isolated and end.exit_code is not None and end.exit_code > _SIGNALLED:
        end = end.replace(signal=end.exit_code - _SIGNALLED, exit_code=None)  # how Bubblewrap reports a signal
    return end, isolated


def isolation(folder: str, script: str) -> list[str]:
    """Return the first part of a command that runs Python in isolation; append the arguments for Python.

    It can write in `folder`, and read the script, Python and the system's libraries.
    """
    # the file of this Python itself, which a virtual environment only links to
    python = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    options = [BUBBLEWRAP, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--dev", "/dev"]
    for path in dict.fromkeys((*walls.needed(), "/etc/ld.so.cache", python, script, WALLS)):
        options += ["--ro-bind-try", path, path]
    return [*options, "--bind", folder, folder, "--chdir", folder, "--", python]
