"""A problem of unified-planning as a task of ours, object by object, and plans back and forth.

No text comes in between, so nothing is lost to names: everything gets a plain name of its own, and a table leads back.

Costs are rational numbers there and integers here: all are multiplied by their common denominator, `scale`. A cost that
is computed from static fluents becomes a table: a function of the action's parameters with its values worked out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from operator import add, mul, sub, truediv
from typing import Any

from unified_planning.plans import ActionInstance, SequentialPlan

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.pddl.declarations import Action, Domain, Function, Predicate, Problem, Value
from unpuzzle.pddl.formulas import And, Atom, Condition, Exists, Forall, FunctionTerm, Imply, Increase, Not, Or, When
from unpuzzle.pddl.nodes import OBJECT, GroundAction, Plan, Task, TypedName
from unpuzzle.planners.external.up.dialect import PlainNames

Scope = Mapping[Any, str]
"""By parameter or variable of the problem, the name that stands for it."""
_TOTAL = FunctionTerm("total-cost")
_ARITHMETIC = {"is_plus": add, "is_minus": sub, "is_times": mul, "is_div": truediv}


class Translation:
    """`task` is what a problem of unified-planning means; its costs are `scale` times as large.

    Raises UnsupportedFeature for what the kind of a problem does not tell, such as a negative cost.
    """

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self._names = PlainNames()
        self._type = {each: self._names.name(each.name, "t") for each in problem.user_types}
        self._fluents = [fluent for fluent in problem.fluents if fluent.type.is_bool_type()]
        self._fluent = {fluent: self._names.name(fluent.name, "f") for fluent in self._fluents}
        self._object = {each: self._names.name(each.name, "o") for each in problem.all_objects}
        self._action = {action: self._names.name(action.name, "a") for action in problem.actions}
        self._metric = next((each for each in problem.quality_metrics if each.is_minimize_action_costs()), None)
        self._tables: list[tuple[Function, dict[tuple[str, ...], Fraction]]] = []
        self.scale: int = 1
        self.task: Task = self._translate()
        self._objects_back = {name: each for each, name in self._object.items()}
        self._actions_back = {name: action for action, name in self._action.items()}

    def steps(self, plan: Any) -> list[GroundAction | None]:
        """Return a sequential plan as steps of the task, with None for each step that the problem does not have."""
        steps: list[GroundAction | None] = []
        for instance in plan.actions:
            name = self._action.get(instance.action)
            objects = [each.object() if each.is_object_exp() else None for each in instance.actual_parameters]
            arguments = tuple(self._object[each] for each in objects if each in self._object)
            steps.append(None if name is None or len(arguments) < len(objects) else GroundAction(name, arguments))
        return steps

    def plan(self, plan: Plan) -> Any:
        """Return a plan for the task as a sequential plan for the problem."""
        promote = self._problem.environment.expression_manager.ObjectExp
        instances = []
        for step in plan:
            arguments = tuple(promote(self._objects_back[name]) for name in step.arguments)
            instances.append(ActionInstance(self._actions_back[step.name], arguments))
        return SequentialPlan(instances, self._problem.environment)

    def cost(self, cost: int) -> int | Fraction:
        """Return a cost of the task in the problem's own unit."""
        exact = Fraction(cost, self.scale)
        return exact.numerator if exact.denominator == 1 else exact

    def _translate(self) -> Task:
        schemas = [self._schema(action) for action in self._problem.actions]
        numbers = [amount for *_, amount in schemas if isinstance(amount, Fraction)]
        numbers += [number for _, values in self._tables for number in values.values()]
        self.scale = lcm(*(number.denominator for number in numbers))
        actions = [
            Action(name, parameters, precondition, And((*effects, *self._increase(amount))))
            for name, parameters, precondition, effects, amount in schemas
        ]
        domain = Domain(
            "domain",
            (),
            tuple(TypedName(name, self._type_of(each.father)) for each, name in self._type.items()),
            tuple(TypedName(name, self._type_of(each.type)) for each, name in self._object.items()),
            tuple(Predicate(self._fluent[each], self._bound(each.signature, {})[0]) for each in self._fluents),
            tuple(function for function, _ in self._tables),
            tuple(actions),
        )
        goal = And(tuple(self._condition(each, {}) for each in self._problem.goals))
        metric = None if self._metric is None else _TOTAL
        values = tuple(
            Value(FunctionTerm(function.name, objects), int(number * self.scale))
            for function, table in self._tables
            for objects, number in table.items()
        )
        return Task(domain, Problem("problem", "domain", (), (), tuple(self._initial()), values, goal, metric))

    def _type_of(self, user_type: Any) -> tuple[str, ...]:
        return OBJECT if user_type is None else (self._type[user_type],)

    def _initial(self) -> Iterator[Atom]:
        explicit = self._problem.explicit_initial_values
        for expression, value in explicit.items():
            if expression.fluent() in self._fluent and value.is_true():
                yield self._atom(expression, {})
        for fluent in self._fluents:
            default = self._problem.fluents_defaults.get(fluent)
            if default is not None and default.is_true():
                for objects in product(*(tuple(self._problem.objects(each.type)) for each in fluent.signature)):
                    if fluent(*objects) not in explicit:
                        yield Atom(self._fluent[fluent], tuple(self._object[each] for each in objects))

    def _bound(self, parameters: Sequence[Any], scope: Scope) -> tuple[tuple[TypedName, ...], Scope]:
        """Return parameters or variables as ours, and the scope with them."""
        names = PlainNames(name[1:] for name in scope.values())
        bound = {each: f"?{names.name(each.name, 'v')}" for each in parameters}
        for each in parameters:
            if not each.type.is_user_type():
                raise _unsupported(f"'{each.name}' does not range over objects", f"parameters of type {each.type}")
        return tuple(TypedName(name, self._type_of(each.type)) for each, name in bound.items()), {**scope, **bound}

    def _schema(self, action: Any) -> tuple[str, tuple[TypedName, ...], Condition, list[Any], Any]:
        """Return name, parameters, precondition, effects without costs, and the cost: a number or a table's term."""
        parameters, scope = self._bound(action.parameters, {})
        precondition = And(tuple(self._condition(each, scope) for each in action.preconditions))
        effects = [part for effect in action.effects for part in self._effects(effect, scope)]
        amount = self._amount(action, parameters, scope) if self._metric is not None else None
        return self._action[action], parameters, precondition, effects, amount

    def _effects(self, effect: Any, scope: Scope) -> Iterator[Any]:
        if not effect.is_assignment() or effect.fluent.fluent() not in self._fluent:
            raise _unsupported(f"the effect '{effect}' is not on a Boolean fluent", "numeric effects")
        parameters, scope = self._bound(effect.forall, scope)
        atom, condition = self._atom(effect.fluent, scope), self._condition(effect.condition, scope)
        value = self._condition(effect.value, scope)
        # What is assigned is worked out before, like a condition.
        for literal, premise in ((atom, value), (Not(atom), _negation(value))):
            conditions = tuple(part for part in (condition, premise) if part != And())
            if Or() not in conditions:
                part = When(And(conditions), literal) if conditions else literal
                yield Forall(parameters, part) if parameters else part

    def _condition(self, node: Any, scope: Scope) -> Condition:
        if node.is_bool_constant():
            return And() if node.is_true() else Or()
        if node.is_fluent_exp():
            return self._atom(node, scope)
        if node.is_exists() or node.is_forall():
            parameters, scope = self._bound(node.variables(), scope)
            return (Exists if node.is_exists() else Forall)(parameters, self._condition(node.arg(0), scope))
        if node.is_equals() and all(_is_term(each) for each in node.args):
            return Atom("=", tuple(self._term(each, scope) for each in node.args))
        if node.is_and() or node.is_or() or node.is_not() or node.is_implies() or node.is_iff():
            return _connection(node, tuple(self._condition(each, scope) for each in node.args))
        if (node.is_equals() or node.is_le() or node.is_lt()) and all(each.is_constant() for each in node.args):
            left, right = (each.constant_value() for each in node.args)
            return And() if (left < right and not node.is_equals()) or (left == right and not node.is_lt()) else Or()
        raise _unsupported(f"the condition '{node}' cannot be translated", str(node.node_type.name).lower())

    def _atom(self, node: Any, scope: Scope) -> Atom:
        if node.fluent() not in self._fluent:
            raise _unsupported(f"'{node}' is not Boolean", "fluents that are not Boolean")
        return Atom(self._fluent[node.fluent()], tuple(self._term(each, scope) for each in node.args))

    def _term(self, node: Any, scope: Scope) -> str:
        if node.is_object_exp():
            return self._object[node.object()]
        if node.is_parameter_exp():
            return scope[node.parameter()]
        if node.is_variable_exp():
            return scope[node.variable()]
        raise _unsupported(f"'{node}' is neither an object nor a parameter", "nested fluents")

    def _amount(self, action: Any, parameters: Sequence[TypedName], scope: Scope) -> Any:
        """Return the cost of an action: a number, or the term of a new function."""
        expression = self._metric.get_action_cost(action)  # type: ignore[union-attr]
        if expression is None:
            raise _unsupported(f"the metric gives the action '{action.name}' no cost", "actions without a cost")
        used = [each for each in action.parameters if each in _parameters(expression)]
        values = {
            tuple(self._object[each] for each in objects): self._number(
                expression, dict(zip(used, objects, strict=True))
            )
            for objects in product(*(tuple(self._problem.objects(each.type)) for each in used))
        }
        if any(number < 0 for number in values.values()):
            raise _unsupported(f"the action '{action.name}' has a negative cost", "negative costs")
        if not used:
            return values[()]
        name, variables = self._names.name(f"cost_of_{action.name}", "f"), tuple(scope[each] for each in used)
        self._tables.append((Function(name, tuple(each for each in parameters if each.name in variables)), values))
        return FunctionTerm(name, variables)

    def _number(self, node: Any, binding: Mapping[Any, Any]) -> Fraction:
        """Return the value of an expression over static fluents."""
        if node.is_int_constant() or node.is_real_constant():
            return Fraction(node.constant_value())
        if node.is_fluent_exp():
            objects = [binding[each.parameter()] if each.is_parameter_exp() else each.object() for each in node.args]
            fluent = node.fluent()
            value = self._problem.explicit_initial_values.get(
                fluent(*objects), self._problem.fluents_defaults.get(fluent)
            )
            if value is None or not value.is_constant():
                raise _unsupported(f"'{fluent.name}' has no initial number for {objects}", "costs without a value")
            return Fraction(value.constant_value())
        for kind, operation in _ARITHMETIC.items():
            if getattr(node, kind)():
                first, *others = (self._number(each, binding) for each in node.args)
                for other in others:
                    if operation is truediv and not other:
                        raise _unsupported(f"the cost '{node}' divides by zero", "division by zero")
                    first = operation(first, other)
                return first
        raise _unsupported(f"the cost '{node}' cannot be worked out", str(node.node_type.name).lower())

    def _increase(self, amount: Any) -> tuple[Increase, ...]:
        if amount is None:
            return ()
        return (Increase(_TOTAL, int(amount * self.scale) if isinstance(amount, Fraction) else amount),)


def _negation(condition: Condition) -> Condition:
    if condition == And():
        return Or()
    return And() if condition == Or() else Not(condition)


def _connection(node: Any, operands: tuple[Condition, ...]) -> Condition:
    if node.is_and() or node.is_or():
        return (And if node.is_and() else Or)(operands)
    if node.is_not():
        return _negation(*operands)
    if node.is_implies():
        return Imply(*operands)
    return And((Imply(*operands), Imply(*reversed(operands))))


def _is_term(node: Any) -> bool:
    return bool(node.is_object_exp() or node.is_parameter_exp() or node.is_variable_exp())


def _parameters(node: Any) -> set[Any]:
    """Return the parameters that an expression mentions."""
    if node.is_parameter_exp():
        return {node.parameter()}
    return set().union(*(_parameters(each) for each in node.args))


def _unsupported(message: str, feature: str) -> UnsupportedFeature:
    return UnsupportedFeature(message, feature=feature)
