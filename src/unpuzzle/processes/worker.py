"""Calls of functions, one after the other, each in a separate process with enforced limits.

    with Worker() as worker:
        outcome = worker.call(Call("unpuzzle.experiments.making_runs", "make_run", pickle.dumps(arguments), time=10))
        value = outcome.value()

A process that breaks, is killed or takes too much costs its call and no more: the outcome says how it ended. The server
that starts it (`worker_server.py`) starts with the first call, and again if it was killed. One `Worker`
makes one call at a time; several threads have one each.
"""

from __future__ import annotations

import signal
from contextlib import suppress
from threading import Lock

from unpuzzle.base.errors import LimitReached, WorkersFailed
from unpuzzle.base.outcomes import MEMOUT
from unpuzzle.base.type_hints import TYPE_CHECKING, Any, Self
from unpuzzle.base.values import Record
from unpuzzle.processes.own_python import REACHED, end_session, how_it_ended, start_python

if TYPE_CHECKING:  # a task that makes no calls does without it
    from subprocess import Popen

_PARTING = 5.0
"""The seconds that a server has to end the running call before it is killed."""


class Call(Record):
    """One call of a function in a separate process.

    The function is called with a function that reports, then its arguments. It is expected to keep the limits itself;
    they are enforced from outside a little later, for code that checks none.

    Attributes:
        module, name: the module and name of the function.
        arguments: a pickled tuple.
        time, cpu: seconds of wall clock and of processor time, or None.
        memory: bytes that the process may use, or None.
        note: a text for the function that describes the place of the call; see `parallel.workers_at`.
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
        place: the description of the place where the call was made; None if none was asked for.
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
        self._server: Popen[bytes] | None = None
        self._lock = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.close()

    def call(self, call: Call) -> CallOutcome:
        """Make a call, and return how it ended.

        A call whose server was ended is made once more: so the end of the whole machine, which ends the server
        a little before us, is not taken for the end of the call. Raises WorkersFailed if no process can be started,
        or this one was stopped meanwhile.
        """
        return self._made(call) or self._made(call) or CallOutcome()

    def _made(self, call: Call) -> CallOutcome | None:
        """Make a call; return None if the server ends before the call."""
        import pickle

        with self._lock:
            if self.stopped:
                raise WorkersFailed("the work of this process was stopped")
            server = self._server = self._server or start_python("unpuzzle.processes.worker_server", "serve")
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            pickle.dump(call, server.stdin)
            server.stdin.flush()
            outcome: CallOutcome = pickle.load(server.stdout)  # noqa: S301  # of our own process
        except (EOFError, OSError, pickle.UnpicklingError, ValueError):
            if self.stopped:
                self.close()
                raise WorkersFailed("the work of this process was stopped") from None
            end_session(server)  # somebody has killed it; the kernel kills the call, but not what that has started
            self.close()
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

    def close(self) -> None:
        """Wait until the running call and the server have ended."""
        with self._lock:
            server, self._server = self._server, None
        if server is None:
            return
        for stream in (server.stdin, server.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        from subprocess import TimeoutExpired

        try:
            server.wait(_PARTING)
        except TimeoutExpired:
            server.kill()
            server.wait()
