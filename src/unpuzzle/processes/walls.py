"""Permanent restrictions of this process: its resources, files and system calls.

    limits       processor time, locked memory, open files; no files written, core dumps, processes (setrlimit)
    seccomp      only the system calls that computing needs
    landlock     only the files that Python itself needs, and only to read

The first works everywhere except on Windows, the others on Linux (x86-64 and ARM64), Landlock since 5.13;
`untrusted/sandbox.py` has a fourth. `close` returns the working ones. A script with foreign code runs this file
first, so it imports nothing of ours.

`program` writes the filter of system calls (classic BPF, for seccomp). The allowed calls read files that can be opened
anyway, allocate memory, tell the time, wait, and end. Some are allowed only with some arguments:

    open, openat                          to read
    fcntl, ioctl                          to describe a descriptor, copy it or close it on exec; not to name an owner
    kill, tgkill, sched_getaffinity       this process
    prlimit64                             this process, to ask

Calls that are newer than the list, or that libraries try before an older one, fail with ENOSYS, so that libraries use
the older one; all others fail with EPERM.
"""

from __future__ import annotations

import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BASIC = ("limits", "no_network", "no_processes", "files_closed")  # required to run the code, unless `unsafe`

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2  # from <linux/prctl.h> and <linux/seccomp.h>
READS = 1 << 2 | 1 << 3  # files, directories
WRITES = (1 << 1) | sum(1 << bit for bit in range(4, 13))  # write a file, remove and make anything
NEWER = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15))  # since which version: move files, cut them, command devices
CONNECTS = 3  # to listen, to connect; since version 4
SCOPES = 3  # sockets without a file, signals; since version 6


def close(request: dict[str, Any]) -> dict[str, bool]:
    """Apply all restrictions that the system supports; return by name which restrictions are in force."""
    limits = _limited(int(request["cpu_seconds"]))
    apart, files, calls = bool(request["namespaces"]), False, False
    if sys.platform.startswith("linux"):
        import ctypes  # late: we read this file, too, and put up no walls

        try:
            libc = ctypes.CDLL(None, use_errno=True)
            libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS; without it only root may put up the others
            files = _landlocked(libc)
            calls = _filtered(libc)
        except (OSError, AttributeError, ValueError):
            pass
    basic = {"limits": limits, "no_network": calls or apart, "no_processes": calls, "files_closed": files or apart}
    return {**basic, "namespaces": apart}


def _limited(cpu_seconds: int) -> bool:
    """Set resource limits of this process; return whether all of them are in force."""
    try:
        import resource
    except ImportError:
        return False
    # Root is not bound by all of them: hence the filter of calls.
    none = dict.fromkeys(("FSIZE", "CORE", "NPROC", "MEMLOCK", "MSGQUEUE"), 0)
    for name, bound in {"CPU": cpu_seconds, "NOFILE": 64, **none}.items():
        what = getattr(resource, f"RLIMIT_{name}", None)
        if what is not None:
            hard = resource.getrlimit(what)[1]
            least = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
            resource.setrlimit(what, (least, least))
    return True


def _filtered(libc: Any) -> bool:
    """Make the kernel filter the system calls of this process from now on; return whether the filter works."""
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
    """Make all files inaccessible from now on except the needed ones; return whether that worked."""
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
    for path in filter(os.path.exists, (os.getcwd(), *needed(), "/dev/urandom")):
        rights = READS if os.path.isdir(path) else READS & ~(1 << 3)
        folder = os.open(path, os.O_RDONLY)
        libc.syscall(445, ruleset, 1, ctypes.c_char_p(struct.pack("=Qi", rights, folder)), 0)
        os.close(folder)
    stands = libc.syscall(446, ruleset, 0) == 0
    os.close(ruleset)
    return bool(stands)


def needed() -> list[str]:
    """Return the folders with the files that Python and the system's libraries need."""
    prefix = [sys.base_prefix] if os.path.dirname(sys.base_prefix) != sys.base_prefix else []
    return [*prefix, os.path.dirname(os.__file__), "/usr/lib", "/usr/lib64", "/lib", "/lib64"]


# ---- the filter of system calls

Step = tuple[int, int, int, int]  # an operation, how many steps to skip if its test succeeds and if not, a number

# By name: the column in the tables below, and the kernel's number for it.
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

# The numbers of system calls on both machines, by name, the most frequent first.
# fmt: off
ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "write": (1, 64), "setitimer": (38, 103), "read": (0, 63), "mmap": (9, 222), "munmap": (11, 215), "brk": (12, 214),
    "futex": (202, 98), "close": (3, 57), "fstat": (5, 80), "newfstatat": (262, 79), "stat": (4, None),
    "lstat": (6, None), "statx": (332, 291), "lseek": (8, 62), "getdents64": (217, 61), "readlink": (89, None),
    "readlinkat": (267, 78), "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "getcwd": (79, 17), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "readv": (19, 65), "writev": (20, 66),
    "pread64": (17, 67), "close_range": (436, 436), "mprotect": (10, 226), "mremap": (25, 216), "madvise": (28, 233),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sigaltstack": (131, 132),
    "restart_syscall": (219, 128), "rseq": (334, 293), "set_robust_list": (273, 99), "sched_yield": (24, 124),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "nanosleep": (35, 101),
    "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153), "getitimer": (36, 102), "alarm": (37, None),
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "getpid": (39, 172),
    "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "getrandom": (318, 278), "uname": (63, 160), "sysinfo": (99, 179), "getrusage": (98, 165),
    "getrlimit": (97, 163), "exit": (60, 93), "exit_group": (231, 94),
}
CLOSER: dict[str, tuple[int | None, int | None]] = {
    "open": (2, None), "openat": (257, 56), "fcntl": (72, 25), "ioctl": (16, 29), "kill": (62, 129),
    "tgkill": (234, 131), "sched_getaffinity": (204, 123), "prlimit64": (302, 261),
}
ABSENT: dict[str, tuple[int | None, int | None]] = {"clone3": (435, 435), "openat2": (437, 437)}
# fmt: on

NEWEST = 462
# Flags of opening a file: to write, create, truncate, append, signal, keep the time of access, nameless.
CHANGING = 0o3 | 0o100 | 0o1000 | 0o2000 | 0o20000 | 0o1000000 | 0o20000000
DESCRIPTOR_COMMANDS = (0, 1, 2, 3, 1030)  # F_DUPFD F_GETFD F_SETFD F_GETFL F_DUPFD_CLOEXEC
DEVICE_COMMANDS = (0x5401, 0x5450, 0x5451)  # TCGETS FIONCLEX FIOCLEX

LOAD, EQUAL, ABOVE, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
NOT_PERMITTED, NO_SUCH_CALL = ERROR | 1, ERROR | 38
NUMBER, MACHINE = 0, 4  # offsets in the kernel's data: the call's number and the machine's; then arguments of 8 bytes


def program(machine: str, own: int) -> list[Step]:
    """Return the system call filter for a machine and process id `own`. Raises KeyError for an unknown machine."""
    column, number = MACHINES[machine]
    steps: list[Step] = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, number), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER)]
    for calls, answer in ((ALLOWED, ALLOW), (ABSENT, NO_SUCH_CALL)):
        for numbers in calls.values():
            if (call := numbers[column]) is not None:
                steps += [(EQUAL, 0, 1, call), (RETURN, 0, 0, answer)]
    for name, tests in _closer(own).items():
        if (call := CLOSER[name][column]) is not None:
            body = [*tests, (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, NOT_PERMITTED)]
            steps += [(EQUAL, 0, len(body), call), *body]
    # Far beyond the newest number is another set of calls, for 32-bit pointers; none of them is allowed.
    newer = [(ABOVE, 0, 2, NEWEST), (ABOVE, 1, 0, 0x3FFFFFFF), (RETURN, 0, 0, NO_SUCH_CALL)]
    return [*steps, *newer, (RETURN, 0, 0, NOT_PERMITTED)]


def _closer(own: int) -> dict[str, list[Step]]:
    """Return, by system call, the filter steps that test the call's arguments and allow or refuse the call."""
    # Of the third argument of `prlimit64`, an address, both halves must be 0: nothing is set.
    asks = [(LOAD, 0, 0, _low(2)), (EQUAL, 0, 5, 0), (LOAD, 0, 0, _low(2) + 4), (EQUAL, 0, 3, 0)]
    return {
        "openat": [(LOAD, 0, 0, _low(2)), (ANY_BIT, 1, 0, CHANGING)],
        "open": [(LOAD, 0, 0, _low(1)), (ANY_BIT, 1, 0, CHANGING)],
        "fcntl": _one_of(1, DESCRIPTOR_COMMANDS),
        "ioctl": _one_of(1, DEVICE_COMMANDS),
        "kill": _one_of(0, (own,)),
        "tgkill": _one_of(0, (own,)),
        "sched_getaffinity": _one_of(0, (0, own)),
        "prlimit64": [*asks, *_one_of(0, (0,))],
    }


def _low(argument: int) -> int:
    """Return the offset of the lower half of a system call's argument; it comes first on both supported processors."""
    return 16 + 8 * argument


def _one_of(argument: int, values: tuple[int, ...]) -> list[Step]:
    """Return filter steps that allow a call only if the lower half of an argument, as an int, is one of the values."""
    last = len(values) - 1
    tests = [(EQUAL, last - i, 1 if i == last else 0, value) for i, value in enumerate(values)]
    return [(LOAD, 0, 0, _low(argument)), *tests]
