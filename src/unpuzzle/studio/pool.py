"""Processes that wait for work, so that an answer does not wait for a process to start.

    with Pool(slow=2) as pool:
        job = pool.submit(Job("unpuzzle.studio.judging", "judge", request, tell=print))
        pool.cancel(job)

A process of the lane `quick` does urgent work: reading, drawing, a move. Those of the lane `slow` solve levels. A job
that is cancelled is asked to end; if it does not, because a user's puzzle never checks a limit, its process is killed
and replaced. The same happens if it takes too much time or memory. The side effects of a user's puzzle file never reach
another file: such jobs have a `home`, and share no process with jobs of another home.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Any, Self

from unpuzzle.base.outcomes import CANCELLED, ERROR, MEMOUT, TIMEOUT
from unpuzzle.studio.process import serve
from unpuzzle.working.crews import no_interrupts

QUICK, SLOW = "quick", "slow"
EVERY = 0.05
"""Seconds between two checks of a silent job."""
PATIENCE, LATE = 1.0, 3.0
"""Seconds that a job may continue after it was told to end, and beyond its time limit, which it checks itself."""
SECONDS, MEMORY = 10.0, 1 << 30
_ENDS = {
    CANCELLED: "it was cancelled",
    TIMEOUT: "the time limit was reached",
    MEMOUT: "the memory limit was reached",
    ERROR: "the process ended before its work was done",
}


class Job:
    """Work for a process.

    Attributes:
        module, function: what is called there, with `request`.
        tell: called with each message, in a thread of the pool: with data and whether it is the last one.
        lane, urgency: which processes do it, and in which order: the least number first.
        home: the file of one's own code that it runs; empty for code of ours.
        seconds, memory: its limits.
    """

    def __init__(
        self,
        module: str,
        function: str,
        request: dict[str, Any],
        tell: Callable[[dict[str, Any], bool], None],
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
        self.cancelled: float | None = None  # when, by `monotonic()`

    def end(self, status: str) -> None:
        """Report an end without an answer."""
        self.tell({"error": _ENDS[status], "status": status}, True)


class Pool:
    """The processes, and the jobs that wait for them."""

    def __init__(self, slow: int = 2, quick: int = 1) -> None:
        self._numbers = count(1)
        self._waiting: list[Job] = []
        self._changed = Condition()
        self._closed = False
        lanes = [*[QUICK] * quick, *[SLOW] * slow]
        self._workers = [_Worker(self, lane) for lane in lanes]

    def __enter__(self) -> Self:
        for worker in self._workers:
            worker.thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        """End all processes, whatever they do."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.thread.join(5)

    def submit(self, job: Job) -> Job:
        with self._changed:
            job.number = next(self._numbers)
            self._waiting.append(job)
            self._changed.notify_all()
        return job

    def cancel(self, job: Job) -> None:
        """End a job; it reports this, unless it has already ended."""
        with self._changed:
            if job.cancelled is not None:
                return
            job.cancelled = monotonic()
            waiting = job in self._waiting
            if waiting:
                self._waiting.remove(job)
        if waiting:
            job.end(CANCELLED)
        else:
            for worker in self._workers:
                worker.ask_to_end(job)

    def next_job(self, lane: str) -> Job | None:
        """Wait for a job and return it; None when the pool is closed."""
        with self._changed:
            while True:
                if self._closed:
                    return None
                here = [job for job in self._waiting if job.lane == lane]
                if here:
                    job = min(here, key=lambda job: (job.urgency, job.number))
                    self._waiting.remove(job)
                    return job
                self._changed.wait()

    @property
    def closed(self) -> bool:
        """Whether no job is done any more."""
        return self._closed

    def processes(self) -> list[int]:
        pids = [worker.process.pid for worker in self._workers if worker.process is not None]
        return [pid for pid in pids if pid is not None]


class _Worker:
    """A process, and the thread that talks to it."""

    def __init__(self, pool: Pool, lane: str) -> None:
        self.pool, self.lane, self.home = pool, lane, ""
        self.process: SpawnProcess | None = None
        self.connection: Connection | None = None
        self.job: Job | None = None
        self.lock = Lock()
        self.thread = Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        self._start()
        while (job := self.pool.next_job(self.lane)) is not None:
            if self.home not in ("", job.home):
                self.kill()
            if self.process is None:
                self._start()
            self.home = job.home
            status = self._do(job)
            if status is not None:
                self.kill()
                self._start()  # before anybody waits for it
                job.end(status)
        self.kill()

    def _start(self) -> None:
        context = get_context("spawn")  # the same on every system, and safe beside threads
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs,), daemon=True)
        with self.lock, no_interrupts():
            if self.pool.closed:
                return
            process.start()
            self.process, self.connection, self.home = process, ours, ""
        theirs.close()
        self._await_ready(ours)

    def _await_ready(self, connection: Connection) -> None:
        """Wait until a process has loaded what it needs, which must not count as the time of a job."""
        try:
            while not self.pool.closed and not connection.poll(EVERY):
                pass
            if not self.pool.closed:
                connection.recv_bytes()
        except (EOFError, OSError):  # it has ended, as its first job will find
            pass

    def kill(self) -> None:
        """End the process at once."""
        with self.lock:
            process, self.process = self.process, None
            connection, self.connection = self.connection, None
        if process is not None and process.pid is not None:
            process.kill()
            process.join()
        if connection is not None and process is not None:
            connection.close()

    def ask_to_end(self, job: Job) -> None:
        """Tell the process to end this job, if it works on it."""
        if self.job is job:
            self._send(["cancel", job.number])

    def _send(self, message: list[Any]) -> bool:
        data = json.dumps(message).encode()
        with self.lock:
            if self.connection is None:
                return False
            try:
                self.connection.send_bytes(data)
            except OSError:
                return False
            return True

    def _do(self, job: Job) -> str | None:
        """Do a job; return None, or the reason why the process has to end."""
        self.job = job
        try:
            request = [job.module, job.function, job.request, job.seconds, job.memory]
            if not self._send(["do", job.number, *request]):
                return ERROR
            if job.cancelled is not None:
                self._send(["cancel", job.number])
            return self._await_end(job, monotonic() + job.seconds)
        finally:
            self.job = None

    def _await_end(self, job: Job, end: float) -> str | None:
        connection = self.connection
        while True:
            try:
                if connection is None:
                    return ERROR
                if connection.poll(EVERY):
                    word, number, data = json.loads(connection.recv_bytes())
                    if number == job.number:
                        job.tell(data, word == "done")
                        if word == "done":
                            return None
            except (EOFError, OSError, ValueError):
                return CANCELLED if job.cancelled is not None else ERROR
            now = monotonic()
            if job.cancelled is not None and now > job.cancelled + PATIENCE:
                return CANCELLED
            if now > end + LATE:
                return TIMEOUT
            if self._memory() > job.memory + MEMORY // 4:
                return MEMOUT

    def _memory(self) -> int:
        import psutil

        process = self.process
        try:
            return 0 if process is None or process.pid is None else int(psutil.Process(process.pid).memory_info().rss)
        except psutil.Error:
            return 0
