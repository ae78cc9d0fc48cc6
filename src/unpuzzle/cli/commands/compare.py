"""The command `unpuzzle compare PUZZLE LEVEL`: compare planners on a level."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from os.path import basename

from unpuzzle.base.defaults import SEEDS as DEFAULT_SEEDS
from unpuzzle.base.errors import NO, OF_STATUS, UsageError
from unpuzzle.base.run import Run, current
from unpuzzle.base.type_hints import Any
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.files import read_level, save_beside
from unpuzzle.cli.lint_warnings import of_level
from unpuzzle.cli.parser import add_level, add_limits_of_each, add_objective, chosen, limits_of, option, whole
from unpuzzle.cli.verdicts import ended_early
from unpuzzle.lab.comparing import ComparisonRow, compare, fitting
from unpuzzle.lab.runs import settle
from unpuzzle.lab.tables import comparison_csv, comparison_table
from unpuzzle.processes.program import call_as_program
from unpuzzle.rendering import report_figures
from unpuzzle.workspace.inputs import LevelInput, RowsSoFar, Show

EXAMPLE = """unpuzzle compare pacman loops --algorithms bfs astar greedy mouse --planners native --plot loops.png
  unpuzzle compare sokoban 2 --algorithms ucs --planners reference --objective pushes,moves"""
DEFAULT_TIME_LIMIT = 60.0
PDDL = ".pddl"


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
    about = "algorithms and planners at a time, each in a separate process; default: 1"
    add_limits_of_each(parser, "run", DEFAULT_TIME_LIMIT, about)
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
        running = ""

        def tell(sentence: str) -> None:
            nonlocal running
            running = sentence
            if show is not None:
                show(sentence)

        with RowsSoFar() as so_far:
            try:
                compare(self.position, on_row=so_far.rows.append, progress=tell, **self.how)
            except KeyboardInterrupt as error:
                if running and not so_far.rows and not error.args:
                    raise type(error)(f"no run has ended; {running} was running") from error
                raise
        return so_far


def read(options: Namespace) -> CompareRequest:
    """Read the level to be solved, and the names of algorithms and planners."""
    if options.plot is not None:
        report_figures.format_of(options.plot)  # refused before any work
        if options.plot == options.csv:
            raise UsageError(f"--csv and --plot are the same file, '{options.plot}'")
    level = read_level(options.puzzle, options.level, options.obstacles)
    how = chosen(options, "heuristic", "seeds", "objective", "workers", "scheduler")
    how |= {name: _names(name, words) for name, words in chosen(options, "algorithms", "planners").items()}
    how |= {"limits": limits_of(options, each=True)}
    title = f"{options.puzzle}: {basename(options.level)}"
    given = (options.memory_limit, options.cpu_limit, options.time_limit) != (None, None, DEFAULT_TIME_LIMIT)
    return CompareRequest.of(options, level=level, title=title, how=how, plot_apart=given)


def present(asked: CompareRequest, outcome: RowsSoFar, view: View) -> Answer:
    """Return the answer with the rows of all finished runs, and write the table and the plot to their files."""
    code, complaint = ended_early(outcome.ended_by, "runs that were not made are not in the table")
    rows = settle(outcome.rows)
    least = NO if any(row.refuted_by for row in rows) else min(OF_STATUS[row.status] for row in rows)
    answer = Answer(least, rows, comparison_table(rows), "\n".join([] if view.quiet else _unfit(asked)))
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
        save_beside(answer, asked.csv, lambda: comparison_csv(rows))
    answer.code = answer.code if code is None else code
    return answer


def _names(option: str, words: Iterable[str] | None) -> list[str] | None:
    """Return the names in the given words; commas separate several names in one word."""
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
        raise UsageError(f"--{option} needs at least one name")
    return names


def _unfit(asked: CompareRequest) -> list[str]:
    """Return sentences that say which algorithms are left out when all are requested, and why."""
    how = asked.how
    if how["algorithms"] is not None or how["planners"] is not None:
        return []
    by_reason: dict[str, list[str]] = {}
    for name, reason in fitting(asked.level.position, how["heuristic"], how["objective"])[1].items():
        by_reason.setdefault(reason, []).append(name)
    return [f"unpuzzle: left out: {', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _plot(rows: Sequence[ComparisonRow], asked: CompareRequest) -> bytes:
    """Return the plot as bytes; if `plot_apart`, draw it in a separate process with the limits of a single run."""
    parts = rows, asked.title, report_figures.format_of(asked.plot or "")
    if not asked.plot_apart:
        return report_figures.plot(*parts)
    with Run(asked.how["limits"], "drawing the plot"):
        return bytes(call_as_program(report_figures.__name__, report_figures.plot.__name__, parts, current().phase))
