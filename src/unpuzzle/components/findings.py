"""Findings: what is wrong with a part that somebody else wrote, said so that its author can act on it.

A *finding* is one counterexample: the state, the moves that lead to it, what came out, what should have, and why, in
the game's words. A *report* gathers the findings of a run, at most one of each kind, shortest moves first.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class Finding:
    """One counterexample.

    Attributes:
        kind: what sort of fault, a few words such as `missing successor`; a report has one finding of a kind.
        moves: the shortest known moves from a level's start to `state`; None where the state is no game position.
        state: where it happens, as plain data or text.
        got: what came out, as plain data or text.
        expected: what should have.
        message: one or more sentences for the author.
    """

    __slots__ = ("expected", "got", "kind", "message", "moves", "state")

    def __init__(
        self,
        kind: str,
        moves: Sequence[str] | None,
        state: object,
        got: object,
        expected: object,
        message: str,
    ) -> None:
        self.kind = kind
        self.moves = None if moves is None else tuple(moves)
        self.state = state
        self.got = got
        self.expected = expected
        self.message = message

    def __repr__(self) -> str:
        return f"Finding({self.kind!r}, {self.moves!r}, {self.message!r})"

    @property
    def fields(self) -> dict[str, Any]:
        """The finding as plain data."""
        moves = None if self.moves is None else list(self.moves)
        return {
            "kind": self.kind,
            "moves": moves,
            "state": self.state,
            "got": self.got,
            "expected": self.expected,
            "message": self.message,
        }

    @property
    def text(self) -> str:
        """The finding for people and language models: the sentences, then state, what came out, what should have."""
        lines = [f"{self.kind}: {self.message}"]
        if self.moves:
            lines.append(f"  after:    {' '.join(self.moves)}")
        for label, value in (("state:", self.state), ("got:", self.got), ("expected:", self.expected)):
            if value is not None:
                lines.append(f"  {label:<9} {_shown(value)}")
        return "\n".join(lines) + "\n"


class Report:
    """All findings of a run.

    Attributes:
        sound: whether nothing was offered that the game forbids; None if that was not found out.
        complete: whether nothing was missing that the game allows; None if that was not found out.
        findings: the counterexamples, one of each kind.
        score: counts, such as tests made and passed; plain data.
    """

    def __init__(
        self,
        sound: bool | None,
        complete: bool | None,
        findings: Sequence[Finding],
        score: Mapping[str, Any],
    ) -> None:
        self.sound = sound
        self.complete = complete
        self.findings = tuple(findings)
        self.score = dict(score)

    @property
    def fields(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "sound": self.sound,
            "complete": self.complete,
            "findings": [finding.fields for finding in self.findings],
            "score": self.score,
        }


def _shown(value: object, limit: int = 600) -> str:
    """A value in one line, or lines of a text one under the other; long ones are cut."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) > limit:
        text = f"{text[:limit]} ... ({len(text)} characters)"
    return text.replace("\n", "\n" + " " * 12)
