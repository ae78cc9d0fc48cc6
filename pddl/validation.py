"""Does a plan solve a task? Runs it step by step on the reference semantics and says where, and why, it fails.

verdict = validate(task, plan)
verdict.valid, verdict.cost        True, 14
verdict.step, verdict.reason       3, "step 3, (stack b a), is not applicable: (clear a) is false"
"""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.limits import ticked
from unpuzzle.pddl.semantics import Semantics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unpuzzle.pddl.nodes import GroundAction, Plan, Task
    from unpuzzle.pddl.semantics import State


class Validation:
    """The verdict on a plan; true if the plan is valid.

    Attributes:
        valid: whether every step was applicable and the goal holds at the end.
        cost: what the steps that could be taken cost.
        step: the number, from 1, of the step that failed; None if the plan is valid or only the goal fails.
        reason: a sentence that says what failed; empty if the plan is valid.
        state: the state before the failing step, or at the end.
    """

    __slots__ = ("cost", "reason", "state", "step")

    def __init__(self, state: State, cost: int | None, step: int | None = None, reason: str = "") -> None:
        self.state = state
        self.cost = cost
        self.step = step
        self.reason = reason

    @property
    def valid(self) -> bool:
        return not self.reason

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        return f"the plan is valid, its cost is {self.cost}" if self.valid else f"the plan is not valid: {self.reason}"

    def __repr__(self) -> str:
        return f"Validation(valid={self.valid}, cost={self.cost}, step={self.step}, reason={self.reason!r})"


def validate(
    task: Task | Semantics, plan: Plan | Iterable[GroundAction], tick: Callable[[], None] | None = None
) -> Validation:
    """Run a plan from the initial state. Raises for faults of the task only, as `Semantics` does.

    Such a fault is also a step that can be taken and whose cost the task does not define: there no plan is
    right or wrong. `tick` is called often, and may raise to end that; a `Semantics` has its own.
    """
    semantics = task if isinstance(task, Semantics) else Semantics(task, tick)
    state, cost = semantics.initial, 0
    for step, action in enumerate(ticked(plan, tick), 1):
        try:
            obstacle = semantics.why_not(state, action)
        except ParseError as error:
            return Validation(state, cost, step, f"step {step}: {error.message}")
        if obstacle is not None:
            return Validation(state, cost, step, f"step {step}, {action}, is not applicable: {obstacle}")
        state = semantics.apply(state, action)
        cost += semantics.cost(action)
    unmet = semantics.why_unsolved(state)
    return Validation(state, cost, None, f"the goal is not reached: {unmet}" if unmet else "")
