"""The web page of a report, a single file that loads no other files, and the files of its figures.

    <meta Content-Security-Policy>    nothing is loaded, and only the script and the styles with these hashes are used
    <style>                           report/report.css, and other colours in the dark
    <script>                          report/report.js: filters and sorts the table of runs, shows logs and pairs
    <script type="text/plain">        what it works on: deflated, in base64; a figure for each pair of planners

Its tables and figures are readable without scripts. All texts from runs go through `escaped`, or come to the script as
data that it writes as text. In a notebook, the page is in a frame that may run its own script and reaches nothing else.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from json import dumps
from math import isnan
from pathlib import Path
from zlib import compress

from unpuzzle.base.files import is_found
from unpuzzle.base.outcomes import ERROR
from unpuzzle.base.text import count, unused
from unpuzzle.base.values import Record
from unpuzzle.experiments.differences import LEAST_TASKS, pairs_of
from unpuzzle.experiments.measures import NO_LIMITS, OUTCOMES, Grid, Measure, limits_text
from unpuzzle.experiments.reporting import ExperimentReport
from unpuzzle.experiments.runs import ExperimentRun, logs_folder
from unpuzzle.rendering import report_figures, report_tables
from unpuzzle.rendering.report_figures import GRID, IN_THE_DARK, INK, PAPER
from unpuzzle.rendering.svg import escaped, policy_hash
from unpuzzle.version import __version__

SCHEMES = {"auto": "light dark", "light": "light", "dark": "dark"}
SHADES = {
    **{name: (colour, IN_THE_DARK[colour]) for name, colour in (("ink", INK), ("line", GRID), ("paper", PAPER))},
    **{"muted": ("#5d6673", "#a0aab8"), "raised": ("#f2f4f7", "#1c2129"), "grave": ("#a81e28", "#ff9b9b")},
    **{"accent": ("#1b5fc2", "#8dbbff")},
}
"""The colours of the page, except of figures: on light pages and in the dark."""
NO_FAULTS = '<p class="fine">No answers contradict each other, no plan is invalid, no planner broke.</p>'
NO_CHANGES = '<p class="fine">No task is lost, gained, dearer, cheaper, slower or faster.</p>'
MANY = 100
"""The most rows of a table that grows with the number of runs; files have all rows. And the most figures of pairs; of
more, only those of time and cost are drawn."""
MARKS = {"best": ' class="best"', "noise": ' class="noise" title="noise explains the distance"'}
"""The attributes of marked cells."""
ROOM = 2_600_000
"""The most characters that all blocks may take in a page."""
RAW = 10_000_000
"""Bytes of logs and plans before they are packed: about four times as much as there is room for."""
MOST, GRAVE = 60_000, 8
"""The most bytes of a log, and the factor for runs that went wrong."""
BLOCK = 40
LONGEST = 40
"""The most letters of a planner's name in the name of a file."""


# The runs and their logs, compressed. The table has what one looks for; message, plan and log of a run are in blocks of
# forty, of which a page unpacks one when somebody asks for it. Long logs lose their middle, so that the page stays
# small; those of runs that went wrong keep more.


class Logs(Record):
    """The files with planner logs, by the key of each run; they are in folders beside the files of runs."""

    files: Mapping[str, str]

    @classmethod
    def beside(cls, runs_by_path: Mapping[str, Sequence[ExperimentRun]]) -> Logs:
        """Return the log files of runs, from the folders beside the files of these runs; links are left out."""
        files: dict[str, str] = {}
        for path, runs in runs_by_path.items():
            folder = logs_folder(path)
            for run in runs if os.path.isdir(folder) and not os.path.islink(folder) else ():
                place = os.path.join(folder, os.path.basename(run.log or ""))
                if run.log == os.path.basename(place) and is_found(place, folder):
                    files.setdefault(run.key, place)
        return cls(files)

    def text(self, run: ExperimentRun, most: int = ROOM) -> str:
        """Return the log of a run; if the log is too long, the middle is left out."""
        if (path := self.files.get(run.key)) is None:
            return ""
        try:
            with open(path, "rb", buffering=0) as file:
                size = os.fstat(file.fileno()).st_size
                if size <= most:
                    return file.read().decode("utf-8", "replace")
                head = file.read(most // 3).decode("utf-8", "replace")
                file.seek(size - 2 * most // 3)
                tail = file.read(2 * most // 3).decode("utf-8", "replace")
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"the log cannot be read: {error.strerror}"
        gap = f"[… {size - most:,} bytes are left out here; they are in {os.path.basename(path)} …]"
        return f"{head}\n\n{gap}\n\n{tail}"


def packed_table(grid: Grid) -> str:
    """Return the table of all runs, column by column, as compressed text."""
    labels, tasks = [*grid.labels], {task: number for number, task in enumerate(grid.tasks)}
    return packed({
        "planner": [*map(labels.index, grid.frame.planner)],
        "task": [tasks[run.domain, run.task] for run in grid.runs],
        "repetition": [run.repetition for run in grid.runs],
        "outcome": [*map(OUTCOMES.index, grid.frame.outcome)],
        "cost": [run.cost for run in grid.runs],
        "time": [None if isnan(value) else round(value, 3) for value in grid.frame.time],
        "expanded": [run.expanded for run in grid.runs],
        "memory": [None if isnan(value) else round(value, 1) for value in grid.frame.memory],
    })  # fmt: skip


def packed_details(grid: Grid, logs: Logs) -> list[str]:
    """Return compressed blocks with message, plan and log of each run; logs are cut until they fit."""
    most = min(MOST, RAW // len(grid.runs))
    while True:
        details = [_details(run, logs, most) for run in grid.runs]
        blocks = [packed(details[start : start + BLOCK]) for start in range(0, len(details), BLOCK)]
        size = sum(map(len, blocks))
        if size <= ROOM or not most:
            return blocks
        most = int(0.8 * most * ROOM / size)


def _details(run: ExperimentRun, logs: Logs, most: int) -> dict[str, str]:
    """Return what the table does not show of a run, cut to about `most` characters; a run that went wrong gets more."""
    own = most * GRAVE if run.status == ERROR or run.valid is False else most
    plan, message = "\n".join(run.plan or ()), run.message
    if len(plan) > own:
        plan = f"{plan[:own]}\n… {len(run.plan or ()):,} steps in all"
    about = (
        message if len(message) <= max(own, 200) else f"{message[:own]} …",
        f"configuration {run.configuration}",
        f"limits: {limits_text(run.limits)}",
        ", ".join([f"{name} {version}" for name, version in run.versions.items()]),
        "" if run.seed is None else f"seed {run.seed}",
        ", ".join([f"{phase} {value:.3g} s" for phase, value in run.seconds.items() if value is not None]),
        " ".join([str(run.machine[name]) for name in ("name", "system", "processor") if run.machine.get(name)]),
        *(run.started, f"key {run.key}"),
    )
    log = logs.text(run, min(own, MOST)) if own else ""
    return {"about": "\n".join(filter(None, about)), "plan": plan, "log": log, "file": run.log or ""}


def packed(value: object) -> str:
    """Return a value as JSON, compressed by deflate and encoded in base64, for the page's script."""
    data = dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")
    return b64encode(compress(data, 6, -15)).decode()


def report_page(report: ExperimentReport, *, logs: Logs | None = None, theme: str = "auto") -> str:
    """Return the page; the theme is `light`, `dark` or `auto`, the reader's choice. Raises DependencyMissing."""
    pairs = report_figures.styled(lambda: [*_pairs(report)])
    css, script = _css(theme), '"use strict";\n' + _text("report.js")
    policy = f"default-src 'none'; script-src '{policy_hash(script)}'; style-src '{policy_hash(css)}'; base-uri 'none'"
    shared = {planner.limits for planner in report.planners}
    columns = ["planner", *(["limits"] if len(shared) > 1 else []), "tasks"]
    columns += [score.name for score in report.grid.scores]
    endings = ["planner", *report_tables.outcomes_of(report)]
    coverage, *others = [report_tables.domain_table(report, measure) for measure in report.grid.measures]
    ratios = report_tables.ratio_tables(report).items()
    return _text("report.html").format(
        policy=f"{policy}; form-action 'none'",
        scheme=SCHEMES[theme],
        title=escaped(report.title),
        css=css,
        script=script,
        about=_about(report, shared),
        notes=_list(report.notes, "notes"),
        faults=html_of(report_tables.fault_table(report)) if report.faults else NO_FAULTS,
        changes=_changes(report),
        to_changes="" if report.changes is None else ' <a href="#h-changes">Compared</a>',
        scores=html_of(report_tables.planner_table(report).only(columns)),
        outcomes=html_of(report_tables.planner_table(report, "Runs by outcome").only(endings)),
        coverage=html_of(coverage),
        domains=f"<details><summary>Every measure by domain</summary>{''.join(map(html_of, others))}</details>",
        plots=report_figures.styled(lambda: _plots(report)),
        scatter=_choices(report, pairs),
        ratios="".join(html_of(table, f' data-measure="{escaped(name)}"') for name, table in ratios),
        method=_list(METHOD),
        runs=packed_table(report.grid),
        pairs="\n".join(
            f'<script type="text/plain" class="pair" data-key="{escaped(pair.measure.name)} {pair.planners[0]} '
            f'{pair.planners[1]}">{packed([pair.inline(), pair.verdict])}</script>'
            for pair in pairs
        ),
        data=packed({
            "planners": [planner.name for planner in report.planners],
            "tasks": report.grid.tasks,
            "outcomes": [each.replace("_", " ") for each in OUTCOMES],
            "block": BLOCK,
        }),
        blocks="\n".join(
            f'<script type="text/plain" class="block">{block}</script>'
            for block in packed_details(report.grid, logs or Logs({}))
        ),
        clock=escaped(report.grid.clock.title),
        version=escaped(__version__),
    )  # fmt: skip


def _css(theme: str) -> str:
    light, dark = (
        f":root{{{''.join(f'--{name}:{shades[number]};' for name, shades in SHADES.items())}}}" for number in (0, 1)
    )
    dark += report_figures.dark_rules()
    first = dark if theme == "dark" else light
    return _text("report.css") + first + (f"@media (prefers-color-scheme:dark){{{dark}}}" if theme == "auto" else "")


def html_of(table: report_tables.Table, attributes: str = "") -> str:
    """Return a table as HTML in a frame that the mouse and the keyboard can scroll."""
    words = [' class="words"' * (name in table.words) for name in table.head]
    head = "".join(f'<th scope="col"{kind}>{escaped(name)}</th>' for name, kind in zip(table.head, words, strict=True))
    rows = []
    for number, (name, *cells) in enumerate(table.shown()[:MANY]):
        kind = f' class="{table.kinds[number]}"' if number in table.kinds else ""
        marks = [MARKS.get(table.marks.get((number, column), ""), own) for column, own in enumerate(words)]
        texts = "".join(f"<td{own}>{escaped(cell)}</td>" for own, cell in zip(marks[1:], cells, strict=True))
        rows.append(f'<tr{kind}><th scope="row">{escaped(name)}</th>{texts}</tr>')
    more = f"<p>{count(len(table.rows) - MANY, 'more')}: in the figures as CSV and JSON.</p>"
    return (
        f'<div class="wide"{attributes} tabindex="0" role="region" aria-label="{escaped(table.title)}"><table><caption>'
        f"{escaped(table.title)}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"{more if len(table.rows) > MANY else ''}"
    )


def _about(report: ExperimentReport, limits: set[str]) -> str:
    within = f", each within {min(limits)}" if len(limits) == 1 and NO_LIMITS not in limits else ""
    return escaped(
        f"{count(report.runs, 'run')} of {count(len(report.planners), 'planner')} on {count(report.tasks, 'task')} of "
        f"{count(len(report.domains), 'domain')}{within}. Time is {report.grid.clock.title}."
    )


def _list(lines: Iterable[str], kind: str = "") -> str:
    items = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    return f"<ul{f' class={kind}' if kind else ''}>{items}</ul>" if items else ""


def _changes(report: ExperimentReport) -> str:
    """Return the section about changes since an older experiment as HTML; empty without one."""
    changes = report.changes
    if changes is None:
        return ""
    return (
        '<section aria-labelledby="h-changes"><h2 id="h-changes">Compared with the older experiment</h2>'
        f"{_list(changes.notes)}{html_of(report_tables.pace_table(changes))}"
        f"{html_of(report_tables.change_table(changes)) if changes.tasks else NO_CHANGES}</section>"
    )


def _plots(report: ExperimentReport) -> str:
    """Return the figures that every report shows, each with a description for readers who cannot see it."""
    most = max(report.planners, key=lambda planner: planner.scores["coverage"])
    figures = (
        (report_figures.outcomes, "How the runs ended", "the table below has the numbers"),
        (report_figures.cactus, "Tasks solved within a time for each", f"most are solved by {most.name}"),
        (report_figures.anytime, "IPC score over time: plans, and better plans", "scores are in the table above"),
    )
    return "".join(
        f"<figure><figcaption>{escaped(title)}</figcaption>"
        f"{inline_svg(report_figures.svg_of(draw(report)), draw.__name__, f'{title}: {text}')}</figure>"
        for draw, title, text in figures
    )


def inline_svg(svg: str, name: str, label: str) -> str:
    """Return an SVG file as an element for a page, with unique ids and a text description for blind readers."""
    start = svg.index("<svg")
    end = svg.index(">", start)
    box = re.search(r'viewBox="[^"]+"', svg[start:end])
    body = re.sub(r'( id="|url\(#|href="#)', rf"\g<1>{name}-", svg[end + 1 :]).replace("xlink:href", "href")
    body = re.sub(r">\s+<", "><", body)
    return f'<svg id="{name}" {box and box[0]} role="img" aria-label="{escaped(label)}">{body.strip()}'


class Pair(Record):
    """The scatter plot of two planners by a measure; `planners` contains the numbers of the two planners."""

    measure: Measure
    planners: tuple[int, int]
    svg: str
    verdict: str

    def inline(self) -> str:
        """Return the figure as an element for a page."""
        return inline_svg(self.svg, "pair", f"scatter plot of {self.measure.title}: {self.verdict}")


def _pairs(report: ExperimentReport) -> Iterator[Pair]:
    """Yield a figure for each measure and pair of planners, beginning with the times of the two best planners."""
    grid, names = report.grid, [*report.grid.labels]
    best = {planner.name for planner in sorted(report.planners, key=lambda row: -row.scores["coverage"])[:2]}
    ratios = {(ratio.measure, ratio.first, ratio.second): ratio for ratio in report.ratios}
    wanted = [(measure, pair) for measure in grid.figures for pair in pairs_of(grid)]
    if len(wanted) > MANY:
        wanted = [each for each in wanted if each[0].name in (grid.clock.name, "cost")][:MANY]
    for measure, pair in sorted(wanted, key=lambda each: (each[0] != grid.clock, {*each[1]} != best)):
        table = grid.values(measure)[[*pair]][(grid.sizes[[*pair]] > 0).all(axis=1)].dropna(how="all")
        if not len(table):
            continue
        svg, alone = report_figures.svg_of(report_figures.scatter(measure, table)), table.isna().any(axis=1)
        for group, tasks in (("alone", table.index[alone]), ("both", table.index[~alone])):
            svg = _titled(svg, group, [" ".join(task) for task in tasks])
        verdict = f"{pair[1]} / {pair[0]}: no task was solved by both."
        if (ratio := ratios.get((measure.name, *pair))) is not None:
            between = "" if ratio.low is None else f", 95% from {ratio.low:.3g} to {ratio.high:.3g}"
            known = "" if ratio.noise is None else f"; {report_tables.NOISE[ratio.noise]}"
            verdict = (
                f"{pair[1]} / {pair[0]}, {measure.title}: geometric mean {ratio.geometric_mean:.3g}{between}, median "
                f"{ratio.median:.3g}, on {count(ratio.tasks, 'task')} that both solved{known}."
            )
        yield Pair(measure, (names.index(pair[0]), names.index(pair[1])), svg, verdict)


def _titled(svg: str, group: str, titles: Sequence[str]) -> str:
    """Add task names as titles to the marks of a group; marks and titles must have the same order."""
    head, found, tail = svg.partition(f'<g id="{group}">')
    rest = iter(titles)
    titled = re.compile(r"(<use [^>]*)/>").sub(lambda use: f"{use[1]}><title>{escaped(next(rest))}</title></use>",
                                               tail, count=len(titles))  # fmt: skip
    return head + found + (titled if titles else tail)


def _choices(report: ExperimentReport, pairs: Sequence[Pair]) -> str:
    """Return the menus to choose two planners and a measure, with the first figure."""
    if len(report.planners) < 2 or not pairs:
        return "<p>There are no two planners to compare.</p>"
    first = pairs[0]
    planners = [(number, planner.name) for number, planner in enumerate(report.planners)]
    measures = [(measure.name, measure.title) for measure in report.grid.figures]
    menus = (
        ("one", "first", planners, first.planners[0]),
        ("other", "second", planners, first.planners[1]),
        ("by", "measure", measures, first.measure.name),
    )
    labels = []
    for text, name, values, chosen in menus:
        options = "".join(
            f'<option{" selected" * (value == chosen)} value="{escaped(str(value))}">{escaped(shown)}</option>'
            for value, shown in values
        )
        labels.append(f'<label>{text} <select id="{name}">{options}</select></label>')
    return (
        f'<p class="choices">{" ".join(labels)}</p><p id="verdict" role="status">{escaped(first.verdict)}</p>'
        f'<figure class="scatter" id="picture">{first.inline()}</figure>'
    )


METHOD = (
    "A task is solved by a plan that is not invalid. A task that was run more than once counts by the mean of its "
    "runs; its time, cost and so on are their geometric mean.",
    "Satisficing score: best known cost over cost, the best known one being the least in this report (as in the "
    "satisficing tracks of the International Planning Competition since 2008).",
    "Agile score: 1 up to a second, then 1 - log(time) / log(limit) (as in the agile tracks of 2018 and 2023). PAR10: "
    "the mean time to an answer, which a proof that there is no plan is, too; ten times the limit where there is none "
    "(Hutter et al. 2009).",
    "Optimal: plans that are proved to be cheapest, or whose planner was declared optimal.",
    "Intervals are of Student's t for the mean difference of logarithms, or of scores, at 95%; the pairs are the "
    "tasks. What has ≈ and is grey, noise explains: chance in the runs, or in which tasks were taken. Nothing is "
    f"claimed without repetitions, or of fewer than {LEAST_TASKS} tasks.",
    "Sign test and Wilcoxon test: two-sided p-values; none is corrected for the number of pairs.",
)


@cache
def _text(name: str) -> str:
    return Path(__file__).with_name("report").joinpath(name).read_text(encoding="utf-8")


def figure_files(report: ExperimentReport) -> dict[str, str]:
    """Return the texts of all figures, by file name. Raises DependencyMissing without matplotlib."""
    return {**report_tables.tables_of(report), **report_figures.styled(lambda: dict(_drawn(report)))}


def _drawn(report: ExperimentReport) -> Iterator[tuple[str, str]]:
    """Yield the file name and the text of each figure."""
    for draw in (report_figures.outcomes, report_figures.cactus, report_figures.anytime):
        yield f"{draw.__name__}.svg", report_figures.with_dark(report_figures.svg_of(draw(report)))
    names: list[str] = []
    for planner in report.planners:
        names.append(unused(_file_name(planner.name), names, "-"))
    for pair in _pairs(report):
        first, second = (names[number] for number in pair.planners)
        yield f"scatter-{_file_name(pair.measure.name)}-{first}-{second}.svg", report_figures.with_dark(pair.svg)


def _file_name(name: str) -> str:
    """Return a name as part of a file name: letters, digits and points; hyphens replace all other characters."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.").lower()[:LONGEST] or "planner"
