"""The code of the process that makes one call: a copy of the server process, a new Python process, or a program.

Nothing is imported here that a small call does without: of a new Python, all that it loads counts as time of the call,
and a program (`program.call_as_program`) may have little memory.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from math import ceil

from unpuzzle.base.errors import UsageError
from unpuzzle.base.platform_facts import forget_peak_memory, peak_memory, receive_signals
from unpuzzle.base.type_hints import Any
from unpuzzle.processes.guardian import SET_DEATH_SIGNAL, lower_limit, prctl
from unpuzzle.processes.worker import Call

kernel_prctl = cache(prctl)
_LIBRARY = 64 << 20
"""The most bytes that a library takes at once."""
OWN_SCRIPT = "other processes cannot see names in the script itself (`__main__`): put them into a module beside it"


class ToldToEnd(BaseException):
    """The exception raised in the server or in a call when that process is asked to end."""


def listen() -> None:
    """Make termination signals raise ToldToEnd in this process; ignore Ctrl-C, which the owner process handles."""
    receive_signals()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _be_told)


def _be_told(*_: object) -> None:
    raise ToldToEnd


class Sender:
    """The sending end of a pipe, in the format of `multiprocessing.connection`, which takes too long to import."""

    def __init__(self, descriptor: int) -> None:
        self._file = open(descriptor, "wb", buffering=0)  # noqa: SIM115  # until the process ends

    def send_bytes(self, data: bytes) -> None:
        """Send a message: its length in four bytes (or -1 and then eight bytes), and then the message."""
        size = len(data)
        head = size.to_bytes(4) if size < 1 << 31 else b"\xff" * 4 + size.to_bytes(8)
        rest = memoryview(head + data)
        while rest:
            rest = rest[self._file.write(rest) :]


def begin() -> None:
    """Make the call that this new Python process was started for."""
    words, reports = map(int, sys.argv[1:])
    with open(words, "rb") as file:
        work(Sender(reports), None, *pickle.load(file))  # noqa: S301  # of our owner


def make_call() -> None:
    """Make the call in the file `call.pickle` of the working directory, and write the answer to `answer.pickle`."""
    with open("call.pickle", "rb") as file:
        call: Call = pickle.load(file)  # noqa: S301  # of our owner
    answer = answered(call)
    with open("answer.tmp", "wb") as file:
        file.write(answer)
    os.replace("answer.tmp", "answer.pickle")


def work(reports: Any, printed: int | None, server: int, call: Call) -> None:
    """Make a call in this process, and send its reports and its answer."""
    with suppress(ToldToEnd):
        _settle(printed, server, call)

        def send(is_answer: bool, value: bytes) -> None:
            reports.send_bytes(pickle.dumps((is_answer, value, peak_memory() or 0 if is_answer else 0)))

        send(True, answered(call, lambda value: send(False, pickle.dumps(value))))


def answered(call: Call, *first: object) -> bytes:
    """Make a call; return, pickled, whether the function returned, and its value or error.

    A lack of memory is a MemoryError, even if it shows as a library that cannot be mapped. An error that cannot be
    pickled is replaced by a sentence.
    """
    try:
        function = getattr(import_module(call.module), call.name)
        answer = True, function(*first, *pickle.loads(call.arguments))  # noqa: S301  # of our owner
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        unknown = isinstance(error, AttributeError) and "on <module '__main__'" in str(error)
        answer = False, UsageError(f"{OWN_SCRIPT} ({error})") if unknown else error
        if isinstance(error, MemoryError) or (isinstance(error, (ImportError, OSError)) and not memory_is_left()):
            answer = False, MemoryError("there was not enough memory")
    try:
        data = pickle.dumps(answer)
        pickle.loads(data)  # noqa: S301  # what was just written
    except Exception as fault:
        what = f"its value: {fault}" if answer[0] else f"{type(answer[1]).__name__}: {answer[1]}"
        return pickle.dumps((False, RuntimeError(what)))
    return data


def memory_is_left() -> bool:
    """Return whether this process can still allocate a block of memory large enough for a library."""
    try:
        import mmap

        mmap.mmap(-1, _LIBRARY).close()
    except (ImportError, OSError, MemoryError):
        return False
    return True


def _settle(printed: int | None, server: int, call: Call) -> None:
    """Prepare this process: it ends when the server ends, handles signals, and writes its output to a file."""
    if sys.platform.startswith("linux"):
        kernel_prctl()(SET_DEATH_SIGNAL, signal.SIGKILL)
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


def children_seconds() -> float:
    """Return the processor time of all child processes that this process has waited for."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:
        return 0.0
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
