"""Tasks in which one walker pushes unnamed boxes on a board: a stage that solves these tasks as Sokoban programs do.

The core recognises such a board in the ground task (`core/boxes/recognise.cpp`) and searches it (`core/boxes/`): some
plan soon, then better ones by windows. None of them is proved to be optimal, so a search that may prove it runs in
between:

    the schedule ──► glance ──1,000 positions──► the schedule ──► boxes: improve the plan of the glance, or search

A plan of the glance is kept: if a limit ends the later searches, it is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unpuzzle.base.errors import CANCELLED, SOLVED, LimitReached
from unpuzzle.base.run import current, sooner
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.grounding import limits_of
from unpuzzle.planners.native.schedule import Stage, StageOutcome, folds_a_variable
from unpuzzle.planning.planner import MOVES, Progress

ALGORITHM = "boxes"
REFUSAL = "its task is not a board on which one walker pushes boxes that have no names"
GLANCE_STATES = 1_000
"""Positions of the first search."""
BEFORE_GLANCE, BEFORE_GLANCE_IF_FOLDED = 400_000, 15_000
"""States of the schedule before the first search; fewer if they cover walks, or the walker's place is folded."""
PROOF_STATES, PROOF_STATES_OF_PUSHES = 10_000_000, 2_000_000
"""States of the schedule before the second search."""
IMPROVING_AT_A_GLANCE, IMPROVING_LATER = (50_000,), (100_000, 200_000, 400_000)
"""Positions for improving the plan, in turns; if a limit ends a turn, the plan before it is kept."""
UNFINISHED = "the plan may not be the best: a limit ended the search for a proof or a better plan"
REASON = "boxes are pushed on a board, so searches made for that find a plan"


def is_board(task: _core.Task) -> bool:
    """Return whether the box-pushing searches support a task; False if memory is too small. Raises LimitReached."""
    with limits_of("looking for boxes"):
        try:
            return task.has_boxes(*current().remaining())
        except MemoryError:
            return False


def looks_at_boxes(task: _core.Task, pushes: bool) -> Iterator[tuple[Stage, int]]:
    """Yield the box-pushing searches for a board, each with the number of states that other searches expand first.

    `pushes`: whether pushes count. Raises LimitReached.
    """
    if is_board(task):
        glance = Stage(ALGORITHM, ALGORITHM, "blind", GLANCE_STATES, REASON, optional=True)
        yield glance, BEFORE_GLANCE_IF_FOLDED if pushes or folds_a_variable(task) else BEFORE_GLANCE
        yield glance.replace(most_expanded=None), PROOF_STATES_OF_PUSHES if pushes else PROOF_STATES


class Boxes:
    """The box-pushing searches on one board: for a first plan, and for plans better than the `best` so far."""

    def __init__(self, task: _core.Task, objective: str = MOVES, progress: Progress | None = None) -> None:
        self.best: StageOutcome | None = None
        self._task, self._progress = task, progress
        self._pushes_first = objective.startswith("pushes")

    def search(self, most_expanded: int | None) -> StageOutcome | None:
        """Return the outcome of a search for a first plan; None if the task is not a board with boxes."""
        outcome = self._task.push_boxes(*current().remaining(), most_expanded, progress=self._progress)
        if outcome is None:
            return None
        counts = outcome.expanded, outcome.evaluated, outcome.generated
        answer = StageOutcome(outcome.status, outcome.plan, outcome.cost, *counts)
        if outcome.status == SOLVED:
            self.best = answer
        return answer

    def improve(self, turns: Iterable[int]) -> None:
        """Improve the best plan repeatedly; `turns` gives the number of positions for each attempt.

        It ends before the limits do, so that there is time to validate the plan. Raises LimitReached only if cancelled.
        """
        try:
            for most in turns:
                with sooner():
                    self._improve(most)
        except LimitReached as reached:
            if reached.status == CANCELLED:
                raise

    def _improve(self, most: int) -> None:
        current().look()
        assert self.best is not None
        outcome = self._task.push_boxes(
            *current().remaining(),
            max_improving=most,
            pushes_first=self._pushes_first,
            plan=self.best.plan,
            progress=self._progress,
        )
        if outcome is not None and outcome.plan is not None:
            self.best = self.best.replace(plan=outcome.plan, cost=outcome.cost)
