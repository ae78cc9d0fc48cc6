"""Run programs as child processes, within the limits of the current run. Only this module starts foreign programs.

    with PrivateDirectory({"domain.pddl": text, ...}, planner="name") as directory:
        end = run_program([name, directory.file("domain.pddl")], directory)
        plans = directory.read("plan*")

A small process between (`guardian.cpp`, else `guardian.py`) ends the program with all its descendants, also
when we are killed or when they stop it; what that misses, `process_tree.py` looks for. The guardian sets the kernel's
limits (RLIMIT_AS and RLIMIT_CPU); what all processes take together is sampled. A thread drains the output, so that a
program neither waits for us nor fills memory or disk. The end of the output shows at once that a program ended. Many
threads may run programs at once.
"""

from __future__ import annotations

import errno
import math
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Event, Lock, Thread

from unpuzzle.base.availability import has
from unpuzzle.base.errors import DependencyMissing, LimitReached, PlannerFailed
from unpuzzle.base.outcomes import CANCELLED, MEMOUT, TIMEOUT
from unpuzzle.base.platform_facts import RUN
from unpuzzle.base.run import Limits, Run, current
from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.base.values import Record
from unpuzzle.processes import guardian
from unpuzzle.processes.private_directory import PrivateDirectory, undisturbed
from unpuzzle.processes.worker import Call, CallOutcome, environment, how_it_ended, python_code, shortened

if TYPE_CHECKING:  # a task that starts no program does without it
    import subprocess

Look = Callable[[PrivateDirectory], None]
_PATIENCE = 0.3  # seconds between SIGTERM and SIGKILL
_GRACE = 1.0  # seconds that the guardian waits longer than we do, who ask it to end when the time is up
_AGES = 1e9  # seconds; some systems do not accept longer times
_PARTING = 2.0  # seconds that we wait for the guardian after asking it to end
_STALLED = 0.01  # seconds between two checks whether the guardian ends, once it has not done so at once
_NEARLY = 0.95  # of the limit of processor time: the kernel counts it by its ticks, and ends a program a little early
_SAMPLING = (0.03, 0.1)  # seconds between the first two samples of memory, and at most
_LAST = 0.05  # seconds before the time limit for the last sample, so that there is time to judge a plan
_TINY = 16 << 20  # a memory limit below which a program may die silently
_NEEDED = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")  # to find the libraries of a program
_ENDS = {CANCELLED: "was cancelled", MEMOUT: "reached its memory limit", TIMEOUT: "reached its time limit"}
_MEMORY_WORDS = (
    *(b"memoryerror", b"memory allocation", b"bad_alloc"),  # Python, and as it starts (Rust, too); C++
    *(b"out of memory", b"outofmemory", b"could not reserve enough space", b"could not allocate"),  # C, Go, .NET, Java
    *(b"cannot allocate memory", b"failed to map segment"),  # the system, and its loader
)


class ProgramEnd(Record):
    """A record of how a program ended, and of the resources that it used.

    Attributes:
        exit_code, signal: its exit code, or the number of the signal that ended it; the other is None.
        limit: the status of the limit that ended it, `timeout`, `memout` or `cancelled`, or empty; failing for lack of
          memory is `memout`, too.
        by_cpu: whether this was the limit of processor time.
        peak_memory: the largest sampled memory of all its processes together, in bytes.
        seconds, cpu_seconds: wall clock; and processor time (of the processes that were waited for).
        output, log: its standard output, if `split`, and its whole output, standard output first.
    """

    exit_code: int | None
    signal: int | None
    limit: str
    by_cpu: bool
    peak_memory: int
    seconds: float
    cpu_seconds: float
    output: str
    log: str

    @property
    def cut(self) -> bool:
        """Whether a limit or a signal ended the program, so that its output or plan may be incomplete."""
        return bool(self.limit) or self.signal is not None

    def ending(self) -> str:
        """Return how the program ended, as a phrase that can follow the program's name."""
        if self.by_cpu:
            return "reached its limit of processor time"
        if self.limit:
            return _ENDS[self.limit]
        return how_it_ended(self.exit_code if self.signal is None else -self.signal)


def run_program(
    arguments: Sequence[str],
    directory: PrivateDirectory,
    *,
    split: bool = False,
    bare: bool = False,
    look: Look = lambda _: None,
) -> ProgramEnd:
    """Run a program in a private directory; if `split`, keep standard output and standard error apart.

    A `bare` run inherits only the environment variables that a program needs to start. `look` is called with the
    directory about ten times a second, and at the end.

    Raises DependencyMissing if there is no such program and PlannerFailed if it cannot be started. However this
    function ends, even by KeyboardInterrupt, the program and its descendants are ended first.
    """
    from shutil import which

    name, *rest = arguments
    path = which(name) if name else None
    if path is None:
        where = "there is no such program" if os.path.dirname(name) else "it is not on the PATH"
        message = f"{directory.planner} needs the program {name!r}: {where}"
        raise DependencyMissing(message, dependency=directory.planner)
    return _Runner([os.path.abspath(path), *rest], directory, split, bare, look).run()


# The file with `python_code` that is run: Python copies its command line often, and may have little memory.
START = "start.py"


def call_as_program(module: str, name: str, arguments: tuple[Any, ...], doing: str) -> Any:
    """Call a function in a child process and return its result; used for libraries that check no limits themselves.

    Arguments, results and errors are pickled; messages say `doing` for its work. The process has the rest of the run's
    time and memory. Raises the errors of the function, LimitReached, and PlannerFailed if the process breaks.
    """
    import pickle

    call = Call(module, name, pickle.dumps(arguments))
    start = python_code("unpuzzle.processes.worker", "make_call")
    with PrivateDirectory({START: start, "call.pickle": pickle.dumps(call)}, planner=doing) as directory:
        with Run(Limits(memory=current().memory_left())):
            end = run_program([sys.executable, "-P", START], directory)
        answer = None
        with suppress(OSError), open(directory.file("answer.pickle"), "rb") as file:
            answer = file.read()
    if answer is None and not end.limit:
        raise PlannerFailed(f"the process for {doing} {end.ending()}", planner="python", log=end.log)
    return CallOutcome(None if end.limit else answer, end.limit).value(doing)


def guardian_words() -> list[str]:
    """Return the command line of a guardian process: the compiled program if there is one, else a Python script."""
    for folder in sys.modules["unpuzzle"].__path__:  # of an editable install, the compiled parts are elsewhere
        path = os.path.join(folder, "processes", "guardian")
        if os.access(path, os.X_OK):
            return [path]
    return [sys.executable, "-I", "-S", "-B", os.path.abspath(guardian.__file__)]


class _Runner:
    """A run of a program, from its start to its `ProgramEnd`."""

    def __init__(self, command: list[str], directory: PrivateDirectory, split: bool, bare: bool, look: Look) -> None:
        from unpuzzle.processes.process_tree import ProcessTree  # loads psutil

        self._start = time.monotonic()
        self._command, self._directory, self._limits = command, directory, current().limits
        self._split, self._bare, self._look = split, bare, look
        self._mark = f"unpuzzle-{os.urandom(12).hex()}"
        self._tree = ProcessTree(self._mark)
        self._said: list[bytes] = []
        self._drains: list[Drain] = []
        self._popen: subprocess.Popen[bytes] | None = None
        self._report: Any = None  # a pipe from the guardian
        self._largest = 0  # address space of one process
        self._peak = 0
        self._cpu_left = current().cpu_left()
        self._limit, self._by_cpu = "", False
        self._seconds = 0.0

    def run(self) -> ProgramEnd:
        """Run the program, and return how it ended."""
        self._directory.ended = None
        try:
            popen = self._popen = self._launch()
            self._drains = [Drain(pipe) for pipe in (popen.stdout, popen.stderr) if pipe is not None]
            self._directory.printed = lambda: _decode(self._drains[0].data())
            self._tree.adopt(popen.pid, guardian=self._report is not None)
            self._watch(popen)
            if self._limit:
                self._directory.cut_off(_decode(self._drains[0].catch_up()))
        finally:
            try:
                undisturbed(self._finish)
            except LimitReached:  # of a caller whose limit this run has just been ended for, too
                if not self._limit:
                    raise
        end = self._outcome(popen, self._said)
        self._directory.ended = not end.cut
        self._look(self._directory)
        return end

    def _launch(self) -> subprocess.Popen[bytes]:
        """Start the program below a guardian process, where that is possible (not on Windows)."""
        import subprocess

        given: list[int] = []
        try:
            variables = _environment(self._directory.path, self._mark, self._bare)
            command = self._command
            if has("guardian") and sys.executable:
                import fcntl

                reading, low = os.pipe()
                self._report = open(reading, "rb", buffering=0)  # noqa: SIM115  # until the end
                os.set_blocking(reading, False)
                given = [fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, 3)]  # if ours are closed, it may be below 3
                os.close(low)
                command = [*guardian_words(), *self._words(given[0], variables), *command]
            return subprocess.Popen(  # noqa: S603
                command,
                cwd=self._directory.path,
                env=variables,
                stdin=subprocess.PIPE if given else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if self._split else subprocess.STDOUT,
                bufsize=0,
                start_new_session=True,
                pass_fds=given,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, ValueError) as error:
            raise self._cannot_start(error) from error
        finally:
            for report in given:
                os.close(report)

    def _words(self, report: int, variables: Mapping[str, str]) -> list[str]:
        """Return the guardian's own arguments, which come before the program and the program's arguments."""
        seconds = processor = None
        if self._limits.time is not None:
            seconds = min(self._limits.time + _GRACE, _AGES)
            # The most that a process with a thread on every core can take within the time.
            processor = math.ceil(seconds * (os.cpu_count() or 1)) + 1
        if self._cpu_left is not None:
            processor = math.ceil(self._cpu_left)
        locale = variables.get("LC_CTYPE") or None
        words = (report, os.getpid(), seconds, self._limits.memory, processor, _PATIENCE, self._directory.path, locale)
        return ["-" if word is None else str(word) for word in words]

    def _cannot_start(self, error: object) -> PlannerFailed:
        return PlannerFailed(f"{self._directory.planner} cannot be started: {error}", planner=self._directory.planner)

    def _watch(self, popen: subprocess.Popen[bytes]) -> None:
        """Wait until the program has ended or must be ended."""
        interval, most = _SAMPLING
        sample_at = self._start + interval
        deadline = self._start + (self._limits.time or math.inf)
        while popen.poll() is None:  # the guardian ends when no process is left
            now = time.monotonic()
            if self._limits.cancelled or now >= deadline:
                self._limit = CANCELLED if self._limits.cancelled else TIMEOUT
                return
            if now >= sample_at:
                self._look(self._directory)
                if self._takes_too_much():
                    return
                cost, interval = time.monotonic() - now, min(2 * interval, most)
                sample_at = now + cost + max(interval, 20 * cost)  # at most a twentieth of a processor
                if now < deadline - _LAST < sample_at:
                    sample_at = deadline - _LAST
            left = max(0.0, min(sample_at, deadline, now + most) - time.monotonic())
            reading = next((each for each in self._drains if not each.done.is_set()), None)
            if reading is not None:
                reading.done.wait(left)
            else:  # most likely the program ends now
                self._await_end(popen, left)

    def _takes_too_much(self) -> bool:
        """Measure memory and processor time; return whether the program has exceeded a limit."""
        self._tree.continue_guardian()
        resident, largest, cpu = self._tree.usage()
        self._largest = max(self._largest, largest)
        limit = self._limits.memory or math.inf
        # Processes that share pages look larger than they are; the exact measure is slow, and rarely needed.
        if resident > limit:
            resident = self._tree.usage(exact=True)[0]
        self._peak = max(self._peak, resident)
        if resident > limit:
            self._limit = MEMOUT
        elif self._cpu_left is not None and cpu > self._cpu_left:
            self._limit, self._by_cpu = TIMEOUT, True
        return bool(self._limit)

    def _finish(self) -> None:
        """End the guardian and all processes of the program, and read the guardian's report."""
        try:
            if self._popen is not None and self._popen.stdin is not None:
                with suppress(OSError), self._popen.stdin as guardian_input:  # it may have ended
                    guardian_input.write(b"e")
                self._await_end(self._popen, _PARTING)
            self._said = self._reported()
        finally:
            try:
                # A guardian that is the subreaper has seen all of them end; otherwise, end all that can be found.
                if not (self._said[:1] == [b"ended"] and self._said[5:] == [b"1"] and has("subreaper")):
                    self._tree.end(_PATIENCE)
                    self._said = self._said or self._reported()
            finally:
                self._seconds = time.monotonic() - self._start
                if self._report is not None:
                    self._report.close()
                if self._popen is not None:
                    self._await_end(self._popen, 1)
                for each in self._drains:
                    each.done.wait(1)

    def _await_end(self, popen: subprocess.Popen[bytes], seconds: float) -> None:
        import subprocess

        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with suppress(subprocess.TimeoutExpired):
                popen.wait(_STALLED)
                return
            self._tree.continue_guardian()

    def _reported(self) -> list[bytes]:
        """Return the words of the guardian's report; an empty list without a guardian or for a killed guardian."""
        return [] if self._report is None else (self._report.read(4096) or b"").split()

    def _outcome(self, popen: subprocess.Popen[bytes], report: list[bytes]) -> ProgramEnd:
        """Return how the program ended. Raises PlannerFailed if the program could not be started."""
        code, cpu = popen.returncode, 0.0
        if self._report is not None and not report:  # if SIGCHLD is ignored, a killed guardian seems to have returned 0
            code = -signal.SIGKILL
        if report[:1] == [b"failed"]:
            fault = int(report[1])
            if fault != errno.ENOMEM or self._limits.memory is None:
                raise self._cannot_start(os.strerror(fault))
            self._limit, code = MEMOUT, 127
        elif report:
            code, cpu = int(report[1]), float(report[2])
            self._peak = max(self._peak, int(report[3]))
            if report[4] == b"1" and not self._limit:
                self._limit = TIMEOUT
        killed = code is not None and code < 0
        if killed and not self._limit and self._cpu_left is not None and cpu >= _NEARLY * self._cpu_left:
            self._limit, self._by_cpu = TIMEOUT, True  # by the kernel, between two samples
        texts = [each.data() for each in self._drains]
        if code != 0 and not self._limit and self._starved(texts, killed):
            self._limit = MEMOUT
        exit_code, number = (None, -code) if killed else (code, None)
        used = self._peak, self._seconds, cpu
        return ProgramEnd(
            exit_code, number, self._limit, self._by_cpu, *used, _decode(texts[0]), _decode(b"".join(texts))
        )

    def _starved(self, texts: list[bytes], killed: bool) -> bool:
        """Return whether the program failed because it ran out of memory."""
        if any(word in text[-65536:].lower() for text in texts for word in _MEMORY_WORDS):
            return True
        limit = self._limits.memory or math.inf
        silent_death = limit < _TINY and killed and not any(texts)
        return silent_death or max(self._peak, self._largest) >= 0.95 * limit


def _environment(directory: str, mark: str, bare: bool) -> dict[str, str]:
    variables = environment()
    if bare:
        variables = {name: value for name, value in variables.items() if name.upper() in _NEEDED}
    variables.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP", "PWD"), directory))
    # A run within a run carries both marks, so that the outer run finds it, too.
    variables[RUN] = f"{os.environ.get(RUN, '')} {mark}".strip()
    return variables


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


# ---- what a program prints

THREAD = "unpuzzle-drain"  # the name of the threads that read output
_HALF = 4 << 20
_PIECE = 1 << 16
_PIECES = 32  # the most that are read to catch up with a program: more than fit into a pipe
_PAUSE, _MUCH = 20, 4096  # milliseconds that a thread waits for more output, and the bytes that end the waiting


class Drain:
    """A pipe that a thread reads to the end; only the beginning and the end of the data are kept.

    printed:  |------- 4 MiB -------|.... left out ....|------- 4 MiB -------|

    So the program hardly waits for us, and memory stays bounded. Many programs print line by line, and each reading
    wakes a thread beside the program: after little output the thread waits a moment for more, or for the end. `done` is
    set at the end.
    """

    def __init__(self, pipe: Any) -> None:
        self.done: Event = Event()
        self._pipe = pipe
        self._kept, self._left_out = bytearray(), 0
        self._lock = Lock()
        self._may_poll = hasattr(select, "poll") and hasattr(os, "set_blocking")  # not on Windows
        if self._may_poll:
            os.set_blocking(pipe.fileno(), False)
        # A daemon: if a process escapes with the pipe open, the caller's program can still end.
        Thread(target=self._take_all, daemon=True, name=THREAD).start()

    def data(self) -> bytes:
        """Return the data read so far."""
        with self._lock:
            self._cut()
            return shortened(bytes(self._kept[:_HALF]), self._left_out, bytes(self._kept[_HALF:]))

    def catch_up(self) -> bytes:
        """Read the data that the pipe has now, without waiting, and return all data read so far."""
        for _ in range(_PIECES if self._may_poll else 0):
            if self._take() <= 0:
                break
        return self.data()

    def _take(self) -> int:
        """Read the pipe once; return the number of bytes: 0 at the end, -1 if no data is ready. Raises OSError."""
        with self._lock:  # so that pieces are kept in their order, and nobody reads from a closed pipe
            try:
                piece = b"" if self.done.is_set() else os.read(self._pipe.fileno(), _PIECE)
            except BlockingIOError:
                return -1
            self._keep(piece)
            return len(piece)

    def _take_all(self) -> None:
        """Read the pipe to its end, and close it."""
        try:
            if not self._may_poll:
                while piece := os.read(self._pipe.fileno(), _PIECE):
                    with self._lock:
                        self._keep(piece)
                return
            data, end = select.poll(), select.poll()
            data.register(self._pipe, select.POLLIN)
            end.register(self._pipe, 0)
            while data.poll() and (size := self._take()):
                if 0 < size < _MUCH:
                    end.poll(_PAUSE)
        finally:
            with self._lock:
                self.done.set()
                self._pipe.close()

    def _keep(self, piece: bytes) -> None:
        self._kept += piece
        if len(self._kept) > 3 * _HALF:  # so that a byte is moved once
            self._cut()

    def _cut(self) -> None:
        """Remove the middle of the data, so that at most `_HALF` bytes remain at the beginning and at the end."""
        more = max(len(self._kept) - 2 * _HALF, 0)
        del self._kept[_HALF : _HALF + more]
        self._left_out += more
