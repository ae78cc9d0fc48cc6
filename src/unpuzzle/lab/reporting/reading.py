"""Read the runs of experiments: lines of JSON as `unpuzzle.lab.runs` tells, or a `properties` file of Downward Lab."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.lab import runs as files
from unpuzzle.lab.reporting.properties import runs_of_properties
from unpuzzle.lab.runs import ExperimentRun, content, runs_in

XZ = b"\xfd7zXZ"


def read_experiment(path: str) -> tuple[ExperimentRun, ...]:
    """Return the runs in a file of either kind. Raises ParseError with the line, OSError."""
    data = content(path, XZ)
    if data.startswith(XZ):
        data = _unpacked(data, path)
    properties = _properties(data)
    return _runs_of_lines(data, path) if properties is None else runs_of_properties(properties, path)


def _unpacked(data: bytes, path: str) -> bytes:
    """Return the content of a compressed file. Raises ParseError."""
    unpacking = lzma.LZMADecompressor()
    try:
        content = unpacking.decompress(data, files.MOST)
    except lzma.LZMAError as error:
        raise ParseError(f"this is compressed, and damaged: {error}", file=path) from None
    if not unpacking.eof:
        why = f"it has more than {files.MOST >> 20} MiB" if len(content) == files.MOST else "it is cut off"
        raise ParseError(f"this is compressed, and damaged: {why}", file=path)
    return content


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


def _runs_of_lines(data: bytes, path: str) -> tuple[ExperimentRun, ...]:
    runs = runs_in(data, path)
    if not runs:
        raise ParseError("there are no runs in it", file=path)
    return runs


def unique(runs: Iterable[ExperimentRun]) -> tuple[tuple[ExperimentRun, ...], int]:
    """Return runs without repeated keys, and the number of repeated ones. A run that broke gives way to a later one."""
    first: dict[str, ExperimentRun] = {}
    total = 0
    for run in runs:
        total += 1
        if run.key not in first or first[run.key].broke:
            first[run.key] = run
    return tuple(first.values()), total - len(first)
