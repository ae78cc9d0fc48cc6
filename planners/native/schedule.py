"""The schedule of the default configuration: several searches of one task take turns, each in stages.

The searches take turns in the core: `core/scheduling/scheduler.hpp` lists them and explains how effort is shared. Here
they are stages, like the single searches of other configurations.
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, SOLVED
from unpuzzle.base.run import current
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planning.planner import Progress

LEAST_BEFORE_SYMMETRIES, STATES_PER_OPERATOR, STATES_PER_CONDITIONAL_EFFECT = 10_000, 50, 8
"""The number of states that a single search expands before symmetries are searched: looking for them takes about as
long as expanding half a dozen states for each operator.
"""
STATES_PER_LANDMARK_STATE = 20
"""Evaluating a state by landmarks takes about as long as this many other states."""
BY_RULES = "rules"
"""The part that searches a game by its rules."""
BOXES = "boxes"
"""The part that pushes boxes on a board, and its algorithm."""
REFUSAL = "its task is not a board on which one walker pushes boxes that have no names"
PUSHING = "boxes are pushed on a board, so searches made for that find a plan"
SCALE = 1.0
"""The scale of the schedule's first looks: with less, small tasks see all parts, too."""


class Stage(Record):
    """One search in a planner's run: the algorithm, the heuristic and their settings.

    Attributes:
        name: the name of its configuration.
        reason: the reason for this stage, for people.
        symmetries_after: the number of expansions before the search looks for symmetries; None: never.
        pruned_by: the method that leaves out successors, see `core/state/pruning.hpp`; "": none.
    """

    name: str
    algorithm: str
    heuristic: str
    reason: str = ""
    weight: int = 1
    symmetries_after: int | None = None
    pruned_by: str = ""


class StageOutcome(Record):
    """The result of one stage, with the fields of `_core.SearchResult`; it counts only the states of this stage."""

    status: str
    plan: list[int] | None
    cost: int | None
    expanded: int
    evaluated: int
    generated: int


def symmetries_after(task: _core.Task, heuristic: str) -> int:
    """Return the number of states that a search expands before it computes the task's symmetries."""
    size = STATES_PER_OPERATOR * task.operators + STATES_PER_CONDITIONAL_EFFECT * task.features.conditional_effects
    return max(LEAST_BEFORE_SYMMETRIES, size) // (STATES_PER_LANDMARK_STATE if heuristic == "lmcut" else 1)


class Schedule:
    """The searches for one task that take turns in the C++ core.

    Attributes:
        core: the schedule itself; the search of a game by its rules may be its first part, before a task is added.
        first_plan: the plan of that first part, if it found the answer.
        over: whether a turn gave the answer, or a limit ended it.
        full: whether no part has enough memory left.
    """

    def __init__(self, core: _core.Schedule, progress: Progress) -> None:
        self.core: _core.Schedule = core
        self.progress: Progress = progress
        self.first_plan: list[int] | None = None
        self._counted: dict[str, tuple[int, int, int]] = {}
        self.over: bool = False
        self.full: bool = False

    @property
    def expanded(self) -> int:
        """The number of states that all searches together have expanded."""
        return sum(expanded for expanded, _, _ in self._counted.values())

    def turn(self, most_expanded: int | None = None) -> Iterator[tuple[Stage, StageOutcome]]:
        """Run the searches for one turn; yield each with its outcome. An outcome with the answer comes last.

        The limit is for all turns together. An anytime schedule is `solved` with each cheaper plan.
        Raises LimitReached, and UnsupportedFeature where no part supports the task.
        """
        try:
            limits = current().remaining()
            result = self.core.run(*limits, most_expanded, progress=self.progress)
        except _core.UnsupportedTask as error:
            feature = str(error).partition(" do not support ")[2]
            raise UnsupportedFeature(f"native: {error}", feature=feature) from None
        self.progress.counts = (0, 0, 0)
        self.full = result.status == MEMOUT
        self.over = result.status not in (GAVE_UP, MEMOUT)
        last = self.core.ended_by
        parts = [part for part in self.core.parts if last is None or part.name != last.name]
        for part in [*parts, *([last] if last is not None else [])]:
            answers = last is not None and part.name == last.name
            counts = part.expanded, part.evaluated, part.generated
            new = tuple(
                now - before for now, before in zip(counts, self._counted.get(part.name, (0, 0, 0)), strict=True)
            )
            self._counted[part.name] = counts
            if answers or any(new):
                status = result.status if answers else MEMOUT if part.state == MEMOUT else GAVE_UP
                if part.name == BOXES and not answers and self.core.unproved:
                    status = SOLVED
                plan, cost = (result.plan, result.cost) if answers else (None, None)
                if part.name == BY_RULES:
                    self.first_plan = plan
                after, pruned_by = 0 if part.symmetric else None, part.name.partition("+")[2]
                reason = PUSHING if part.name == BOXES else ""
                stage = Stage(part.name, part.algorithm, part.heuristic, reason, 1, after, pruned_by)
                yield stage, StageOutcome(status, plan, cost, *new)
        if last is None:
            yield Stage("schedule", "astar", "blind"), StageOutcome(result.status, None, None, 0, 0, 0)

    def details(self) -> list[dict[str, Any]]:
        """Return the counts of states of each search, for the `details` of a result."""
        return [
            {"part": part.name, "state": part.state, "expanded": part.expanded, "bound": part.f, "effort": part.effort}
            for part in self.core.parts
            if part.effort or part.expanded
        ]
