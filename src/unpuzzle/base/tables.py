"""Tables as aligned text and as CSV.

Spreadsheets evaluate cells that begin with `=`, `+`, `-` or `@`, and a level's file may be called `+1+1.xsb`, or worse.
So in CSV such texts, also as names of columns, begin with an apostrophe; numbers stay numbers. In countries with a
decimal comma, fields end at a semicolon, and quotes count only after one. So a formula after a semicolon, a tab or a
line end within a text gets an apostrophe, too, and texts with one of these are in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

FORMULA = re.compile("(?:^|(?<=[;\\t\\r\\n]))(?=[=+@\\t\\r\\n＝＋－＠-])")
"""The places in a text where spreadsheets may see the start of a formula; they read wide signs like the usual ones."""
QUOTE = '"'
BORDERS = frozenset(',;\t\n"')


def align_columns(names: Sequence[str], rows: Iterable[Sequence[str]], words: Sequence[str]) -> str:
    """Return a table as text, one line per row; the columns named in `words` are aligned left, all others right."""
    lines = [names, *[[cell.replace("\n", "\\n") for cell in row] for row in rows]]  # names of files, for one
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    pads = [str.ljust if name in words else str.rjust for name in names]
    cells = [[pad(text, width) for pad, text, width in zip(pads, line, widths, strict=True)] for line in lines]
    return "\n".join(["  ".join(row).rstrip() for row in cells])


def csv_of(names: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as CSV, with the column names first; None becomes an empty cell."""
    return "".join([",".join(map(_field, row)) + "\n" for row in (names, *rows)])


def csv_of_fields(names: Sequence[str], rows: Iterable[object]) -> str:
    """Return the fields `names` of several values as CSV, one line per value."""
    return csv_of(names, [[getattr(row, name) for name in names] for row in rows])


def _field(value: object) -> str:
    """Return a cell as text for CSV, in quotes if it contains a character that a program may take for a separator."""
    value = " ".join(map(str, value)) if isinstance(value, tuple) else value
    text = "" if value is None else str(cell(value))
    return f'"{text.replace(QUOTE, QUOTE * 2)}"' if BORDERS.intersection(text) else text


def cell(value: object) -> object:
    """Return the content of a cell: booleans in lower case, and texts changed so that none is read as a formula."""
    if isinstance(value, bool):
        return str(value).lower()
    # Python's writer leaves `\r` unquoted, and its reader reads it as the end of a row.
    return FORMULA.sub("'", value).replace("\r", " ") if isinstance(value, str) else value
