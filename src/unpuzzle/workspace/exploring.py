"""The command `explore`: the states of a level, or a search if there are too many states; and traps for players.

`explain`, too: why a level has no solution, how to find one, and which actions are never applicable.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.base.errors import CANCELLED, GAVE_UP, Interrupted
from unpuzzle.base.run import detached, phase
from unpuzzle.base.text import count
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.checking.reasons import Explanation, explain, explain_actions, explain_level
from unpuzzle.planning.planner import MOVES
from unpuzzle.puzzle.capabilities import Explaining, offered
from unpuzzle.solving import solve
from unpuzzle.spaces.exploration import Exploration
from unpuzzle.spaces.space import SeenSpace, SpaceLimitError
from unpuzzle.spaces.surveying import SearchAnswer, explore_or_search
from unpuzzle.workspace.inputs import LevelInput, Show


class ExplorationInput(LevelInput):
    """A request to explore a level.

    Attributes:
        clock: the `perf_counter()` value at which the command began.
        max_states: the most states; if there are more, the level is only solved, with as many states.
        more_on_request: whether a caller may raise the bound on the states of a graph.
    """

    clock: float
    max_states: int | None = None
    objective: str = MOVES
    more_on_request: bool = False
    shows = "{:,} states explored"

    def call(self, show: Show = None) -> ExplorationOutcome:
        seen = 0

        def tell(states: int) -> None:
            nonlocal seen
            seen = states
            if show is not None:
                show(states)

        try:
            exploration, search = explore_or_search(
                self.position, max_states=self.max_states, objective=self.objective, progress=tell
            )
            unmeasured = exploration.measure().message
        except KeyboardInterrupt as error:
            if not seen:
                raise
            return self._interrupted(seen, error)
        with detached():  # what was found before a limit is reported
            fields = exploration.to_dict()
        fields |= {"seconds": {"total": round(perf_counter() - self.clock, 6)}}
        if self.objective != MOVES:
            fields |= {"objective": self.objective, "pushes": None if search is None else search.pushes}
        outcome = ExplorationOutcome(exploration, search, fields, unmeasured)
        if search is not None and outcome.incomplete:
            message = exploration.reason
            if self.more_on_request and exploration.status == GAVE_UP:
                message += "; to write a larger graph, raise --max-states"
            return outcome.replace(fields=fields | {"cost": search.cost, "message": message})
        return outcome

    def _interrupted(self, seen: int, error: KeyboardInterrupt) -> ExplorationOutcome:
        """Return the number of states that were seen before an interruption."""
        message = f"interrupted after {count(seen, 'expanded state')}; a --time-limit leaves time for a search"
        exploration = Exploration(self.position, SeenSpace(SpaceLimitError(CANCELLED, seen, None)))
        fields = exploration.to_dict() | {"message": message}
        return ExplorationOutcome(exploration, SearchAnswer(), fields, ended_by=error)


class ExplorationOutcome(Record):
    """The states of a level, and the answer of a search if a search was made.

    Attributes:
        fields: the figures as data for JSON.
        unmeasured: why its solution lines and its difficulty are not measured; empty if they are.
        ended_by: the interruption after which only the number of states seen is known.
    """

    exploration: Exploration
    search: SearchAnswer | None
    fields: dict[str, Any]
    unmeasured: str = ""
    ended_by: KeyboardInterrupt | None = None

    @property
    def incomplete(self) -> bool:
        """Whether a limit ended the exploration, so that a search was made instead."""
        return not self.exploration.complete and self.search is not None

    def to_dict(self) -> dict[str, Any]:
        return dict(self.fields)


class ExplanationInput(LevelInput):
    """A request to explain a level or, given an `action`, why that action is not, or is never, applicable."""

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
