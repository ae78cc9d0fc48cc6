"""Commands on all states of levels: `explore` describes one level, `survey` all levels of a game in a table."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter

from unpuzzle.base.errors import LimitReached, UsageError
from unpuzzle.base.outcomes import BAD_INPUT, CANCELLED, GAVE_UP, INTERRUPTED, NO, NO_ANSWER, OF_STATUS, YES, of_error
from unpuzzle.base.run import detached, phase
from unpuzzle.base.tables import align_columns, csv_of_fields
from unpuzzle.base.text import count
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.drawing import PictureFile
from unpuzzle.cli.files import NamedLevel, level_text, levels_of, read_game, read_level, save_beside
from unpuzzle.cli.parser import (
    A_PUZZLE,
    add_level,
    add_limits,
    add_limits_of_each,
    add_objective,
    chosen,
    flag,
    has_limits,
    limits_of,
    operand,
    option,
    whole,
)
from unpuzzle.cli.refusals import PlayingGame
from unpuzzle.cli.requirements import NOTHING, requirements
from unpuzzle.cli.verdicts import add_csv, ended_early, table_answer
from unpuzzle.drawing.panels import rows_of
from unpuzzle.model.capabilities import Covering, Traced, offered
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import joined_moves, noun_of_pushes
from unpuzzle.planning import registry
from unpuzzle.planning.planner import MOVES
from unpuzzle.rendering.analysis import space_svg, trap_panels, traps_sheet
from unpuzzle.rendering.saving import kind_of
from unpuzzle.state_space.dead_ends import NOWHERE, OPTIMAL_WAYS, Trap, Traps, find_traps, reason_of
from unpuzzle.state_space.difficulty import MEASURES, UNIQUE, Difficulty, Requirement, has_none
from unpuzzle.state_space.exploration import Exploration, dot, graphml
from unpuzzle.state_space.space import COMPLETE, SeenSpace, SpaceLimitError
from unpuzzle.state_space.surveying import BAD_INPUT as UNREADABLE
from unpuzzle.state_space.surveying import FIELDS, SearchAnswer, SurveyRow, explore_or_search, survey
from unpuzzle.workspace.inputs import GameInput, Input, LevelInput, RowsSoFar, Show

EXAMPLE_EXPLORE = """unpuzzle explore boxup 1 --graph boxup-1.graphml
  unpuzzle explore domain.pddl p01 --picture p01.svg
  unpuzzle explore sokoban 1 --traps --picture traps.svg"""
SEE_EXPLORE = "`survey` shows all levels of a game in one table"
GRAPH_STATES = 20_000
FORMATS = (".graphml", ".dot")
ROWS, WIDTH = 32, 60
"""The most bars, and the length of the longest."""
_EIGHTHS = " ▏▎▍▌▋▊▉"
EXAMPLE_SURVEY = """unpuzzle survey boxup --time-limit 10 --require solvable unique --csv levels.csv
  unpuzzle survey sokoban --require lines=1 traps=3.. --difficulty"""
SEE_SURVEY = "`explore` shows one level in depth"
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
ENDING = ".svg"
"""The ending of pictures in a folder."""


# The command `explore`.


class ExplorationInput(LevelInput):
    """A request to explore a level.

    Attributes:
        clock: the `perf_counter()` value at which the command began.
        max_states: the most states; if there are more, the level is only solved, with as many states.
        more_on_request: whether a caller may raise the bound on the states of a graph.
    """

    clock: float
    max_states: int | None = None
    objective: str = MOVES
    more_on_request: bool = False
    shows = "{:,} states explored"

    def call(self, show: Show = None) -> ExplorationOutcome:
        """Explore the level; return also how many states were seen if an interruption ends the work."""
        seen = 0

        def report(states: int) -> None:
            nonlocal seen
            seen = states
            if show is not None:
                show(states)

        try:
            exploration, search = explore_or_search(
                self.position, max_states=self.max_states, objective=self.objective, progress=report
            )
            unmeasured = exploration.measure().message
        except KeyboardInterrupt as error:
            if not seen:
                raise
            return self._interrupted(seen, error)
        with detached():  # what was found before a limit is reported
            fields = exploration.to_dict()
        fields |= {"seconds": {"total": round(perf_counter() - self.clock, 6)}}
        if self.objective != MOVES:
            fields |= {"objective": self.objective, "pushes": None if search is None else search.pushes}
        outcome = ExplorationOutcome(exploration, search, fields, unmeasured)
        if search is not None and outcome.incomplete:
            message = exploration.reason
            if self.more_on_request and exploration.status == GAVE_UP:
                message += "; to write a larger graph, raise --max-states"
            return outcome.replace(fields=fields | {"cost": search.cost, "message": message})
        return outcome

    def _interrupted(self, seen: int, error: KeyboardInterrupt) -> ExplorationOutcome:
        """Return the number of states that were seen before an interruption."""
        message = f"interrupted after {count(seen, 'expanded state')}; a --time-limit leaves time for a search"
        exploration = Exploration(self.position, SeenSpace(SpaceLimitError(CANCELLED, seen, None)))
        fields = exploration.to_dict() | {"message": message}
        return ExplorationOutcome(exploration, SearchAnswer(), fields, ended_by=error)


class ExplorationOutcome(Record):
    """The states of a level, and the answer of a search if a search was made.

    Attributes:
        fields: the figures as data for JSON.
        unmeasured: why its solution lines and its difficulty are not measured; empty if they are.
        ended_by: the interruption after which only the number of states seen is known.
    """

    exploration: Exploration
    search: SearchAnswer | None
    fields: dict[str, Any]
    unmeasured: str = ""
    ended_by: KeyboardInterrupt | None = None

    @property
    def incomplete(self) -> bool:
        """Whether a limit ended the exploration, so that a search was made instead."""
        return not self.exploration.complete and self.search is not None

    def to_dict(self) -> dict[str, Any]:
        return dict(self.fields)


def arguments_explore(parser: ArgumentParser) -> None:
    add_level(parser)
    about = "if there are more states, only search for a solution, with N states at most; default: no limit"
    option(parser, "--max-states N", about, whole())
    about = f"write all states into this file, .graphml or .dot; --max-states is then {GRAPH_STATES:,} unless given"
    option(parser, "-o --output --graph FILE", about, dest="graph")
    add_objective(parser)
    option(parser, "--picture FILE", "draw all states into this .svg file; very many states are drawn as a profile")
    about = "show the moves that first make a level unsolvable, and why; --picture then draws these,"
    flag(parser, "--traps", f"{about} on one sheet or, into a folder, one by one")
    flag(parser, "--labels", "write moves beside the lines of --picture, which is always done for PDDL domains")
    add_limits(parser)


class ExploreRequest(ExplorationInput):
    """A request to explore a level, with the requested figures and files."""

    graph: str | None = None
    picture: str | None = None
    traps: bool = False
    labels: bool = False
    apart: bool = False


def read_explore(options: Namespace) -> ExploreRequest:
    """Read the level. Raises UsageError, before any work, for files that cannot be written."""
    graph, picture, traps = options.graph, options.picture, options.traps
    if graph is not None and not graph.endswith(FORMATS):
        raise UsageError(f"the name of the file of --graph must end in {' or '.join(FORMATS)}, not '{graph}'")
    if options.labels and (picture is None or traps):
        raise UsageError("--labels is for pictures of all states: add --picture FILE.svg, without --traps")
    if picture is not None and traps:
        _require_pictures(picture)
    elif picture is not None and kind_of(picture) != ".svg":
        raise UsageError(f"the name of the file of --picture must end in .svg, not '{picture}'")
    level = read_level(options.puzzle, options.level, options.obstacles)
    bounded = bool(graph) and options.max_states is None
    more = {"max_states": GRAPH_STATES} if bounded else {}
    return ExploreRequest.of(options, level=level, more_on_request=bounded, apart=has_limits(options), **more)


def present_explore(request: ExploreRequest, outcome: ExplorationOutcome, view: View) -> Answer:
    """Return the figures about the state space; a complete exploration is a "yes", even of an unsolvable level."""
    exploration, search = outcome.exploration, outcome.search
    if outcome.incomplete and search is not None:  # the number of states seen, and the result of a search
        words = "unsolvable" if not search.solvable else "solvable" if search.cost is None else f"cost {search.cost}"
        text = "" if search.solvable is None else f"{'from here':<12} {words}"
        if outcome.ended_by is not None:
            answer = Answer(NO_ANSWER, outcome, text, f"unpuzzle: {outcome.fields['message']}")
            answer.code, answer.fields["status"] = of_error(outcome.ended_by) or (INTERRUPTED, CANCELLED)
            return answer
        complaint = f"unpuzzle: {exploration.status}: {outcome.fields['message']}"
        return Answer(OF_STATUS[exploration.status], outcome, text, complaint)
    lines = [*_figures(exploration), *_best(search, request.objective, exploration.subject)]
    answer = Answer(YES, outcome)
    if not view.bare:
        lines += ["", "states by depth", *_bars(exploration.depths), ""]
        try:
            lines += _hardest(exploration, request.position)
        except LimitReached as reached:
            _complain(answer, f"the position farthest from a goal is not drawn: {reached}")
    answer.text = "\n".join([*lines, ""])
    if outcome.unmeasured:
        _complain(answer, f"its lines and its difficulty are not measured: {outcome.unmeasured}")
    if (slow := registry.missing(registry.DEFAULT)) is not None:
        _complain(answer, f"explored slowly, on the rules: {slow}")
    if request.graph:
        write = graphml if request.graph.endswith(".graphml") else dot
        with phase("making the graph"):
            save_beside(answer, request.graph, lambda: write(exploration.graph()))
    if request.traps:
        _add_traps(answer, exploration, request, quiet=view.quiet)
    elif request.picture:
        labels = request.labels or None
        save_beside(answer, request.picture, lambda: space_svg(exploration, labels=labels))
    return answer


def _complain(answer: Answer, message: str) -> None:
    """Add a sentence on stderr to an answer; if the answer has no message yet, this sentence becomes the message."""
    answer.complain(f"unpuzzle: {message}")
    answer.fields["message"] = answer.fields["message"] or message


def _figures(exploration: Exploration) -> Iterator[str]:
    """Yield lines that each give one figure of the state space; the numbers are aligned in a column."""
    numbers = {
        "states": exploration.states,
        "transitions": exploration.transitions,
        "goal states": exploration.goals,
        "dead ends": exploration.dead_ends or 0,
    }
    width = max(len(f"{number:,}") for number in numbers.values())
    for name, number in numbers.items():
        yield f"{name:<12} {number:>{width},}"
    if (branching := exploration.branching) is not None:
        yield f"{'branching':<12} {branching.mean:.2f} moves a state, {branching.least} to {branching.most}"
    plans, solution = exploration.optimal_plans, f"unsolvable: {exploration.reason}"
    if exploration.cost is not None:
        endless = "in any number of ways: moves of cost 0 form a cycle"
        ways = endless if plans is None else "one way only" if plans == 1 else f"{plans:,} ways{_lines(exploration)}"
        solution = f"cost {exploration.cost}, {ways}"
    yield f"{'from here':<12} {solution}"
    if exploration.cost and exploration.difficulty is not None:
        yield from _difficulty(exploration.difficulty)


def _lines(exploration: Exploration) -> str:
    """Return in words the number of optimal solutions; walks and the order of independent moves do not count."""
    if (lines := exploration.measures.lines) is None:
        return ""
    return f", {'at least ' if lines.number is None else ''}{count(lines.least, 'line')}"


def _difficulty(difficulty: Difficulty) -> Iterator[str]:
    """Yield lines on the difficulty of optimal solutions, as the help of `survey --difficulty` explains them."""
    numbers = {"change": difficulty.pushes, "detour": difficulty.detours, "trap": difficulty.traps}
    parts = [count(number, word) for word, number in numbers.items() if number is not None]
    yield f"{'on the way':<12} {', '.join(parts)}"
    choices = difficulty.optimal_choices, difficulty.longer_choices, difficulty.fatal_choices
    words = [f"{number:.2f} {kind}" for number, kind in zip(choices, ("optimal", "longer", "fatal"), strict=True)]
    yield f"{'choices':<12} {', '.join(words)}, on average"
    if difficulty.shortest_trap is not None:
        soonest = f"{difficulty.lost:.1%} of the states, soonest after {count(difficulty.shortest_trap, 'move')}"
        lasts = difficulty.trap_lasts
        late = "" if lasts is None else f"; a trap shows after {count(lasts, 'change')} at most"
        yield f"{'lost':<12} {soonest}{late}"


def _best(search: SearchAnswer | None, objective: str, subject: Any) -> Iterator[str]:
    """Yield lines on a solution that is best by another objective than the least cost, such as the fewest pushes."""
    if search is not None:
        known = search.cost is not None and search.pushes is not None
        figures = (
            f"{count(search.pushes or 0, *noun_of_pushes(subject))}, cost {search.cost}" if known else search.message
        )
        yield f"{'best for':<12} {objective}: {figures or 'not known'}"


def _bars(depths: list[int]) -> Iterator[str]:
    """Yield a bar for each depth; if there are more than `ROWS` depths, each bar stands for several of them."""
    step = -(-len(depths) // ROWS)
    starts = range(0, len(depths), step)
    counts = [sum(depths[start : start + step]) for start in starts]
    names = [str(start) if step == 1 else f"{start}-{min(start + step, len(depths)) - 1}" for start in starts]
    margin, width, most = max(map(len, names)), max(len(f"{number:,}") for number in counts), max(counts)
    for name, number in zip(names, counts, strict=True):
        whole_blocks, eighths = divmod(max(1, round(8 * WIDTH * number / most)), 8)
        bar = "█" * whole_blocks + _EIGHTHS[eighths].strip()
        yield f"{name:>{margin}} {number:>{width},} {bar}".rstrip()


def _hardest(exploration: Exploration, start: Position) -> Iterator[str]:
    """Yield lines on the state that is farthest from a goal."""
    hardest = exploration.hardest
    if hardest is None or hardest.position is None:
        yield "no goal can be reached from any state"
        return
    others = f", the first of {hardest.number:,} at this distance" if hardest.number > 1 else ""
    yield f"farthest from a goal: cost {hardest.cost}{others}"
    yield hardest.position.draw()
    yield from hardest.level.splitlines()
    yield joined_moves(start.game, hardest.moves)


def _require_pictures(path: str) -> None:
    """Raise UsageError, before any work, for a path that is neither a folder nor a picture file."""
    if not _is_folder(path):
        PictureFile(path).require_panels()
    elif not os.path.isdir(path):
        raise UsageError(f"{path}: this folder does not exist")


def _add_traps(answer: Answer, exploration: Exploration, request: ExploreRequest, *, quiet: bool) -> None:
    """Add the traps of a level (moves after which it is unsolvable) to an answer, and draw them if requested."""
    try:
        traps = find_traps(exploration)
    except KeyboardInterrupt as error:
        answer.code, answer.fields["status"] = of_error(error) or (INTERRUPTED, CANCELLED)
        _complain(answer, "interrupted: the traps were not found")
        return
    answer.fields["lost_moves"] = traps.to_dict()
    answer.text += "\n" + _text(exploration, traps, quiet=quiet) + "\n"
    if traps.status != COMPLETE:
        answer.code = OF_STATUS[traps.status]
        answer.fields["message"] = f"{traps.status}: some traps are missing"
        answer.complain(f"unpuzzle: {answer.fields['message']}")
    if request.picture and traps.traps:
        answer.fields["files"] = _draw(exploration, traps, request.picture, request.apart)


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) or path.endswith(os.sep)


def _draw(exploration: Exploration, traps: Traps, path: str, apart: bool) -> list[str]:
    """Draw all traps into one file, or one file per trap in a folder; return the names of the files."""
    names, panels = [path], [traps_sheet(exploration, traps)]
    if _is_folder(path):
        names = [os.path.join(path, f"trap-{number:02}{ENDING}") for number in range(1, len(traps.traps) + 1)]
        panels = [*trap_panels(exploration, traps)]
    for name, each in zip(names, panels, strict=True):
        PictureFile(name, apart=apart).draw_panels(each)
    return names


def _text(exploration: Exploration, traps: Traps, *, quiet: bool) -> str:
    """Return a sentence about each trap and, unless `quiet`, drawings of the positions after the traps."""
    lines = [_heading(exploration, traps)]
    pictures = []
    assert isinstance(exploration.subject, Position)
    for number, trap in enumerate(traps.traps, 1):
        lines.append(
            f"{number:>3}. {_where(exploration.subject, trap)}: {reason_of(trap, exploration.subject, traps.walks)}"
        )
        if not quiet:
            pictures.append((f"{number}. {trap.move}", exploration.position(trap.after).draw().rstrip()))
    return "\n".join(lines) + (f"\n\n{rows_of(pictures)}" if pictures else "")


def _heading(exploration: Exploration, traps: Traps) -> str:
    """Return a sentence about the number of traps and where in the level they are."""
    if traps.total is None:
        return "the traps are not known"
    if exploration.cost is None:
        return "the level is unsolvable from the start; `explain` says why"
    if traps.origin == NOWHERE:
        return "no move makes it unsolvable"
    where = "one move away from an optimal solution" if traps.origin == OPTIMAL_WAYS else "nearest to the start"
    shown = f"; the first {len(traps.traps)}" if len(traps.traps) < traps.total else ""
    return f"moves that make it unsolvable, {where}: {traps.total:,}{shown}"


def _where(start: Position, trap: Trap) -> str:
    path = joined_moves(start.game, trap.moves)
    return f"{trap.move} after {path}" if path else f"{trap.move} at the start"


# The command `survey`.


def arguments_survey(parser: ArgumentParser) -> None:
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
        """Survey the levels; after an interruption, return the rows so far."""
        read = (lambda name: self.levels[name].position(self.game)) if self.levels else None
        seen: dict[str, int] = {}

        def report(level: str, states: int) -> None:
            seen[level] = states
            if show is not None:
                show(level, states)

        with RowsSoFar() as so_far:
            how: dict[str, Any] = {**self.how, "on_row": so_far.rows.append, "progress": report}
            try:
                survey(self.game, [*self.levels] or None, read=read, **how)
            except KeyboardInterrupt as error:
                done = {row.level for row in so_far.rows}
                so_far.rows += [_interrupted(*each) for each in seen.items() if each[0] not in done and each[1]]
                if not so_far.rows and not error.args:
                    raise type(error)("no level was finished before the interruption") from error
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
        """Find the rules that fire. Raises UsageError if the game has no rules of this kind."""
        traced, covering = offered(self.game, Traced), None
        if traced is not None:
            covering = traced.cover(self.levels or None, progress=show, **self.how)
        if covering is None:
            raise UsageError(f"--rule-coverage works only for PuzzleScript games; {self.puzzle} is not one")
        with RowsSoFar([covering]) as so_far:
            covering.run()
        return so_far


def read_survey(options: Namespace) -> Input:
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
            raise UsageError(
                "--csv and -o write a table of levels, --rule-coverage writes a table of rules: leave out one of these"
            )
        own = {
            name: "" if name in game.levels else level_text(game, options.puzzle, name)[0] for name in options.levels
        }
        return CoverageRequest(game, options.puzzle, own, how)


def present_survey(request: Input, outcome: RowsSoFar, view: View) -> Answer:
    """Return the answer with the finished table rows, or with the rules that fire."""
    if not isinstance(request, SurveyRequest):
        return _coverage(outcome)
    rows = outcome.rows
    columns = [name for name in COLUMNS if name != "pushes" or request.how["objective"] != MOVES]
    text = _table(columns, rows)
    text += f"\n\n{_table(HARD, rows)}" if request.difficulty else ""
    text += "" if view.quiet else f"\n\n{_summary(rows)}"
    code, complaint = ended_early(outcome.ended_by, "the levels that were not reached are not in the table")
    code = _code(rows, request.wanted) if code is None else code
    answer = table_answer(code, rows, text, csv_of_fields(FIELDS, rows), request.csv)
    answer.complain(complaint)
    for row in rows:
        failures = [each for each in request.wanted if row.meets(each) is False]
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
    """Return the answer that names the rules that fire in the levels; undecided if some level is not fully explored."""
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
    """Return NO if a level certainly fails a requirement; else the exit code for levels that could not be decided."""
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
