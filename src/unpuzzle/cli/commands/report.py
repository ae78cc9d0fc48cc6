"""unpuzzle report RUNS ... -o report.html."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import NO, YES, Answer
from unpuzzle.cli.parser import option
from unpuzzle.defaults import RUNS_FILE as RUNS
from unpuzzle.errors import UsageError
from unpuzzle.extras import require
from unpuzzle.files import Folders, save_all
from unpuzzle.found_files import require_places
from unpuzzle.lab.reporting.faults import CERTAIN
from unpuzzle.lab.reporting.making import ExperimentReport, names_of, report, report_text
from unpuzzle.lab.reporting.reading import properties_of, read_experiment
from unpuzzle.lab.runs import ExperimentRun
from unpuzzle.rendering.report import figure_files, report_page
from unpuzzle.rendering.report.listing import Logs
from unpuzzle.words import count

EXAMPLE = """unpuzzle report runs.jsonl -o report.html --figures figures
  unpuzzle report runs.jsonl --compare old.jsonl -o report.html"""
THEMES = ("auto", "light", "dark")


def arguments(parser: ArgumentParser) -> None:
    about = f"files of runs from `unpuzzle experiment`, folders with {RUNS}, or `properties` files of Downward Lab"
    parser.add_argument("runs", metavar="RUNS", nargs="+", help=about)
    option(parser, "-o --output FILE", "write the page there: one file that needs no network")
    option(parser, "--compare OLD", "show what has changed since these older runs", nargs="+")
    option(parser, "--figures DIR", "write the plots as SVG and the tables as CSV into this folder")
    option(parser, "--properties FILE", "write the runs as a file of Downward Lab")
    option(parser, "--title TEXT", "title of the page; default: the name of the first file")
    parser.add_argument(
        "--theme",
        choices=THEMES,
        default="auto",
        help="colours of the page: light, dark or, by default, as its readers prefer",
    )


def execute(options: Namespace) -> Answer:
    """Make the report, write the requested files, and show the figures."""
    options.runs = [os.path.join(path, RUNS) if os.path.isdir(path) else path for path in options.runs]
    _refuse_same_names(options)
    if options.output is not None or options.figures is not None:
        require("plots", "plots of reports need", "matplotlib")
    runs = {path: read_experiment(path) for path in options.runs}
    old = [run for path in options.compare or () for run in read_experiment(path)]
    title = options.title or os.path.splitext(os.path.basename(options.runs[0]))[0]
    made = report([run for group in runs.values() for run in group], compare=old, title=title)
    files = _files(made, runs, options)
    if options.figures is not None:
        with Folders(options.figures):
            named = (options.output, options.properties)
            require_places([path for path in files if path not in named], options.figures)
            save_all(files)
    else:
        save_all(files)
    worse = made.changes is not None and made.changes.is_worse
    answer = Answer(NO if made.is_faulty or worse else YES, made, report_text(made, options.quiet))
    answer.fields["files"] = [*files]
    answer.complaint = _complaint(made)
    return answer


def _refuse_same_names(options: Namespace) -> None:
    """Raise UsageError if a file would overwrite another one of the same call."""
    if options.output is not None and options.output == options.properties:
        raise UsageError(f"--output and --properties are the same file, '{options.output}'")


def _files(made: ExperimentReport, runs: dict[str, tuple[ExperimentRun, ...]], options: Namespace) -> dict[str, str]:
    """Return the requested files, by their paths."""
    files = {}
    if options.output is not None:
        files[options.output] = report_page(made, logs=Logs.beside(runs), theme=options.theme)
    if options.figures is not None:
        files |= {os.path.join(options.figures, name): text for name, text in figure_files(made).items()}
    if options.properties is not None:
        files[options.properties] = properties_of(made.grid.runs, names_of(made.grid))
    return files


def _complaint(made: ExperimentReport) -> str:
    """Return the gravest faults, one a line."""
    certain = [fault for fault in made.faults if fault.kind in CERTAIN]
    lines = [f"unpuzzle: {fault.domain} {fault.task}: {fault.text}" for fault in certain[:10]]
    lines += [f"unpuzzle: and {count(len(certain) - 10, 'fault')} more"] if len(certain) > 10 else []
    return "\n".join(lines)
