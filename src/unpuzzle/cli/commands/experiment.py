"""unpuzzle experiment WHAT ... --planners NAME ..."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from typing import Any

from unpuzzle.cli.answer import BROKEN, INTERRUPTED, NO_ANSWER, YES, Answer, of_error
from unpuzzle.cli.edge.delivery import ProgressLine
from unpuzzle.cli.files import save_beside
from unpuzzle.cli.numbers import moves_between, seed, whole
from unpuzzle.cli.parser import add_limits_of_each, add_objective, flag, limits_of, operand, option
from unpuzzle.defaults import ORDERS
from unpuzzle.defaults import RUNS_FILE as RUNS
from unpuzzle.errors import UsageError, WorkersFailed
from unpuzzle.lab.runs import ExperimentRun, Runs
from unpuzzle.lab.subjects import Subject, subjects_of
from unpuzzle.lab.tables import runs_csv, runs_table
from unpuzzle.result import ERROR
from unpuzzle.type_hints import TYPE_CHECKING
from unpuzzle.words import count

if TYPE_CHECKING:
    from unpuzzle.lab.experimenting import ExperimentProgress

EXAMPLE = """unpuzzle experiment boxup --planners native lama=fast-downward:lama -o runs.jsonl --repeat 3
  unpuzzle experiment ipc/ --planners native up:symk 'command:./plan.py {domain} {problem}' --cpu-limit 60"""
WHAT = "folders with PDDL, and the folders in them; PDDL files; puzzles, with all their levels"
PLANNERS = "see `unpuzzle list`; LABEL=NAME gives a label for tables; {seed} in a name is the seed of the run"
GENERATE = """random levels of the puzzles, instead of their own: count=20 seed=1 moves=10.. and what `unpuzzle generate
PUZZLE --help` shows as options of the puzzle, such as size=4x4"""
DEFAULT_TIME_LIMIT = 60.0


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "WHAT", WHAT, nargs="+")
    option(parser, "--planners NAME", PLANNERS, nargs="+", required=True)
    about = f"the folder of the runs, DIR/, which go to {RUNS} there, or a file; runs that it has are not made again, "
    option(parser, "-o --output DIR", f"{about}except errors; default: {RUNS} here", default=RUNS)
    option(parser, "--repeat N", "runs of each planner on each task; default: 1", whole(), default=1)
    option(parser, "--levels LEVEL", "only these levels of the puzzles", nargs="+")
    option(parser, "--generate NAME=VALUE", GENERATE, nargs="+")
    about = "given or random; random spreads what disturbs the machine over all planners; default: given"
    option(parser, "--order ORDER", about, default=ORDERS[0])
    option(parser, "--seed S", "seed of the order, and of the first run of planners that have a seed", seed, default=0)
    add_objective(parser)
    flag(
        parser, "--anytime", "ask planners for ever better plans, where they can find them, and keep each with its time"
    )
    about = "the default is 1, since runs at the same time disturb each other"
    add_limits_of_each(parser, "run", DEFAULT_TIME_LIMIT, f"runs at a time; {about}")
    option(parser, "--csv FILE", "also write the table into this file")


def execute(options: Namespace) -> Answer:
    """Make all missing runs; if interrupted, answer with the runs so far."""
    from unpuzzle.lab.experimenting import experiment  # which loads all that may be compared

    subjects = _subjects(options)
    if options.output.endswith(os.sep) or os.path.isdir(options.output):
        os.makedirs(options.output, exist_ok=True)
        options.output = os.path.join(options.output, RUNS)
    runs: list[ExperimentRun] = []
    last: list[ExperimentProgress] = []
    ending, why = None, ""
    try:
        with ProgressLine(options) as show:

            def tell(progress: ExperimentProgress) -> None:
                last[:] = [progress]
                if show is not None:
                    show(_sentence(progress))

            table = experiment(
                subjects, options.planners, limits=limits_of(options), repeat=options.repeat, output=options.output,
                workers=options.workers, scheduler=options.scheduler, order=options.order, seed=options.seed,
                objective=options.objective, anytime=options.anytime, on_run=runs.append, progress=tell,
            )  # fmt: skip
    except (KeyboardInterrupt, WorkersFailed) as error:
        if not last:
            raise
        ending, why, table = of_error(error), str(error), Runs(runs)
    return _answer(table, last[0], options, ending, why)


def _subjects(options: Namespace) -> list[Subject]:
    making = None if options.generate is None else _making(options.generate)
    if making is not None and options.levels is not None:
        raise UsageError("--levels names the levels of a puzzle, --generate makes new ones: use one of the two")
    return subjects_of(options.what, levels=options.levels, making=making)


def _making(words: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of `generate` from words such as `count=20`."""
    values = dict(word.partition("=")[::2] for word in words)
    if wrong := [word for word in words if not word.partition("=")[2]]:
        raise UsageError(f"--generate takes NAME=VALUE, such as count=20, not '{wrong[0]}'")
    making: dict[str, Any] = {}
    if "count" in values:
        making["count"] = _number(whole(), "count", values.pop("count"))
    if "seed" in values:
        making["seed"] = _number(seed, "seed", values.pop("seed"))
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


def _answer(
    table: Sequence[ExperimentRun],
    progress: ExperimentProgress,
    options: Namespace,
    ending: tuple[int, str] | None,
    why: str,
) -> Answer:
    whole_table = progress.made == progress.all
    code = ending[0] if ending else YES if whole_table else NO_ANSWER
    if code == YES and table and all(run.status == ERROR for run in table):
        code = BROKEN
    text = runs_table(table) if table and not options.quiet else ""
    summary = f"{progress.made:,} of {count(progress.all, 'run')} in {options.output}, {progress.solved:,} solved"
    answer = Answer(code, _fields(table, progress, options, ending), f"{text}\n\n{summary}".strip())
    if progress.others:
        answer.complain(
            f"unpuzzle: {count(progress.others, 'run')} of these tasks and planners, with another version or other "
            f"limits, {'stays' if progress.others == 1 else 'stay'} in {options.output} and out of the table"
        )
    if ending:
        told = "interrupted" if ending[0] >= INTERRUPTED else why
        answer.complain(f"unpuzzle: {told}: the same command goes on where this one ended")
    for run in (run for run in table if run.valid is False or run.refuted_by):
        answer.complain(f"unpuzzle: {run.domain} {run.task}: {run.planner}: {run.message}")
    if options.csv is not None:
        save_beside(answer, options.csv, lambda: runs_csv(table))
    return answer


def _fields(
    table: Sequence[ExperimentRun], progress: ExperimentProgress, options: Namespace, ending: tuple[int, str] | None
) -> Mapping[str, Any]:
    status = ending[1] if ending else "complete" if progress.made == progress.all else "cancelled"
    counts = {"made": progress.made, "all": progress.all, "solved": progress.solved, "others": progress.others}
    return {"status": status, "output": options.output, **counts, "runs": [run.to_dict() for run in table]}
