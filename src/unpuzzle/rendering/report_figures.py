"""Figures by matplotlib for reports (outcomes, profiles, pairs of planners) and for `compare`.

Figures are SVG, and equal data give equal bytes: names in them come from a fixed salt, there is no date, and text stays
text, in the font of whoever reads it. Styles are attributes, which a page may forbid nobody to use, so a figure is the
same in a page and in a file. In the dark, rules of a style sheet give each colour another one (`dark_rules`). Series
differ in their markers and lines, too, outcomes in their hatches: nobody has to tell colours apart.

matplotlib is loaded only where figures are drawn, and its global state (pyplot) never.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from math import ceil
from threading import RLock
from typing import Any, TypeVar, cast
from warnings import catch_warnings, filterwarnings

from unpuzzle.base.availability import require
from unpuzzle.base.errors import UsageError
from unpuzzle.experiments.comparing import ComparisonRow
from unpuzzle.experiments.measures import Measure
from unpuzzle.experiments.reporting import ExperimentReport
from unpuzzle.rendering.report_tables import Steps, outcomes_of, score_over_time, solved_after

INK, LINE, GRID, PAPER = "#22262c", "#7b838f", "#d9dde3", "#fdfdfe"
SERIES = "#2a6fd6 #c2531a #12805a #7a55c7 #b8327f #0b7c91 #8a5a2b #c0343c #687613 #55637a #3f4fc0 #96700a".split()
SERIES_DARK = "#6aa6f5 #f0915a #3fc794 #b59cf0 #f07fbf #4cc3d6 #c99a6b #f2797f #b3c24a #a3b1c6 #8f9cf7 #dcb240".split()
IN_THE_DARK: Mapping[str, str] = {
    **{INK: "#e4e8ee", LINE: "#8a94a3", GRID: "#343b46", PAPER: "#14171d"},
    **dict(zip(SERIES, SERIES_DARK, strict=True)),
}
"""The colours on dark pages, by the colours on light pages."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h")
LINES = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)))
"""Their numbers have no factor in common with each other, so that it takes hundreds of series until one comes again."""
OF_OUTCOME: Mapping[str, tuple[str, str]] = {
    "solved_optimally": (SERIES[2], ""),
    "solved": (SERIES[0], "//"),
    "unsolvable": (SERIES[3], ""),
    "gave_up": (SERIES[11], "..."),
    "timeout": (SERIES[1], ""),
    "memout": (SERIES[6], "\\\\\\"),
    "cancelled": (SERIES[9], "xx"),
    "guessed": (SERIES[5], "--"),
    "unsupported": (SERIES[8], "||"),
    "error": (SERIES[7], "xxx"),
    "invalid_plan": (SERIES[4], "++"),
}
"""The colour and the hatch of each outcome."""
WIDTH, HEIGHT, LEGEND_LINE = 5.2, 3.3, 0.2
"""The width and the height of a figure, and the height of a line of its legend, in inches."""
MOST_POINTS = 250
"""The most points of a line; more cannot be seen."""
LONGEST_NAME = 34
SPREAD = 10
"""The ratio of the largest to the smallest value from which an axis is logarithmic."""
STYLE: dict[str, Any] = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor"), INK),
    **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), LINE),
    **dict.fromkeys(("axes.spines.right", "axes.spines.top", "legend.frameon", "text.parse_math"), False),
    **dict.fromkeys(("axes.grid", "axes.axisbelow"), True),
    **dict.fromkeys(("figure.facecolor", "axes.facecolor"), "none"),
    **{"grid.color": GRID, "grid.linewidth": 0.6, "hatch.linewidth": 0.7},
    **{"font.family": "sans-serif", "font.size": 9.5, "legend.fontsize": 9},
    **{"svg.fonttype": "none", "svg.hashsalt": "unpuzzle"},
}
STYLING = RLock()
"""A lock, since matplotlib has one style for all threads."""
T = TypeVar("T")


def styled(draw: Callable[[], T]) -> T:
    """Call the drawing function `draw` with the style of reports, and return its result. Raises DependencyMissing."""
    require("plots", "plots of reports need", "matplotlib")
    import matplotlib as mpl

    with STYLING, mpl.rc_context(cast(Any, STYLE)), catch_warnings():
        filterwarnings("ignore", "Glyph .* missing")  # readers have other fonts than the one that measures texts
        return draw()


def series(number: int) -> dict[str, Any]:
    """Return the colour, marker and line style of series `number` in a plot, as arguments for matplotlib's `plot`."""
    shapes = MARKERS[number % len(MARKERS)], LINES[number % len(LINES)]
    return {"color": SERIES[number % len(SERIES)], "marker": shapes[0], "linestyle": shapes[1]}


def svg_of(figure: Any) -> str:
    """Return a figure as the text of an SVG file, in the colours of light pages."""
    file = BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = re.sub(r"\s*<metadata>.*?</metadata>|\s*<style.*?</style>", "", file.getvalue().decode(), flags=re.DOTALL)
    return re.sub(r' style="([^"]*)"', _as_attributes, text)


def _as_attributes(style: re.Match[str]) -> str:
    """Return a CSS style as SVG attributes, without the name of the font, which the page determines."""
    pairs = [part.partition(":")[::2] for part in style[1].split(";") if part.strip()]
    own = {name.strip(): value.strip() for name, value in pairs}
    if "font" in own:
        own["font-size"] = own.pop("font").partition(" ")[0]
    own |= {"font-family": "sans-serif"} if "font-family" in own else {}
    return "".join([f' {name}="{value}"' for name, value in own.items()])


def dark_rules(svg: str = "") -> str:
    """Return CSS rules that replace colours on a dark page: the colours in the figure `svg` or, without one, all."""
    pairs = [(light, dark, name) for light, dark in IN_THE_DARK.items() for name in ("fill", "stroke")]
    return "".join([
        f'[{name}="{light}"]{{{name}:{dark}}}' for light, dark, name in pairs if not svg or f'{name}="{light}"' in svg
    ])  # fmt: skip


def with_dark(svg: str) -> str:
    """Return an SVG file with additional style rules for readers who prefer dark pages."""
    head_end = svg.index(">", svg.index("<svg")) + 1
    sheet = f"<style>@media (prefers-color-scheme:dark){{{dark_rules(svg)}}}</style>"
    return f"{svg[:head_end]}\n {sheet}{svg[head_end:]}"


def figure_of(height: float = HEIGHT, legend: int = 0) -> Any:
    """Return an empty figure with extra height for a legend of `legend` lines."""
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height + LEGEND_LINE * legend), dpi=72, layout="constrained")


def outcomes(report: ExperimentReport) -> Any:
    """Draw how the runs of each planner ended, as shares of all runs of the planner."""
    there = outcomes_of(report)
    figure = figure_of(0.7 + 0.24 * len(report.planners), ceil(len(there) / 3))
    axes = figure.subplots()
    places, left = range(len(report.planners)), [0.0] * len(report.planners)
    for each in there:
        shares = [100 * row.outcomes.get(each, 0) / row.runs for row in report.planners]
        colour, hatch = OF_OUTCOME[each]
        look = {"color": colour, "hatch": hatch, "edgecolor": PAPER, "linewidth": 0.8}
        axes.barh(places, shares, 0.7, left=left, label=each.replace("_", " "), **look)
        left = [one + other for one, other in zip(left, shares, strict=True)]
    axes.set(xlim=(0, 100), xlabel="% of the runs")
    axes.set_yticks(places, [short_name(row.name) for row in report.planners])
    axes.grid(axis="y", visible=False)
    axes.invert_yaxis()
    figure.legend(loc="outside lower center", ncols=3, handleheight=1)
    return figure


def cactus(report: ExperimentReport) -> Any:
    """Draw how many tasks each planner solves as a function of the time limit per task."""
    clock = report.grid.clock
    steps = {name: solved_after(report.grid, name) for name in report.grid.labels}
    return _lines(steps, f"{clock.title} for each task, {clock.unit}", "tasks solved")


def anytime(report: ExperimentReport) -> Any:
    """Draw how the satisficing score of planning competitions grows with time."""
    steps = {name: score_over_time(report.grid, name) for name in report.grid.labels}
    return _lines(steps, "wall clock, s", "sum of cost ratios (satisficing score)")


def _lines(steps: dict[str, Steps], time: str, score: str) -> Any:
    """Return a figure with one step line for each planner."""
    columns = 3 if len(steps) > 4 and max(map(len, steps)) < 18 else 2
    figure = figure_of(HEIGHT, ceil(len(steps) / columns))
    axes = figure.subplots()
    last = max([places[-1] for places, _ in steps.values() if places], default=1)
    for number, (name, (places, sums)) in enumerate(steps.items()):
        rest = 1 + (len(places) + 1) // MOST_POINTS
        x, y = [*places[::rest], last], [*sums[::rest], sums[-1] if sums else 0]
        marks = (number % 5, max(1, len(x) // 7))
        look = {"linewidth": 1.4, "markersize": 4.5, "markevery": marks}
        axes.step(x, y, where="post", label=short_name(name), **series(number), **look)
    if any(places and places[-1] > 0 for places, _ in steps.values()):
        axes.set(xscale="log")
        _number_ticks(axes.xaxis)
    axes.set(xlabel=time, ylabel=score)
    axes.set_ylim(bottom=0)
    figure.legend(loc="outside lower center", ncols=columns, handlelength=3)
    return figure


def _number_ticks(axis: Any) -> None:
    """Label the ticks of a logarithmic axis with plain numbers; a short axis gets more ticks."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(10, (1, 2, 5) if high < 30 * low else (1,), numticks=9))
    axis.set_major_formatter(FuncFormatter(lambda value, _: short_number(value)))
    axis.set_minor_locator(NullLocator())


def scatter(measure: Measure, table: Any) -> Any:
    """Draw a scatter plot of two planners' values (columns of `table`) for each task (row), and the diagonal.

    NaN is a task without a plan: its mark stands beyond a border. Marks are in the groups `both` and `alone`.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 4.7), dpi=72)
    axes: Any = figure.add_axes((0.14, 0.11, 0.83, 0.86))  # a layout of its own takes three times as long
    low, high = table.min(axis=None), table.max(axis=None)
    if low > 0 and high > SPREAD * low:
        axes.set(xscale="log", yscale="log")
        room = (high / low) ** 0.04
        low, high, border, end = low / room, high * room, high * room**2.5, high * room**4
    else:
        room = 0.04 * (high - low) or max(1.0, 0.1 * high)
        low, high, border, end = low - room, high + room, high + 2.5 * room, high + 4 * room
    axes.set(xlim=(low, end), ylim=(low, end))
    for axis, name in zip((axes.xaxis, axes.yaxis), table, strict=True):
        axis.set_label_text(f"{short_name(name)}: {measure.title}{measure.unit and ', '}{measure.unit}")
        if axis.get_scale() == "log":
            _number_ticks(axis)
    axes.plot((low, high), (low, high), color=LINE, linewidth=1)
    axes.axvline(high, color=LINE, linewidth=0.8, linestyle=":")
    axes.axhline(high, color=LINE, linewidth=0.8, linestyle=":")
    axes.text(border, border, "no plan", ha="center", va="center", color=LINE, fontsize=7)
    alone, look = table.isna().any(axis=1), {"markersize": 4.5, "markerfacecolor": "none", "markeredgewidth": 1}
    for rows, gid, marker, colour in ((~alone, "both", "o", SERIES[0]), (alone, "alone", "x", SERIES[1])):
        x, y = table[rows].fillna(border).to_numpy().T
        axes.plot(x, y, marker, gid=gid, color=colour, **look)
    return figure


def short_name(name: str) -> str:
    """Return a name short enough for a figure, without unprintable characters."""
    text = "".join([char if char.isprintable() else "?" for char in name])
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def short_number(value: float) -> str:
    """Return a number in few characters, such as `0.01`, `250`, `12k`, `3M`."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (size if letter != 'k' else 1e3):.3g}{letter}"
    return f"{value:.4g}"


# The plot of `compare`: how many states each algorithm expanded against the cost of its solution.

FORMATS = ("png", "svg", "pdf")


def format_of(path: str) -> str:
    """Return a picture's format, from its file name. Raises UsageError; DependencyMissing without matplotlib."""
    ending = path.rpartition(".")[2].lower()
    if ending not in FORMATS:
        raise UsageError(f"'{path}': the name of a plot must end with {', '.join('.' + name for name in FORMATS)}")
    require("plots", "plots need", "matplotlib")
    return ending


def plot(rows: Iterable[ComparisonRow], title: str, picture_format: str = "png") -> bytes:
    """Return a plot of table rows as the contents of a file; rows without cost or expansion count are left out.

    An axis is logarithmic, and says so, where its values spread over more than a power of ten. Algorithms with equal
    numbers share a mark, and a line of the legend. Raises DependencyMissing without matplotlib.
    """
    file = BytesIO()
    styled(lambda: comparison(rows, title).savefig(file, format=picture_format, facecolor="white"))
    return file.getvalue()


def comparison(rows: Iterable[ComparisonRow], title: str) -> Any:
    """Draw the rows of a comparison of algorithms as points: the cost on one axis, the expanded states on the other."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    points: dict[tuple[int, int], list[str]] = {}
    for row in rows:
        if row.cost is not None and row.expanded is not None:
            points.setdefault((row.cost, row.expanded), []).append(row.algorithm)
    figure = Figure(figsize=(8, 5.5), dpi=150, layout="constrained")
    axes: Any = figure.subplots()
    axes.set(xlabel="cost", ylabel="expanded", title="".join([char if char.isprintable() else "?" for char in title]))
    axes.margins(0.1)
    for number, (place, names) in enumerate(points.items()):
        look = {**series(number), "linestyle": "none", "markersize": 8, "alpha": 0.85}
        label = ", ".join(map(short_name, names))
        axes.plot(*place, label=f"\u200b{label}" if label.startswith("_") else label, **look)
    for axis, values in zip((axes.xaxis, axes.yaxis), zip(*points, strict=True), strict=False):
        axis.set_major_locator(MaxNLocator(integer=True))
        if max(values) > SPREAD * max(1, min(values)):
            axes.set(**{f"{axis.axis_name}scale": "log" if min(values) else "symlog"})
            axis.set_label_text(f"{axis.get_label_text()} (logarithmic)")
        axis.set_major_formatter("{x:,.0f}")
        if len(set(values)) == 1:
            axes.set(**{f"{axis.axis_name}lim": (values[0] - 2, values[0] + 2)})
    if points:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure
