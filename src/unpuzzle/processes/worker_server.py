"""The server of a worker: a process that starts a child process for each call, one at a time.

It loads the module of the function that is called, once, calls its `prepare()`, if there is one, and then copies
itself (`fork`) for each call, which takes two milliseconds, where a new Python that loads the same takes a hundred.
Where copies are not safe (macOS) or not possible (Windows), and where a call asks for it since its whole time is to be
measured, it gets such a new Python. The server has one thread, so that a copy has everything it needs; `prepare()`
leaves none behind.

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
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Pipe, wait
from time import monotonic
from typing import Any, BinaryIO, NoReturn, cast

import psutil

from unpuzzle.base.outcomes import CANCELLED, MEMOUT, TIMEOUT
from unpuzzle.processes.own_python import private_streams, python_words, shortened
from unpuzzle.processes.worker import Call, CallOutcome
from unpuzzle.processes.worker_child import ToldToEnd, begin, children_seconds, kernel_prctl, listen, work

PATIENCE_OF_TIME, PATIENCE_OF_MEMORY = 0.1, 1.02
"""The tolerance, in seconds and as a factor of the memory limit, before a call is ended from outside."""
FOR_THE_END, FOR_A_TIDY_END = 0.1, 1.5
"""The seconds from SIGTERM to SIGKILL, after a limit and after a cancellation."""
CLOSEST, LOOKING, GLANCING = 0.002, 0.05, 0.5
"""The seconds between two looks at a process: near its memory limit, with limits, without limits."""
APPETITE = 2 << 30
"""The most bytes a second by which a process may grow."""
MOST_PRINTED, KEPT_PRINTED = 32 << 20, 1 << 18
"""The most bytes of output before the file is emptied, and the bytes kept of its beginning and of its end."""
LOADED = ("ctypes", "resource", "shutil", "shlex")
"""The modules that each copy would otherwise load."""
PREPARE = "prepare"
"""The optional function of a module that is called once, before the first copy."""


def serve() -> None:
    """Answer the calls that arrive on standard input, until the input ends."""
    requests, answers = private_streams()
    listen()
    gc.set_threshold(50_000)
    for module in LOADED:
        with suppress(ImportError):
            import_module(module)
    kernel_prctl()
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
        self._memory = inf if call.memory is None else call.memory
        self._cpu = inf if call.cpu is None else call.cpu
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
            told = printed.fileno() if copied else None
            given = self._reporting, told, os.getpid(), self._call
            process = way_to_start(self._call.fresh)(target=work, args=given)
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
        sources = [self._reports, process.sentinel, *([self._requests] if os.name == "posix" else [])]
        while self._answer is None and not self._limit:
            ready: list[Any] = wait(sources, max(min(self._pause(), end - monotonic()), 0))
            ended = not self._receive() if self._reports in ready else process.sentinel in ready
            if ended:
                return
            if self._requests in ready or (os.name != "posix" and not psutil.pid_exists(os.getppid())):
                raise ToldToEnd  # nothing comes while a call is made: it is the end of the input
            if monotonic() >= end:
                self._limit = TIMEOUT
            elif self._answer is None and min(self._memory, self._cpu) < inf:
                self._look(process.pid)
            if os.fstat(printed.fileno()).st_size > MOST_PRINTED:
                os.ftruncate(printed.fileno(), 0)

    def _pause(self) -> float:
        """Return the seconds until the next measurement; the less memory is left, the shorter the pause."""
        longest = LOOKING if min(self._memory, self._cpu) < inf else GLANCING
        return min(longest, max(CLOSEST, (self._memory - self._resident) / APPETITE))

    def _receive(self) -> bool:
        """Receive a message from the call; return whether the call's end of the pipe is still open."""
        try:
            is_answer, value, peak = pickle.loads(self._reports.recv_bytes())  # noqa: S301  # of our own process
        except (EOFError, OSError):
            return False
        if is_answer:
            self._answer, self._peak = value, max(self._peak, peak)
        else:
            self._parts.append(value)
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
            wait([process.sentinel], 0.05)
            self._hear()
        if process.is_alive():
            process.kill()
        process.join()
        self._hear()

    def _hear(self) -> None:
        """Receive all messages that have arrived, without waiting; ignore an OSError of the pipe."""
        with suppress(OSError):
            while self._reports.poll() and self._receive():
                pass


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
    return shortened(head, left_out, file.read()).decode("utf-8", "replace")


class Copy:
    """A copy of this process (`fork`) that calls a function and ends.

    It replaces `multiprocessing.Process`, with the members that the server needs. It does less, and so takes a
    third of the time: what `multiprocessing` tidies up is not there in a copy of the server.

    Attributes:
        pid, exitcode: of the copy; None before it starts and before it has ended.
        sentinel: a descriptor that is ready when the copy has ended.
    """

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...]) -> None:
        self.pid: int | None = None
        self.exitcode: int | None = None
        self.sentinel: int = -1
        self._target, self._args = target, args

    def start(self) -> None:
        """Fork the copy, with signals blocked, because the copy must not return to the code that forked it."""
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGHUP))
        try:
            self.pid = os.fork()
            if self.pid == 0:
                self._live(heard)
            self.sentinel = os.pidfd_open(self.pid)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)

    def _live(self, heard: Iterable[int]) -> NoReturn:
        """Make the call in the copied process, and end this process in any case."""
        code = 1
        try:
            os.setpgid(0, 0)
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)
            self._begin()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError, AttributeError):
                    stream.flush()
            os._exit(code)

    def _begin(self) -> None:
        self._target(*self._args)

    def is_alive(self) -> bool:
        """Return whether the copy still runs; do not reap it yet, so that its process id is not reused."""
        return os.waitid(os.P_PIDFD, self.sentinel, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def join(self) -> None:
        """Wait until the copy has ended, and kill the rest of its process group."""
        assert self.pid is not None
        os.waitid(os.P_PIDFD, self.sentinel, os.WEXITED | os.WNOWAIT)
        with suppress(OSError):  # nothing is left, or it ended before it led a group
            os.killpg(self.pid, signal.SIGKILL)
        self.exitcode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.sentinel)

    def terminate(self) -> None:
        """Ask the copy to end."""
        signal.pidfd_send_signal(self.sentinel, signal.SIGTERM)

    def kill(self) -> None:
        """End the copy at once."""
        signal.pidfd_send_signal(self.sentinel, signal.SIGKILL)


class NewPython(Copy):
    """A copy of this process that replaces itself at once by a new Python process without loaded modules."""

    def _begin(self) -> None:
        """Replace this process by a new Python process, which makes the call."""
        reports, printed, *rest = self._args
        words = os.memfd_create("call", 0)
        os.write(words, pickle.dumps(rest))
        os.lseek(words, 0, os.SEEK_SET)
        for standard in (1, 2):
            os.dup2(printed, standard)
        os.set_inheritable(reports.fileno(), True)
        python = python_words(begin.__module__, begin.__name__, str(words), str(reports.fileno()))
        os.execv(python[0], python)  # noqa: S606


def way_to_start(fresh: bool = False) -> Callable[..., Any]:
    """Return the class that starts processes: `Copy` on Linux since 5.4, otherwise `NewPython`."""
    if not sys.platform.startswith("linux"):
        return get_context("spawn").Process
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (OSError, AttributeError):
        return get_context("spawn").Process if fresh else get_context("fork").Process
    return NewPython if fresh else Copy
