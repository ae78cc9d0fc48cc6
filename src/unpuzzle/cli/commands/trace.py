"""unpuzzle trace GAME LEVEL INPUTS."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.files import level_text, read_game, unplayable
from unpuzzle.cli.parser import add_limits, within_limits
from unpuzzle.errors import LimitReached, UsageError
from unpuzzle.puzzle.capabilities import Traced, offered

if TYPE_CHECKING:
    from unpuzzle.puzzle.capabilities import Tracing

EXAMPLE = "unpuzzle trace sokoban.txt 1 uuldr --json"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("puzzle", metavar="GAME", help="a game in PuzzleScript, a .txt file")
    parser.add_argument("level", metavar="LEVEL", help="a level's number or name, a file, or - for standard input")
    parser.add_argument("inputs", metavar="INPUTS", help="u l d r, x action, t tick, z undo, ! restart, run together")
    parser.add_argument("--engine", metavar="NAME", default="python", help="python or native; default: python")
    parser.add_argument("--seed", metavar="S", default="1", help="of what is left to chance; default: 1")
    parser.add_argument("--through", action="store_true", help="go on in the next level, without messages")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Play inputs, and show each board; interrupted or out of time, answer with the boards that there are."""
    game = read_game(options.puzzle, options)
    traced = offered(game, Traced)
    if traced is None:
        raise UsageError(f"{options.puzzle} has no boards that could be shown after each input")
    known = options.level in game.levels
    text = game.levels[options.level] if known else level_text(game, options.puzzle, options.level)[0]
    inputs = "".join(options.inputs.split()).lower()
    level = options.level if known else text
    tracing = traced.trace(level, inputs, engine=options.engine, seed=options.seed, through=options.through)
    complaint, ended = "", None
    try:
        with within_limits(options, "playing the inputs"):
            tracing.run()
            if not tracing.ended:
                complaint = unplayable(game.parse(text))
    except (LimitReached, KeyboardInterrupt) as error:
        ended = error
    return _answer(tracing, ended, complaint)


def _answer(tracing: Tracing, ended: BaseException | None, complaint: str) -> Answer:
    """Answer with the boards, and what ended the play before its time, or else what is to be said of the level."""
    fields, text = tracing.to_dict(), "\n".join(tracing.lines())
    if ended is None:
        return Answer(exits.YES, fields, text, complaint)
    known = exits.of_error(ended)
    assert known is not None
    fields |= {"status": known[1], "message": f"{str(ended) or 'interrupted'}: {tracing.place()} did not end"}
    return Answer(known[0], fields, text, f"unpuzzle: {fields['message']}")
