"""Make many calls apart, several at a time: by threads here, each with processes of its own, or on a cluster.

    with team(workers=4) as crew:
        for key, done in crew.results((number, call) for number, call in enumerate(calls)): ...

Results come as soon as they are there; `in_order` gives them in the order of the calls. A call that breaks its process
costs that call and no more. So does one on a machine of the cluster that goes away: the scheduler gives it to another
one, a few times, and then its ending says so. Leaving the block ends what is running, also on the cluster.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Event, Thread, local
from typing import Any, Self, TypeVar

from unpuzzle.base.errors import WorkersFailed
from unpuzzle.base.limits import Limits
from unpuzzle.base.outcomes import CANCELLED, TIMEOUT
from unpuzzle.base.run import Run, current
from unpuzzle.base.values import Record
from unpuzzle.working.apart import Apart
from unpuzzle.working.calls import Call, Ending
from unpuzzle.working.crews import ASKING, Cluster

Key = TypeVar("Key")
FOR_THE_REST = 0.3
"""The seconds beyond its limits in which a job may still send its results."""
LOOK = 0.3
"""The seconds between two checks whether a cluster still waits for a worker's call."""


class Done(Record):
    """How a call ended, what it had reported until then, and where it was made."""

    ending: Ending
    parts: tuple[Any, ...] = ()
    place: Any = None


def team(workers: int = 1, scheduler: str | None = None, about: Callable[[str], Any] | None = None) -> Team:
    """Return a team of so many threads, or of the threads of a Dask cluster at an address.

    `about` is called with the call's note where the call is made, and tells about that place. Entering the block raises
    WorkersFailed where there is no such cluster, DependencyMissing without Dask.
    """
    return _ClusterTeam(scheduler, about) if scheduler is not None else Team(workers, about)


class Team:
    """Threads of this process."""

    def __init__(self, workers: int, about: Callable[[str], Any] | None = None) -> None:
        self.ahead = workers
        self._about = about
        self._aparts: list[Apart] = []
        self._own = local()
        self._executor: Executor | None = None

    def __enter__(self) -> Self:
        self._executor = ThreadPoolExecutor(self.ahead, thread_name_prefix="unpuzzle-run")
        return self

    def __exit__(self, *_: object) -> None:
        assert self._executor is not None
        for apart in self._aparts:
            apart.stop()
        self._executor.shutdown(wait=True, cancel_futures=True)
        for apart in self._aparts:
            apart.close()

    def results(
        self, calls: Iterable[tuple[Key, Call]], over: Callable[[], bool] = lambda: False
    ) -> Iterator[tuple[Key, Done]]:
        """Yield each key with the end of its call, as soon as it ends; calls are taken when a worker is free.

        It ends early when `over` says so, which is asked a few times a second. Raises WorkersFailed where nobody is
        left to make calls.
        """
        waiting: dict[Future[Done], Key] = {}
        rest = iter(calls)
        while True:
            while len(waiting) < self.ahead and (following := next(rest, None)) is not None:
                waiting[self._submit(following[1])] = following[0]
            if not waiting or over():
                return
            for future in wait(waiting, ASKING, FIRST_COMPLETED).done:
                yield waiting.pop(future), self._done(future)

    def _submit(self, call: Call) -> Future[Done]:
        assert self._executor is not None
        return self._executor.submit(self._make, call)

    def _done(self, future: Future[Done]) -> Done:
        return future.result()

    def _make(self, call: Call) -> Done:
        if not hasattr(self._own, "apart"):
            self._own.apart = Apart()
            self._aparts.append(self._own.apart)
        parts: list[Any] = []
        ending = self._own.apart.call(call, parts.append)
        return Done(ending, tuple(parts), self._about and self._about(call.note))


def in_order(results: Iterable[tuple[int, Done]]) -> Iterator[Done]:
    """Yield results whose keys are 0, 1, ... in the order of their keys, each as soon as those before it are there."""
    early: dict[int, Done] = {}
    due = 0
    for number, done in results:
        early[number] = done
        while due in early:
            yield early.pop(due)
            due += 1


def each(
    function: Callable[..., Any],
    jobs: Iterable[tuple[Any, ...]],
    limits: Limits | None = None,
    phase: str = "",
    *,
    workers: int,
    scheduler: str | None = None,
    runs: int = 1,
) -> Iterator[Done]:
    """Call a function with the arguments of each job, and yield how the calls ended, in order.

    Functions are pickled by their names. `phase` is the work of each call, for messages.
    `limits` are of each job (None: what the current run has left), or of each of that many `runs` that it makes and
    gives them to itself. What does not look at them ends a little later. When they are cancelled, or the current run is
    over, the remaining jobs are not begun, and their endings say so. Errors are those of `team` and `results`.
    """
    over, rest, begun, ended = is_over(limits), iter(jobs), 0, 0

    def calls() -> Iterator[tuple[int, Call]]:
        nonlocal begun
        for number, job in enumerate(rest):
            begun, own = number + 1, current().limits if limits is None else limits
            time, cpu = (None if one is None else one * runs + FOR_THE_REST for one in (own.time, own.cpu))
            data = pickle.dumps((function, own if runs == 1 else Limits(), phase, job))
            yield number, Call(__name__, within_limits_here.__name__, data, time, cpu, own.memory)

    with team(workers, scheduler) as crew:
        for done in in_order(crew.results(calls(), lambda: bool(over()))):
            ended += 1
            yield done
    for _ in range(begun - ended + sum(1 for _ in rest)):
        yield Done(Ending(limit=over()))


def within_limits_here(_: object, function: Callable[..., Any], limits: Limits, phase: str, job: Iterable[Any]) -> Any:
    """Return what a function returns for a job, in a process that exists for it: all that it takes counts."""
    with Run(limits.replace(held=0), phase):
        return function(*job)


def is_over(limits: Limits | None) -> Callable[[], str]:
    """Return a function that gives the status with which work ends, by its own limits or the current run; else ""."""
    run = current()

    def status() -> str:
        if (limits is not None and limits.cancelled) or run.cancellation.requested:
            return CANCELLED
        return TIMEOUT if run.over() else ""

    return status


class _ClusterTeam(Team):
    """The threads of a Dask cluster, whose machines have unpuzzle installed."""

    def __init__(self, address: str, about: Callable[[str], Any] | None) -> None:
        super().__init__(1, about)
        self._cluster = Cluster(address)

    def __enter__(self) -> Self:
        self._cluster.__enter__()
        self._executor, self.ahead = self._cluster.executor, self._cluster.ahead
        return self

    def __exit__(self, *raised: object) -> None:
        self._cluster.__exit__(*raised)

    def _submit(self, call: Call) -> Future[Done]:
        future: Future[Done] = self._cluster.executor.submit(make_call, call, self._about)
        return future

    def _done(self, future: Future[Done]) -> Done:
        from distributed import KilledWorker

        try:
            done: Done = self._cluster.outcome(future, None)
        except WorkersFailed as failed:
            if not isinstance(failed.__context__, KilledWorker):
                raise
            done = Done(Ending(printed="each machine of the cluster that tried it went away"))
        return done


_HERE = local()


def make_call(call: Call, about: Callable[[str], Any] | None) -> Done:
    """Make a call for a worker of a cluster, this process; end it when nobody waits for it any more."""
    if getattr(_HERE, "owner", None) != os.getpid():
        _HERE.apart, _HERE.owner = Apart(), os.getpid()
    parts: list[Any] = []
    over = Event()
    apart: Apart = _HERE.apart
    Thread(target=_watch, args=(apart, _wanted(), over), daemon=True).start()
    try:
        return Done(apart.call(call, parts.append), tuple(parts), about and about(call.note))
    finally:
        over.set()
        if apart.stopped:
            apart.close()
            del _HERE.owner


def _watch(apart: Apart, wanted: Callable[[], bool], over: Event) -> None:
    while not over.wait(LOOK):
        if not wanted():
            apart.stop()
            return


def _wanted() -> Callable[[], bool]:
    """Return a function that tells whether the cluster still waits for the task of this thread."""
    from distributed import get_worker

    with suppress(ValueError):
        worker = get_worker()
        key = worker.get_current_task()

        def wanted() -> bool:
            task = worker.state.tasks.get(key)
            return task is not None and task.state == "executing" and worker.status.name != "closed"

        return wanted
    return lambda: True
