"""unpuzzle solve PUZZLE LEVEL."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from time import perf_counter

from unpuzzle.cli.answer import BAD_INPUT, Answer
from unpuzzle.cli.files import read_level
from unpuzzle.cli.numbers import whole
from unpuzzle.cli.parser import add_level, add_planner, flag, option
from unpuzzle.cli.solving import answer_for
from unpuzzle.planning.planner import TIES

EXAMPLE = """unpuzzle solve boxup 1 --planner fast-downward --draw
  unpuzzle solve sokoban 2 --objective pushes,moves"""


def arguments(parser: ArgumentParser) -> None:
    from unpuzzle.cli.drawing import add_output

    add_level(parser)
    flag(parser, "--draw", "draw the position after every move")
    add_output(parser)
    add_planner(parser)
    option(parser, "--count N", "count solutions, up to N: is there one only? (puzzles with constraints)", whole())
    about = "for searches on the rules and by subgoals, which of several best positions is first: " + ", ".join(TIES)
    option(parser, "--ties NAME", about)


def execute(options: Namespace) -> Answer:
    """Solve a level."""
    from unpuzzle.cli.drawing import draw_file, pictures, require_output

    if options.output is not None:
        require_output(options)
    start = perf_counter()
    puzzle = read_level(options.puzzle, options.level, options)
    if options.count is not None:
        from unpuzzle.cli.counting import answer_for as counted

        return counted(puzzle, options, perf_counter() - start)
    answer = answer_for(puzzle, options, perf_counter() - start)
    moves = answer.fields["moves"]
    if options.puzzle.endswith(".pddl"):
        from unpuzzle.cli.oddities import of_level

        answer.warn(of_level(options, doubtful=not moves))
    if options.draw and moves is not None:
        answer.text = pictures(puzzle, moves) + answer.text
    if options.output is not None:
        answer.fields["file"] = None
        try:
            if answer.end is not None:
                answer.fields["file"] = draw_file(answer.end, (), options)
            elif moves is not None:
                answer.fields["file"] = draw_file(puzzle, moves, options)
        except OSError as error:  # the moves are not lost: they go to stdout all the same
            answer.code, answer.complaint = BAD_INPUT, f"unpuzzle: {options.output}: {error.strerror}"
    return answer
