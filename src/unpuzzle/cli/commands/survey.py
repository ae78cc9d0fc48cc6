"""unpuzzle survey PUZZLE [LEVEL ...]."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence

from unpuzzle.cli.answer import BAD_INPUT, INTERRUPTED, NO, OF_STATUS, YES, Answer, of_error
from unpuzzle.cli.files import level_text, read_game, save_beside
from unpuzzle.cli.numbers import whole
from unpuzzle.cli.parser import add_limits_of_each, add_objective, limits_of, operand, option
from unpuzzle.cli.progress import ProgressLine
from unpuzzle.errors import UsageError
from unpuzzle.lab.tables import align_columns, csv_of
from unpuzzle.spaces.surveying import BAD_INPUT as UNREADABLE
from unpuzzle.spaces.surveying import FIELDS, REQUIREMENTS, SurveyRow, survey
from unpuzzle.words import count, shorten, suggestion

EXAMPLE = "unpuzzle survey boxup --time-limit 10 --require solvable unique --csv levels.csv"
DEFAULT_TIME_LIMIT = 60.0
NOTHING = "nothing"
REQUIRE = f"""what every level must be, else the exit code is 1: solvable (the default), unique (one optimal way or,
where constraints are stated, one solution of these), no-dead-ends, separated by blanks or commas; or {NOTHING}"""
COLUMNS = ("level", "status", "cost", "pushes", "states", "dead_ends", "optimal_plans", "unique", "seconds")
FAILURES = {
    "solvable": "it cannot be solved",
    "unique": "it has more than one optimal solution",
    "several": "it has more than one solution",
    "no-dead-ends": "one can get stuck in it",
}


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "PUZZLE")
    about = "names of levels, or files; default: all bundled ones"
    parser.add_argument("levels", metavar="LEVEL", nargs="*", help=about)
    option(parser, "--require WHAT", REQUIRE, nargs="+", default=["solvable"])
    add_objective(parser)
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
        with ProgressLine(options, "level {}: {:,} states explored") as progress:
            survey(
                game, options.levels or None, limits=limits_of(options), max_states=options.max_states,
                objective=options.objective, read=texts.__getitem__ if texts else None, on_row=rows.append,
                progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt as error:
        if not rows:
            raise
        code, _ = of_error(error) or (INTERRUPTED, "")
        complaint = "unpuzzle: interrupted: the levels that were not reached are not in the table"
    return _answer(rows, requirements, options, code, complaint)


def _requirements(words: Iterable[str]) -> list[str]:
    """Return what every level must be. Raises UsageError for what cannot be asked for."""
    names = [name for word in words for name in word.split(",") if name]
    for name in names:
        if name not in (*REQUIREMENTS, NOTHING):
            choice, hint = f"{', '.join(REQUIREMENTS)} or {NOTHING}", suggestion(name, REQUIREMENTS)
            raise UsageError(f"--require: a level is required to be {choice}, not {shorten(name)}{hint}")
    return [name for name in names if name != NOTHING]


def _answer(
    rows: list[SurveyRow], requirements: Sequence[str], options: Namespace, code: int | None, complaint: str
) -> Answer:
    csv = csv_of(FIELDS, [[getattr(row, name) for name in FIELDS] for row in rows])
    columns = [name for name in COLUMNS if name != "pushes" or any(row.pushes is not None for row in rows)]
    text = align_columns(columns, [[_cell(row, name) for name in columns] for row in rows], ("level", "status"))
    text += "" if options.quiet else f"\n\n{_summary(rows)}"
    code = _code(rows, requirements) if code is None else code
    answer = Answer(code, rows, csv if options.csv == "-" else text, complaint)
    for row in rows:
        failures = [name for name in requirements if row.meets(name) is False]
        if row.message:
            answer.complain(f"unpuzzle: level {row.level}: {row.status}: {row.message}")
        elif failures:
            words = [FAILURES["several" if name == "unique" and row.constrained else name] for name in failures]
            answer.complain(f"unpuzzle: level {row.level} is not as required: {', '.join(words)}")
    if options.csv not in (None, "-"):
        save_beside(answer, options.csv, lambda: csv)
    return answer


def _cell(row: SurveyRow, name: str) -> str:
    """Return a cell of the table: `-` for an unknown value, `>` before a count that is not complete."""
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


def _code(rows: Sequence[SurveyRow], requirements: Sequence[str]) -> int:
    """No, if any level is certainly not as required; else, where one has no answer, its exit code."""
    if any(row.meets(name) is False for row in rows for name in requirements):
        return NO
    statuses = {row.status for row in rows if row.solvable is None or None in map(row.meets, requirements)}
    if UNREADABLE in statuses:
        return BAD_INPUT
    return max([OF_STATUS[status] for status in statuses], default=YES)


def _summary(rows: Sequence[SurveyRow]) -> str:
    answers = [row.solvable for row in rows]
    sorts = {"solvable": True, "unsolvable": False, "not known": None}
    parts = [f"{answers.count(answer):,} {sort}" for sort, answer in sorts.items() if answer in answers]
    return f"{count(len(rows), 'level')}: {', '.join(parts)}"
