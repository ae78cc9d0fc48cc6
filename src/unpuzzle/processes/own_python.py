"""Start a Python process that runs code of unpuzzle, and describe how a process ended. Imports only from `base`.

    popen = start_python("unpuzzle.processes.pool", "serve", *words)       then talk to it by its input and output

It finds the modules that this process finds. It gets our environment without `PYTHON*`, whose values may be for ours
alone, and its own session: Ctrl-C is for its owner alone.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

from unpuzzle.base.errors import WorkersFailed
from unpuzzle.base.outcomes import CANCELLED, MEMOUT, TIMEOUT
from unpuzzle.base.type_hints import TYPE_CHECKING, BinaryIO
from unpuzzle.processes.guardian import use_null

if TYPE_CHECKING:  # a task that starts no process does without it
    import subprocess

REACHED = {
    CANCELLED: "the run was cancelled",
    TIMEOUT: "the time limit was reached",
    MEMOUT: "the memory limit was reached",
}  # by status, the words for the end of a process


def environment() -> dict[str, str]:
    """Return the environment of this process without the variables that change the behaviour of Python."""
    return {name: value for name, value in os.environ.items() if not name.upper().startswith("PYTHON")}


def python_code(module: str, function: str) -> str:
    """Return the text of a Python program that calls a function of unpuzzle."""
    return f"import sys; sys.path[:] = {sys.path!a}; from {module} import {function}; {function}()"


def python_words(module: str, function: str, *words: str) -> list[str]:
    """Return the command line of a Python process that calls a function of unpuzzle, with `words` in `sys.argv`."""
    # Without -P the working directory is on its path, and what lies there would hide modules of Python's own.
    return [sys.executable, "-P", "-c", python_code(module, function), *words]


def start_python(module: str, function: str, *words: str) -> subprocess.Popen[bytes]:
    """Start the process of `python_words`. Raises WorkersFailed if that is impossible."""
    import subprocess

    try:
        return subprocess.Popen(  # noqa: S603
            python_words(module, function, *words),
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except (OSError, ValueError) as error:
        raise WorkersFailed(f"no process can be started: {error}") from error


def end_python(leader: subprocess.Popen[bytes], patience: float = 0) -> None:
    """Close the input of a process that `start_python` started; kill its session if it has not ended in `patience`."""
    import subprocess

    with suppress(OSError):
        if leader.stdin is not None:
            leader.stdin.close()
    if patience:
        with suppress(subprocess.TimeoutExpired):
            leader.wait(patience)
            return
    import psutil

    for pid in psutil.pids() if hasattr(os, "getsid") else ():  # before the id of the session can be another one's
        with suppress(OSError):
            if os.getsid(pid) == leader.pid:
                os.kill(pid, signal.SIGKILL)
    leader.kill()
    leader.wait()


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return this process's standard input and output, and hide them from all other code in this process."""
    streams = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    use_null(0, 1)
    return streams


def signal_name(number: int) -> str:
    """Return the name of a signal, such as `SIGSEGV`."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def how_it_ended(exit_code: int | None) -> str:
    """Return a phrase on how a process ended, such as `ended with exit code 1`; negative codes are signals."""
    if exit_code is None:
        return "ended"
    return f"was ended by {signal_name(-exit_code)}" if exit_code < 0 else f"ended with exit code {exit_code}"


def shortened(head: bytes, left_out: int, tail: bytes) -> bytes:
    """Return the beginning and the end of a long output, with the number of bytes left out between them."""
    return head + (f"\n[... {left_out} bytes left out ...]\n".encode() if left_out else b"") + tail
