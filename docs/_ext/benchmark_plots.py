"""Draw the figures of `benchmarks.md` from the numbers in the tables of that page."""

from __future__ import annotations

import re
from pathlib import Path

from figures import Palette, both
from made import make
from matplotlib.figure import Figure
from sphinx.application import Sphinx

UNITS = {"": 1.0, "k": 1e3, "M": 1e6}


def tables(page: Path) -> list[list[list[str]]]:
    """Return the tables of a page; each is a list of rows of cells, beginning with the header row."""
    found: list[list[list[str]]] = [[]]
    for line in page.read_text().splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not re.fullmatch(r"[-| ]+", "|".join(cells)):
                found[-1].append(cells)
        elif found[-1]:
            found.append([])
    return [rows for rows in found if rows]


def table(page: Path, *head: str) -> list[list[str]]:
    """Return the rows of the table whose header row begins with the given text."""
    (rows,) = [rows for rows in tables(page) if rows[0][: len(head)] == list(head)]
    return rows[1:]


def number(text: str) -> float | None:
    """Return the number in a cell, such as `12.9 M`; None for a dash or several numbers."""
    match = re.fullmatch(r"([\d.,]+)\s*([kM]?)", text)
    return float(match[1].replace(",", "")) * UNITS[match[2]] if match else None


def rates(page: Path, palette: Palette) -> Figure:
    """Draw the states that unpuzzle and Fast Downward expand per second."""
    rows = [row for row in table(page, "job", "on", "ours") if number(row[2]) and number(row[3])]
    first = [row[0] for row in rows].index(next(row[0] for row in rows if row[0].startswith("blind A*")))
    rows = [row for row in rows[first : first + 6] if row[0] in ("", rows[first][0])]
    names = [row[1].partition(" (")[0] for row in rows]
    figure = Figure(figsize=(7, 2.9), layout="constrained")
    axes = figure.subplots()
    for column, label, colour in ((2, "unpuzzle", palette.series[0]), (3, "Fast Downward", palette.series[1])):
        values = [number(row[column]) or 0 for row in rows]
        axes.plot(values, names, "os"[column == 3], label=label, color=colour, markersize=8)
    for at, row in enumerate(rows):
        axes.plot([number(row[3]), number(row[2])], [at, at], color=palette.line, zorder=0)
    axes.set(xscale="log", xlabel="states expanded a second, blind A* (farther right is better)")
    axes.invert_yaxis()
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.15), ncols=2)
    return figure


def optimal(page: Path, palette: Palette) -> Figure:
    """Draw, for each task, the seconds until the optimal cost is proved."""
    rows = table(page, "task", "ours", "FD `lmcut`")
    labels = ["unpuzzle", "Fast Downward, lmcut", "Fast Downward, ipdb", "symk"]
    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axes = figure.subplots()
    for column, (label, marker) in enumerate(zip(labels, "os^D", strict=True), 1):
        points = [(value, row[0]) for row in rows if (value := number(row[column])) is not None]
        axes.plot(*zip(*points, strict=True), marker, label=label, color=palette.series[column - 1], markersize=8)
    axes.set_yticks(range(len(rows)), [row[0] for row in rows])
    axes.set(xscale="log", xlabel="CPU seconds to the proved optimum (farther left is better)")
    axes.grid(axis="y", color=palette.line, alpha=0.4)
    axes.invert_yaxis()
    axes.legend(loc="upper center", bbox_to_anchor=(0.4, 1.2), ncols=4, columnspacing=1, handletextpad=0.2)
    return figure


def anytime(page: Path, palette: Palette) -> Figure:
    """Draw the scores of anytime planning, divided by the number of tasks."""
    rows = table(page, "within", "tasks", "solved, ours")
    figure = Figure(figsize=(7, 2), layout="constrained")
    axes = figure.subplots()
    for at, row in enumerate(rows):
        tasks = number(row[1]) or 1
        for offset, column, label, colour in ((-0.2, 4, "unpuzzle", 0), (0.2, 5, "LAMA", 1)):
            share = (number(row[column]) or 0) / tasks
            axes.barh(at + offset, share, 0.36, color=palette.series[colour], label=label if at == 0 else None)
            axes.text(share + 0.01, at + offset, f"{row[column]} of {row[1]}", va="center", fontsize=9)
    axes.set_yticks(range(len(rows)), [f"within {row[0]}" for row in rows])
    axes.set(xlim=(0, 1.25), xlabel="score, as a share of the tasks")
    axes.invert_yaxis()
    axes.legend(loc="upper center", bbox_to_anchor=(0.4, 1.25), ncols=2)
    return figure


def draw(app: Sphinx) -> None:
    """Write all figures of the page."""
    page = Path(app.srcdir) / "ideas/benchmarks.md"
    make(app, "benchmarks", lambda folder: _draw(page, folder), page)


def _draw(page: Path, folder: Path) -> None:
    for name, figure in (("rates", rates), ("optimal", optimal), ("anytime", anytime)):
        both(folder, name, lambda palette, figure=figure: figure(page, palette))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the drawing of figures, which runs before Sphinx looks for pictures."""
    app.connect("builder-inited", draw)
    return {"parallel_read_safe": True}
