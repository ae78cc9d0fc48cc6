"""unpuzzle compare PUZZLE LEVEL."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from os.path import basename

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.files import read_level, save
from unpuzzle.cli.numbers import whole
from unpuzzle.cli.parser import add_level, add_limits_of_each, limits_of, option
from unpuzzle.cli.progress import ProgressLine
from unpuzzle.errors import LimitReached, UsageError
from unpuzzle.lab import plotting
from unpuzzle.lab.comparing import DEFAULT_SEEDS, ComparisonRow, compare, fitting
from unpuzzle.lab.tables import comparison_csv, comparison_table
from unpuzzle.limits import Deadline
from unpuzzle.puzzle.position import Position

EXAMPLE = "unpuzzle compare pacman loops --algorithms bfs astar greedy mouse --planners native --plot loops.png"
DEFAULT_TIME_LIMIT = 60.0


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    about = "on the rules, such as bfs astar wastar=3 'astar(misplaced)', separated by blanks or commas; "
    about += "default: all that fit, unless there are --planners"
    option(parser, "--algorithms NAME", about, nargs="+")
    option(parser, "--planners NAME", "on the PDDL; see `unpuzzle list`", nargs="+")
    option(parser, "--heuristic NAME", "of the algorithms that name none")
    option(parser, "--seeds N", f"runs of each random one; default: {DEFAULT_SEEDS}", whole(), default=DEFAULT_SEEDS)
    add_limits_of_each(parser, "run", DEFAULT_TIME_LIMIT)
    option(parser, "--csv FILE", "write the table there, too")
    option(parser, "--plot FILE", "draw expanded against cost there: .png, .svg or .pdf")


def execute(options: Namespace) -> Answer:
    """Run all of them; interrupted, answer with the rows that there are."""
    if options.plot is not None:
        plotting.format_of(options.plot)  # refused now, not after all has run
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
                limits=limits_of(options), on_row=rows.append, progress=show,
            )  # fmt: skip
    except KeyboardInterrupt as error:
        if not rows:
            raise
        code = exits.interrupted(error)
        complaints.append("unpuzzle: interrupted: what has not run is not in the table")
    complaints += [f"unpuzzle: {row.algorithm}: {row.status}: {row.message}" for row in rows if row.message]
    failures = _save(rows, options)
    if code is None:
        code = min(failures.values() if failures else [exits.OF_STATUS[row.status] for row in rows])
    return Answer(code, rows, comparison_table(rows), "\n".join([*complaints, *failures]))


def _names(option: str, words: Iterable[str] | None) -> list[str] | None:
    """Return the names in words that may hold several, separated by commas."""
    if words is None:
        return None
    names = [name for word in words for name in _split(word) if name]
    if not names:
        raise UsageError(f"{option} needs at least one name")
    return names


def _split(word: str) -> list[str]:
    """Return the parts of a word between its commas, except for those in brackets: `lazy(ff(), preferred=[ff()])`."""
    parts, depth = [""], 0
    for char in word:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def _unfit(position: Position, options: Namespace) -> list[str]:
    """Say which algorithms do not take part where all were asked for, and why."""
    if options.quiet or options.algorithms is not None or options.planners is not None:
        return []
    by_reason: dict[str, list[str]] = {}
    for name, reason in fitting(position, options.heuristic)[1].items():
        by_reason.setdefault(reason, []).append(name)
    return [f"unpuzzle: left out: {', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _save(rows: Sequence[ComparisonRow], options: Namespace) -> dict[str, int]:
    """Write the files that were asked for; return what went wrong, with its exit code. The table is shown anyway."""
    title = f"{options.puzzle}: {basename(options.level)}"
    files: dict[str, Callable[[], str | bytes]] = {}
    if options.csv is not None:
        files[options.csv] = lambda: comparison_csv(rows)
    if options.plot is not None:
        files[options.plot] = lambda: _plot(rows, title, options)
    failures = {}
    for path, content in files.items():
        try:
            save(path, content())
        except OSError as error:
            failures[f"unpuzzle: {path}: {error.strerror}"] = exits.BAD_INPUT
        except LimitReached as reached:
            failures[f"unpuzzle: {path} is not written: {reached}"] = exits.NO_ANSWER
    return failures


def _plot(rows: Sequence[ComparisonRow], title: str, options: Namespace) -> bytes:
    """Draw the plot, in a process of its own where limits are asked for, each of which is that of one run."""
    parts = rows, title, plotting.format_of(options.plot)
    if options.memory_limit is None and options.time_limit == DEFAULT_TIME_LIMIT:
        return plotting.plot(*parts)
    from unpuzzle.planners.external.elsewhere import elsewhere

    deadline = Deadline(limits_of(options), "drawing the plot")
    return bytes(elsewhere(plotting.__name__, plotting.plot.__name__, parts, deadline, deadline.phase))
