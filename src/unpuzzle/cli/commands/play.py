"""The command `unpuzzle play PUZZLE LEVEL... [-o FILE]`: play in the terminal, or make a web page to play on."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from time import perf_counter

from unpuzzle.base.defaults import TABLE_STATES as MAX_STATES
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.files import save_file
from unpuzzle.base.outcomes import NO, YES, of_error
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View, printable, report_replacements
from unpuzzle.cli.drawing import text_picture
from unpuzzle.cli.files import NamedLevel, levels_of, read_game, read_level
from unpuzzle.cli.parser import add_levels, add_limits, flag, option, whole
from unpuzzle.cli.refusals import ReadingPddl
from unpuzzle.model.faults import require_attributes
from unpuzzle.model.position import Game, Position
from unpuzzle.model.replaying import joined_moves, replay
from unpuzzle.play.session import Guide, Session, keys_help, words_for
from unpuzzle.play.web_page import PlayableLevel, page, playable_levels, report_on, require_rules
from unpuzzle.rendering.saving import kind_of
from unpuzzle.rendering.themes import themes
from unpuzzle.workspace.inputs import GameInput, LevelInput, Show

EXAMPLE = """unpuzzle play boxup 3                             here, with the arrow keys
  unpuzzle play boxup 1 2 3 -o boxup.html           on a page that needs no network
  unpuzzle play sokoban levels.sok -o levels.html   a page of all levels of a file
  unpuzzle play domain.pddl p01                     a PDDL task: choose among its applicable actions"""

PAGE = ".html"


def arguments(parser: ArgumentParser) -> None:
    add_levels(parser)
    option(parser, "-o --output FILE", f"make a page of the levels, such as level{PAGE}")
    option(parser, "--theme NAME", "light, dark, or auto: as players prefer", default="auto")
    about = f"give exact hints for levels with at most N positions; default: {MAX_STATES:,}"
    option(parser, "--max-states N", about, whole(), default=MAX_STATES)
    flag(parser, "--no-hints", "neither give hints nor play the solution")
    flag(parser, "--no-count", "say neither how many moves are left nor that the goal is out of reach")
    flag(parser, "--debug", "on a page of a game in PuzzleScript: show which rules fire at each move, and where")
    add_limits(parser)


class PageRequest(GameInput):
    """A request for a web page: its levels that can be read, with headings, and the errors of the other levels."""

    named: list[NamedLevel]
    positions: dict[str, tuple[str, Position]]
    broken: dict[str, ParseError]
    output: str
    clock: float
    max_states: int
    theme: str
    no_hints: bool
    no_count: bool
    debug: bool
    shows = "{}: {:,} states explored"

    def call(self, show: Show = None) -> PageOutcome:
        """Return the playable levels or, after Ctrl-C, the levels that were finished before."""
        outcomes: list[PlayableLevel | Exception | None] = []
        positions = list(self.positions.values())
        for _, position in positions[: self.debug]:
            require_rules(position)
        made = playable_levels(positions, max_states=self.max_states, progress=show, debug=self.debug)
        try:
            for outcome in made:
                outcomes.append(outcome)
        except KeyboardInterrupt as interruption:
            return PageOutcome(outcomes, interruption)
        return PageOutcome(outcomes)


class PageOutcome(Record):
    """The levels of a page, and the error of each level left out; after an interruption, only the finished levels."""

    levels: list[PlayableLevel | Exception | None]
    ended_by: KeyboardInterrupt | None = None


class PlayRequest(LevelInput):
    """A request to play a level in the terminal."""

    view: View
    max_states: int
    no_hints: bool
    no_count: bool

    def call(self, show: Show = None) -> Sequence[str]:
        """Play the level, and return the moves that were made."""
        require_attributes(self.position.game)  # such as its title, which is shown
        guide = Guide.of(self.position, max_states=self.max_states)
        session = Session(self.position, guide, text_picture, hints=not self.no_hints, count=not self.no_count)
        # When keys are pressed, each picture replaces the one before.
        clear = "\x1b[H\x1b[2J" if sys.stdin.isatty() and sys.stdout.isatty() else ""
        forms: dict[str, str] = {}
        for text in session.run(words_for(session), keys_help(session)):
            if not self.view.bare:
                sys.stdout.write(clear + printable(text, sys.stdout.encoding, forms))
                sys.stdout.flush()
        report_replacements(forms)
        return session.history


def read(options: Namespace) -> PageRequest | PlayRequest:
    """Read the levels for a web page, or the level to play in the terminal; check the options before any work."""
    themes(options.theme)
    if options.output is not None:
        if not options.output.lower().endswith(PAGE):
            raise UsageError(f"{options.output}: the name of a page to play on must end with {PAGE}")
        kind_of(options.output)
        with ReadingPddl(options.puzzle):
            game = read_game(options.puzzle)
        named = levels_of(game, options.puzzle, options.levels, options.obstacles)
        positions, broken = _positions(named, game)
        return PageRequest.of(options, game=game, named=named, positions=positions, broken=broken)
    if options.debug:
        raise UsageError(f"rules can be shown only on a page: add -o level{PAGE}")
    if len(options.levels) > 1:
        raise UsageError(f"several levels can be played only on a page: add -o set{PAGE}")
    if options.levels == ["-"]:
        raise UsageError("the moves come from standard input, so the level must come from a file")
    level = read_level(options.puzzle, options.levels[0], options.obstacles)
    return PlayRequest.of(options, level=level, view=View(options.quiet, options.json))


def _positions(
    levels: Sequence[NamedLevel], game: Game
) -> tuple[dict[str, tuple[str, Position]], dict[str, ParseError]]:
    """Return the heading and position of each level that can be read, and the error of each other level, by level name.

    Raises ParseError if an unreadable level is not one of a file of several.
    """
    positions, broken = {}, {}
    for level in levels:
        try:
            positions[level.name] = (_heading(level), level.position(game))
        except ParseError as error:
            if level.entry is None:
                raise
            broken[level.name] = error
    return positions, broken


def _heading(level: NamedLevel) -> str:
    """Return a level's heading on a page: number and title in a file of several levels, else the file name."""
    return os.path.splitext(os.path.basename(level.name))[0] if level.entry is None else level.heading


def present(request: PageRequest | PlayRequest, outcome: PageOutcome | Sequence[str], view: View) -> Answer:
    """Write the web page and report on each level, or return the moves that were played in the terminal."""
    if isinstance(request, PageRequest):
        assert isinstance(outcome, PageOutcome)
        return _page(request, outcome)
    assert not isinstance(outcome, PageOutcome)
    replayed = replay(request.position, outcome)
    fields = {"moves": list(outcome), "solved": replayed.solved, "cost": replayed.cost}
    text = joined_moves(request.position.game, outcome) if view.quiet else ""
    return Answer(YES if replayed.solved else NO, fields, text)


def _page(request: PageRequest, outcome: PageOutcome) -> Answer:
    """Write the web page, and return the answer with a report on each level."""
    levels = [level for level in outcome.levels if isinstance(level, PlayableLevel)]
    failures = (*request.broken.values(), *outcome.levels, outcome.ended_by)
    errors = [failure for failure in failures if isinstance(failure, BaseException)]
    if not levels:
        raise errors[0]
    save_file(request.output, page(levels, theme=request.theme, hints=not request.no_hints, count=not request.no_count))
    reached = [*outcome.levels, *[None] * (len(request.positions) - len(outcome.levels))]
    by_name = {**dict(zip(request.positions, reached, strict=True)), **request.broken}
    reports = [report_on(level.name, by_name[level.name]) for level in request.named]
    code, _ = (of_error(errors[-1]) if errors else None) or (YES, "")
    seconds = {"total": round(perf_counter() - request.clock, 6)}
    rows = [report.to_dict() for report in reports]
    complaint = "\n".join([f"unpuzzle: {report.message}" for report in reports if report.message])
    return Answer(code, {"file": request.output, "levels": rows, "seconds": seconds}, request.output, complaint)
