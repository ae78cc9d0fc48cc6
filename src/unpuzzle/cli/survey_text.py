"""The rows of a survey as text: a table for people, CSV for other programs."""

from __future__ import annotations

from unpuzzle.lab.csv_cells import csv_of
from unpuzzle.spaces.surveying import FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unpuzzle.spaces.surveying import Row

HEADS = ("level", "status", "cost", "states", "dead_ends", "optimal_plans", "unique", "seconds")
WORDS = ("level", "status")


def table(rows: Sequence[Row]) -> str:
    """One line a level; `-` where nothing is known, `>` before the number of states of which not all were seen."""
    lines = [HEADS, *[tuple(_cell(row, name) for name in HEADS) for row in rows]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(["  ".join(map(_aligned, line, widths, HEADS)).rstrip() for line in lines])


def _cell(row: Row, name: str) -> str:
    value = getattr(row, name)
    if name == "seconds":
        return f"{value:.3f}"
    if name == "optimal_plans" and row.complete and row.solvable and value is None:
        return "endless"
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "states":
        return f"{value:,}" if row.complete else f"> {value:,}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _aligned(text: str, width: int, name: str) -> str:
    return text.ljust(width) if name in WORDS else text.rjust(width)


def csv_text(rows: Iterable[Row]) -> str:
    """All fields, a header first; empty where nothing is known."""
    return csv_of(FIELDS, (row.fields().values() for row in rows))
