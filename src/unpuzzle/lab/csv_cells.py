"""Tables as CSV that no spreadsheet takes for formulas.

A cell that begins with `=`, `+`, `-` or `@` is computed by spreadsheets when the file is opened, whatever it was meant
to be: a level's file may be called `+1+1.xsb`, or worse. So such texts begin with an apostrophe there; numbers stay
numbers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a formula may begin with; the wide ones are taken for the usual ones."""


def csv_of(names: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as CSV, the names of its columns first; None is an empty cell."""
    from csv import writer
    from io import StringIO

    text = StringIO()
    lines = writer(text, lineterminator="\n")
    lines.writerow(names)
    lines.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def cell(value: object) -> object:
    """Return a value as it stands in a cell: booleans in small letters, and no text that is a formula."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return value
    text = value.replace("\r", " ")  # which Python's writer leaves unquoted, and its reader takes for the end of a row
    return f"'{text}" if value.startswith(FORMULAS) else text
