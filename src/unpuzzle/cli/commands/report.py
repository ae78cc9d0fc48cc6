"""The command `unpuzzle report RUNS ... -o report.html`: write a page on an experiment."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence

from unpuzzle.base.availability import require
from unpuzzle.base.defaults import RUNS_FILE as RUNS
from unpuzzle.base.errors import UsageError
from unpuzzle.base.files import save_into
from unpuzzle.base.outcomes import NO, YES
from unpuzzle.base.text import count
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.parser import option
from unpuzzle.lab.measures import CLOCKS, SCORES
from unpuzzle.lab.measures import FIGURES as MEASURES
from unpuzzle.lab.reading import properties_of, read_experiment
from unpuzzle.lab.reporting import CERTAIN, ExperimentReport, names_of, report
from unpuzzle.lab.runs import FIELDS, ExperimentRun, attributes_in
from unpuzzle.rendering.report_tables import report_text
from unpuzzle.rendering.reports import Logs, figure_files, report_page
from unpuzzle.workspace.inputs import Input, Show

EXAMPLE = """unpuzzle report runs.jsonl -o report.html --figures figures
  unpuzzle report runs.jsonl --compare old.jsonl -o report.html"""
THEMES = ("auto", "light", "dark")
RESERVED = {*FIELDS, *(measure.name for measure in (*SCORES, *CLOCKS, *MEASURES))}
"""Names that your own attributes may not have."""


def arguments(parser: ArgumentParser) -> None:
    about = f"files of runs from `unpuzzle experiment`, folders with {RUNS}, or `properties` files of Downward Lab"
    parser.add_argument("runs", metavar="RUNS", nargs="+", help=about)
    option(parser, "-o --output FILE", "write the page there: one file that needs no network")
    option(parser, "--compare OLD", "show what has changed since these older runs", nargs="+")
    option(parser, "--figures DIR", "write the plots as SVG, and the tables as CSV and LaTeX, into this folder")
    option(parser, "--properties FILE", "write the runs as a file of Downward Lab")
    about = "a measure of your own, which may be repeated: a regular expression, whose last match in the output of a "
    about += "planner counts, by its first group, such as 'memo=Memo hits: (\\d+)'"
    option(parser, "--attribute NAME=REGEX", about, action="append")
    option(parser, "--title TEXT", "title of the page; default: the name of the first file")
    about = "colours of the page: light, dark or, by default, the reader's choice"
    parser.add_argument("--theme", choices=THEMES, default="auto", help=about)


class ReportRequest(Input):
    """A request to report on runs, with the files for the output."""

    runs: Mapping[str, Sequence[ExperimentRun]]
    old: Sequence[ExperimentRun]
    title: str
    output: str | None = None
    figures: str | None = None
    properties: str | None = None
    theme: str = THEMES[0]

    def call(self, show: Show = None) -> ExperimentReport:
        return report([run for group in self.runs.values() for run in group], compare=self.old, title=self.title)


def read(options: Namespace) -> ReportRequest:
    """Read the runs to report on."""
    paths = [os.path.join(path, RUNS) if os.path.isdir(path) else path for path in options.runs]
    if options.output is not None and options.output == options.properties:
        raise UsageError(f"--output and --properties are the same file, '{options.output}'")
    if options.output is not None or options.figures is not None:
        require("plots", "plots of reports need", "matplotlib")
    attributes = _attributes(options.attribute or ())
    runs = {path: read_experiment(path) for path in paths}
    logs = Logs.beside(runs if attributes else {})
    for path, those in runs.items() if attributes else ():
        runs[path] = tuple([attributes_in(run, logs.text(run), attributes) for run in those])
    old = [run for path in options.compare or () for run in read_experiment(path)]
    title = options.title or os.path.splitext(os.path.basename(paths[0]))[0]
    return ReportRequest.of(options, runs=runs, old=old, title=title)


def _attributes(words: Sequence[str]) -> dict[str, str]:
    """Return the regular expression of each attribute, by the name of the attribute."""
    pairs = {name: expression for name, _, expression in (word.partition("=") for word in words)}
    for name, expression in pairs.items():
        if not expression or not name.isidentifier() or name in RESERVED:
            raise UsageError(f"--attribute takes NAME=REGEX with a new name, such as memo='hits: (.*)', not '{name}'")
    return pairs


def present(asked: ReportRequest, outcome: ExperimentReport, view: View) -> Answer:
    """Return the answer with the figures on the runs, and write the requested files."""
    page, plots, properties = {}, {}, {}
    if asked.output is not None:
        page[asked.output] = report_page(outcome, logs=Logs.beside(asked.runs), theme=asked.theme)
    if asked.figures is not None:
        plots = {os.path.join(asked.figures, name): text for name, text in figure_files(outcome).items()}
    if asked.properties is not None:
        properties[asked.properties] = properties_of(outcome.grid.runs, names_of(outcome.grid))
    save_into(asked.figures or os.curdir, plots, others=page | properties)
    worse = outcome.changes is not None and outcome.changes.is_worse
    answer = Answer(NO if outcome.is_faulty or worse else YES, outcome, report_text(outcome, view.quiet))
    answer.fields["files"] = [*page, *plots, *properties]
    answer.complaint = _complaint(outcome)
    return answer


def _complaint(made: ExperimentReport) -> str:
    """Return the most serious faults, one per line."""
    certain = [fault for fault in made.faults if fault.kind in CERTAIN]
    lines = [f"unpuzzle: {fault.domain} {fault.task}: {fault.text}" for fault in certain[:10]]
    lines += [f"unpuzzle: and {count(len(certain) - 10, 'fault')} more"] if len(certain) > 10 else []
    return "\n".join(lines)
