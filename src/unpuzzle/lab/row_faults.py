"""Explain why a line in a file of runs is not a run: a field is missing, or has an impossible value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unpuzzle.result import STATUSES

SCHEMA = "unpuzzle/run/1"
NEEDED = ("key", "domain", "task", "planner", "configuration", "status")
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
AMOUNTS = ("cost", "expanded", "evaluated", "generated", "pushes", "peak_memory", "wall", "cpu")
MOST = 2**63


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
    return value is None or (type(value) in (int, float) and 0 <= value < MOST)  # type: ignore[operator]
