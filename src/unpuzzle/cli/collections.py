"""Answers about several levels, or several solutions: all levels of a file solved, checked or drawn; solutions counted.

Each level has its own limits. A level that cannot be read, or solved, has a row that says so; Ctrl-C keeps the rows
so far. The exit code is the highest of all levels: 0 if each is as required.
"""

from __future__ import annotations

from argparse import Namespace
from os.path import splitext
from time import perf_counter
from typing import Any

from unpuzzle.base.errors import (
    DependencyMissing,
    LimitReached,
    ParseError,
    UnpuzzleError,
    UnsupportedFeature,
    UsageError,
)
from unpuzzle.base.files import save_file
from unpuzzle.base.outcomes import (
    BAD_INPUT,
    INTERRUPTED,
    NO,
    OF_STATUS,
    SOLVED,
    SOLVED_OPTIMALLY,
    TERMINATED,
    UNSOLVABLE,
    YES,
    of_error,
)
from unpuzzle.base.run import Limits, Run, phase
from unpuzzle.base.text import count, listed, listing
from unpuzzle.base.text import count as numbered
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.commands.plan import SolveRequest
from unpuzzle.cli.drawing import PictureFile, compare_pictures, pictures, text_picture
from unpuzzle.cli.files import LevelFile, NamedLevel, endings_of
from unpuzzle.cli.parser import limits_of
from unpuzzle.cli.refusals import PlayingGame
from unpuzzle.counting import Count, count_solutions
from unpuzzle.generation.collections import read_collection, replays, with_solution, write_collection
from unpuzzle.model.capabilities import offered
from unpuzzle.model.collection import Collected, CollectedLevel, Collection
from unpuzzle.model.position import Game, Position
from unpuzzle.model.replaying import cost_in_words, joined_moves, pushing
from unpuzzle.planning.planner import MOVES
from unpuzzle.processes.program import call_as_program
from unpuzzle.rendering import paper
from unpuzzle.rendering.saving import kind_of
from unpuzzle.workspace.inputs import GameInput, Input, RowsSoFar, Show

SHEET = ".pdf"
REFUSED = {
    "draw": "--draw shows only one level: name the level",
    "plan_file": "--plan-file is for only one level: name the level",
}


UNIQUENESS = {True: "one solution only", False: "several solutions", None: "perhaps more than one solution"}
"""The words about the number of solutions, by `unique` of a count."""
NOT_WITH_COUNT = ("anytime", "plan_file", "ties", "draw", "output")


class LevelsRequest(GameInput):
    """A request to solve or count all levels of a file."""

    file: LevelFile
    one: Any
    limits: Limits
    output: str | None = None
    pushes_first: bool = False
    view: View = View()
    limits_of_each = True

    def call(self, show: Show = None) -> LevelsOutcome:
        """Return the answers for all levels or, after Ctrl-C, for the levels that were done before."""
        outcome = LevelsOutcome(self.file.collection or Collection())
        with RowsSoFar(outcome.rows) as so_far:
            for level in self.file.levels:
                outcome.add(level, *self._solved(level, outcome, show), self)
                if outcome.codes[-1] in (INTERRUPTED, TERMINATED):
                    outcome.ending = outcome.codes[-1]
                    break
        if so_far.ended_by is not None:
            outcome.ending, _ = of_error(so_far.ended_by) or (INTERRUPTED, "")
        return outcome

    def _solved(self, level: NamedLevel, outcome: LevelsOutcome, show: Show) -> tuple[Position | None, Answer]:
        """Return a level's position and the answer for it; an error, such as a reached limit, becomes the answer."""
        clock, position = perf_counter(), None
        try:
            with Run(self.limits, "working"):
                if show is not None:
                    show(f"level {level.number:,} of {len(self.file.levels):,}")
                position = level.position(self.game)
                with PlayingGame(self.game, [(level.text, level.source)]):
                    request = self.one.replace(subject=position, clock=clock, read=perf_counter() - clock)
                    return position, request.answer(request.call(show))
        except (UnpuzzleError, MemoryError) as error:
            if not outcome.rows and isinstance(error, UsageError | DependencyMissing):
                raise  # it would be the same for all levels
            code, status = of_error(error) or (BAD_INPUT, "bad_input")
            place = {name: getattr(error, name, None) for name in ("file", "line", "column")}
            message = getattr(error, "message", str(error))
            fields = {"status": status, "cost": None, "moves": None, "message": message, **place}
            return position, Answer(code, fields, complaint=f"unpuzzle: {error}")

    def answer(self, outcome: LevelsOutcome) -> Answer:
        """Return the answer with the exit code of the worst level, and write the levels to the output file."""
        answer = Answer(outcome.ending or max(outcome.codes), {"levels": outcome.rows}, "\n".join(outcome.lines))
        for complaint in outcome.complaints:
            answer.complain(complaint)
        if outcome.ending:
            so_far = f"{len(outcome.rows):,} of {count(len(self.file.levels), 'level')}"
            answer.fields["message"] = f"interrupted: {so_far} in the answer"
            answer.complain(f"unpuzzle: {answer.fields['message']}")
        if self.output is not None:
            write_collection_file(answer, outcome.collection, self.game, self.file, self.output, self.view.quiet)
        return answer


class LevelsOutcome:
    """The answers so far for the levels of a file, and the collection with their solutions."""

    def __init__(self, collection: Collection) -> None:
        self.collection: Collection = collection
        self.rows: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self.codes: list[int] = []
        self.complaints: list[str] = []
        self.ending: int = 0

    def add(self, level: NamedLevel, position: Position | None, answer: Answer, request: LevelsRequest) -> None:
        """Add the answer for one level, with warnings where the answer differs from the file."""
        quiet = request.view.quiet
        warnings = [] if position is None else compare_with_file(level, position, answer, quiet=quiet)
        answer.warn(warnings)
        self.complaints += [f"unpuzzle: level {level.number}: warning: {sentence}" for sentence in warnings]
        self.rows.append({"name": level.title, "number": level.number, **answer.fields})
        self.lines.append(_line(level, request.game, answer.fields, quiet))
        self.codes.append(answer.code)
        if answer.complaint:
            self.complaints.append(f"unpuzzle: level {level.number}: {answer.complaint.removeprefix('unpuzzle: ')}")
        if position is not None:
            self.collection = _with_answer(self.collection, level.number, position, answer, request.pushes_first)


def request_of_all(
    file: LevelFile, game: Game, one: Any, endings: tuple[str, ...], options: Namespace
) -> LevelsRequest:
    """Return the request to solve all levels of a file; `endings` are file endings in which solutions can be stored.

    Raises UsageError for options that need a single level.
    """
    name = file.levels[0].name
    for option, reason in REFUSED.items():
        if vars(options)[option]:
            raise UsageError(f"{reason}, such as {name}")
    if options.output is not None and not options.output.lower().endswith(endings):
        ends = f"the solutions of several levels need a file whose name ends with {listing(endings, 'or')}; or "
        raise UsageError(f"{ends if endings else '-o draws one level; '}name one level: {name}")
    limits, view = limits_of(options, each=True), View(options.quiet, options.json)
    return LevelsRequest(game, file, one, limits, options.output, options.objective.startswith("pushes"), view)


def _with_answer(
    collection: Collection, number: int, position: Position, answer: Answer, pushes_first: bool
) -> Collection:
    """Return the collection with the answer's solution added, if this is better than the solutions in the file."""
    moves = answer.fields.get("moves")
    found = moves is not None and answer.fields["status"] in (SOLVED, SOLVED_OPTIMALLY) and answer.fields["valid"]
    if not found or not endings_of(position.game):
        return collection
    return with_solution(collection, number, position, moves, pushes_first=pushes_first)


def compare_with_file(level: NamedLevel, position: Position, answer: Answer, *, quiet: bool) -> list[str]:
    """Return warnings where the answer differs from the solutions in a file; used for puzzles such as sudokus."""
    entry, ours = level.entry, answer.fields.get("solution")
    if entry is None or not entry.solutions or ours is None:
        return []
    found = []
    for _, outcome in replays(position, entry):  # a grid is few moves, and the answer must not get lost
        if not outcome.solved:
            found.append(f"the solution in the file is wrong: {outcome.reason}")
        elif outcome.position.line() != ours:
            found.append("the solution in the file differs: the level has several solutions")
        elif not quiet and len(entry.solutions) == 1:
            answer.text += "; the solution in the file is the same\n"
    return found


def write_collection_file(
    answer: Answer, collection: Collection, game: Game, file: LevelFile, path: str, quiet: bool
) -> None:
    """Write a collection to a file; if that fails, add the reason to the answer, which keeps the results.

    A file of another kind than the one read has its own form and encoding.
    """
    answer.fields["file"] = None
    ending = splitext(path)[1].lower()
    kept = collection.has_text and ending == splitext(file.source)[1].lower()
    try:
        text = write_collection(collection, game, "" if kept else ending)
        save_file(path, text.encode(file.encoding) if kept else text)
        answer.fields["file"] = path
        if lost := _unsupported_parts(collection, read_collection(text, game)):
            sentence = f"{path}: warning: this file format cannot contain {listing(lost, 'and')}"
            answer.warn([sentence])
            if quiet:  # then warnings are not shown, but what got lost is
                answer.complain(sentence)
    except (OSError, UsageError) as error:
        answer.code = BAD_INPUT
        reason = f": {error.strerror}" if isinstance(error, OSError) else f" is not written: {error}"
        answer.complain(f"unpuzzle: {path}{reason}")


def _unsupported_parts(collection: Collection, written: Collection) -> list[str]:
    """Return which parts of a collection get lost when the collection is written to a file."""
    pairs = list(zip(collection.levels, written.levels, strict=True))
    kinds = {
        "notes": any(one.replace(solutions=()) != other.replace(solutions=()) for one, other in pairs),
        "solutions": any(one.solutions != other.solutions for one, other in pairs),
        "notes on the file": collection.replace(levels=()) != written.replace(levels=()),
    }
    return [kind for kind, is_lost in kinds.items() if is_lost]


def _line(level: NamedLevel, game: Game, fields: dict[str, Any], quiet: bool) -> str:
    """Return the line about a level: heading, figures and solution; if `quiet`, only the solution or the status.

    The solution is the moves or, of a puzzle such as sudoku, the filled grid.
    """
    moves = fields.get("solution") or ("" if fields.get("moves") is None else joined_moves(game, fields["moves"]))
    if quiet:
        return moves or str(fields["status"])
    seconds = fields.get("seconds", {}).get("total")
    figures = [str(fields["status"])]
    figures += [f"{name} {fields[name]}" for name in ("cost", "pushes") if fields.get(name) is not None]
    figures += [UNIQUENESS[fields["unique"]]] if fields.get("solutions") else []
    figures += [] if seconds is None else [f"{seconds:.3f} s"]
    return f"{level.heading}: {', '.join(figures)}{f': {moves}' if moves else ''}"


def judged_solutions(file: LevelFile, game: Game) -> Answer:
    """Play all solutions in a file of levels. Raises ParseError if there are none, and LimitReached."""
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    solved: list[bool | None] = []
    able = offered(game, Collected)
    for level in file.levels:
        if level.entry is None or not level.entry.solutions:
            continue
        row: dict[str, Any] = {"name": level.title, "number": level.number, "solutions": [], "message": ""}
        rows.append(row)
        try:
            with phase("playing the moves"):
                outcomes = replays(level.position(game), level.entry)
        except ParseError as error:
            row["message"] = str(error)
            lines.append(f"{level.number}. {level.title}: {error}")
            solved.append(None)
            continue
        for moves, outcome in outcomes:
            own = {name: getattr(outcome, name) for name in ("legal", "solved", "cost", "step", "reason")}
            played = moves[: (outcome.step or len(moves) + 1) - 1]  # before the illegal move, whose number is `step`
            pushes = len(played) if able is None else able.pushes_in(played)
            row["solutions"].append({**own, "pushes": pushes})
            words = f"solved: cost {outcome.cost}{f', pushes {pushes}' if pushing(game) else ''}"
            lines.append(f"{level.heading}: {words if outcome.solved else f'not solved: {outcome.reason}'}")
            solved.append(outcome.solved)
    if not rows:
        raise ParseError("no level in this file has a solution", file=file.source)
    # A wrong solution is certain, so it outranks a level that cannot be read.
    code = NO if False in solved else BAD_INPUT if None in solved else YES
    return Answer(code, {"levels": rows}, "\n".join(lines))


class SheetRequest(GameInput):
    """A request to draw all levels of a file as text, or on printable sheets with the valid solutions in the file."""

    file: LevelFile
    picture: PictureFile
    view: View = View()

    def _require_sense(self) -> None:
        if self.picture.path is not None and kind_of(self.picture.path) != SHEET:
            raise UsageError(
                f"several levels can be drawn only on a sheet (-o x{SHEET}) or in the terminal; "
                f"for a page to play on, use `play`"
            )

    def call(self, show: Show = None) -> Answer:
        """Draw all levels that can be read."""
        positions: list[tuple[NamedLevel, Position]] = []
        complaints = []
        for level in self.file.levels:
            try:
                positions.append((level, level.position(self.game)))
            except ParseError as error:
                complaints.append(f"unpuzzle: level {level.number} is not drawn: {error}")
        if not positions:
            reason = complaints[0].removeprefix("unpuzzle: ")
            raise ParseError(f"no level in this file can be read: {reason}", file=self.file.source)
        rows = [
            {"name": level.title, "number": level.number, "picture": position.draw()} for level, position in positions
        ]
        text = "\n\n".join([f"{level.heading}\n{text_picture(position)}" for level, position in positions])
        path = self.picture.path
        if path is not None:
            self._draw(positions, path)
            text = "" if self.view.quiet else path
        return Answer(BAD_INPUT if complaints else YES, {"levels": rows, "file": path}, text, "\n".join(complaints))

    def _draw(self, positions: list[tuple[NamedLevel, Position]], path: str) -> None:
        """Write the levels as a booklet, with the first valid solution of each. Raises LimitReached, OSError."""
        entries = []
        for level, position in positions:
            played = replays(position, level.entry) if level.entry else []
            moves = next((moves for moves, outcome in played if outcome.solved), None)
            entries.append(paper.BookletEntry(position, level.entry.title if level.entry else "", moves))
        collection = self.file.collection
        parts = entries, self.game.title if collection is None or not collection.title else collection.title, "a4"
        if self.picture.apart:
            data = bytes(call_as_program(paper.__name__, paper.booklet.__name__, parts, "drawing the sheet"))
        else:
            data = paper.booklet(*parts)
        save_file(path, data)


def show(request: SolveRequest, answer: Answer) -> None:
    """Add drawings of the moves if --draw is given; write the --output file: a picture, or levels with solution."""
    moves, position, picture = answer.fields["moves"], request.level.position, request.picture
    if request.draw and moves is not None:
        try:
            with phase("drawing"):
                answer.text = pictures(position, moves) + answer.text
        except LimitReached as reached:  # the moves are still written to stdout
            answer.code, _ = of_error(reached) or (BAD_INPUT, "")
            answer.complaint = f"unpuzzle: the positions are not drawn: {reached}"
    if request.collection_file is not None:
        collection = request.file.collection or Collection(levels=(CollectedLevel(board=str(position)),))
        pushes_first = request.one.objective.startswith("pushes")
        collection = _with_answer(collection, request.file.levels[0].number, position, answer, pushes_first)
        path, quiet = request.collection_file, request.one.view.quiet
        write_collection_file(answer, collection, position.game, request.file, path, quiet)
    elif picture is not None:
        answer.fields["file"] = None
        try:
            if answer.end is not None:
                answer.fields["file"] = picture.draw(answer.end)
            elif moves is not None:
                answer.fields["file"] = picture.draw(position, moves)
        except (OSError, LimitReached, UnsupportedFeature) as error:  # the moves are still written to stdout
            reason = error.strerror if isinstance(error, OSError) else error
            named = "" if isinstance(error, UnsupportedFeature) else f"{picture.path}: "
            answer.code, _ = of_error(error) or (BAD_INPUT, "")
            answer.complaint = f"unpuzzle: {named}{reason}"


class CountRequest(Input):
    """A request to count the solutions of a level, up to `most`."""

    subject: Position
    clock: float
    most: int = 2
    planner: str | None = None
    read: float = 0.0
    view: View = View()

    def call(self, show: Show = None) -> Count:
        count = count_solutions(self.subject, self.most, planner=self.planner)
        return count.replace(result=count.result.lasting(read=self.read))

    def answer(self, outcome: Count) -> Answer:
        line, other, *_ = [*(position.line() for position in outcome.positions[:2]), None, None]
        fields = {
            **outcome.result.to_dict(),
            "solutions": len(outcome.solutions),
            "unique": outcome.unique,
            "solution": line,
            "other_solution": other,
            "differences": {name: list(values) for name, values in outcome.differences().items()},
            "conflict": None if outcome.conflict is None else list(outcome.conflict),
        }
        text = _text(self.subject, outcome, self.view.quiet)
        return Answer(OF_STATUS[outcome.result.status], fields, text, _complaint(outcome))


def count_request(options: Namespace) -> CountRequest:
    """Return the request to count a level's solutions. Raises UsageError for options that --count excludes."""
    for name in NOT_WITH_COUNT:
        if vars(options)[name]:
            raise UsageError(f"--count cannot be combined with --{name.replace('_', '-')}")
    if options.objective != MOVES:
        raise UsageError("--count counts all solutions: it cannot be combined with --objective")
    return CountRequest.of(options, subject=None, view=View(options.quiet), most=options.count)


def _text(position: Position, count: Count, quiet: bool) -> str:
    """Return the text about the number of solutions, with two solutions side by side if there are several."""
    if quiet:  # a line for each solution, or their number
        lines = [line for position in count.positions if (line := position.line()) is not None]
        return "\n".join(lines or [str(len(count.solutions))])
    result = count.result
    figures = f"{result.seconds['total']:.3f} s, by {result.planner}"
    if len(count.solutions) > 1:
        differences = count.differences()
        some = "at least " if len(count.solutions) == count.most or not result.solved else ""
        cells = listed([f"{name} {one} or {other}" for name, (one, other) in differences.items()], 12)
        pictures = compare_pictures(*count.positions[:2])
        return f"{pictures}; two of {some}{len(count.solutions):,} solutions: {cells}; {figures}"
    if count.solutions:
        one = "one solution only" if count.unique else "a solution; there may be others"
        lines = [count.positions[0].draw().rstrip(), joined_moves(position.game, result.moves or ())]
        return "\n".join([*lines, f"; {one}, {cost_in_words(position, result.cost or 0)}, {figures}"])
    return ""


def _complaint(count: Count) -> str:
    """Return a sentence for stderr that says why the solutions could not be counted; empty if they could."""
    result = count.result
    if result.solved:
        return ""
    more = f"{numbered(len(count.solutions), 'solution')} until then" if count.solutions else ""
    if result.status == UNSOLVABLE and count.conflict:
        more = f"these contradict each other: {', '.join(count.conflict)}"
    return ": ".join(filter(None, [f"unpuzzle: {result.status}", result.message, more]))
