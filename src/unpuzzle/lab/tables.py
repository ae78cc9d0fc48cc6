"""Write tables: aligned columns for people, and CSV for other programs.

Spreadsheets evaluate cells that begin with `=`, `+`, `-` or `@`, and a level's file may be called `+1+1.xsb`, or worse.
So in CSV such texts, also as names of columns, begin with an apostrophe; numbers stay numbers. In countries with a
decimal comma, fields end at a semicolon, and quotes count only after one. So a formula after a semicolon, a tab or a
line end within a text gets an apostrophe, too, and texts with one of these are in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from unpuzzle.lab.comparing import FIELDS, MORE_FIELDS, ComparisonRow
from unpuzzle.lab.runs import ExperimentRun
from unpuzzle.planning.planner import MOVES

FORMULA = re.compile("(?:^|(?<=[;\\t\\r\\n]))(?=[=+@\\t\\r\\n＝＋－＠-])")
"""The places in a text where spreadsheets may see the start of a formula; they read wide signs like the usual ones."""

QUOTE = '"'
BORDERS = frozenset(',;\t\n"')


def align_columns(names: Sequence[str], rows: Iterable[Sequence[str]], words: Sequence[str]) -> str:
    """Return a table as text, one line per row; the columns named in `words` are aligned left, all others right."""
    lines = [names, *[[cell.replace("\n", "\\n") for cell in row] for row in rows]]  # names of files, for one
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    pads = [str.ljust if name in words else str.rjust for name in names]
    return "\n".join(
        "  ".join(pad(cell, width) for pad, cell, width in zip(pads, line, widths, strict=True)).rstrip()
        for line in lines
    )


def csv_of(names: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as CSV, with the column names first; None becomes an empty cell."""
    return "".join([",".join(map(_field, row)) + "\n" for row in (names, *rows)])


def csv_of_fields(names: Sequence[str], rows: Iterable[object]) -> str:
    """Return the fields `names` of several values as CSV, one line per value."""
    return csv_of(names, [[getattr(row, name) for name in names] for row in rows])


def _field(value: object) -> str:
    """Return a cell as text for CSV, in quotes if it contains a character that some program takes for a separator."""
    text = "" if value is None else str(cell(value))
    return f'"{text.replace(QUOTE, QUOTE * 2)}"' if BORDERS.intersection(text) else text


def cell(value: object) -> object:
    """Return the content of a cell: booleans in lower case, and texts changed so that none is read as a formula."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return value
    # Python's writer leaves `\r` unquoted, and its reader reads it as the end of a row.
    return FORMULA.sub("'", value).replace("\r", " ")


def comparison_table(rows: Sequence[ComparisonRow]) -> str:
    """Return one line per row, with `-` for unknown values; without pushes if all rows minimise moves, and
    without the score if no row has one.
    """
    shown = {"pushes": any(row.objective != MOVES for row in rows), "score": any(row.score is not None for row in rows)}
    names = [name for name in FIELDS if shown.get(name, True)]
    cells = [[_cell(getattr(row, name)) for name in names] for row in rows]
    return align_columns(names, cells, ("algorithm", "status"))


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def comparison_csv(rows: Sequence[ComparisonRow]) -> str:
    """Return all fields of the rows of a comparison as CSV; unknown values are empty."""
    return csv_of_fields([*FIELDS, *MORE_FIELDS], rows)


RUN_COLUMNS = ("domain", "task", "planner", "run", "status", "cost", "expanded", "wall", "cpu", "MiB")
_FORMS = {"wall": ".3f", "cpu": ".3f", "MiB": ".0f", "cost": ",", "expanded": ","}


def runs_table(runs: Sequence[ExperimentRun]) -> str:
    """Return one line per run, with `-` for unknown values; memory is the peak, in MiB."""
    return align_columns(*run_rows(runs), ("domain", "task", "planner", "status"))


def run_rows(runs: Sequence[ExperimentRun]) -> tuple[list[str], list[list[str]]]:
    """Return the column names, and the cells of each run; the column `run` is omitted if no run is repeated."""
    names = [name for name in RUN_COLUMNS if name != "run" or any(run.repetition for run in runs)]
    rows = [dict(zip(RUN_COLUMNS, _values(run), strict=True)) for run in runs]
    shown = [["-" if row[name] is None else format(row[name], _FORMS.get(name, "")) for name in names] for row in rows]
    return names, shown


def _values(run: ExperimentRun) -> tuple[object, ...]:
    memory = None if run.peak_memory is None else round(run.peak_memory / 2**20, 1)
    place = (run.domain, run.task, run.planner, run.repetition)
    return (*place, run.status, run.cost, run.expanded, run.wall, run.cpu, memory)


def runs_csv(runs: Sequence[ExperimentRun]) -> str:
    """Return all columns of the table of runs as CSV; unknown values are empty."""
    return csv_of(RUN_COLUMNS, map(_values, runs))
