"""Anytime planning: first any plan, then better plans, then the proof that the last plan is optimal.

The searches take turns in the core (`core/scheduling/scheduler.hpp`). Where the task is a board on which boxes are
pushed (`boxes.py`), a search made for boards comes first, and then windows made for them take turns with the core's.
Budgets are counted work, never seconds, so equal tasks give equal plans on every machine, as far as the time goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from unpuzzle.base.errors import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY
from unpuzzle.planners.native.boxes import GLANCE_STATES, REASON, Boxes, is_board
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.schedule import Schedule, Stage, StageOutcome

Turns = Iterator[tuple[Stage, StageOutcome]]

EFFORT = 1_000_000
"""The effort of the first turn of the core beside the searches of a board, in ticks."""
BOARD_WINDOWS = 20_000
"""Positions of the first windows of a board."""
GROWTH = 2
"""The growth of both from turn to turn."""


class Anytime:
    """One run of anytime planning.

    `left` returns the number of states that may still be expanded, None for no limit.
    """

    def __init__(self, task: _core.Task, schedule: Schedule, left: Callable[[], int | None]) -> None:
        self._schedule, self._left = schedule, left
        self._best: StageOutcome | None = None
        self._boxes = Boxes(task) if is_board(task) else None

    def turns(self) -> Turns:
        """Yield the outcomes of the searches: each `solved` outcome has a better plan; the last is the answer."""
        growth, effort = 1, 0
        while True:
            yield from self._push(growth)
            effort += EFFORT * growth
            status = SOLVED
            while status == SOLVED:  # it continues after each better plan
                for stage, outcome in self._search(None if self._boxes is None else effort):
                    status = outcome.status
                    yield stage, outcome
            if status not in (GAVE_UP, MEMOUT) or self._left() == 0 or self._boxes is None:
                return
            growth *= GROWTH

    def _push(self, growth: int) -> Turns:
        """Search for a first plan that pushes the boxes or, if a plan is known, improve this plan."""
        left = self._left()
        if self._boxes is None or left == 0:
            return
        stage = Stage("boxes", "boxes", "blind", GLANCE_STATES * growth, REASON)
        if self._best is None:
            most = GLANCE_STATES * growth
            outcome = self._boxes.search(most if left is None else min(most, left))
            if outcome is not None:
                yield stage, self._remember(outcome)
        if self._best is not None:
            self._boxes.best = self._best.replace(status=SOLVED, expanded=0, evaluated=0, generated=0)
            self._boxes.improve([BOARD_WINDOWS * growth])
            yield stage.replace(name="windows"), self._remember(self._boxes.best)

    def _search(self, most_effort: int | None) -> Turns:
        """Continue the schedule until it finds a better plan; a cost bound can prove that the best plan is optimal."""
        left = self._left()
        most = None if left is None else left + self._schedule.expanded
        for stage, outcome in self._schedule.turn(most, most_effort, self._best.cost if self._best else None):
            proved = outcome.status == SOLVED_OPTIMALLY and outcome.plan is None
            best = outcome.replace(plan=self._best.plan, cost=self._best.cost) if proved and self._best else outcome
            yield stage, self._remember(best)

    def _remember(self, outcome: StageOutcome) -> StageOutcome:
        """Store an outcome with a new best plan; return the outcome, without its plan if the plan is not better."""
        if outcome.status != SOLVED:
            return outcome
        if self._best is not None and (outcome.cost or 0) >= (self._best.cost or 0):
            return outcome.replace(status=GAVE_UP, plan=None, cost=None)
        self._best = outcome
        return outcome
