"""Exploring as a command: the states of a level, or a search where they are too many; and where players get lost."""

from __future__ import annotations

from time import perf_counter

from unpuzzle.base.outcomes import GAVE_UP
from unpuzzle.base.run import detached
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.planning.planner import MOVES
from unpuzzle.spaces.exploration import Exploration
from unpuzzle.spaces.surveying import SearchAnswer, explore_or_search
from unpuzzle.workspace.commands.input import LevelInput, Show


class ExplorationInput(LevelInput):
    """A level to be explored.

    Attributes:
        clock: the `perf_counter()` value at which the command began.
        max_states: the most states; with more, a solution is only searched for, with so many states.
        more_on_request: whether a caller may raise the bound on the states of a graph.
    """

    clock: float
    max_states: int | None = None
    objective: str = MOVES
    more_on_request: bool = False
    shows = "{:,} states explored"

    def call(self, show: Show = None) -> ExplorationOutcome:
        exploration, search = explore_or_search(
            self.position, max_states=self.max_states, objective=self.objective, progress=show
        )
        unmeasured = exploration.measure().message
        with detached():  # what was found before a limit is reported
            fields = exploration.to_dict()
        fields |= {"seconds": {"total": round(perf_counter() - self.clock, 6)}}
        if self.objective != MOVES:
            fields |= {"objective": self.objective, "pushes": None if search is None else search.pushes}
        outcome = ExplorationOutcome(exploration, search, fields, unmeasured)
        if search is not None and outcome.incomplete:
            message = exploration.reason
            if self.more_on_request and exploration.status == GAVE_UP:
                message += "; a graph of more is written where --max-states allows it"
            return outcome.replace(fields=fields | {"cost": search.cost, "message": message})
        return outcome


class ExplorationOutcome(Record):
    """The states of a level, and the answer of a search, if there was one.

    Attributes:
        fields: the figures as data for JSON.
        unmeasured: why its lines and its difficulty are not measured; empty if they are.
    """

    exploration: Exploration
    search: SearchAnswer | None
    fields: dict[str, Any]
    unmeasured: str = ""

    @property
    def incomplete(self) -> bool:
        """Whether a limit ended the exploration, so that only a search was made."""
        return not self.exploration.complete and self.search is not None

    def to_dict(self) -> dict[str, Any]:
        return dict(self.fields)
