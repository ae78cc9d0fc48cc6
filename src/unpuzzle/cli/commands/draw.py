"""unpuzzle draw PUZZLE LEVEL [MOVES] [-o FILE]."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.commands.replay import add_moves, play_moves
from unpuzzle.cli.drawing import add_output, draw_file, require_output, text_picture
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
    level, played, legal = play_moves(options)
    fields = {"picture": played.position.draw(), "legal": played.legal, "step": played.step}
    fields["reason"] = "" if played.legal else played.reason
    fields["file"] = draw_file(played.position, (), options) if options.still else draw_file(level, legal, options)
    if not played.legal:
        before = f"; {options.output} shows what was legal" if options.output else ""
        text = "" if options.output else text_picture(played.position)
        return Answer(exits.NO, fields, text, f"unpuzzle: {played.reason}{before}")
    text = "" if options.quiet and options.output else options.output or text_picture(played.position)
    return Answer(exits.YES, fields, text)
