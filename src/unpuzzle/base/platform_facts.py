"""Queries to the operating system about this process, the machine and other processes.

Systems differ here, so all such queries are in this module:

    memory      `resident_memory`, `peak_memory`, `forget_peak_memory` of this process, `usable_memory` of the machine
    processors  `usable_processors`
    library     `uses_musl`
    pipes       `opened_at_once`, `may_wait`, `awaited`: reading what nobody may ever write or close
    processes   `process_start`, `process_environment`, `process_namespace`, `receive_signals`

`availability.py` lists the systems with each facility, and its substitute elsewhere. Nothing is cached: each call looks
at the system again. Two scripts that run in separate processes import nothing of ours and query for themselves:
`src/unpuzzle/processes/guardian.py` and `processes/walls.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from unpuzzle.base.type_hints import Any, BinaryIO

WAITING = 50
"""Milliseconds between two checks of the limits while a pipe is empty."""
PROC = "/proc"
"""The folder with Linux's data on processes."""
MEMORY_OF_GROUP = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""The files with the memory limit of a container on Linux, in the two versions of cgroups."""


def resident_memory() -> int:
    """Return how many bytes of memory this process uses now."""
    try:
        from os import sysconf

        with open(f"{PROC}/self/statm", "rb") as file:
            return int(file.read().split()[1]) * sysconf("SC_PAGE_SIZE")
    except (OSError, ImportError):
        import psutil

        return int(psutil.Process().memory_info().rss)


def peak_memory() -> int | None:
    """Return the highest number of bytes that this process has used; None if the system does not report it.

    On Linux `ru_maxrss` also counts the memory of the parent process, so it is used only elsewhere.
    """
    try:
        with open(f"{PROC}/self/status", "rb") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(b"VmHWM:")) * 1024
    except (OSError, StopIteration):
        pass  # not on Linux
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return None
    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def forget_peak_memory() -> bool:
    """Reset the recorded peak memory of this process to its present memory; return whether the system supports this."""
    try:
        with open(f"{PROC}/self/clear_refs", "wb", buffering=0) as file:
            file.write(b"5")
    except OSError:
        return False
    return True


def usable_memory() -> int:
    """Return the memory of the machine in bytes, or the memory limit of the container if that is lower."""
    return min(_machine_memory(), *_container_limits())


def _machine_memory() -> int:
    """Return the memory of the machine in bytes."""
    try:
        from os import sysconf

        return sysconf("SC_PHYS_PAGES") * sysconf("SC_PAGE_SIZE")
    except (ImportError, ValueError, OSError):
        import psutil

        return int(psutil.virtual_memory().total)


def _container_limits() -> Iterator[int]:
    """Yield the memory limits of the container in bytes, first a huge number that means "no limit"."""
    yield sys.maxsize
    for path in MEMORY_OF_GROUP:
        try:
            with open(path, "rb") as file:
                yield int(file.read())
        except (OSError, ValueError):
            pass  # no container, or `max`


def usable_processors() -> int:
    """Return the number of processors that this process may use, as reported by the system."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def uses_musl() -> bool:
    """Return whether this Python uses musl, the C library of Alpine Linux, for which fewer wheels exist."""
    from sysconfig import get_config_var

    return "musl" in str(get_config_var("SOABI"))


def process_start(pid: int) -> int | None:
    """Return a number that identifies when a process started; None if the process has ended."""
    from os.path import exists

    if exists(f"{PROC}/self/stat"):
        try:
            with open(f"{PROC}/{pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            return None
        return None if fields[0] in (b"Z", b"X") else int(fields[19])
    import psutil

    try:
        return int(psutil.Process(pid).create_time())
    except psutil.Error:
        return None


RUN = "UNPUZZLE_RUN"
"""The environment variable that marks the processes of a run."""


def process_environment(pid: int, variable: str) -> bytes:
    """Return the environment variables of a process; on a system without `/proc`, return only the one named `variable`.

    Raises OSError and psutil's errors if the process has ended or is another user's.
    """
    from os.path import exists

    if exists(f"{PROC}/self/environ"):  # three times as quick as psutil, and done at the end of every run
        with open(f"{PROC}/{pid}/environ", "rb") as file:
            return file.read()
    import psutil

    return str(psutil.Process(pid).environ().get(variable, "")).encode()


def process_namespace() -> str:
    """Return the name of the machine and, on Linux, the name of the namespace of process ids."""
    import os

    try:
        space = os.readlink(f"{PROC}/self/ns/pid")
    except OSError:
        space = ""
    machine = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return f"{machine} {space}"


def receive_signals() -> None:
    """Reset inherited settings that ignore or block signals; while SIGCHLD is ignored, child exit codes are lost."""
    import signal

    if hasattr(signal, "pthread_sigmask"):
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())


def opened_at_once(path: str, flags: int) -> int:
    """Open a file without waiting, even a pipe without a writer; this is an `opener` for `open`."""
    import os

    if not (hasattr(os, "O_NONBLOCK") and hasattr(os, "set_blocking")):
        return os.open(path, flags)
    file = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(file, True)
    return file


def may_wait(file: BinaryIO) -> bool:
    """Return whether reading a file may block until another process writes; False if that cannot be detected."""
    from os import fstat
    from stat import S_ISREG

    try:
        if S_ISREG(fstat(file.fileno()).st_mode):
            return False
    except (OSError, ValueError):  # no file of the system
        return False
    import select

    return hasattr(select, "poll")


def awaited(file: Any, most: int, look: Callable[[], None]) -> bytes:
    """Return the next bytes of a pipe; while there are none, call `look` repeatedly, which may raise an exception."""
    from select import POLLIN, poll

    ready = poll()
    ready.register(file, POLLIN)
    while not ready.poll(WAITING):
        look()
    return bytes(file.read1(most))
