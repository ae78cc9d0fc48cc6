"""Booklets of generated levels: `unpuzzle generate … --sheet FILE.pdf`."""

from __future__ import annotations

from argparse import Namespace

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.files import save
from unpuzzle.errors import LimitReached, UsageError
from unpuzzle.levels.candidates import Level
from unpuzzle.levels.generating import Generation
from unpuzzle.rendering.booklet import Entry
from unpuzzle.words import count


def checked(path: str, paper: str) -> None:
    """Raise UsageError or DependencyMissing where such a booklet cannot be made."""
    from unpuzzle.rendering.saving import kind_of

    if kind_of(path) != ".pdf":
        raise UsageError(f"--sheet writes a file that ends in .pdf, not '{path}'")
    from unpuzzle.rendering.paper import size_of

    size_of(paper)


def with_sheet(answer: Answer, generation: Generation, options: Namespace) -> Answer:
    """Write the booklet of --sheet, if there are levels, and return the answer of `generate`."""
    if options.sheet is None or not generation.levels:
        return answer
    from unpuzzle.rendering.booklet import Entry

    entries = [Entry(generation.game.parse(level.text), _difficulty(level), level.moves) for level in generation.levels]
    try:
        save(options.sheet, _booklet(entries, generation.game.title, options))
    except OSError as error:  # the levels are not lost
        answer.code, answer.complaint = exits.BAD_INPUT, f"unpuzzle: {options.sheet}: {error.strerror}"
    except LimitReached as reached:
        answer.code = exits.NO_ANSWER
        answer.complaint += f"\nunpuzzle: {options.sheet} is not written: {reached}"
    return answer


def _booklet(entries: list[Entry], title: str, options: Namespace) -> bytes:
    """Return the booklet, drawn in a process of its own if there are limits. Raises LimitReached."""
    from unpuzzle.cli.parser import deadline_of, has_limits
    from unpuzzle.rendering import booklet as drawing

    if not has_limits(options):
        return drawing.booklet(entries, title, size=options.paper)
    from unpuzzle.planners.external.elsewhere import elsewhere

    asked = entries, title, options.paper
    name, deadline = drawing.__name__, deadline_of(options, "drawing the booklet")
    return bytes(elsewhere(name, drawing.booklet.__name__, asked, deadline, deadline.phase))


def _difficulty(level: Level) -> str:
    """Return how hard a level is, in words: its grade, or else how many moves it needs."""
    return level.grade or count(level.cost, "move")
