"""A problem of unified-planning as a task, object by object, and plans back and forth.

Costs are rational numbers there and integers here: all are multiplied by their common denominator, `scale`. Refused
features: time, changing numbers, functions with objects as values, simulated effects, trajectories, hierarchies and
everything else that `FEATURES` does not list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm
from operator import add, mul, sub, truediv
from typing import Any

from unified_planning.plans import ActionInstance, SequentialPlan

from unpuzzle.exchange.forms import FALSE, TOTAL, TRUE
from unpuzzle.exchange.names import ExactNames, PlainNames, Renamed, refused, title
from unpuzzle.pddl.declarations import Action, Domain, Function, Predicate, Problem, Value
from unpuzzle.pddl.features import TOTAL_COST
from unpuzzle.pddl.formulas import And, Atom, Condition, Exists, Forall, Imply, Increase, Not, Or, When
from unpuzzle.pddl.nodes import FunctionTerm, GroundAction, Plan, Task, TypedName

FEATURES = frozenset(
    """
    ACTION_BASED FLAT_TYPING HIERARCHICAL_TYPING
    NEGATIVE_CONDITIONS DISJUNCTIVE_CONDITIONS EQUALITIES EXISTENTIAL_CONDITIONS UNIVERSAL_CONDITIONS
    CONDITIONAL_EFFECTS FORALL_EFFECTS STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS FLUENTS_IN_BOOLEAN_ASSIGNMENTS
    BOUNDED_TYPES ACTIONS_COST STATIC_FLUENTS_IN_ACTIONS_COST INT_NUMBERS_IN_ACTIONS_COST REAL_NUMBERS_IN_ACTIONS_COST
    PLAN_LENGTH
    """.split()
)
"""The supported features of a problem. Bounded number types are only for numbers used to compute costs."""
NUMBERS = frozenset(
    """
    INT_FLUENTS REAL_FLUENTS NUMERIC_FLUENTS DISCRETE_NUMBERS CONTINUOUS_NUMBERS INCREASE_EFFECTS
    SIMPLE_NUMERIC_PLANNING GENERAL_NUMERIC_PLANNING UNDEFINED_INITIAL_NUMERIC
    STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS FLUENTS_IN_NUMERIC_ASSIGNMENTS
    """.split()
)
"""Further features of a problem that changes `total-cost` without minimizing it, or has numbers that never change."""

_ARITHMETIC = {"is_plus": add, "is_minus": sub, "is_times": mul, "is_div": truediv}


def from_unified_planning(problem: Any) -> Task:
    """Return a problem of unified-planning as a task with the same names, in small letters.

    Raises UnsupportedFeature, which names the refused feature.
    """
    translation = Translation(problem, ExactNames())
    if translation.scale != 1:
        raise refused("costs in PDDL are whole numbers, and this problem has others", "costs that are fractions")
    return translation.task


def _require_features(problem: Any) -> None:
    """Raise UnsupportedFeature for a problem with features that are not supported, or several metrics."""
    foreign = sorted(problem.kind.features - FEATURES - NUMBERS)
    if foreign:
        listed = ", ".join(name.lower().replace("_", " ") for name in foreign)
        raise refused(f"unpuzzle does not support {listed}", listed)
    if len(problem.quality_metrics) > 1:
        raise refused("unpuzzle minimizes one metric, not several", "several metrics")


class Translation:
    """The translation of a problem of unified-planning to `task`, with costs multiplied by `scale`.

    Raises UnsupportedFeature, also for faults that the kind of a problem does not show, such as a negative cost.
    """

    def __init__(self, problem: Any, names: ExactNames | PlainNames) -> None:
        _require_features(problem)
        self._problem = problem
        try:
            reader = _Reader(problem)
            self._renamed = Renamed(*reader.read(), names, lambda key: getattr(key, "name", key))
        except RecursionError:
            raise refused("a condition is nested too deeply", "deep nesting") from None
        self.task: Task = self._renamed.task
        self.scale: int = reader.scale

    def steps(self, plan: Any) -> list[GroundAction | None]:
        """Return a sequential plan as steps of the task, with None for each step unknown to the problem."""
        steps: list[GroundAction | None] = []
        for instance in plan.actions:
            name = self._renamed.actions.get(instance.action)
            objects = [each.object() if each.is_object_exp() else None for each in instance.actual_parameters]
            arguments = tuple(self._renamed.objects.get(each, "") for each in objects)
            steps.append(None if name is None or "" in arguments else GroundAction(name, arguments))
        return steps

    def plan(self, plan: Plan) -> Any:
        """Return a plan for the task as a sequential plan for the problem."""
        promote = self._problem.environment.expression_manager.ObjectExp
        steps = [self._renamed.back(step) for step in plan]
        instances = [ActionInstance(action, tuple(map(promote, objects))) for action, objects in steps]
        return SequentialPlan(instances, self._problem.environment)

    def cost(self, cost: int) -> int | Fraction:
        """Return a cost of the task in the problem's own unit."""
        exact = Fraction(cost, self.scale)
        return exact.numerator if exact.denominator == 1 else exact


class _Reader:
    """A reader of a problem, whose own fluents, objects, ... stand for their names; `scale` multiplies the costs.

    Costs that are sums of numbers and of static fluents stay sums. Any other cost becomes a table: a function of the
    action's parameters, with computed values.
    """

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self._fluents = dict.fromkeys(fluent for fluent in problem.fluents if fluent.type.is_bool_type())
        changed = {effect.fluent.fluent() for action in problem.actions for effect in getattr(action, "effects", ())}
        self._tables: dict[Any, dict[tuple[Any, ...], Fraction]] = {}
        self._functions: list[Function] = []
        for fluent in problem.fluents:
            number = fluent.type.is_int_type() or fluent.type.is_real_type()
            if number and fluent not in changed and fluent.name.lower() != TOTAL_COST:
                self._functions.append(Function(fluent, self._bound(fluent.signature)))
                self._tables[fluent] = self._table(fluent)
        self._metric = next((each for each in problem.quality_metrics if each.is_minimize_action_costs()), None)

    def read(self) -> tuple[Domain, Problem]:
        problem, problem_name = self._problem, title(self._problem.name, "problem")
        schemas = [(action, self._effects(action), self._costs(action)) for action in problem.actions]
        numbers = [part for *_, parts in schemas for part in parts if isinstance(part, Fraction)]
        numbers += [number for table in self._tables.values() for number in table.values()]
        self.scale: int = lcm(*(number.denominator for number in numbers))
        actions = [
            Action(
                action,
                self._bound(action.parameters),
                _joined([self._condition(each) for each in action.preconditions]),
                And((*effects, *(Increase(TOTAL, self._scaled(part)) for part in parts))),
            )
            for action, effects, parts in schemas
        ]
        types = [each for each in problem.user_types if each.name != "object"]
        domain = Domain(
            title(getattr(problem, "domain_name", None), problem_name),
            (),
            tuple(TypedName(each, _type(each.father)) for each in types),
            (),
            tuple(Predicate(each, self._bound(each.signature)) for each in self._fluents),
            tuple(self._functions),
            tuple(actions),
        )
        values = tuple(
            Value(FunctionTerm(function, arguments), self._scaled(number))
            for function, table in self._tables.items()
            for arguments, number in table.items()
        )
        goal, metric = _joined([self._condition(each) for each in problem.goals]), self._metric and TOTAL
        objects, initial = self._bound(problem.all_objects), tuple(self._initial())
        return domain, Problem(problem_name, domain.name, (), objects, initial, values, goal, metric)

    def _scaled(self, part: Any) -> Any:
        return int(part * self.scale) if isinstance(part, Fraction) else part

    def _bound(self, declared: Sequence[Any]) -> tuple[TypedName, ...]:
        for each in declared:
            if not each.type.is_user_type():
                raise refused(f"'{each.name}' does not range over objects", f"parameters of type {each.type}")
        return tuple(TypedName(each, _type(each.type)) for each in declared)

    def _initial(self) -> Iterator[Atom]:
        explicit = self._problem.explicit_initial_values
        given = ((node, value) for node, value in explicit.items() if node.fluent() in self._fluents)
        yield from (self._atom(node) for node, value in given if value.is_true())
        for fluent in self._fluents:
            default = self._problem.fluents_defaults.get(fluent)
            if default is not None and default.is_true():
                for objects in self._instances(fluent.signature):
                    if fluent(*objects) not in explicit:
                        yield Atom(fluent, objects)

    def _instances(self, parameters: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        return product(*(tuple(self._problem.objects(each.type)) for each in parameters))

    # Actions: preconditions, effects, costs

    def _effects(self, action: Any) -> list[Any]:
        if not hasattr(action, "preconditions"):
            raise refused(f"the action '{action.name}' takes time", "durative actions")
        return [part for effect in action.effects for part in self._parts(effect)]

    def _parts(self, effect: Any) -> Iterator[Any]:
        fluent = effect.fluent.fluent()
        cost = fluent.name.lower() == TOTAL_COST and not fluent.signature
        if cost and self._metric is None and effect.is_increase() and effect.condition.is_true():
            return  # it means nothing
        if not effect.is_assignment() or fluent not in self._fluents:
            raise refused(f"the effect '{effect}' is not on a Boolean fluent", "numeric effects")
        parameters, atom = self._bound(effect.forall), self._atom(effect.fluent)
        condition, value = self._condition(effect.condition), self._condition(effect.value)
        # The assigned value is evaluated before, like a condition.
        for literal, premise in ((atom, value), (Not(atom), _negation(value))):
            conditions = [part for part in (condition, premise) if part != TRUE]
            if FALSE not in conditions:
                part = When(_joined(conditions), literal) if conditions else literal
                yield Forall(parameters, part) if parameters else part

    def _costs(self, action: Any) -> list[Any]:
        """Return the amounts that an action adds to the total cost: fractions and terms."""
        if self._metric is None:
            return []
        expression = self._metric.get_action_cost(action)
        if expression is None:
            raise refused(f"the metric gives the action '{action.name}' no cost", "actions without a cost")
        amounts = [self._amount(part) for part in (expression.args if expression.is_plus() else [expression])]
        if None in amounts:
            amounts = [self._tabled(action, expression)]
        for amount in amounts:
            numbers = [amount] if isinstance(amount, Fraction) else self._tables[amount.function].values()
            if any(number < 0 for number in numbers):
                raise refused(f"the action '{action.name}' has a negative cost", "negative costs")
        return [amount for amount in amounts if amount != 0]

    def _amount(self, node: Any) -> Any:
        """Return an expression that does not change: a number, or the term of a static function. Others give None."""
        if node.is_int_constant() or node.is_real_constant():
            return Fraction(node.constant_value())
        if node.is_fluent_exp() and node.fluent() in self._tables and all(map(_is_term, node.args)):
            return FunctionTerm(node.fluent(), tuple(map(_term, node.args)))
        return None

    def _tabled(self, action: Any, expression: Any) -> Any:
        """Return the number of an expression, or the term of a new function."""
        mentioned = _parameters(expression)
        used = [each for each in action.parameters if each in mentioned]
        table = {
            objects: self._number(expression, dict(zip(used, objects, strict=True)))
            for objects in self._instances(used)
        }
        if not used:
            return table[()]
        name = f"cost_of_{action.name}"
        self._functions.append(Function(name, self._bound(used)))
        self._tables[name] = table
        return FunctionTerm(name, tuple(used))

    def _table(self, fluent: Any) -> dict[tuple[Any, ...], Fraction]:
        """Return the initial values of a static fluent: the explicit ones, or all if there is a default."""
        explicit, default = self._problem.explicit_initial_values, self._problem.fluents_defaults.get(fluent)
        table = {
            tuple(map(_term, node.args)): _constant(value, fluent)
            for node, value in explicit.items()
            if node.fluent() == fluent
        }
        if default is not None:
            for objects in self._instances(fluent.signature):
                table.setdefault(objects, _constant(default, fluent))
        return table

    def _number(self, node: Any, binding: Mapping[Any, Any]) -> Fraction:
        """Return the value of an expression over static fluents."""
        amount = self._amount(node)
        if isinstance(amount, Fraction):
            return amount
        if amount is not None:
            objects = tuple(binding.get(each, each) for each in amount.arguments)
            if objects not in self._tables[amount.function]:
                message = f"'{amount.function.name}' has no initial number for {list(objects)}"
                raise refused(message, "costs without a value")
            return self._tables[amount.function][objects]
        for kind, operation in _ARITHMETIC.items():
            if getattr(node, kind)():
                try:
                    return Fraction(reduce(operation, [self._number(each, binding) for each in node.args]))
                except ZeroDivisionError:
                    raise refused(f"the cost '{node}' divides by zero", "division by zero") from None
        raise refused(f"the cost '{node}' cannot be worked out", str(node.node_type.name).lower())

    # Conditions

    def _condition(self, node: Any) -> Condition:
        if node.is_bool_constant():
            return TRUE if node.is_true() else FALSE
        if node.is_fluent_exp():
            return self._atom(node)
        if node.is_exists() or node.is_forall():
            return (Exists if node.is_exists() else Forall)(self._bound(node.variables()), self._condition(node.arg(0)))
        if node.is_equals() and all(map(_is_term, node.args)):
            return Atom("=", tuple(map(_term, node.args)))
        if (node.is_equals() or node.is_le() or node.is_lt()) and all(each.is_constant() for each in node.args):
            left, right = (each.constant_value() for each in node.args)
            return TRUE if (left < right and not node.is_equals()) or (left == right and not node.is_lt()) else FALSE
        if node.is_not():
            return _negation(self._condition(node.arg(0)))
        if node.is_and() or node.is_or():
            return (And if node.is_and() else Or)(tuple(map(self._condition, node.args)))
        if node.is_implies() or node.is_iff():
            left, right = map(self._condition, node.args)
            return Imply(left, right) if node.is_implies() else And((Imply(left, right), Imply(right, left)))
        raise refused(f"the condition '{node}' cannot be translated", str(node.node_type.name).lower())

    def _atom(self, node: Any) -> Atom:
        if node.fluent() not in self._fluents:
            raise refused(f"'{node}' is not Boolean", "fluents that are not Boolean")
        return Atom(node.fluent(), tuple(map(_term, node.args)))


def _type(user_type: Any) -> tuple[Any, ...]:
    return ("object",) if user_type is None or user_type.name == "object" else (user_type,)


def _is_term(node: Any) -> bool:
    return bool(node.is_object_exp() or node.is_parameter_exp() or node.is_variable_exp())


def _term(node: Any) -> Any:
    if not _is_term(node):
        raise refused(f"'{node}' is neither an object nor a parameter", "nested fluents")
    return node.object() if node.is_object_exp() else node.parameter() if node.is_parameter_exp() else node.variable()


def _parameters(node: Any) -> set[Any]:
    return {node.parameter()} if node.is_parameter_exp() else set().union(*map(_parameters, node.args))


def _constant(value: Any, fluent: Any) -> Fraction:
    if not value.is_constant():
        raise refused(f"the initial value '{value}' of '{fluent.name}' is not a number", "initial values")
    return Fraction(value.constant_value())


def _joined(conditions: Sequence[Condition]) -> Condition:
    return conditions[0] if len(conditions) == 1 else And(tuple(conditions))


def _negation(condition: Condition) -> Condition:
    if condition in (TRUE, FALSE):
        return FALSE if condition == TRUE else TRUE
    return Not(condition)
