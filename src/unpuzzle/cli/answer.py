"""What a command gives back: it never prints."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Answer:
    """An exit code, what --json prints, the text for stdout, and a complaint for stderr (not with --json).

    Attributes: `warnings` is for stderr, too, above all the rest.
    """

    __slots__ = ("code", "complaint", "fields", "text", "warnings")

    def __init__(self, code: int, fields: Any, text: str = "", complaint: str = "", warnings: str = "") -> None:
        self.code = code
        self.fields = fields
        self.text = text if not text or text.endswith("\n") else text + "\n"
        self.complaint = complaint
        self.warnings = warnings
