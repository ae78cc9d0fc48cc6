"""The page of a report: a single file with a security policy that forbids loading other files; and files of figures.

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
from typing import Any
from zlib import DEFLATED, compressobj

from unpuzzle.base.files import is_found
from unpuzzle.base.outcomes import ERROR
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.experiments.differences import LEAST_TASKS, pairs_of
from unpuzzle.experiments.measures import COVERAGE, INVALID, NO_LIMITS, OUTCOMES, Grid, Measure, limits_text, outcome
from unpuzzle.experiments.reporting import ExperimentReport, names_of
from unpuzzle.experiments.runs import ExperimentRun, logs_folder
from unpuzzle.rendering import report_figures
from unpuzzle.rendering.report_tables import (
    NOISE,
    Table,
    change_table,
    domain_table,
    fault_table,
    outcomes_of,
    pace_table,
    planner_table,
    ratio_table,
    scores_of,
    tables_of,
)
from unpuzzle.rendering.svg import escaped, policy_hash
from unpuzzle.version import __version__

SCHEMES = {"auto": "light dark", "light": "light", "dark": "dark"}
FRAME = '<iframe title="{title}" srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{height}"></iframe>'
HEIGHT = 720
"""The height of the frame, in pixels."""
MANY = 100
"""The most rows of a table that grows with the number of runs; files have all rows. And the most figures of pairs; of
more, only those of time and cost are drawn."""
EXPLAINED = "noise explains the distance"
ROOM = 2_600_000
"""The most characters that all blocks may take in a page."""
RAW = 10_000_000
"""Bytes of logs and plans before they are packed: about four times as much as there is room for."""
MOST, GRAVE = 60_000, 8
"""The most bytes of a log, and the factor for runs that went wrong."""
BLOCK = 40
TRIES, SAMPLE = 6, 12


# The runs and their logs, compressed. The table has what one looks for; message, plan and log of a run are in blocks of
# forty, of which a page unpacks one when somebody asks for it. Long logs lose their middle, so that the page stays
# small; those of runs that went wrong keep more.


class Logs(Record):
    """The log files, by the key of each run, from the log folders next to the files of runs."""

    files: Mapping[str, str]

    @classmethod
    def beside(cls, runs_by_path: Mapping[str, Sequence[ExperimentRun]]) -> Logs:
        """Return the logs in the folders that belong to files of runs."""
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
        path = self.files.get(run.key)
        try:
            if path is None:
                return ""
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
        return (
            f"{head}\n\n[… {size - most:,} bytes are left out here; they are in {os.path.basename(path)} …]\n\n{tail}"
        )


def packed_table(grid: Grid) -> str:
    """Return the table of all runs, column by column, as compressed text."""
    names = names_of(grid)
    labels = {name: number for number, name in enumerate(grid.labels)}
    tasks = {task: number for number, task in enumerate(grid.tasks)}
    columns: dict[str, list[Any]] = {
        "planner": [labels[names[run.key]] for run in grid.runs],
        "task": [tasks[run.domain, run.task] for run in grid.runs],
        "repetition": [run.repetition for run in grid.runs],
        "outcome": [OUTCOMES.index(outcome(run)) for run in grid.runs],
        "cost": [run.cost for run in grid.runs],
        "time": [None if isnan(value) else round(value, 3) for value in grid.frame.time],
        "expanded": [run.expanded for run in grid.runs],
        "memory": [None if run.peak_memory is None else round(run.peak_memory / 2**20, 1) for run in grid.runs],
    }
    return packed(dumps(columns, separators=(",", ":")).encode())


def packed_details(grid: Grid, logs: Logs) -> list[str]:
    """Return compressed blocks with the message, plan and log of each run."""
    about = {key: _about_planner(grid.labels[name]) for key, name in names_of(grid).items()}
    packer = _Packer(grid.runs, logs, about)
    most = min(MOST, RAW // len(grid.runs))
    for _ in range(TRIES):
        most = packer.fitting(most)
        blocks = packer.blocks(most)
        size = sum(map(len, blocks))
        if size <= ROOM:
            return blocks
        most = int(0.8 * most * ROOM / size)
    return _Packer(grid.runs, Logs({}), about).blocks(0)


class _Packer(Record):
    """A packer for the details of runs; `about` maps the key of a run to lines about the planner."""

    runs: Sequence[ExperimentRun]
    logs: Logs
    about: Mapping[str, str]

    def blocks(self, most: int, step: int = 1) -> list[str]:
        """Return all blocks, or every `step`-th block, with no more than `most` bytes of each log."""
        return [self._block(start, most) for start in range(0, len(self.runs), step * BLOCK)]

    def fitting(self, most: int) -> int:
        """Estimate, from a sample of blocks, the greatest log length at which all blocks fit on the page."""
        step = max(1, len(self.runs) // BLOCK // SAMPLE)
        for _ in range(TRIES):
            size = step * sum(map(len, self.blocks(most, step)))
            if step == 1 or size <= 0.9 * ROOM:
                break
            most = int(0.8 * most * ROOM / size)
        return most

    def _block(self, start: int, most: int) -> str:
        details = [self._details(run, most) for run in self.runs[start : start + BLOCK]]
        return packed(dumps(details, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace"))

    def _details(self, run: ExperimentRun, most: int) -> dict[str, Any]:
        own = most * GRAVE if outcome(run) in (ERROR, INVALID) else most
        plan = "\n".join(run.plan or ())
        if len(plan) > own:
            plan = f"{plan[:own]}\n… {len(run.plan or ()):,} steps in all"
        about = _about_run(run, self.about[run.key], own)
        return {"about": about, "plan": plan, "log": self.logs.text(run, min(own, MOST)), "file": run.log or ""}


def _about_planner(label: ExperimentRun) -> str:
    """Return the details of a planner that the table does not show."""
    versions = ", ".join(f"{name} {version}" for name, version in label.versions.items())
    parts = (f"configuration {label.configuration}", f"limits: {limits_text(label.limits)}", versions)
    return "\n".join(filter(None, parts))


def _about_run(run: ExperimentRun, planner: str, most: int) -> str:
    """Return the details of a run that the table does not show."""
    machine = " ".join([str(run.machine[name]) for name in ("name", "system", "processor") if run.machine.get(name)])
    seconds = ", ".join([f"{phase} {seconds:.3g} s" for phase, seconds in run.seconds.items() if seconds is not None])
    seed = "" if run.seed is None else f"seed {run.seed}"
    message = run.message if len(run.message) <= max(most, 200) else f"{run.message[:most]} …"
    return "\n".join(filter(None, (message, planner, seed, seconds, machine, run.started, f"key {run.key}")))


def packed(data: bytes) -> str:
    """Return data, compressed by deflate and encoded in base64, for the page's script."""
    deflate = compressobj(6, DEFLATED, -15)
    return b64encode(deflate.compress(data) + deflate.flush()).decode()


def report_page(report: ExperimentReport, *, logs: Logs | None = None, theme: str = "auto") -> str:
    """Return the text of the page; the theme is `light`, `dark`, or `auto` (the reader's preference).

    Raises DependencyMissing without the extra `plots`.
    """
    pairs = report_figures.styled(lambda: [*_pairs(report)])
    css, script = _css(theme), '"use strict";\n' + _text("report.js")
    policy = f"default-src 'none'; script-src '{policy_hash(script)}'; style-src '{policy_hash(css)}'; base-uri 'none'"
    shared = {planner.limits for planner in report.planners}
    columns = ["planner", *(["limits"] if len(shared) > 1 else []), "tasks", *scores_of(report)]
    domains = [domain_table(report, measure) for measure in (*report.grid.scores, *report.grid.figures)]
    others = [html_of(table) for table in domains if table.name != COVERAGE.name]
    return _text("report.html").format(
        policy=f"{policy}; form-action 'none'",
        scheme=SCHEMES[theme],
        title=escaped(report.title),
        css=css,
        script=script,
        about=_about(report, shared),
        notes=_list(report.notes, "notes"),
        faults=html_of(fault_table(report)) if report.faults else _fine("No answers contradict each other, no plan is "
                                                                       "invalid, no planner broke."),
        changes=_changes(report),
        to_changes="" if report.changes is None else ' <a href="#h-changes">Compared</a>',
        scores=html_of(planner_table(report).only(columns)),
        outcomes=html_of(planner_table(report, "Runs by outcome").only(["planner", *outcomes_of(report)])),
        coverage=html_of(domains[0]),
        domains=f"<details><summary>Every measure by domain</summary>{''.join(others)}</details>",
        plots=report_figures.styled(lambda: _plots(report)),
        scatter=_choices(report, pairs),
        ratios=_ratios(report),
        method=_list(METHOD),
        runs=packed_table(report.grid),
        pairs="\n".join(pair.script() for pair in pairs),
        data=packed(dumps(_data(report), separators=(",", ":")).encode()),
        blocks="\n".join(
            f'<script type="text/plain" class="block">{block}</script>'
            for block in packed_details(report.grid, logs or Logs({}))
        ),
        clock=escaped(report.grid.clock.title),
        version=escaped(__version__),
    )  # fmt: skip


def _css(theme: str) -> str:
    light, dark = _shades(False), _shades(True) + report_figures.dark_rules()
    first = dark if theme == "dark" else light
    return _text("report.css") + first + (f"@media (prefers-color-scheme:dark){{{dark}}}" if theme == "auto" else "")


def _shades(dark: bool) -> str:
    """Return style rules with the colours of the page, except the colours of figures."""
    names = ("ink", "muted", "line", "paper", "raised", "grave", "accent")
    light = (report_figures.INK, "#5d6673", report_figures.GRID, report_figures.PAPER, "#f2f4f7", "#a81e28", "#1b5fc2")
    night = ("#e4e8ee", "#a0aab8", "#343b46", "#14171d", "#1c2129", "#ff9b9b", "#8dbbff")
    pairs = zip(names, night if dark else light, strict=True)
    return f":root{{{''.join(f'--{name}:{colour};' for name, colour in pairs)}}}"


def html_of(table: Table, attributes: str = "") -> str:
    """Return a table as HTML in a frame that the mouse and the keyboard can scroll."""
    left = {table.head.index(name) for name in table.words}
    head = "".join(
        f'<th scope="col"{" class=words" * (number in left)}>{escaped(name)}</th>'
        for number, name in enumerate(table.head)
    )
    rows = "".join(_row(table, number, left) for number in range(min(len(table.rows), MANY)))
    more = f"<p>{count(len(table.rows) - MANY, 'more')}: in the figures as CSV and JSON.</p>"
    return (
        f'<div class="wide"{attributes} tabindex="0" role="region" aria-label="{escaped(table.title)}"><table><caption>'
        f"{escaped(table.title)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        + more
        * (len(table.rows) > MANY)
    )


def _row(table: Table, row: int, left: Iterable[int]) -> str:
    kind = f' class="{table.kinds[row]}"' if row in table.kinds else ""
    cells = []
    for column in range(1, len(table.head)):
        mark = table.marks.get((row, column), "words" if column in left else "")
        about = (f' class="{mark}"' if mark else "") + f' title="{EXPLAINED}"' * (mark == "noise")
        cells.append(f"<td{about}>{escaped(table.shown(row, column))}</td>")
    return f'<tr{kind}><th scope="row">{escaped(table.shown(row, 0))}</th>{"".join(cells)}</tr>'


def _about(report: ExperimentReport, limits: set[str]) -> str:
    shared = [each for each in limits if len(limits) == 1 and each != NO_LIMITS]
    return escaped(
        f"{count(report.runs, 'run')} of {count(len(report.planners), 'planner')} on {count(report.tasks, 'task')} of "
        f"{count(len(report.domains), 'domain')}{''.join(f', each within {each}' for each in shared)}. "
        f"Time is {report.grid.clock.title}."
    )


def _list(lines: Iterable[str], kind: str = "") -> str:
    items = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    return f"<ul{f' class={kind}' if kind else ''}>{items}</ul>" if items else ""


def _fine(text: str) -> str:
    return f'<p class="fine">{text}</p>'


def _changes(report: ExperimentReport) -> str:
    changes = report.changes
    if changes is None:
        return ""
    tasks = html_of(change_table(changes)) if changes.tasks else _fine("No task is lost, gained, dearer, cheaper, "
                                                                        "slower or faster.")  # fmt: skip
    return (
        '<section aria-labelledby="h-changes"><h2 id="h-changes">Compared with the older experiment</h2>'
        f"{_list(changes.notes)}{html_of(pace_table(changes))}{tasks}</section>"
    )


def _plots(report: ExperimentReport) -> str:
    """Return the figures without menus, each with a description for readers who cannot see the figure."""
    most = max(report.planners, key=lambda planner: planner.scores["coverage"])
    wanted: list[tuple[str, str, Any, str]] = [
        ("outcomes", "How the runs ended", report_figures.outcomes, "the table below has the numbers"),
        ("cactus", "Tasks solved within a time for each", report_figures.cactus, f"most are solved by {most.name}"),
        (
            "anytime",
            "IPC score over time: plans, and better plans",
            report_figures.anytime,
            "scores are in the table above",
        ),
    ]
    return "".join(
        f"<figure><figcaption>{escaped(title)}</figcaption>"
        f"{inline_svg(report_figures.svg_of(draw(report)), name, f'{title}: {text}')}</figure>"
        for name, title, draw, text in wanted
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
    """The scatter plot of two planners by a measure; `planners` holds the indices of the two planners."""

    measure: Measure
    planners: tuple[int, int]
    svg: str
    verdict: str

    def script(self) -> str:
        """Return the figure and the verdict as a script element for the page."""
        first, second = self.planners
        label = f"scatter plot of {self.measure.title}: {self.verdict}"
        data = dumps([inline_svg(self.svg, "pair", label), self.verdict]).encode()
        about = f'data-key="{escaped(self.measure.name)} {first} {second}"'
        return f'<script type="text/plain" class="pair" {about}>{packed(data)}</script>'


def _pairs(report: ExperimentReport) -> Iterator[Pair]:
    """Yield the figure of each pair and measure, first of the two planners that solve most tasks, compared by time."""
    grid, names = report.grid, [*report.grid.labels]
    most = sorted(report.planners, key=lambda planner: -planner.scores["coverage"])[:2]
    best = {planner.name for planner in most}
    wanted = [(measure, pair) for measure in grid.figures for pair in pairs_of(grid)]
    if len(wanted) > MANY:
        wanted = [each for each in wanted if each[0].name in (grid.clock.name, "cost")][:MANY]
    for measure, pair in sorted(wanted, key=lambda each: (each[0] != grid.clock, {*each[1]} != best)):
        numbers = names.index(pair[0]), names.index(pair[1])
        table = grid.values(measure)[[*pair]][(grid.sizes[[*pair]] > 0).all(axis=1)].dropna(how="all")
        rows = {at: [None if isnan(value) else float(value) for value in row] for at, *row in table.itertuples()}
        known = {at: (first, second) for at, (first, second) in rows.items()}
        tasks = {alone: [" ".join(at) for at in known if (None in known[at]) == alone] for alone in (False, True)}
        if known:
            svg = report_figures.svg_of(report_figures.scatter(measure, pair, [*known.values()]))
            svg = _titled(_titled(svg, "alone", tasks[True]), "both", tasks[False])
            yield Pair(measure, numbers, svg, _verdict(report, measure, pair))


def _titled(svg: str, group: str, titles: Sequence[str]) -> str:
    """Add task names as titles to the marks of a group; marks and titles must have the same order."""
    head, found, tail = svg.partition(f'<g id="{group}">')
    rest = iter(titles)
    marked = re.sub(r"(<use [^>]*)/>", lambda use: f"{use[1]}><title>{escaped(next(rest))}</title></use>", tail,
                    count=len(titles))  # fmt: skip
    return head + found + (marked if titles else tail)


def _verdict(report: ExperimentReport, measure: Measure, pair: tuple[str, str]) -> str:
    for ratio in report.ratios:
        if (ratio.first, ratio.second, ratio.measure) == (*pair, measure.name):
            between = "" if ratio.low is None else f", 95% from {ratio.low:.3g} to {ratio.high:.3g}"
            known = "" if ratio.noise is None else f"; {NOISE[ratio.noise]}"
            return (
                f"{pair[1]} / {pair[0]}, {measure.title}: geometric mean {ratio.geometric_mean:.3g}{between}, median "
                f"{ratio.median:.3g}, on {count(ratio.tasks, 'task')} that both solved{known}."
            )
    return f"{pair[1]} / {pair[0]}: no task was solved by both."


def _choices(report: ExperimentReport, pairs: Sequence[Pair]) -> str:
    """Return the menus to choose two planners and a measure, with the first figure."""
    if len(report.planners) < 2 or not pairs:
        return "<p>There are no two planners to compare.</p>"
    first = pairs[0]
    planners = [*enumerate(planner.name for planner in report.planners)]
    measures = [(measure.name, measure.title) for measure in report.grid.figures]
    words = f"scatter plot of {first.measure.title}: {first.verdict}"
    return (
        f'<p class="choices"><label>one <select id="first">{_options(planners, first.planners[0])}</select></label> '
        f'<label>other <select id="second">{_options(planners, first.planners[1])}</select></label> '
        f'<label>by <select id="measure">{_options(measures, first.measure.name)}</select></label></p>'
        f'<p id="verdict" role="status">{escaped(first.verdict)}</p>'
        f'<figure class="scatter" id="picture">{inline_svg(first.svg, "pair", words)}</figure>'
    )


def _options(values: Iterable[tuple[object, str]], chosen: object) -> str:
    return "".join(
        f'<option{" selected" * (value == chosen)} value="{escaped(str(value))}">{escaped(text)}</option>'
        for value, text in values
    )


def _ratios(report: ExperimentReport) -> str:
    """Return the table of ratios of each measure, as HTML."""
    tables = [(measure, ratio_table(report, measure)) for measure in report.grid.figures]
    return "".join(
        html_of(table, f' data-measure="{escaped(measure.name)}"') for measure, table in tables if table.rows
    )


def _data(report: ExperimentReport) -> dict[str, Any]:
    return {
        "planners": [planner.name for planner in report.planners],
        "tasks": report.grid.tasks,
        "outcomes": [each.replace("_", " ") for each in OUTCOMES],
        "block": BLOCK,
    }


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


def report_html(report: ExperimentReport) -> str:
    """Return the page of a report in a frame for notebooks. Raises DependencyMissing without matplotlib."""
    page = report_page(report).replace("&", "&amp;").replace('"', "&quot;")
    return FRAME.format(title=escaped(report.title), page=page, height=HEIGHT)


def figure_files(report: ExperimentReport) -> dict[str, str]:
    """Return the texts of all figures, by file name. Raises DependencyMissing without matplotlib."""
    return {**tables_of(report), **report_figures.styled(lambda: dict(_drawn(report)))}


def _drawn(report: ExperimentReport) -> Iterator[tuple[str, str]]:
    for draw in (report_figures.outcomes, report_figures.cactus, report_figures.anytime):
        yield f"{draw.__name__}.svg", report_figures.svg_file(draw(report))
    names = _file_names(report)
    for pair in _pairs(report):
        first, second = (names[number] for number in pair.planners)
        yield f"scatter-{_file_name(pair.measure.name)}-{first}-{second}.svg", report_figures.with_dark(pair.svg)


def _file_names(report: ExperimentReport) -> list[str]:
    """Return a unique file name for each planner; a number is added to equal names."""
    found: list[str] = []
    for planner in report.planners:
        name, number = _file_name(planner.name), 1
        while name in found:
            number += 1
            name = f"{_file_name(planner.name)}-{number}"
        found.append(name)
    return found


def _file_name(name: str) -> str:
    """Return a name as part of a file name: letters, digits and points; hyphens replace all other characters."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.").lower()[:LONGEST] or "planner"


LONGEST = 40
"""The most letters of a planner's name in the name of a file."""
