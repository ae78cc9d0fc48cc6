"""unpuzzle trace GAME LEVEL INPUTS."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import BROKEN, FAULT, YES, Answer, of_error
from unpuzzle.cli.files import level_text, read_game, unplayable
from unpuzzle.cli.parser import add_limits, flag, operand, option, within_limits
from unpuzzle.errors import LimitReached, UsageError
from unpuzzle.puzzle.capabilities import Traced, offered

EXAMPLE = "unpuzzle trace sokoban.txt 1 uuldr --json"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("puzzle", metavar="GAME", help="a game in PuzzleScript, a .txt file")
    operand(parser, "LEVEL", "a level's number or name, a file, or - for standard input")
    operand(parser, "INPUTS", "u l d r, x action, t tick, z undo, ! restart, run together")
    option(parser, "--engine NAME", "python or native; default: python", default="python")
    option(parser, "--seed S", "of what is left to chance; default: 1", default="1")
    flag(parser, "--through", "go on in the next level, without messages")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Play inputs, and show each board; interrupted or out of time, answer with the boards that there are."""
    game = read_game(options.puzzle, options)
    traced = offered(game, Traced)
    if traced is None:
        raise UsageError(f"{options.puzzle} has no boards that could be shown after each input")
    bundled = options.level in game.levels
    text = game.levels[options.level] if bundled else level_text(game, options.puzzle, options.level)[0]
    inputs, level = "".join(options.inputs.split()).lower(), options.level if bundled else text
    tracing = traced.trace(level, inputs, engine=options.engine, seed=options.seed, through=options.through)
    code, complaint, ending = YES, "", {}
    try:
        with within_limits(options, "playing the inputs"):
            tracing.run()
            if not tracing.ended:
                complaint = unplayable(game.parse(text))
    except (LimitReached, KeyboardInterrupt) as error:
        code, status = of_error(error) or (BROKEN, FAULT)
        ending = {"status": status, "message": f"{str(error) or 'interrupted'}: {tracing.place()} did not end"}
        complaint = f"unpuzzle: {ending['message']}"
    return Answer(code, tracing.to_dict() | ending, "\n".join(tracing.lines()), complaint)
