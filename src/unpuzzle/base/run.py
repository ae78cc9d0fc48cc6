"""Runs: pieces of work with limits on time and memory, which apply to all code that a run calls.

A caller gives `Limits`. A public function begins a `Run` with them. All code that is called in its block checks them,
without an argument for it: every long loop calls `checkpoint()`, which raises `errors.LimitReached`.

    with Run(limits, "reading the level"):
        level = parse(text)                        for line in within_limits(lines): ...
        with phase("searching"):
            search(level)                          checkpoint()

`limits.cancel()`, from any thread, ends every run with these limits, and all that is a part of one.

A run in the block of another one is a part of it: no limit lets it go on longer than the whole. `part` ends alone, and
`grace` leaves a moment to judge results found in time. Without a run there are no limits (`ROOT`), as in `detached`,
where the outcome of a run is shown or saved. A generator, which shares the context of whoever asks it, is `driven`: its
run applies while it works and not while it waits. A thread begins without a run; `handed` gives it the current one.

Memory: only the run's additions to the process count. The command line, whose process exists for one run, counts
everything (`held=0`). The peak of a run (`peak`) comes from the kernel's high-water mark of the process, `VmHWM`. If
that is clearly above the memory held at the beginning of a run, it is reset, which Linux allows a process to do for
itself (`platform_facts.py`); on other systems the highest measured value counts. If two runs share a process, each
counts the memory and the processor time of both.
"""

from __future__ import annotations

from _weakref import ref  # what `weakref.ref` is; `weakref` would load more
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from time import perf_counter, process_time

from unpuzzle.base.errors import LimitReached, UsageError
from unpuzzle.base.platform_facts import forget_peak_memory, peak_memory, resident_memory
from unpuzzle.base.type_hints import Any, ClassVar, Self, TypeVar
from unpuzzle.base.values import Record

_T = TypeVar("_T")


TICKS_PER_LOOK = 128
MEASURING = 0.01
"""Seconds between two measurements of memory, each of which takes 25 µs."""
PARTING = 0.1
"""The seconds after a limit for judging a plan from before the limit."""
BLUR = 8 << 20
"""Bytes by which a peak may be overstated: resetting the high-water mark for less is not worth its cost."""


class Usage:
    """The memory and processor time that one run uses.

    `held` are the bytes that the process used before the run, `most` the most that was measured in the run, `marked`
    says whether the high-water mark of the process is the run's, and `began` is the process's processor time then.
    """

    __slots__ = ("began", "held", "marked", "most")

    def __init__(self, held: int | None = None) -> None:
        self.began: float = process_time()
        self.held: int = resident_memory() if held is None else held
        self.most: int = 0
        mark = peak_memory()
        self.marked: bool = mark is not None and (held is not None or mark - self.held < BLUR or forget_peak_memory())

    def memory(self) -> int:
        """Return how many bytes of memory the run uses now."""
        memory = resident_memory() - self.held
        self.most = max(self.most, memory)
        return memory

    def peak(self) -> int:
        """Return the highest number of bytes that the run has used."""
        mark = peak_memory() if self.marked else None
        return max(self.memory(), self.most, 0 if mark is None else mark - self.held, 0)

    def cpu(self) -> float:
        """Return the seconds of processor time that the run has taken."""
        return process_time() - self.began


class Cancellation:
    """A flag to cancel runs; any thread may set it."""

    __slots__ = ("__weakref__", "_followers", "requested")

    def __init__(self) -> None:
        self.requested: bool = False
        self._followers: list[ref[Cancellation]] = []

    def request(self) -> None:
        """Set this flag, and the flags that `within` derived from it."""
        self.requested = True
        for follower in [each() for each in self._followers]:
            if follower is not None:
                follower.request()

    def within(self, whole: Cancellation) -> Cancellation:
        """Return a flag that is set as soon as this flag or the flag `whole` of the enclosing run is set."""
        if whole is self:
            return self
        flag = Cancellation()
        for each in (self, whole):
            for gone in [other for other in each._followers if other() is None]:
                try:
                    each._followers.remove(gone)
                except ValueError:  # another thread was quicker
                    pass
            each._followers.append(ref(flag))  # one step, so that none of another thread is lost
        if self.requested or whole.requested:  # by another thread, perhaps meanwhile
            flag.request()
        return flag

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cancellation) and other.requested == self.requested

    __hash__: ClassVar[None] = None  # type: ignore[assignment]


class Limits(Record):
    """The limits of one run on time, memory and processor time; None means no limit.

    Attributes:
        time: seconds of wall clock.
        memory: bytes.
        cpu: seconds of processor time: of this process, and of the program that a planner starts.
        held: the bytes of the process that are not the run's; None: the bytes held when the run begins.
        usage: the resources of a run in progress, if these limits are the rest of its limits.
    """

    time: float | None = None
    memory: int | None = None
    cpu: float | None = None
    held: int | None = None
    usage: Usage | None = None
    cancellation: Cancellation = None  # type: ignore[assignment]  # made in __init__

    def __init__(
        self,
        time: float | None = None,
        memory: int | None = None,
        cpu: float | None = None,
        *,
        held: int | None = None,
        usage: Usage | None = None,
        cancellation: Cancellation | None = None,
    ) -> None:
        super().__init__(time, memory, cpu, held, usage, Cancellation() if cancellation is None else cancellation)

    def _require_sense(self) -> None:
        for name, value in (("time", self.time), ("memory", self.memory), ("cpu", self.cpu)):
            if value is not None and not (isinstance(value, int | float) and value > 0):
                unit = "bytes" if name == "memory" else "seconds"
                raise UsageError(f"the {name} limit must be a positive number of {unit}, not {value!r}")

    def cancel(self) -> None:
        """End every run with these limits, with the status `cancelled`; no later run can begin. Thread-safe."""
        self.cancellation.request()

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self.cancellation.requested

    def lasting(self, time: float | None) -> Limits:
        """Return these limits with another time limit."""
        return self.replace(time=time)

    def after(self, seconds: float) -> Limits:
        """Return the limits that remain when `seconds` of the time have passed."""
        return self if self.time is None else self.lasting(max(self.time - seconds, 1e-9))

    def __repr__(self) -> str:
        return f"Limits(time={self.time}, memory={self.memory}, cpu={self.cpu})"

    def __hash__(self) -> int:
        return hash((self.time, self.memory, self.cpu, self.held))

    def __reduce__(self) -> tuple[type[Limits], tuple[float | None, int | None, float | None]]:
        # Another process has another run, with other memory held before it.
        return Limits, (self.time, self.memory, self.cpu)


class Run:
    """A piece of work with limits on time and memory, which apply to all code called in its `with` block.

    A run is a part of the one in whose block it is made, and ends with it at the latest. Its time counts from where it
    is made. All limits are kept as ends, so that a checkpoint only compares numbers.

    Attributes:
        whole: the run that it is a part of; None for the root.
        end: the `perf_counter()` value at which the time is up, or None.
        cpu_end: the `process_time()` value at which the processor time is used up, or None.
        most: the bytes that the process may use, or None.
        usage: the resources that the run has taken.
        cancellation: the flag that ends it from any thread.
        limited: whether anything can end it.
        phase: the work that its block begins with, for messages: "the time limit was reached while {phase}".
    """

    __slots__ = (
        *("_before", "_measure_at", "cancellation", "cpu_end", "end", "limited", "most", "phase", "ticks", "usage"),
        "whole",
    )

    def __init__(self, limits: Limits | None = None, phase: str = "") -> None:
        whole = _RUN.get()
        self.whole: Run | None = whole
        self.limited: bool = True
        self.usage: Usage = whole.usage
        self.end: float | None = whole.end
        self.cpu_end: float | None = whole.cpu_end
        self.most: int | None = whole.most
        self.cancellation: Cancellation = whole.cancellation
        self.phase: str = phase or _PHASE.get()
        self.ticks: int = 0
        self._measure_at: float = 0.0
        self._before: list[tuple[Run, str]] = []
        if limits is None:
            self.limited = whole.limited
            return
        if not isinstance(limits, Limits):
            raise UsageError(f"limits must be Limits, such as Limits(time=10), not {limits!r}")
        if limits.usage is not None:
            self.usage = limits.usage
        elif whole is ROOT or not limits.memory is limits.cpu is limits.held is None:
            self.usage = Usage(limits.held)  # which takes 50 µs
        self.end = _earlier_end(whole.end, limits.time, perf_counter)
        self.cpu_end = _earlier_end(whole.cpu_end, limits.cpu, lambda: self.usage.began)
        self.most = _earlier_end(whole.most, limits.memory, lambda: self.usage.held)
        self.cancellation = limits.cancellation.within(whole.cancellation)

    def __enter__(self) -> Self:
        self._before.append((_RUN.get(), _PHASE.get()))
        _RUN.set(self)
        _PHASE.set(self.phase)
        return self

    def __exit__(self, *error: object) -> bool | None:
        run, phase = self._before.pop()  # not by a token: a generator may be closed by another thread
        _RUN.set(run)
        _PHASE.set(phase)
        return None

    def check(self) -> None:
        """Raise LimitReached if a limit of the run is reached.

        Each call reads the clock, since the step before it may have taken long; memory and processor time are checked
        now and then.
        """
        self.ticks += 1
        if (
            self.ticks % TICKS_PER_LOOK == 0
            or self.cancellation.requested
            or (self.end is not None and perf_counter() > self.end)
        ):
            self.look()

    def look(self) -> None:
        """Raise LimitReached if any limit is reached; memory is measured at most every 10 ms."""
        self.interrupt()
        if self.over():
            raise self._reached("timeout", "the time limit was reached", Run.over)
        if self.most is not None and (now := perf_counter()) >= self._measure_at:
            self._measure_at = now + MEASURING
            if self._memory_over():
                raise self._reached("memout", "the memory limit was reached", Run._memory_over)

    def interrupt(self) -> None:
        """Raise LimitReached if the run was cancelled or its processor time is used up."""
        if self.cancellation.requested:
            raise self._reached("cancelled", "the run was cancelled", lambda run: run.cancellation.requested)
        if self._cpu_over():
            raise self._reached("timeout", "the limit of processor time was reached", Run._cpu_over)

    def _reached(self, status: str, sentence: str, is_over: Callable[[Run], bool]) -> LimitReached:
        """Return the error for a reached limit; the error's `run` is the outermost run that reached this limit."""
        owner = run = self
        while (whole := run.whole) is not None:
            owner, run = whole if is_over(whole) else owner, whole
        return LimitReached(status, f"{sentence} while {self.doing}", run=owner)

    @property
    def doing(self) -> str:
        """The name of the work in progress, for messages."""
        return _PHASE.get() if _RUN.get() is self else self.phase

    def over(self) -> bool:
        """Return whether the run has reached its time limit."""
        return self.end is not None and perf_counter() > self.end

    def _memory_over(self) -> bool:
        return self.most is not None and self.usage.held + self.usage.memory() > self.most

    def _cpu_over(self) -> bool:
        return self.cpu_end is not None and process_time() > self.cpu_end

    def late(self, seconds: float) -> bool:
        """Return whether the time limit or the processor time limit was exceeded by more than `seconds`."""
        if self.end is not None and perf_counter() > self.end + seconds:
            return True
        return self.cpu_end is not None and process_time() > self.cpu_end + seconds

    def taken(self) -> int:
        """Return how many bytes of memory the run uses now."""
        return self.usage.memory()

    def peak(self) -> int:
        """Return the highest number of bytes that the run has used."""
        return self.usage.peak()

    def time_left(self) -> float | None:
        """Return the seconds until the time limit, at least a millisecond; None without a time limit."""
        return None if self.end is None else max(self.end - perf_counter(), 0.001)

    def memory_left(self) -> int | None:
        """Return the number of bytes that the run may still use, at least one; None without a memory limit.

        So a search can report that they do not suffice.
        """
        return None if self.most is None else max(self.most - self.usage.held - self.taken(), 1)

    def remaining(self) -> tuple[float | None, int | None]:
        """Return the remaining seconds and bytes of the run, in the form that the searches in C++ take."""
        return self.time_left(), self.memory_left()

    def share(self, part: float) -> Limits | None:
        """Return limits that allow the fraction `part` of the remaining time; None without a time limit."""
        left = self.time_left()
        return None if left is None else Limits(left * part)

    def cpu_left(self) -> float | None:
        """Return the seconds until the limit of processor time, at least a millisecond; None without such a limit."""
        return None if self.cpu_end is None else max(self.cpu_end - process_time(), 0.001)

    @property
    def limits(self) -> Limits:
        """The remaining limits, for another process or for a function that takes limits; none of them is zero."""
        memory = None if self.most is None else self.most - self.usage.held
        cpu = None if self.cpu_end is None else self.cpu_end - self.usage.began
        return Limits(self.time_left(), memory, cpu, usage=self.usage, cancellation=self.cancellation)


def _earlier_end(outer: float | None, own: float | None, start: Callable[[], float]) -> Any:
    """Return the earlier of two end times: `outer`, and `own` seconds after the start; None if both are None."""
    if own is None:
        return outer
    end = start() + own
    return end if outer is None else min(outer, end)


def _root() -> Run:
    """Return a new run without limits; such a run is current when no other run is active."""
    root = Run.__new__(Run)  # `__init__` asks the current run, which this is to be; so each attribute is set here
    root.usage = Usage.__new__(Usage)
    root.usage.began, root.usage.held, root.usage.most, root.usage.marked = 0.0, 0, 0, False
    root.whole = root.end = root.cpu_end = root.most = None
    root.limited, root.cancellation, root.phase, root.ticks = False, Cancellation(), "working", 0
    root._measure_at = 0.0
    root._before = []
    return root


ROOT = _root()
_RUN: ContextVar[Run] = ContextVar("run", default=ROOT)
_PHASE: ContextVar[str] = ContextVar("phase", default=ROOT.phase)


def current() -> Run:
    """Return the current run, with its limits and its method `check` for loops."""
    return _RUN.get()


def checkpoint() -> None:
    """Raise LimitReached if the current run has reached a limit."""
    run = _RUN.get()
    if run.limited:
        run.check()


def within_limits(things: Iterable[_T], *, long: bool = False) -> Iterable[_T]:
    """Return an iterable that checks the limits before each item; pass `long=True` if computing one item takes long."""
    run = _RUN.get()
    return _checked(things, run.look if long else run.check) if run.limited else things


def _checked(things: Iterable[_T], check: Callable[[], None]) -> Iterator[_T]:
    for thing in things:
        check()
        yield thing


class phase:
    """A context manager that names the work in progress, for messages of the current run."""

    __slots__ = ("_before", "_name")

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        self._before = _PHASE.get()
        _PHASE.set(self._name)

    def __exit__(self, *error: object) -> None:
        _PHASE.set(self._before)


class part(Run):
    """A part of the current run with its own time limit: a share of the remaining time, or a number of seconds.

    It catches its own LimitReached, and no other; `reached` says whether that was raised.
    """

    __slots__ = ("reached",)

    def __init__(self, name: str = "", *, seconds: float | None = None, share: float | None = None) -> None:
        super().__init__(None, name)
        self.reached: bool = False
        if share is not None:
            self.end = _share(self.end, perf_counter(), share)
            self.cpu_end = _share(self.cpu_end, process_time(), share)
        if seconds is not None:
            self.end = _earlier_end(self.end, seconds, perf_counter)
        self.limited = self.limited or self.end is not None

    def __exit__(self, *error: object) -> bool:
        super().__exit__()
        raised = error[1] if error else None
        self.reached = isinstance(raised, LimitReached) and raised.run is self
        return self.reached


def sooner(name: str = "") -> part:
    """Return a part of the current run that ends before its time limit, by a tenth of the time left, at most 1 s."""
    run = part(name)
    run.end = _tenth_before(run.end, perf_counter())
    run.cpu_end = _tenth_before(run.cpu_end, process_time())
    return run


def _tenth_before(end: float | None, now: float) -> float | None:
    return None if end is None else end - min(max(end - now, 0.0), 10.0) / 10


def _share(end: float | None, now: float, share: float) -> float | None:
    return None if end is None else now + share * max(end - now, 0)


def grace() -> Run:
    """Return a run with a moment of extra time after the time limit, to check results found before the limit."""
    run = Run()
    run.end = None if run.end is None else max(run.end, perf_counter() + PARTING)
    run.cpu_end = None if run.cpu_end is None else max(run.cpu_end, process_time() + PARTING)
    run.whole = None  # whose end is sooner
    return run


def detached() -> Run:
    """Return a run without limits, to show or save the outcome of a run that reached its limits."""
    return _root()


def driven(run: Run, results: Iterator[_T]) -> Iterator[_T]:
    """Yield the results of an iterator; `run` is the current run only while the iterator computes a result."""
    try:
        while True:
            with run:
                try:
                    result = next(results)
                except StopIteration:
                    return
            yield result
    finally:
        if (close := getattr(results, "close", None)) is not None:
            with run:
                close()


def handed(function: Callable[..., _T]) -> Callable[..., _T]:
    """Return a function for another thread that calls `function` with the current run and phase of this thread."""
    run, name = _RUN.get(), _PHASE.get()

    def called(*arguments: Any, **options: Any) -> _T:
        _RUN.set(run)
        _PHASE.set(name)
        return function(*arguments, **options)

    return called


def interrupt() -> None:
    """Raise LimitReached if the current run was cancelled or has used up its processor time.

    The searches in C++ call this by its name, twenty times a second; the other limits they keep themselves.
    """
    _RUN.get().interrupt()
