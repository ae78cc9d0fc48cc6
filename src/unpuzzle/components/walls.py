"""Walls around a process: what it may not do from now on, asked of the kernel. Never to be taken down again.

    limits       processor time, size of files, no core dumps, no more processes (setrlimit)
    seccomp      no new processes or programs, no network, no signals to others, no change of who may do what
    landlock     writes in no directory but its own, reads only what Python itself needs

The first is everywhere but on Windows, the others on Linux (x86-64 and ARM64), Landlock since 5.13. `close` says which
of them stand. `child.py` runs this file before it runs what others wrote, so it imports nothing of ours.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# fmt: off
REFUSED = {
    "x86_64": (
        0xC000003E,
        (
            41, 53, 42,  # socket socketpair connect
            57, 58, 59, 322,  # fork vfork execve execveat
            101, 310, 311, 434, 424, 438,  # ptrace process_vm_readv process_vm_writev pidfd_*
            160, 302, 112, 109,  # setrlimit prlimit64 setsid setpgid
            272, 308, 165, 166, 161, 169,  # unshare setns mount umount2 chroot reboot
            425, 321, 298, 323,  # io_uring_setup bpf perf_event_open userfaultfd
            90, 91, 268, 452, 92, 93, 94, 260, 188,  # chmod and chown and their kin, setxattr
            129, 297,  # rt_sigqueueinfo rt_tgsigqueueinfo
        ),
        {"clone": 56, "clone3": 435, "signals": (62, 200, 234)},
    ),
    "aarch64": (
        0xC00000B7,
        (
            198, 199, 203,
            221, 281,
            117, 270, 271, 434, 424, 438,
            164, 261, 157, 154,
            97, 268, 40, 39, 51, 142,
            425, 280, 241, 282,
            52, 53, 452, 54, 55, 5,
            138, 240,
        ),
        {"clone": 220, "clone3": 435, "signals": (129, 130, 131)},
    ),
}
# fmt: on
"""By machine: its number in the kernel, the system calls that are refused, and those that are looked at closer."""

LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
NOT_PERMITTED, NO_SUCH_CALL = 1, 38
CLONE_THREAD = 0x10000

READS = 1 << 2 | 1 << 3  # files, directories
WRITES = (1 << 1) | sum(1 << bit for bit in range(4, 13))  # write a file, remove and make anything
NEWER = ((2, 1 << 13), (3, 1 << 14))  # since which version: move between directories, cut files


def close(request: dict[str, Any]) -> dict[str, bool]:
    """Put up all walls that can be had; says which stand."""
    limits = _limited(int(request["cpu_seconds"]))
    files = calls = False
    if sys.platform.startswith("linux"):
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS, without which only root may put up the others
            files = _landlocked(libc)
            calls = _filtered(libc)
        except (OSError, AttributeError, ValueError):
            pass
    return {"limits": limits, "no_network": calls, "no_processes": calls, "files_closed": files}


def _limited(cpu_seconds: int) -> bool:
    try:
        import resource
    except ImportError:
        return False
    wanted = [(resource.RLIMIT_CPU, cpu_seconds), (resource.RLIMIT_FSIZE, 1 << 20), (resource.RLIMIT_CORE, 0)]
    if hasattr(resource, "RLIMIT_NPROC"):
        wanted.append((resource.RLIMIT_NPROC, 0))  # root is not bound by it: hence the filter of calls
    for what, most in wanted:
        hard = resource.getrlimit(what)[1]
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (bound, bound))
    return True


def _filtered(libc: Any) -> bool:
    """Whether the kernel looks at system calls from now on."""
    if os.uname().machine not in REFUSED:
        return False
    program = _program(*REFUSED[os.uname().machine], os.getpid())
    steps = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    header = struct.pack("@HP", len(program), ctypes.addressof(steps))
    return bool(libc.prctl(22, 2, ctypes.c_char_p(header), 0, 0) == 0)


def _program(
    machine: int, refused: tuple[int, ...], closer: dict[str, Any], own: int
) -> list[tuple[int, int, int, int]]:
    """The filter (classic BPF): each step is an operation, how many steps to skip if true or false, and a number."""
    steps = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, machine), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    for call in refused:
        steps += [(EQUAL, 0, 1, call), (RETURN, 0, 0, ERROR | NOT_PERMITTED)]
    steps += [(EQUAL, 0, 1, closer["clone3"]), (RETURN, 0, 0, ERROR | NO_SUCH_CALL)]
    tests = [(closer["clone"], ANY_BIT, CLONE_THREAD)]
    tests += [(call, EQUAL, own) for call in closer["signals"]]
    for call, test, number in tests:  # 16: the lower half of the first argument
        steps += [(EQUAL, 0, 4, call), (LOAD, 0, 0, 16), (test, 0, 1, number), (RETURN, 0, 0, ALLOW)]
        steps += [(RETURN, 0, 0, ERROR | NOT_PERMITTED)]
    return [*steps, (RETURN, 0, 0, ALLOW)]


def _landlocked(libc: Any) -> bool:
    """Whether files are out of reach from now on."""
    version = libc.syscall(444, None, 0, 1)
    if version < 1:
        return False
    writes = WRITES | sum(right for since, right in NEWER if version >= since)
    handled = ctypes.c_char_p(struct.pack("=Q", READS | writes))
    ruleset = libc.syscall(444, handled, 8, 0)
    if ruleset < 0:
        return False
    needed = [sys.base_prefix, os.path.dirname(os.__file__), "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/dev/urandom"]
    for path, rights in [(os.getcwd(), READS | writes), *((path, READS) for path in needed)]:
        _opened(libc, ruleset, path, rights)
    done = libc.syscall(446, ruleset, 0) == 0
    os.close(ruleset)
    return bool(done)


def _opened(libc: Any, ruleset: int, path: str, rights: int) -> None:
    if not os.path.exists(path):
        return
    if not os.path.isdir(path):
        rights &= ~(1 << 3)
    folder = os.open(path, os.O_RDONLY)
    libc.syscall(445, ruleset, 1, ctypes.c_char_p(struct.pack("=Qi", rights, folder)), 0)
    os.close(folder)
