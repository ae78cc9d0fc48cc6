"""Limits of a run, and the deadline that carries them through everything that works in this process. A leaf.

`Limits` is what a caller asks for. `Deadline` is what they become when a run begins: it is handed from phase to phase
(`during`), so that no phase has more time or memory than the ones before it have left. Every loop that may take long
calls it; it raises `errors.LimitReached`, the one exception that unwinds a run.

    deadline = Deadline.of(limits, "reading the level")       limits, a deadline, or None
    for line in ticked(lines, deadline): ...
    search(deadline.during("searching"))

`limits.cancel()`, from any thread, ends every run that has these limits, or what is left of them.

What has no argument for it, such as a game while it makes a move, calls `tick()`: that calls the deadline that
`with ticking(deadline):` has named for the running work. Each thread has its own.

Memory: only what the run adds to the process counts. The command line, whose process exists for the run alone, counts
everything (`held=0`). The most that a run has held (`peak`) comes from the kernel's high-water mark of the process,
`VmHWM`. Where that stands clearly above what the process holds when a run begins, it is set back, which Linux allows a
process to do for itself (`system.py`); elsewhere the most that the run has seen is told.

Of two runs at a time in one process, each counts the memory and the processor time that both take.
"""

from __future__ import annotations

from _thread import _local  # what `threading.local` is; `threading` would load more
from time import perf_counter, process_time

from unpuzzle.errors import LimitReached, UsageError
from unpuzzle.record import Record
from unpuzzle.system import forget_peak_memory, peak_memory, resident_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from os import PathLike
    from typing import BinaryIO, ClassVar, TypeVar

    T = TypeVar("T")

TICKS_PER_LOOK = 512
LOOKS_PER_MEMORY_LOOK = 16
BLUR = 8 << 20
"""Bytes by which a peak may be told too high: setting the high-water mark back for less is not worth its price."""


class Usage:
    """What one run takes of the process.

    `held` are the bytes that the process held before the run, `most` the most that the run was seen to hold, `marked`
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
    """A flag that all runs with the same limits look at."""

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
        held: the bytes of the process that are not the run's; None: those that it holds when the run begins.
        usage: what a run has taken that began already, where these limits are what is left of its own.
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
        """End every run that has these limits, with the status `cancelled`; later ones do not begin. For any thread."""
        self.cancellation.requested = True

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self.cancellation.requested

    def lasting(self, time: float | None) -> Limits:
        """Return the same limits with another time."""
        return self.replace(time=time)

    def after(self, seconds: float) -> Limits:
        """Return the limits that are left after some seconds."""
        return self if self.time is None else self.lasting(max(self.time - seconds, 1e-9))

    def __repr__(self) -> str:
        return f"Limits(time={self.time}, memory={self.memory}, cpu={self.cpu})"

    def __hash__(self) -> int:
        return hash((self.time, self.memory, self.cpu, self.held))

    def __reduce__(self) -> tuple[type[Limits], tuple[float | None, int | None, float | None]]:
        # In another process the run is another one, and so is what was held before it.
        return Limits, (self.time, self.memory, self.cpu)


class Deadline:
    """Raises LimitReached where a limit of the run is reached; to be called often.

    Each call reads the clock, since the step before it may have taken long; memory and processor time are looked at now
    and then.

    Attributes:
        end: the `perf_counter()` value at which the time is up, or None.
        memory, cpu, cancellation: as in its `Limits`.
        usage: what the run has taken.
        phase: what the run is doing, for messages: "the time limit was reached while {phase}".
    """

    __slots__ = ("cancellation", "cpu", "end", "looks", "memory", "phase", "ticks", "usage")

    def __init__(self, limits: Limits | None = None, phase: str = "working") -> None:
        """Begin a run, whose time counts from now."""
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
        """Return the deadline of a run for a phase: one of a run that has begun, or a new one from limits."""
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
        """Return a deadline a little earlier (a tenth of what is left, a second at most), for work that may be cut off.

        What is done with its outcome then still comes in time.
        """
        other = self.during(self.phase)
        if self.end is not None:
            other.end = self.end - min(max(self.end - perf_counter(), 0.0), 10.0) / 10
        if self.cpu is not None:
            other.cpu = self.cpu - min(max(self.cpu - self.usage.cpu(), 0.0), 10.0) / 10
        return other

    @property
    def limits(self) -> Limits:
        """The limits that are left, for a function that takes limits; of time that is up, a little."""
        return Limits(self.time_left(), self.memory, self.cpu, usage=self.usage, cancellation=self.cancellation)

    def __call__(self) -> None:
        self.ticks += 1
        if self.ticks % TICKS_PER_LOOK == 0 or self.cancellation.requested or self.over():
            self.look()

    def look(self) -> None:
        """Compare with all limits now; memory is measured the first time and then once in a while."""
        self.interrupt()
        if self.over():
            raise LimitReached("timeout", f"the time limit was reached while {self.phase}")
        if self.memory is not None and self.looks % LOOKS_PER_MEMORY_LOOK == 0 and self.taken() > self.memory:
            raise LimitReached("memout", f"the memory limit was reached while {self.phase}")
        self.looks += 1

    def interrupt(self) -> None:
        """Raise LimitReached where the run was cancelled or its processor time is used up."""
        if self.cancellation.requested:
            raise LimitReached("cancelled", f"the run was cancelled while {self.phase}")
        if self.cpu is not None and self.usage.cpu() > self.cpu:
            raise LimitReached("timeout", f"the limit of processor time was reached while {self.phase}")

    def over(self) -> bool:
        """Return whether the time is up."""
        return self.end is not None and perf_counter() > self.end

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
        """Return the bytes until the limit, at least one: so a search can say that they do not suffice; or None."""
        return None if self.memory is None else max(self.memory - self.taken(), 1)

    def cpu_left(self) -> float | None:
        """Return the seconds of processor time until the limit, at least a millisecond; None without such a limit."""
        return None if self.cpu is None else max(self.cpu - self.usage.cpu(), 0.001)


class _Running(_local):
    """What the running work of this thread wants to be called."""

    ticker: Callable[[], None] = staticmethod(lambda: None)


_RUNNING = _Running()


def tick() -> None:
    """Call the ticker of the running work, which raises LimitReached where a limit is reached."""
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
    """A block of code in which `tick()` calls a function; None leaves what was there before."""

    __slots__ = ("_before", "_called")

    def __init__(self, called: Callable[[], None] | None) -> None:
        self._called = called

    def __enter__(self) -> None:
        self._before = _RUNNING.ticker
        _RUNNING.ticker = self._before if self._called is None else self._called

    def __exit__(self, *error: object) -> None:
        _RUNNING.ticker = self._before


def ticked(things: Iterable[T], tick: Callable[[], None] | None) -> Iterable[T]:
    """Return the same things, with a tick before each as it is taken."""
    return things if tick is None else _ticked(things, tick)


def looked(things: Iterable[T], tick: Callable[[], None] | None) -> Iterable[T]:
    """Return the same things, each of which takes long: a deadline compares with its limits before each."""
    return ticked(things, tick.look if isinstance(tick, Deadline) else tick)


def _ticked(things: Iterable[T], tick: Callable[[], None]) -> Iterator[T]:
    for thing in things:
        tick()
        yield thing


PIECE = 1 << 20
COPIES = 3
"""How often a text is in memory while it is read: as bytes in pieces, as bytes, and as text."""


def read_bytes(path: str | PathLike[str], deadline: Deadline | None = None, *, text: bool = True) -> bytes:
    """Read a file, device or pipe to its end. Raises LimitReached, and OSError.

    A file that is too large is not even begun; what has no size is read in pieces, between which the deadline looks.
    A `text` is read no further than to its first NUL byte: no text has one, and a device may have nothing else.
    """
    from os import fstat

    with open(path, "rb") as file:
        require_room(fstat(file.fileno()).st_size, deadline)
        return read_stream(file, deadline, text=text)


def read_stream(file: BinaryIO, deadline: Deadline | None = None, *, text: bool = True) -> bytes:
    """Read an open file as `read_bytes` does, whatever its size."""
    pieces, size = list[bytes](), 0
    while piece := file.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        if text and b"\0" in piece:
            break
        if deadline is not None and len(piece) == PIECE:
            deadline.look()
            require_room((COPIES - 1) * size // COPIES, deadline)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def require_room(size: int, deadline: Deadline | None) -> None:
    """Raise LimitReached where a text of so many bytes would take more memory than a run has left."""
    left = None if deadline is None else deadline.memory_left()
    if deadline is not None and left is not None and COPIES * size > left:
        raise LimitReached("memout", f"the memory limit was reached while {deadline.phase}")
