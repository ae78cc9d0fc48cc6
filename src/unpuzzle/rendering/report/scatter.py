"""A scatter plot of two planners, in which the reader chooses the planners and the measure.

matplotlib draws one frame for each measure: axes, ticks, the line of equality, and two marks. All planners share the
axes, so the place of a task along an axis depends on one planner alone. The page has these places,
two bytes each, and puts a mark at every pair of them, without a plot for each pair.
"""

from __future__ import annotations

import re
from array import array
from base64 import b64encode
from sys import byteorder
from typing import Any
from zlib import DEFLATED, compressobj

from unpuzzle.base.values import Record
from unpuzzle.lab.reporting.grid import Grid, Measure
from unpuzzle.rendering.report import plots
from unpuzzle.rendering.report.inline import Styles, inline_svg, svg_text

ONE = 60_000
"""The number for the end of an axis."""
UNKNOWN, NO_PLAN = 65_535, 65_534
KEPT = ("both", "alone", "x-label", "y-label")


class Chart(Record):
    """The frame for a measure.

    Attributes:
        svg: the element of the page.
        box: left, bottom, width and height of the axes, upwards negative.
        places: by planner the places of all tasks.
    """

    measure: Measure
    svg: str
    box: tuple[float, float, float, float]
    border: int
    places: list[array[int]]

    def filled(self, first: int, second: int) -> str:
        """Return the element with the marks of two planners, as the page's script puts them."""
        marks: dict[bool, list[str]] = {False: [], True: []}
        left, bottom, width, height = self.box
        for pair in zip(self.places[first], self.places[second], strict=True):
            if UNKNOWN not in pair and pair != (NO_PLAN, NO_PLAN):
                across, up = ((self.border if place == NO_PLAN else place) / ONE for place in pair)
                where = f'x="{left + width * across:.1f}" y="{bottom + height * up:.1f}"'
                marks[NO_PLAN in pair].append(where)
        svg = self.svg
        for alone, name in ((False, "both"), (True, "alone")):
            svg = _replaced(svg, name, marks[alone])
        return svg


def _replaced(svg: str, name: str, places: list[str]) -> str:
    """Replace the mark in a group by others; without any, it stays as a hidden model."""
    pattern = re.compile(rf'(<g id="[^"]*-{name}">.*?)<use ([^>]*?)x="[^"]*" y="[^"]*"([^>]*)/>', re.S)

    def marks(found: re.Match[str]) -> str:
        if not places:
            return f'{found[1]}<use {found[2]}{found[3]} visibility="hidden"/>'
        return found[1] + "".join(f"<use {found[2]}{place}{found[3]}/>" for place in places)

    return pattern.sub(marks, svg, count=1)


def charts(grid: Grid, styles: Styles, names: tuple[str, str]) -> list[Chart]:
    """Return a frame for each measure of some planner, labelled with the planners shown first."""
    return [_chart(grid, measure, styles, names) for measure in grid.measures]


def scale_of(grid: Grid, measure: Measure) -> plots.Scale:
    """Return the axis that has room for the values of all planners."""
    return plots.Scale.of([value for name in grid.labels for value in grid.values(name, measure).values()])


def _chart(grid: Grid, measure: Measure, styles: Styles, names: tuple[str, str]) -> Chart:
    scale = scale_of(grid, measure)
    middle = (scale.low * scale.high) ** 0.5 if scale.logarithmic else (scale.low + scale.high) / 2
    figure: Any = plots.scatter(measure, scale, names, [(middle, middle), (middle, None)])
    svg = inline_svg(svg_text(figure), f"scatter-{measure.name}", f"scatter plot of {measure.title}", styles, KEPT)
    box, height = figure.axes[0].bbox, figure.bbox.height
    places = [_places(grid, name, measure, scale) for name in grid.labels]
    left, bottom, width, tall = box.x0, height - box.y0, box.width, -box.height
    return Chart(measure, svg, (left, bottom, width, tall), round(ONE * scale.place(None)), places)


def _places(grid: Grid, name: str, measure: Measure, scale: plots.Scale) -> array[int]:
    values = grid.values(name, measure)
    cells, solved = grid.cells[name], grid.solved[name]
    found = array("H")
    for task in grid.tasks:
        if task in values:
            found.append(round(ONE * scale.place(values[task])))
        else:
            found.append(NO_PLAN if task in cells and task not in solved else UNKNOWN)
    return found


def packed_places(charts: list[Chart]) -> str:
    """Return the places of all measures, planners and tasks: deflated numbers of two bytes, in base64."""
    every = array("H")
    for chart in charts:
        for places in chart.places:
            every.extend(places)
    if byteorder == "big":
        every.byteswap()
    return packed(every.tobytes())


def packed(data: bytes) -> str:
    """Return data, deflated and in base64, for the page's script."""
    deflate = compressobj(6, DEFLATED, -15)
    return b64encode(deflate.compress(data) + deflate.flush()).decode()
