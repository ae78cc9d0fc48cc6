"""The server of `apart.py`: the process that starts the processes of calls, one at a time.

It loads the module of the function that is called, once, calls its `prepare()`, if there is one, and then copies
itself (`fork`) for each call, which takes two milliseconds, where a new Python that loads the same takes a hundred.
Where copies are not safe (macOS) or not possible (Windows), each call gets such a new Python. It has one thread, so
that a copy has everything it needs; `prepare()` leaves none behind.

Its standard input brings calls, its standard output takes what becomes of them. The end of the input, or SIGTERM, ends
the call that is running and then the server: so nothing goes on when its owner is killed. Should the server itself be
killed, the kernel ends the call (on Linux; elsewhere the call goes on to its end).

A call is told to end by SIGTERM, so that it can end what it has started, and a little later killed.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, Pipe, wait
from time import monotonic
from typing import Any, BinaryIO

import psutil

from unpuzzle.base.outcomes import CANCELLED, MEMOUT, TIMEOUT
from unpuzzle.working.apart_child import Told, get_ready, listen, way_to_start, work
from unpuzzle.working.calls import Call, Ending, Part

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
    """Answer calls on standard input until it ends."""
    requests, answers = _streams()
    listen()
    gc.set_threshold(50_000)
    for module in LOADED:
        with suppress(ImportError):
            import_module(module)
    get_ready()
    with suppress(Told, EOFError, OSError):
        while True:
            call: Call = pickle.load(requests)  # noqa: S301  # of the process that started this one
            ending = _Running(call, requests, answers).end()
            pickle.dump(ending, answers)
            answers.flush()


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the streams of calls and answers, which nothing else in this process can use."""
    requests, answers = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(null, standard)
    os.close(null)
    return requests, answers


class _Running:
    """One call in progress."""

    def __init__(self, call: Call, requests: BinaryIO, answers: BinaryIO) -> None:
        self._call, self._requests, self._answers = call, requests, answers
        self._answer: bytes | None = None
        self._limit = ""
        self._peak = self._resident = 0
        self._parts: Connection | None = None
        self._watched: psutil.Process | None = None

    def end(self) -> Ending:
        """Make the call, and return how it ended."""
        copied = sys.platform.startswith("linux")
        if copied and self._call.module not in sys.modules:
            with suppress(Exception):  # the call itself tells what is wrong with it
                getattr(import_module(self._call.module), PREPARE, bool)()
            gc.collect()
            gc.freeze()  # what is never looked at again stays common to all copies
        used, start = _children_seconds(), monotonic()
        with tempfile.TemporaryFile("ab+", buffering=0) as printed:
            self._parts, parts = Pipe(duplex=False)
            told = printed.fileno() if copied else None
            process = way_to_start()(target=work, args=(self._call, parts, told, os.getpid()))
            try:
                process.start()
                parts.close()
                self._watch(process, printed, start)
            except Told:
                self._limit = CANCELLED
                raise
            finally:
                if process.pid is not None:
                    self._bury(process)
                self._parts.close()
            text = _printed(printed)
        wall, cpu = monotonic() - start, _children_seconds() - used
        return Ending(self._answer, self._limit, process.exitcode, wall, cpu, self._peak or None, text)

    def _watch(self, process: Any, printed: BinaryIO, start: float) -> None:
        """Wait until the call has answered, or its process has ended or must end."""
        call, limited = self._call, self._call.memory is not None or self._call.cpu is not None
        end = None if call.time is None else start + call.time + PATIENCE_OF_TIME
        sources = [self._parts, process.sentinel, *([self._requests] if os.name == "posix" else [])]
        while self._answer is None:
            pause = self._pause() if limited else GLANCING
            ready: list[Any] = wait(sources, pause if end is None else max(min(pause, end - monotonic()), 0))
            if self._parts in ready and not self._receive():
                return
            if process.sentinel in ready and self._parts not in ready:
                return
            if self._requests in ready:
                raise Told  # nothing comes while a call is made: it is the end of the input
            if os.name != "posix" and not psutil.pid_exists(os.getppid()):
                raise Told
            if end is not None and monotonic() >= end:
                self._limit = TIMEOUT
            elif limited and self._answer is None:
                self._look(process.pid)
            if self._limit:
                return
            if os.fstat(printed.fileno()).st_size > MOST_PRINTED:
                os.ftruncate(printed.fileno(), 0)

    def _pause(self) -> float:
        """Return the seconds until the next look: fewer, the less memory is left."""
        if self._call.memory is None:
            return LOOKING
        return min(LOOKING, max(CLOSEST, (self._call.memory - self._resident) / APPETITE))

    def _receive(self) -> bool:
        """Receive a message of the call; return whether its end of the pipe is still open."""
        assert self._parts is not None
        try:
            kind, value, peak = pickle.loads(self._parts.recv_bytes())  # noqa: S301  # of our own process
        except (EOFError, OSError):
            return False
        if kind == "part":
            pickle.dump(Part(value), self._answers)
            self._answers.flush()
        else:
            self._answer, self._peak = value, max(self._peak, peak)
        return True

    def _look(self, pid: int) -> None:
        """Compare the process with its limits."""
        with suppress(psutil.Error):
            if self._watched is None:
                self._watched = psutil.Process(pid)
            watched = self._watched
            self._resident = watched.memory_info().rss
            self._peak = max(self._peak, self._resident)
            if self._call.memory is not None and self._peak > self._call.memory * PATIENCE_OF_MEMORY:
                self._limit = MEMOUT
            if self._call.cpu is not None and sum(watched.cpu_times()[:4]) > self._call.cpu + PATIENCE_OF_TIME:
                self._limit = TIMEOUT

    def _bury(self, process: Any) -> None:
        """End the process, if it has not ended, and receive its last messages."""
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
        """Receive all messages that are there, without waiting; the owner may be gone."""
        with suppress(OSError):
            while self._parts is not None and not self._parts.closed and self._parts.poll() and self._receive():
                pass


def _children_seconds() -> float:
    """Return the processor time of all processes that this one has started and waited for."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:
        return 0.0
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _printed(file: BinaryIO) -> str:
    """Return the output: all of it, or its beginning and end."""
    size = os.fstat(file.fileno()).st_size
    if not size:
        return ""
    file.seek(0)
    data = file.read(KEPT_PRINTED) if size > 2 * KEPT_PRINTED else file.read()
    if size > 2 * KEPT_PRINTED:
        file.seek(size - KEPT_PRINTED)
        data += f"\n[... {size - 2 * KEPT_PRINTED} bytes left out ...]\n".encode() + file.read()
    return data.decode("utf-8", "replace")
