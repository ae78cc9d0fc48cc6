"""unpuzzle replay PUZZLE LEVEL MOVES."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from unpuzzle.cli.answer import NO, YES, Answer
from unpuzzle.cli.drawing import add_output, draw_file, pictures, require_output, text_picture
from unpuzzle.cli.files import level_file, moves_text, read_game, read_level
from unpuzzle.cli.oddities import of_level
from unpuzzle.cli.parser import add_level, add_limits, deadline_of, flag, operand, within_limits
from unpuzzle.errors import UsageError
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import Replay, as_moves, replay

EXAMPLE = "unpuzzle replay boxup 1 ULDRR --draw\n  unpuzzle replay sokoban levels.sok --solutions"


def arguments(parser: ArgumentParser) -> None:
    add_moves(parser)
    flag(parser, "--solutions", "play the solutions in a file of levels, of one level or all; without MOVES")
    flag(parser, "--draw", "draw the position after every move")
    add_output(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    if options.solutions:
        return _solutions(options)
    if options.output is not None:
        require_output(options)
    level, outcome, legal = play_moves(read_level(options.puzzle, options.level, options), options)
    fields = {name: getattr(outcome, name) for name in ("legal", "solved", "cost", "step", "reason")}
    if options.output is not None:
        fields["file"] = draw_file(level, legal, options)
    picture = pictures(level, legal) if options.draw else f"{text_picture(outcome.position)}\n"
    sentence = f"solved: cost {outcome.cost}" if outcome.solved else f"not solved: {outcome.reason}"
    text = sentence if options.quiet else f"{picture}{sentence}"
    answer = Answer(YES if outcome.solved else NO, fields, text)
    answer.remark(level, options)
    answer.warn(of_level(options, doubtful=not outcome.solved))
    return answer


def _solutions(options: Namespace) -> Answer:
    """Play the solutions in a file of levels."""
    from unpuzzle.cli.collections import judge_solutions

    if options.moves or options.draw or options.output is not None:
        raise UsageError(
            "--solutions plays the moves in the file, and draws nothing: leave out MOVES, --draw, --output"
        )
    game = read_game(options.puzzle, options)
    return judge_solutions(level_file(game, options.puzzle, options.level, options), game, options)


def add_moves(parser: ArgumentParser) -> None:
    add_level(parser)
    operand(parser, "MOVES", "separated by blanks or run together: ULDRR; or a file with them", nargs="*")


def play_moves(level: Position, options: Namespace) -> tuple[Position, Replay, Sequence[str]]:
    """Play the moves in the options; return the level, the outcome, and the legal moves."""
    moves = tuple(as_moves(level, moves_text(options.moves, options)))
    with within_limits(options, "playing the moves"):
        outcome = replay(level, moves, limits=deadline_of(options, "playing the moves"))
    return level, outcome, moves if outcome.step is None else moves[: outcome.step - 1]
