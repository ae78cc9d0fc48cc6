"""unpuzzle draw PUZZLE LEVEL [MOVES] [-o FILE]."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import NO, YES, Answer
from unpuzzle.cli.commands.replay import add_moves, play_moves
from unpuzzle.cli.drawing import add_output, draw_file, require_output, require_picture, text_picture
from unpuzzle.cli.parser import add_limits, flag

EXAMPLE = "unpuzzle draw boxup 1 ULDRR -o solution.svg"


def arguments(parser: ArgumentParser) -> None:
    add_moves(parser)
    flag(parser, "--still", "only the position after the moves, not the way to it")
    add_output(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Draw a level, or a level and moves."""
    require_output(options)
    level, outcome, legal = play_moves(options)
    require_picture(level)
    fields = {"picture": outcome.position.draw(), "legal": outcome.legal, "step": outcome.step}
    fields["reason"] = "" if outcome.legal else outcome.reason
    fields["file"] = draw_file(outcome.position, (), options) if options.still else draw_file(level, legal, options)
    if not outcome.legal:
        before = f"; {options.output} shows what was legal" if options.output else ""
        text = "" if options.output else text_picture(outcome.position)
        return Answer(NO, fields, text, f"unpuzzle: {outcome.reason}{before}")
    text = "" if options.quiet and options.output else options.output or text_picture(outcome.position)
    return Answer(YES, fields, text)
