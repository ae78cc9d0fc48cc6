"""The server of a worker: the process that starts the processes of calls, one at a time.

It loads the module of the function that is called, once, calls its `prepare()`, if there is one, and then copies
itself (`fork`) for each call, which takes two milliseconds, where a new Python that loads the same takes a hundred.
Where copies are not safe (macOS) or not possible (Windows), each call gets such a new Python. It has one thread, so
that a copy has everything it needs; `prepare()` leaves none behind.

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
from functools import cache
from importlib import import_module
from math import ceil
from multiprocessing import get_context
from multiprocessing.connection import Connection, Pipe, wait
from time import monotonic
from typing import Any, BinaryIO, NoReturn, cast

import psutil

from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import CANCELLED, MEMOUT, TIMEOUT
from unpuzzle.base.platform_facts import forget_peak_memory, peak_memory, receive_signals
from unpuzzle.processes.guardian import SET_DEATH_SIGNAL, lower_limit, prctl
from unpuzzle.processes.own_python import private_streams, shortened
from unpuzzle.processes.worker import Call, CallOutcome

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
_prctl = cache(prctl)
OWN_SCRIPT = "other processes cannot see names in the script itself (`__main__`): put them into a module beside it"


class ToldToEnd(BaseException):
    """The server, or a call, was asked to end."""


def listen() -> None:
    """Raise ToldToEnd in this process on signals to end, except Ctrl-C, which is for its owner."""
    receive_signals()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _be_told)


def _be_told(*_: object) -> None:
    raise ToldToEnd


def serve() -> None:
    """Answer calls on standard input until it ends."""
    requests, answers = private_streams()
    listen()
    gc.set_threshold(50_000)
    for module in LOADED:
        with suppress(ImportError):
            import_module(module)
    _prctl()
    with suppress(ToldToEnd, EOFError, OSError):
        while True:
            call: Call = pickle.load(requests)  # noqa: S301  # of the process that started this one
            pickle.dump(_Running(call, requests).outcome(), answers)
            answers.flush()


def _load(call: Call) -> None:
    """Load the modules that the copies need, before the first copy."""
    if all(name in sys.modules for name in (call.module, *call.preload)):
        return
    for name in call.preload:
        with suppress(Exception):  # the call itself reports what is wrong
            import_module(name)
    if call.module not in sys.modules:
        with suppress(Exception):
            getattr(import_module(call.module), PREPARE, bool)()
    gc.collect()
    gc.freeze()  # objects that are never visited again stay shared by all copies


class _Running:
    """One call in progress."""

    def __init__(self, call: Call, requests: BinaryIO) -> None:
        self._call, self._requests = call, requests
        self._answer: bytes | None = None
        self._parts: list[bytes] = []
        self._limit = ""
        self._peak = self._resident = 0
        self._reports, self._reporting = Pipe(duplex=False)
        self._watched: psutil.Process | None = None

    def outcome(self) -> CallOutcome:
        """Make the call, and return how it ended."""
        copied = sys.platform.startswith("linux")
        if copied:
            _load(self._call)
        used, start = _children_seconds(), monotonic()
        with _file_for_output() as printed:
            told = printed.fileno() if copied else None
            process = way_to_start()(target=work, args=(self._call, self._reporting, told, os.getpid()))
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
        wall, cpu = monotonic() - start, _children_seconds() - used
        ended = self._answer, self._limit, process.exitcode, wall, cpu, self._peak or None, text
        return CallOutcome(*ended, parts=tuple(self._parts))

    def _watch(self, process: Any, printed: BinaryIO, start: float) -> None:
        """Wait until the call has answered, or its process has ended or must end."""
        call, limited = self._call, self._call.memory is not None or self._call.cpu is not None
        end = None if call.time is None else start + call.time + PATIENCE_OF_TIME
        sources = [self._reports, process.sentinel, *([self._requests] if os.name == "posix" else [])]
        while self._answer is None:
            pause = self._pause() if limited else GLANCING
            ready: list[Any] = wait(sources, pause if end is None else max(min(pause, end - monotonic()), 0))
            if self._reports in ready and not self._receive():
                return
            if process.sentinel in ready and self._reports not in ready:
                return
            if self._requests in ready or (os.name != "posix" and not psutil.pid_exists(os.getppid())):
                raise ToldToEnd  # nothing comes while a call is made: it is the end of the input
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
        """Measure the process, and note the limit that it has reached."""
        with suppress(psutil.Error):
            watched = self._watched = self._watched or psutil.Process(pid)
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
            while self._reports.poll() and self._receive():
                pass


def _children_seconds() -> float:
    """Return the processor time of all processes that this one has started and waited for."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:
        return 0.0
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _file_for_output() -> BinaryIO:
    """Return a file without a name or, on a full disk, one that keeps nothing."""
    try:
        return cast("BinaryIO", tempfile.TemporaryFile("ab+", buffering=0))
    except OSError:
        return open(os.devnull, "w+b", buffering=0)


def _printed(file: BinaryIO) -> str:
    """Return the output: all of it, or its beginning and end."""
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
        """Make the copy. Signals wait meanwhile: the copy must not return to the place where it was made."""
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGHUP))
        try:
            self.pid = os.fork()
            if self.pid == 0:
                self._live(heard)
            self.sentinel = os.pidfd_open(self.pid)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)

    def _live(self, heard: Iterable[int]) -> NoReturn:
        code = 1
        try:
            os.setpgid(0, 0)
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)
            self._target(*self._args)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError, AttributeError):
                    stream.flush()
            os._exit(code)

    def is_alive(self) -> bool:
        """Return whether the copy has not ended. It is not waited for yet, so that its id is not reused."""
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


def way_to_start() -> Callable[..., Any]:
    """Return the class of the processes: on Linux copies, by `Copy` since Linux 5.4; elsewhere a new Python."""
    if not sys.platform.startswith("linux"):
        return get_context("spawn").Process
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (OSError, AttributeError):
        return get_context("fork").Process
    return Copy


def work(call: Call, reports: Connection, printed: int | None, server: int) -> None:
    """Make the call in this process, and send its reports and its answer."""
    with suppress(ToldToEnd):
        _settle(printed, server, call)

        def send(is_answer: bool, value: bytes) -> None:
            reports.send_bytes(pickle.dumps((is_answer, value, peak_memory() or 0 if is_answer else 0)))

        try:
            function = getattr(import_module(call.module), call.name)
            arguments = pickle.loads(call.arguments)  # noqa: S301  # of our owner
            answer: tuple[bool, object] = True, function(lambda value: send(False, pickle.dumps(value)), *arguments)
        except MemoryError:
            answer = False, MemoryError("there was not enough memory")
        except (Exception, KeyboardInterrupt, SystemExit) as error:
            unknown = isinstance(error, AttributeError) and "on <module '__main__'" in str(error)
            answer = False, UsageError(f"{OWN_SCRIPT} ({error})") if unknown else error
        send(True, pickled(answer))


def pickled(answer: tuple[bool, object]) -> bytes:
    """Return an answer, pickled; an error that cannot be pickled becomes a sentence."""
    try:
        data = pickle.dumps(answer)
        pickle.loads(data)  # noqa: S301  # the data that was just written
    except Exception as fault:
        what = f"{type(answer[1]).__name__}: {answer[1]}" if not answer[0] else f"its value: {fault}"
        return pickle.dumps((False, RuntimeError(what)))
    return data


def _settle(printed: int | None, server: int, call: Call) -> None:
    """Prepare this process: it ends with the server, listens to signals, and prints into a file."""
    if sys.platform.startswith("linux"):
        _prctl()(SET_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != server:
            raise ToldToEnd
    if printed is None:  # a new Python
        listen()
    else:
        for standard in (1, 2):
            os.dup2(printed, standard)
    if call.folder:
        os.chdir(call.folder)
    if call.cpu is not None:
        with suppress(ImportError, ValueError, OSError):  # at the next whole second, if nothing else ends it
            lower_limit("RLIMIT_CPU", ceil(call.cpu) + 1)
    forget_peak_memory()
