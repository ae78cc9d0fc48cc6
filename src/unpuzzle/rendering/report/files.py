"""The figures of a report as files: plots as SVG, tables as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.lab.reporting.csv import tables_of
from unpuzzle.lab.reporting.making import ExperimentReport
from unpuzzle.lab.reporting.ratios import pairs_of
from unpuzzle.rendering.report import plots
from unpuzzle.rendering.report.inline import svg_file
from unpuzzle.rendering.report.scatter import scale_of

MOST_SCATTERS = 100
"""The most scatter plots; of more, only those of time and cost are drawn."""


def figure_files(report: ExperimentReport) -> dict[str, str]:
    """Return the texts of all figures by the names of their files. Raises DependencyMissing without matplotlib."""
    drawn: dict[str, str] = plots.styled(lambda: dict(_drawn(report)))
    return {**tables_of(report), **drawn}


def _drawn(report: ExperimentReport) -> Iterator[tuple[str, str]]:
    yield "outcomes.svg", svg_file(plots.outcomes(report))
    yield "cactus.svg", svg_file(plots.cactus(report))
    profile = plots.anytime(report)
    if profile is not None:
        yield "anytime.svg", svg_file(profile)
    grid = report.grid
    pairs = pairs_of(grid)
    wanted = [(measure, pair) for measure in grid.measures for pair in pairs]
    if len(wanted) > MOST_SCATTERS:
        wanted = [each for each in wanted if each[0].name in (grid.clock.name, "cost")][:MOST_SCATTERS]
    numbers = {name: number for number, name in enumerate(grid.labels, 1)}
    for measure, (first, second) in wanted:
        values = [grid.values(name, measure) for name in (first, second)]
        cells = [grid.cells[name] for name in (first, second)]
        common = [task for task in grid.tasks if all(task in each for each in cells)]
        points = [(values[0].get(task), values[1].get(task)) for task in common]
        points = [point for point in points if point != (None, None)]
        if points:
            figure = plots.scatter(measure, scale_of(grid, measure), (first, second), points)
            yield f"scatter-{measure.name}-{numbers[first]}-{numbers[second]}.svg", svg_file(figure)
