"""Run independent jobs here, in processes of this machine, or on a Dask cluster. Results come in order.

    with crew(workers=4) as workers:
        for result in workers.results(function, jobs, time_left): ...

`jobs` are taken lazily, a few ahead of the results, so they may never end. Leaving the block ends what is running.

The processes watch one end of a pipe, the *lifeline*. When this process closes the other end, or is killed, they end at
once, but never while they send a result, for which its reader would wait. Ctrl-C reaches this process alone: the signal
is blocked while a process starts, which inherits that.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from math import inf
from multiprocessing import current_process, get_context, parent_process
from multiprocessing.connection import Connection
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Any, Self, TypeVar

from unpuzzle.base.errors import UsageError, WorkersFailed
from unpuzzle.base.extras import require
from unpuzzle.base.platform_facts import receive_signals
from unpuzzle.base.run import current

Job = TypeVar("Job")
JobResult = TypeVar("JobResult")

CONNECTING_SECONDS = 10
ASKING = 0.1
"""The seconds between two checks whether the work was cancelled."""
JOBS_PER_WORKER = 2
"""The number of jobs sent ahead, so that no worker waits for its next job."""
GUARD = "each worker loads the script, and would begin it again: put what it does below `if __name__ == '__main__':`"
_ORPHAN_LOOK_SECONDS = 0.5


def crew(workers: int = 1, scheduler: str | None = None) -> Crew:
    """Return a crew of processes (1: only this one), or the Dask cluster at an address.

    Entering the block raises WorkersFailed where there is no such cluster, DependencyMissing without Dask.
    """
    if scheduler is not None:
        return Cluster(scheduler)
    return Crew() if workers == 1 else _Processes(workers)


class Crew:
    """This process as the only worker, and the base of others."""

    ahead = 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def results(
        self, function: Callable[[Job], JobResult], jobs: Iterable[Job | None], time_left: Callable[[], float | None]
    ) -> Iterator[JobResult]:
        """Yield the result of each job, in their order. Processes import the function from its module.

        None in place of a job says that the next one depends on results to come: the next result is yielded first.
        Raises TimeoutError when no result has come in the seconds of `time_left` (None: no limit; this process as a
        worker leaves that to the function), WorkersFailed where workers end, and what the function raises.
        """
        pending: deque[Any] = deque()
        for job in jobs:
            if job is not None:
                pending.append(self._submit(function, job))
            if len(pending) >= self.ahead or (job is None and pending):
                yield self._result(pending.popleft(), time_left())
        while pending:
            yield self._result(pending.popleft(), time_left())

    def _submit(self, function: Callable[[Job], JobResult], job: Job) -> Any:
        return function(job)

    def _result(self, submitted: Any, seconds: float | None) -> Any:
        return submitted


def _awaited(future: Any, seconds: float | None) -> Any:
    """Return the result of a job. Raises LimitReached if the current run is cancelled meanwhile, TimeoutError."""
    end = inf if seconds is None else perf_counter() + seconds
    while True:
        current().interrupt()
        try:
            return future.result(max(min(ASKING, end - perf_counter()), 0.0))
        except TimeoutError:
            if future.done() or perf_counter() >= end:
                raise


class _Processes(Crew):
    def __init__(self, workers: int) -> None:
        self.workers, self.ahead = workers, JOBS_PER_WORKER * workers

    def __enter__(self) -> Self:
        _require_guard()
        context = get_context("spawn")  # the same on every system, and safe beside threads
        end, self.lifeline = context.Pipe(duplex=False)
        self.executor = ProcessPoolExecutor(self.workers, context, initializer=_begin, initargs=(end,))
        return self

    def __exit__(self, *raised: object) -> None:
        self.lifeline.close()
        self.executor.shutdown(wait=True, cancel_futures=True)

    def _submit(self, function: Callable[[Job], JobResult], job: Job) -> Any:
        with no_interrupts():
            return self.executor.submit(_on_duty, function, job)

    def _result(self, submitted: Any, seconds: float | None) -> Any:
        try:
            return _awaited(submitted, seconds)
        except BrokenProcessPool:
            message = "a worker process ended before its work was done; was there too little memory?"
            raise WorkersFailed(message) from None


def _require_guard() -> None:
    """Raise UsageError in a script without a guard; a worker that begins the script again ends, with a sentence."""
    if getattr(current_process(), "_inheriting", False):
        raise SystemExit(GUARD)
    main, frame = sys.modules["__main__"], sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
    file = getattr(main, "__file__", None)
    if file is None or main.__spec__ is not None or frame.f_globals is not vars(main):
        return  # workers do not load it, or it is not what calls
    try:
        with suppress(UnicodeDecodeError), open(file, encoding="utf-8") as script:
            if not re.search("__main__|parent_process", script.read()):
                raise UsageError(f"{file}: {GUARD}")
    except OSError:  # such as `<stdin>`
        raise UsageError(f"each worker loads the script from its file, and {file} is none: save it first") from None


@contextmanager
def no_interrupts() -> Iterator[None]:
    """Block SIGINT in this thread, where the system can: a process that is started meanwhile inherits that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_at_work = Event()
_sending = Lock()


def _begin(lifeline: Connection) -> None:
    receive_signals()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # the process that asked has warned
    sys.stdout = sys.stderr  # for what a puzzle prints: results go to the process that asked
    Thread(target=_watch, args=(lifeline,), daemon=True).start()


def _on_duty(function: Callable[[Job], JobResult], job: Job) -> JobResult:
    _at_work.set()
    try:
        return function(job)
    finally:
        with _sending:
            _at_work.clear()


def _watch(lifeline: Connection) -> None:
    """End this process when the lifeline is cut, but only during a job or after the parent's end."""
    try:
        lifeline.recv_bytes()
    except (EOFError, OSError):
        pass
    parent = parent_process()
    while True:
        _at_work.wait(_ORPHAN_LOOK_SECONDS)
        with _sending:
            if _at_work.is_set() or parent is None or not parent.is_alive():
                os.kill(os.getpid(), signal.SIGTERM)


class Cluster(Crew):
    """The workers of a Dask cluster, whose machines have unpuzzle installed."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> Self:
        require("distributed", "work on a Dask cluster needs")
        from distributed import Client
        from distributed.comm.addressing import parse_address, parse_host_port
        from distributed.comm.registry import get_backend

        try:
            scheme, place = parse_address(self.address)  # a Client takes 20 seconds to forgive a bad address
            get_backend(scheme)
            parse_host_port(place)
            self.client: Any = Client(self.address, timeout=CONNECTING_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise WorkersFailed(f"no Dask scheduler answers at '{self.address}': {error}") from None
        threads = sum(self.client.nthreads().values())
        if not threads:
            self.client.close()
            raise WorkersFailed(f"the Dask scheduler at '{self.address}' has no workers")
        self.executor: Executor = self.client.get_executor()
        self.ahead = JOBS_PER_WORKER * threads
        return self

    def __exit__(self, *raised: object) -> None:
        self.executor.shutdown(wait=False)
        self.client.close()

    def _submit(self, function: Callable[[Job], JobResult], job: Job) -> Any:
        return self.executor.submit(function, job)

    def outcome(self, submitted: Any, seconds: float | None) -> Any:
        """Return the result of a job that was submitted, as `results` does."""
        return self._result(submitted, seconds)

    def _result(self, submitted: Any, seconds: float | None) -> Any:
        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError

        try:
            return _awaited(submitted, seconds)
        except (KilledWorker, CommClosedError, CancelledError) as error:
            why = f": {error}" if str(error) else ""
            raise WorkersFailed(f"the Dask cluster at '{self.address}' ended, or lost its workers{why}") from None
        except ImportError as error:
            raise WorkersFailed(f"the workers of the Dask cluster must have unpuzzle installed: {error}") from None
