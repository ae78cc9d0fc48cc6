"""Read the runs of experiments: lines of JSON as `unpuzzle.lab.runs` tells, or a `properties` file of Downward Lab.

A file that is still being written, or whose writer was killed, may end in a torn line: that one is left out. Unknown
fields are left out, too, so that files of later versions can be read.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Iterable, Mapping
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.lab.reporting.properties import runs_of_properties
from unpuzzle.lab.runs import BetterPlan, Run
from unpuzzle.limits import Deadline, read_bytes
from unpuzzle.record import fields_of
from unpuzzle.result import STATUSES

FIELDS = fields_of(Run)
NEEDED = ("key", "domain", "task", "planner", "configuration", "status")
NONE = type(None)
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(NEEDED, (str,)),
    **dict.fromkeys(("objective", "message", "started", "log"), (str, NONE)),
    **dict.fromkeys(("cost", "expanded", "evaluated", "generated", "pushes", "peak_memory", "seed"), (int, NONE)),
    **dict.fromkeys(("wall", "cpu"), (int, float, NONE)),
    **dict.fromkeys(("limits", "seconds", "versions", "machine"), (dict, NONE)),
    **dict.fromkeys(("plan", "plans"), (list, NONE)),
    "repetition": (int, NONE),
    "valid": (bool, NONE),
}
"""By the name of a field what JSON may have there."""
AMOUNTS = ("cost", "expanded", "evaluated", "generated", "pushes", "peak_memory", "wall", "cpu")
MOST = 2**63
DECODER = json.JSONDecoder()
XZ = b"\xfd7zXZ"


def read_runs(path: str) -> tuple[Run, ...]:
    """Return the runs in a file of lines of JSON. Raises ParseError with the line, OSError."""
    return _runs_of_lines(read_bytes(path, None), path)


def read_experiment(path: str, deadline: Deadline | None = None) -> tuple[Run, ...]:
    """Return the runs in a file of either kind. Raises ParseError with the line, OSError, LimitReached."""
    data = read_bytes(path, deadline, text=False)
    if data.startswith(XZ):
        try:
            data = lzma.decompress(data)
        except lzma.LZMAError as error:
            raise ParseError(f"this is compressed, and damaged: {error}", file=path) from None
    properties = _properties(data)
    return _runs_of_lines(data, path) if properties is None else runs_of_properties(properties, path)


def log_folder(path: str) -> str:
    """Return the folder with the logs of the runs in a file."""
    return f"{os.path.splitext(path)[0]}.logs"


def _properties(data: bytes) -> Mapping[str, Any] | None:
    """Return the content of a file of Downward Lab: one object of objects; None for any other file."""
    if b'"unpuzzle/run/' in data[:200_000].partition(b"\n")[0]:
        return None
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if isinstance(content, dict) and all(isinstance(value, dict) for value in content.values()) and content:
        return content if "schema" not in content else None
    return None


def _runs_of_lines(data: bytes, path: str) -> tuple[Run, ...]:
    lines = data.split(b"\n")
    whole, torn = lines[:-1], lines[-1]
    runs = [_run(line, path, number) for number, line in enumerate(whole, 1) if line.strip()]
    if torn.strip():
        try:
            runs.append(_run(torn, path, len(lines)))
        except ParseError:
            if not runs:
                raise
    if not runs:
        raise ParseError("there are no runs in it", file=path)
    return tuple(runs)


def _run(line: bytes, path: str, number: int) -> Run:
    try:
        row = DECODER.decode(line.decode())
    except (ValueError, RecursionError) as error:
        raise ParseError(f"this is no line of JSON: {error}", file=path, line=number) from None
    if not isinstance(row, dict):
        raise ParseError(f"a run is an object, not {line[:40].decode('utf-8', 'replace')!r}", file=path, line=number)
    schema = row.get("schema", "unpuzzle/run/1")
    if not str(schema).startswith("unpuzzle/run/"):
        raise ParseError(f"this is no run, but {schema!r}", file=path, line=number)
    if reason := _fault(row):
        raise ParseError(reason, file=path, line=number)
    return _made(row)


def _fault(row: Mapping[str, Any]) -> str:
    """Return what is wrong with the values of a row, or nothing."""
    for name in NEEDED:
        if name not in row:
            return f"a run needs '{name}'"
    for name, value in row.items():
        if name in KINDS and type(value) not in KINDS[name]:
            return f"'{name}' is {value!r:.60}"
    if row["status"] not in STATUSES:
        return f"there is no status {row['status']!r}: {', '.join(STATUSES)}"
    for name in AMOUNTS:
        if not _is_amount(row.get(name)):
            return f"'{name}' is {row[name]!r:.60}"
    for name in ("limits", "seconds"):
        wrong = [value for value in (row.get(name) or {}).values() if not _is_amount(value)]
        if wrong:
            return f"'{name}' has {wrong[0]!r:.60}"
    for plan in row.get("plans") or []:
        if not isinstance(plan, dict) or not all(_is_amount(plan.get(name, "")) for name in ("seconds", "cost")):
            return f"'plans' has {plan!r:.60}, not 'seconds' and 'cost'"
    return ""


def _is_amount(value: object) -> bool:
    """Return whether a value may be an amount of something: no negative number, and none that is out of all bounds."""
    return value is None or (type(value) in (int, float) and 0 <= value < MOST)  # type: ignore[operator]


def _made(row: Mapping[str, Any]) -> Run:
    values = {name: row[name] for name in FIELDS if row.get(name) is not None}
    if "plan" in values:
        values["plan"] = tuple(map(str, values["plan"]))
    if "plans" in values:
        values["plans"] = tuple(
            BetterPlan(plan["seconds"] or 0.0, int(plan["cost"] or 0), tuple(plan.get("plan") or ()))
            for plan in values["plans"]
        )
    return Run(**values)


def unique(runs: Iterable[Run]) -> tuple[tuple[Run, ...], int]:
    """Return runs without those whose key has been there before, and how many these were."""
    first: dict[str, Run] = {}
    total = 0
    for run in runs:
        total += 1
        first.setdefault(run.key, run)
    return tuple(first.values()), total - len(first)
