"""A check by relaxed reachability: unreachable actions and conditions, and reachable actions without a cost.

This is grounding up to the ground operators, for `unpuzzle lint` and for planners that do not use our grounding.
"""

from __future__ import annotations

from collections.abc import Sequence

from unpuzzle.base.errors import ParseError
from unpuzzle.pddl.nodes import Action, Condition, Task
from unpuzzle.pddl.normal_form.rewriting import PositiveForm

from . import ground, undefined_costs
from .flatten import Flat


def unreachable(task: Task, conditions: Sequence[Condition]) -> tuple[tuple[Action, ...], tuple[Condition, ...]]:
    """Return the actions that are never applicable, and the conditions that are never true.

    Deleted facts count as true and as false, so all of these are certain, but there may be more. Raises as `ground`
    does.
    """
    positive = PositiveForm(task)
    flat = Flat(positive.task, goals=[positive.condition(each) for each in conditions])
    grounding = ground(flat, instances_only=True)
    actions = zip(task.domain.actions, grounding.applicable, strict=True)
    goals = zip(conditions, grounding.goals, strict=True)
    return tuple([action for action, may in actions if not may]), tuple([goal for goal, may in goals if not may])


def costless(task: Task) -> list[ParseError]:
    """Return an error for each missing cost of an applicable action. Raises the same exceptions as `ground`."""
    flat = Flat(task)
    return list(undefined_costs(flat, ground(flat, instances_only=True)))
