"""unpuzzle replay PUZZLE LEVEL MOVES."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.drawing import add_output, draw_file, pictures, require_output, text_picture
from unpuzzle.cli.files import read_level
from unpuzzle.cli.parser import add_level, add_limits, deadline_of, flag, within_limits
from unpuzzle.puzzle.replaying import replay, split_moves

EXAMPLE = "unpuzzle replay boxup 1 ULDRR --draw"


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    parser.add_argument("moves", metavar="MOVES", nargs="*", help="separated by blanks or run together: ULDRR")
    flag(parser, "--draw", "draw the position after every move")
    add_output(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Play moves on the rules."""
    if options.output is not None:
        require_output(options)
    puzzle = read_level(options.puzzle, options.level, options)
    moves = split_moves(puzzle.game, " ".join(options.moves))
    with within_limits(options, "playing the moves"):
        played = replay(puzzle, moves, limits=deadline_of(options, "playing the moves"))
    fields = {name: getattr(played, name) for name in ("legal", "solved", "cost", "step", "reason")}
    legal = moves if played.step is None else moves[: played.step - 1]
    if options.output is not None:
        fields["file"] = draw_file(puzzle, legal, options)
    picture = pictures(puzzle, legal) if options.draw else f"{text_picture(played.position)}\n"
    sentence = f"solved: cost {played.cost}" if played.solved else f"not solved: {played.reason}"
    text = sentence if options.quiet else f"{picture}{sentence}"
    return Answer(exits.YES if played.solved else exits.NO, fields, text)
