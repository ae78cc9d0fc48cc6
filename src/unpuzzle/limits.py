"""Limits of a run, and the deadline that carries them through all work in this process. A leaf.

A caller gives `Limits`. When a run begins, they become a `Deadline`, which is passed from phase to phase (`during`), so
that each phase has only the time and memory left by earlier ones. Every long loop calls it; it raises
`errors.LimitReached`, the one exception that unwinds a run.

    deadline = Deadline.of(limits, "reading the level")       limits, a deadline, or None
    for line in ticked(lines, deadline): ...
    search(deadline.during("searching"))

`limits.cancel()`, from any thread, ends every run with these limits, or with a remainder of them.

Code without an argument for it, such as a game during a move, calls `tick()`, which calls the deadline set by
`with ticking(deadline):` for the running work. Each thread has its own.

Memory: only the run's additions to the process count. The command line, whose process exists for one run, counts
everything (`held=0`). The peak of a run (`peak`) comes from the kernel's high-water mark of the process, `VmHWM`. If
that is clearly above the memory held at the beginning of a run, it is reset, which Linux allows a process to do for
itself (`system.py`); on other systems the highest measured value counts.

If two runs share a process, each counts the memory and the processor time of both.
"""

from __future__ import annotations

from _thread import _local  # what `threading.local` is; `threading` would load more
from collections.abc import Callable, Iterable, Iterator
from os import PathLike, fstat
from time import perf_counter, process_time

from unpuzzle.errors import LimitReached, UsageError
from unpuzzle.record import Record
from unpuzzle.system import awaited, forget_peak_memory, may_wait, opened_at_once, peak_memory, resident_memory
from unpuzzle.type_hints import BinaryIO, ClassVar, TypeVar

T = TypeVar("T")


TICKS_PER_LOOK = 512
LOOKS_PER_MEMORY_LOOK = 16
PARTING = 0.1
"""Seconds beyond a limit in which a plan is judged that was found before the limit."""
BLUR = 8 << 20
"""Bytes by which a peak may be overstated: resetting the high-water mark for less is not worth its cost."""


class Usage:
    """The resources that one run takes from the process.

    `held` are the bytes that the process held before the run, `most` the most that the run was seen to hold, `marked`
    tells whether the high-water mark of the process is the run's, and `began` is the process's processor time then.
    """

    __slots__ = ("began", "held", "marked", "most")

    def __init__(self, held: int | None = None) -> None:
        self.began: float = process_time()
        self.held: int = resident_memory() if held is None else held
        self.most: int = 0
        mark = peak_memory()
        self.marked: bool = mark is not None and (held is not None or mark - self.held < BLUR or forget_peak_memory())

    def memory(self) -> int:
        """Return the bytes that the run holds now."""
        memory = resident_memory() - self.held
        self.most = max(self.most, memory)
        return memory

    def peak(self) -> int:
        """Return the most bytes that the run has held."""
        mark = peak_memory() if self.marked else None
        return max(self.memory(), self.most, 0 if mark is None else mark - self.held, 0)

    def cpu(self) -> float:
        """Return the seconds of processor time that the run has taken."""
        return process_time() - self.began


class Cancellation:
    """A flag shared by all runs with the same limits."""

    __slots__ = ("requested",)

    def __init__(self) -> None:
        self.requested: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cancellation) and other.requested == self.requested

    __hash__: ClassVar[None] = None  # type: ignore[assignment]


class Limits(Record):
    """Limits of one run; None is no limit.

    Attributes:
        time: seconds of wall clock.
        memory: bytes.
        cpu: seconds of processor time: of this process, and of the program that a planner starts.
        held: the bytes of the process that are not the run's; None: the bytes held when the run begins.
        usage: the resources of a run in progress, if these limits are a remainder of its own.
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
        """End every run with these limits, with the status `cancelled`; later ones do not begin. For any thread."""
        self.cancellation.requested = True

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self.cancellation.requested

    def lasting(self, time: float | None) -> Limits:
        """Return the same limits with another time."""
        return self.replace(time=time)

    def after(self, seconds: float) -> Limits:
        """Return the limits left after some seconds."""
        return self if self.time is None else self.lasting(max(self.time - seconds, 1e-9))

    def __repr__(self) -> str:
        return f"Limits(time={self.time}, memory={self.memory}, cpu={self.cpu})"

    def __hash__(self) -> int:
        return hash((self.time, self.memory, self.cpu, self.held))

    def __reduce__(self) -> tuple[type[Limits], tuple[float | None, int | None, float | None]]:
        # Another process has another run, with other memory held before it.
        return Limits, (self.time, self.memory, self.cpu)


class Deadline:
    """A function that raises LimitReached at a limit of the run; to be called often.

    Each call reads the clock, since the step before it may have taken long; memory and processor time are checked now
    and then.

    Attributes:
        end: the `perf_counter()` value at which the time is up, or None.
        memory, cpu, cancellation: as in its `Limits`.
        usage: the resources that the run has taken.
        phase: the present work, for messages: "the time limit was reached while {phase}".
    """

    __slots__ = ("cancellation", "cpu", "end", "looks", "memory", "phase", "ticks", "usage")

    def __init__(self, limits: Limits | None = None, phase: str = "working") -> None:
        """Begin a run; its time counts from now."""
        limits = Limits() if limits is None else limits
        self.end: float | None = None if limits.time is None else perf_counter() + limits.time
        self.memory: int | None = limits.memory
        self.cpu: float | None = limits.cpu
        self.usage: Usage = Usage(limits.held) if limits.usage is None else limits.usage
        self.cancellation: Cancellation = limits.cancellation
        self.phase: str = phase
        self.ticks: int = 0
        self.looks: int = 0

    @classmethod
    def of(cls, limits: Limits | Deadline | None, phase: str) -> Deadline:
        """Return the deadline of a run for a phase: of a run in progress, or a new one from limits."""
        if limits is not None and not isinstance(limits, Limits | Deadline):
            raise UsageError(f"limits should be Limits, such as Limits(time=10), not {limits!r}")
        return limits.during(phase) if isinstance(limits, Deadline) else cls(limits, phase)

    def during(self, phase: str) -> Deadline:
        """Return the same deadline for another phase of the run."""
        other = Deadline.__new__(Deadline)
        other.end, other.memory, other.cpu = self.end, self.memory, self.cpu
        other.usage, other.cancellation, other.phase = self.usage, self.cancellation, phase
        other.ticks = other.looks = 0
        return other

    def sooner(self) -> Deadline:
        """Return a slightly earlier deadline (by a tenth of the rest, at most a second), for work that may be cut off.

        So there is time to use its outcome.
        """
        other = self.during(self.phase)
        if self.end is not None:
            other.end = self.end - min(max(self.end - perf_counter(), 0.0), 10.0) / 10
        if self.cpu is not None:
            other.cpu = self.cpu - min(max(self.cpu - self.usage.cpu(), 0.0), 10.0) / 10
        return other

    def within(self, seconds: float) -> Deadline:
        """Return a deadline that comes after some seconds from now, if not sooner."""
        other = self.during(self.phase)
        other.end = perf_counter() + seconds if self.end is None else min(self.end, perf_counter() + seconds)
        return other

    def parting(self) -> Deadline:
        """Return a deadline that leaves a moment from now, to judge what was found before a limit."""
        other = self.during(self.phase)
        if self.end is not None:
            other.end = max(self.end, perf_counter() + PARTING)
        if self.cpu is not None:
            other.cpu = max(self.cpu, self.usage.cpu() + PARTING)
        return other

    @property
    def limits(self) -> Limits:
        """The remaining limits, for a function that takes limits; if the time is up, a little remains."""
        return Limits(self.time_left(), self.memory, self.cpu, usage=self.usage, cancellation=self.cancellation)

    def __call__(self) -> None:
        self.ticks += 1
        if self.ticks % TICKS_PER_LOOK == 0 or self.cancellation.requested or self.over():
            self.look()

    def look(self) -> None:
        """Check all limits now; memory is measured the first time and then once in a while."""
        self.interrupt()
        if self.over():
            raise LimitReached("timeout", f"the time limit was reached while {self.phase}")
        if self.memory is not None and self.looks % LOOKS_PER_MEMORY_LOOK == 0 and self.taken() > self.memory:
            raise LimitReached("memout", f"the memory limit was reached while {self.phase}")
        self.looks += 1

    def interrupt(self) -> None:
        """Raise LimitReached if the run was cancelled or its processor time is used up."""
        if self.cancellation.requested:
            raise LimitReached("cancelled", f"the run was cancelled while {self.phase}")
        if self.cpu is not None and self.usage.cpu() > self.cpu:
            raise LimitReached("timeout", f"the limit of processor time was reached while {self.phase}")

    def over(self) -> bool:
        """Return whether the time is up."""
        return self.end is not None and perf_counter() > self.end

    def late(self, seconds: float) -> bool:
        """Return whether a limit of time was reached more than some seconds ago."""
        if self.end is not None and perf_counter() > self.end + seconds:
            return True
        return self.cpu is not None and self.usage.cpu() > self.cpu + seconds

    def taken(self) -> int:
        """Return the bytes that the run holds now."""
        return self.usage.memory()

    def peak(self) -> int:
        """Return the most bytes that the run has held."""
        return self.usage.peak()

    def time_left(self) -> float | None:
        """Return the seconds until the end, at least a millisecond; None without a time limit."""
        return None if self.end is None else max(self.end - perf_counter(), 0.001)

    def memory_left(self) -> int | None:
        """Return the bytes until the limit, at least one; None without a limit.

        So a search can report that they do not suffice.
        """
        return None if self.memory is None else max(self.memory - self.taken(), 1)

    def cpu_left(self) -> float | None:
        """Return the seconds of processor time until the limit, at least a millisecond; None without such a limit."""
        return None if self.cpu is None else max(self.cpu - self.usage.cpu(), 0.001)


class _Running(_local):
    """The ticker of the running work in this thread."""

    ticker: Callable[[], None] = staticmethod(lambda: None)


_RUNNING = _Running()


def tick() -> None:
    """Call the ticker of the running work, which raises LimitReached at a limit."""
    _RUNNING.ticker()


def ticker() -> Callable[[], None]:
    """Return the ticker of the running work, for loops that call it very often."""
    return _RUNNING.ticker


def interrupt() -> None:
    """Raise LimitReached where the running work was cancelled or has used up its processor time.

    The searches in C++ call this by its name, twenty times a second; the other limits they keep themselves.
    """
    deadline = _RUNNING.ticker
    if isinstance(deadline, Deadline):
        deadline.interrupt()


class ticking:
    """A block of code in which `tick()` calls a function; with None, the ticker stays the same."""

    __slots__ = ("_before", "_called")

    def __init__(self, called: Callable[[], None] | None) -> None:
        self._called = called

    def __enter__(self) -> None:
        self._before = _RUNNING.ticker
        _RUNNING.ticker = self._before if self._called is None else self._called

    def __exit__(self, *error: object) -> None:
        _RUNNING.ticker = self._before


def ticked(things: Iterable[T], tick: Callable[[], None] | None) -> Iterable[T]:
    """Return the same things, with a tick before each."""
    return things if tick is None else _ticked(things, tick)


def looked(things: Iterable[T], tick: Callable[[], None] | None) -> Iterable[T]:
    """Return the same things, each of which takes long: a deadline checks its limits before each."""
    return ticked(things, tick.look if isinstance(tick, Deadline) else tick)


def _ticked(things: Iterable[T], tick: Callable[[], None]) -> Iterator[T]:
    for thing in things:
        tick()
        yield thing


PIECE = 1 << 20
COPIES = 3
"""The number of copies of a text in memory while it is read: as bytes in pieces, as bytes, and as text."""


UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""The encodings that are known by the first two bytes; these are kept as the first character."""


def read_bytes(path: str | PathLike[str], deadline: Deadline | None = None, *, text: bool = True) -> bytes:
    """Read a file, device or pipe to its end. Raises LimitReached, and OSError.

    A file that is too large is not even begun; a source without a size is read in pieces, with checks between them, and
    while nobody writes to a pipe. A `text` is read only up to its first NUL byte: no text has one, and a device may
    have nothing else; but UTF-16 is full of them.
    """
    with open(path, "rb", opener=None if deadline is None else opened_at_once) as file:
        require_room(fstat(file.fileno()).st_size, deadline)
        return read_stream(file, deadline, text=text)


def read_stream(file: BinaryIO, deadline: Deadline | None = None, *, text: bool = True) -> bytes:
    """Read an open file as `read_bytes` does, for any size."""
    pieces, size, waits = list[bytes](), 0, deadline is not None and may_wait(file)
    while piece := awaited(file, PIECE, deadline.look) if waits and deadline is not None else file.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        if text and b"\0" in piece and pieces[0][:2] not in UTF_16:
            break
        if deadline is not None and (waits or len(piece) == PIECE):
            deadline.look()
            require_room((COPIES - 1) * size // COPIES, deadline)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def require_room(size: int, deadline: Deadline | None) -> None:
    """Raise LimitReached if a text of so many bytes would take more memory than a run has left."""
    left = None if deadline is None else deadline.memory_left()
    if deadline is not None and left is not None and COPIES * size > left:
        raise LimitReached("memout", f"the memory limit was reached while {deadline.phase}")
