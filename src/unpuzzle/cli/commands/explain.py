"""unpuzzle explain PUZZLE LEVEL."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.checking.reasons import Explanation, explain
from unpuzzle.cli.answer import NO_ANSWER, OF_STATUS, YES, Answer
from unpuzzle.cli.files import read_level
from unpuzzle.cli.parser import add_level, add_limits, deadline_of, option, within_limits
from unpuzzle.puzzle.capabilities import Explaining, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.result import SOLVED, SOLVED_OPTIMALLY
from unpuzzle.solving import solve

EXAMPLE = "unpuzzle explain domain.pddl problem.pddl\n  unpuzzle explain sudoku 32-clues"


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    option(parser, "--action ACTION", "why it is not applicable, and whether it ever is: '(move a b)'")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Say why a level has no solution; one that has a solution is explained as its game does."""
    position = read_level(options.puzzle, options.level, options)
    own = offered(position, Explaining)
    if own is not None and options.action is None and _solvable(position, options):
        with within_limits(options, "explaining"):
            text, data = own.explain()
        return Answer(YES, data, text)
    deadline = deadline_of(options, "explaining")
    with within_limits(options, "explaining"):
        explanation = explain(position, action=options.action, limits=deadline)
    return _answer(explanation, options.action is not None)


def _solvable(position: Position, options: Namespace) -> bool:
    """Return False where it is proved, or quickly seen, that a level has no solution."""
    return solve(position, limits=deadline_of(options, "solving")).status in (SOLVED, SOLVED_OPTIMALLY)


def _answer(explanation: Explanation, of_action: bool) -> Answer:
    if explanation.solvable is None:
        code = OF_STATUS.get(explanation.status, NO_ANSWER)
        why = f"unpuzzle: {explanation.status}: whether there is a plan is not known"
        return Answer(code, explanation, str(explanation), why)
    if explanation.solvable and not of_action:
        step = f"a plan begins with {explanation.step}" if explanation.step else "the goal holds already"
        return Answer(YES, explanation, f"there is a plan: {step}")
    return Answer(YES, explanation, str(explanation))
