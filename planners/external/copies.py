"""Guardians that are forks of this process; starting a new Python for them takes ten times as long.

They are only for a process that exists for one run, and has one thread when the guardian starts.
"""

from __future__ import annotations

import os
from typing import Any

from unpuzzle.planners.external import guardian


class Copy:
    """A guardian that is a fork of this process, with the interface of `subprocess.Popen`."""

    def __init__(self, pid: int, stdin: int, stdout: int, stderr: int | None) -> None:
        self.pid = pid
        self.stdin: Any = os.fdopen(stdin, "wb", buffering=0)
        self.stdout: Any = os.fdopen(stdout, "rb", buffering=0)
        self.stderr: Any = None if stderr is None else os.fdopen(stderr, "rb", buffering=0)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, once it has ended."""
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                self.returncode = 0
                return 0
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def start_copy(words: list[str], folder: str, environment: dict[str, str], split: bool) -> Copy:
    """Start a guardian with arguments; `split` keeps the program's standard output apart from its standard error."""
    pipes = [os.pipe() for _ in range(3 if split else 2)]
    (told, tell), (output, printed), *others = pipes
    complained = others[0][1] if others else printed
    try:
        pid = guardian.copied(words, (told, printed, complained), folder, environment)
    except BaseException:
        for end in (tell, output, *[error for error, _ in others]):
            os.close(end)
        raise
    finally:
        for end in {told, printed, complained}:
            os.close(end)
    return Copy(pid, tell, output, others[0][0] if others else None)
