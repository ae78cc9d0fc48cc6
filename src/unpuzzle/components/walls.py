"""Put permanent walls around this process.

    limits       processor time, locked memory, open files; no files written, core dumps, processes (setrlimit)
    seccomp      only the system calls that computing needs (`system_calls.py`)
    landlock     only the files that Python itself needs, and only to read

The first works everywhere except on Windows, the others on Linux (x86-64 and ARM64), Landlock since 5.13; `sandbox.py`
has a fourth. `close` returns the working ones. Like `child.py`, which runs this file first, it imports nothing of ours.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BASIC = ("limits", "no_network", "no_processes", "files_closed")
"""The walls required to run the code, unless `unsafe`."""

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2  # from <linux/prctl.h> and <linux/seccomp.h>
READS = 1 << 2 | 1 << 3  # files, directories
WRITES = (1 << 1) | sum(1 << bit for bit in range(4, 13))  # write a file, remove and make anything
NEWER = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15))  # since which version: move files, cut them, command devices
CONNECTS = 3  # to listen, to connect; since version 4
SCOPES = 3  # sockets without a file, signals; since version 6


def close(request: dict[str, Any], program: Callable[[str, int], list[tuple[int, int, int, int]]]) -> dict[str, bool]:
    """Put up as many walls as the system has; return the working ones. `program` writes the filter of system calls."""
    limits = _limited(int(request["cpu_seconds"]))
    apart, files, calls = bool(request["namespaces"]), False, False
    if sys.platform.startswith("linux"):
        import ctypes  # late: we read this file, too, and put up no walls

        try:
            libc = ctypes.CDLL(None, use_errno=True)
            libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS; without it only root may put up the others
            files = _landlocked(libc)
            calls = _filtered(libc, program)
        except (OSError, AttributeError, ValueError):
            pass
    return {
        "limits": limits,
        "no_network": calls or apart,
        "no_processes": calls,
        "files_closed": files or apart,
        "namespaces": apart,
    }


def _limited(cpu_seconds: int) -> bool:
    try:
        import resource
    except ImportError:
        return False
    # Root is not bound by all of them: hence the filter of calls.
    most = {
        "CPU": cpu_seconds, "FSIZE": 0, "CORE": 0, "NOFILE": 64, "NPROC": 0, "MEMLOCK": 0, "MSGQUEUE": 0,
    }  # fmt: skip
    for name, bound in most.items():
        what = getattr(resource, f"RLIMIT_{name}", None)
        if what is not None:
            hard = resource.getrlimit(what)[1]
            least = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
            resource.setrlimit(what, (least, least))
    return True


def _filtered(libc: Any, program: Callable[[str, int], list[tuple[int, int, int, int]]]) -> bool:
    """Let the kernel filter system calls from now on; return whether it does."""
    import ctypes

    try:
        steps = program(os.uname().machine, os.getpid())
    except KeyError:
        return False
    if sys.byteorder != "little" or struct.calcsize("P") != 8:
        return False
    # The kernel's `struct sock_filter`: 16 bits of code, two jumps of 8 bits, 32 bits of operand, without padding.
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    # `struct sock_fprog`: the number of steps and, padded to its size, their address. The kernel copies both at once.
    header = struct.pack("@HP", len(steps), ctypes.addressof(code))
    return bool(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(header), 0, 0) == 0)


def _landlocked(libc: Any) -> bool:
    """Make files inaccessible from now on; return whether that worked."""
    import ctypes

    version = libc.syscall(444, None, 0, 1)
    if version < 1:
        return False
    writes = WRITES | sum(right for since, right in NEWER if version >= since)
    handled = struct.pack("=QQQ", READS | writes, CONNECTS, SCOPES)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = libc.syscall(444, ctypes.c_char_p(handled), size, 0)
    if ruleset < 0:
        return False
    for path in (os.getcwd(), *needed(), "/dev/urandom"):
        _opened(libc, ruleset, path)
    stands = libc.syscall(446, ruleset, 0) == 0
    os.close(ruleset)
    return bool(stands)


def needed() -> list[str]:
    """Return the folders with Python's own files and libraries."""
    prefix = [sys.base_prefix] if os.path.dirname(sys.base_prefix) != sys.base_prefix else []
    return [*prefix, os.path.dirname(os.__file__), "/usr/lib", "/usr/lib64", "/lib", "/lib64"]


def _opened(libc: Any, ruleset: int, path: str) -> None:
    import ctypes

    if not os.path.exists(path):
        return
    rights = READS if os.path.isdir(path) else READS & ~(1 << 3)
    folder = os.open(path, os.O_RDONLY)
    libc.syscall(445, ruleset, 1, ctypes.c_char_p(struct.pack("=Qi", rights, folder)), 0)
    os.close(folder)
