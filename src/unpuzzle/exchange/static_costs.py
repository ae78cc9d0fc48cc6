"""The costs of actions in a problem of unified-planning, as numbers and static functions of a task.

A sum of numbers and of static fluents stays as it is: each part is an amount that the action adds to total-cost. Any
other expression over static fluents becomes a table: a function of the action's parameters, with computed values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from operator import add, mul, sub, truediv
from typing import Any

from unpuzzle.exchange.names import ExactNames, PlainNames, refused
from unpuzzle.pddl.declarations import Function
from unpuzzle.pddl.features import TOTAL_COST
from unpuzzle.pddl.nodes import FunctionTerm, TypedName

Table = dict[tuple[str, ...], Fraction]
_ARITHMETIC = {"is_plus": add, "is_minus": sub, "is_times": mul, "is_div": truediv}


def is_number(amount: object) -> bool:
    """Return whether an amount is a number and not a term."""
    return isinstance(amount, Fraction)


class StaticCosts:
    """The costs of actions; `functions` are the static functions that they use, and the computed tables.

    `bound` converts parameters of the problem into ours.
    """

    def __init__(
        self,
        problem: Any,
        objects: Mapping[Any, str],
        names: ExactNames | PlainNames,
        bound: Callable[[Sequence[Any]], tuple[TypedName, ...]],
    ) -> None:
        self._problem = problem
        self._objects = objects
        self._names = names
        self._tables: list[tuple[Function, Table]] = []
        changed = {effect.fluent.fluent() for action in problem.actions for effect in getattr(action, "effects", ())}
        self._static: dict[Any, tuple[Function, Table]] = {}
        for fluent in problem.fluents:
            number = fluent.type.is_int_type() or fluent.type.is_real_type()
            if number and fluent not in changed and fluent.name.lower() != TOTAL_COST:
                function = Function(names.name(fluent.name, "n"), bound(fluent.signature))
                self._static[fluent] = function, self._table(fluent)

    def functions(self) -> list[tuple[Function, Table]]:
        """Return all functions with their values: the problem's own, then the tables."""
        return [*self._static.values(), *self._tables]

    def numbers(self) -> Iterator[Fraction]:
        for _, table in self.functions():
            yield from table.values()

    def amounts(
        self, action: Any, metric: Any, parameters: Sequence[TypedName], scope: Mapping[Any, str]
    ) -> tuple[Any, ...]:
        """Return the amounts that an action adds to the total cost: fractions and terms."""
        expression = metric.get_action_cost(action)
        if expression is None:
            raise refused(f"the metric gives the action '{action.name}' no cost", "actions without a cost")
        parts = list(expression.args) if expression.is_plus() else [expression]
        amounts = [self._amount(part, scope) for part in parts]
        if None in amounts:
            amounts = [self._tabled(action, expression, parameters, scope)]
        if any(self._may_be_negative(amount) for amount in amounts):
            raise refused(f"the action '{action.name}' has a negative cost", "negative costs")
        return tuple(amount for amount in amounts if amount != 0)

    def _amount(self, node: Any, scope: Mapping[Any, str]) -> Any:
        """Return a number, or a term of a static function; None for anything else."""
        if node.is_int_constant() or node.is_real_constant():
            return Fraction(node.constant_value())
        if not node.is_fluent_exp() or node.fluent() not in self._static:
            return None
        if not all(each.is_object_exp() or each.is_parameter_exp() for each in node.args):
            return None
        terms = (
            self._objects[each.object()] if each.is_object_exp() else scope[each.parameter()] for each in node.args
        )
        return FunctionTerm(self._static[node.fluent()][0].name, tuple(terms))

    def _may_be_negative(self, amount: Any) -> bool:
        if is_number(amount):
            return bool(amount < 0)
        table = next(table for function, table in self.functions() if function.name == amount.function)
        return any(number < 0 for number in table.values())

    def _tabled(
        self, action: Any, expression: Any, parameters: Sequence[TypedName], scope: Mapping[Any, str]
    ) -> Fraction | FunctionTerm:
        """Return the number of an expression, or the term of a new function."""
        used = [each for each in action.parameters if each in _parameters(expression)]
        table = {
            tuple(self._objects[each] for each in objects): self._number(
                expression, dict(zip(used, objects, strict=True))
            )
            for objects in product(*(tuple(self._problem.objects(each.type)) for each in used))
        }
        if not used:
            return table[()]
        name, variables = self._names.name(f"cost_of_{action.name}", "n"), tuple(scope[each] for each in used)
        self._tables.append((Function(name, tuple(each for each in parameters if each.name in variables)), table))
        return FunctionTerm(name, variables)

    def _table(self, fluent: Any) -> Table:
        """Return the initial values of a static fluent: the explicit ones, or all if there is a default."""
        explicit, default = self._problem.explicit_initial_values, self._problem.fluents_defaults.get(fluent)
        table = {
            tuple(self._objects[each.object()] for each in expression.args): _constant(value, fluent)
            for expression, value in explicit.items()
            if expression.fluent() == fluent
        }
        if default is not None:
            for objects in product(*(tuple(self._problem.objects(each.type)) for each in fluent.signature)):
                table.setdefault(tuple(self._objects[each] for each in objects), _constant(default, fluent))
        return table

    def _number(self, node: Any, binding: Mapping[Any, Any]) -> Fraction:
        """Return the value of an expression over static fluents."""
        if node.is_int_constant() or node.is_real_constant():
            return Fraction(node.constant_value())
        if node.is_fluent_exp() and node.fluent() in self._static:
            objects = [binding[each.parameter()] if each.is_parameter_exp() else each.object() for each in node.args]
            value = self._static[node.fluent()][1].get(tuple(self._objects[each] for each in objects))
            if value is None:
                raise refused(f"'{node.fluent().name}' has no initial number for {objects}", "costs without a value")
            return value
        for kind, operation in _ARITHMETIC.items():
            if getattr(node, kind)():
                first, *others = (self._number(each, binding) for each in node.args)
                for other in others:
                    if operation is truediv and not other:
                        raise refused(f"the cost '{node}' divides by zero", "division by zero")
                    first = operation(first, other)
                return first
        raise refused(f"the cost '{node}' cannot be worked out", str(node.node_type.name).lower())


def _constant(value: Any, fluent: Any) -> Fraction:
    if not value.is_constant():
        raise refused(f"the initial value '{value}' of '{fluent.name}' is not a number", "initial values")
    return Fraction(value.constant_value())


def _parameters(node: Any) -> set[Any]:
    if node.is_parameter_exp():
        return {node.parameter()}
    return set().union(*(_parameters(each) for each in node.args))
