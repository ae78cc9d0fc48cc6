"""Runs of an experiment, each of one planner on one task; stored as lines of JSON in the order in which they ended.

    runs.jsonl        {"schema": "unpuzzle/run/1", "key": "...", "task": "p01", "planner": "native", ...}
    runs.logs/KEY     the planner's output, if there was any

The file is the only interface between `experiment`, which makes runs, and `report`, which reads them. Fields may be
added, so a reader accepts a line with missing or unknown fields. A line is written by a single call, so a killed
process leaves at most one torn line, the last, which readers ignore, and which is cut off before anything is added. A
line that is not a run, since a field is missing or has an impossible value, is refused with the reason.

If two runs on one task claim different optimal costs, the smaller refutes the other (`settle`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from io import BytesIO
from stat import S_ISREG
from time import monotonic
from typing import Any, Self, TypeVar

from unpuzzle.base.availability import require
from unpuzzle.base.defaults import RUNS_FILE
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.files import PIECE, require_places, save_file
from unpuzzle.base.outcomes import ERROR, GAVE_UP, SOLVED, SOLVED_OPTIMALLY, STATUSES, UNSOLVABLE
from unpuzzle.base.text import count
from unpuzzle.base.values import Record, field
from unpuzzle.planning.planner import MOVES
from unpuzzle.planning.walking import weigh
from unpuzzle.table import notebook_bundle

BOM = b"\xef\xbb\xbf"
MOST = 1 << 30
"""The most bytes that are read from a source without a size, such as a pipe or a device."""
SCHEMA = "unpuzzle/run/1"
NEEDED = ("key", "domain", "task", "planner", "configuration", "status")
PLANS = (SOLVED, SOLVED_OPTIMALLY)
"""The statuses of runs with a plan."""
LARGEST = 2**63
R = TypeVar("R", bound=Any)
"""A `ComparisonRow` or an `ExperimentRun`."""
LAST_LAYER = "expanded_before_last_layer"
PRINTED: Mapping[str, Attribute] = {LAST_LAYER: r"Expanded until last jump: (\d+) state"}
"""The attributes of all runs: states that A* expanded before the last layer of equal f, which no tie can change."""
SYNCING_SECONDS = 1.0
"""The least number of seconds between two calls of `fsync`."""


class BetterPlan(Record):
    """A plan that an anytime planner found before it ended.

    Attributes:
        seconds: wall clock, from the start of the run.
        cost, plan: its validated cost, and its steps, `(a b c)` or moves of the puzzle.
    """

    seconds: float
    cost: int
    plan: tuple[str, ...] = ()


class ExperimentRun(Record):
    """One run of a planner on a task; unknown values are None.

    Attributes:
        key: a digest of the task's text, the planner with its configuration and version, the limits, and the number of
            the repetition: two runs of one key would be the same run.
        domain, task: the group of the task (the name of its folder, or of the puzzle), and its name within that.
        planner, configuration: the planner's label, short, for tables, and its full name, as `solve` takes it.
        repetition: 0 for the first run of a task and planner, and so on.
        seed: the seed of this run, or None where nothing is random.
        limits: by name: seconds of `time` and `cpu`, bytes of `memory`; None for no limit.
        status, cost, valid, expanded, evaluated, generated, message, condition, pushes, objective: as in `Result`.
        refuted_by: the planner whose plan shows that this run's claim is false (see `settle`); None in files.
        seconds: wall clock, by phase, always with `total`.
        wall, cpu: seconds of the whole process with all that it started, as the system counts them.
        peak_memory: bytes, of the run's largest process.
        plan: the last plan, `(a b c)` or moves of the puzzle; None without one.
        plans: all plans of an anytime planner, in their order.
        log: the name of the log's file in the folder beside the runs, or None.
        versions: of unpuzzle, Python and the planner, by name.
        machine: its `name`, `system` and `processor`, and the number of its `cores`.
        started: when it began, in UTC, as ISO 8601.
        process: `fresh` for a new Python, whose start counts in `wall` and `cpu`; `warm` for a copy of a process that
            had loaded everything; None in files of versions that made copies and did not say so.
        includes: what `wall` and `cpu` include besides the planner itself, such as the driver of Fast Downward.
        search_cpu: processor seconds of the search if the planner reports them, else of everything after reading the
            task.
        attributes: further measures, by name, such as numbers found in the planner's output.
    """

    key: str
    domain: str
    task: str
    planner: str
    configuration: str
    status: str
    repetition: int = 0
    seed: int | None = None
    limits: Mapping[str, float | None] = field(default_factory=dict)
    cost: int | None = None
    valid: bool | None = None
    expanded: int | None = None
    evaluated: int | None = None
    generated: int | None = None
    objective: str = "moves"
    pushes: int | None = None
    message: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    wall: float | None = None
    cpu: float | None = None
    peak_memory: int | None = None
    plan: tuple[str, ...] | None = None
    plans: tuple[BetterPlan, ...] = ()
    log: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    machine: Mapping[str, Any] = field(default_factory=dict)
    started: str = ""
    condition: str | None = None
    refuted_by: str | None = None
    process: str | None = None
    includes: str = ""
    search_cpu: float | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)

    schema = "run"

    @property
    def solved(self) -> bool:
        """Whether the run has found a plan."""
        return self.status in PLANS

    @property
    def broke(self) -> bool:
        """Whether the run has an error and no answer; an invalid plan counts as an answer."""
        return self.status == ERROR and self.valid is None

    @property
    def outcome(self) -> tuple[Any, ...]:
        """The run's answer without times and machine, by which two runs with the same key can be compared."""
        steps = tuple([(better.cost, better.plan) for better in self.plans])
        counts = (self.expanded, self.evaluated, self.generated)
        return (self.key, self.status, self.cost, self.valid, *counts, self.pushes, self.plan, steps)


FIELDS = ExperimentRun._fields
_TYPES = {"str": (str,), "int": (int,), "float": (int, float), "bool": (bool,), "Mapping": (dict,), "tuple": (list,)}
KINDS = {name: _TYPES[kind.partition("[")[0].split()[0]] for name, kind in ExperimentRun._kinds.items()}
"""The types of JSON values that each field may have, besides null."""


class Runs(tuple[ExperimentRun, ...]):
    """A sequence of runs, which notebooks show as a table."""

    __slots__ = ()

    def to_pandas(self) -> Any:
        """Return a pandas table with one row per run, and with a column for each phase, limit and version.

        Raises DependencyMissing if pandas is not installed.
        """
        require("plots", "a table of pandas needs", "pandas")
        import pandas as pd

        rows = [{name: getattr(run, name) for name in FIELDS} for run in self]
        for row in rows:
            for name in ("seconds", "limits", "versions", "machine", "attributes"):
                prefix = name if name == "seconds" else name.removesuffix("s")
                row |= {f"{prefix}_{key}": value for key, value in row.pop(name).items()}
        return pd.DataFrame(rows)

    _repr_mimebundle_ = notebook_bundle


Attribute = str | Callable[[ExperimentRun, str], Any]
"""Your own measure: a regular expression, whose last match in a planner's output is the value, by its first group; or a
function of a run and that output."""


def attributes_in(run: ExperimentRun, output: str, attributes: Mapping[str, Attribute]) -> ExperimentRun:
    """Return a run with the attributes that were found in its output; numerals become numbers. Raises UsageError."""
    found = dict(run.attributes)
    for name, attribute in attributes.items():
        if callable(attribute):
            value = attribute(run, output)
        else:
            try:
                *_, last = [None, *re.finditer(attribute, output, re.MULTILINE)]
            except re.error as error:
                raise UsageError(f"'{name}={attribute}' is not a regular expression: {error}") from None
            value = text = last and last[1 if last.re.groups else 0]
            for kind in (float, int):
                with suppress(TypeError, ValueError):
                    value = kind(text)
        found |= {} if value is None else {name: value}
    return run.replace(attributes=found) if found != run.attributes else run


def logs_folder(path: str) -> str:
    """Return the folder for the logs of a file of runs: the same name with the ending `.logs`."""
    return os.path.splitext(path)[0] + ".logs"


def line_of(run: ExperimentRun) -> bytes:
    """Return the line that stores a run in a file."""
    text = json.dumps(run.to_dict(), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace") + b"\n"  # in names that are not UTF-8 an escape of JSON, too


def run_of(row: Mapping[str, Any]) -> ExperimentRun:
    """Return the run in a JSON object; unknown names are ignored. Raises ParseError for its first fault."""
    if (schema := row.get("schema")) != SCHEMA:
        kind = "a run of another version of unpuzzle" if str(schema).startswith("unpuzzle/run/") else "not a run"
        raise ParseError(f"this is {kind}: its schema is {schema!r:.60}, not '{SCHEMA}'")
    if lacking := [name for name in NEEDED if name not in row]:
        raise ParseError(f"a run needs '{lacking[0]}'")
    for name, kinds in KINDS.items():
        value = row.get(name)
        if value is None and name not in NEEDED:
            continue
        if type(value) not in kinds or (int in kinds and name != "seed" and not is_amount(value)):
            raise ParseError(f"'{name}' is {value!r:.60}")
    if row["status"] not in STATUSES:
        raise ParseError(f"there is no status {row['status']!r}: {', '.join(STATUSES)}")
    for name in ("limits", "seconds"):
        if wrong := [each for each in (row.get(name) or {}).values() if each is not None and not is_amount(each)]:
            raise ParseError(f"'{name}' has {wrong[0]!r:.60}")
    values, plans = {name: row[name] for name in FIELDS if row.get(name) is not None}, list[BetterPlan]()
    for plan in row.get("plans") or ():
        amounts: list[Any] = [plan.get(name, "") for name in ("seconds", "cost")] if isinstance(plan, dict) else [""]
        if not all(amount is None or is_amount(amount) for amount in amounts):
            raise ParseError(f"'plans' has {plan!r:.60}, not 'seconds' and 'cost'")
        plans.append(BetterPlan(amounts[0] or 0.0, int(amounts[1] or 0), tuple(plan.get("plan") or ())))
    if "plan" in values:
        values["plan"] = tuple(map(str, values["plan"]))
    return ExperimentRun(**values | {"plans": tuple(plans)})


def read_runs(path: str | os.PathLike[str]) -> Runs:
    """Return the runs in a file, in their order; an unfinished last line is ignored. Raises ParseError, OSError."""
    return runs_in(content(path), os.fspath(path))


def content(path: str | os.PathLike[str], other: bytes = b"{") -> bytes:
    """Return the present content of a file, or the content of a pipe until it is closed.

    Raises ParseError at once if it begins neither with a JSON object nor with `other`, OSError.
    """
    with open(path, "rb") as file:
        about = os.fstat(file.fileno())
        left = about.st_size if S_ISREG(about.st_mode) else MOST + 1  # somebody may write to the file all the time
        start, pieces = file.peek(1).removeprefix(BOM).lstrip(), list[bytes]()
        if start and not start.startswith((b"{", other)):
            why = "this is not a file of recorded runs: it does not begin with a JSON object"
            raise ParseError(why, file=os.fspath(path), line=1)
        while left > 0 and (piece := file.read(min(left, PIECE))):
            pieces.append(piece)
            left -= len(piece)
    if not left and not S_ISREG(about.st_mode):
        raise ParseError(f"the input is too long: it does not end within {MOST >> 20} MiB", file=os.fspath(path))
    return b"".join(pieces)


def runs_in(data: bytes, name: str | None = None) -> Runs:
    """Return the runs in the bytes of a file; `name` is used in error messages. Raises ParseError."""
    runs = []
    for number, line in enumerate(BytesIO(data), 1):
        if not line.strip():
            continue
        try:
            runs.append(run_of(_object(line)))
        except ParseError as error:
            if line.endswith(b"\n"):  # else it is half a line at the end
                raise ParseError(error.message, file=name, line=number) from None
    return Runs(runs)


def _object(line: bytes) -> Mapping[str, Any]:
    """Return the JSON object in a line of a file. Raises ParseError if the line contains anything else."""
    why = ""
    try:
        data = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        why = f": byte {error.start + 1} of it is not UTF-8"
    except json.JSONDecodeError as error:
        is_cut = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated")
        why = ": it is cut off" if is_cut else f": {error.msg}, at character {error.pos + 1} of it"
    except (ValueError, RecursionError):  # too many digits, too many brackets
        pass
    else:
        if isinstance(data, dict):
            return data
    raise ParseError(f"this is not a recorded run: a line is not a JSON object{why}")


def is_amount(value: object) -> bool:
    """Return whether a value can be an amount: a finite number from 0 to a very large bound."""
    return type(value) in (int, float) and 0 <= value < LARGEST  # type: ignore[operator]


class RunsFile:
    """A file of runs to which only this process can append; `runs` are the runs found in it when it was opened."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: str = os.fspath(path)
        self.runs: Runs = Runs()
        self._file, self._size, self._synced = -1, 0, monotonic()

    def __enter__(self) -> Self:
        """Open the file, lock it for this process, and read its runs. Raises OSError, ParseError.

        Raises UsageError if another experiment uses it, or if it is a device or a pipe.
        """
        if self.path == RUNS_FILE:  # nobody named it
            require_places([self.path], os.curdir)
        # Not `O_APPEND`: the next line overwrites half a line for which the disk had no room.
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            if not S_ISREG(os.fstat(self._file).st_mode):
                raise UsageError(f"{self.path} is not a regular file, so runs cannot be stored in it")
            try:
                _lock(self._file)
            except BlockingIOError:
                raise UsageError(f"another experiment is writing to {self.path}") from None
            with open(self._file, "rb", closefd=False) as file:
                data = file.read()
            self.runs, self._size, last = runs_in(data, self.path), len(data), data.rfind(b"\n") + 1
            if last < len(data):  # the last line lacks its end, or is incomplete and goes
                try:
                    runs_in(data[last:] + b"\n")
                    self._write(b"\n")
                except ParseError:
                    os.ftruncate(self._file, last)
                    self._size = last
        except BaseException:
            os.close(self._file)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            os.fsync(self._file)
        finally:
            os.close(self._file)

    def append(self, run: ExperimentRun, log: str = "") -> None:
        """Append a run to the file, and save its log. If this raises OSError, the file of runs is unchanged."""
        if log and run.log:
            folder = logs_folder(self.path)
            os.makedirs(folder, exist_ok=True)
            require_places([os.path.join(folder, run.log)], os.path.dirname(self.path) or os.curdir)
            save_file(os.path.join(folder, run.log), log.encode("utf-8", "replace"))
        self._write(line_of(run))

    def _write(self, line: bytes) -> None:
        """Write a line at the end of the file; if that fails, remove the part that was written."""
        os.lseek(self._file, self._size, os.SEEK_SET)
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except BaseException as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            if isinstance(error, OSError):
                raise OSError(error.errno, error.strerror, self.path) from None
            raise
        self._size += len(line)
        if monotonic() - self._synced > SYNCING_SECONDS:
            os.fsync(self._file)
            self._synced = monotonic()


def _lock(file: int) -> None:
    """Lock an open file for this process until it is closed. Raises BlockingIOError if another process has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        os.lseek(file, 1 << 40, os.SEEK_SET)  # a byte that nobody reads: such locks also keep readers away
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
        except OSError:
            raise BlockingIOError from None
        finally:
            os.lseek(file, 0, os.SEEK_SET)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def settle(rows: Iterable[R]) -> list[R]:
    """Return table rows of runs on one task and objective, without claims that other rows refute.

    The refuted plan stays, as `solved`; a refuted "unsolvable" becomes `gave_up`. The message names the run that
    refutes it. An optimum under a condition, such as an admissible heuristic, loses the condition if another run proved
    the same number.
    """
    rows = list(rows)
    solved = [row for row in rows if row.status in PLANS and getattr(row, "valid", None) is not False]
    best = min([row for row in solved if row.cost is not None], key=_weight, default=None)
    if best is None:
        return rows
    optima = [row for row in solved if row.status == SOLVED_OPTIMALLY and _weight(row) == _weight(best)]
    proved = not all(row.condition for row in optima)
    return [_settled(row, best, proved) for row in rows]


def settle_tasks(runs: Iterable[R]) -> list[R]:
    """Return runs on several tasks, in order, without claims that runs of the same task and objective refute."""
    runs = list(runs)
    groups: dict[tuple[str, str, str], list[R]] = {}
    for run in runs:
        groups.setdefault((run.domain, run.task, run.objective), []).append(run)
    settled = {key: iter(settle(group)) for key, group in groups.items()}
    return [next(settled[run.domain, run.task, run.objective]) for run in runs]


def _weight(row: Any) -> int:
    return weigh(row.objective, row.cost, row.pushes or 0)


def _settled(row: R, best: R, proved: bool) -> R:
    """Return a row, changed if the row `best` refutes its claim or proves its condition."""
    is_optimal = row.status == SOLVED_OPTIMALLY and row.cost is not None
    if row.status != UNSOLVABLE and not (is_optimal and _weight(row) > _weight(best)):
        kept: R = row.replace(condition=None, message="") if is_optimal and proved and row.condition else row
        return kept
    name, by = (getattr(each, "algorithm", each.planner) for each in (row, best))
    pushes = "" if row.objective == MOVES or best.pushes is None else f", {count(best.pushes, 'push', 'pushes')}"
    why = f"it is false that {row.condition}" if row.condition else f"the proof of {name} is wrong"
    message = f"refuted by {by}, whose plan costs {best.cost}{pushes}: {why}"
    status = GAVE_UP if row.status == UNSOLVABLE else SOLVED
    refuted: R = row.replace(status=status, message=message, condition=None, refuted_by=by)
    return refuted
