"""Draw the rows of `compare`: how many states each expanded against the cost of its solution.

An axis is logarithmic, and says so, where its values spread over more than a power of ten. Labels avoid other labels
and points; points that coincide share one. matplotlib is loaded only here, and its global state (pyplot) never.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from textwrap import fill
from typing import Any

from unpuzzle.base.errors import UsageError
from unpuzzle.base.extras import require
from unpuzzle.lab.comparing import ComparisonRow

Dot = tuple[int, int]
LabelBox = list[float]
"""Left, bottom, right, top, in pixels."""

FORMATS = ("png", "svg", "pdf")
SPREAD = 10
SIZE, DPI = (8.0, 5.5), 150
MARK, GAP = 8, 24
"""Half the size of a point's mark, and the distance to its label, in pixels."""
LABEL: dict[str, Any] = {"textcoords": "offset points", "fontsize": 9, "in_layout": False, "parse_math": False}
LINE: dict[str, Any] = {"arrowstyle": "-", "linewidth": 0.5, "color": "gray", "shrinkA": 0, "shrinkB": 3}
ROUNDS = 300


def format_of(path: str) -> str:
    """Return the format of a picture, by its file's name. Raises UsageError; DependencyMissing without matplotlib."""
    ending = path.rpartition(".")[2].lower()
    if ending not in FORMATS:
        raise UsageError(f"'{path}': a plot is written as {', '.join('.' + name for name in FORMATS)}")
    require("plots", "plots need")
    return ending


def plot(rows: Iterable[ComparisonRow], title: str, picture_format: str = "png") -> bytes:
    """Return the picture, as the contents of a file. Rows without a cost or a number of expansions are not in it.

    Raises DependencyMissing without matplotlib.
    """
    require("plots", "plots need")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    _draw(figure, _points(rows), title)
    file = BytesIO()
    figure.savefig(file, format=picture_format)
    return file.getvalue()


def _points(rows: Iterable[ComparisonRow]) -> dict[Dot, list[str]]:
    """Return the names at each (cost, expanded)."""
    points: dict[Dot, list[str]] = {}
    for row in rows:
        if row.cost is not None and row.expanded is not None:
            points.setdefault((row.cost, row.expanded), []).append(row.algorithm)
    return points


def _draw(figure: Any, points: dict[Dot, list[str]], title: str) -> None:
    from matplotlib.ticker import MaxNLocator

    axes = figure.add_subplot()
    axes.set(xlabel="cost", ylabel="expanded")
    axes.set_title(_drawable(title), parse_math=False)
    axes.grid(alpha=0.3)
    axes.margins(0.15)
    costs, counts = [cost for cost, _ in points], [expanded for _, expanded in points]
    axes.scatter(costs, counts, zorder=3)
    for axis, values in ((axes.xaxis, costs), (axes.yaxis, counts)):
        axis.set_major_locator(MaxNLocator(integer=True))
        if values and max(values) > SPREAD * max(1, min(values)):
            axes.set(**{f"{axis.axis_name}scale": "log" if min(values) else "symlog"})
            axis.set_label_text(f"{axis.get_label_text()} (logarithmic)")
        axis.set_major_formatter("{x:,.0f}")
        if len(set(values)) == 1:
            axes.set(**{f"{axis.axis_name}lim": (values[0] - 2, values[0] + 2)})
    figure.canvas.draw()  # so that the places of points on the picture are known
    _label(axes, points)


def _label(axes: Any, points: dict[Dot, list[str]]) -> None:
    """Write names beside each point, push these labels apart, up and down, and join them to their points."""
    places = {point: tuple(axes.transData.transform(point)) for point in points}
    marks = [[x - MARK, y - MARK, x + MARK, y + MARK] for x, y in places.values()]
    labels = []
    for point, (x, y) in sorted(places.items(), key=lambda item: item[1][::-1]):
        label = axes.annotate(fill(_drawable(", ".join(points[point])), 36), point, (0, 0), va="center", **LABEL)
        box = label.get_window_extent()
        left = x + GAP if x + GAP + box.width < axes.bbox.x1 else x - GAP - box.width
        labels.append((label, (x, y), [left, y - box.height / 2, left + box.width, y + box.height / 2]))
    _push_apart([box for _, _, box in labels], marks, axes.bbox.y0, axes.bbox.y1)
    pixel = 72 / axes.figure.dpi
    for label, (x, y), (left, bottom, right, top) in labels:
        label.set_position(((left - x) * pixel, ((bottom + top) / 2 - y) * pixel))
        end = (left - 4 if left > x else right + 4, (bottom + top) / 2)
        axes.annotate("", label.xy, ((end[0] - x) * pixel, (end[1] - y) * pixel), arrowprops=LINE, **LABEL)


def _drawable(text: str) -> str:
    """Replace stray bytes of file names, for which fonts have no glyph."""
    return "".join(char if char.isprintable() else "?" for char in text)


def _push_apart(boxes: list[LabelBox], fixed: list[LabelBox], low: float, high: float) -> None:
    """Move boxes, sorted from bottom to top, until none overlaps another or a fixed one, which is usually soon."""
    for number in range(ROUNDS):
        moved = False
        if number == ROUNDS // 2:
            fixed = []  # there is no room for all: rather a point is covered than a label
        for index, box in enumerate(boxes):
            for other in boxes[index + 1 :]:
                moved |= _part(other, box, 0.5)
            for other in fixed:
                above = box[1] + box[3] >= other[1] + other[3]
                moved |= _part(box, other, 1, 0) if above else _part(other, box, 0, 1)
            shift = max(low - box[1], 0) or min(high - box[3], 0)
            box[1], box[3] = box[1] + shift, box[3] + shift
        if not moved:
            return


def _part(upper: LabelBox, lower: LabelBox, up: float, down: float = 0.5) -> bool:
    """Move two boxes apart if they overlap, each by its share of the overlap and a pixel; return whether they did."""
    overlap = lower[3] - upper[1] + 1
    if overlap <= 0.1 or lower[1] >= upper[3] or upper[0] >= lower[2] or lower[0] >= upper[2]:
        return False
    upper[1], upper[3] = upper[1] + up * overlap, upper[3] + up * overlap
    lower[1], lower[3] = lower[1] - down * overlap, lower[3] - down * overlap
    return True
