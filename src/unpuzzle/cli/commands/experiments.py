"""Commands that measure planners: `compare` on one level, `experiment` on many tasks; `report` shows the runs."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from unpuzzle.base.availability import require
from unpuzzle.base.defaults import ORDERS, RUNS_FILE, SEEDS
from unpuzzle.base.errors import UsageError
from unpuzzle.base.files import save_into
from unpuzzle.base.outcomes import BROKEN, ERROR, NO, NO_ANSWER, OF_STATUS, UNSUPPORTED, YES, of_error
from unpuzzle.base.run import Run, current
from unpuzzle.base.text import count
from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.base.values import Record
from unpuzzle.cli import parser as cli
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.files import read_level, save_beside
from unpuzzle.cli.lint_warnings import of_level
from unpuzzle.cli.parser import chosen, flag, limits_of, option, whole
from unpuzzle.cli.verdicts import ended_early
from unpuzzle.experiments import comparing, reading
from unpuzzle.experiments.measures import CLOCKS, FIGURES, SCORES
from unpuzzle.experiments.reporting import CERTAIN, ExperimentReport, names_of, report
from unpuzzle.experiments.runs import FIELDS, ExperimentRun, attributes_in, settle
from unpuzzle.experiments.subjects import subjects_of
from unpuzzle.processes.program import call_as_program
from unpuzzle.rendering import report_figures
from unpuzzle.rendering.report_tables import report_text
from unpuzzle.rendering.reports import Logs, figure_files, report_page
from unpuzzle.workspace.inputs import Input, LevelInput, RowsSoFar, Show

if TYPE_CHECKING:
    from unpuzzle.experiments.experimenting import ExperimentProgress

EXAMPLE_COMPARE = """\
unpuzzle compare pacman loops --algorithms bfs astar greedy mouse --planners native --plot loops.png
  unpuzzle compare sokoban 2 --algorithms ucs --planners reference --objective pushes,moves"""
DEFAULT_TIME_LIMIT = 60.0
PDDL = ".pddl"
EXAMPLE_EXPERIMENT = """unpuzzle experiment boxup --planners native lama=fast-downward:lama -o runs.jsonl --repeat 3
  unpuzzle experiment ipc/ --planners native up:symk 'command:./plan.py {domain} {problem}' --cpu-limit 60"""
WHAT = "folders with PDDL, and the folders in them; PDDL files; puzzles, with all their levels"
PLANNERS = "see `unpuzzle list`; LABEL=NAME gives a label for tables; {seed} in a name is the seed of the run"
GENERATE = """random levels of the puzzles, instead of their own: count=20 seed=1 moves=10.. and what `unpuzzle generate
PUZZLE --help` shows as options of the puzzle, such as size=4x4"""
MOST_REASONS, MOST_FAULTS = 5, 10
"""The most reasons of failed runs, and the most faults of answers, that are shown."""
EXAMPLE_REPORT = """unpuzzle report runs.jsonl -o report.html --figures figures
  unpuzzle report runs.jsonl --compare old.jsonl -o report.html"""
THEMES = ("auto", "light", "dark")
RESERVED = {*FIELDS, *(measure.name for measure in (*SCORES, *CLOCKS, *FIGURES))}
"""Names that your own attributes may not have."""


# The command `compare`.


def arguments_compare(parser: ArgumentParser) -> None:
    cli.add_level(parser)
    about = "algorithms on the rules, such as bfs astar wastar=3 'astar(misplaced)', separated by blanks or commas; "
    about += "default: all that fit, unless there are --planners"
    option(parser, "--algorithms NAME", about, nargs="+")
    option(parser, "--planners NAME", "planners on the PDDL; see `unpuzzle list`", nargs="+")
    option(parser, "--heuristic NAME", "heuristic of the algorithms that name none")
    about = f"runs of each random algorithm; default: {SEEDS}"
    option(parser, "--seeds N", about, whole(), default=SEEDS)
    cli.add_objective(parser)
    about = "algorithms and planners at a time, each in a separate process; default: 1"
    cli.add_limits_of_each(parser, "run", DEFAULT_TIME_LIMIT, about)
    option(parser, "-o --output --csv FILE", "also write the table into this file, as CSV", dest="csv")
    option(parser, "--plot FILE", "plot the states expanded against the cost: .png, .svg or .pdf")


class CompareRequest(LevelInput):
    """A request to solve a level with several algorithms and planners."""

    title: str
    how: Mapping[str, Any]
    csv: str | None = None
    plot: str | None = None
    plot_apart: bool = False

    limits_of_each = True

    def call(self, show: Show = None) -> RowsSoFar:
        """Run the algorithms and planners; after an interruption, return the rows so far."""
        running = ""

        def tell(sentence: str) -> None:
            nonlocal running
            running = sentence
            if show is not None:
                show(sentence)

        with RowsSoFar() as so_far:
            try:
                comparing.compare(self.position, on_row=so_far.rows.append, progress=tell, **self.how)
            except KeyboardInterrupt as error:
                if not running or so_far.rows or error.args:
                    raise
                why = f"no run has ended, so there is nothing to show; {running} was running"
                raise type(error)(why) from error
        return so_far


def read_compare(options: Namespace) -> CompareRequest:
    """Read the level to be solved, and the names of algorithms and planners."""
    if options.plot is not None:
        report_figures.format_of(options.plot)  # refused before any work
        if options.plot == options.csv:
            raise UsageError(f"--csv and --plot are the same file, '{options.plot}': name two files")
    level = read_level(options.puzzle, options.level, options.obstacles)
    how = chosen(options, "heuristic", "seeds", "objective", "workers", "scheduler")
    named = chosen(options, "algorithms", "planners")
    how |= {name: None if words is None else _names(name, words) for name, words in named.items()}
    how["limits"], title = limits_of(options, each=True), f"{options.puzzle}: {os.path.basename(options.level)}"
    given = (options.memory_limit, options.cpu_limit, options.time_limit) != (None, None, DEFAULT_TIME_LIMIT)
    return CompareRequest.of(options, level=level, title=title, how=how, plot_apart=given)


def present_compare(asked: CompareRequest, outcome: RowsSoFar, view: View) -> Answer:
    """Return the answer with the rows of all finished runs, and write the table and the plot to their files."""
    code, complaint = ended_early(outcome.ended_by, "runs that were not made are not in the table")
    rows = settle(outcome.rows)
    least = NO if any(row.refuted_by for row in rows) else min(OF_STATUS[row.status] for row in rows)
    answer = Answer(least, rows, comparing.comparison_table(rows), "\n".join([] if view.quiet else _unfit(asked)))
    answer.complain(complaint)
    said: dict[str, list[str]] = {}
    for row in (row for row in rows if row.message):
        said.setdefault(row.message if row.condition else f"{row.status}: {row.message}", []).append(row.algorithm)
    for sentence, names in said.items():
        answer.complain(f"unpuzzle: {', '.join(names)}: {sentence}")
    if asked.level.puzzle.endswith(PDDL):
        answer.warn(of_level(asked.level, doubtful=False))
    if asked.plot is not None:
        save_beside(answer, asked.plot, lambda: _plot(rows, asked))
    if asked.csv is not None:
        save_beside(answer, asked.csv, lambda: comparing.comparison_csv(rows))
    answer.code = answer.code if code is None else code
    return answer


def _names(option: str, words: Iterable[str]) -> list[str]:
    """Return the names in the words of a command line; commas separate several names in one word."""
    text, depth = "", 0
    for char in ",".join(words):
        depth += (char in "([") - (char in ")]")
        text += "\0" if char == "," and depth == 0 else char  # not those in brackets: `lazy(ff(), preferred=[ff()])`
    if not (names := [part.strip() for part in text.split("\0") if part.strip()]):
        raise UsageError(f"--{option} needs at least one name")
    return names


def _unfit(asked: CompareRequest) -> list[str]:
    """Return sentences about the algorithms that are left out when all are requested: which, and why."""
    how, by_reason = asked.how, dict[str, list[str]]()
    if how["algorithms"] is None and how["planners"] is None:
        for name, reason in comparing.fitting(asked.position, how["heuristic"], how["objective"])[1].items():
            by_reason.setdefault(reason, []).append(name)
    return [f"unpuzzle: left out: {', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _plot(rows: Sequence[comparing.ComparisonRow], asked: CompareRequest) -> bytes:
    """Return the plot as bytes; if `plot_apart`, draw it in a separate process with the limits of a single run."""
    parts = rows, asked.title, report_figures.format_of(asked.plot or "")
    if not asked.plot_apart:
        return report_figures.plot(*parts)
    with Run(asked.how["limits"], "drawing the plot"):
        return bytes(call_as_program(report_figures.__name__, report_figures.plot.__name__, parts, current().phase))


# The command `experiment`.


def arguments_experiment(parser: ArgumentParser) -> None:
    cli.operand(parser, "WHAT", WHAT, nargs="+")
    option(parser, "--planners NAME", PLANNERS, nargs="+", required=True)
    about = f"the folder of the runs, which go to {RUNS_FILE} there: an old one, or a new one whose name ends with "
    about += f"{os.sep}; any other name is a file, such as mine.jsonl; runs that it has are not made again, "
    option(parser, "-o --output DIR", f"{about}except errors; default: {RUNS_FILE} here", default=RUNS_FILE)
    option(parser, "--repeat N", "runs of each planner on each task; default: 1", whole(), default=1)
    option(parser, "--levels LEVEL", "only these levels of the puzzles, and these tasks", nargs="+")
    option(parser, "--generate NAME=VALUE", GENERATE, nargs="+")
    about = "given or random; random spreads disturbances of the machine over all planners; default: given"
    option(parser, "--order ORDER", about, default=ORDERS[0])
    about = "seed of the order, and of the first run of planners that have a seed"
    option(parser, "--seed S", about, cli.seed, default=0)
    cli.add_objective(parser)
    about = "make planners that can do so find better and better plans, and record each with its time"
    flag(parser, "--anytime", about)
    about = "make runs in copies of a process that has loaded everything, whose start does not count; by default "
    flag(parser, "--warm", f"{about}each run is a new process, and its start counts")
    about = "the default is 1, since runs at the same time disturb each other"
    cli.add_limits_of_each(parser, "run", DEFAULT_TIME_LIMIT, f"runs at a time; {about}")
    option(parser, "--csv FILE", "also write the table into this file")


class ExperimentRequest(Input):
    """A request to run planners on tasks and levels."""

    what: Sequence[str]
    how: Mapping[str, Any]
    output: str
    folder: str | None = None
    unclear: bool = False
    """Whether the output is a new file without an ending, which may have been meant as a folder."""
    levels: Sequence[str] | None = None
    making: Mapping[str, Any] | None = None
    csv: str | None = None

    limits_of_each = True

    def call(self, show: Show = None) -> ExperimentOutcome:
        """Make all runs that are still missing; after an interruption, the finished runs are already saved."""
        from unpuzzle.experiments.experimenting import experiment  # which loads all that may be compared

        subjects = subjects_of(self.what, levels=self.levels, making=self.making)
        if self.folder is not None:
            os.makedirs(self.folder, exist_ok=True)
        runs: list[ExperimentRun] = []
        with RowsSoFar() as so_far:

            def tell(progress: ExperimentProgress) -> None:
                so_far.rows[:] = [progress]
                if show is not None:
                    show(_sentence(progress))

            runs = [*experiment(subjects, output=self.output, on_run=runs.append, progress=tell, **self.how)]
        return ExperimentOutcome(runs, so_far.rows[0], self.output, so_far.ended_by)


class ExperimentOutcome(Record):
    """The finished runs, the progress, the file with the runs, and the error that ended the experiment early."""

    runs: Sequence[ExperimentRun]
    progress: Any
    output: str
    ended_by: BaseException | None = None

    @property
    def complete(self) -> bool:
        """Whether all runs are in the file."""
        return bool(self.progress.made == self.progress.all)

    def to_dict(self) -> dict[str, Any]:
        ending = None if self.ended_by is None else of_error(self.ended_by)
        status = ending[1] if ending else "complete" if self.complete else "cancelled"
        counts = {name: getattr(self.progress, name) for name in ("made", "all", "solved", "others")}
        return {"status": status, "output": self.output, **counts, "runs": [run.to_dict() for run in self.runs]}


def read_experiment(options: Namespace) -> ExperimentRequest:
    """Read the planners and the subjects; the files of the tasks are read when they are needed."""
    making = None if options.generate is None else _making(options.generate)
    if making is not None and options.levels is not None:
        raise UsageError("--levels names the levels of a puzzle, --generate makes new ones: use one of the two")
    how = chosen(options, "planners", "repeat", "order", "seed", "objective", "anytime", "warm", "workers", "scheduler")
    how["limits"], output, folder = limits_of(options, each=True), options.output, None
    if output.endswith(os.sep) or os.path.isdir(output):
        folder, output = output, os.path.join(output, RUNS_FILE)
    unclear = not os.path.splitext(output)[1] and not os.path.lexists(output)
    return ExperimentRequest.of(options, how=how, making=making, output=output, folder=folder, unclear=unclear)


def present_experiment(asked: ExperimentRequest, outcome: ExperimentOutcome, view: View) -> Answer:
    """Return the answer with the finished runs, and write the file with the table."""
    runs, progress = outcome.runs, outcome.progress
    code, complaint = ended_early(outcome.ended_by, "the same command continues where this one ended")
    if code is None:
        broken = outcome.complete and runs and all(run.status == ERROR for run in runs)
        code = BROKEN if broken else YES if outcome.complete else NO_ANSWER
    text = comparing.runs_table(runs) if runs and not view.quiet else ""
    summary = f"{progress.made:,} of {count(progress.all, 'run')} in {outcome.output}, {progress.solved:,} solved"
    answer = Answer(code, outcome, f"{text}\n\n{summary}".strip())
    if asked.unclear:
        folder = f"to make a folder {outcome.output} with {RUNS_FILE} in it, write -o {outcome.output}{os.sep}"
        answer.complain(f"unpuzzle: the runs are in a new file named {outcome.output}, without an ending; {folder}")
    if progress.others:
        stay = f"{'is' if progress.others == 1 else 'are'} in {outcome.output}, but not in the table"
        why = "with another version, other limits or another kind of process"
        answer.complain(f"unpuzzle: {count(progress.others, 'run')} of these tasks and planners, {why}, {stay}")
    answer.complain(complaint)
    for run in (run for run in runs if run.valid is False or run.refuted_by):
        answer.complain(f"unpuzzle: {run.domain} {run.task}: {run.planner}: {run.message}")
    broken_runs = Counter((run.planner, run.status, run.message) for run in runs if run.status in (ERROR, UNSUPPORTED))
    for (planner, status, message), number in broken_runs.most_common(MOST_REASONS):
        answer.complain(f"unpuzzle: {planner}: {status} in {count(number, 'run')}: {message}")
    if asked.csv is not None:
        save_beside(answer, asked.csv, lambda: comparing.runs_csv(runs))
    return answer


def _making(words: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of `generate` from words such as `count=20`."""
    values: dict[str, Any] = dict(word.partition("=")[::2] for word in words)
    if wrong := [word for word in words if not word.partition("=")[2]]:
        raise UsageError(f"--generate takes NAME=VALUE, such as count=20, not '{wrong[0]}'")
    making: dict[str, Any] = {"options": values}
    for name, read in (("count", whole()), ("seed", cli.seed), ("moves", cli.moves_between)):
        if (text := values.pop(name, None)) is not None:
            try:
                making[name] = read(text)
            except ArgumentTypeError as error:
                raise UsageError(f"--generate {name}={text}: {error}") from None
    return making


def _sentence(progress: ExperimentProgress) -> str:
    left, seconds = "", progress.seconds_left
    if seconds is not None:
        time = f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"
        left = f", about {f'{seconds:.0f} s' if seconds < 100 else time} left"
    return f"{progress.made:,} of {count(progress.all, 'run')}, {progress.solved:,} solved{left}"


# The command `report`.


def arguments_report(parser: ArgumentParser) -> None:
    about = f"files of runs from `unpuzzle experiment`, folders with {RUNS_FILE}, or `properties` files of Downward Lab"
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


def read_report(options: Namespace) -> ReportRequest:
    """Read the runs to report on."""
    paths = [os.path.join(path, RUNS_FILE) if os.path.isdir(path) else path for path in options.runs]
    if options.output is not None and options.output == options.properties:
        raise UsageError(f"--output and --properties are the same file, '{options.output}': name two files")
    if options.output is not None or options.figures is not None:
        require("plots", "plots of reports need", "matplotlib")
    attributes = _attributes(options.attribute or ())
    runs: dict[str, Sequence[ExperimentRun]] = {path: reading.read_experiment(path) for path in paths}
    if attributes:
        logs = Logs.beside(runs)
        runs = {path: [attributes_in(run, logs.text(run), attributes) for run in those] for path, those in runs.items()}
    old = [run for path in options.compare or () for run in reading.read_experiment(path)]
    title = options.title or os.path.splitext(os.path.basename(paths[0]))[0]
    return ReportRequest.of(options, runs=runs, old=old, title=title)


def _attributes(words: Sequence[str]) -> dict[str, str]:
    """Return the regular expression of each attribute, by the name of the attribute."""
    pairs = {name: expression for name, _, expression in (word.partition("=") for word in words)}
    for name, expression in pairs.items():
        if not expression or not name.isidentifier() or name in RESERVED:
            raise UsageError(f"--attribute takes NAME=REGEX with a new name, such as memo='hits: (.*)', not '{name}'")
    return pairs


def present_report(asked: ReportRequest, outcome: ExperimentReport, view: View) -> Answer:
    """Return the answer with the figures on the runs, and write the requested files."""
    page, plots, properties = {}, {}, {}
    if asked.output is not None:
        page[asked.output] = report_page(outcome, logs=Logs.beside(asked.runs), theme=asked.theme)
    if asked.figures is not None:
        plots = {os.path.join(asked.figures, name): text for name, text in figure_files(outcome).items()}
    if asked.properties is not None:
        properties[asked.properties] = reading.properties_of(outcome.grid.runs, names_of(outcome.grid))
    save_into(asked.figures or os.curdir, plots, others=page | properties)
    worse = outcome.changes is not None and outcome.changes.is_worse
    answer = Answer(NO if outcome.is_faulty or worse else YES, outcome, report_text(outcome, view.quiet))
    answer.fields["files"] = [*page, *plots, *properties]
    certain = [f"{fault.domain} {fault.task}: {fault.text}" for fault in outcome.faults if fault.kind in CERTAIN]
    more = [f"and {count(len(certain) - MOST_FAULTS, 'fault')} more"] if len(certain) > MOST_FAULTS else []
    for sentence in certain[:MOST_FAULTS] + more:
        answer.complain(f"unpuzzle: {sentence}")
    return answer
