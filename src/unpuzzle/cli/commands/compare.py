"""unpuzzle compare PUZZLE LEVEL."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from os.path import basename

from unpuzzle.cli.answer import INTERRUPTED, NO, OF_STATUS, Answer, of_error
from unpuzzle.cli.edge.delivery import ProgressLine
from unpuzzle.cli.files import read_level, save_beside
from unpuzzle.cli.numbers import whole
from unpuzzle.cli.oddities import of_level
from unpuzzle.cli.parser import add_level, add_limits_of_each, add_objective, limits_of, option
from unpuzzle.defaults import SEEDS as DEFAULT_SEEDS
from unpuzzle.errors import UsageError, WorkersFailed
from unpuzzle.lab import plotting
from unpuzzle.lab.claims import settle
from unpuzzle.lab.comparing import ComparisonRow, compare, fitting
from unpuzzle.lab.tables import comparison_csv, comparison_table
from unpuzzle.planners.external.elsewhere import elsewhere
from unpuzzle.puzzle.position import Position
from unpuzzle.run import Run, current

EXAMPLE = """unpuzzle compare pacman loops --algorithms bfs astar greedy mouse --planners native --plot loops.png
  unpuzzle compare sokoban 2 --algorithms ucs --planners reference --objective pushes,moves"""
DEFAULT_TIME_LIMIT = 60.0


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    about = "algorithms on the rules, such as bfs astar wastar=3 'astar(misplaced)', separated by blanks or commas; "
    about += "default: all that fit, unless there are --planners"
    option(parser, "--algorithms NAME", about, nargs="+")
    option(parser, "--planners NAME", "planners on the PDDL; see `unpuzzle list`", nargs="+")
    option(parser, "--heuristic NAME", "heuristic of the algorithms that name none")
    option(
        parser, "--seeds N", f"runs of each random algorithm; default: {DEFAULT_SEEDS}", whole(), default=DEFAULT_SEEDS
    )
    add_objective(parser)
    about = "algorithms and planners at a time, each in a process of its own; default: 1"
    add_limits_of_each(parser, "run", DEFAULT_TIME_LIMIT, about)
    option(parser, "-o --output --csv FILE", "also write the table into this file, as CSV", dest="csv")
    option(parser, "--plot FILE", "plot the states expanded against the cost: .png, .svg or .pdf")


def execute(options: Namespace) -> Answer:
    """Run all algorithms and planners; if interrupted, answer with the rows so far."""
    if options.plot is not None:
        plotting.format_of(options.plot)  # refused before any work
        if options.plot == options.csv:
            raise UsageError(f"--csv and --plot are the same file, '{options.plot}'")
    position = read_level(options.puzzle, options.level, options)
    rows: list[ComparisonRow] = []
    code, complaints = None, _unfit(position, options)
    algorithms, planners = (_names(f"--{name}", getattr(options, name)) for name in ("algorithms", "planners"))
    try:
        with ProgressLine(options) as show:
            compare(
                position, algorithms, planners=planners, heuristic=options.heuristic, seeds=options.seeds,
                objective=options.objective, limits=limits_of(options), on_row=rows.append, progress=show,
                workers=options.workers, scheduler=options.scheduler,
            )  # fmt: skip
    except (KeyboardInterrupt, WorkersFailed) as error:
        if not rows:
            raise
        code, _ = of_error(error) or (INTERRUPTED, "")
        complaints.append(f"unpuzzle: {str(error) or 'interrupted'}: what has not run is not in the table")
    rows = settle(rows)
    said: dict[str, list[str]] = {}
    for row in (row for row in rows if row.message):
        said.setdefault(row.message if row.condition else f"{row.status}: {row.message}", []).append(row.algorithm)
    complaints += [f"unpuzzle: {', '.join(names)}: {sentence}" for sentence, names in said.items()]
    least = NO if any(row.refuted_by for row in rows) else min(OF_STATUS[row.status] for row in rows)
    answer = Answer(least, rows, comparison_table(rows), "\n".join(complaints))
    if options.puzzle.endswith(".pddl"):
        answer.warn(of_level(options, doubtful=False))
    if options.plot is not None:
        save_beside(answer, options.plot, lambda: _plot(rows, options))
    if options.csv is not None:
        save_beside(answer, options.csv, lambda: comparison_csv(rows))
    answer.code = answer.code if code is None else code
    return answer


def _names(option: str, words: Iterable[str] | None) -> list[str] | None:
    """Return the names in words that may hold several, separated by commas."""
    if words is None:
        return None
    parts, depth = [""], 0
    for char in ",".join(words):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:  # not those in brackets: `lazy(ff(), preferred=[ff()])`
            parts.append("")
        else:
            parts[-1] += char
    names = [part.strip() for part in parts if part.strip()]
    if not names:
        raise UsageError(f"{option} needs at least one name")
    return names


def _unfit(position: Position, options: Namespace) -> list[str]:
    """Return sentences on the algorithms that are left out when all were asked for, and why."""
    if options.quiet or options.algorithms is not None or options.planners is not None:
        return []
    by_reason: dict[str, list[str]] = {}
    for name, reason in fitting(position, options.heuristic, options.objective)[1].items():
        by_reason.setdefault(reason, []).append(name)
    return [f"unpuzzle: left out: {', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _plot(rows: Sequence[ComparisonRow], options: Namespace) -> bytes:
    """Draw the plot; if limits were given, which are for one run each, in a process with the same limits."""
    parts = rows, f"{options.puzzle}: {basename(options.level)}", plotting.format_of(options.plot)
    if (options.memory_limit, options.cpu_limit, options.time_limit) == (None, None, DEFAULT_TIME_LIMIT):
        return plotting.plot(*parts)
    with Run(limits_of(options), "drawing the plot"):
        return bytes(elsewhere(plotting.__name__, plotting.plot.__name__, parts, current().phase))
