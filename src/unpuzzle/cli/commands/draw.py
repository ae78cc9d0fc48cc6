"""unpuzzle draw PUZZLE LEVEL [MOVES] [-o FILE]."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.drawing import add_output, draw_file, require_output, text_picture
from unpuzzle.cli.files import read_level
from unpuzzle.cli.parser import add_level, add_limits, deadline_of, within_limits
from unpuzzle.puzzle.replaying import replay, split_moves

EXAMPLE = "unpuzzle draw boxup 1 ULDRR -o solution.svg"


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    parser.add_argument("moves", metavar="MOVES", nargs="*", help="separated by blanks or run together: ULDRR")
    parser.add_argument("--still", action="store_true", help="only the position after the moves, not the way to it")
    add_output(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Draw a level, or a level and moves."""
    require_output(options)
    puzzle = read_level(options.puzzle, options.level, options)
    moves = split_moves(puzzle.game, " ".join(options.moves))
    with within_limits(options, "playing the moves"):
        played = replay(puzzle, moves, limits=deadline_of(options, "playing the moves"))
    fields = {"picture": played.position.draw(), "legal": played.legal, "step": played.step}
    fields["reason"] = "" if played.legal else played.reason
    legal = moves if played.step is None else moves[: played.step - 1]
    fields["file"] = draw_file(played.position, (), options) if options.still else draw_file(puzzle, legal, options)
    if not played.legal:
        before = f"; {options.output} shows what was legal" if options.output else ""
        text = "" if options.output else text_picture(played.position)
        return Answer(exits.NO, fields, text, f"unpuzzle: {played.reason}{before}")
    text = "" if options.quiet and options.output else options.output or text_picture(played.position)
    return Answer(exits.YES, fields, text)
