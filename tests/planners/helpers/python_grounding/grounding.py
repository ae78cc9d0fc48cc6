"""Grounding in plain Python: a PDDL task in, a finite-domain task out. The slow twin of `ground_core`."""

from __future__ import annotations

from .encoding import encode
from .instantiation import Instantiation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.pddl.nodes import GroundAction, Task
    from unpuzzle.planners.native._core import Task as CoreTask
    from unpuzzle.planners.native.grounding.fdr import FDRTask


def _never() -> None:
    pass


def ground(task: Task, tick: Callable[[], None] = _never) -> FDRTask:
    """The finite-domain task of a PDDL task.

    `tick` is called often; it may raise in order to end grounding (limits). Raises UnsupportedFeature for costs that
    depend on the state, ParseError for axioms that cannot be stratified or costs without a value.
    """
    return encode(Instantiation(task, tick).ground(), tick)


class PythonGrounding:
    """A ground task as the planner wants it: see `ground_core.CoreGrounding`."""

    __slots__ = ("fdr",)

    def __init__(self, task: Task, tick: Callable[[], None] = _never) -> None:
        self.fdr = ground(task, tick)

    @property
    def goal_possible(self) -> bool:
        """Whether the goal was not found to be out of reach; the search finds that, too."""
        return True

    @property
    def operators(self) -> int:
        """How many there are."""
        return len(self.fdr.operators)

    @property
    def has_axioms(self) -> bool:
        """Whether some variable is derived."""
        return any(variable.layer >= 0 for variable in self.fdr.variables)

    @property
    def most_changed(self) -> float:
        """The greatest part of the operators that changes, on no condition, one and the same variable; at most 1."""
        changes = [0] * len(self.fdr.variables)
        for operator in self.fdr.operators:
            for variable in {effect.variable for effect in operator.effects if not effect.conditions}:
                changes[variable] += 1
        return max(changes, default=0) / len(self.fdr.operators) if self.fdr.operators else 1.0

    @property
    def conditional_effects(self) -> int:
        """How many there are, over all operators."""
        return sum(bool(effect.conditions) for operator in self.fdr.operators for effect in operator.effects)

    def task(self) -> CoreTask:
        """The task for the search."""
        from unpuzzle.planners.native import _core

        return _core.Task(**self.fdr.buffers())

    def action(self, operator: int) -> GroundAction:
        """The ground action that an operator stands for."""
        return self.fdr.operators[operator].action
