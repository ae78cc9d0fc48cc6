"""Commands for pictures of levels: `draw`, in the terminal or into a file; `booklet`, on paper, with title and rules.

`unpuzzle generate` writes its booklets by it, too. The solution of a level is the one in its file, unless the rules
refute it, otherwise one by the default planner.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.outcomes import BAD_INPUT, NO, OF_STATUS, SOLVED_OPTIMALLY, UNSOLVABLE, YES
from unpuzzle.base.run import Limits, current
from unpuzzle.base.text import listing
from unpuzzle.base.values import Record, schema_name
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.collections import SheetRequest
from unpuzzle.cli.commands.moves import ReplayRequest, add_moves, read_moves
from unpuzzle.cli.drawing import PictureFile, picture_file, require_picture, text_picture
from unpuzzle.cli.files import NamedLevel, level_file, levels_of, read_game, read_text, save_beside, the_level
from unpuzzle.cli.parser import add_levels, add_limits, add_output, flag, has_limits, option
from unpuzzle.cli.refusals import PlayingGame, ReadingPddl
from unpuzzle.generation.collections import replays
from unpuzzle.model.capabilities import Constrained, offered
from unpuzzle.model.position import Game, Position
from unpuzzle.model.replaying import Replay, cost_in_words
from unpuzzle.processes.program import call_as_program
from unpuzzle.rendering import paper
from unpuzzle.rendering.paper import BookletEntry, Front, size_of
from unpuzzle.rendering.saving import kind_of
from unpuzzle.rendering.themes import missing
from unpuzzle.solving import solve
from unpuzzle.workspace.inputs import GameInput, Input, Show

EXAMPLE_DRAW = """unpuzzle draw boxup 1 ULDRR -o solution.svg
  unpuzzle draw sokoban levels.sok -o sheet.pdf        all levels of a file
  unpuzzle draw domain.pddl p1 --graph objects.svg"""
EXAMPLE_BOOKLET = """unpuzzle booklet boxup 1 2 3 -o boxup.pdf
  unpuzzle booklet sokoban mine.sok 3 -o mine.pdf --title "Winter" --author "A. Maker" --rules-text rules.txt"""
OF_BOOKLETS = {"title": "", "author": "", "cover": False, "rules_text": None, "no_solutions": False, "paper": "a4"}
"""The options of a booklet, with their defaults."""
UNREADABLE = "bad_input"
FEW = 8
"""The most characters that a warning names."""
FOR_THE_BOOKLET, SHARE_OF_THE_BOOKLET = 2.0, 0.25
"""Seconds that are left for drawing a booklet, and the largest share of the time limit for this."""


# The command `draw`.


def arguments_draw(parser: ArgumentParser) -> None:
    add_moves(parser)
    flag(parser, "--still", "draw only the position after the moves, not the way to it")
    about = "draw the PDDL objects of the position after the moves as a graph, into a file such as x.svg"
    add_output(parser)
    option(parser, "--graph FILE", about)
    add_limits(parser)


class DrawRequest(ReplayRequest):
    """A request to draw a level and its moves; if `still`, only the last position; `graph` is a file for a graph."""

    still: bool = False
    graph: PictureFile = PictureFile()


def read_draw(options: Namespace) -> Input:
    """Read a level and moves, or all levels of a file."""
    picture, graph = picture_file(options, options.output), picture_file(options, options.graph)
    with ReadingPddl(options.puzzle, options.level):
        game = read_game(options.puzzle)
        with PlayingGame(game):
            picture.require(game)
        graph.require_panels("a graph of objects")
        file = level_file(game, options.puzzle, options.level, options.obstacles)
        if len(file.levels) > 1:
            if options.moves or options.graph is not None:
                raise UsageError("MOVES and --graph are for one level: name it, such as FILE:1")
            return SheetRequest(game, file, picture, View(options.quiet))
        level = the_level(file, game, options.puzzle)
    moves = read_moves(level, options.moves)
    return DrawRequest(level, moves, False, picture, options.still, graph)


def present_draw(request: Input, outcome: Replay | Answer, view: View) -> Answer:
    """Return the drawing of a level, or of a level and moves."""
    if isinstance(outcome, Answer):
        return outcome
    assert isinstance(request, DrawRequest)
    require_picture(request.position)
    fields = {"picture": outcome.position.draw(), "legal": outcome.legal, "step": outcome.step}
    fields["reason"] = "" if outcome.legal else outcome.reason
    file, graph = request.picture.path, request.graph.path
    request.picture.draw(
        outcome.position if request.still else request.position, () if request.still else request.legal(outcome)
    )
    fields["file"] = file
    if graph is not None:
        fields["graph"], note = graph, request.graph.draw_graph(outcome.position)
        if outcome.legal:
            files = [name for name in (file, graph) if name]
            return Answer(YES, fields, "" if view.quiet else "\n".join(files), note and f"unpuzzle: {note}")
    if not outcome.legal:
        before = f"; {file} shows the legal moves" if file else ""
        text = "" if file else text_picture(outcome.position)
        return Answer(NO, fields, text, f"unpuzzle: {outcome.reason}{before}")
    answer = Answer(YES, fields, "" if view.quiet and file else file or text_picture(outcome.position))
    answer.remark(request.position, view)
    return answer


# The command `booklet`.


def arguments_booklet(parser: ArgumentParser) -> None:
    add_levels(parser)
    option(parser, "-o --output FILE", "the booklet, x.pdf", dest="booklet", required=True)
    add_booklet_options(parser)
    add_limits(parser)


def add_booklet_options(parser: ArgumentParser) -> None:
    """Add --paper and the options for a booklet's title page."""
    option(parser, "--paper SIZE", "paper of the booklet: a4 or letter; default: a4", default="a4")
    option(parser, "--title TEXT", "title of the booklet; default: the game's", default="")
    option(parser, "--author TEXT", "author of the booklet", default="")
    flag(parser, "--cover", "add a first page with title, author and a picture; --rules-text adds it, too, with rules")
    option(parser, "--rules-text FILE", "a text for the first page on how to play; empty lines separate paragraphs")
    flag(parser, "--no-solutions", "make a booklet without solutions")


class Booklet(Record):
    """The settings of a booklet that is to be written.

    Attributes:
        path: its file.
        front: the data of the title page.
        title: its title, if it is not the game's.
        apart: whether it is drawn in a separate process, since there are limits.
    """

    path: str
    front: Front
    title: str = ""
    paper: str = "a4"
    no_solutions: bool = False
    apart: bool = False


def booklet_asked(options: Namespace) -> Booklet | None:
    """Return the settings for --booklet, including the text of the rules; None if the option is not given.

    Raises UsageError or DependencyMissing, before any work, if it cannot be made, ParseError, OSError.
    """
    if options.booklet is None:
        for name, default in OF_BOOKLETS.items():
            if vars(options)[name] != default:
                raise UsageError(f"--{name.replace('_', '-')} is for a booklet: name its file with --booklet x.pdf")
        return None
    if kind_of(options.booklet) != ".pdf":
        raise UsageError(f"the name of a booklet must end in .pdf, not '{options.booklet}'")
    size_of(options.paper)  # raises UsageError for an unknown size
    rules = "" if options.rules_text is None else read_text(options.rules_text)[0]
    front = Front(options.author, rules, options.cover)
    looks = options.title, options.paper, options.no_solutions
    return Booklet(options.booklet, front, *looks, apart=has_limits(options))


def without_drawing(time: float | None) -> float | None:
    """Return a time limit minus the time that is reserved for drawing the booklet."""
    return time and max(time - min(FOR_THE_BOOKLET, SHARE_OF_THE_BOOKLET * time), 0.001)


def write_pages(answer: Answer, entries: Sequence[BookletEntry], title: str, made: Booklet) -> bool:
    """Write the booklet of an answer; return whether this succeeded, and if not, add the reason to the answer."""
    if made.no_solutions:
        entries = [paper.BookletEntry(entry.position, entry.difficulty, None) for entry in entries]
    parts = list(entries), made.title or title, made.paper, made.front

    def draw() -> bytes:
        if not made.apart:
            return paper.booklet(*parts)
        return bytes(call_as_program(paper.__name__, paper.booklet.__name__, parts, "drawing the booklet"))

    written = save_beside(answer, made.path, draw)
    words = "".join([parts[1], made.front.author, made.front.rules, *[entry.difficulty for entry in entries]])
    if lacking := missing(words):
        said = f"the font of booklets has no {listing(lacking[:FEW])}{' and others' * (len(lacking) > FEW)}"
        answer.warn([f"{made.path}: warning: {said}; boxes replace them"])
    return written


class BookletRequest(GameInput):
    """A request to draw levels as a booklet."""

    levels: Sequence[tuple[NamedLevel | str, Position | ParseError]]
    """The levels; one that cannot be read, by the LEVEL that names it, has an error instead of a position."""
    booklet: Booklet

    shows = "level {:,} of {:,}"

    def call(self, show: Show = None) -> list[BookletRow]:
        """Return the levels with the solutions that were found within the limits."""
        rows: list[BookletRow] = []
        printed = 0
        for number, (level, position) in enumerate(self.levels, 1):
            if show is not None:
                show(number, len(self.levels))
            if isinstance(position, ParseError) or isinstance(level, str):
                name = level if isinstance(level, str) else level.name
                rows.append(BookletRow(name, None, UNREADABLE, str(position), None))
                continue
            printed += 1
            rows.append(_row(level, position, printed, self.booklet))
        return rows


class BookletRow(Record):
    """A level in a booklet, with the status of its solution, or with a message that says why no solution is shown.

    A level that cannot be read has no number and no place in the booklet.
    """

    name: str
    number: int | None
    status: str | None
    message: str
    _entry: BookletEntry | None


def read_booklet(options: Namespace) -> BookletRequest:
    """Read the levels to be drawn. Raises the error of the first level if none of them can be read."""
    made = booklet_asked(options)
    assert made is not None  # the option is required
    game = read_game(options.puzzle)
    with PlayingGame(game):
        levels = [pair for name in options.levels for pair in _read_levels(game, options, name)]
    errors = [position for _, position in levels if isinstance(position, ParseError)]
    if len(errors) == len(levels):
        raise errors[0]
    return BookletRequest(game, levels, made)


def _read_levels(game: Game, options: Namespace, name: str) -> list[tuple[NamedLevel | str, Position | ParseError]]:
    """Return the levels that an argument names; each one that cannot be read has an error instead of a position."""
    levels: list[tuple[NamedLevel | str, Position | ParseError]] = []
    try:
        named = levels_of(game, options.puzzle, [name], options.obstacles)
    except ParseError as error:
        if error.file is None:  # nothing has this name: the argument is wrong, not a level
            raise
        return [(name, error)]
    for level in named:
        try:
            levels.append((level, level.position(game)))
        except ParseError as error:
            levels.append((level, error))
    return levels


def present_booklet(request: BookletRequest, outcome: list[BookletRow], view: View) -> Answer:
    """Write the booklet; report the levels that are printed without a solution, and the levels that are left out."""
    path = request.booklet.path
    fields = {"schema": schema_name("draw"), "levels": [row.to_dict() for row in outcome], "file": path}
    answer = Answer(YES, fields, "" if view.quiet else path)
    for row in outcome:
        if row.status == UNREADABLE:
            answer.code = max(answer.code, BAD_INPUT)
            answer.complain(f"unpuzzle: {row.name} is not in the booklet: {row.message}")
        elif row.message:
            answer.code = max(answer.code, NO if row.status == UNSOLVABLE else OF_STATUS[row.status or ""])
            level = f"level {row.number} ({row.name})"
            answer.complain(f"unpuzzle: {level} is printed, but without a solution: {row.message}")
    entries = [row._entry for row in outcome if row._entry is not None]
    if not write_pages(answer, entries, request.game.title, request.booklet):
        answer.text, answer.fields["file"] = "", None
    return answer


def _row(level: NamedLevel, position: Position, number: int, made: Booklet) -> BookletRow:
    """Return a level of the booklet, with its solution unless no solutions are wanted."""
    title = level.entry.title if level.entry else ""
    status, moves, words, message = "", None, title, ""
    if not made.no_solutions:
        status, moves, cost, message = _solution(level, position)
        known = status == SOLVED_OPTIMALLY and cost is not None
        words = title or (cost_in_words(position, cost or 0) if known else "")
    return BookletRow(title or level.name, number, status or None, message, BookletEntry(position, words, moves))


def _solution(level: NamedLevel, position: Position) -> tuple[str, Sequence[str] | None, int | None, str]:
    """Return status, moves and cost of a level's solution, and the reason for missing moves."""
    played = replays(position, level.entry) if level.entry else []
    for moves, outcome in played:
        if outcome.solved:
            return "solved", moves, outcome.cost, ""
    own = position.own_answer()
    if own is not None and (own.solved() or offered(own, Constrained) is None):
        return "", (), None, ""
    result = solve(position, limits=Limits(without_drawing(current().time_left())))
    if result.moves is not None:
        return result.status, result.moves, result.cost, ""
    return result.status, None, None, result.message or result.status.replace("_", " ")
