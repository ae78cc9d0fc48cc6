"""The command `unpuzzle survey PUZZLE [LEVEL ...]`: show every level of a game in one table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence

from unpuzzle.base.errors import BAD_INPUT, CANCELLED, NO, NO_ANSWER, OF_STATUS, YES, UsageError
from unpuzzle.base.text import count
from unpuzzle.base.type_hints import Any
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.files import NamedLevel, level_text, levels_of, read_game
from unpuzzle.cli.parser import (
    A_PUZZLE,
    add_limits_of_each,
    add_objective,
    chosen,
    flag,
    limits_of,
    operand,
    option,
    whole,
)
from unpuzzle.cli.refusals import PlayingGame
from unpuzzle.cli.requirements import NOTHING, requirements
from unpuzzle.cli.verdicts import add_csv, ended_early, table_answer
from unpuzzle.lab.tables import align_columns, csv_of_fields
from unpuzzle.planning.planner import MOVES
from unpuzzle.puzzle.capabilities import Covering, Traced, offered
from unpuzzle.spaces.difficulty import MEASURES, UNIQUE, Requirement, has_none
from unpuzzle.spaces.surveying import BAD_INPUT as UNREADABLE
from unpuzzle.spaces.surveying import FIELDS, SurveyRow, survey
from unpuzzle.workspace.inputs import GameInput, Input, RowsSoFar, Show

EXAMPLE = """unpuzzle survey boxup --time-limit 10 --require solvable unique --csv levels.csv
  unpuzzle survey sokoban --require lines=1 traps=3.. --difficulty"""
SEE = "`explore` shows one level in depth"
DEFAULT_TIME_LIMIT = 60.0
REQUIRE = f"""what every level must be, else the exit code is 1: solvable (the default), unique (in puzzles of
constraints one solution, in others one optimal line: walking and the order of independent changes do not count),
no-dead-ends, or bounds on a figure, such as lines=1, traps=3.. or lost=..0.5, separated by blanks or commas; or
{NOTHING}"""
COLUMNS = (
    *("level", "status", "cost", "pushes", "states", "dead_ends", "optimal_plans", "optimal_lines", "unique"),
    "seconds",
)
HARD = ("level", "cost", *MEASURES)
DIFFICULTY = """also show how hard each level is: pushes (moves that are not walking), detours (moves that undo a part
of the goal), traps (positions on the way from which one change makes it unsolvable), after how many moves the first one
can be met, how many changes it lasts until it shows, how many changes on the way are optimal, longer and fatal, and
which share of all positions is lost"""
FAILURES = {
    "solvable": "it cannot be solved",
    "unique": "it has more than one optimal line",
    "several": "it has more than one solution",
    "no-dead-ends": "one can get stuck in it",
}


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "PUZZLE", A_PUZZLE)
    about = "names of levels, or files, of one level or several; default: all bundled ones"
    parser.add_argument("levels", metavar="LEVEL", nargs="*", help=about)
    option(parser, "--require WHAT", REQUIRE, nargs="+", default=["solvable"])
    add_objective(parser)
    flag(
        parser,
        "--rule-coverage",
        "for PuzzleScript: show which rules fire in the levels and in their solutions, and which never do",
    )
    flag(parser, "--difficulty", DIFFICULTY)
    about = "levels at a time, each in a separate process; default: 1"
    add_limits_of_each(parser, "level", DEFAULT_TIME_LIMIT, about)
    about = (
        "the most states to explore of each level; larger levels are only searched, with N states; default: no limit"
    )
    option(parser, "--max-states N", about, whole())
    add_csv(parser)


class SurveyRequest(GameInput):
    """A request to explore the levels of a game, with the requirements that each level must meet."""

    levels: Mapping[str, NamedLevel]
    wanted: Sequence[Requirement]
    how: Mapping[str, Any]
    difficulty: bool = False
    csv: str | None = None

    limits_of_each = True
    shows = "level {}: {:,} states explored"

    def call(self, show: Show = None) -> RowsSoFar:
        read = (lambda name: self.levels[name].position(self.game)) if self.levels else None
        seen: dict[str, int] = {}

        def tell(level: str, states: int) -> None:
            seen[level] = states
            if show is not None:
                show(level, states)

        with RowsSoFar() as so_far:
            how = self.how | {"on_row": so_far.rows.append, "progress": tell}
            try:
                survey(self.game, [*self.levels] or None, read=read, **how)
            except KeyboardInterrupt as error:
                done = {row.level for row in so_far.rows}
                so_far.rows += [_interrupted(*each) for each in seen.items() if each[0] not in done and each[1]]
                if not so_far.rows and not error.args:
                    raise type(error)("no level was finished") from error
                raise
        return so_far


class CoverageRequest(GameInput):
    """A request to find which rules of a PuzzleScript game fire in the levels.

    `levels` are texts by name, empty for bundled levels; without any, all bundled ones are meant.
    """

    puzzle: str
    levels: Mapping[str, str]
    how: Mapping[str, Any]

    limits_of_each = True
    shows = SurveyRequest.shows

    def call(self, show: Show = None) -> RowsSoFar:
        traced, covering = offered(self.game, Traced), None
        if traced is not None:
            covering = traced.cover(self.levels or None, progress=show, **self.how)
        if covering is None:
            raise UsageError(f"--rule-coverage works only for PuzzleScript games; {self.puzzle} is not one")
        with RowsSoFar([covering]) as so_far:
            covering.run()
        return so_far


def read(options: Namespace) -> Input:
    """Read the levels to be explored, for a table or for the rules that fire."""
    wanted = requirements(options.require)
    game = read_game(options.puzzle)
    how = {"limits": limits_of(options, each=True), "max_states": options.max_states}
    with PlayingGame(game):
        if not options.rule_coverage:
            levels = {level.name: level for level in levels_of(game, options.puzzle, options.levels)}
            how |= chosen(options, "objective", "workers", "scheduler")
            return SurveyRequest.of(options, game=game, levels=levels, wanted=wanted, how=how)
        if options.csv is not None:
            raise UsageError("--csv and -o write the table of levels: --rule-coverage shows another table")
        own = {
            name: "" if name in game.levels else level_text(game, options.puzzle, name)[0] for name in options.levels
        }
        return CoverageRequest(game, options.puzzle, own, how)


def present(asked: Input, outcome: RowsSoFar, view: View) -> Answer:
    """Return the answer with the finished table rows, or with the rules that fire."""
    if not isinstance(asked, SurveyRequest):
        return _coverage(outcome)
    rows = outcome.rows
    columns = [name for name in COLUMNS if name != "pushes" or asked.how["objective"] != MOVES]
    text = _table(columns, rows)
    text += f"\n\n{_table(HARD, rows)}" if asked.difficulty else ""
    text += "" if view.quiet else f"\n\n{_summary(rows)}"
    code, complaint = ended_early(outcome.ended_by, "the levels that were not reached are not in the table")
    code = _code(rows, asked.wanted) if code is None else code
    answer = table_answer(code, rows, text, csv_of_fields(FIELDS, rows), asked.csv)
    answer.complain(complaint)
    for row in rows:
        failures = [each for each in asked.wanted if row.meets(each) is False]
        if row.message:
            answer.complain(f"unpuzzle: level {row.level}: {row.status}: {row.message}")
        elif failures:
            words = ", ".join([_failure(each, row) for each in failures])
            answer.complain(f"unpuzzle: level {row.level} is not as required: {words}")
    return answer


def _interrupted(level: str, states: int) -> SurveyRow:
    """Return the table row of a level that was being explored when the survey was interrupted."""
    message = f"interrupted after {count(states, 'expanded state')}"
    return SurveyRow(level, CANCELLED, states=states, message=message)


def _coverage(outcome: RowsSoFar) -> Answer:
    """Return the answer on which rules fire in the levels; undecided if some level is not fully explored."""
    covering: Covering = outcome.rows[0]
    data: dict[str, Any] = covering.to_dict()
    code, complaint = ended_early(outcome.ended_by, "only what was seen before counts")
    if code is None:
        code = NO_ANSWER if data["not_seen"] or data["not_seen_objects"] else YES
    return Answer(code, data, "\n".join(covering.lines()), complaint)


def _failure(required: Requirement, row: SurveyRow) -> str:
    """Return a sentence that says why a level does not meet a requirement."""
    if required.name in FAILURES:
        return FAILURES["several" if required.name == UNIQUE and row.constrained else required.name]
    return f"{required.text} is required, and {required.name} is {_cell(row, required.name)}"


def _table(columns: Sequence[str], rows: Sequence[SurveyRow]) -> str:
    return align_columns(columns, [[_cell(row, name) for name in columns] for row in rows], ("level", "status"))


def _cell(row: SurveyRow, name: str) -> str:
    """Return a table cell: `-` for an unknown value, `>` before a count that is incomplete."""
    value = getattr(row, name)
    if name == "seconds":
        return f"{value:.3f}"
    if name == "optimal_plans" and row.complete and row.solvable and row.states and value is None:
        return "endless"
    if name == "optimal_lines" and value is None and row.least_lines:
        return f">= {row.least_lines:,}"
    if value is None:
        return "none" if name in MEASURES and has_none(name, {each: getattr(row, each) for each in MEASURES}) else "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}"
    if name == "states":
        return f"{value:,}" if row.complete else f"> {value:,}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _code(rows: Sequence[SurveyRow], wanted: Sequence[Requirement]) -> int:
    """Return NO if a level certainly fails a requirement; else the exit code for levels without an answer."""
    if any(row.meets(each) is False for row in rows for each in wanted):
        return NO
    statuses = {row.status for row in rows if row.solvable is None or None in map(row.meets, wanted)}
    if UNREADABLE in statuses:
        return BAD_INPUT
    return max([OF_STATUS[status] or NO_ANSWER for status in statuses], default=YES)


def _summary(rows: Sequence[SurveyRow]) -> str:
    answers = [row.solvable for row in rows]
    sorts = {"solvable": True, "unsolvable": False, "not known": None}
    parts = [f"{answers.count(answer):,} {sort}" for sort, answer in sorts.items() if answer in answers]
    return f"{count(len(rows), 'level')}: {', '.join(parts)}"
