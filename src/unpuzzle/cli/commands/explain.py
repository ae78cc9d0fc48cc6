"""The command `unpuzzle explain PUZZLE LEVEL`: say why there is no plan, or which step is next."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.base.errors import Interrupted, UsageError
from unpuzzle.base.outcomes import CANCELLED, MEMOUT, NO_ANSWER, OF_STATUS, TIMEOUT, YES, of_error
from unpuzzle.base.run import phase
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.drawing import PictureFile, picture_file, text_picture
from unpuzzle.cli.files import read_level
from unpuzzle.cli.lint_warnings import of_level
from unpuzzle.cli.parser import add_level, add_limits, flag, option
from unpuzzle.explanation.reasons import SECONDS, Explanation, explain, explain_actions, explain_level
from unpuzzle.model.capabilities import Explaining, offered
from unpuzzle.model.replaying import replay
from unpuzzle.rendering.analysis import shortfall_panels
from unpuzzle.solving import solve
from unpuzzle.workspace.inputs import LevelInput, ReadLevel, Show

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


class ExplanationInput(LevelInput):
    """A request to explain a level or, if an `action` is given, why this action is not, or is never, applicable."""

    action: str | None = None

    def call(self, show: Show = None) -> ExplanationOutcome:
        """Explain a solvable level with the game's own explanation, an unsolvable level by its unreachable facts."""
        own = offered(self.position, Explaining)
        if own is not None and self.action is None and solve(self.position).solved:
            with phase("explaining"):
                text, data = own.explain()
            return ExplanationOutcome(own_text=text, own_data=data)
        try:
            if self.action is None:
                return ExplanationOutcome(explain_level(self.position))
            return ExplanationOutcome(explain(self.position, action=self.action))
        except Interrupted as error:
            return ExplanationOutcome(error.report, ended_by=error)


class ActionsInput(LevelInput):
    """A request for the actions of a level that are never applicable, with the reasons."""

    def call(self, show: Show = None) -> tuple[Explanation, ...]:
        return explain_actions(self.position)


class ExplanationOutcome(Record):
    """The explanation of a level or an action; or a game's own explanation of a solution, as text and data."""

    explanation: Explanation | None = None
    own_text: str = ""
    own_data: Any = None
    ended_by: Interrupted | None = None

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = self.own_data if self.explanation is None else self.explanation.to_dict()
        return data


class ExplainRequest(ExplanationInput):
    """A request to explain a level, with the file for a picture of the position nearest to the goal."""

    picture: PictureFile = PictureFile()


def read(options: Namespace) -> ExplainRequest | ActionsInput:
    """Read the level. Raises UsageError, before any work, for a picture that cannot be made."""
    picture = picture_file(options, options.picture)
    picture.require_panels()
    if options.actions and (options.action or options.picture):
        raise UsageError(f"--actions cannot be combined with --{'action' if options.action else 'picture'}")
    level = read_level(options.puzzle, options.level, options.obstacles)
    if options.actions:
        return ActionsInput(level)
    return ExplainRequest(level, options.action, picture)


def present(
    request: ExplainRequest | ActionsInput, outcome: ExplanationOutcome | tuple[Explanation, ...], view: View
) -> Answer:
    """Return the reasons; for a level without a solution, also draw the position nearest to the goal."""
    if not isinstance(outcome, ExplanationOutcome):
        return _of_actions(request.level, outcome)
    assert isinstance(request, ExplainRequest)
    explanation, picture = outcome.explanation, request.picture
    if explanation is None:
        answer = Answer(YES, outcome, outcome.own_text)
        answer.remark(request.position, view)
        return answer
    answer = _answer(explanation, request.action is not None)
    if outcome.ended_by is not None and (ending := of_error(outcome.ended_by)) is not None:
        answer.code, answer.fields["status"] = ending
    shortfall = explanation.shortfall
    if shortfall is not None and not view.quiet and len(shortfall.parts) > 1 and shortfall.nearest.moves:
        answer.text += f"\n{text_picture(replay(request.position, shortfall.nearest.moves).position)}\n"
    if shortfall is not None and picture.path is not None:
        answer.fields["file"] = picture.draw_panels(shortfall_panels(request.position, shortfall))
    elif picture.path is not None:
        answer.complain(f"unpuzzle: {picture.path} is not written: there is no nearest miss to be drawn")
    answer.remark(request.position, view)
    answer.warn(of_level(request.level, doubtful=not explanation.solvable))
    return answer


def _of_actions(level: ReadLevel, found: tuple[Explanation, ...]) -> Answer:
    """Return the actions that are never applicable; the error message names actions that a limit left undecided."""
    never = "\n\n".join([str(each) for each in found if each.solvable is False])
    answer = Answer(
        YES, list(found), never if found else "every action is applicable in some state that can be reached"
    )
    for each in found:
        if each.solvable is None:
            answer.code = OF_STATUS.get(each.status, NO_ANSWER)
            answer.complain(_unfinished(each))
    answer.warn(of_level(level, doubtful=True))
    return answer


def _answer(explanation: Explanation, of_action: bool) -> Answer:
    """Return the answer with an explanation as text."""
    code, text = YES, str(explanation)
    if explanation.solvable and not of_action:
        text = (
            f"there is a plan; it begins with {explanation.beginning}" if explanation.step else "the goal holds already"
        )
    elif explanation.solvable is None:
        code = OF_STATUS.get(explanation.status, NO_ANSWER)
    return Answer(code, explanation, text, _unfinished(explanation) if explanation.unfinished else "")


def _unfinished(explanation: Explanation) -> str:
    return f"unpuzzle: {explanation.status}: {explanation.unfinished} was not determined {_why(explanation)}"


def _why(explanation: Explanation) -> str:
    """Return a phrase that names the limit that ended the work, with advice."""
    if explanation.status == CANCELLED:
        return "before the interruption"
    if explanation.status == TIMEOUT:
        return "in time; a larger --time-limit may help"
    return "within the memory limit" if explanation.status == MEMOUT else "by the bounded search for reasons"
