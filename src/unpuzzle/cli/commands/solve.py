"""unpuzzle solve PUZZLE LEVEL: one level, or all of a file; a PDDL problem alone finds its domain."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from time import perf_counter

from unpuzzle.cli.answer import Answer
from unpuzzle.cli.files import endings_of, level_file, read_game, the_level
from unpuzzle.cli.numbers import whole
from unpuzzle.cli.parser import add_level, add_output, add_planner, flag, option
from unpuzzle.cli.solving import PDDL, answer_for, remove_old_plan
from unpuzzle.pddl_game.spelling import move_of
from unpuzzle.planning.planner import TIES
from unpuzzle.puzzle.position import Position

EXAMPLE = """unpuzzle solve boxup 1 --planner fast-downward --draw
  unpuzzle solve sokoban 2 --objective pushes,moves
  unpuzzle solve p01.pddl                                    with the domain beside it
  unpuzzle solve sokoban levels.sok:12                       one level of a file, by its number or title
  unpuzzle solve sokoban levels.sok -o solved.sok            all of them, each within the limits"""


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    flag(parser, "--draw", "draw the position after every move")
    add_output(parser)
    add_planner(parser)
    option(
        parser,
        "--count N",
        "count solutions, up to N, to see whether there is only one (puzzles with constraints)",
        whole(),
    )
    about = (
        "for searches on the rules and by subgoals, which of several equally good positions comes first: "
        + ", ".join(TIES)
    )
    option(parser, "--ties NAME", about)


def execute(options: Namespace) -> Answer:
    start = perf_counter()
    remove_old_plan(options, options.puzzle, options.level)
    if _asks_for_a_plan(options):
        from unpuzzle.cli.commands.plan import answer_of_files

        return answer_of_files(options.puzzle, options.level, options, start, move_of=move_of)
    game = read_game(options.puzzle, options)
    into_file = (options.output or "").lower().endswith(tuple(endings_of(game)))
    if options.output is not None and not into_file:
        from unpuzzle.cli.drawing import require_output

        require_output(options, game, endings_of(game))
    file = level_file(game, options.puzzle, options.level, options)
    if len(file.levels) > 1:
        from unpuzzle.cli.collections import require_fitting, solve_all

        require_fitting(file, game, options)
        return solve_all(file, game, options, _answer)
    position = the_level(file, game, options)
    answer = _answer(position, options, perf_counter() - start)
    if options.count is not None:
        return answer
    if file.levels[0].entry is not None:
        from unpuzzle.cli.collections import compare_with_file

        answer.warn(compare_with_file(file.levels[0], position, answer, options))
    if options.puzzle.endswith(PDDL):
        from unpuzzle.cli.oddities import of_level

        answer.warn(of_level(options, doubtful=not answer.fields["moves"]))
    if options.draw or options.output is not None:
        from unpuzzle.cli.collections import show

        show(file, position, answer, options, into_file=into_file)
    return answer


def _asks_for_a_plan(options: Namespace) -> bool:
    """Return whether a PDDL task is to be solved without any use of its positions.

    This holds only for the built-in planner, which reads the task; others may read the rules.
    """
    planner = options.planner or "native"
    plain = options.output is None and options.count is None and options.ties is None and not options.draw
    files = options.puzzle.endswith(PDDL) and options.level.endswith(PDDL) and os.path.isfile(options.level)
    return files and plain and (planner == "native" or planner.startswith("native:"))


def _answer(position: Position, options: Namespace, read: float) -> Answer:
    """Return the answer for one level; `read` is the time for reading it, in seconds."""
    if options.count is not None:
        from unpuzzle.cli.counting import answer_for as counted

        return counted(position, options, read)
    return answer_for(position, options, read)
