"""Answers to clues as text: the filled grid, and each answer with how sure it is and what else it may be."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHOWN = 3
"""Alternatives on a line."""


def answer_lines(details: dict[str, Any], quiet: bool) -> list[str]:
    """Lines for people; quietly, the grid on one line."""
    line: str = details["solution"]
    if quiet:
        return [line]
    width = max(len(found["answer"]) for found in details["answers"].values())
    return [*line.split("/"), "", *[_line(name, found, width) for name, found in details["answers"].items()]]


def _line(name: str, found: dict[str, Any], width: int) -> str:
    others = ", ".join(other["answer"] for other in found["alternatives"][:SHOWN])
    text = f"{name:>4} {found['answer'].ljust(width)} {found['confidence']:4.0%}"
    return f"{text}  or {others}" if others else text
