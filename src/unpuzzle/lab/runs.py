"""Runs of an experiment: one planner on one task, once; a line of JSON each, in the order in which they ended.

    runs.jsonl        {"schema": "unpuzzle/run/1", "key": "...", "task": "p01", "planner": "native", ...}
    runs.logs/KEY     what the planner printed, where it printed anything

The file is the seam between those who make runs (`experiment`) and those who read them (`report`): they share nothing
else. A line is written at once and whole, so whoever is killed leaves at most one torn line, the last, which is left
out when the file is read, and cut off before anything is added.

A line that is not a run, since a field is missing or has an impossible value, is refused with the reason.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from io import BytesIO
from stat import S_ISREG
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.base.extras import require
from unpuzzle.base.files import PIECE
from unpuzzle.base.outcomes import ERROR, SOLVED, SOLVED_OPTIMALLY, STATUSES
from unpuzzle.base.values import Record, field
from unpuzzle.table import notebook_bundle

BOM = b"\xef\xbb\xbf"
MOST = 1 << 30
"""The most bytes that are read from a source without a size, such as a pipe or a device."""
SCHEMA = "unpuzzle/run/1"
NEEDED = ("key", "domain", "task", "planner", "configuration", "status")
AMOUNTS = ("cost", "expanded", "evaluated", "generated", "pushes", "peak_memory", "wall", "cpu")
LARGEST = 2**63


class BetterPlan(Record):
    """A plan that an anytime planner found on its way.

    Attributes:
        seconds: of wall clock, from the start of the run.
        cost: its validated cost.
        plan: its steps, `(a b c)` or moves of the puzzle.
    """

    seconds: float
    cost: int
    plan: tuple[str, ...] = ()


class ExperimentRun(Record):
    """One run of one planner on one task. What is not known is None.

    Attributes:
        key: a digest of the task's text, the planner with its configuration and version, the limits, and the number of
            the repetition: two runs of one key would be the same run.
        domain: the group that the task belongs to: the name of its folder, or of the puzzle.
        task: the task's name within its domain.
        planner: the label of the planner, short, for tables.
        configuration: the planner's full name, as `solve` takes it.
        repetition: 0 for the first run of a task and planner, and so on.
        seed: the seed of this run, or None where nothing is random.
        limits: by name: seconds of `time` and `cpu`, bytes of `memory`; None where there is none.
        status, cost, valid, expanded, evaluated, generated, message, condition, pushes, objective: as in `Result`.
        refuted_by: the planner whose plan shows that this run's claim is false (see `lab.claims`); None in files.
        seconds: of wall clock, by phase, always with `total`.
        wall, cpu: seconds of the whole process with all that it started, as the system counts them.
        peak_memory: bytes, of the run's largest process.
        plan: the last plan, `(a b c)` or moves of the puzzle; None without one.
        plans: all plans of an anytime planner, in their order.
        log: the name of the log's file in the folder beside the runs, or None.
        versions: of unpuzzle, Python and the planner, by name.
        machine: its `name`, `system` and `processor`, and the number of its `cores`.
        started: when it began, in UTC, as ISO 8601.
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

    schema = "run"

    @property
    def solved(self) -> bool:
        """Whether there is a plan."""
        return self.status in (SOLVED_OPTIMALLY, SOLVED)

    @property
    def broke(self) -> bool:
        """Whether there is no answer, since something broke; an invalid plan is an answer."""
        return self.status == ERROR and self.valid is None

    @property
    def outcome(self) -> tuple[Any, ...]:
        """The answer without times and machine, to compare two runs of the same key."""
        steps = tuple([(better.cost, better.plan) for better in self.plans])
        counts = (self.expanded, self.evaluated, self.generated)
        return (self.key, self.status, self.cost, self.valid, *counts, self.pushes, self.plan, steps)


FIELDS = ExperimentRun._fields


class Runs(tuple[ExperimentRun, ...]):
    """Runs in their order. Notebooks show them as a table."""

    __slots__ = ()

    @property
    def variants(self) -> dict[tuple[str, str, str], int]:
        """The number of runs by the configuration of the planner, its version, and the limits as text.

        Runs of one configuration that differ in version or limits should not be compared as if they were repetitions.
        """
        counts: dict[tuple[str, str, str], int] = {}
        for run in self:
            variant = (run.configuration, run.versions.get("planner", ""), json.dumps(dict(run.limits), sort_keys=True))
            counts[variant] = counts.get(variant, 0) + 1
        return counts

    def to_pandas(self) -> Any:
        """Return the runs as a table of pandas, a row each. Raises DependencyMissing where pandas is not installed."""
        require("plots", "a table of pandas needs", "pandas")
        import pandas as pd

        return pd.DataFrame([_flat(run) for run in self])

    _repr_mimebundle_ = notebook_bundle


def _flat(run: ExperimentRun) -> dict[str, Any]:
    """Return a run as the cells of a row; each phase, limit and version has its own column."""
    row = {name: getattr(run, name) for name in FIELDS}
    for name, prefix in (("seconds", "seconds"), ("limits", "limit"), ("versions", "version"), ("machine", "machine")):
        row |= {f"{prefix}_{key}": value for key, value in dict(row.pop(name)).items()}
    return row


def logs_folder(path: str) -> str:
    """Return the folder of the logs beside a file of runs: the same name with the ending `.logs`."""
    return os.path.splitext(path)[0] + ".logs"


def line_of(run: ExperimentRun) -> bytes:
    """Return the line of a file that holds a run."""
    return json.dumps(run.to_dict(), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def run_of(data: Mapping[str, Any]) -> ExperimentRun:
    """Return the run in an object of JSON; unknown names are ignored. Raises ParseError."""
    if reason := row_fault(data):
        raise ParseError(reason)
    values = {name: data[name] for name in FIELDS if data.get(name) is not None}
    if "plan" in values:
        values["plan"] = tuple(map(str, values["plan"]))
    if "plans" in values:
        values["plans"] = tuple(
            BetterPlan(plan["seconds"] or 0.0, int(plan["cost"] or 0), tuple(plan.get("plan") or ()))
            for plan in values["plans"]
        )
    return ExperimentRun(**values)


def read_runs(path: str | os.PathLike[str]) -> Runs:
    """Return the runs in a file, in the order in which they ended, without an incomplete last line.

    Raises ParseError with its line for what is no run, OSError.
    """
    return runs_in(content(path), os.fspath(path))


def content(path: str | os.PathLike[str], other: bytes = b"{") -> bytes:
    """Return the content of a file as it is now, or of a pipe to its end.

    Raises ParseError at once for what begins neither with an object of JSON nor with `other`, OSError.
    """
    pieces, left = [], MOST + 1
    with open(path, "rb") as file:
        about = os.fstat(file.fileno())
        if S_ISREG(about.st_mode):
            left = about.st_size  # somebody may write to it all the time
        start = file.peek(1).removeprefix(BOM).lstrip()
        if start and not start.startswith((b"{", other)):
            raise ParseError("this is not a run: it does not begin with a JSON object", file=os.fspath(path), line=1)
        while left > 0 and (piece := file.read(min(left, PIECE))):
            pieces.append(piece)
            left -= len(piece)
    if not left and not S_ISREG(about.st_mode):
        raise ParseError(f"it does not end within {MOST >> 20} MiB", file=os.fspath(path))
    return b"".join(pieces)


def runs_in(data: bytes, name: str | None = None) -> Runs:
    """Return the runs in the bytes of a file; `name` is for errors. Raises ParseError."""
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
    raise ParseError(f"this is not a run: a line is not a JSON object{why}")


NONE = type(None)
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(NEEDED, (str,)),
    **dict.fromkeys(("objective", "message", "started", "log", "condition", "refuted_by"), (str, NONE)),
    **dict.fromkeys(("cost", "expanded", "evaluated", "generated", "pushes", "peak_memory", "seed"), (int, NONE)),
    **dict.fromkeys(("wall", "cpu"), (int, float, NONE)),
    **dict.fromkeys(("limits", "seconds", "versions", "machine"), (dict, NONE)),
    **dict.fromkeys(("plan", "plans"), (list, NONE)),
    "repetition": (int, NONE),
    "valid": (bool, NONE),
}
"""The kinds of JSON values that each field may have."""


def row_fault(row: Mapping[str, Any]) -> str:
    """Return a sentence about the first fault of a row, or an empty text."""
    schema = row.get("schema")
    if schema != SCHEMA:
        kind = "a run of another version of unpuzzle" if str(schema).startswith("unpuzzle/run/") else "not a run"
        return f"this is {kind}: its schema is {schema!r:.60}, not '{SCHEMA}'"
    for name in NEEDED:
        if name not in row:
            return f"a run needs '{name}'"
    for name, value in row.items():
        if name in KINDS and type(value) not in KINDS[name]:
            return f"'{name}' is {value!r:.60}"
    if row["status"] not in STATUSES:
        return f"there is no status {row['status']!r}: {', '.join(STATUSES)}"
    return _wrong_amount(row)


def _wrong_amount(row: Mapping[str, Any]) -> str:
    for name in AMOUNTS:
        if not _is_amount(row.get(name)):
            return f"'{name}' is {row[name]!r:.60}"
    for name in ("limits", "seconds"):
        for value in (row.get(name) or {}).values():
            if not _is_amount(value):
                return f"'{name}' has {value!r:.60}"
    for plan in row.get("plans") or ():
        if not isinstance(plan, dict) or not (_is_amount(plan.get("seconds", "")) and _is_amount(plan.get("cost", ""))):
            return f"'plans' has {plan!r:.60}, not 'seconds' and 'cost'"
    return ""


def _is_amount(value: object) -> bool:
    """Return whether a value can be an amount: a finite number of at least 0, within reason."""
    return value is None or (type(value) in (int, float) and 0 <= value < LARGEST)  # type: ignore[operator]
