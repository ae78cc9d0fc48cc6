"""unpuzzle solve PUZZLE LEVEL."""

from __future__ import annotations

from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from unpuzzle.cli.answer import Answer

EXAMPLE = "unpuzzle solve boxup 1 --planner fast-downward --draw"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    from unpuzzle.cli.drawing import add_output
    from unpuzzle.cli.numbers import whole
    from unpuzzle.cli.parser import add_planner
    from unpuzzle.planning.planner import TIES

    parser.add_argument("puzzle", metavar="PUZZLE")
    parser.add_argument("level", metavar="LEVEL", help="a bundled level's name, a file, or - for standard input")
    parser.add_argument("--draw", action="store_true", help="draw the position after every move")
    add_output(parser)
    add_planner(parser)
    parser.add_argument(
        "--count",
        metavar="N",
        type=whole(),
        help="count solutions, up to N: is there one only? (puzzles with constraints)",
    )
    parser.add_argument(
        "--ties",
        metavar="NAME",
        help="for searches on the rules and by subgoals, which of several best positions is first: " + ", ".join(TIES),
    )


def execute(options: Namespace) -> Answer:
    """Solve a level."""
    from unpuzzle.cli import exits
    from unpuzzle.cli.drawing import check_output, draw_output, pictures
    from unpuzzle.cli.files import read_level
    from unpuzzle.cli.solving import answer_for

    if options.output is not None:
        check_output(options)
    start = perf_counter()
    puzzle = read_level(options.puzzle, options.level, options)
    if options.count is not None:
        from unpuzzle.cli.counting import answer_for as counted

        return counted(puzzle, options, perf_counter() - start)
    answer = answer_for(puzzle, options, perf_counter() - start)
    moves = answer.fields["moves"]
    if options.draw and moves is not None:
        answer.text = pictures(puzzle, moves) + answer.text
    if options.output is not None:
        answer.fields["file"] = None
        try:
            if answer.end is not None:
                answer.fields["file"] = draw_output(answer.end, (), options)
            elif moves is not None:
                answer.fields["file"] = draw_output(puzzle, moves, options)
        except OSError as error:  # the moves are not lost: they go to stdout all the same
            answer.code, answer.complaint = exits.BAD_INPUT, f"unpuzzle: {options.output}: {error.strerror}"
    return answer
