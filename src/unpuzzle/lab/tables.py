"""Write tables: aligned columns for people, LaTeX for papers, and CSV for other programs.

Spreadsheets compute cells that begin with `=`, `+`, `-` or `@`, and a level's file may be called `+1+1.xsb`, or worse:
so such texts, names of columns among them, begin with an apostrophe in CSV; numbers stay numbers. Where numbers are
written with a comma, fields end at a semicolon, and quotes count only behind one: so what follows a semicolon, a tab or
the end of a line within a text begins with an apostrophe, too, and texts with one stand in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from unpuzzle.base.values import Record
from unpuzzle.lab.comparing import FIELDS, MORE_FIELDS, ComparisonRow
from unpuzzle.lab.runs import ExperimentRun
from unpuzzle.planning.planner import MOVES

FORMULA = re.compile("(?:^|(?<=[;\\t\\r\\n]))(?=[=+@\\t\\r\\n＝＋－＠-])")
"""The places in a text where a spreadsheet may see a formula begin; it reads the wide signs like the usual ones."""

QUOTE = '"'
BORDERS = frozenset(',;\t\n"')


def align_columns(names: Sequence[str], rows: Iterable[Sequence[str]], words: Sequence[str]) -> str:
    """Return a table as text, one line a row; the columns named in `words` stand to the left, numbers to the right."""
    lines = [names, *[[cell.replace("\n", "\\n") for cell in row] for row in rows]]  # names of files, for one
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    pads = [str.ljust if name in words else str.rjust for name in names]
    return "\n".join(
        "  ".join(pad(cell, width) for pad, cell, width in zip(pads, line, widths, strict=True)).rstrip()
        for line in lines
    )


class Table(Record):
    """A table of a report, from which text, HTML, LaTeX and CSV are made.

    Attributes:
        name, title: of its files, and for people.
        head: the names of the columns, the first of which names the rows.
        rows: the values, a sequence for each row; None is what is not known.
        words: columns that stand to the left, besides the first.
        marks: by row and column, as numbers: `best`, or `noise` where noise explains the distance to the best.
        kinds: by row: `sum` of the others, `noise`, or `grave`.
        digits: the format of numbers that are not whole.
    """

    name: str
    title: str
    head: tuple[str, ...]
    rows: Sequence[Sequence[object]]
    words: tuple[str, ...] = ()
    marks: Mapping[tuple[int, int], str] = {}
    kinds: Mapping[int, str] = {}
    digits: str = ",.1f"

    def only(self, columns: Iterable[str]) -> Table:
        """Return the same table with some of its columns."""
        kept = [self.head.index(name) for name in columns]
        places = {old: new for new, old in enumerate(kept)}
        marks = {(row, places[column]): mark for (row, column), mark in self.marks.items() if column in places}
        rows = [[row[number] for number in kept] for row in self.rows]
        head = tuple([self.head[number] for number in kept])
        return self.replace(
            head=head, rows=rows, marks=marks, words=tuple([name for name in self.words if name in head])
        )

    def shown(self, row: int, column: int) -> str:
        """Return a cell as people read it, with ≈ where noise explains the distance to the best."""
        value, tied = self.rows[row][column], self.marks.get((row, column)) == "noise"
        if isinstance(value, float):
            text = f"{value:,.0f}" if abs(value - round(value)) < SAME else f"{value:{self.digits}}"
        elif isinstance(value, tuple):
            text = " ".join(map(str, value))
        else:
            text = "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
        return text + "≈" * tied

    def text(self) -> str:
        """Return the table in aligned columns."""
        return align_columns(self.head, self._shown(), (self.head[0], *self.words))

    def csv(self) -> str:
        """Return the table as CSV."""
        return csv_of(self.head, [[" ".join(map(str, v)) if isinstance(v, tuple) else v for v in r] for r in self.rows])

    def latex(self) -> str:
        """Return the table as LaTeX, for the package booktabs."""
        sides = "".join(["l" if name in (self.head[0], *self.words) else "r" for name in self.head])
        lines = [f"% {latex_escaped(self.title)}", rf"\begin{{tabular}}{{{sides}}}"]
        lines += [r"\toprule", " & ".join(map(latex_escaped, self.head)) + END, r"\midrule"]
        for number, shown in enumerate(self._shown()):
            texts = [latex_escaped(cell) for cell in shown]
            best = [self.marks.get((number, column)) == "best" for column in range(len(texts))]
            lines += [r"\midrule"] if self.kinds.get(number) == "sum" else []
            cells = [rf"\textbf{{{text}}}" if first else text for text, first in zip(texts, best, strict=True)]
            lines.append(" & ".join(cells) + END)
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])

    def _shown(self) -> list[list[str]]:
        return [[self.shown(row, column) for column in range(len(self.head))] for row in range(len(self.rows))]


END = r" \\"
"""The end of a row in LaTeX."""
SAME = 1e-9
"""What is nearer to a whole number is written as one."""
LATEX = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "≈": r"\,$\approx$", "–": "--", "…": r"\dots{}"},
}
"""What LaTeX would read as something else, or lacks."""


def latex_escaped(text: str) -> str:
    """Return a text for LaTeX; what cannot be printed becomes a question mark."""
    return "".join([LATEX.get(char, char if char.isprintable() else "?") for char in text])


def csv_of(names: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as CSV, the names of its columns first; None is an empty cell."""
    return "".join([",".join(map(_field, row)) + "\n" for row in (names, *rows)])


def csv_of_fields(names: Sequence[str], rows: Iterable[object]) -> str:
    """Return fields of values as CSV, one line a value."""
    return csv_of(names, [[getattr(row, name) for name in names] for row in rows])


def _field(value: object) -> str:
    """Return a cell as it stands in the file, in quotes if it has a character that some program takes for a border."""
    text = "" if value is None else str(cell(value))
    return f'"{text.replace(QUOTE, QUOTE * 2)}"' if BORDERS.intersection(text) else text


def cell(value: object) -> object:
    """Return the content of a cell: booleans in lower case, and no text that spreadsheets take for a formula."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return value
    # Python's writer leaves `\r` unquoted, and its reader takes it for the end of a row.
    return FORMULA.sub("'", value).replace("\r", " ")


def comparison_table(rows: Sequence[ComparisonRow]) -> str:
    """Return one line a row, with `-` for what is not known; without pushes where no objective asks for them, and
    without the score if no row has one.
    """
    hidden = set() if any(row.objective != MOVES for row in rows) else {"pushes"}
    hidden |= set() if any(row.score is not None for row in rows) else {"score"}
    names = [name for name in FIELDS if name not in hidden]
    return align_columns(names, [[_cell(row, name) for name in names] for row in rows], ("algorithm", "status"))


def _cell(row: ComparisonRow, name: str) -> str:
    value = getattr(row, name)
    if value is None:
        return "-"
    return f"{value:.3f}" if name == "seconds" else str(value)


def comparison_csv(rows: Sequence[ComparisonRow]) -> str:
    """Return all fields as CSV; empty for what is not known."""
    return csv_of_fields([*FIELDS, *MORE_FIELDS], rows)


RUN_COLUMNS = ("domain", "task", "planner", "run", "status", "cost", "expanded", "wall", "cpu", "MiB")


def runs_table(runs: Sequence[ExperimentRun]) -> str:
    """Return one line a run, with `-` for what is not known; memory is the most that was held, in MiB."""
    return align_columns(*run_rows(runs), ("domain", "task", "planner", "status"))


def run_rows(runs: Sequence[ExperimentRun]) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns, and the cells of each run; without `run` where no run is repeated."""
    hidden = () if any(run.repetition for run in runs) else ("run",)
    names = [name for name in RUN_COLUMNS if name not in hidden]
    return names, [[cells[name] for name in names] for cells in map(_run_cells, runs)]


def _run_cells(run: ExperimentRun) -> dict[str, str]:
    numbers = ["-" if number is None else f"{number:,}" for number in (run.cost, run.expanded)]
    times = ["-" if seconds is None else f"{seconds:.3f}" for seconds in (run.wall, run.cpu)]
    memory = "-" if run.peak_memory is None else f"{run.peak_memory / 2**20:.0f}"
    cells = [run.domain, run.task, run.planner, str(run.repetition), run.status, *numbers, *times, memory]
    return dict(zip(RUN_COLUMNS, cells, strict=True))


def runs_csv(runs: Sequence[ExperimentRun]) -> str:
    """Return the same columns as CSV; empty for what is not known."""
    rows = [
        (
            *(run.domain, run.task, run.planner, run.repetition, run.status, run.cost, run.expanded),
            *(run.wall, run.cpu, None if run.peak_memory is None else round(run.peak_memory / 2**20, 1)),
        )
        for run in runs
    ]
    return csv_of(RUN_COLUMNS, rows)
