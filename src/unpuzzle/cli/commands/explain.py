"""unpuzzle explain PUZZLE LEVEL."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.checking.explained_levels import explain_actions, explain_level
from unpuzzle.checking.reasons import SECONDS, Explanation, explain
from unpuzzle.cli.answer import NO_ANSWER, OF_STATUS, YES, Answer, of_error
from unpuzzle.cli.drawing import draw_panels, require_picture_file, text_picture
from unpuzzle.cli.files import read_level
from unpuzzle.cli.oddities import of_level
from unpuzzle.cli.parser import add_level, add_limits, flag, option
from unpuzzle.errors import Interrupted, UsageError
from unpuzzle.puzzle.capabilities import Explaining, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import replay
from unpuzzle.rendering.figures import shortfall_panels
from unpuzzle.result import CANCELLED, MEMOUT, SOLVED, SOLVED_OPTIMALLY, TIMEOUT
from unpuzzle.run import phase
from unpuzzle.solving import solve
from unpuzzle.spaces.shortfalls import Shortfall

EXAMPLE = """unpuzzle explain domain.pddl problem.pddl
  unpuzzle explain domain.pddl problem.pddl --actions
  unpuzzle explain sudoku 32-clues
  unpuzzle explain lights-out unsolvable --picture miss.svg"""


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    option(parser, "--action ACTION", "say why this action is not applicable, and whether it ever is: '(move a b)'")
    flag(parser, "--actions", "list the actions that are never applicable, each with the reason")
    option(parser, "--picture FILE", "draw the nearest miss of a level without a solution, such as x.svg")
    add_limits(parser, f"wall clock; default: {SECONDS:.0f} for the reasons that a PDDL task has no plan")


def execute(options: Namespace) -> Answer:
    """Explain why a level has no solution; a level with a solution is explained as its game does."""
    if options.picture is not None:
        require_picture_file(options.picture)
    if options.actions and (options.action or options.picture):
        raise UsageError(f"--actions does not go with --{'action' if options.action else 'picture'}")
    position = read_level(options.puzzle, options.level, options)
    if options.actions:
        return _of_actions(position, options)
    own = offered(position, Explaining)
    if own is not None and options.action is None and _solvable(position, options):
        with phase("explaining"):
            text, data = own.explain()
        answer = Answer(YES, data, text)
        answer.remark(position, options)
        return answer
    interruption = None
    try:
        explanation = explain_level(position) if options.action is None else explain(position, action=options.action)
    except Interrupted as error:
        explanation, interruption = error.report, of_error(error)
    answer = _answer(explanation, options.action is not None)
    if interruption is not None:
        answer.code, answer.fields["status"] = interruption
    if explanation.shortfall is not None:
        _draw(answer, position, explanation.shortfall, options)
    elif options.picture is not None:
        answer.complain(f"unpuzzle: {options.picture} is not written: there is no nearest miss to be drawn")
    answer.remark(position, options)
    answer.warn(of_level(options, doubtful=not explanation.solvable))
    return answer


def _of_actions(position: Position, options: Namespace) -> Answer:
    """Return the actions that are never applicable; limits leave some open, which the complaint names."""
    found = explain_actions(position)
    never = "\n\n".join([str(each) for each in found if each.solvable is False])
    answer = Answer(
        YES, list(found), never if found else "every action is applicable in some state that can be reached"
    )
    for each in found:
        if each.solvable is None:
            answer.code = OF_STATUS.get(each.status, NO_ANSWER)
            answer.complain(f"unpuzzle: {each.status}: {each.unfinished} was not found out {_why(each)}")
    answer.warn(of_level(options, doubtful=True))
    return answer


def _draw(answer: Answer, position: Position, shortfall: Shortfall, options: Namespace) -> None:
    """Add the picture of the nearest miss, and write the requested file."""
    if not options.quiet and len(shortfall.parts) > 1:
        answer.text += f"\n{text_picture(replay(position, shortfall.nearest.moves).position)}\n"
    if options.picture is not None:
        answer.fields["file"] = draw_panels(shortfall_panels(position, shortfall), options.picture, options)


def _solvable(position: Position, options: Namespace) -> bool:
    """Return whether a solution is found within the limits."""
    return solve(position).status in (SOLVED, SOLVED_OPTIMALLY)


def _answer(explanation: Explanation, of_action: bool) -> Answer:
    code, text = YES, str(explanation)
    if explanation.solvable and not of_action:
        text = f"there is a plan; it begins with {explanation.step}" if explanation.step else "the goal holds already"
    elif explanation.solvable is None:
        code = OF_STATUS.get(explanation.status, NO_ANSWER)
    answer = Answer(code, explanation, text)
    if explanation.unfinished:
        answer.complain(
            f"unpuzzle: {explanation.status}: {explanation.unfinished} was not found out {_why(explanation)}"
        )
    return answer


def _why(explanation: Explanation) -> str:
    """Return the limit that ended the work, and advice."""
    if explanation.status == CANCELLED:
        return "before the interruption"
    if explanation.status == TIMEOUT:
        return "in the time; a larger --time-limit may do"
    return "in the memory" if explanation.status == MEMOUT else "with the effort that is spent on it"
