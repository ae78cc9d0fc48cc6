"""The server of a worker: a process that starts a child process for each call, one at a time.

It loads the module of the function that is called, once, calls its `prepare()`, if there is one, and then copies
itself (`fork`) for each call, which takes two milliseconds, where a new Python that loads the same takes a hundred.
Where copies are not safe (macOS) or not possible (Windows), and where a call asks for it since its whole time is to be
measured, it gets such a new Python. The server has one thread, so that a copy has everything it needs.

Its standard input brings calls, its standard output takes what becomes of them. The end of the input, or SIGTERM, ends
the call and then the server. A call is asked to end, so that it can end what it has started, and a little later killed.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Pipe, wait
from time import monotonic
from typing import Any, BinaryIO, NoReturn, cast

import psutil

from unpuzzle.base.outcomes import CANCELLED, MEMOUT, TIMEOUT
from unpuzzle.processes import worker
from unpuzzle.processes.worker import Call, CallOutcome, ToldToEnd, children_seconds, work

# The tolerance, in seconds and as a factor of the memory limit, before a call is ended from outside.
PATIENCE_OF_TIME, PATIENCE_OF_MEMORY = 0.1, 1.02
FOR_THE_END, FOR_A_TIDY_END = 0.1, 1.5  # seconds from SIGTERM to SIGKILL, after a limit and after a cancellation
CLOSEST, LOOKING = 0.002, 0.05  # seconds between two looks at a process: near its memory limit, and at most
APPETITE = 2 << 30  # the most bytes a second by which a process may grow
# The most bytes of output before the file is emptied, and the bytes kept of its beginning and of its end.
MOST_PRINTED, KEPT_PRINTED = 32 << 20, 1 << 18
LOADED = ("ctypes", "resource", "shutil", "shlex")  # modules that each copy would otherwise load
PREPARE = "prepare"  # the optional function of a module that is called once, before the first copy


def serve() -> None:
    """Answer the calls that arrive on standard input, until the input ends."""
    requests, answers = worker.private_streams()
    worker.listen()
    gc.set_threshold(50_000)
    for module in LOADED:
        with suppress(ImportError):
            import_module(module)
    worker.kernel_prctl()
    with suppress(ToldToEnd, EOFError, OSError):
        while True:
            call: Call = pickle.load(requests)  # noqa: S301  # of the process that started this one
            pickle.dump(_Running(call, requests).outcome(), answers)
            answers.flush()


def _load(call: Call) -> None:
    """Load the modules that a call needs, so that each copy of this process has them."""
    if all(name in sys.modules for name in (call.module, *call.preload)):
        return
    for name in (*call.preload, call.module):
        if name not in sys.modules:
            with suppress(Exception):  # the call itself tells what is wrong
                getattr(import_module(name), PREPARE, bool)()
    gc.collect()
    gc.freeze()  # objects that are never visited again stay shared by all copies


class _Running:
    """A call in progress, from its start to its `CallOutcome`."""

    def __init__(self, call: Call, requests: BinaryIO) -> None:
        self._call, self._requests = call, requests
        self._memory, self._cpu = [inf if most is None else most for most in (call.memory, call.cpu)]
        self._answer: bytes | None = None
        self._parts: list[bytes] = []
        self._limit = ""
        self._peak = self._resident = 0
        self._reports, self._reporting = Pipe(duplex=False)
        self._watched: psutil.Process | None = None

    def outcome(self) -> CallOutcome:
        """Make the call, and return how it ended."""
        copied = sys.platform.startswith("linux")
        if copied and not self._call.fresh:
            _load(self._call)
        used, start = children_seconds(), monotonic()
        with _file_for_output() as printed:
            target = become_new_python if copied and self._call.fresh else work
            given = self._reporting, printed.fileno() if copied else None, os.getpid(), self._call
            process: Any = (Copy if copied else get_context("spawn").Process)(target=target, args=given)
            try:
                process.start()
                self._reporting.close()
                self._watch(process, printed, start)
            except ToldToEnd:
                self._limit = CANCELLED
                raise
            finally:
                if process.pid is not None:
                    self._bury(process)
                self._reports.close()
            text = _printed(printed)
        wall, cpu = monotonic() - start, children_seconds() - used
        ended = self._answer, self._limit, process.exitcode, wall, cpu, self._peak or None, text
        return CallOutcome(*ended, parts=tuple(self._parts))

    def _watch(self, process: Any, printed: BinaryIO, start: float) -> None:
        """Wait until the call has answered, or until the process of the call has ended or must be ended."""
        end = start + (inf if self._call.time is None else self._call.time + PATIENCE_OF_TIME)
        sources: list[Any] = [self._reports, *([self._requests] if os.name == "posix" else [])]
        while self._answer is None and not self._limit:
            # The less memory is left, the shorter the pause.
            pause = min(LOOKING, max(CLOSEST, (self._memory - self._resident) / APPETITE))
            ready: list[Any] = wait(sources, max(min(pause, end - monotonic()), 0))
            # One that has ended may have left the pipe to others.
            if not (self._hear() if self._reports in ready else process.is_alive()):
                return
            if self._requests in ready or (os.name != "posix" and not psutil.pid_exists(os.getppid())):
                raise ToldToEnd  # nothing comes while a call is made: it is the end of the input
            if monotonic() >= end:
                self._limit = TIMEOUT
            elif self._answer is None and min(self._memory, self._cpu) < inf:
                self._look(process.pid)
            if os.fstat(printed.fileno()).st_size > MOST_PRINTED:
                os.ftruncate(printed.fileno(), 0)

    def _hear(self) -> bool:
        """Receive all messages that have arrived from the call; return whether its end of the pipe is still open."""
        try:
            while self._reports.poll():
                is_answer, value, peak = pickle.loads(self._reports.recv_bytes())  # noqa: S301  # of our own process
                if is_answer:
                    self._answer, self._peak = value, max(self._peak, peak)
                else:
                    self._parts.append(value)
        except (EOFError, OSError):
            return False
        return True

    def _look(self, pid: int) -> None:
        """Measure the process, and record the limit that it has exceeded, if any."""
        with suppress(psutil.Error):
            watched = self._watched = self._watched or psutil.Process(pid)
            self._resident = watched.memory_info().rss
            self._peak = max(self._peak, self._resident)
            if self._peak > self._memory * PATIENCE_OF_MEMORY:
                self._limit = MEMOUT
            if sum(watched.cpu_times()[:4]) > self._cpu + PATIENCE_OF_TIME:
                self._limit = TIMEOUT

    def _bury(self, process: Any) -> None:
        """End the process of the call if it still runs, and receive its last messages."""
        if self._answer is None and process.is_alive():
            process.terminate()
        until = monotonic() + (FOR_THE_END if self._limit in (TIMEOUT, MEMOUT) else FOR_A_TIDY_END)
        while process.is_alive() and monotonic() < until:
            process.join(0.05)
            self._hear()
        if process.is_alive():
            process.kill()
        process.join()
        self._hear()


def _file_for_output() -> BinaryIO:
    """Return an unnamed temporary file or, on a full disk, a file that discards all data."""
    try:
        return cast("BinaryIO", tempfile.TemporaryFile("ab+", buffering=0))
    except OSError:
        return open(os.devnull, "w+b", buffering=0)


def _printed(file: BinaryIO) -> str:
    """Return the printed output; if the output is long, only the beginning and the end."""
    size = os.fstat(file.fileno()).st_size
    left_out = max(size - 2 * KEPT_PRINTED, 0)
    file.seek(0)
    head = file.read(KEPT_PRINTED)
    file.seek(len(head) + left_out)
    return worker.shortened(head, left_out, file.read()).decode("utf-8", "replace")


class Copy:
    """A copy of this process (`fork`) that calls a function and ends.

    It replaces `multiprocessing.Process`, with the members that the server needs. It does less, and so takes a
    third of the time: what `multiprocessing` tidies up is not there in a copy of the server.

    Attributes:
        pid, exitcode: of the copy; None before it starts and before it has ended.
    """

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...]) -> None:
        self.pid: Any = None
        self.exitcode: int | None = None
        self._target, self._args = target, args

    def start(self) -> None:
        """Fork the copy, with signals blocked, because the copy must not return to the code that forked it."""
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD))
        try:
            self.pid = os.fork()
            if self.pid == 0:
                self._live()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM, signal.SIGHUP))  # `join` waits for SIGCHLD

    def _live(self) -> NoReturn:
        """Make the call in the copied process, and end this process in any case."""
        code = 1
        try:
            os.setpgid(0, 0)
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            self._target(*self._args)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError, AttributeError):
                    stream.flush()
            os._exit(code)

    def _wait(self, options: int) -> Any:
        """Wait for the end of the copy, but do not reap it yet, so that its process id is not reused."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | options)

    def is_alive(self) -> bool:
        """Return whether the copy still runs."""
        return self._wait(os.WNOHANG) is None

    def join(self, seconds: float | None = None) -> None:
        """Wait up to `seconds` for the end of the copy; by default, wait until it has ended, then kill its group."""
        if seconds is not None:
            signal.sigtimedwait((signal.SIGCHLD,), seconds)
            return
        self._wait(0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGCHLD,))
        with suppress(OSError):  # nothing is left, or it ended before it led a group
            os.killpg(self.pid, signal.SIGKILL)
        self.exitcode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def terminate(self) -> None:
        """Ask the copy to end."""
        os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """End the copy at once."""
        os.kill(self.pid, signal.SIGKILL)


def become_new_python(reports: Any, printed: int, server: int, call: Call) -> None:
    """Replace this copy of the server by a new Python process without loaded modules, which makes the call."""
    words = os.memfd_create("call", 0)
    os.write(words, pickle.dumps((server, call)))
    os.lseek(words, 0, os.SEEK_SET)
    for standard, file in enumerate((words, reports.fileno(), printed)):
        os.dup2(file, standard)
    python = worker.python_words(worker.begin.__module__, worker.begin.__name__)
    os.execv(python[0], python)  # noqa: S606
