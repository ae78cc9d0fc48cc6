"""Refuses tasks whose costs are not defined, before a planner sees them.

An action that can be applied needs a cost. Planners disagree about one that has none (some leave it out, some break),
so what they say of such a task proves nothing. The native planner notices when it grounds; for all others the same
grounding is asked here, where some value is missing at all. Without the compiled core only the `reference` planner
notices, once it comes to such an action.
"""

from __future__ import annotations

from unpuzzle.limits import Deadline
from unpuzzle.pddl.costs import may_lack_costs
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners import native


def require_costs(task: Task, deadline: Deadline) -> None:
    """Raise ParseError for an action that can be applied and has no cost. Raises LimitReached, too."""
    if native.missing() is not None or not may_lack_costs(task):
        return
    from unpuzzle.planners.native.grounding.survey import costless

    for error in costless(task, deadline.during("grounding")):
        raise error
