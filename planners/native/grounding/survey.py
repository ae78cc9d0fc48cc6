"""Relaxed reachability alone: which actions can apply at all, which of them lack a cost, what nothing makes true.

For `unpuzzle lint`, and for planners that do not ground with us.

This is grounding up to the ground operators; nothing is pruned, encoded or searched.
"""

from __future__ import annotations

from . import ground, undefined_costs
from .flatten import Flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.errors import ParseError
    from unpuzzle.limits import Deadline
    from unpuzzle.pddl.nodes import Action, Condition, Task


def unreachable(
    task: Task, conditions: Sequence[Condition], watch: Deadline
) -> tuple[tuple[Action, ...], tuple[Condition, ...]]:
    """Return the actions that can never be applied, and the conditions that can never be true.

    Over an approximation (delete effects are ignored): what is told is certain, but not all that is so is told. Raises
    as `ground` does.
    """
    flat = Flat(task, goals=conditions, tick=watch)
    grounding = ground(flat, watch, instances_only=True)
    return (
        tuple(
            [action for action, applies in zip(task.domain.actions, grounding.applicable, strict=True) if not applies]
        ),
        tuple([part for part, possible in zip(conditions, grounding.goals, strict=True) if not possible]),
    )


def costless(task: Task, watch: Deadline) -> list[ParseError]:
    """Return an error for each cost that an action which can be applied lacks. Raises as `ground` does."""
    flat = Flat(task)
    grounding = ground(flat, watch, instances_only=True)
    return list(undefined_costs(flat, grounding))
