"""The command `unpuzzle solve PUZZLE LEVEL`: solve a level, all levels of a file, or a PDDL problem."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from time import perf_counter

from unpuzzle.base.type_hints import Any
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.commands.plan import PlanRequest, SolveRequest, plan_request, remove_old_plan
from unpuzzle.cli.files import endings_of, level_file, read_game, the_level
from unpuzzle.cli.parser import add_level, add_output, add_planner, flag, option, whole
from unpuzzle.cli.refusals import PlayingGame, ReadingPddl
from unpuzzle.model.position import Game
from unpuzzle.pddl_game.spelling import move_of
from unpuzzle.planning.planner import TIES
from unpuzzle.workspace.inputs import Input
from unpuzzle.workspace.planning import PDDL

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
        "count solutions, up to N (puzzles with constraints): --count 2 says whether there is only one; without it one "
        "is shown, and no other is sought",
        whole(),
    )
    about = (
        "for searches on the rules and by subgoals, which of several equally good positions comes first: "
        + ", ".join(TIES)
    )
    option(parser, "--ties NAME", about)


def read(options: Namespace) -> Input:
    """Read the levels to be solved, or the PDDL task."""
    start = perf_counter()
    if _asks_for_a_plan(options):
        from unpuzzle.cli.commands.plan import request_of_files

        return request_of_files(options.puzzle, options.level, options, move_of)
    remove_old_plan(options.plan_file, options.puzzle, options.level)
    with ReadingPddl(options.puzzle, options.level):
        game = read_game(options.puzzle)
        with PlayingGame(game):
            return _read(game, options, start)


def _read(game: Game, options: Namespace, start: float) -> Input:
    """Return the request to solve, or to count the solutions of, one level or all levels of a file."""
    picture, into_file, endings = None, None, tuple(endings_of(game))
    if (options.output or "").lower().endswith(endings):
        into_file = options.output
    elif options.output is not None:
        from unpuzzle.cli.drawing import picture_file

        picture = picture_file(options, options.output)
        picture.require(game, endings)
    if options.count is None:
        one: Any = plan_request(options, subject=None)
    else:
        from unpuzzle.cli.collections import count_request

        one = count_request(options)
    file = level_file(game, options.puzzle, options.level, options.obstacles)
    if file.collection is not None or options.draw or options.output is not None:
        from unpuzzle.cli.collections import request_of_all  # now, not after the time limit

        if len(file.levels) > 1:
            return request_of_all(file, game, one, endings, options)
    level = the_level(file, game, options.puzzle)
    one = one.replace(subject=level.position, read=perf_counter() - start)
    return SolveRequest(level, one, file, options.draw, picture, into_file)


def present(request: Any, outcome: Any, view: View) -> Answer:
    """Return the answer, and write the requested files: the picture, or the levels with the solution."""
    if not isinstance(request, SolveRequest):
        answer: Answer = request.answer(outcome)
        return answer
    answer = request.one.answer(outcome)
    if not isinstance(request.one, PlanRequest):  # solutions were counted
        return answer
    entry = request.file.levels[0].entry
    if request.level.puzzle.lower().endswith(PDDL):
        from unpuzzle.cli.lint_warnings import of_level

        answer.warn(of_level(request.level, doubtful=not answer.fields["moves"]))
    if entry is not None or request.is_shown:
        from unpuzzle.cli.collections import compare_with_file, show

        answer.warn(compare_with_file(request.file.levels[0], request.level.position, answer, quiet=view.quiet))
        if request.is_shown:
            show(request, answer)
    return answer


def _asks_for_a_plan(options: Namespace) -> bool:
    """Return whether a PDDL task is to be solved as it is, not as a level of a game.

    This holds only for the built-in planner, which reads the task; others may read the rules.
    """
    planner = options.planner or "native"
    plain = options.output is None and options.count is None and options.ties is None and not options.draw
    files = all(path.lower().endswith(PDDL) for path in (options.puzzle, options.level)) and os.path.isfile(
        options.level
    )
    return files and plain and (planner == "native" or planner.startswith("native:"))
