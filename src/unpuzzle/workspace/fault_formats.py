"""Faults in the formats of other programs: SARIF 2.1.0 logs, and GitHub workflow commands.

    sarif(faults, codes)           the log as an object for JSON, which code hosts and editors read
    workflow_commands(faults)      lines such as `::error file=d.pddl,line=3,title=unknown-type::unknown type 'blok'`

In a log, a rule is a fault code with its explanation, a result is a fault with its range, and a fix is a correction.
Columns count code points, which `columnKind` says. (OASIS, Static Analysis Results Interchange Format Version 2.1.0,
2020.)

GitHub shows workflow commands beside the lines of a change. Percent signs and ends of lines are escaped, in properties
also colons and commas. GitHub shows a limited number of them: those beyond `MOST_OF_A_KIND` of each severity, counted
by `hidden`, are only in the log of the step.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from unpuzzle.pddl.judging.fault import Code, Edit, Fault
from unpuzzle.version import __version__

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"syntax": "error", "error": "error", "warning": "warning"}


def sarif(faults: Iterable[Fault], codes: Mapping[str, Code]) -> dict[str, Any]:
    """Return a SARIF log of one run with these faults; `codes` has the explanations of the fault codes."""
    faults = list(faults)
    names = sorted({fault.code for fault in faults if fault.code})
    driver = {"name": "unpuzzle", "version": __version__, "rules": [_rule(name, codes.get(name)) for name in names]}
    results = [_result(fault, names) for fault in faults]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(name: str, code: Code | None) -> dict[str, Any]:
    if code is None:
        return {"id": name}
    help_ = {"text": f"wrong:\n{code.wrong}\nright:\n{code.right}"}
    level = {"level": _LEVELS[code.kind]}
    return {"id": name, "shortDescription": {"text": code.about}, "help": help_, "defaultConfiguration": level}


def _result(fault: Fault, names: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {"level": fault.severity, "message": {"text": fault.message}}
    if fault.code:
        result |= {"ruleId": fault.code, "ruleIndex": names.index(fault.code)}
    if fault.file is not None:
        place: dict[str, Any] = {"artifactLocation": _artifact(fault.file)}
        if fault.line is not None:
            place["region"] = _region(fault.line, fault.column, fault.end_line, fault.end_column)
        result["locations"] = [{"physicalLocation": place}]
        if fault.fix is not None:
            result["fixes"] = [_fix(fault.file, fault.fix)]
    return result


def _fix(file: str, edit: Edit) -> dict[str, Any]:
    region = _region(edit.line, edit.column, edit.end_line, edit.end_column)
    replacement = {"deletedRegion": region, "insertedContent": {"text": edit.text}}
    return {"artifactChanges": [{"artifactLocation": _artifact(file), "replacements": [replacement]}]}


def _region(line: int, column: int | None, end_line: int | None, end_column: int | None) -> dict[str, int]:
    places = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {name: place for name, place in places.items() if place is not None}


def _artifact(file: str) -> dict[str, str]:
    """Return the location of a file for a log; a relative path stays relative to the folder of the run."""
    if os.path.isabs(file):
        return {"uri": PurePath(file).as_uri()}
    return {"uri": quote(os.path.normpath(file).replace(os.sep, "/"))}


MOST_OF_A_KIND = 10
"""The number of errors that GitHub shows for one step, and of warnings; for a job it shows 50 annotations."""


def workflow_commands(faults: Iterable[Fault]) -> Iterator[str]:
    """Yield a GitHub workflow command, one line, for each fault."""
    for fault in faults:
        properties = {"file": fault.file, "line": fault.line, "endLine": fault.end_line, "title": fault.code or None}
        if fault.end_line in (None, fault.line):  # columns are for ranges within one line
            properties |= {"col": fault.column, "endColumn": fault.end_column}
        given = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value is not None)
        yield f"::{fault.severity}{' ' if given else ''}{given}::{_escaped(fault.message)}"


def hidden(faults: Iterable[Fault]) -> int:
    """Return the number of faults that are too many for GitHub to show as annotations."""
    return sum(max(0, number - MOST_OF_A_KIND) for number in Counter(fault.severity for fault in faults).values())


def _property(value: object) -> str:
    return _escaped(str(value)).replace(":", "%3A").replace(",", "%2C")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
