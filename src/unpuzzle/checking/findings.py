"""Findings: faults in another author's part, worded so that this author can act on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unpuzzle.record import Record


class Finding(Record):
    """One counterexample.

    Attributes:
        kind: the sort of fault, in a few words such as `missing successor`.
        moves: the shortest known moves from a level's start to `state`; None if the state is no game position.
        state: the state with the fault, as plain data or text.
        got: the actual result, as plain data or text.
        expected: the correct result.
        message: one or more sentences for the author.
    """

    kind: str
    moves: tuple[str, ...] | None
    state: object
    got: object
    expected: object
    message: str

    @property
    def text(self) -> str:
        """The finding for people and language models: the sentences, then state, actual and expected result."""
        lines = [f"{self.kind}: {self.message}"]
        if self.moves:
            lines.append(f"  after:    {' '.join(self.moves)}")
        for label, value in (("state:", self.state), ("got:", self.got), ("expected:", self.expected)):
            if value is not None:
                lines.append(f"  {label:<9} {_in_python(value)}")
        return "\n".join(lines) + "\n"


class Report(Record):
    """All findings of a run: one for each kind and each function with faults of that kind.

    Attributes:
        sound: whether the part offered nothing that the game forbids; None if unknown.
        complete: whether the part offered everything that the game allows; None if unknown.
        findings: the counterexamples, one of each kind.
        score: counts, such as tests made and passed; plain data.
    """

    sound: bool | None
    complete: bool | None
    findings: tuple[Finding, ...]
    score: Mapping[str, Any]

    schema = "test-components"

    @property
    def right(self) -> bool:
        """Whether the part is certainly without faults."""
        return bool(self.sound and self.complete and not self.findings)

    @property
    def text(self) -> str:
        """The verdict in a line, then all findings, for people and language models."""
        verdicts = f"{_verdict('sound', self.sound)}, {_verdict('complete', self.complete)}\n"
        return "\n".join([verdicts, *(finding.text for finding in self.findings)])


def _verdict(word: str, holds: bool | None) -> str:
    return f"perhaps not {word} (not all calls gave an answer)" if holds is None else word if holds else f"not {word}"


def _in_python(value: object, limit: int = 1000) -> str:
    """Return a value in Python's notation, rows of lists on lines of their own; long texts are cut."""
    if isinstance(value, list | tuple) and len(value) > 1 and all(isinstance(part, _ROWS) for part in value):
        text = "[" + ",\n ".join(repr(part) for part in value) + "]"
    else:
        text = value if isinstance(value, str) else repr(value)
    if len(text) > limit:
        text = f"{text[:limit]} ... ({len(text)} characters)"
    return text.replace("\n", "\n" + " " * 12)


_ROWS = (list, tuple, str, dict)
