"""What a command gives back: it never prints."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from unpuzzle.puzzle.position import Position


class Answer:
    """An exit code, what --json prints, the text for stdout, and a complaint for stderr (not with --json).

    `fields` are an object for JSON, a value with `to_dict()`, or a list of such rows. `warnings` are sentences that
    stand above all of that on stderr, and in a list of the JSON object; `end` is the position to be drawn instead of
    moves, if there is one.
    """

    __slots__ = ("code", "complaint", "end", "fields", "text", "warnings")

    def __init__(self, code: int, fields: Any, text: str = "", complaint: str = "") -> None:
        self.code: int = code
        self.fields: Any = [_data(row) for row in fields] if isinstance(fields, list) else _data(fields)
        self.text: str = text if not text or text.endswith("\n") else text + "\n"
        self.complaint: str = complaint
        self.warnings: list[str] = []
        self.end: Position | None = None

    def warn(self, sentences: Iterable[str]) -> None:
        """Add warnings, each of them once."""
        self.warnings += [each for each in dict.fromkeys(sentences) if each not in self.warnings]
        if self.warnings and isinstance(self.fields, dict):
            self.fields["warnings"] = self.warnings

    def complain(self, sentence: str) -> None:
        """Add a sentence to the complaint."""
        self.complaint = f"{self.complaint}\n{sentence}".strip("\n")

    def name_schema(self, command: str) -> None:
        """Say in each JSON object what shape it has; those that do not know themselves have that of the command."""
        from unpuzzle.record import schema_name

        schema = {"schema": schema_name(command)}
        if isinstance(self.fields, list):
            self.fields = [schema | row for row in self.fields]
        elif isinstance(self.fields, dict):
            self.fields = schema | self.fields


def _data(fields: Any) -> Any:
    return fields.to_dict() if hasattr(fields, "to_dict") else fields
