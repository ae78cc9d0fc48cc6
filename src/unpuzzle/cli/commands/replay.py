"""unpuzzle replay PUZZLE LEVEL MOVES: are they a solution? With --against: do they cost more than others?"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from unpuzzle.checking.move_comparison import MovesComparison, compare_moves, positions_after, text_of
from unpuzzle.cli import drawing
from unpuzzle.cli.answer import NO, NO_ANSWER, OF_STATUS, YES, Answer
from unpuzzle.cli.collections import judge_solutions
from unpuzzle.cli.files import level_file, moves_text, read_game, read_level
from unpuzzle.cli.oddities import of_level
from unpuzzle.cli.parser import add_level, add_limits, add_output, flag, operand, option
from unpuzzle.drawing.panels import beside
from unpuzzle.errors import UsageError
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import Replay, as_moves, replay
from unpuzzle.rendering.figures import comparison_panels
from unpuzzle.run import phase

EXAMPLE = """unpuzzle replay boxup 1 ULDRR --draw
  unpuzzle replay sokoban levels.sok --solutions
  unpuzzle replay sokoban 1 ullRDR --against best
  unpuzzle replay boxup 1 ULDRR --against LURDRR -o apart.svg"""
SEE = "`trace` shows what each step changes, `validate` whether a plan is valid for PDDL files"
BEST = "best"


def arguments(parser: ArgumentParser) -> None:
    add_moves(parser)
    flag(parser, "--solutions", "play the solutions in a file of levels, of one level or all; without MOVES")
    flag(parser, "--draw", "draw the position after every move")
    about = f"compare with these moves, or a file with them, or with {BEST}, an optimal solution: where do they part?"
    option(parser, "--against MOVES2", about)
    add_output(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Play moves, or the solutions in a file, or compare moves with others."""
    if options.against is not None:
        return _compared(options)
    if options.solutions:
        return _solutions(options)
    if options.output is not None:
        drawing.require_output(options)
    level, outcome, legal = play_moves(read_level(options.puzzle, options.level, options), options)
    fields = {name: getattr(outcome, name) for name in ("legal", "solved", "cost", "step", "reason")}
    if options.output is not None:
        fields["file"] = drawing.draw_file(level, legal, options)
    picture = drawing.pictures(level, legal) if options.draw else f"{drawing.text_picture(outcome.position)}\n"
    sentence = f"solved: cost {outcome.cost}" if outcome.solved else f"not solved: {outcome.reason}"
    text = sentence if options.quiet else f"{picture}{sentence}"
    answer = Answer(YES if outcome.solved else NO, fields, text)
    answer.remark(level, options)
    answer.warn(of_level(options, doubtful=not outcome.solved))
    return answer


def _compared(options: Namespace) -> Answer:
    """Compare two ways; the answer is yes if the first costs no more than the second."""
    if options.solutions or options.draw:
        raise UsageError(f"--against shows where two ways part: leave out --{'draw' if options.draw else 'solutions'}")
    drawing.require_panels(options)
    position = read_level(options.puzzle, options.level, options)
    moves = tuple(as_moves(position, moves_text(options.moves, options)))
    best = options.against == BEST
    other = None if best else tuple(as_moves(position, moves_text([options.against], options)))
    comparison = compare_moves(position, moves, other)
    text = text_of(comparison, quiet=options.quiet)
    if not options.quiet and comparison.second is not None:
        text += f"\n\n{_side_by_side(comparison)}"
    verdict = comparison.as_good
    unknown = max(NO_ANSWER, OF_STATUS.get(comparison.status, NO_ANSWER))  # a planner may have broken
    answer = Answer(NO if verdict is False else YES if verdict else unknown, comparison, text)
    if options.output is not None:
        answer.fields["file"] = drawing.draw_panels(comparison_panels(comparison), options.output, options)
    if verdict is None:
        answer.complain(f"unpuzzle: {_unknown(comparison)}")
        answer.fields["message"] = _unknown(comparison)
    return answer


def _side_by_side(comparison: MovesComparison) -> str:
    """Return pictures, side by side, of the position before the difference and after the next move of each way."""
    shown = [("from here", comparison.parting.draw())]
    moves = comparison.next_moves()
    for name, move, after in zip(("first", "second"), moves, positions_after(comparison), strict=True):
        if after is not None:
            other = comparison.kind.replace("_", " ") if name == "second" and comparison.kind != "given" else name
            shown.append((f"{other}: {move}", after.draw()))
    return beside(shown)


def _unknown(comparison: MovesComparison) -> str:
    """Return the reason why it is unknown whether the first way is optimal."""
    if comparison.second is None:
        return f"{comparison.status}: no solution to compare with was found"
    return f"{comparison.status}: the solution to compare with is not proved optimal"


def _solutions(options: Namespace) -> Answer:
    """Play the solutions in a file of levels."""
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
    with phase("playing the moves"):
        outcome = replay(level, moves)
    return level, outcome, moves if outcome.step is None else moves[: outcome.step - 1]
