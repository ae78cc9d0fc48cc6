"""unpuzzle compare-moves PUZZLE LEVEL MOVES [MOVES2] [-o FILE]."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.checking.move_comparison import MovesComparison, compare_moves, positions_after, text_of
from unpuzzle.cli.answer import NO, NO_ANSWER, OF_STATUS, YES, Answer
from unpuzzle.cli.drawing import add_output, draw_panels, require_panels
from unpuzzle.cli.files import moves_text, read_level
from unpuzzle.cli.parser import add_level, add_limits, deadline_of, operand, within_limits
from unpuzzle.drawing.panels import beside
from unpuzzle.puzzle.replaying import as_moves

EXAMPLE = """unpuzzle compare-moves sokoban 1 ullRDR
  unpuzzle compare-moves boxup 1 ULDRR LURDRR -o apart.svg"""


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    operand(parser, "MOVES", "run together, or in quotation marks: ULDRR, 'AC AB'; or a file with them, or `-`")
    operand(parser, "MOVES2", "others to compare with; default: an optimal solution", nargs="?")
    add_output(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Compare two ways; the answer is yes if the first costs no more than the second."""
    require_panels(options)
    position = read_level(options.puzzle, options.level, options)
    moves = tuple(as_moves(position, moves_text([options.moves], options)))
    other = None if options.moves2 is None else tuple(as_moves(position, moves_text([options.moves2], options)))
    with within_limits(options, "playing the moves"):
        comparison = compare_moves(position, moves, other, limits=deadline_of(options, "playing the moves"))
    text = text_of(comparison, quiet=options.quiet)
    if not options.quiet and comparison.second is not None:
        text += f"\n\n{pictures(comparison)}"
    verdict = comparison.as_good
    unknown = max(NO_ANSWER, OF_STATUS.get(comparison.status, NO_ANSWER))  # a planner may have broken
    answer = Answer(NO if verdict is False else YES if verdict else unknown, comparison, text)
    if options.output is not None:
        from unpuzzle.rendering.figures import comparison_panels

        answer.fields["file"] = draw_panels(comparison_panels(comparison), options.output, options)
    if verdict is None:
        answer.complain(f"unpuzzle: {_unknown(comparison)}")
        answer.fields["message"] = _unknown(comparison)
    return answer


def pictures(comparison: MovesComparison) -> str:
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
