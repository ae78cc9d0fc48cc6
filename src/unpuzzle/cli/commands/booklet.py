"""unpuzzle booklet PUZZLE LEVEL... -o FILE: levels to print, with title, author and rules; for `generate`, too.

The solution of a level is the one in its file, unless the rules refute it, otherwise one by the default planner.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from unpuzzle.cli.answer import NO, OF_STATUS, YES, Answer
from unpuzzle.cli.edge.delivery import ProgressLine
from unpuzzle.cli.files import NamedLevel, levels_of, read_game, read_text, save_beside
from unpuzzle.cli.parser import add_levels, add_limits, flag, has_limits, option
from unpuzzle.errors import UsageError
from unpuzzle.levels.collections import replays
from unpuzzle.limits import Limits
from unpuzzle.planners.external.elsewhere import elsewhere
from unpuzzle.puzzle.amounts import cost_in_words
from unpuzzle.puzzle.capabilities import Constrained, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.record import schema_name
from unpuzzle.rendering import booklet
from unpuzzle.rendering.booklet import BookletEntry, Front
from unpuzzle.rendering.fonts import missing
from unpuzzle.rendering.paper import size_of
from unpuzzle.rendering.saving import kind_of
from unpuzzle.result import LIMITS, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.run import current
from unpuzzle.solving import solve
from unpuzzle.words import listing

EXAMPLE = """unpuzzle booklet boxup 1 2 3 -o boxup.pdf
  unpuzzle booklet sokoban mine.sok 3 -o mine.pdf --title "Winter" --author "A. Maker" --rules-text rules.txt"""
OF_BOOKLETS = {"title": "", "author": "", "cover": False, "rules_text": None, "no_solutions": False, "paper": "a4"}
"""The options of a booklet, with their defaults."""
FEW = 8
"""The most characters that a warning names."""
FOR_THE_BOOKLET, SHARE_OF_THE_BOOKLET = 2.0, 0.25
"""Seconds that are left for drawing a booklet, and the largest share of the time limit for this."""


def arguments(parser: ArgumentParser) -> None:
    add_levels(parser)
    option(parser, "-o --output FILE", "the booklet, x.pdf", dest="booklet", required=True)
    add_booklet_options(parser)
    add_limits(parser)


def add_booklet_options(parser: ArgumentParser) -> None:
    """Add --paper and the options for a booklet's title page."""
    option(parser, "--paper SIZE", "paper of the booklet: a4 or letter; default: a4", default="a4")
    option(parser, "--title TEXT", "title of the booklet; default: the game's", default="")
    option(parser, "--author TEXT", "author of the booklet", default="")
    flag(parser, "--cover", "add a first page with title, author, rules and a picture")
    option(parser, "--rules-text FILE", "a text for the first page on how to play; empty lines separate paragraphs")
    flag(parser, "--no-solutions", "make a booklet without solutions")


def require_booklet(options: Namespace) -> None:
    """Raise UsageError or DependencyMissing, before any work, if the booklet cannot be made."""
    if options.booklet is None:
        for name, default in OF_BOOKLETS.items():
            if getattr(options, name) != default:
                raise UsageError(f"--{name.replace('_', '-')} is for a booklet: name its file with --booklet x.pdf")
        return
    if kind_of(options.booklet) != ".pdf":
        raise UsageError(f"a booklet is a file that ends in .pdf, not '{options.booklet}'")
    size_of(options.paper)


def without_drawing(time: float | None) -> float | None:
    """Return the part of a time limit that is left for other work than drawing the booklet."""
    return time and max(time - min(FOR_THE_BOOKLET, SHARE_OF_THE_BOOKLET * time), 0.001)


def read_front(options: Namespace) -> Front:
    """Return the data for a booklet's title page; reads the file of the rules. Raises ParseError, OSError."""
    rules = "" if options.rules_text is None else read_text(options.rules_text, options)[0]
    return Front(options.author, rules, options.cover)


def write_pages(answer: Answer, entries: Sequence[BookletEntry], title: str, front: Front, options: Namespace) -> None:
    """Write a booklet that belongs to an answer; if that fails, the answer says why."""
    if options.no_solutions:
        entries = [booklet.BookletEntry(entry.position, entry.difficulty, None) for entry in entries]
    parts = list(entries), options.title or title, options.paper, front

    def draw() -> bytes:
        if not has_limits(options):
            return booklet.booklet(*parts)
        return bytes(elsewhere(booklet.__name__, booklet.booklet.__name__, parts, "drawing the booklet"))

    save_beside(answer, options.booklet, draw)
    words = "".join([parts[1], front.author, front.rules, *[entry.difficulty for entry in entries]])
    if lacking := missing(words):
        said = f"the font of booklets has no {listing(lacking[:FEW])}{' and others' * (len(lacking) > FEW)}"
        answer.warn([f"{options.booklet}: warning: {said}; boxes stand in their places"])


def execute(options: Namespace) -> Answer:
    """Draw chosen levels as a booklet; report each level without a solution within the limits."""
    require_booklet(options)
    game = read_game(options.puzzle, options)
    front = read_front(options)
    named = levels_of(game, options.puzzle, options.levels, options)
    levels = [(level, level.position(game, options)) for level in named]
    rows: list[dict[str, Any]] = []
    entries: list[BookletEntry] = []
    fields = {"schema": schema_name("draw"), "levels": rows, "file": options.booklet}
    answer = Answer(YES, fields, "" if options.quiet else options.booklet)
    with ProgressLine(options, "level {:,} of {:,}") as show:
        for number, (level, position) in enumerate(levels, 1):
            if show is not None:
                show(number, len(levels))
            row, entry = _entry(level, position, number, options)
            rows.append(row)
            entries.append(entry)
            if row["message"]:
                answer.code = max(answer.code, NO if row["status"] == UNSOLVABLE else OF_STATUS[row["status"]])
                answer.complain(f"unpuzzle: level {number} is without a solution: {row['message']}")
    write_pages(answer, entries, game.title, front, options)
    if answer.code not in (YES, NO, *[OF_STATUS[status] for status in LIMITS]):
        answer.text, answer.fields["file"] = "", None
    return answer


def _entry(
    level: NamedLevel, position: Position, number: int, options: Namespace
) -> tuple[dict[str, Any], BookletEntry]:
    """Return the row of a level for JSON, and its place in the booklet."""
    title = level.entry.title if level.entry else ""
    status, moves, words, message = "", None, title, ""
    if not options.no_solutions:
        status, moves, cost, message = _solution(level, position, options)
        known = status == SOLVED_OPTIMALLY and cost is not None
        words = title or (cost_in_words(position, cost or 0) if known else "")
    row = {"name": title or level.name, "number": number, "status": status or None, "message": message}
    return row, BookletEntry(position, words, moves)


def _solution(
    level: NamedLevel, position: Position, options: Namespace
) -> tuple[str, Sequence[str] | None, int | None, str]:
    """Return status, moves, cost and, without moves, the reason; no moves and no status for an answer in the file."""
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
