"""Explaining as a command: why a level has no solution, how one is found, and which actions are never applicable."""

from __future__ import annotations

from unpuzzle.base.errors import Interrupted
from unpuzzle.base.run import phase
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.checking.explained_levels import explain_actions, explain_level
from unpuzzle.checking.reasons import Explanation, explain
from unpuzzle.puzzle.capabilities import Explaining, offered
from unpuzzle.solving import solve
from unpuzzle.workspace.commands.input import LevelInput, Show


class ExplanationInput(LevelInput):
    """A level to be explained; with an `action`: why is that not applicable, and is it ever?"""

    action: str | None = None

    def call(self, show: Show = None) -> ExplanationOutcome:
        """Explain a level with a solution as its game does, and one without by what cannot be reached."""
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
    """A level whose actions are to be looked through: which are never applicable, and why?"""

    def call(self, show: Show = None) -> tuple[Explanation, ...]:
        return explain_actions(self.position)


class ExplanationOutcome(Record):
    """The explanation of a level or an action; or the text and the data of the game, which explains its solution."""

    explanation: Explanation | None = None
    own_text: str = ""
    own_data: Any = None
    ended_by: Interrupted | None = None

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = self.own_data if self.explanation is None else self.explanation.to_dict()
        return data
