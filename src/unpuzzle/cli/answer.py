"""The answer of a command, with an exit code. This module prints nothing.

`base/errors.py` lists the exit codes.
"""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.base.values import Record, schema_name

if TYPE_CHECKING:
    from unpuzzle.puzzle.position import Position


class View(Record):
    """The form of an answer: short, or JSON instead of text."""

    quiet: bool = False
    json: bool = False

    @property
    def bare(self) -> bool:
        """Whether progress messages are hidden, because the answer is short or JSON."""
        return self.quiet or self.json


class Answer:
    """An exit code, the data for --json, the text for stdout, and a message for stderr (not with --json).

    `fields` are an object for JSON, a value with `to_dict()`, or a list of such rows. `warnings` are sentences that are
    shown first on stderr, and in a list of the JSON object; `end` is the position to draw instead of moves, if there is
    one, and `document` the text for the file of `-o` instead of JSON.
    """

    __slots__ = ("code", "complaint", "document", "end", "fields", "text", "warnings")

    def __init__(self, code: int, fields: Any, text: str = "", complaint: str = "") -> None:
        self.code: int = code
        self.fields: Any = fields.to_dict() if hasattr(fields, "to_dict") else fields
        if isinstance(fields, list):
            self.fields = [row.to_dict() if hasattr(row, "to_dict") else row for row in fields]
        self.text: str = text if not text or text.endswith("\n") else text + "\n"
        self.complaint: str = complaint
        self.warnings: list[str] = []
        self.end: Position | None = None
        self.document: str | None = None

    def warn(self, sentences: Iterable[str]) -> None:
        """Add warnings, but no warning twice."""
        self.warnings += [each for each in dict.fromkeys(sentences) if each not in self.warnings]
        if self.warnings and isinstance(self.fields, dict):
            self.fields["warnings"] = self.warnings

    def remark(self, position: Position, view: View) -> None:
        """Add the remarks on a level to the end of the text, and to the object for JSON."""
        if remarks := position.remarks():
            self.fields["remarks"] = [*remarks]
            self.text += "" if view.quiet else "".join(f"; {remark}\n" for remark in remarks)

    def complain(self, sentence: str) -> None:
        self.complaint = f"{self.complaint}\n{sentence}".strip("\n")

    def name_schema(self, command: str) -> None:
        """Put the schema name first in each JSON object; an object without a schema gets the schema of the command."""
        schema = {"schema": schema_name(command)}
        if isinstance(self.fields, list):
            self.fields = [schema | row for row in self.fields]
        elif isinstance(self.fields, dict):
            self.fields = schema | self.fields
