"""Make many calls at the same time, in processes of this machine or on a Dask cluster.

    for outcome in each(check, [(level,) for level in levels], workers=4): ...                    in order
    for value in in_turn(judge, chunks, time_left, workers=4): ...                                in order, as needed
    with workers_at(4) as workers:
        for key, outcome in workers.results((key, call) for key, call in calls.items()): ...      as soon as it is there

A call that breaks its process costs that call and no more. So does one on a machine of the cluster that goes away: the
scheduler gives it to another one, a few times, and then its outcome says so. The end of the block, or of the iterator,
ends what is running, also on the cluster.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from math import inf
from threading import Event, Thread, local
from time import perf_counter

from unpuzzle.base.availability import require
from unpuzzle.base.errors import WorkersFailed
from unpuzzle.base.outcomes import CANCELLED, TIMEOUT
from unpuzzle.base.run import Limits, Run, current
from unpuzzle.base.type_hints import TYPE_CHECKING, Any, Self, TypeVar
from unpuzzle.processes.worker import Call, CallOutcome, Worker

if TYPE_CHECKING:  # a task that needs no workers does without it
    from concurrent.futures import Executor, Future

Key = TypeVar("Key")
Job = TypeVar("Job")
JobResult = TypeVar("JobResult")
About = Callable[[str], Any]

CONNECTING_SECONDS = 10
ASKING = 0.1  # seconds between two checks whether the work was cancelled
JOBS_PER_WORKER = 2  # sent ahead, so that no worker waits for its next job
FOR_THE_REST = 0.3  # seconds beyond its limits in which a job may still send its results
LOOK = 0.3  # seconds between two checks whether a cluster still waits for a worker's call


def workers_at(workers: int = 1, scheduler: str | None = None, about: About | None = None) -> Workers:
    """Return workers that are threads of this process, or the workers of the Dask cluster at an address.

    There `about` describes the place where a call is made, from the call's note. Entering the block raises
    WorkersFailed if there is no such cluster, DependencyMissing without Dask.
    """
    return _Cluster(scheduler, about) if scheduler is not None else Workers(workers)


class Workers:
    """Threads that each make calls in their own worker process; `ahead` is the number of calls made at a time."""

    def __init__(self, workers: int) -> None:
        self.ahead = workers
        self._workers = [Worker() for _ in range(workers)]
        self._idle = self._workers.copy()
        self._executor: Executor

    def __enter__(self) -> Self:
        from concurrent.futures import ThreadPoolExecutor

        self._executor = ThreadPoolExecutor(self.ahead, thread_name_prefix="unpuzzle-run")
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()
        self._executor.shutdown(wait=True, cancel_futures=True)
        for worker in self._workers:
            worker.close()

    def results(
        self, calls: Iterable[tuple[Key, Call]], over: Callable[[], object] = lambda: False
    ) -> Iterator[tuple[Key, CallOutcome]]:
        """Yield each key with the outcome of its call as soon as the call ends; calls start when a worker is free.

        It ends early when `over`, asked a few times a second, says so. Raises WorkersFailed if no worker is left.
        """
        from concurrent.futures import FIRST_COMPLETED, wait

        waiting: dict[Future[CallOutcome], Key] = {}
        rest = iter(calls)
        while True:
            for key, call in islice(rest, self.ahead - len(waiting)):
                waiting[self.submit(call)] = key
            if not waiting or over():
                return
            for future in wait(waiting, ASKING, FIRST_COMPLETED).done:
                yield waiting.pop(future), self.outcome(future, None)

    def submit(self, call: Call) -> Future[CallOutcome]:
        """Schedule a call for the next free worker; return the future of the outcome."""
        return self._executor.submit(self._make, call)

    def outcome(self, future: Future[CallOutcome], seconds: float | None) -> CallOutcome:
        """Wait for a call, and return its outcome.

        Raises LimitReached if the current run is cancelled meanwhile, TimeoutError after some seconds.
        """
        end = inf if seconds is None else perf_counter() + seconds
        while True:
            if not future.done():
                current().interrupt()
            try:
                return future.result(max(min(ASKING, end - perf_counter()), 0.0))
            except TimeoutError:
                if future.done() or perf_counter() >= end:
                    raise

    def _make(self, call: Call) -> CallOutcome:
        worker = self._idle.pop()  # there are no more threads than workers
        try:
            return worker.call(call)
        finally:
            self._idle.append(worker)


def each(
    function: Callable[..., Any],
    jobs: Iterable[tuple[Any, ...]],
    limits: Limits | None = None,
    phase: str = "",
    *,
    workers: int,
    scheduler: str | None = None,
    runs: int = 1,
) -> Iterator[CallOutcome]:
    """Call a function with the arguments of each job, and yield the outcomes of the calls, in order.

    Functions are pickled by their names. `phase` is the work of each call, for messages. `limits` are of each job
    (None: the rest of the current run's), or of each of that many `runs` that it makes and gives them to itself. What
    does not look at them ends a little later. When they are cancelled, or the current run is over, the remaining jobs
    are not begun, and their outcomes say so. Raises as `workers_at` and `results` do.
    """
    over, rest, begun, ended = is_over(limits), iter(jobs), 0, 0

    def calls() -> Iterator[tuple[int, Call]]:
        nonlocal begun
        for begun, job in enumerate(rest, 1):
            own = current().limits if limits is None else limits
            time, cpu = (None if one is None else one * runs + FOR_THE_REST for one in (own.time, own.cpu))
            call = _call(function, job, own if runs == 1 else Limits(), phase)
            yield begun, call.replace(time=time, cpu=cpu, memory=own.memory)

    with workers_at(workers, scheduler) as team:
        early: dict[int, CallOutcome] = {}
        for number, outcome in team.results(calls(), over):
            early[number] = outcome
            while ended + 1 in early:
                ended += 1
                yield early.pop(ended)
    for _ in (*range(begun - ended), *rest):
        yield CallOutcome(limit=over())


def in_turn(
    function: Callable[[Job], JobResult],
    jobs: Iterable[Job | None],
    time_left: Callable[[], float | None],
    *,
    workers: int = 1,
    scheduler: str | None = None,
    preload: Sequence[str] = (),
) -> Generator[JobResult]:
    """Yield the result of each job in the order of the jobs; with one worker, this process does the work itself.

    `jobs` are taken lazily, a few ahead of the results, so they may never end. None in place of a job says that the
    next one depends on results to come: the next result is yielded first. `preload` are modules that all jobs need.
    Raises TimeoutError when no result has come in the seconds of `time_left` (None: no limit; this process as a worker
    leaves that to the function), what the function raises, and the errors of `workers_at` and `CallOutcome.value`.
    """
    if workers == 1 and scheduler is None:
        yield from (function(job) for job in jobs if job is not None)
        return
    with workers_at(workers, scheduler) as team:
        pending: deque[Future[CallOutcome]] = deque()
        for job in jobs:
            if job is not None:
                pending.append(team.submit(_call(function, (job,), Limits(), "", preload)))
            if len(pending) >= JOBS_PER_WORKER * team.ahead or (job is None and pending):
                yield team.outcome(pending.popleft(), time_left()).value()
        while pending:
            yield team.outcome(pending.popleft(), time_left()).value()


def _call(
    function: Callable[..., Any], job: tuple[Any, ...], limits: Limits, phase: str, preload: Sequence[str] = ()
) -> Call:
    """Return the call that runs a function on a job within limits, in another process."""
    import pickle

    own = getattr(function, "func", function).__module__  # a partial function has none
    data = pickle.dumps((function, limits, phase, job))
    return Call(__name__, within_limits_here.__name__, data, preload=(own, *preload))


def within_limits_here(_: object, function: Callable[..., Any], limits: Limits, phase: str, job: Iterable[Any]) -> Any:
    """Call a function on a job within limits, which count all resources that this process uses; return the result."""
    with Run(limits.replace(held=0), phase):
        return function(*job)


def is_over(limits: Limits | None) -> Callable[[], str]:
    """Return a function that returns the status of the limit or cancellation that ended the work, or "" if none did."""
    run = current()

    def status() -> str:
        cancelled = (limits is not None and limits.cancelled) or run.cancellation.requested
        return CANCELLED if cancelled else TIMEOUT if run.over() else ""

    return status


class _Cluster(Workers):
    """The worker threads of a Dask cluster, whose machines must have unpuzzle installed."""

    def __init__(self, address: str, about: About | None) -> None:
        super().__init__(0)
        self.address, self._about = address, about

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
        self.ahead = JOBS_PER_WORKER * sum(self.client.nthreads().values())
        if not self.ahead:
            self.client.close()
            raise WorkersFailed(f"the Dask scheduler at '{self.address}' has no workers")
        self._executor = self.client.get_executor()
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(wait=False)
        self.client.close()

    def submit(self, call: Call) -> Future[CallOutcome]:
        return self._executor.submit(make_call, call, self._about)

    def outcome(self, future: Future[CallOutcome], seconds: float | None) -> CallOutcome:
        from concurrent.futures import CancelledError

        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError

        try:
            return super().outcome(future, seconds)
        except KilledWorker:
            return CallOutcome(printed="every machine of the cluster that tried it was lost")
        except (CommClosedError, CancelledError) as error:
            why = f": {error}" if str(error) else ""
            raise WorkersFailed(f"the Dask cluster at '{self.address}' ended, or lost its workers{why}") from None
        except ImportError as error:
            raise WorkersFailed(f"the workers of the Dask cluster must have unpuzzle installed: {error}") from None


_HERE = local()


def make_call(call: Call, about: About | None) -> CallOutcome:
    """Make a call in this worker thread of a cluster; end the call when nobody waits for its outcome any more."""
    from distributed import get_worker

    worker: Worker | None = getattr(_HERE, "worker", None)
    if worker is None or worker.stopped:
        worker = _HERE.worker = Worker()
    machine, over = get_worker(), Event()
    key = machine.get_current_task()

    def watch() -> None:
        while not over.wait(LOOK):
            task = machine.state.tasks.get(key)
            if task is None or task.state != "executing" or machine.status.name == "closed":
                return worker.stop()
        return None

    Thread(target=watch, daemon=True).start()
    try:
        outcome = worker.call(call)
        return outcome if about is None else outcome.replace(place=about(call.note))
    finally:
        over.set()
        if worker.stopped:
            worker.close()
