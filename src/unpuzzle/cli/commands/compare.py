"""unpuzzle compare PUZZLE LEVEL."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Sequence

    from unpuzzle.cli.answer import Answer
    from unpuzzle.lab.comparing import Row
    from unpuzzle.puzzle.position import Position

EXAMPLE = "unpuzzle compare pacman loops --algorithms bfs astar greedy mouse --planners native --plot loops.png"
DEFAULT_TIME_LIMIT = 60.0


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    from unpuzzle.cli.numbers import seconds, size, whole
    from unpuzzle.lab.comparing import DEFAULT_SEEDS

    parser.add_argument("puzzle", metavar="PUZZLE")
    parser.add_argument("level", metavar="LEVEL", help="a bundled level's name, a file, or - for standard input")
    parser.add_argument(
        "--algorithms",
        metavar="NAME",
        nargs="+",
        help="on the rules, such as bfs astar wastar=3 'astar(misplaced)', separated by blanks or commas; "
        "default: all that fit, unless there are --planners",
    )
    parser.add_argument("--planners", metavar="NAME", nargs="+", help="on the PDDL; see `unpuzzle list`")
    parser.add_argument("--heuristic", metavar="NAME", help="of the algorithms that name none")
    parser.add_argument(
        "--seeds",
        metavar="N",
        type=whole(),
        default=DEFAULT_SEEDS,
        help=f"runs of each random one; default: {DEFAULT_SEEDS}",
    )
    parser.add_argument(
        "--time-limit",
        metavar="SECONDS",
        type=seconds,
        default=DEFAULT_TIME_LIMIT,
        help=f"of each run, wall clock; default: {DEFAULT_TIME_LIMIT:.0f}",
    )
    parser.add_argument(
        "--memory-limit", metavar="SIZE", type=size, help="such as 500M or 4G; default: three quarters of the machine's"
    )
    parser.set_defaults(limits_of_each=True)
    parser.add_argument("--csv", metavar="FILE", help="write the table there, too")
    parser.add_argument("--plot", metavar="FILE", help="draw expanded against cost there: .png, .svg or .pdf")


def execute(options: Namespace) -> Answer:
    """Run all of them; interrupted, answer with the rows that there are."""
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.files import read_level
    from unpuzzle.errors import ParseError
    from unpuzzle.lab.plot import format_of
    from unpuzzle.lab.table import table

    if options.plot is not None:
        format_of(options.plot)  # refused now, not after all has run
        if options.plot == options.csv:
            raise ParseError(f"--csv and --plot are the same file, '{options.plot}'")
    puzzle = read_level(options.puzzle, options.level, options)
    rows: list[Row] = []
    code, complaints = None, _left_out(puzzle, options)
    try:
        _compare(puzzle, options, rows)
    except KeyboardInterrupt as error:
        if not rows:
            raise
        code = exits.TERMINATED if isinstance(error, exits.TerminatedError) else exits.INTERRUPTED
        complaints.append("unpuzzle: interrupted: what has not run is not in the table")
    complaints += [f"unpuzzle: {row.algorithm}: {row.status}: {row.message}" for row in rows if row.message]
    failures = _save(rows, options)
    if code is None:
        answers = (exits.OF_STATUS[row.status] for row in rows)
        code = min(failures.values()) if failures else min(answers)
    return Answer(code, [row.fields() for row in rows], table(rows), "\n".join([*complaints, *failures]))


def _compare(puzzle: Position, options: Namespace, rows: list[Row]) -> None:
    from unpuzzle.cli.parser import limits_of
    from unpuzzle.cli.progress import ProgressLine
    from unpuzzle.lab.comparing import compare

    with ProgressLine(options) as show:
        compare(
            puzzle,
            _names("--algorithms", options.algorithms),
            _names("--planners", options.planners),
            heuristic=options.heuristic,
            seeds=options.seeds,
            limits=limits_of(options),
            on_row=rows.append,
            progress=show,
        )


def _names(option: str, words: Iterable[str] | None) -> list[str] | None:
    """The names in words that may hold several, separated by commas."""
    if words is None:
        return None
    from unpuzzle.errors import ParseError

    names = [name for word in words for name in _split(word) if name]
    if not names:
        raise ParseError(f"{option} needs at least one name")
    return names


def _split(word: str) -> list[str]:
    """The parts of a word between its commas, except for those in brackets: `lazy(ff(), preferred=[ff()])`."""
    parts, depth = [""], 0
    for char in word:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def _left_out(puzzle: Position, options: Namespace) -> list[str]:
    """Which algorithms do not take part where all were asked for, and why."""
    if options.quiet or options.algorithms is not None or options.planners is not None:
        return []
    from unpuzzle.lab.comparing import fitting

    by_reason: dict[str, list[str]] = {}
    for name, reason in fitting(puzzle, options.heuristic)[1].items():
        by_reason.setdefault(reason, []).append(name)
    return [f"unpuzzle: left out: {', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _save(rows: Sequence[Row], options: Namespace) -> dict[str, int]:
    """Write the files that were asked for; returns what went wrong, with its exit code. The table is shown anyway."""
    from os.path import basename

    from unpuzzle.cli import exits
    from unpuzzle.cli.files import save
    from unpuzzle.errors import LimitReached
    from unpuzzle.lab.table import csv_text

    title = f"{options.puzzle}: {basename(options.level)}"
    files: dict[str, Callable[[], str | bytes]] = {}
    if options.csv is not None:
        files[options.csv] = lambda: csv_text(rows)
    if options.plot is not None:
        files[options.plot] = lambda: _plotted(rows, title, options)
    failures = {}
    for path, content in files.items():
        try:
            save(path, content())
        except OSError as error:
            failures[f"unpuzzle: {path}: {error.strerror}"] = exits.BAD_INPUT
        except LimitReached as reached:
            failures[f"unpuzzle: {path} is not written: {reached}"] = exits.NO_ANSWER
    return failures


def _plotted(rows: Sequence[Row], title: str, options: Namespace) -> bytes:
    """The plot, drawn in a process of its own where limits are asked for, each of which is that of one run."""
    from unpuzzle.lab import plot as drawing
    from unpuzzle.lab.plot import format_of

    asked = rows, title, format_of(options.plot)
    if options.memory_limit is None and options.time_limit == DEFAULT_TIME_LIMIT:
        return drawing.plot(*asked)
    from unpuzzle.cli.parser import limits_of
    from unpuzzle.limits import Deadline
    from unpuzzle.planners.external.elsewhere import elsewhere

    deadline = Deadline(limits_of(options), "drawing the plot")
    return bytes(elsewhere(drawing.__name__, drawing.plot.__name__, asked, deadline, deadline.phase))
