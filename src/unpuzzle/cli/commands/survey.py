"""unpuzzle survey PUZZLE [LEVEL ...]."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Sequence

    from unpuzzle.cli.answer import Answer
    from unpuzzle.puzzle.position import Game
    from unpuzzle.spaces.surveying import Row

EXAMPLE = "unpuzzle survey boxup --time-limit 10 --require solvable unique --csv levels.csv"
DEFAULT_TIME_LIMIT = 60.0
NOTHING = "nothing"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    from unpuzzle.cli.numbers import seconds, size, whole

    parser.add_argument("puzzle", metavar="PUZZLE")
    parser.add_argument(
        "levels", metavar="LEVEL", nargs="*", help="names of levels, or files; default: all bundled ones"
    )
    parser.add_argument(
        "--require",
        metavar="WHAT",
        nargs="+",
        default=["solvable"],
        help="what every level must be, else the exit code is 1: solvable (the default), unique (one optimal way or, "
        "where constraints are stated, one solution of these), "
        f"no-dead-ends, separated by blanks or commas; or {NOTHING}",
    )
    parser.add_argument(
        "--time-limit",
        metavar="SECONDS",
        type=seconds,
        default=DEFAULT_TIME_LIMIT,
        help=f"of each level, wall clock; default: {DEFAULT_TIME_LIMIT:.0f}",
    )
    parser.add_argument(
        "--memory-limit", metavar="SIZE", type=size, help="such as 500M or 4G; default: three quarters of the machine's"
    )
    parser.set_defaults(limits_of_each=True)
    parser.add_argument(
        "--max-states",
        metavar="N",
        type=whole(),
        help="of each level: larger ones are only searched, N states at most; default: no limit",
    )
    parser.add_argument(
        "--csv",
        metavar="FILE",
        nargs="?",
        const="-",
        help="write the table there, too; without FILE: instead of the text",
    )


def execute(options: Namespace) -> Answer:
    """Explore all levels; interrupted, answer with the rows that there are."""
    from unpuzzle.cli import exits
    from unpuzzle.cli.files import read_game

    required = _required(options.require)
    game = read_game(options.puzzle, options)
    rows: list[Row] = []
    code, complaint = None, ""
    try:
        _survey(game, options, rows)
    except KeyboardInterrupt as error:
        if not rows:
            raise
        code = exits.TERMINATED if isinstance(error, exits.TerminatedError) else exits.INTERRUPTED
        complaint = "unpuzzle: interrupted: the levels that were not reached are not in the table"
    return _answer(rows, required, options, code, complaint)


def _required(words: Iterable[str]) -> list[str]:
    """What every level must be. Raises ParseError for what cannot be asked for."""
    from unpuzzle.errors import ParseError
    from unpuzzle.spaces.surveying import REQUIREMENTS
    from unpuzzle.words import shorten, suggestion

    names = [name for word in words for name in word.split(",") if name]
    for name in names:
        if name not in (*REQUIREMENTS, NOTHING):
            known = f"{', '.join(REQUIREMENTS)} or {NOTHING}"
            hint = suggestion(name, REQUIREMENTS)
            raise ParseError(f"--require: a level is required to be {known}, not {shorten(name)}{hint}")
    return [name for name in names if name != NOTHING]


def _survey(game: Game, options: Namespace, rows: list[Row]) -> None:
    from unpuzzle.cli.files import level_text
    from unpuzzle.cli.parser import limits_of
    from unpuzzle.cli.progress import ProgressLine
    from unpuzzle.spaces.surveying import survey

    texts = {name: level_text(game, options.puzzle, name, options)[0] for name in options.levels}
    with ProgressLine(options) as show:

        def told(level: str, states: int) -> None:
            if show is not None:
                show(f"level {level}: {states:,} states explored")

        survey(
            game,
            options.levels or None,
            limits_of(options),
            max_states=options.max_states,
            read=texts.__getitem__ if texts else None,
            on_row=rows.append,
            progress=told,
        )


# ---- the answer


def _answer(rows: Sequence[Row], required: Sequence[str], options: Namespace, code: int | None, told: str) -> Answer:
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.files import save
    from unpuzzle.cli.survey_text import csv_text, table

    complaints = [*([told] if told else []), *_complaints(rows, required)]
    code = _code(rows, required) if code is None else code
    text = table(rows) + ("" if options.quiet else f"\n\n{_summary(rows)}")
    if options.csv == "-":
        text = csv_text(rows)
    elif options.csv is not None:
        try:
            save(options.csv, csv_text(rows))
        except OSError as error:
            code = exits.BAD_INPUT
            complaints.append(f"unpuzzle: {options.csv}: {error.strerror}")
    return Answer(code, [row.fields() for row in rows], text, "\n".join(complaints))


def _complaints(rows: Iterable[Row], required: Sequence[str]) -> Iterable[str]:
    """What is not as it should be, level by level."""
    for row in rows:
        failed = [name for name in required if row.meets(name) is False]
        if row.message:
            yield f"unpuzzle: level {row.level}: {row.status}: {row.message}"
        elif failed:
            said = [_SAID["several" if name == "unique" and row.constrained else name] for name in failed]
            yield f"unpuzzle: level {row.level} is not as required: {', '.join(said)}"


_SAID = {
    "solvable": "it cannot be solved",
    "unique": "it has more than one optimal solution",
    "several": "it has more than one solution",
    "no-dead-ends": "one can get stuck in it",
}


def _code(rows: Sequence[Row], required: Sequence[str]) -> int:
    """No, if any level is certainly not as required; else, where one has no answer, what `exits` says of that."""
    from unpuzzle.cli import exits
    from unpuzzle.spaces.surveying import BAD_INPUT

    if any(row.meets(name) is False for row in rows for name in required):
        return exits.NO
    unknown = [row for row in rows if row.solvable is None or None in map(row.meets, required)]
    statuses = {row.status for row in unknown}
    if BAD_INPUT in statuses:
        return exits.BAD_INPUT
    return max([exits.OF_STATUS[status] for status in statuses], default=exits.YES)


def _summary(rows: Sequence[Row]) -> str:
    """How many levels there are of each sort."""
    counts = {
        "solvable": sum(row.solvable is True for row in rows),
        "unsolvable": sum(row.solvable is False for row in rows),
        "not known": sum(row.solvable is None for row in rows),
    }
    levels = f"{len(rows):,} level" + ("" if len(rows) == 1 else "s")
    return f"{levels}: " + ", ".join([f"{count:,} {what}" for what, count in counts.items() if count])
