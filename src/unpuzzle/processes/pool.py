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

    ["do", module, function, request, seconds, bytes]      to the process, which does one job at a time
    ["cancel"]
    ["ready", {}]                                          from it: everything is loaded
    ["told", data]                                         something is known already
    ["done", data]                                         the job's answer; one that failed has an `error`
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from io import BufferedReader
from itertools import count
from math import inf
from queue import Empty, PriorityQueue, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from traceback import extract_tb
from typing import Any, BinaryIO, Self

from unpuzzle.base.errors import LimitReached, UnpuzzleError, WorkersFailed
from unpuzzle.base.outcomes import CANCELLED, ERROR, MEMOUT, TIMEOUT, verdict_of_error, verdict_of_status
from unpuzzle.base.platform_facts import receive_signals
from unpuzzle.base.run import Cancellation, Limits, Run
from unpuzzle.base.values import Record, field
from unpuzzle.processes.worker import REACHED, end_python, private_streams, start_python

Data = dict[str, Any]
Tell = Callable[[Data], None]
Work = Callable[[Data, Tell], Data]
Message = tuple[str, Data]
QUICK, SLOW = "quick", "slow"
EVERY = 0.05  # seconds between two checks of a silent job
PATIENCE, LATE = 1.0, 3.0  # seconds that a job may continue after a request to end, and after its own time limit
SECONDS, MEMORY = 10.0, 1 << 30
_ENDS = {**REACHED, ERROR: "the process ended before its work was done"}


class PoolJob(Record, eq=False):
    """A job for a process of the pool: a function call, with its limits.

    Attributes:
        module, function: the function to call, with `request`.
        tell: called with each message, in a thread of the pool: with data and whether it is the last one.
        lane, urgency: which processes do it, and in which order: the least number first.
        home: the file of the user's code that it runs; empty for our own code.
        seconds, memory: its limits.
        cancellation: whether it was cancelled.
        claim: acquired, for ever, by whoever begins it, or cancels it before it has begun.
    """

    module: str
    function: str
    request: Data
    tell: Callable[[Data, bool], None]
    lane: str = QUICK
    urgency: int = 0
    home: str = ""
    seconds: float = SECONDS
    memory: int = MEMORY
    cancellation: Cancellation = field(default_factory=Cancellation)
    claim: Any = field(default_factory=Lock)

    def end(self, status: str) -> None:
        """Report that the job has ended without an answer; `status` says why."""
        self.tell({"error": _ENDS[status], "status": status, "verdict": verdict_of_status(status)}, True)


class Pool:
    """The processes of a pool, and the waiting jobs; each process imports the modules `preload` before it runs jobs."""

    def __init__(self, slow: int = 2, quick: int = 1, preload: Sequence[str] = ()) -> None:
        self.preload = tuple(preload)
        self.closed: bool = False
        self._numbers = count()
        self._waiting = {lane: PriorityQueue[tuple[float, int, PoolJob | None]]() for lane in (QUICK, SLOW)}
        self._workers = [_PoolProcess(self, lane) for lane in [*[QUICK] * quick, *[SLOW] * slow]]

    def __enter__(self) -> Self:
        for worker in self._workers:
            worker.start()
        return self

    def __exit__(self, *raised: object) -> None:
        """End all processes of the pool at once, even those with a job."""
        self.closed = True
        for worker in self._workers:
            self._waiting[worker.lane].put((-inf, next(self._numbers), None))
        for worker in self._workers:
            worker.join(5)

    def submit(self, job: PoolJob) -> PoolJob:
        self._waiting[job.lane].put((job.urgency, next(self._numbers), job))
        return job

    def cancel(self, job: PoolJob) -> None:
        """End a job and report that it was cancelled, unless the job has already ended."""
        job.cancellation.request()
        if job.claim.acquire(blocking=False):
            job.end(CANCELLED)

    def next_job(self, lane: str) -> PoolJob | None:
        """Wait for a job that is not cancelled, and return it; None when the pool is closed."""
        while (job := self._waiting[lane].get()[2]) is not None:
            if job.claim.acquire(blocking=False):
                return job
        return None


class _PoolProcess(Thread):
    """A process of the pool, and the thread that starts it, exchanges messages with it, and ends it."""

    def __init__(self, pool: Pool, lane: str) -> None:
        super().__init__(daemon=True)
        self.pool, self.lane, self.home = pool, lane, ""
        self.process: Any = None  # a Popen
        self.job: PoolJob | None = None
        self._inbox: SimpleQueue[Message | None] = SimpleQueue()

    def run(self) -> None:
        """Run jobs until the pool is closed; start a new process when a job needs one."""
        self._begin()
        while (job := self.pool.next_job(self.lane)) is not None:
            if self.home not in ("", job.home):
                self._kill()
            if self.process is None:
                self._begin()
            self.job, self.home = job, job.home
            status = self._do(job)
            self.job = None
            if status is not None:
                self._kill()
                self._begin()  # before anybody waits for it
                job.end(status)
        self._kill()

    def _begin(self) -> None:
        """Start a process, and wait until it has imported its modules, as this time must not count for a job."""
        if self.pool.closed:
            return
        try:
            self.process = start_python(__name__, serve.__name__, *self.pool.preload)
        except WorkersFailed:  # as its first job will find
            return
        self.home, self._inbox = "", SimpleQueue()
        Thread(target=_receive, args=(self.process.stdout, self._inbox), daemon=True).start()
        while (message := self._next()) is not None and message[0] != "ready":
            pass
        if message is None:
            self._kill()

    def _kill(self) -> None:
        """End the process at once, with all processes that it has started."""
        if self.process is not None:
            end_python(self.process)
            self.process = None

    def _send(self, *message: Any) -> bool:
        """Send a message to the process; return False if there is no process to receive it."""
        with suppress(OSError):
            if self.process is not None:
                _write(self.process.stdin, *message)
                return True
        return False

    def _next(self) -> Message | None:
        """Return the process's next message: empty if it is silent for a moment; None once it or the pool has ended."""
        try:
            message = self._inbox.get(timeout=EVERY)
        except Empty:
            message = "", {}
        return None if self.pool.closed else message

    def _do(self, job: PoolJob) -> str | None:
        """Run a job in the process; return a status if the process must end after the job, else None."""
        import psutil

        if not self._send("do", job.module, job.function, job.request, job.seconds, job.memory):
            return ERROR
        late, end = TIMEOUT, monotonic() + job.seconds + LATE
        while (message := self._next()) is not None:
            word, data = message
            if word:
                job.tell(data, word == "done")
            if word == "done":
                return None
            if job.cancellation.requested and late != CANCELLED:
                self._send("cancel")
                late, end = CANCELLED, min(end, monotonic() + PATIENCE)
            if monotonic() > end:
                return late
            with suppress(psutil.Error):
                if psutil.Process(self.process.pid).memory_info().rss > job.memory + MEMORY // 4:
                    return MEMOUT
        return CANCELLED if job.cancellation.requested else ERROR


def _write(stream: Any, *message: Any) -> None:
    stream.write(json.dumps(message).encode() + b"\n")
    stream.flush()


def _receive(output: BinaryIO, inbox: SimpleQueue[Message | None]) -> None:
    """Put each message of a process into the inbox, and None at the end, or for an invalid message."""
    try:
        with suppress(OSError, ValueError, TypeError), output:
            for line in output:
                word, data = json.loads(line)
                inbox.put((word, data))
    finally:
        inbox.put(None)


# ---- in the process


def serve() -> None:
    """Run the jobs that the parent process sends, until the parent ends."""
    requests, answers = private_streams()
    receive_signals()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # one's own code may print
    _do_jobs(requests, answers)


def _do_jobs(requests: BinaryIO, answers: BinaryIO) -> None:
    """Import the modules to be loaded early, then answer jobs for ever."""
    jobs: SimpleQueue[tuple[str, str, Data, Limits]] = SimpleQueue()
    Thread(target=_listen, args=(requests, jobs), daemon=True).start()
    for name in sys.argv[1:]:
        import_module(name)
    _write(answers, "ready", {})
    while True:
        module, function, request, limits = jobs.get()
        work = getattr(import_module(module), function)
        _write(answers, "done", answered(work, request, partial(_write, answers, "told"), limits))


def _listen(requests: BinaryIO, jobs: SimpleQueue[tuple[str, str, Data, Limits]]) -> None:
    """Receive messages from the parent; if the parent is gone, end this process and all that it has started."""
    limits = Limits()
    try:
        for line in BufferedReader(requests):  # type: ignore[type-var]
            word, *rest = json.loads(line)
            if word == "do":
                *work, seconds, memory = rest
                limits = Limits(seconds, memory)
                jobs.put((*work, limits))
            else:
                limits.cancel()
    finally:
        os.killpg(0, signal.SIGKILL) if hasattr(os, "killpg") else os.kill(os.getpid(), signal.SIGTERM)


def answered(work: Work, request: Data, tell: Tell, limits: Limits) -> Data:
    """Return the answer to a job; a failed job has an `error` and a `verdict`, and after a limit a `status`."""
    try:
        with Run(limits):
            return work(request, tell)
    except LimitReached as reached:
        return {"error": str(reached), "status": reached.status, "verdict": verdict_of_error(reached)}
    except MemoryError as error:
        return {"error": REACHED[MEMOUT], "status": MEMOUT, "verdict": verdict_of_error(error)}
    except UnpuzzleError as error:
        message, verdict = getattr(error, "message", "") or str(error), verdict_of_error(error)
        return {"error": message, "line": getattr(error, "line", None), "verdict": verdict}
    except (Exception, SystemExit) as error:  # of the user's code, or of ours
        place = _place(error, request)
        message = f"{type(error).__name__}: {error}".rstrip(": ") + place
        return {"error": message, "verdict": "refused" if place else "broken"}


def _place(error: BaseException, request: Mapping[str, Any]) -> str:
    """Return the line and file of an error if the request names this file; otherwise an empty text."""
    for frame in reversed(extract_tb(error.__traceback__)):
        if frame.filename in request.values():
            return f" (line {frame.lineno} of {os.path.basename(frame.filename)})"
    return ""
