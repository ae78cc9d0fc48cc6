"""The guardian: a small process between unpuzzle and a program; it ends the program and all its descendants.

    python -I -S -B guardian.py REPORT OWNER SECONDS MEMORY PROCESSOR PATIENCE FOLDER LOCALE PROGRAM ARGUMENTS...

It ends the program at the first of these events: the program ends; we ask for it (a byte on standard input); we are
gone (the end of standard input, and a death signal if the system has one); it is asked to end (SIGTERM, SIGHUP,
SIGINT); or SECONDS are over, in case we are stuck.

On Linux it is the *subreaper* of the program: a descendant that loses its parent becomes its child. A descendant that
forks twice, starts a session and clears its environment is still found, and "no child is left" means that all are gone.
Elsewhere the guardian ends the program's process group.

    owner  ─  guardian  ─  one between  ─  program  ─  ...

A program may stop or kill its parent. On Linux that is a copy of this process, which ends as the program ends: the
guardian continues it, or ends all. Where the guardian itself is stopped, its owner continues it, and so does the
owner's death (the death signal is SIGCONT); from then on it kills without patience. A program that kills both, or
stops the guardian all the time while the owner is killed, escapes: only another user or a container prevents that.

The kernel limits each process of the program to MEMORY bytes of address space and PROCESSOR seconds, even when the
guardian is gone; and a death signal comes if the guardian is killed. When we are gone, the guardian removes FOLDER. A
limit of `-` means none. LOCALE is the variable LC_CTYPE, which Python itself sets if it is missing (`-`).

A line on the descriptor REPORT says how it ended: `ended CODE SECONDS BYTES TIMED_OUT CHILDLESS`, where CODE is
negative for a signal, SECONDS is processor time, BYTES the peak memory of one process (0: unknown), and CHILDLESS
whether all descendants of the program are known to have ended; or `failed ERRNO`. This script imports nothing of ours,
and has one thread, so it may run Python between fork and exec. On Linux the install compiles `guardian.cpp`, which does
the same and starts in a twentieth of the time.
"""

from __future__ import annotations

import os
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from typing import Any
else:  # `signal` itself makes enumerations of all names, which takes half as long as Python's start
    import _signal as signal

SET_DEATH_SIGNAL, SET_SUBREAPER = 1, 36  # of prctl
HEARD = ("SIGTERM", "SIGHUP", "SIGINT", "SIGCONT")
STOPS = 100  # of children, in one look at them
LINUX = sys.platform.startswith("linux")
NO_MEMORY = 12
KILLING = 10.0  # seconds of repeated killing: a process that we may not kill must not block us for ever
BURYING = 0.5  # seconds until the system has given us another parent after ours has ended


class Guardian:
    """The guardian process of one program: it starts the program, and ends it with all its descendants."""

    def __init__(self, words: list[str]) -> None:
        report, owner, seconds, self._memory, self._processor, patience, *rest = words
        self._folder, self._locale, *self._command = rest
        self._report, self._owner, self._patience = int(report), int(owner), float(patience)
        self._deadline = time.monotonic() + float(seconds) if seconds != "-" else None
        self._prctl = prctl()
        self._program = 0  # or the process between
        self._code, self._used, self._peak = -signal.SIGKILL, 0.0, 0
        self._ended = self._timed_out = self._orphaned = self._stopped = self._childless = False

    def run(self) -> None:
        """Start the program, wait until it ends or must be ended, end all descendants, and report."""
        os.set_inheritable(self._report, False)
        self._prctl(SET_SUBREAPER, 1)
        self._prctl(SET_DEATH_SIGNAL, signal.SIGCONT)  # it wakes whom somebody stopped
        bell = self._listen()
        guardian = os.getpid()
        self._program = os.fork()
        if self._program == 0:
            (self._stand_between if LINUX else self._become_the_program)(guardian)
        use_null(1, 2)  # so that the output ends as soon as the program's processes have closed it
        self._wait(bell)
        self._end()
        self._tell()
        if self._orphaned:
            self._tidy()

    def _listen(self) -> int:
        """Make each signal write a byte to a pipe, so that `select` notices it and no system call is interrupted."""
        wakeups, bell = os.pipe()
        for end in (wakeups, bell):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for name in HEARD:
            signal.signal(getattr(signal, name), self._be_told)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())  # our owner may block some
        return wakeups

    def _be_told(self, number: int, _: object) -> None:
        continued = number == signal.SIGCONT and os.getppid() == self._owner
        self._stopped, self._orphaned = self._stopped or continued, self._orphaned or not continued

    def _stand_between(self, guardian: int) -> None:
        """Run as the intermediate process: start the program as a child, wait, and end as the program ended."""
        signal.set_wakeup_fd(-1)
        self._prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
        between = os.getpid()
        program = os.fork() if os.getppid() == guardian else -1  # else the guardian was killed before that
        if program == 0:
            self._become_the_program(between)
        use_null(0, 1, 2)
        code = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1]) if program > 0 else -signal.SIGKILL
        if code < 0:
            import resource

            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            _receive_all_signals()
            os.kill(between, -code)
        raise SystemExit(code)

    def _become_the_program(self, parent: int) -> None:
        """Replace this process by the program, after undoing all settings that the program must not inherit."""
        try:
            os.setsid()
            self._prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
            if os.getppid() != parent:  # it was killed before that
                return
            _receive_all_signals()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            if self._locale == "-":
                os.environ.pop("LC_CTYPE", None)
            for name, most in (("RLIMIT_CPU", self._processor), ("RLIMIT_AS", self._memory)):
                if most != "-" and (LINUX or name != "RLIMIT_AS"):
                    lower_limit(name, int(most))
            os.execv(self._command[0], self._command)  # noqa: S606
        except (OSError, MemoryError) as error:
            os.write(self._report, b"failed %d\n" % (getattr(error, "errno", None) or NO_MEMORY))
        finally:
            os.kill(os.getpid(), signal.SIGKILL)

    def _wait(self, wakeups: int) -> None:
        """Wait until the program has ended or must be ended."""
        while not self._ended and not self._orphaned:
            left = None if self._deadline is None else self._deadline - time.monotonic()
            if left is not None and left <= 0:
                self._timed_out = True
                return
            ready = select.select([0, wakeups], [], [], left)[0]
            if wakeups in ready:
                os.read(wakeups, 4096)
                self._reap()
            if 0 in ready:  # the end of the file: the parent has died; a byte: it asks to end the program
                self._orphaned = os.read(0, 1) == b""
                return

    def _reap(self) -> None:
        """Collect the exit statuses of children; if the intermediate process was stopped, continue it."""
        stops = 0
        while not self._childless and stops < STOPS:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG | os.WUNTRACED)
            except ChildProcessError:
                self._childless = True
                return
            if pid == 0:
                return
            if os.WIFSTOPPED(status):
                if pid == self._program:
                    _try(os.kill, pid, signal.SIGCONT)
                stops += 1
                continue
            self._used += usage.ru_utime + usage.ru_stime
            if pid == self._program:
                self._ended, self._code, self._peak = True, os.waitstatus_to_exitcode(status), _peak(usage)

    def _end(self) -> None:
        """End the remaining processes: by SIGTERM, later by SIGKILL; at once if this guardian is stopped."""
        self._reap()
        if not self._childless:
            self._strike(signal.SIGTERM)
        for seconds, number, longest in ((self._patience, 0, 0.02), (KILLING, signal.SIGKILL, 0.2)):
            end, pause = time.monotonic() + seconds, 0.001
            while not self._childless and time.monotonic() < end and (number or not self._stopped):
                if number:  # repeated: processes born during the last round come next
                    self._strike(number)
                time.sleep(pause)
                pause = min(2 * pause, longest)
                self._reap()

    def _strike(self, number: int) -> None:
        for pid in _descendants():
            _try(os.kill, pid, number)
        if not self._ended:  # its process id is still valid
            _try(os.kill if LINUX else os.killpg, self._program, number)  # the process between ends with the program

    def _tell(self) -> None:
        line = f"ended {self._code:d} {self._used} {self._peak} {self._timed_out:d} {self._childless:d}\n"
        _try(os.write, self._report, line.encode())

    def _tidy(self) -> None:
        """Remove the program's folder if the process that owns it has ended; a running owner removes it itself."""
        end = time.monotonic() + BURYING
        while os.getppid() == self._owner:
            if time.monotonic() > end:
                return
            time.sleep(0.01)
        if self._folder != "-":
            from shutil import rmtree

            rmtree(self._folder, ignore_errors=True)


def use_null(*standard: int) -> None:
    """Redirect the given standard streams to the null device."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in standard:
        os.dup2(null, stream)
    os.close(null)


def lower_limit(name: str, most: int) -> None:
    """Set a resource limit of this process, unless a lower limit is set already. Raises OSError, ImportError."""
    import resource

    what = getattr(resource, name)
    hard = resource.getrlimit(what)[1]
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (bound, bound))


def _receive_all_signals() -> None:
    """Reset all settings that ignore or block signals, because a program would inherit these settings."""
    for number in signal.valid_signals():
        _try(signal.signal, number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def prctl() -> Any:
    """Return a function that calls `prctl` of Linux; on other systems, a function that does nothing."""
    if LINUX:
        try:
            import ctypes

            call = ctypes.CDLL(None).prctl
            return lambda option, value: call(option, ctypes.c_ulong(value), 0, 0, 0)
        except (ImportError, OSError, AttributeError):
            pass
    return lambda option, value: None


def _peak(usage: Any) -> int:
    """Return the program's peak of resident memory in bytes; 0 if the value may stem from before its start."""
    try:
        # On Linux our own `ru_maxrss` may come from the process that started us, such as a Python with large data.
        with open("/proc/self/status", "rb") as file:
            own = next(int(line.split()[1]) for line in file if line.startswith(b"VmHWM:"))
    except (OSError, StopIteration):
        import resource

        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    unit = 1 if sys.platform == "darwin" else 1024
    return int(usage.ru_maxrss * unit) if usage.ru_maxrss > own else 0


def _descendants() -> list[int]:
    """Return all descendants of this process; empty on a system without processes in `/proc`."""
    below: dict[int, list[int]] = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    for name in filter(str.isdigit, names):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):  # it has ended meanwhile
            continue
        below.setdefault(parent, []).append(int(name))
    family = [os.getpid()]
    for pid in family:
        family += below.get(pid, [])
    return family[1:]


def _try(call: Any, *arguments: Any) -> None:
    try:
        call(*arguments)
    except OSError:
        pass  # the process has ended, or belongs to another user


if __name__ == "__main__":
    Guardian(sys.argv[1:]).run()
