"""Limits of time, memory and processor time; resource usage and cancellation of runs. Imports only from `base`.

Memory: only the run's additions to the process count. The command line, whose process exists for one run, counts
everything (`held=0`). The peak of a run (`peak`) comes from the kernel's high-water mark of the process, `VmHWM`. If
that is clearly above the memory held at the beginning of a run, it is reset, which Linux allows a process to do for
itself (`platform_facts.py`); on other systems the highest measured value counts.

If two runs share a process, each counts the memory and the processor time of both.
"""

from __future__ import annotations

from _weakref import ref  # what `weakref.ref` is; `weakref` would load more
from time import process_time

from unpuzzle.base.errors import UsageError
from unpuzzle.base.platform_facts import forget_peak_memory, peak_memory, resident_memory
from unpuzzle.base.type_hints import ClassVar
from unpuzzle.base.values import Record

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
    """A flag that any thread may set to end all runs that check the flag."""

    __slots__ = ("__weakref__", "_followers", "requested")

    def __init__(self) -> None:
        self.requested: bool = False
        self._followers: list[ref[Cancellation]] = []

    def request(self) -> None:
        """Set this flag, and the flags of all runs that were started inside the run with this flag."""
        self.requested = True
        for follower in [each() for each in self._followers]:
            if follower is not None:
                follower.request()

    def within(self, whole: Cancellation) -> Cancellation:
        """Return a flag that is set as soon as this flag or the flag `whole` of the surrounding run is set."""
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
    """Limits of the resources of one run; None means no limit.

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
        """Return the same limits with another time limit."""
        return self.replace(time=time)

    def after(self, seconds: float) -> Limits:
        """Return the limits that are left after the given number of seconds."""
        return self if self.time is None else self.lasting(max(self.time - seconds, 1e-9))

    def __repr__(self) -> str:
        return f"Limits(time={self.time}, memory={self.memory}, cpu={self.cpu})"

    def __hash__(self) -> int:
        return hash((self.time, self.memory, self.cpu, self.held))

    def __reduce__(self) -> tuple[type[Limits], tuple[float | None, int | None, float | None]]:
        # Another process has another run, with other memory held before it.
        return Limits, (self.time, self.memory, self.cpu)
