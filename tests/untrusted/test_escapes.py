"""Code that tries to get out of the sandbox, past Python's own functions and past the hook that watches them.

Each escape is a component of its own, and does little harm should it succeed. All are tried behind the walls of the
kernel alone, and within Bubblewrap's, too.
"""

import ctypes
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from support.walls import has_basic_walls
from unpuzzle.untrusted import sandbox as sandbox_module
from unpuzzle.untrusted.sandbox import Budget, Outcome, Sandbox

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() not in ("x86_64", "aarch64"),
    reason="walls that only Linux has",
)

SETTING = """
import ctypes, errno, os, sys

X86 = os.uname().machine == "x86_64"

def unwatched():
    # Anything in this process can be changed by code that runs in it, so the hook is no wall.
    frame = sys._getframe()
    while not hasattr(frame.f_locals.get("self"), "acts"):
        frame = frame.f_back
    frame.f_locals["self"].acts.watching = False
    return ctypes.CDLL(None, use_errno=True)

def tried(result):
    return result if result != -1 else errno.errorcode[ctypes.get_errno()]

def call(x86, arm, *arguments):
    libc = unwatched()
    longs = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return tried(libc.syscall(ctypes.c_long(x86 if X86 else arm), *longs))

def born(process):
    # A process that should not be there ends at once.
    if process == 0: os._exit(0)
    return process

def read(path):
    unwatched()
    try:
        with open(path) as file: return file.read()
    except OSError as error: return errno.errorcode[error.errno]
"""

ESCAPES = {
    "a pipe that signals its owner": "libc = unwatched(); ends = (ctypes.c_int * 2)(); return tried(libc.pipe(ends))",
    "the output gets another owner": "libc = unwatched(); return tried(libc.fcntl(1, 8, parent))",
    "the output signals by another signal": "libc = unwatched(); return tried(libc.fcntl(1, 10, 9))",
    "the output becomes asynchronous": "libc = unwatched(); return tried(libc.fcntl(1, 4, 0o20000))",
    "the output becomes asynchronous by ioctl": "return call(16, 29, 1, 0x5452, ctypes.byref(ctypes.c_int(1)))",
    "times of a file": "libc = unwatched(); return tried(libc.utime(file.encode(), None))",
    "times of a file by utimensat": "return call(280, 88, -100, file.encode(), None, 0)",
    "an access list for a file": "libc = unwatched(); acl = bytes.fromhex('02000000 01000700ffffffff 04000700ffffffff"
    " 10000700ffffffff 20000700ffffffff'); return tried(libc.lsetxattr(file.encode(), b'system.posix_acl_access', acl,"
    " len(acl), 0))",
    "the mode of a file": "libc = unwatched(); return tried(libc.chmod(file.encode(), 0o777))",
    "a file is cut": "libc = unwatched(); return tried(libc.truncate(file.encode(), 0))",
    "a file is removed": "libc = unwatched(); return tried(libc.unlink(file.encode()))",
    "a file gets another name": "libc = unwatched(); return tried(libc.rename(file.encode(), file.encode() + b'2'))",
    "a link to a file": "libc = unwatched(); return tried(libc.symlink(b'/', file.encode() + b'3'))",
    "a file is written": "libc = unwatched(); return tried(libc.open(file.encode(), 1))",
    "a file is opened to write by openat2": "return call(437, 437, -100, file.encode(),"
    " ctypes.byref((ctypes.c_uint64 * 3)(1, 0, 0)), 24)",
    "a file without a name": "libc = unwatched(); return tried(libc.open(b'.', 0o20200002, 0o600))",
    "its own folder is filled": "libc = unwatched(); return tried(libc.open(b'much', 0o101, 0o600))",
    "folders without end": "libc = unwatched(); return tried(libc.mkdir(b'deep', 0o700))",
    "a private file": "return read(file)",
    "the user's files": "return read('/etc/passwd')",
    "the environment of the parent": "return read(f'/proc/{parent}/environ')",
    "the memory of the parent": "return read(f'/proc/{parent}/mem')",
    "its own memory": "return read('/proc/self/maps')",
    "the folder of the parent": "libc = unwatched(); return tried(libc.readlink(f'/proc/{parent}/cwd'.encode(),"
    " ctypes.create_string_buffer(99), 99))",
    "tracing the parent": "libc = unwatched(); return tried(libc.ptrace(0x4206, parent, None, None))",
    "reading the parent": "return call(310, 270, parent, None, 0, None, 0, 0)",
    "shared memory that stays": "libc = unwatched(); return tried(libc.shmget(key, 4096, 0o1600))",
    "a queue that stays": "libc = unwatched(); return tried(libc.msgget(key, 0o1600))",
    "semaphores that stay": "libc = unwatched(); return tried(libc.semget(key, 1, 0o1600))",
    "a queue with a name": "return call(240, 180, b'no such queue', 0o2, 0o600, None)",
    "a key of the kernel's": "return call(248, 217, b'user', b'unpuzzle', b'x', 1, -3)",
    "the keys of the session": "return call(250, 219, 0, -3, 0, 0, 0)",
    "the priority of the parent": "libc = unwatched(); return tried(libc.setpriority(0, parent, 19))",
    "the scheduling of the parent": "libc = unwatched(); return tried(libc.sched_setscheduler(parent, 3,"
    " ctypes.byref(ctypes.c_int(0))))",
    "the processors of the parent": "libc = unwatched(); return tried(libc.sched_setaffinity(parent, 8,"
    " ctypes.byref(ctypes.c_uint64(1))))",
    "where the parent may run": "libc = unwatched(); return tried(libc.sched_getaffinity(parent, 8,"
    " ctypes.byref(ctypes.c_uint64(0))))",
    "the disk of the parent": "return call(251, 30, 1, parent, 3 << 13)",
    "the limits of the parent": "return call(302, 261, parent, 7, ctypes.byref((ctypes.c_uint64 * 2)(999, 999)), None)",
    "its own limits": "return call(302, 261, 0, 7, ctypes.byref((ctypes.c_uint64 * 2)(1000, 1000)), None)",
    "a signal to the parent": "libc = unwatched(); return tried(libc.kill(parent, 0))",
    "a signal to all": "libc = unwatched(); return tried(libc.kill(-1, 0))",
    "a signal to the group": "libc = unwatched(); return tried(libc.kill(0, 0))",
    "a signal by a descriptor": "return call(434, 434, parent, 0)",
    "a queued signal": "unwatched(); return call(129, 138, parent, 10, ctypes.create_string_buffer(128))",
    "a socket without a name": "libc = unwatched(); return tried(libc.socket(1, 1, 0))",
    "a socket to the network": "libc = unwatched(); return tried(libc.socket(2, 1, 0))",
    "a pair of sockets": "libc = unwatched(); return tried(libc.socketpair(1, 1, 0, (ctypes.c_int * 2)()))",
    "watching files": "libc = unwatched(); return tried(libc.inotify_init())",
    "watching all files": "return call(300, 262, 0, 0)",
    "a file in memory": "libc = unwatched(); return tried(libc.memfd_create(b'x', 0))",
    "a secret file in memory": "return call(447, 447, 0)",
    "a process": "libc = unwatched(); return born(tried(libc.fork()))",
    "a bomb of processes": "return [born(call(57, 220, 17, 0, 0, 0, 0)) for _ in range(100)]",
    "a process by clone3": "return born(call(435, 435, ctypes.byref((ctypes.c_uint64 * 11)(0, 0, 0, 0, 17)), 88))",
    "a thread": "unwatched(); import _thread\n    try: return _thread.start_new_thread(print, ()) and 'started'\n"
    "    except RuntimeError: return 'EPERM'",
    "a program": "libc = unwatched(); return tried(libc.execv(b'/bin/true', (ctypes.c_char_p * 2)(b'true', None)))",
    "a session": "libc = unwatched(); return tried(libc.setsid())",
    "a namespace": "libc = unwatched(); return tried(libc.unshare(0x10000000))",
    "a mount": "libc = unwatched(); return tried(libc.mount(b'x', b'.', b'no such kind', 0, None))",
    "a handle of a file": "return call(303, 264, -100, file.encode(), None, None, 0)",
    "an asynchronous ring": "return call(425, 425, 1, None)",
    "a program of the kernel's": "return call(321, 280, 0, None, 0)",
    "counters of the kernel's": "return call(298, 241, None, 0, -1, -1, 0)",
    "page faults": "return call(323, 282, 0)",
    "another root": "libc = unwatched(); return tried(libc.chroot(b'.'))",
    "another folder": "libc = unwatched(); return tried(libc.chdir(b'/'))",
    "another user": "libc = unwatched(); return tried(libc.setuid(0))",
    "the clock": "libc = unwatched(); return tried(libc.adjtimex(ctypes.create_string_buffer(512)))",
    "the name of the machine": "libc = unwatched(); return tried(libc.sethostname(None, -1))",
    "the log of the kernel": "libc = unwatched(); return tried(libc.klogctl(3, None, 0))",
    "its death signal": "libc = unwatched(); return tried(libc.prctl(1, 0, 0, 0, 0))",
    "memory that is locked": "libc = unwatched(); return tried(libc.mlockall(3))",
    "calls with short pointers": "return call(0x40000000 + 39, 1 << 30, 0)",
}
REFUSED = {"EPERM", "ENOSYS", "EACCES"}
HIDDEN = {
    *("a private file", "the user's files", "the environment of the parent", "the memory of the parent"),
    *("its own memory", "the folder of the parent"),
}
"""Within Bubblewrap they are not even there."""
BUDGET = Budget(call=5.0, load=10.0, run=60.0, total=600.0, memory=512 << 20, fatal=1)


class Outside:
    """What the escapes are after: a private file, and this process, which is their parent's."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o777)
        self.file = folder / "private"
        self.file.write_text("the secret")
        self.file.chmod(0o600)
        self.key = int.from_bytes(os.urandom(3), "big") + 1

    def state(self) -> dict[str, Any]:
        text = self.file.read_text()  # before the time of access is looked at
        about, this = self.file.stat(), psutil.Process()
        return {
            "names": sorted(os.listdir(self.file.parent)),
            "text": text,
            "file": (about.st_mode, about.st_mtime_ns, about.st_atime_ns, about.st_size),
            "attributes": os.listxattr(self.file),
            "nice": this.nice(),
            "processors": this.cpu_affinity(),
            "disk": this.ionice(),
            "limits": this.rlimit(psutil.RLIMIT_NOFILE),
            "shared": [self.shared(what) for what in ("shmget", "msgget", "semget")],
        }

    def shared(self, what: str) -> int:
        """-1 where nobody has made what is shared under our key."""
        call = getattr(ctypes.CDLL(None), what)
        return int(call(self.key, 0) if what == "msgget" else call(self.key, 0, 0))


@pytest.fixture(scope="module", params=[False, True], ids=["walls of the kernel", "within bubblewrap"])
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Outcome]]:
    """What became of all escapes; nothing outside may have changed."""
    if request.param and not shutil.which(sandbox_module.BUBBLEWRAP):
        pytest.skip("Bubblewrap is not installed")
    if not has_basic_walls():
        pytest.skip("this kernel has not all walls")
    outside = Outside(tmp_path_factory.mktemp("outside"))
    code = SETTING
    for number, body in enumerate(ESCAPES.values()):
        code += f"def escape_{number}(file, parent, key):\n    {body}\n"
    arguments = [str(outside.file), os.getpid(), outside.key]
    calls = [{"function": f"escape_{number}", "arguments": arguments, "named": {}} for number in range(len(ESCAPES))]
    before = outside.state()
    with pytest.MonkeyPatch.context() as patch:
        if not request.param:
            patch.setattr(sandbox_module, "BUBBLEWRAP", "no-such-program")
        sandbox = Sandbox(code, "theirs.py", [], BUDGET)
        found = sandbox.outcomes(calls)
    if request.param and not sandbox.walls["namespaces"]:
        pytest.skip("Bubblewrap may not make namespaces here")
    assert sandbox.walls == {**dict.fromkeys(sandbox.walls, True), "namespaces": request.param}
    assert all(found)
    yield dict(zip(ESCAPES, found, strict=True))  # type: ignore[arg-type]
    assert outside.state() == before


@pytest.mark.parametrize("escape", ESCAPES)
def test_an_escape_is_refused(outcomes: dict[str, Outcome], escape: str) -> None:
    outcome = outcomes[escape]
    assert outcome.fault == "", outcome.message
    answers = outcome.fields["value"] if isinstance(outcome.fields["value"], list) else [outcome.fields["value"]]
    assert set(answers) <= (REFUSED | {"ENOENT"} if escape in HIDDEN else REFUSED)
