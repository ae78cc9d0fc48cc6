"""The command `unpuzzle experiment WHAT ... --planners NAME ...`: run planners on levels, and record the runs."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Mapping, Sequence

from unpuzzle.base.defaults import ORDERS
from unpuzzle.base.defaults import RUNS_FILE as RUNS
from unpuzzle.base.errors import BROKEN, ERROR, NO_ANSWER, UNSUPPORTED, YES, UsageError, of_error
from unpuzzle.base.text import count
from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.files import save_beside
from unpuzzle.cli.parser import (
    add_limits_of_each,
    add_objective,
    chosen,
    flag,
    limits_of,
    moves_between,
    operand,
    option,
    seed,
    whole,
)
from unpuzzle.cli.verdicts import ended_early
from unpuzzle.lab.runs import ExperimentRun, Runs
from unpuzzle.lab.subjects import subjects_of
from unpuzzle.lab.tables import runs_csv, runs_table
from unpuzzle.workspace.inputs import Input, RowsSoFar, Show

if TYPE_CHECKING:
    from unpuzzle.lab.experimenting import ExperimentProgress

EXAMPLE = """unpuzzle experiment boxup --planners native lama=fast-downward:lama -o runs.jsonl --repeat 3
  unpuzzle experiment ipc/ --planners native up:symk 'command:./plan.py {domain} {problem}' --cpu-limit 60"""
WHAT = "folders with PDDL, and the folders in them; PDDL files; puzzles, with all their levels"
PLANNERS = "see `unpuzzle list`; LABEL=NAME gives a label for tables; {seed} in a name is the seed of the run"
GENERATE = """random levels of the puzzles, instead of their own: count=20 seed=1 moves=10.. and what `unpuzzle generate
PUZZLE --help` shows as options of the puzzle, such as size=4x4"""
DEFAULT_TIME_LIMIT = 60.0
MOST_REASONS = 5
"""The most reasons of failed runs that are shown."""


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "WHAT", WHAT, nargs="+")
    option(parser, "--planners NAME", PLANNERS, nargs="+", required=True)
    about = f"the folder of the runs, which go to {RUNS} there: an old one, or a new one whose name ends with "
    about += f"{os.sep}; any other name is a file, such as mine.jsonl; runs that it has are not made again, "
    option(parser, "-o --output DIR", f"{about}except errors; default: {RUNS} here", default=RUNS)
    option(parser, "--repeat N", "runs of each planner on each task; default: 1", whole(), default=1)
    option(parser, "--levels LEVEL", "only these levels of the puzzles, and these tasks", nargs="+")
    option(parser, "--generate NAME=VALUE", GENERATE, nargs="+")
    about = "given or random; random spreads disturbances of the machine over all planners; default: given"
    option(parser, "--order ORDER", about, default=ORDERS[0])
    option(parser, "--seed S", "seed of the order, and of the first run of planners that have a seed", seed, default=0)
    add_objective(parser)
    about = "make planners that can do so find better and better plans, and record each with its time"
    flag(parser, "--anytime", about)
    about = (
        "make runs in copies of a process that has loaded everything, whose start does not count; by default each run "
    )
    flag(parser, "--warm", f"{about}is a new process, of which all counts")
    about = "the default is 1, since runs at the same time disturb each other"
    add_limits_of_each(parser, "run", DEFAULT_TIME_LIMIT, f"runs at a time; {about}")
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
        from unpuzzle.lab.experimenting import experiment  # which loads all that may be compared

        subjects = subjects_of(self.what, levels=self.levels, making=self.making)
        if self.folder is not None:
            os.makedirs(self.folder, exist_ok=True)
        runs: list[ExperimentRun] = []
        with RowsSoFar() as so_far:

            def tell(progress: ExperimentProgress) -> None:
                so_far.rows[:] = [progress]
                if show is not None:
                    show(_sentence(progress))

            made = experiment(subjects, output=self.output, on_run=runs.append, progress=tell, **self.how)
            return ExperimentOutcome(made, so_far.rows[0], self.output)
        return ExperimentOutcome(Runs(runs), so_far.rows[0], self.output, so_far.ended_by)


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


def read(options: Namespace) -> ExperimentRequest:
    """Read the planners and the subjects; the files of the tasks are read when they are needed."""
    making = None if options.generate is None else _making(options.generate)
    if making is not None and options.levels is not None:
        raise UsageError("--levels names the levels of a puzzle, --generate makes new ones: use one of the two")
    how = chosen(options, "planners", "repeat", "order", "seed", "objective", "anytime", "warm", "workers", "scheduler")
    how["limits"], output, folder = limits_of(options, each=True), options.output, None
    if output.endswith(os.sep) or os.path.isdir(output):
        folder, output = output, os.path.join(output, RUNS)
    unclear = not os.path.splitext(output)[1] and not os.path.lexists(output)
    return ExperimentRequest.of(options, how=how, making=making, output=output, folder=folder, unclear=unclear)


def present(asked: ExperimentRequest, outcome: ExperimentOutcome, view: View) -> Answer:
    """Return the answer with the finished runs, and write the file with the table."""
    runs, progress = outcome.runs, outcome.progress
    code, complaint = ended_early(outcome.ended_by, "the same command continues where this one ended")
    if code is None:
        broken = outcome.complete and runs and all(run.status == ERROR for run in runs)
        code = BROKEN if broken else YES if outcome.complete else NO_ANSWER
    text = runs_table(runs) if runs and not view.quiet else ""
    summary = f"{progress.made:,} of {count(progress.all, 'run')} in {outcome.output}, {progress.solved:,} solved"
    answer = Answer(code, outcome, f"{text}\n\n{summary}".strip())
    if asked.unclear:
        folder = f"to make a folder {outcome.output} with {RUNS} in it, write -o {outcome.output}{os.sep}"
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
        save_beside(answer, asked.csv, lambda: runs_csv(runs))
    return answer


def _making(words: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of `generate` from words such as `count=20`."""
    values = dict(word.partition("=")[::2] for word in words)
    if wrong := [word for word in words if not word.partition("=")[2]]:
        raise UsageError(f"--generate takes NAME=VALUE, such as count=20, not '{wrong[0]}'")
    readers = {"count": whole(), "seed": seed}
    making = {name: _number(read, name, values.pop(name)) for name, read in readers.items() if name in values}
    if "moves" in values:
        making["moves"] = moves_between(values.pop("moves"))
    return {**making, "options": values}


def _number(read: Any, name: str, text: str) -> Any:
    try:
        return read(text)
    except ArgumentTypeError as error:
        raise UsageError(f"--generate {name}={text}: {name} {error}") from None


def _sentence(progress: ExperimentProgress) -> str:
    left = "" if progress.seconds_left is None else f", about {_duration(progress.seconds_left)} left"
    return f"{progress.made:,} of {count(progress.all, 'run')}, {progress.solved:,} solved{left}"


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"
