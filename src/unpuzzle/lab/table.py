"""The rows of `compare` as text: a table for people, CSV for other programs."""

from __future__ import annotations

from unpuzzle.lab.comparing import FIELDS, MORE_FIELDS
from unpuzzle.lab.csv_cells import csv_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.lab.comparing import Row

WORDS = ("algorithm", "status")


def table(rows: Sequence[Row]) -> str:
    """One line a row; `-` where there is nothing to tell. Without the score, if there is none."""
    names = [name for name in FIELDS if name != "score" or any(row.score is not None for row in rows)]
    lines = [names, *[[_cell(row, name) for name in names] for row in rows]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(_aligned, line, widths, names)).rstrip() for line in lines)


def _cell(row: Row, name: str) -> str:
    value = getattr(row, name)
    if value is None:
        return "-"
    return f"{value:.3f}" if name == "seconds" else str(value)


def _aligned(text: str, width: int, name: str) -> str:
    return text.ljust(width) if name in WORDS else text.rjust(width)


def csv_text(rows: Sequence[Row]) -> str:
    """All fields, a header first; empty where there is nothing to tell."""
    return csv_of([*FIELDS, *MORE_FIELDS], (row.fields().values() for row in rows))
