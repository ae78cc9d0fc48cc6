"""Commands for files of several levels: solve all of them, judge the solutions in them, draw them.

Each level has limits of its own. A level that cannot be read, or solved, has a row that says so; Ctrl-C keeps the rows
so far. The exit code is the highest of all levels: 0 if each is as required.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from os.path import splitext
from time import perf_counter, process_time
from typing import Any

from unpuzzle.cli.answer import BAD_INPUT, BROKEN, INTERRUPTED, NO, OF_STATUS, TERMINATED, YES, Answer, of_error
from unpuzzle.cli.drawing import draw_file, pictures, text_picture
from unpuzzle.cli.edge.delivery import ProgressLine
from unpuzzle.cli.files import LevelFile, NamedLevel, endings_of
from unpuzzle.cli.parser import has_limits, run_of
from unpuzzle.errors import DependencyMissing, LimitReached, ParseError, UnpuzzleError, UnsupportedFeature, UsageError
from unpuzzle.files import save_file
from unpuzzle.levels.collections import read_collection, replays, with_solution, write_collection
from unpuzzle.planners.external.elsewhere import elsewhere
from unpuzzle.puzzle.amounts import pushing
from unpuzzle.puzzle.capabilities import offered
from unpuzzle.puzzle.collection import Collected, CollectedLevel, Collection
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.puzzle.replaying import joined_moves
from unpuzzle.rendering import booklet
from unpuzzle.rendering.saving import kind_of
from unpuzzle.result import SOLVED, SOLVED_OPTIMALLY
from unpuzzle.run import detached, phase
from unpuzzle.words import count, listing

Solving = Callable[[Position, Namespace, float], Answer]
SHEET = ".pdf"
REFUSED = {"draw": "--draw shows one level: name it", "plan_file": "--plan-file is for one level: name it"}


def require_fitting(file: LevelFile, game: Game, options: Namespace) -> None:
    """Raise UsageError, before any work, for options that do not go with several levels."""
    name = file.levels[0].name
    for option, reason in REFUSED.items():
        if getattr(options, option):
            raise UsageError(f"{reason}, such as {name}")
    endings = tuple(endings_of(game))
    if options.output is not None and not options.output.lower().endswith(endings):
        ends = f"the solutions of several levels go into a file whose name ends with {listing(endings, 'or')}; or "
        raise UsageError(f"{ends if endings else '-o draws one level; '}name one level: {name}")


class _Run:
    """The answers so far for the levels of a file, and the collection with their solutions."""

    def __init__(self, file: LevelFile, game: Game, options: Namespace) -> None:
        self.file, self.game, self.options = file, game, options
        self.collection = file.collection or Collection()
        self.rows: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self.codes: list[int] = []
        self.complaints: list[str] = []

    def add(self, level: NamedLevel, position: Position | None, answer: Answer) -> None:
        warnings = [] if position is None else compare_with_file(level, position, answer, self.options)
        answer.warn(warnings)
        self.complaints += [f"unpuzzle: level {level.number}: warning: {sentence}" for sentence in warnings]
        self.rows.append({"name": level.title, "number": level.number, **answer.fields})
        self.lines.append(_line(level, self.game, answer.fields, self.options.quiet))
        self.codes.append(answer.code)
        if answer.complaint:
            self.complaints.append(f"unpuzzle: level {level.number}: {answer.complaint.removeprefix('unpuzzle: ')}")
        if position is not None:
            self.collection = _with_answer(self.collection, level.number, position, answer, self.options)


def solve_all(file: LevelFile, game: Game, options: Namespace, solve: Solving) -> Answer:
    """Solve all levels of a file, and write it with the solutions to --output, if given; limits are for each level."""
    with detached():
        run, interruption = _Run(file, game, options), 0
        try:
            for level in file.levels:
                position, answer = _solved(level, run, solve)
                run.add(level, position, answer)
                if answer.code in (INTERRUPTED, TERMINATED):
                    interruption = answer.code
                    break
        except KeyboardInterrupt as error:
            if not run.rows:
                raise
            interruption, _ = of_error(error) or (INTERRUPTED, "")
        if hasattr(options, "alarm"):
            options.alarm.end()
        answer = Answer(interruption or max(run.codes), {"levels": run.rows}, "\n".join(run.lines))
        for complaint in run.complaints:
            answer.complain(complaint)
        if interruption:
            answer.fields["message"] = (
                f"interrupted: {len(run.rows):,} of {count(len(file.levels), 'level')} in the answer"
            )
            answer.complain(f"unpuzzle: {answer.fields['message']}")
        if options.output is not None:
            _write(answer, run.collection, game, file, options)
        return answer


def write_with_answer(file: LevelFile, position: Position, answer: Answer, options: Namespace) -> None:
    """Write the file of one level to --output, with all its other contents and the solution in the answer."""
    collection = file.collection or Collection(levels=(CollectedLevel(board=str(position)),))
    collection = _with_answer(collection, file.levels[0].number, position, answer, options)
    _write(answer, collection, position.game, file, options)


def _with_answer(
    collection: Collection, number: int, position: Position, answer: Answer, options: Namespace
) -> Collection:
    """Return the collection with the solution in an answer, if it is better than the solutions in the file."""
    moves = answer.fields.get("moves")
    found = moves is not None and answer.fields["status"] in (SOLVED, SOLVED_OPTIMALLY) and answer.fields["valid"]
    if not found or not endings_of(position.game):
        return collection
    pushes_first = str(getattr(options, "objective", None) or "moves").startswith("pushes")
    return with_solution(collection, number, position, moves, pushes_first=pushes_first)


def compare_with_file(level: NamedLevel, position: Position, answer: Answer, options: Namespace) -> list[str]:
    """Compare the solutions in a file with the answer, for puzzles whose solution is a position; return warnings."""
    entry, ours = level.entry, answer.fields.get("solution")
    if entry is None or not entry.solutions or ours is None:
        return []
    found = []
    for _, outcome in replays(position, entry):  # a grid is few moves, and the answer must not get lost
        if not outcome.solved:
            found.append(f"the solution in the file is wrong: {outcome.reason}")
        elif outcome.position.line() != ours:
            found.append("the solution in the file is another one: there are several")
        elif not options.quiet and len(entry.solutions) == 1:
            answer.text += "; the solution in the file is the same\n"
    return found


def _write(answer: Answer, collection: Collection, game: Game, file: LevelFile, options: Namespace) -> None:
    """Write a collection; if that fails, keep the answer and add the reason.

    A file of another kind than that which was read has its own form and encoding.
    """
    answer.fields["file"] = None
    path, ending = options.output, splitext(options.output)[1].lower()
    kept = collection.has_text and ending == splitext(file.source)[1].lower()
    try:
        text = write_collection(collection, game, "" if kept else ending)
        save_file(path, text.encode(file.encoding) if kept else text)
        answer.fields["file"] = path
        if lost := _lost(collection, read_collection(text, game)):
            sentence = f"{path}: warning: such a file has no place for {listing(lost, 'and')}"
            answer.warn([sentence])
            if options.quiet:  # then warnings are not shown, but what got lost is
                answer.complain(sentence)
    except (OSError, UsageError) as error:
        answer.code = BAD_INPUT
        reason = f": {error.strerror}" if isinstance(error, OSError) else f" is not written: {error}"
        answer.complain(f"unpuzzle: {path}{reason}")


def _lost(collection: Collection, written: Collection) -> list[str]:
    """Return what a written file lacks of a collection with the same levels."""
    pairs = list(zip(collection.levels, written.levels, strict=True))
    kinds = {
        "notes": any(one.replace(solutions=()) != other.replace(solutions=()) for one, other in pairs),
        "solutions": any(one.solutions != other.solutions for one, other in pairs),
        "notes on the file": collection.replace(levels=()) != written.replace(levels=()),
    }
    return [kind for kind, is_lost in kinds.items() if is_lost]


def _solved(level: NamedLevel, run: _Run, solve: Solving) -> tuple[Position | None, Answer]:
    """Return a level's position and the answer for it, within limits of its own; errors become answers."""
    own = Namespace(**{**vars(run.options), "clock": perf_counter(), "cpu_clock": process_time()})
    if hasattr(run.options, "alarm"):
        run.options.alarm.begin(own)
    position = None
    try:
        with run_of(own), ProgressLine(own, "level {:,} of {:,}") as show:
            if show is not None:
                show(level.number, len(run.file.levels))
            position = level.position(run.game, own)
            return position, solve(position, own, perf_counter() - own.clock)
    except (UnpuzzleError, MemoryError) as error:
        if not run.rows and isinstance(error, UsageError | DependencyMissing):
            raise  # it would be the same for all levels
        return position, _refusal(error)


def _refusal(error: BaseException) -> Answer:
    """Return the answer for a level that failed with an error."""
    code, status = of_error(error) or (BAD_INPUT, "bad_input")
    place = {name: getattr(error, name, None) for name in ("file", "line", "column")}
    fields = {"status": status, "cost": None, "moves": None, "message": getattr(error, "message", str(error)), **place}
    return Answer(code, fields, complaint=f"unpuzzle: {error}")


def _line(level: NamedLevel, game: Game, fields: dict[str, Any], quiet: bool) -> str:
    """Return the line about a level: its heading, figures and moves; if `quiet`, the moves or else the status."""
    moves = "" if fields.get("moves") is None else joined_moves(game, fields["moves"])
    if quiet:
        return moves or str(fields["status"])
    seconds = fields.get("seconds", {}).get("total")
    figures = [str(fields["status"])]
    figures += [f"{name} {fields[name]}" for name in ("cost", "pushes") if fields.get(name) is not None]
    figures += [] if seconds is None else [f"{seconds:.3f} s"]
    return f"{level.heading}: {', '.join(figures)}{f': {moves}' if moves else ''}"


def judge_solutions(file: LevelFile, game: Game, options: Namespace) -> Answer:
    """Play all solutions in a file of levels. Raises ParseError if there are none, LimitReached."""
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    solved: list[bool | None] = []
    able = offered(game, Collected)
    for level in file.levels:
        if level.entry is None or not level.entry.solutions:
            continue
        try:
            with phase("playing the moves"):
                outcomes = replays(level.position(game, options), level.entry)
        except ParseError as error:
            rows.append({"name": level.title, "number": level.number, "solutions": [], "message": str(error)})
            lines.append(f"{level.number}. {level.title}: {error}")
            solved.append(None)
            continue
        parts = []
        for moves, outcome in outcomes:
            own = {name: getattr(outcome, name) for name in ("legal", "solved", "cost", "step", "reason")}
            played = moves[: (outcome.step or len(moves) + 1) - 1]
            parts.append({**own, "pushes": len(played) if able is None else able.pushes_in(played)})
            pushes = f", pushes {parts[-1]['pushes']}" if pushing(game) else ""
            words = f"solved: cost {outcome.cost}{pushes}"
            lines.append(f"{level.heading}: {words if outcome.solved else f'not solved: {outcome.reason}'}")
            solved.append(outcome.solved)
        rows.append({"name": level.title, "number": level.number, "solutions": parts, "message": ""})
    if not rows:
        raise ParseError("no level in it has a solution", file=file.source)
    code = NO if False in solved else BAD_INPUT if None in solved else YES
    return Answer(code, {"levels": rows}, "\n".join(lines))


def require_sheet(options: Namespace) -> None:
    """Raise UsageError, before any work, for options of `draw` that do not go with several levels."""
    if options.moves or options.graph is not None:
        raise UsageError("MOVES and --graph are for one level: name it, such as FILE:1")
    if options.output is not None and kind_of(options.output) != SHEET:
        raise UsageError(f"several levels are drawn on a sheet, x{SHEET}, or here; `play` makes a page of them")


def draw_all(file: LevelFile, game: Game, options: Namespace) -> Answer:
    """Draw all levels of a file: as text, or on sheets of paper with the valid solutions in the file."""
    positions: list[tuple[NamedLevel, Position]] = []
    complaints = []
    for level in file.levels:
        try:
            positions.append((level, level.position(game, options)))
        except ParseError as error:
            complaints.append(f"unpuzzle: level {level.number} is not drawn: {error}")
    if not positions:
        raise ParseError(f"no level in it can be read: {complaints[0].removeprefix('unpuzzle: ')}", file=file.source)
    rows = [{"name": level.title, "number": level.number, "picture": position.draw()} for level, position in positions]
    text = "\n\n".join([f"{level.heading}\n{text_picture(position)}" for level, position in positions])
    if options.output is not None:
        _draw_sheet(file, game, positions, options)
        text = "" if options.quiet else str(options.output)
    fields = {"levels": rows, "file": options.output}
    return Answer(BAD_INPUT if complaints else YES, fields, text, "\n".join(complaints))


def _draw_sheet(file: LevelFile, game: Game, positions: list[tuple[NamedLevel, Position]], options: Namespace) -> None:
    """Write levels as a booklet, with the first valid solution in the file. Raises LimitReached, OSError."""
    entries = []
    for level, position in positions:
        played = replays(position, level.entry) if level.entry else []
        moves = next((moves for moves, outcome in played if outcome.solved), None)
        entries.append(booklet.BookletEntry(position, level.entry.title if level.entry else "", moves))
    title = game.title if file.collection is None or not file.collection.title else file.collection.title
    parts = entries, title, "a4"
    if has_limits(options):
        data = bytes(elsewhere(booklet.__name__, booklet.booklet.__name__, parts, "drawing the sheet"))
    else:
        data = booklet.booklet(*parts)
    save_file(options.output, data)


def show(file: LevelFile, position: Position, answer: Answer, options: Namespace, *, into_file: bool) -> None:
    """Show the moves as --draw asks, and write the file of --output: a picture, or the collection with the solution."""
    moves = answer.fields["moves"]
    if options.draw and moves is not None:
        with detached():
            answer.text = pictures(position, moves) + answer.text
    if into_file:
        write_with_answer(file, position, answer, options)
    elif options.output is not None:
        answer.fields["file"] = None
        try:
            if answer.end is not None:
                answer.fields["file"] = draw_file(answer.end, (), options)
            elif moves is not None:
                answer.fields["file"] = draw_file(position, moves, options)
        except OSError as error:  # the moves are still written to stdout
            answer.code, answer.complaint = BAD_INPUT, f"unpuzzle: {options.output}: {error.strerror}"
        except LimitReached as reached:
            answer.code, answer.complaint = OF_STATUS[reached.status], f"unpuzzle: {options.output}: {reached}"
        except UnsupportedFeature as error:
            answer.code, answer.complaint = BROKEN, f"unpuzzle: {error}"
