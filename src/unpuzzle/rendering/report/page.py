"""The page of a report: one self-contained file, whose policy forbids loading others.

<meta Content-Security-Policy>    nothing is loaded, and only the script and the styles with these hashes are used
<style>                           report.css, the colours, a class for each style that the plots have
<script>                          report.js, which filters and sorts the table, shows logs, and fills the scatter
<script type="text/plain">        what it works on: deflated, in base64

All texts from runs go through `escaped`, or come to the script as data that it writes as text.

In a notebook, the page is in a frame that may run its own script and reaches nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from json import dumps
from pathlib import Path
from typing import Any

from unpuzzle.base.text import count
from unpuzzle.lab.reporting.grid import NO_LIMITS, OUTCOMES
from unpuzzle.lab.reporting.making import ExperimentReport, tables_of
from unpuzzle.lab.reporting.ratios import LEAST_TASKS, ROUNDS, SEED, pairs_of
from unpuzzle.rendering.report import plots, summary
from unpuzzle.rendering.report.inline import Styles, inline_svg, svg_file, svg_text, variables
from unpuzzle.rendering.report.listing import BLOCK, Logs, packed_details, packed_table
from unpuzzle.rendering.report.scatter import NO_PLAN, ONE, UNKNOWN, Chart, charts, packed, packed_places, scale_of
from unpuzzle.rendering.svg import escaped, policy_hash
from unpuzzle.version import __version__

SCHEMES = {"auto": "light dark", "light": "light", "dark": "dark"}
FRAME = '<iframe title="{title}" srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{height}"></iframe>'
HEIGHT = 720
"""The height of the frame, in pixels."""
MOST_SCATTERS = 100
"""The most scatter plots; if there are more, only time and cost are drawn."""


def report_page(report: ExperimentReport, *, logs: Logs | None = None, theme: str = "auto") -> str:
    """Return the text of the page; the theme is `light`, `dark`, or `auto`: as readers prefer.

    Raises DependencyMissing without the extra `plots`.
    """
    styles = Styles()
    pair = _best_two(report)
    first, second = (report.planners[number].name for number in pair)
    frames: list[Chart] = plots.styled(lambda: charts(report.grid, styles, (first, second)))
    drawn = plots.styled(lambda: _plots(report, styles))
    css = _css(theme) + styles.sheet()
    script = '"use strict";\n' + _text("report.js")
    policy = f"default-src 'none'; script-src '{policy_hash(script)}'; style-src '{policy_hash(css)}'; base-uri 'none'"
    return _text("report.html").format(
        policy=f"{policy}; form-action 'none'",
        scheme=SCHEMES[theme],
        title=escaped(report.title),
        css=css,
        script=script,
        about=_about(report),
        notes=_notes(report),
        faults=summary.faults(report),
        changes=_changes(report),
        to_changes="" if report.changes is None else ' <a href="#h-changes">Compared</a>',
        scores=summary.scores(report),
        outcomes=summary.outcomes(report),
        coverage=summary.coverage(report),
        ratios=summary.ratios(report),
        plots=drawn,
        scatter=_scatter(report, frames, pair),
        method=_method(report),
        runs=packed_table(report.grid),
        places=packed_places(frames),
        data=packed(dumps(_data(report, frames), separators=(",", ":")).encode()),
        blocks="\n".join(
            f'<script type="text/plain" class="block">{block}</script>'
            for block in packed_details(report.grid, logs or Logs({}))
        ),
        clock=escaped(report.grid.clock.title),
        version=escaped(__version__),
    )


def _css(theme: str) -> str:
    own = _text("report.css")
    light, dark = (f"{variables(shade)}{_shades(shade)}" for shade in (False, True))
    if theme != "auto":
        return f"{own}:root{{{dark if theme == 'dark' else light}}}"
    return f"{own}:root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"


def _shades(dark: bool) -> str:
    """Return the colours of everything but the plots."""
    names = ("ink", "muted", "line", "paper", "raised", "grave", "accent")
    light = ("#22262c", "#5d6673", "#d9dde3", "#fdfdfe", "#f2f4f7", "#a81e28", "#1b5fc2")
    night = ("#e4e8ee", "#a0aab8", "#343b46", "#14171d", "#1c2129", "#ff9b9b", "#8dbbff")
    return "".join(f"--{name}:{colour};" for name, colour in zip(names, night if dark else light, strict=True))


def _about(report: ExperimentReport) -> str:
    planners = count(len(report.planners), "planner")
    domains = count(len(report.domains), "domain")
    limits = summary.shared_limits(report)
    within = f", each within {limits}" if limits not in (None, NO_LIMITS) else ""
    return escaped(
        f"{count(report.runs, 'run')} of {planners} on {count(report.tasks, 'task')} of {domains}{within}. "
        f"Time is {report.grid.clock.title}."
    )


def _notes(report: ExperimentReport) -> str:
    items = "".join(f"<li>{escaped(note)}</li>" for note in report.notes)
    return f'<ul class="notes">{items}</ul>' if items else ""


def _changes(report: ExperimentReport) -> str:
    if report.changes is None:
        return ""
    return (
        '<section aria-labelledby="h-changes"><h2 id="h-changes">Compared with the older experiment</h2>'
        f"{summary.compared(report.changes)}</section>"
    )


def _plots(report: ExperimentReport, styles: Styles) -> str:
    """Return the plots without choices, each with a text for readers who cannot see it."""
    most = max(report.planners, key=lambda planner: planner.scores["coverage"])
    wanted: list[tuple[str, str, Any, str]] = [
        ("outcomes", "How the runs ended", plots.outcomes(report), "the table below has the numbers"),
        ("cactus", "Tasks solved within a time for each", plots.cactus(report), f"most are solved by {most.name}"),
    ]
    profile = plots.anytime(report)
    if profile is not None:
        wanted.append(("anytime", "Anytime profile: better plans with time", profile, "scores are in the table above"))
    return "".join(
        f"<figure><figcaption>{escaped(title)}</figcaption>"
        f"{inline_svg(svg_text(figure), name, f'{title}: {text}', styles)}</figure>"
        for name, title, figure, text in wanted
    )


def _scatter(report: ExperimentReport, frames: list[Chart], pair: tuple[int, int]) -> str:
    """Return the frames of the scatter, of which the first is filled and shown."""
    if len(report.planners) < 2 or not frames:
        return "<p>There are no two planners to compare.</p>"
    options = [f'<option value="{number}">{escaped(row.name)}</option>' for number, row in enumerate(report.planners)]
    across, up = (
        "".join(text.replace("<option", "<option selected", number == chosen) for number, text in enumerate(options))
        for chosen in pair
    )
    measures = [f'<option value="{at}">{escaped(each.measure.title)}</option>' for at, each in enumerate(frames)]
    figures = "".join(
        f'<figure class="scatter" data-number="{number}"{" hidden" * (number > 0)}>'
        f"{chart.filled(*pair) if number == 0 else chart.svg}</figure>"
        for number, chart in enumerate(frames)
    )
    return (
        '<p class="choices">'
        f'<label>across <select id="first">{across}</select></label> '
        f'<label>up <select id="second">{up}</select></label> '
        f'<label>by <select id="measure">{"".join(measures)}</select></label></p>'
        f'<p id="verdict" role="status"></p>{figures}'
    )


def _best_two(report: ExperimentReport) -> tuple[int, int]:
    """Return the numbers of the two planners that solve most; of a single planner its number twice."""
    order = sorted(range(len(report.planners)), key=lambda number: -report.planners[number].scores["coverage"])
    return min(order[:2]), max(order[:2])


def _data(report: ExperimentReport, frames: list[Chart]) -> dict[str, Any]:
    names = [planner.name for planner in report.planners]
    return {
        "planners": names,
        "tasks": report.grid.tasks,
        "outcomes": [each.replace("_", " ") for each in OUTCOMES],
        "block": BLOCK,
        "one": ONE,
        "unknown": UNKNOWN,
        "none": NO_PLAN,
        "charts": [
            {
                "name": chart.measure.name,
                "title": chart.measure.title,
                "unit": plots.unit_of(chart.measure),
                "box": chart.box,
                "border": chart.border,
            }
            for chart in frames
        ],
        "ratios": [
            [names.index(each.first), names.index(each.second), each.measure, each.tasks, each.geometric_mean,
             each.median, each.low, each.high, each.noise]
            for each in report.ratios
        ],
    }  # fmt: skip


def _method(report: ExperimentReport) -> str:
    bootstrap = (
        f"Intervals are of a paired bootstrap with {ROUNDS:,} rounds and the seed {SEED}: tasks are drawn with "
        "replacement, and of each task its runs; the interval holds the middle 95%. Noise explains the figures with ≈, "
        f"in grey: chance in the runs, or in the choice of tasks. "
        f"Nothing is claimed without repetitions, or of fewer than {LEAST_TASKS} tasks. "
        "(Efron and Tibshirani 1993, chapters 8 and 13; Davison and Hinkley 1997, section 3.8)"
    )
    lines = [
        "A task is solved by a plan that is not invalid. A task that was run more than once counts by the mean of its "
        "runs; its time, cost and so on are their geometric mean.",
        "Satisficing score: best known cost over cost, where the best is the lowest cost in this report (as in the "
        "satisficing tracks of the International Planning Competition since 2008).",
        "Agile score: 1 up to a second, then 1 - log(time) / log(limit) (as in the agile tracks of 2018 and 2023).",
        "Optimal: plans that are proved to be cheapest.",
        bootstrap,
    ]
    return "".join(f"<li>{escaped(line)}</li>" for line in lines)


@cache
def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def report_html(report: ExperimentReport) -> str:
    """Return the page of a report in a frame, as notebooks show it. Raises DependencyMissing without matplotlib."""
    page = report_page(report).replace("&", "&amp;").replace('"', "&quot;")
    return FRAME.format(title=escaped(report.title), page=page, height=HEIGHT)


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
