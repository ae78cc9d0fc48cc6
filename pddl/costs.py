"""What actions cost.

Without a metric every action costs 1. With `(:metric minimize (total-cost))` an action costs the sum of its `increase`
effects, 0 if it has none; the amounts are numbers or values that `:init` gives. Where it gives none, the action cannot
be applied: many tasks give lengths to just those roads that there are. (Fast Downward agrees.) An `increase` under
`when` or `forall` is refused: a cost must not depend on the state. (Fast Downward refuses it, too; of several it takes
only the last.)
"""

from __future__ import annotations

from unpuzzle.pddl.complaints import parse_error, unsupported
from unpuzzle.pddl.formulas import FunctionTerm, Increase, conjuncts, effects
from unpuzzle.pddl.schemas import Schemas
from unpuzzle.pddl.types import Types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unpuzzle.pddl.nodes import Action, GroundAction, Task

_TOTAL_COST = FunctionTerm("total-cost")


class Costs:
    """The costs of a task's actions. Raises UnsupportedFeature for numbers that are no action costs."""

    __slots__ = ("_amounts", "_unit", "_values")

    def __init__(self, task: Task) -> None:
        metric = task.problem.metric
        if metric is not None and metric != _TOTAL_COST:
            raise unsupported(f"only (total-cost) can be minimized, not {metric}", ":numeric-fluents", metric.span)
        self._unit = metric is None
        self._amounts = {action.name: [each.amount for each in _increases(action)] for action in task.domain.actions}
        self._values = {value.term: value.number for value in task.problem.values}

    def missing(self, action: Action, binding: Mapping[str, str]) -> FunctionTerm | None:
        """The first ground term among an action's costs that has no value."""
        if self._unit:
            return None
        terms = (_ground(amount, binding) for amount in self._amounts[action.name] if not isinstance(amount, int))
        return next((term for term in terms if term not in self._values), None)

    def of(self, action: Action, binding: Mapping[str, str]) -> int:
        """The cost of an action, its variables bound to objects. Raises ParseError where a value is missing."""
        if self._unit:
            return 1
        return sum(self._amount(amount, binding) for amount in self._amounts[action.name])

    def _amount(self, amount: FunctionTerm | int, binding: Mapping[str, str]) -> int:
        if isinstance(amount, int):
            number = amount
        else:
            term = _ground(amount, binding)
            if term not in self._values:
                raise parse_error(f"an action costs {term}, but the initial state gives it no value", amount.span)
            number = self._values[term]
        if number < 0:
            span = amount.span if isinstance(amount, FunctionTerm) else None
            raise unsupported(f"an action has the negative cost {number}", ":numeric-fluents", span)
        return number


def plan_cost(task: Task, plan: Iterable[GroundAction]) -> int:
    """What the steps of a plan cost, whether or not they can be taken one after the other.

    Raises ParseError for a step that the task does not have or gives no cost.
    """
    costs, schemas = Costs(task), Schemas(task.domain.actions, Types(task))
    return sum(costs.of(*schemas.bind(action)) for action in plan)


def _ground(term: FunctionTerm, binding: Mapping[str, str]) -> FunctionTerm:
    return FunctionTerm(term.function, tuple([binding.get(name, name) for name in term.arguments]))


def _increases(action: Action) -> list[Increase]:
    """The cost effects of an action, all of them unconditional."""
    found = []
    for effect in conjuncts(action.effect):
        for part in effects(effect):
            if not isinstance(part, Increase):
                continue
            if part.target != _TOTAL_COST:
                message = f"only (total-cost) can be increased, not {part.target}"
                raise unsupported(message, ":numeric-fluents", part.span)
            if part is not effect:
                message = f"action '{action.name}' increases (total-cost) under 'when' or 'forall'"
                raise unsupported(message, "conditional costs", part.span)
            found.append(part)
    return found
