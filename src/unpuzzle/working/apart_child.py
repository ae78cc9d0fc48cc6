"""The process of one call: its start, as a copy of the server (`apart_server.py`), and its work.

`Copy` stands for `multiprocessing.Process`, of which it has what the server asks for. It does less, and so takes a
third of the time: what `multiprocessing` tidies up is not there in a copy of the server.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from unpuzzle.base.errors import UsageError
from unpuzzle.base.platform_facts import forget_peak_memory, peak_memory, receive_signals
from unpuzzle.working.calls import Call

OWN_SCRIPT = "other processes do not know what stands in the script itself (`__main__`): put it into a module beside it"
DEATH_SIGNAL = 1
"""Of prctl: the signal that a process gets when its parent ends."""


class Told(BaseException):
    """The server, or a call, is told to end."""


def listen() -> None:
    """Raise Told in this process for signals to end, except Ctrl-C, which is for its owner."""
    receive_signals()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _be_told)


def _be_told(*_: object) -> None:
    raise Told


class Copy:
    """A copy of this process (`fork`) that calls a function and ends.

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
        """Make the copy. Signals wait meanwhile: the copy must not return to where it was made, whatever it is told."""
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
        """Return whether the copy has not ended."""
        return self._ended(os.WNOHANG) is None

    def join(self) -> None:
        """Wait until the copy has ended."""
        self._ended(0)
        os.close(self.sentinel)

    def terminate(self) -> None:
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self.pid and self.exitcode is None:  # else its id may be another process's
            os.kill(self.pid, number)

    def _ended(self, options: int) -> int | None:
        if self.exitcode is None and self.pid:
            pid, status = os.waitpid(self.pid, options)
            if pid:
                self.exitcode = os.waitstatus_to_exitcode(status)
        return self.exitcode


def work(call: Call, parts: Connection, printed: int | None, server: int) -> None:
    """Make the call in this process, and send its reports and its answer."""
    with suppress(Told):
        _settle(printed, server, call)
        try:
            function = getattr(import_module(call.module), call.name)
            arguments = pickle.loads(call.arguments)  # noqa: S301  # of our owner

            def report(value: object) -> None:
                parts.send_bytes(pickle.dumps(("part", pickle.dumps(value), 0)))

            answer: tuple[bool, object] = (True, function(report, *arguments))
        except MemoryError:
            answer = (False, MemoryError("there was not enough memory"))
        except (Exception, KeyboardInterrupt, SystemExit) as error:
            unknown = isinstance(error, AttributeError) and "on <module '__main__'" in str(error)
            answer = (False, UsageError(f"{OWN_SCRIPT} ({error})") if unknown else error)
        parts.send_bytes(pickle.dumps(("answer", _pickled(answer), peak_memory() or 0)))


def _pickled(answer: tuple[bool, object]) -> bytes:
    """Return an answer, pickled; an error that cannot be pickled becomes a sentence."""
    try:
        data = pickle.dumps(answer)
        pickle.loads(data)  # noqa: S301  # what was just written
    except Exception as fault:
        what = f"{type(answer[1]).__name__}: {answer[1]}" if not answer[0] else f"its value: {fault}"
        return pickle.dumps((False, RuntimeError(what)))
    return data


def _settle(printed: int | None, server: int, call: Call) -> None:
    """Prepare this process: it ends with the server, listens to signals, and prints into a file."""
    if sys.platform.startswith("linux"):
        _die_with_parent(server)
    if printed is None:  # a new Python
        listen()
    else:
        for standard in (1, 2):
            os.dup2(printed, standard)
    if call.cpu is not None:
        _limit_processor(call.cpu)
    forget_peak_memory()


def way_to_start() -> Callable[..., Any]:
    """Return the class of the processes: on Linux copies, by `Copy` since Linux 5.3; elsewhere a new Python."""
    if not sys.platform.startswith("linux"):
        return get_context("spawn").Process
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (OSError, AttributeError):
        return get_context("fork").Process
    return Copy


def get_ready() -> None:
    """Do in the server, once, the preparations that each call would repeat."""
    _prctl()


@cache
def _prctl() -> Callable[[int, int], object]:
    """Return the system call `prctl`, or a function that does nothing where there is none."""
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        call = ctypes.CDLL(None).prctl
        call.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
        return lambda option, value: call(option, value, 0, 0, 0)
    return lambda option, value: None


def _die_with_parent(server: int) -> None:
    _prctl()(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != server:
        raise Told


def _limit_processor(seconds: float) -> None:
    """Let the kernel end this process at the next whole second after its limit, if nothing else does."""
    with suppress(ImportError, ValueError, OSError):
        import resource
        from math import ceil

        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        most = ceil(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most if hard == resource.RLIM_INFINITY else hard))
