"""unpuzzle play PUZZLE LEVEL... [-o FILE]."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from time import perf_counter

from unpuzzle.cli.answer import NO, YES, Answer, of_error
from unpuzzle.cli.drawing import text_picture
from unpuzzle.cli.edge import delivery
from unpuzzle.cli.edge.delivery import ProgressLine
from unpuzzle.cli.files import NamedLevel, levels_of, read_game, read_level
from unpuzzle.cli.numbers import whole
from unpuzzle.cli.parser import add_levels, add_limits, flag, option
from unpuzzle.defaults import TABLE_STATES as MAX_STATES
from unpuzzle.errors import ParseError, UsageError
from unpuzzle.files import save_file
from unpuzzle.playing.page.levels import PlayableLevel, playable_levels, report_on, require_rules
from unpuzzle.playing.page.making import page
from unpuzzle.playing.session import Guide, Session, keys_help, words_for
from unpuzzle.puzzle.faults import require_attributes
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.puzzle.replaying import joined_moves, replay
from unpuzzle.rendering.saving import kind_of
from unpuzzle.rendering.themes import themes

EXAMPLE = """unpuzzle play boxup 3                             here, with the arrow keys
  unpuzzle play boxup 1 2 3 -o boxup.html           on a page that needs no network
  unpuzzle play sokoban levels.sok -o levels.html   a page of all levels of a file
  unpuzzle play domain.pddl p01                     a PDDL task: choose among its applicable actions"""

TYPE_CHECKING = False

PAGE = ".html"


def arguments(parser: ArgumentParser) -> None:
    add_levels(parser)
    option(parser, "-o --output FILE", f"make a page of the levels, such as level{PAGE}")
    option(parser, "--theme NAME", "light, dark, or auto: as players prefer", default="auto")
    about = f"give exact hints for levels with up to so many positions; default: {MAX_STATES:,}"
    option(parser, "--max-states N", about, whole(), default=MAX_STATES)
    flag(parser, "--no-hints", "neither give hints nor play the solution")
    flag(parser, "--no-count", "say neither how many moves are left nor that the goal is out of reach")
    flag(parser, "--debug", "on a page of a game in PuzzleScript: show which rules fire at each move, and where")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Make a page, or play here; unusable options are refused before any work."""
    themes(options.theme)
    if options.output is not None:
        if not options.output.lower().endswith(PAGE):
            raise UsageError(f"{options.output}: a page to play on has a name that ends with {PAGE}")
        kind_of(options.output)
        return _page(options)
    if options.debug:
        raise UsageError(f"rules are shown on a page: add -o level{PAGE}")
    if len(options.levels) > 1:
        raise UsageError(f"several levels are played on a page: add -o set{PAGE}")
    if options.levels == ["-"]:
        raise UsageError("the moves come from standard input, so the level must come from elsewhere")
    return _here(options)


def _page(options: Namespace) -> Answer:
    """Write a page of all playable levels, and report on each level."""
    game = read_game(options.puzzle, options)
    read = levels_of(game, options.puzzle, options.levels, options)
    positions, broken = _positions(read, game, options)
    for _, position in [*positions.values()][: options.debug]:
        require_rules(position)
    outcomes, interruption = _outcomes(list(positions.values()), options)
    levels = [outcome for outcome in outcomes if isinstance(outcome, PlayableLevel)]
    failures = (*broken.values(), *outcomes, interruption)
    errors = [outcome for outcome in failures if isinstance(outcome, BaseException)]
    if not levels:
        raise errors[0]
    save_file(options.output, page(levels, theme=options.theme, hints=not options.no_hints, count=not options.no_count))
    outcomes += [None] * (len(positions) - len(outcomes))
    by_name = {**dict(zip(positions, outcomes, strict=True)), **broken}
    reports = [report_on(level.name, by_name[level.name]) for level in read]
    code, _ = (of_error(errors[-1]) if errors else None) or (YES, "")
    seconds = {"total": round(perf_counter() - options.clock, 6)}
    rows = [report.to_dict() for report in reports]
    complaint = "\n".join([f"unpuzzle: {report.message}" for report in reports if report.message])
    return Answer(code, {"file": options.output, "levels": rows, "seconds": seconds}, options.output, complaint)


def _positions(
    levels: Sequence[NamedLevel], game: Game, options: Namespace
) -> tuple[dict[str, tuple[str, Position]], dict[str, ParseError]]:
    """Return by name the heading and position of each level, and the errors of unreadable levels.

    Raises ParseError if an unreadable level is not one of a file of several.
    """
    positions, broken = {}, {}
    for level in levels:
        try:
            positions[level.name] = (_heading(level), level.position(game, options))
        except ParseError as error:
            if level.entry is None:
                raise
            broken[level.name] = error
    return positions, broken


def _heading(level: NamedLevel) -> str:
    """Return a level's heading on a page: number and title in a file of several, or the name of its file."""
    return os.path.splitext(os.path.basename(level.name))[0] if level.entry is None else level.heading


def _outcomes(
    positions: list[tuple[str, Position]], options: Namespace
) -> tuple[list[PlayableLevel | Exception | None], KeyboardInterrupt | None]:
    """Return each level or the error that keeps it from the page; after Ctrl-C those so far, and the interrupt."""
    outcomes: list[PlayableLevel | Exception | None] = []
    most = options.max_states
    with ProgressLine(options, "{}: {:,} states explored") as progress:
        try:
            for outcome in playable_levels(positions, max_states=most, progress=progress, debug=options.debug):
                outcomes.append(outcome)
        except KeyboardInterrupt as interruption:
            return outcomes, interruption
    return outcomes, None


def _here(options: Namespace) -> Answer:
    level = read_level(options.puzzle, options.levels[0], options)
    require_attributes(level.game)  # such as its title, which is shown
    guide = Guide.of(level, max_states=options.max_states)
    session = Session(level, guide, text_picture, hints=not options.no_hints, count=not options.no_count)
    # When keys are pressed, each picture replaces the one before.
    clear = "\x1b[H\x1b[2J" if sys.stdin.isatty() and sys.stdout.isatty() else ""
    forms: dict[str, str] = {}
    for text in session.run(words_for(session), keys_help(session)):
        if not (options.json or options.quiet):
            sys.stdout.write(clear + delivery.printable(text, sys.stdout.encoding, forms))
            sys.stdout.flush()
    delivery.tell_forms(forms)
    moves = session.history
    outcome = replay(level, moves)
    fields = {"moves": list(moves), "solved": outcome.solved, "cost": outcome.cost}
    text = joined_moves(level.game, moves) if options.quiet else ""
    return Answer(YES if outcome.solved else NO, fields, text)
