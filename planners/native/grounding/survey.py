"""Relaxed reachability alone: which actions can apply at all, which of them lack a cost, what nothing makes true.

This is grounding up to the ground operators, for `unpuzzle lint` and for planners that do not ground with us.
"""

from __future__ import annotations

from collections.abc import Sequence

from unpuzzle.errors import ParseError
from unpuzzle.limits import Deadline
from unpuzzle.pddl.nodes import Action, Condition, Task

from . import ground, undefined_costs
from .flatten import Flat


def unreachable(
    task: Task, conditions: Sequence[Condition], watch: Deadline
) -> tuple[tuple[Action, ...], tuple[Condition, ...]]:
    """Return the actions that can never be applied, and the conditions that can never be true.

    Delete effects are ignored, so all of these are certain, but there may be more. Raises as `ground` does.
    """
    grounding = ground(Flat(task, goals=conditions, tick=watch), watch, instances_only=True)
    actions = zip(task.domain.actions, grounding.applicable, strict=True)
    goals = zip(conditions, grounding.goals, strict=True)
    return tuple([action for action, may in actions if not may]), tuple([goal for goal, may in goals if not may])


def costless(task: Task, watch: Deadline) -> list[ParseError]:
    """Return an error for each cost that an action which can be applied lacks. Raises as `ground` does."""
    flat = Flat(task)
    return list(undefined_costs(flat, ground(flat, watch, instances_only=True)))
