"""Boards on which one walker pushes boxes without names: the stage that solves them as Sokoban programs do.

The core recognises such a board in the ground task (`core/boxes/recognise.cpp`) and searches it (`core/boxes/`): some
plan soon, then better ones by windows. None of them is proved to be the cheapest; so pattern databases, which prove it
of small levels, come before it.
"""

from __future__ import annotations

from unpuzzle.planners.native.schedule import Stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.limits import Deadline
    from unpuzzle.planners.native import _core
    from unpuzzle.planners.native._core import SearchResult
    from unpuzzle.planning.planner import Progress

ALGORITHM = "boxes"
REFUSAL = "its task is no board on which one walker pushes boxes that have no names"
PROOF_STATES = 10_000_000
"""States of the search with databases before, where there are boxes."""
IMPROVING_STATES = 1_000_000
"""Positions that are spent on making the plan better."""
REASON = "boxes are pushed on a board, so searches made for that find a plan"


def with_boxes(task: _core.Task, stages: list[Stage]) -> list[Stage]:
    """Return the stages with the search for boxes before all without a budget, if the task is such a board."""
    if not task.has_boxes:
        return stages
    at = next(number for number, stage in enumerate(stages) if stage.most_expanded is None)
    proof = stages[at].replace(most_expanded=PROOF_STATES)
    return [*stages[:at], proof, boxes_stage(), *stages[at:]]


def boxes_stage() -> Stage:
    """Return the stage that pushes boxes; it ends with a plan, a proof that there is none, or at a limit."""
    return Stage(ALGORITHM, ALGORITHM, "blind", None, REASON, optional=True)


def push_boxes(task: _core.Task, watch: Deadline, progress: Progress | None, budget: int | None) -> SearchResult | None:
    """Return the outcome of the search for a board with boxes; None if the task is no such board."""
    return task.push_boxes(
        watch.time_left(), watch.memory_left(), budget, max_improving=IMPROVING_STATES, progress=progress
    )
