"""What a command gives back: it never prints."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from unpuzzle.puzzle.position import Position


class Answer:
    """An exit code, what --json prints, the text for stdout, and a complaint for stderr (not with --json).

    `warnings` are sentences that stand above all of that on stderr, and in a list of the JSON object; `end` is the
    position to be drawn instead of moves, if there is one.
    """

    __slots__ = ("code", "complaint", "end", "fields", "text", "warnings")

    def __init__(self, code: int, fields: Any, text: str = "", complaint: str = "") -> None:
        self.code = code
        self.fields = fields
        self.text = text if not text or text.endswith("\n") else text + "\n"
        self.complaint = complaint
        self.warnings: list[str] = []
        self.end: Position | None = None

    def warn(self, sentences: Iterable[str]) -> None:
        """Add warnings, each of them once."""
        self.warnings += [each for each in dict.fromkeys(sentences) if each not in self.warnings]
        if self.warnings and isinstance(self.fields, dict):
            self.fields["warnings"] = self.warnings
