"""What grounding knows and a reader of the text does not: actions that can never apply, goals that nothing reaches.

Warnings for `unpuzzle lint`, over an approximation (delete effects are ignored): what it reports is certain, but not
all that is impossible is reported.
"""

from __future__ import annotations

from unpuzzle.pddl import Fault
from unpuzzle.planners.native.instantiation import Instantiation
from unpuzzle.planners.watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.limits import Limits
    from unpuzzle.pddl.nodes import Node, Task


def unreachable(task: Task, limits: Limits) -> list[Fault]:
    """Warnings about a well-formed task; none where the limits end the grounding."""
    from unpuzzle.planners.watch import LimitReachedError

    try:
        found = Instantiation(task, Watch(limits, "grounding"))
        ground = found.ground()
    except LimitReachedError:
        return []
    applicable = {operator.name for operator in ground.operators}
    faults = [
        _warning(f"the action '{action.name}' can never be applied in this problem", action)
        for action in task.domain.actions
        if action.name not in applicable
    ]
    from unpuzzle.pddl import write
    from unpuzzle.pddl.formulas import conjuncts

    for part in conjuncts(task.problem.goal):
        if found.formula(part, {}) is False:
            faults.append(_warning(f"nothing can make this part of the goal true: {write(part)}", part))
    return faults


def _warning(message: str, node: Node) -> Fault:
    span = node.span
    if span is None:
        return Fault(None, None, None, "warning", message)
    return Fault(span.file, span.line, span.column, "warning", message)
