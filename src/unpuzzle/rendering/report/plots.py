"""Draw the plots of a report with matplotlib: outcomes, cactus, anytime profiles, two planners as a scatter.

`cactus` shows how many tasks are solved when each is given so much time; the scatter has the line of equality, and a
border beyond it for tasks that one of the two did not solve.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, exp, log
from threading import RLock
from typing import Any, cast
from warnings import catch_warnings, filterwarnings

from unpuzzle.base.extras import require
from unpuzzle.base.values import Record
from unpuzzle.lab.reporting.grid import OUTCOMES, Grid, Measure
from unpuzzle.lab.reporting.making import ExperimentReport
from unpuzzle.lab.reporting.scores import Steps, anytime_profile, has_profiles, solved_after
from unpuzzle.rendering.report.inline import GRID, INK, LINE, OF_OUTCOME, PAPER, SERIES, series

WIDTH, HEIGHT, LEGEND_LINE = 5.2, 3.3, 0.2
"""The width and the height of a plot, and the height of a line of its legend, in inches."""
SHARE = 0.9
"""The share of an axis for values; the rest is the border for tasks without a plan."""
NEAR = 0.05
"""The distance to the border within which there is no number, to leave room for its words."""
MOST_POINTS = 250
"""The most points of a line; more cannot be seen."""
LONGEST_NAME = 34
STYLE: dict[str, Any] = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor"), INK),
    **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), LINE),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "hatch.linewidth": 0.7,
    "svg.fonttype": "none",
    "svg.hashsalt": "unpuzzle",
    "text.parse_math": False,
}


STYLING = RLock()
"""A lock, since matplotlib has one style for all threads."""


def styled(draw: Callable[[], Any]) -> Any:
    """Call a function in the style of reports; text stays text, and equal data give equal pictures."""
    require("plots", "plots of reports need", "matplotlib")
    import matplotlib as mpl

    with STYLING, mpl.rc_context(cast(Any, STYLE)), catch_warnings():
        filterwarnings("ignore", "Glyph .* missing")  # readers have other fonts than the one that measures texts
        return draw()


def figure_of(height: float = HEIGHT, legend: int = 0) -> Any:
    """Return an empty figure with room for a legend of some lines."""
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height + LEGEND_LINE * legend), dpi=72, layout="constrained")


def outcomes(report: ExperimentReport) -> Any:
    """Draw how the runs of each planner ended, as shares."""
    there = [each for each in OUTCOMES if any(each in row.outcomes for row in report.planners)]
    figure = figure_of(0.7 + 0.24 * len(report.planners), ceil(len(there) / 3))
    axes = figure.subplots()
    names = [short_name(row.name) for row in report.planners]
    places = range(len(names))
    left = [0.0] * len(names)
    for each in there:
        shares = [100 * row.outcomes.get(each, 0) / row.runs for row in report.planners]
        colour, hatch = OF_OUTCOME[each]
        axes.barh(
            places, shares, 0.7, left=left, label=each.replace("_", " "), color=colour, hatch=hatch, edgecolor=PAPER,
            linewidth=0.8,
        )  # fmt: skip
        left = [one + other for one, other in zip(left, shares, strict=True)]
    axes.set(xlim=(0, 100), xlabel="% of the runs")
    axes.set_yticks(places, names)
    axes.grid(axis="y", visible=False)
    axes.invert_yaxis()
    figure.legend(loc="outside lower center", ncols=3, handleheight=1)
    return figure


def cactus(report: ExperimentReport) -> Any:
    """Draw the number of tasks that each planner solves within a time limit for each task."""
    clock = report.grid.clock
    steps = {name: solved_after(report.grid, name, clock) for name in report.grid.labels}
    return _lines(report.grid, steps, clock.title, f"{clock.title} for each task, {clock.unit}", "tasks solved")


def anytime(report: ExperimentReport) -> Any | None:
    """Draw how the satisficing scores grow with time; None if no planner found several plans for a task."""
    if not has_profiles(report.grid):
        return None
    steps = {name: anytime_profile(report.grid, name) for name in report.grid.labels}
    return _lines(report.grid, steps, "wall clock", "wall clock, s", "sum of cost ratios (satisficing score)")


def _lines(grid: Grid, steps: dict[str, Steps], what: str, time: str, score: str) -> Any:
    columns = 3 if len(steps) > 4 and max(map(len, steps)) < 18 else 2
    figure = figure_of(HEIGHT, ceil(len(steps) / columns))
    axes = figure.subplots()
    last = max([places[-1] for places, _ in steps.values() if places], default=1)
    for number, (name, (places, sums)) in enumerate(steps.items()):
        colour, marker, line = series(number)
        x, y = thinned([*places, last], [*sums, sums[-1] if sums else 0])
        axes.step(
            x, y, where="post", label=short_name(name), color=colour, linestyle=line, linewidth=1.4, marker=marker,
            markersize=4.5, markevery=(number % 5, max(1, len(x) // 7)),
        )  # fmt: skip
    if any(places for places, _ in steps.values()):
        axes.set(xscale="log")
        _decades(axes.xaxis, *axes.get_xlim())
    axes.set(xlabel=time, ylabel=score)
    axes.set_ylim(bottom=0)
    figure.legend(loc="outside lower center", ncols=columns, handlelength=3)
    return figure


def thinned(x: list[float], y: list[float]) -> tuple[list[float], list[float]]:
    """Return a line with at most some hundreds of its points, including the first and the last."""
    step = 1 + len(x) // MOST_POINTS
    return [*x[:-1:step], x[-1]], [*y[:-1:step], y[-1]]


def _decades(axis: Any, low: float, high: float) -> None:
    """Put ticks at powers of ten, or closer if there are few, with plain numbers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    narrow = high < 30 * low
    axis.set_major_locator(LogLocator(10, (1, 2, 5) if narrow else (1,), numticks=9))
    axis.set_major_formatter(FuncFormatter(lambda value, _: short_number(value)))
    axis.set_minor_formatter(NullFormatter())


class Scale(Record):
    """The axis of a scatter: values between `low` and `high`, by their logarithms if they spread."""

    low: float
    high: float
    logarithmic: bool

    @classmethod
    def of(cls, values: Sequence[float]) -> Scale:
        low, high = min(values), max(values)
        if low > 0 and high > 10 * low:
            room = (high / low) ** 0.04
            return cls(low / room, high * room, True)
        room = 0.05 * (high - low) or max(1.0, 0.1 * high)
        return cls(low - room, high + room, False)

    @property
    def end(self) -> float:
        """The end of the axis, beyond its border."""
        if self.logarithmic:
            return exp(log(self.low) + log(self.high / self.low) / SHARE)
        return self.low + (self.high - self.low) / SHARE

    @property
    def border(self) -> float:
        """The value in the middle of the border."""
        return (self.high * self.end) ** 0.5 if self.logarithmic else (self.high + self.end) / 2

    def place(self, value: float | None) -> float:
        """Return the position of a value along the axis, from 0 to 1, outside of the border."""
        value = self.border if value is None else value
        if self.logarithmic:
            return log(value / self.low) / log(self.end / self.low)
        return (value - self.low) / (self.end - self.low)


Point = tuple[float | None, float | None]


def scatter(measure: Measure, scale: Scale, names: tuple[str, str], points: Sequence[Point]) -> Any:
    """Draw the values of two planners against each other; None is a task without a plan."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 4.7), dpi=72)
    axes = figure.add_axes((0.16, 0.105, 0.8, 0.865))
    inner = scale.low, scale.high
    if scale.logarithmic:
        axes.set(xscale="log", yscale="log")
    axes.set(xlim=(scale.low, scale.end), ylim=(scale.low, scale.end), aspect="auto")
    for axis, name, label in ((axes.xaxis, names[0], "x-label"), (axes.yaxis, names[1], "y-label")):
        _ticks(axis, scale)
        axis.set_label_text(f"{short_name(name)}: {unit_of(measure)}", gid=label)
    axes.plot(inner, inner, color=LINE, linewidth=1)
    for draw in (axes.axvline, axes.axhline):
        draw(scale.high, color=LINE, linewidth=0.8, linestyle=":")
    both = [(x, y) for x, y in points if x is not None and y is not None]
    alone = [point for point in points if None in point]
    for some, gid, marker, colour in ((both, "both", "o", SERIES[0]), (alone, "alone", "x", SERIES[1])):
        places = [[scale.border if value is None else value for value in column] for column in zip(*some, strict=True)]
        axes.plot(
            *(places or ([], [])), marker, gid=gid, color=colour, markersize=4.5, markerfacecolor="none",
            markeredgewidth=1,
        )  # fmt: skip
    return figure


def _ticks(axis: Any, scale: Scale) -> None:
    """Put ticks at round values, and one at the border."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

    if scale.logarithmic:
        steps = (1, 2, 5) if scale.high < 60 * scale.low else (1,)
        values = LogLocator(10, steps, numticks=9).tick_values(scale.low, scale.high)
    else:
        values = MaxNLocator(6).tick_values(scale.low, scale.high)
    values = [value for value in values if value >= max(scale.low, 0) and scale.place(value) <= SHARE - NEAR]
    axis.set_ticks([*values, scale.border], [*map(short_number, values), "no plan"])
    axis.set_minor_locator(NullLocator())


def unit_of(measure: Measure) -> str:
    return f"{measure.title}, {measure.unit}" if measure.unit else measure.title


def short_name(name: str) -> str:
    """Return a name that fits beside a plot, without characters for which fonts have no glyph."""
    text = "".join(char if char.isprintable() else "?" for char in name)
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def short_number(value: float) -> str:
    """Return a number in few characters, such as `0.01`, `250`, `12k`, `3M`."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (size if letter != 'k' else 1e3):.3g}{letter}"
    return f"{value:.4g}"
