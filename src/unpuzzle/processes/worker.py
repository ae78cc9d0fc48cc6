"""Calls of functions, one after the other, each in a separate process with enforced limits.

    with Worker() as worker:
        outcome = worker.call(Call("unpuzzle.experiments.making_runs", "make_run", pickle.dumps(arguments), time=10))
        value = outcome.value()

A process that breaks, is killed or takes too much costs its call and no more: the outcome says how it ended. The server
that starts it (`worker_server.py`) starts with the first call, and again if it was killed. One `Worker`
makes one call at a time; several threads have one each.

The last part runs in the process that makes the call: a copy of the server, a new Python, or a program. Nothing is
imported here that a small call does without: of a new Python, all that it loads counts as time of the call, and a
program (`program.call_as_program`) may have little memory.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from math import ceil
from threading import Lock

from unpuzzle.base.errors import LimitReached, UsageError, WorkersFailed
from unpuzzle.base.outcomes import CANCELLED, MEMOUT, TIMEOUT
from unpuzzle.base.platform_facts import forget_peak_memory, peak_memory, receive_signals
from unpuzzle.base.type_hints import Any, BinaryIO, Self
from unpuzzle.base.values import Record
from unpuzzle.processes.guardian import SET_DEATH_SIGNAL, lower_limit, prctl, use_null

REACHED = {
    CANCELLED: "the run was cancelled",
    TIMEOUT: "the time limit was reached",
    MEMOUT: "the memory limit was reached",
}  # by status, the words for the end of a process

_PARTING = 5.0  # seconds that a server has to end the running call before it is killed


class Call(Record):
    """One call of a function in a separate process.

    The function is called with a function that reports, then its arguments. It is expected to keep the limits itself;
    they are enforced from outside a little later, for code that checks none.

    Attributes:
        module, name: the module and name of the function.
        arguments: a pickled tuple.
        time, cpu: seconds of wall clock and of processor time, or None.
        memory: bytes that the process may use, or None.
        note: a text for the function that describes a place of a cluster; see `parallel.workers_at`.
        preload: the modules that all calls need, besides the function's own: they are loaded once.
        folder: the working directory of its process; empty: the caller's.
        fresh: whether its process is a new Python, whose start counts, and no copy of one that has all it needs.
    """

    module: str
    name: str
    arguments: bytes
    time: float | None = None
    cpu: float | None = None
    memory: int | None = None
    note: str = ""
    preload: tuple[str, ...] = ()
    folder: str = ""
    fresh: bool = False


class CallOutcome(Record):
    """The result of a call: the pickled answer, or the limit or exit code that ended its process.

    Attributes:
        answer: pickled: whether the function returned, and its value or error; None if its process ended before.
        limit: `timeout`, `memout` or `cancelled` if the process was ended for that, or empty.
        exit_code: of the process; negative for a signal, None if it is not known.
        wall, cpu: seconds of the process with all that it started and waited for.
        peak_memory: the peak of the measured memory, in bytes.
        printed: what it printed, beginning and end.
        parts: the reports of the function until then.
        place: the description of the place of a cluster where the call was made; None here.
    """

    answer: bytes | None = None
    limit: str = ""
    exit_code: int | None = None
    wall: float = 0.0
    cpu: float = 0.0
    peak_memory: int | None = None
    printed: str = ""
    parts: tuple[Any, ...] = ()
    place: Any = None

    def value(self, doing: str = "") -> Any:
        """Return the value of the call. Raises the error that the function raised.

        LimitReached if its process was ended for a limit while `doing` its work, WorkersFailed if it ended before it
        had answered.
        """
        from pickle import loads

        limit = self.limit
        if self.answer is not None:
            returned, value = loads(self.answer)  # noqa: S301  # of our own process
            if returned:
                return value
            if not isinstance(value, MemoryError):
                raise value
            limit = MEMOUT
        if limit:
            raise LimitReached(limit, REACHED[limit] + (f" while {doing}" if doing else ""))
        raise WorkersFailed(self.ending())

    def ending(self) -> str:
        """Return a text that says how a process ended that gave no answer."""
        last = self.printed.strip().splitlines()[-1:]
        killed = self.exit_code in (None, -9)
        words = f": {last[0][:200]}" if last else "; was there too little memory?" if killed else ""
        return f"the process of the run {how_it_ended(self.exit_code)} before it had answered{words}"


class Worker:
    """Calls functions in separate processes, one at a time."""

    def __init__(self) -> None:
        self.stopped: bool = False
        self._server: Any = None  # a Popen
        self._lock = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.close()

    def call(self, call: Call) -> CallOutcome:
        """Make a call, and return how it ended.

        A call whose server was ended is made once more: so the end of the whole machine, which ends the server a little
        before us, is not taken for the end of the call. Raises WorkersFailed if no process can be started, or this
        worker was stopped.
        """
        return self._made(call) or self._made(call) or CallOutcome()

    def _made(self, call: Call) -> CallOutcome | None:
        """Make a call; return None if the server ends before the call."""
        import pickle

        with self._lock:
            if self.stopped:
                raise WorkersFailed("the work of this process was stopped")
            server = self._server = self._server or start_python("unpuzzle.processes.worker_server", "serve")
        try:
            pickle.dump(call, server.stdin)
            server.stdin.flush()
            outcome: CallOutcome = pickle.load(server.stdout)  # noqa: S301  # of our own process
        except (EOFError, OSError, pickle.UnpicklingError, ValueError):
            # If somebody has killed it, the kernel kills the call, but not what that has started.
            self.close(_PARTING if self.stopped else 0)
            return None
        return outcome.replace(parts=tuple([pickle.loads(part) for part in outcome.parts]))  # noqa: S301

    def stop(self) -> None:
        """End the running call, and refuse further calls; any thread may use this method."""
        with self._lock:
            self.stopped = True
            server = self._server
        if server is not None:
            with suppress(OSError):
                server.terminate()
                server.send_signal(getattr(signal, "SIGCONT", signal.SIGTERM))  # to one that somebody has stopped

    def close(self, patience: float = _PARTING) -> None:
        """Wait until the running call and the server have ended; kill them `patience` seconds later."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            end_python(server, patience)
            server.stdout.close()


# ---- a Python of ours: how it is started and ended, and how a process ended
#
# It finds the modules that this process finds. It gets our environment without `PYTHON*`, whose values may be for ours
# alone, and its own session: Ctrl-C is for its owner alone.


def environment() -> dict[str, str]:
    """Return the environment of this process without the variables that change the behaviour of Python."""
    return {name: value for name, value in os.environ.items() if not name.upper().startswith("PYTHON")}


def python_code(module: str, function: str) -> str:
    """Return the text of a Python program that calls a function of unpuzzle."""
    return f"import sys; sys.path[:] = {sys.path!a}; from {module} import {function}; {function}()"


def python_words(module: str, function: str, *words: str) -> list[str]:
    """Return the command line of a Python process that calls a function of unpuzzle, with `words` in `sys.argv`."""
    # Without -P the working directory is on its path, and what lies there would hide modules of Python's own.
    return [sys.executable, "-P", "-c", python_code(module, function), *words]


def start_python(module: str, function: str, *words: str) -> Any:
    """Start the process of `python_words`, and return its `Popen`. Raises WorkersFailed if that is impossible."""
    import subprocess

    try:
        return subprocess.Popen(  # noqa: S603
            python_words(module, function, *words),
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except (OSError, ValueError) as error:
        raise WorkersFailed(f"no process can be started: {error}") from error


def end_python(leader: Any, patience: float = 0) -> None:
    """Close the input of a process that `start_python` started; kill its session if it has not ended in `patience`."""
    import subprocess

    with suppress(OSError):
        leader.stdin.close()
    if patience:
        with suppress(subprocess.TimeoutExpired):
            leader.wait(patience)
            return
    import psutil

    for pid in psutil.pids() if hasattr(os, "getsid") else ():  # before the id of the session can be another one's
        with suppress(OSError):
            if os.getsid(pid) == leader.pid:
                os.kill(pid, signal.SIGKILL)
    leader.kill()
    leader.wait()


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return this process's standard input and output, and hide them from all other code in this process."""
    streams = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    use_null(0, 1)
    return streams


def signal_name(number: int) -> str:
    """Return the name of a signal, such as `SIGSEGV`."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def how_it_ended(exit_code: int | None) -> str:
    """Return a phrase on how a process ended, such as `ended with exit code 1`; negative codes are signals."""
    if exit_code is None:
        return "ended"
    return f"was ended by {signal_name(-exit_code)}" if exit_code < 0 else f"ended with exit code {exit_code}"


def shortened(head: bytes, left_out: int, tail: bytes) -> bytes:
    """Return the beginning and the end of a long output, with the number of bytes left out between them."""
    return head + (f"\n[... {left_out} bytes left out ...]\n".encode() if left_out else b"") + tail


# ---- in the process of a call

kernel_prctl = cache(prctl)
_LIBRARY = 64 << 20  # the most bytes that a library takes at once
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

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def send_bytes(self, data: bytes) -> None:
        """Send a message: its length in four bytes (or -1 and then eight bytes), and then the message."""
        size = len(data)
        self._file.write(size.to_bytes(4) if size < 1 << 31 else b"\xff" * 4 + size.to_bytes(8))
        self._file.write(data)
        self._file.flush()


def begin() -> None:
    """Make the call that standard input contains; reports go to standard output, printed text to standard error."""
    import pickle

    call, reports = private_streams()
    os.dup2(2, 1)
    work(Sender(reports), None, *pickle.load(call))  # noqa: S301  # of our owner


def make_call() -> None:
    """Make the call in the file `call.pickle` of the working directory, and write the answer to `answer.pickle`."""
    import pickle

    with open("call.pickle", "rb") as file:
        call: Call = pickle.load(file)  # noqa: S301  # of our owner
    answer = answered(call)
    with open("answer.tmp", "wb") as file:
        file.write(answer)
    os.replace("answer.tmp", "answer.pickle")


def work(reports: Any, printed: int | None, server: int, call: Call) -> None:
    """Make a call in this process, and send its reports and its answer."""
    import pickle

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
    import pickle

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
