"""Faults as workflow commands of GitHub, which shows them beside the lines of a change.

    workflow_commands(faults)      lines such as `::error file=d.pddl,line=3,title=unknown-type::unknown type 'blok'`

Percent signs and ends of lines are escaped, in properties also colons and commas. GitHub shows a limited number of
them: those beyond `MOST_OF_A_KIND` of each severity, counted by `hidden`, stand in the log of the step only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from unpuzzle.pddl.judging.fault import Fault

MOST_OF_A_KIND = 10
"""Errors, and warnings, that GitHub shows of one step; of a job it shows 50 annotations."""


def workflow_commands(faults: Iterable[Fault]) -> Iterator[str]:
    """Yield a line for each fault."""
    for fault in faults:
        properties = {"file": fault.file, "line": fault.line, "endLine": fault.end_line, "title": fault.code or None}
        if fault.end_line in (None, fault.line):  # columns are for ranges within one line
            properties |= {"col": fault.column, "endColumn": fault.end_column}
        given = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value is not None)
        yield f"::{fault.severity}{' ' if given else ''}{given}::{_escaped(fault.message)}"


def hidden(faults: Iterable[Fault]) -> int:
    """Return how many of the faults GitHub does not show as annotations."""
    return sum(max(0, number - MOST_OF_A_KIND) for number in Counter(fault.severity for fault in faults).values())


def _property(value: object) -> str:
    return _escaped(str(value)).replace(":", "%3A").replace(",", "%2C")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
