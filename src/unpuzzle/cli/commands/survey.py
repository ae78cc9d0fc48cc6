"""unpuzzle survey PUZZLE [LEVEL ...]."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.files import level_text, read_game, save
from unpuzzle.cli.numbers import whole
from unpuzzle.cli.parser import add_limits_of_each, limits_of, operand, option
from unpuzzle.cli.progress import ProgressLine, counting
from unpuzzle.errors import UsageError
from unpuzzle.lab.tables import align_columns, csv_of
from unpuzzle.spaces.surveying import BAD_INPUT, FIELDS, REQUIREMENTS, SurveyRow, survey
from unpuzzle.words import count, shorten, suggestion

EXAMPLE = "unpuzzle survey boxup --time-limit 10 --require solvable unique --csv levels.csv"
DEFAULT_TIME_LIMIT = 60.0
NOTHING = "nothing"
REQUIRE = f"""what every level must be, else the exit code is 1: solvable (the default), unique (one optimal way or,
where constraints are stated, one solution of these), no-dead-ends, separated by blanks or commas; or {NOTHING}"""
COLUMNS = ("level", "status", "cost", "states", "dead_ends", "optimal_plans", "unique", "seconds")


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "PUZZLE")
    about = "names of levels, or files; default: all bundled ones"
    parser.add_argument("levels", metavar="LEVEL", nargs="*", help=about)
    option(parser, "--require WHAT", REQUIRE, nargs="+", default=["solvable"])
    add_limits_of_each(parser, "level", DEFAULT_TIME_LIMIT)
    about = "of each level: larger ones are only searched, N states at most; default: no limit"
    option(parser, "--max-states N", about, whole())
    about = "write the table there, too; without FILE: instead of the text"
    option(parser, "--csv FILE", about, nargs="?", const="-")


def execute(options: Namespace) -> Answer:
    """Explore all levels; interrupted, answer with the rows that there are."""
    requirements = _requirements(options.require)
    game = read_game(options.puzzle, options)
    rows: list[SurveyRow] = []
    code, complaint = None, ""
    texts = {name: level_text(game, options.puzzle, name, options)[0] for name in options.levels}
    try:
        with ProgressLine(options) as show:
            survey(
                game, options.levels or None, limits=limits_of(options), max_states=options.max_states,
                read=texts.__getitem__ if texts else None, on_row=rows.append,
                progress=counting(show, "level {}: {:,} states explored"),
            )  # fmt: skip
    except KeyboardInterrupt as error:
        if not rows:
            raise
        code = exits.interrupted(error)
        complaint = "unpuzzle: interrupted: the levels that were not reached are not in the table"
    return _answer(rows, requirements, options, code, complaint)


def _requirements(words: Iterable[str]) -> list[str]:
    """Return what every level must be. Raises UsageError for what cannot be asked for."""
    names = [name for word in words for name in word.split(",") if name]
    for name in names:
        if name not in (*REQUIREMENTS, NOTHING):
            known = f"{', '.join(REQUIREMENTS)} or {NOTHING}"
            hint = suggestion(name, REQUIREMENTS)
            raise UsageError(f"--require: a level is required to be {known}, not {shorten(name)}{hint}")
    return [name for name in names if name != NOTHING]


def _answer(
    rows: list[SurveyRow], requirements: Sequence[str], options: Namespace, code: int | None, complaint: str
) -> Answer:
    complaints = [*([complaint] if complaint else []), *_complaints(rows, requirements)]
    code = _code(rows, requirements) if code is None else code
    text = table_of(rows) + ("" if options.quiet else f"\n\n{_summary(rows)}")
    if options.csv == "-":
        text = _csv(rows)
    elif options.csv is not None:
        try:
            save(options.csv, _csv(rows))
        except OSError as error:
            code = exits.BAD_INPUT
            complaints.append(f"unpuzzle: {options.csv}: {error.strerror}")
    return Answer(code, rows, text, "\n".join(complaints))


def table_of(rows: Sequence[SurveyRow]) -> str:
    """Return one line a level; `-` where nothing is known, `>` before the number of states where not all were seen."""
    return align_columns(COLUMNS, [[_cell(row, name) for name in COLUMNS] for row in rows], ("level", "status"))


def _cell(row: SurveyRow, name: str) -> str:
    value = getattr(row, name)
    if name == "seconds":
        return f"{value:.3f}"
    if name == "optimal_plans" and row.complete and row.solvable and value is None:
        return "endless"
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "states":
        return f"{value:,}" if row.complete else f"> {value:,}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _csv(rows: Iterable[SurveyRow]) -> str:
    """Return all fields as CSV; empty where nothing is known."""
    return csv_of(FIELDS, [[getattr(row, name) for name in FIELDS] for row in rows])


def _complaints(rows: Iterable[SurveyRow], requirements: Sequence[str]) -> Iterable[str]:
    """Yield what is not as it should be, level by level."""
    for row in rows:
        failed = [name for name in requirements if row.meets(name) is False]
        if row.message:
            yield f"unpuzzle: level {row.level}: {row.status}: {row.message}"
        elif failed:
            words = [_WORDS["several" if name == "unique" and row.constrained else name] for name in failed]
            yield f"unpuzzle: level {row.level} is not as required: {', '.join(words)}"


_WORDS = {
    "solvable": "it cannot be solved",
    "unique": "it has more than one optimal solution",
    "several": "it has more than one solution",
    "no-dead-ends": "one can get stuck in it",
}


def _code(rows: Sequence[SurveyRow], requirements: Sequence[str]) -> int:
    """No, if any level is certainly not as required; else, where one has no answer, what `exits` says of that."""
    if any(row.meets(name) is False for row in rows for name in requirements):
        return exits.NO
    unknown = [row for row in rows if row.solvable is None or None in map(row.meets, requirements)]
    statuses = {row.status for row in unknown}
    if BAD_INPUT in statuses:
        return exits.BAD_INPUT
    return max([exits.OF_STATUS[status] for status in statuses], default=exits.YES)


def _summary(rows: Sequence[SurveyRow]) -> str:
    """Count the levels of each sort."""
    counts = {
        "solvable": sum(row.solvable is True for row in rows),
        "unsolvable": sum(row.solvable is False for row in rows),
        "not known": sum(row.solvable is None for row in rows),
    }
    parts = [f"{number:,} {what}" for what, number in counts.items() if number]
    return f"{count(len(rows), 'level')}: {', '.join(parts)}"
