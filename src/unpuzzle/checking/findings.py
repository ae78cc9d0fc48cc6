"""Findings: faults of a part that somebody else wrote, said so that its author can act on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unpuzzle.record import Plain


@dataclass(frozen=True, slots=True)
class Finding(Plain):
    """One counterexample.

    Attributes:
        kind: what sort of fault, a few words such as `missing successor`.
        moves: the shortest known moves from a level's start to `state`; None where the state is no game position.
        state: where it happens, as plain data or text.
        got: what came out, as plain data or text.
        expected: what should have.
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
        """The finding for people and language models: the sentences, then state, what came out, what should have."""
        lines = [f"{self.kind}: {self.message}"]
        if self.moves:
            lines.append(f"  after:    {' '.join(self.moves)}")
        for label, value in (("state:", self.state), ("got:", self.got), ("expected:", self.expected)):
            if value is not None:
                lines.append(f"  {label:<9} {_in_python(value)}")
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Report(Plain):
    """All findings of a run: one of each kind, and of each function that has faults of that kind.

    Attributes:
        sound: whether nothing was offered that the game forbids; None if that was not found out.
        complete: whether nothing was missing that the game allows; None if that was not found out.
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
        """Whether nothing is wrong, and that is certain."""
        return bool(self.sound and self.complete and not self.findings)

    @property
    def text(self) -> str:
        """The verdict in a line, then all findings, for people and language models."""
        verdicts = f"{_verdict('sound', self.sound)}, {_verdict('complete', self.complete)}\n"
        return "\n".join([verdicts, *(finding.text for finding in self.findings)])


def _verdict(word: str, holds: bool | None) -> str:
    return f"perhaps not {word} (not all calls gave an answer)" if holds is None else word if holds else f"not {word}"


def _in_python(value: object, limit: int = 1000) -> str:
    """Return a value in Python's words, lists of rows one under the other; long ones are cut."""
    if isinstance(value, list | tuple) and len(value) > 1 and all(isinstance(part, _ROWS) for part in value):
        text = "[" + ",\n ".join(repr(part) for part in value) + "]"
    else:
        text = value if isinstance(value, str) else repr(value)
    if len(text) > limit:
        text = f"{text[:limit]} ... ({len(text)} characters)"
    return text.replace("\n", "\n" + " " * 12)


_ROWS = (list, tuple, str, dict)
