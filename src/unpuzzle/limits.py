"""Limits of a run, and the deadline that carries them through everything that works in this process. A leaf.

`Limits` is what a caller asks for: so many seconds, so many bytes. `Deadline` is what they become when a run begins: a
moment on the clock and a number of bytes that the process may hold by then. One deadline is made for a run and handed
from phase to phase (`during`), so that no phase has more time or memory than the ones before it have left. Every loop
that may take long calls it; it raises `errors.LimitReached`, the one exception that unwinds a run.

    deadline = Deadline.of(limits, "reading the level")       limits, a deadline, or None
    for line in lines:
        deadline()
    ...
    search(deadline.during("searching"))

What has no argument for it, such as a game while it makes a move, calls `tick()`: that calls the deadline of the
running work, which whoever began it has named by `with ticking(deadline):`. Each thread has its own.

Memory: what the process held before the run is not the run's, so only what is added counts. The command line, whose
process exists for the run alone, counts everything (`held=0`). The most that a run has held (`peak`) comes from the
kernel's high-water mark of the process. Where that stands clearly above what the process holds when a run begins, it
tells nothing of the run: it is set back, which Linux allows a process to do for itself (`/proc/self/clear_refs`). So
the `VmHWM` of a process in which runs begin tells of the time since the last of them. Where the system does not
allow it, the most that was seen when the run looked at its memory is told instead. Of two runs at a time in one process
each counts what both take.
"""

from __future__ import annotations

from contextvars import ContextVar
from time import perf_counter

from unpuzzle.errors import LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from os import PathLike
    from typing import BinaryIO, TypeVar

    T = TypeVar("T")

TICKS_PER_LOOK = 512
LOOKS_PER_MEMORY_LOOK = 16
BLUR = 8 << 20
"""Bytes by which a peak may be told too high: setting the high-water mark back for less is not worth its price."""


class Memory:
    """How much of the process's memory is a run's.

    Attributes:
        held: bytes that the process held before the run.
        most: the most bytes that the run was seen to hold.
        marked: whether the high-water mark of the process is the run's.
    """

    __slots__ = ("held", "marked", "most")

    def __init__(self, held: int | None = None) -> None:
        self.held = resident_memory() if held is None else held
        self.most = 0
        mark = peak_memory()
        self.marked = mark is not None and (held is not None or mark - self.held < BLUR or forget_peak_memory())

    def taken(self) -> int:
        """Return the bytes that the run holds now."""
        taken = resident_memory() - self.held
        self.most = max(self.most, taken)
        return taken

    def peak(self) -> int:
        """Return the most bytes that the run has held."""
        mark = peak_memory() if self.marked else None
        return max(self.taken(), self.most, 0 if mark is None else mark - self.held, 0)


class Limits:
    """Limits of one run: `time` in seconds of wall clock, `memory` in bytes; None is no limit.

    `held` is how many bytes of the process are not the run's; None: those that it holds when the run begins. `run` is
    the memory of a run that has begun, of which these limits are what is left.
    """

    __slots__ = ("held", "memory", "run", "time")

    def __init__(
        self,
        time: float | None = None,
        memory: int | None = None,
        *,
        held: int | None = None,
        run: Memory | None = None,
    ) -> None:
        if time is not None and not time > 0:
            raise ValueError(f"the time limit must be a positive number of seconds, not {time}")
        if memory is not None and memory <= 0:
            raise ValueError(f"the memory limit must be a positive number of bytes, not {memory}")
        self.time = time
        self.memory = memory
        self.held = held
        self.run = run

    def lasting(self, time: float | None) -> Limits:
        """Return the same limits with another time."""
        return Limits(time, self.memory, held=self.held, run=self.run)

    def after(self, seconds: float) -> Limits:
        """Return what is left after some seconds; of time that is up, next to nothing."""
        return self if self.time is None else self.lasting(max(self.time - seconds, 1e-9))

    def __repr__(self) -> str:
        return f"Limits(time={self.time}, memory={self.memory})"

    def __reduce__(self) -> tuple[type[Limits], tuple[float | None, int | None]]:
        # In another process the run is another one, and so is what was held before it.
        return Limits, (self.time, self.memory)


class Deadline:
    """Raises LimitReached where a limit of the run is reached; to be called often.

    Each call reads the clock, since the step before it may have taken long, such as a turn of a game whose rules are
    run in Python; memory is looked at now and then.

    Attributes:
        end: the `perf_counter()` value at which the time is up, or None.
        memory: the limit in bytes, or None.
        run: the memory of the run.
        phase: what the run is doing, as it is told: "the time limit was reached while {phase}".
    """

    __slots__ = ("end", "looks", "memory", "phase", "run", "ticks")

    def __init__(self, limits: Limits | None = None, phase: str = "working") -> None:
        """Begin a run, whose time counts from now."""
        time, memory = (None, None) if limits is None else (limits.time, limits.memory)
        self.end = None if time is None else perf_counter() + time
        self.memory = memory
        begun = None if limits is None else limits.run
        self.run = Memory(None if limits is None else limits.held) if begun is None else begun
        self.phase = phase
        self.ticks = self.looks = 0

    @classmethod
    def of(cls, limits: Limits | Deadline | None, phase: str) -> Deadline:
        """Return the deadline of a run for a phase: one of a run that has begun, or a new one from limits."""
        return limits.during(phase) if isinstance(limits, Deadline) else cls(limits, phase)

    def during(self, phase: str) -> Deadline:
        """Return the same deadline for another phase of the run."""
        other = Deadline.__new__(Deadline)
        other.end, other.memory, other.run, other.phase = self.end, self.memory, self.run, phase
        other.ticks = other.looks = 0
        return other

    @property
    def limits(self) -> Limits:
        """What is left, for a function that takes limits; of time that is up, a little."""
        return Limits(self.time_left(), self.memory, run=self.run)

    @property
    def held(self) -> int:
        """The bytes that the process held before the run."""
        return self.run.held

    def __call__(self) -> None:
        self.ticks += 1
        if self.ticks % TICKS_PER_LOOK == 0 or self.over():
            self.look()

    def look(self) -> None:
        """Compare with the time limit now, and with the memory limit at first and then once in a while."""
        if self.over():
            raise LimitReached("timeout", f"the time limit was reached while {self.phase}")
        if self.memory is not None and self.looks % LOOKS_PER_MEMORY_LOOK == 0 and self.taken() > self.memory:
            raise self.memory_reached()
        self.looks += 1

    def memory_reached(self) -> LimitReached:
        """Return the error for a run that has no memory left."""
        return LimitReached("memout", f"the memory limit was reached while {self.phase}")

    def over(self) -> bool:
        """Return whether the time is up."""
        return self.end is not None and perf_counter() > self.end

    def taken(self) -> int:
        """Return the bytes that the run holds now."""
        return self.run.taken()

    def peak(self) -> int:
        """Return the most bytes that the run has held."""
        return self.run.peak()

    def time_left(self) -> float | None:
        """Return the seconds until the end, at least a millisecond; None without a time limit."""
        return None if self.end is None else max(self.end - perf_counter(), 0.001)

    def memory_left(self) -> int | None:
        """Return the bytes until the limit, at least one: so a search can say that they do not suffice; or None."""
        return None if self.memory is None else max(self.memory - self.taken(), 1)


def _without_limit() -> None:
    """Look at no limit."""


_TICKER: ContextVar[Callable[[], None]] = ContextVar("ticker", default=_without_limit)


def tick() -> None:
    """Call what the running work wants to be called often; it raises LimitReached where a limit is reached."""
    _TICKER.get()()


def ticker() -> Callable[[], None]:
    """Return what `tick` calls now, for loops that call it very often."""
    return _TICKER.get()


class ticking:
    """While it lasts, `tick()` calls this; None leaves what was there before."""

    __slots__ = ("_called", "_token")

    def __init__(self, called: Callable[[], None] | None) -> None:
        self._called = called

    def __enter__(self) -> None:
        self._token = _TICKER.set(_TICKER.get() if self._called is None else self._called)

    def __exit__(self, *error: object) -> None:
        _TICKER.reset(self._token)


def ticked(things: Iterable[T], tick: Callable[[], None] | None) -> Iterable[T]:
    """Return the same things, with a tick before each as it is taken."""
    return things if tick is None else _ticked(things, tick)


def looked(things: Iterable[T], tick: Callable[[], None] | None) -> Iterable[T]:
    """Return the same things, of which each takes long: before each a deadline compares with its limits."""
    return ticked(things, tick.look if isinstance(tick, Deadline) else tick)


def _ticked(things: Iterable[T], tick: Callable[[], None]) -> Iterator[T]:
    for thing in things:
        tick()
        yield thing


def resident_memory() -> int:
    """Return the bytes that this process holds in memory now."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * _page_size()
    except OSError:
        import psutil

        return int(psutil.Process().memory_info().rss)


def _page_size() -> int:
    from os import sysconf

    return sysconf("SC_PAGE_SIZE")


def peak_memory() -> int | None:
    """Return the most bytes that this process has held, or None where the system does not tell.

    On Linux `ru_maxrss` also counts what the process that started this one held, so it is only asked elsewhere.
    """
    try:
        with open("/proc/self/status", "rb") as file:
            for line in file:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass  # not on Linux
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return None
    from sys import platform

    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if platform == "darwin" else peak * 1024


def forget_peak_memory() -> bool:
    """Set the most bytes that this process has held to those that it holds now; returns whether that was possible."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        return False
    return True


# ---- files


PIECE = 1 << 20
COPIES = 3
"""How often a text is in memory while it is read: as bytes in pieces, as bytes, and as text."""


def read_bytes(path: str | PathLike[str], deadline: Deadline | None = None, *, text: bool = True) -> bytes:
    """Read a file, or what a device or pipe gives until its end. Raises LimitReached, and OSError.

    A file that is too large is not even begun; what has no size is read in pieces, between which the deadline looks.
    A `text` is read no further than to its first NUL byte: no text has one, and a device may have nothing else.
    """
    from os import fstat

    with open(path, "rb") as file:
        require_room(fstat(file.fileno()).st_size, deadline)
        return read_stream(file, deadline, text=text)


def read_stream(file: BinaryIO, deadline: Deadline | None = None, *, text: bool = True) -> bytes:
    """Read an open file as `read_bytes` does, whatever its size."""
    pieces: list[bytes] = []
    size = 0
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
        raise deadline.memory_reached()
