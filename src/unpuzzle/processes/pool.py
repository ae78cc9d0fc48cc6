"""A pool of processes that are already running, so that a job need not wait for a process to start.

    with Pool(slow=2, preload=["unpuzzle.servers.studio.levels"]) as pool:
        job = pool.submit(PoolJob("unpuzzle.servers.studio.levels", "judge", request, tell=print))
        pool.cancel(job)

A process of the lane `quick` does urgent work: reading, drawing, a move. Those of the lane `slow` do what takes long. A
job that is cancelled is asked to end; if it does not, because a user's code never checks a limit, its process is killed
and replaced. The same happens if it takes too much time or memory. The side effects of a user's file never reach
another file: such jobs have a `home`, and share no process with jobs of another home.

Both sides are here. What runs in a process may be somebody's own code, so its owner reads plain data only, lines of
JSON:

    ["do", number, module, function, request, seconds, bytes]      to the process
    ["cancel", number]
    ["ready", 0, {}]                                               from it: everything is loaded
    ["told", number, data]                                         something is known already
    ["done", number, data]                                         the job's answer; one that failed has an `error`
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from io import BufferedReader
from itertools import count
from math import inf
from queue import Empty, PriorityQueue, SimpleQueue
from subprocess import Popen
from threading import Lock, Thread
from time import monotonic
from traceback import extract_tb
from typing import Any, BinaryIO, Self

from unpuzzle.base.errors import LimitReached, UnpuzzleError, WorkersFailed
from unpuzzle.base.outcomes import (
    BAD_INPUT,
    BROKEN,
    CANCELLED,
    ERROR,
    MEMOUT,
    TIMEOUT,
    verdict_of,
    verdict_of_error,
    verdict_of_status,
)
from unpuzzle.base.platform_facts import receive_signals
from unpuzzle.base.run import Limits, Run
from unpuzzle.processes.own_python import REACHED, end_session, private_streams, start_python

Data = dict[str, Any]
Tell = Callable[[Data], None]
Work = Callable[[Data, Tell], Data]
QUICK, SLOW = "quick", "slow"
EVERY = 0.05
"""Seconds between two checks of a silent job."""
PATIENCE, LATE = 1.0, 3.0
"""The seconds that a job may continue after a request to end, and after its own time limit."""
SECONDS, MEMORY = 10.0, 1 << 30
_ENDS = {**REACHED, ERROR: "the process ended before its work was done"}


class PoolJob:
    """A job for a process of the pool: a function call, with its limits.

    Attributes:
        module, function: the function to call, with `request`.
        tell: called with each message, in a thread of the pool: with data and whether it is the last one.
        lane, urgency: which processes do it, and in which order: the least number first.
        home: the file of the user's code that it runs; empty for our own code.
        seconds, memory: its limits.
    """

    def __init__(
        self,
        module: str,
        function: str,
        request: Data,
        tell: Callable[[Data, bool], None],
        *,
        lane: str = QUICK,
        urgency: int = 0,
        home: str = "",
        seconds: float = SECONDS,
        memory: int = MEMORY,
    ) -> None:
        self.module, self.function, self.request = module, function, request
        self.tell, self.lane, self.urgency, self.home = tell, lane, urgency, home
        self.seconds, self.memory = seconds, memory
        self.number: int = 0
        self.begun: bool = False
        self.cancelled: float | None = None  # when, by `monotonic()`

    def end(self, status: str) -> None:
        """Report that the job has ended without an answer; `status` says why."""
        self.tell({"error": _ENDS[status], "status": status, "verdict": verdict_of_status(status)}, True)


class Pool:
    """The processes of a pool, and the waiting jobs; each process imports some modules before its first job."""

    def __init__(self, slow: int = 2, quick: int = 1, preload: Sequence[str] = ()) -> None:
        self.preload = tuple(preload)
        self.closed: bool = False
        self._numbers = count(1)
        self._waiting: dict[str, PriorityQueue[tuple[float, int, PoolJob | None]]] = {
            lane: PriorityQueue() for lane in (QUICK, SLOW)
        }
        self._lock = Lock()
        self._workers = [_PoolProcess(self, lane) for lane in [*[QUICK] * quick, *[SLOW] * slow]]

    def __enter__(self) -> Self:
        for worker in self._workers:
            worker.thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        """End all processes of the pool at once, even those with a job."""
        self.closed = True
        for worker in self._workers:
            self._waiting[worker.lane].put((-inf, next(self._numbers), None))
            worker.kill()
        for worker in self._workers:
            worker.thread.join(5)

    def submit(self, job: PoolJob) -> PoolJob:
        job.number = next(self._numbers)
        self._waiting[job.lane].put((job.urgency, job.number, job))
        return job

    def cancel(self, job: PoolJob) -> None:
        """End a job and report that it was cancelled, unless the job has already ended."""
        with self._lock:
            if job.cancelled is not None:
                return
            job.cancelled = monotonic()
        if not job.begun:
            job.end(CANCELLED)
        for worker in self._workers:
            if worker.job is job:
                worker.send("cancel", job.number)

    def next_job(self, lane: str) -> PoolJob | None:
        """Wait for a job that is not cancelled, and return it; None when the pool is closed."""
        while (job := self._waiting[lane].get()[2]) is not None:
            with self._lock:
                job.begun = job.cancelled is None
            if job.begun:
                return job
        return None

    def processes(self) -> list[int]:
        return [process.pid for worker in self._workers if (process := worker.process) is not None]


class _PoolProcess:
    """A process of the pool, and the thread that exchanges messages with this process."""

    def __init__(self, pool: Pool, lane: str) -> None:
        self.pool, self.lane, self.home = pool, lane, ""
        self.process: Popen[bytes] | None = None
        self.job: PoolJob | None = None
        self.thread = Thread(target=self._run, daemon=True)
        self._inbox: SimpleQueue[list[Any] | None] = SimpleQueue()
        self._lock = Lock()

    def _run(self) -> None:
        """Run jobs until the pool is closed; start a new process when a job needs one."""
        self._start()
        while (job := self.pool.next_job(self.lane)) is not None:
            if self.home not in ("", job.home):
                self.kill()
            if self.process is None:
                self._start()
            self.home = job.home
            if (status := self._do(job)) is not None:
                self.kill()
                self._start()  # before anybody waits for it
                job.end(status)
        self.kill()

    def _start(self) -> None:
        """Start a process, and wait until it has imported its modules, as this time must not count for a job."""
        with self._lock:
            if self.pool.closed:
                return
            try:
                self.process = start_python(__name__, serve.__name__, *self.pool.preload)
            except WorkersFailed:  # as its first job will find
                return
            self.home, self._inbox = "", SimpleQueue()
            Thread(target=_receive, args=(self.process.stdout, self._inbox), daemon=True).start()
        self._inbox.get()

    def kill(self) -> None:
        """End the process at once, with all processes that it has started."""
        with self._lock:
            process, self.process = self.process, None
            if process is not None:
                end_session(process)
                process.wait()
                with suppress(OSError):
                    process.stdin.close()  # type: ignore[union-attr]

    def send(self, *message: Any) -> bool:
        """Send a message to the process; return False if there is no process to receive it."""
        with self._lock, suppress(OSError):
            if self.process is not None:
                _write(self.process.stdin, message)
                return True
        return False

    def _do(self, job: PoolJob) -> str | None:
        """Run a job in the process; return a status if the process must end after the job, else None."""
        self.job = job
        try:
            if not self.send("do", job.number, job.module, job.function, job.request, job.seconds, job.memory):
                return ERROR
            if job.cancelled is not None:
                self.send("cancel", job.number)
            end = monotonic() + job.seconds + LATE
            while True:
                try:
                    message = self._inbox.get(timeout=EVERY)
                except Empty:
                    message = ["", 0, {}]
                if message is None:
                    return CANCELLED if job.cancelled is not None else ERROR
                word, number, data = message
                if number == job.number:
                    job.tell(data, word == "done")
                    if word == "done":
                        return None
                if job.cancelled is not None and monotonic() > job.cancelled + PATIENCE:
                    return CANCELLED
                if monotonic() > end:
                    return TIMEOUT
                if self._memory() > job.memory + MEMORY // 4:
                    return MEMOUT
        finally:
            self.job = None

    def _memory(self) -> int:
        import psutil

        process = self.process
        try:
            return 0 if process is None else int(psutil.Process(process.pid).memory_info().rss)
        except psutil.Error:
            return 0


def _write(stream: Any, message: Sequence[Any]) -> None:
    stream.write(json.dumps(message).encode() + b"\n")
    stream.flush()


def _receive(output: BinaryIO, inbox: SimpleQueue[list[Any] | None]) -> None:
    """Put each message of a process into the inbox, and None at the end, or for an invalid message."""
    try:
        with suppress(OSError, ValueError, TypeError), output:
            for line in output:
                word, number, data = json.loads(line)
                inbox.put([word, number, data])
    finally:
        inbox.put(None)


# ---- in the process


def serve() -> None:
    """Run the jobs that the parent process sends, until the parent ends."""
    requests, answers = private_streams()
    receive_signals()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # one's own code may print
    _PoolServer(requests, answers).run(sys.argv[1:])


class _PoolServer:
    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests, self._answers = BufferedReader(requests), answers  # type: ignore[type-var]
        self._inbox: SimpleQueue[list[Any]] = SimpleQueue()
        self._sending = Lock()
        self.limits: dict[int, Limits] = {}

    def run(self, preload: Sequence[str]) -> None:
        """Import the modules to be loaded early, then answer jobs for ever."""
        Thread(target=self._listen, daemon=True).start()
        for name in preload:
            import_module(name)
        self._send("ready", 0, {})
        while True:
            number, module, function, request, *_ = self._inbox.get()
            answer = self.answer(number, getattr(import_module(module), function), request)
            del self.limits[number]
            self._send("done", number, answer)

    def _listen(self) -> None:
        """Receive messages from the parent; if the parent is gone, end this process and all that it has started."""
        try:
            for line in self._requests:
                word, number, *rest = json.loads(line)
                if word == "do":
                    self.limits[number] = Limits(rest[-2], rest[-1])
                    self._inbox.put([number, *rest])
                elif limits := self.limits.get(number):
                    limits.cancel()
        finally:
            os.killpg(0, signal.SIGKILL) if hasattr(os, "killpg") else os.kill(os.getpid(), signal.SIGTERM)

    def _send(self, *message: Any) -> None:
        with self._sending:
            _write(self._answers, message)

    def answer(self, number: int, work: Work, request: Data) -> Data:
        """Return the answer to a job; a failed job has an `error` and a `verdict`, and after a limit a `status`."""
        try:
            with Run(self.limits[number]):
                return work(request, lambda data: self._send("told", number, data))
        except LimitReached as reached:
            return {"error": str(reached), "status": reached.status, "verdict": "undecided"}
        except MemoryError:
            return {"error": REACHED[MEMOUT], "status": MEMOUT, "verdict": "undecided"}
        except UnpuzzleError as error:
            message, verdict = getattr(error, "message", "") or str(error), verdict_of_error(error)
            return {"error": message, "line": getattr(error, "line", None), "verdict": verdict}
        except (Exception, SystemExit) as error:  # of the user's code, or of ours
            message, place = f"{type(error).__name__}: {error}".rstrip(": "), _place(error, request)
            return {"error": message + place, "verdict": verdict_of(BAD_INPUT if place else BROKEN)}


def _place(error: BaseException, request: Mapping[str, Any]) -> str:
    """Return the line and file of an error that is in a file named by the request; otherwise an empty text."""
    for frame in reversed(extract_tb(error.__traceback__)):
        if frame.filename in request.values():
            return f" (line {frame.lineno} of {os.path.basename(frame.filename)})"
    return ""
