"""A problem of unified-planning as a task, object by object, and plans back and forth.

Costs are rational numbers there and integers here: all are multiplied by their common denominator, `scale`. Refused
features: time, changing numbers, functions with objects as values, simulated effects, trajectories, hierarchies and
everything else that `FEATURES` does not list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from operator import add, mul, sub, truediv
from typing import Any

from unified_planning.plans import ActionInstance, SequentialPlan

from unpuzzle.exchange.forms import FALSE, TOTAL, TRUE, mentioned
from unpuzzle.exchange.names import ExactNames, PlainNames, refused, title
from unpuzzle.pddl.declarations import Action, Domain, Function, Predicate, Problem, Value
from unpuzzle.pddl.features import TOTAL_COST
from unpuzzle.pddl.formulas import And, Atom, Condition, Exists, Forall, Imply, Increase, Not, Or, When
from unpuzzle.pddl.nodes import OBJECT, FunctionTerm, GroundAction, Plan, Task, TypedName

# The costs of actions in a problem of unified-planning, as numbers and static functions of a task.
#
# A sum of numbers and of static fluents stays as it is: each part is an amount that the action adds to total-cost. Any
# other expression over static fluents becomes a table: a function of the action's parameters, with computed values.

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
        """Return an expression that does not change: a number, or the term of a static function. Others give None."""
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


Scope = Mapping[Any, str]
"""The name of each parameter or variable of the problem."""

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


def from_unified_planning(problem: Any) -> Task:
    """Return a problem of unified-planning as a task with the same names, in small letters.

    Raises UnsupportedFeature, which names the refused feature.
    """
    require_features(problem, FEATURES | NUMBERS)
    try:
        translation = Translation(problem, ExactNames())
    except RecursionError:
        raise refused("a condition is nested too deeply", "deep nesting") from None
    if translation.scale != 1:
        raise refused("costs in PDDL are whole numbers, and this problem has others", "costs that are fractions")
    return translation.task


def require_features(problem: Any, features: frozenset[str]) -> None:
    """Raise UnsupportedFeature for a problem with other features, or several metrics."""
    foreign = sorted(problem.kind.features - features)
    if foreign:
        listed = ", ".join(name.lower().replace("_", " ") for name in foreign)
        raise refused(f"unpuzzle does not support {listed}", listed)
    if len(problem.quality_metrics) > 1:
        raise refused("unpuzzle minimizes one metric, not several", "several metrics")


class Translation:
    """The translation of a problem of unified-planning to `task`, with costs multiplied by `scale`.

    Raises UnsupportedFeature for faults that the kind of a problem does not show, such as a negative cost.
    """

    def __init__(self, problem: Any, names: ExactNames | PlainNames) -> None:
        self._problem = problem
        self._names = names
        self._type = {each: names.name(each.name, "t") for each in problem.user_types if each.name != "object"}
        self._fluents = [fluent for fluent in problem.fluents if fluent.type.is_bool_type()]
        self._fluent = {fluent: names.name(fluent.name, "f") for fluent in self._fluents}
        self._object = {each: names.name(each.name, "o") for each in problem.all_objects}
        self._action = {action: names.name(action.name, "a") for action in problem.actions}
        self._metric = next((each for each in problem.quality_metrics if each.is_minimize_action_costs()), None)
        self._static = StaticCosts(problem, self._object, names, lambda each: self._bound(each, {})[0])
        self.scale: int = 1
        self.task: Task = self._translate()
        self._objects_back = {name: each for each, name in self._object.items()}
        self._actions_back = {name: action for action, name in self._action.items()}

    def steps(self, plan: Any) -> list[GroundAction | None]:
        """Return a sequential plan as steps of the task, with None for each step unknown to the problem."""
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
        self.scale = lcm(*(number.denominator for *_, parts in schemas for number in parts if is_number(number)))
        self.scale = lcm(self.scale, *(number.denominator for number in self._static.numbers()))
        actions = [
            Action(name, parameters, precondition, And((*effects, *self._increase(parts))))
            for name, parameters, precondition, effects, parts in schemas
        ]
        named = mentioned(actions)
        objects = [TypedName(name, self._type_of(each.type)) for each, name in self._object.items()]
        problem_name = title(self._problem.name, "problem")
        domain = Domain(
            title(getattr(self._problem, "domain_name", None), problem_name),
            (),
            tuple(TypedName(name, self._type_of(each.father)) for each, name in self._type.items()),
            tuple(each for each in objects if each.name in named),
            tuple(Predicate(self._fluent[each], self._bound(each.signature, {})[0]) for each in self._fluents),
            tuple(function for function, _ in self._static.functions()),
            tuple(actions),
        )
        values = tuple(
            Value(FunctionTerm(function.name, arguments), int(number * self.scale))
            for function, table in self._static.functions()
            for arguments, number in table.items()
        )
        others = tuple(each for each in objects if each.name not in named)
        metric = None if self._metric is None else TOTAL
        initial = tuple(self._initial())
        return Task(domain, Problem(problem_name, domain.name, (), others, initial, values, self._goal(), metric))

    def _goal(self) -> Condition:
        return _joined([self._condition(each, {}) for each in self._problem.goals])

    def _type_of(self, user_type: Any) -> tuple[str, ...]:
        return OBJECT if user_type is None else (self._type.get(user_type, "object"),)

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
        names = self._names.variables(name[1:] for name in scope.values())
        bound = {each: f"?{names.name(each.name, 'v')}" for each in parameters}
        for each in parameters:
            if not each.type.is_user_type():
                raise refused(f"'{each.name}' does not range over objects", f"parameters of type {each.type}")
        return tuple(TypedName(name, self._type_of(each.type)) for each, name in bound.items()), {**scope, **bound}

    def _schema(self, action: Any) -> tuple[str, tuple[TypedName, ...], Condition, list[Any], tuple[Any, ...]]:
        """Return name, parameters, precondition, effects without costs, and the amounts of its cost."""
        if not hasattr(action, "preconditions"):
            raise refused(f"the action '{action.name}' takes time", "durative actions")
        parameters, scope = self._bound(action.parameters, {})
        precondition = _joined([self._condition(each, scope) for each in action.preconditions])
        effects = [part for effect in action.effects for part in self._effects(effect, scope)]
        parts = () if self._metric is None else self._static.amounts(action, self._metric, parameters, scope)
        return self._action[action], parameters, precondition, effects, parts

    def _effects(self, effect: Any, scope: Scope) -> Iterator[Any]:
        if self._is_idle_cost(effect):
            return
        if not effect.is_assignment() or effect.fluent.fluent() not in self._fluent:
            raise refused(f"the effect '{effect}' is not on a Boolean fluent", "numeric effects")
        parameters, scope = self._bound(effect.forall, scope)
        atom, condition = self._atom(effect.fluent, scope), self._condition(effect.condition, scope)
        value = self._condition(effect.value, scope)
        # The assigned value is evaluated before, like a condition.
        for literal, premise in ((atom, value), (Not(atom), _negation(value))):
            conditions = tuple(part for part in (condition, premise) if part != TRUE)
            if FALSE not in conditions:
                part = When(_joined(conditions), literal) if conditions else literal
                yield Forall(parameters, part) if parameters else part

    def _is_idle_cost(self, effect: Any) -> bool:
        """Return whether an effect adds to a total-cost that no metric uses, so that it means nothing."""
        fluent = effect.fluent.fluent()
        idle = self._metric is None and fluent.name.lower() == TOTAL_COST and not fluent.signature
        return idle and effect.is_increase() and effect.condition.is_true()

    def _condition(self, node: Any, scope: Scope) -> Condition:
        if node.is_bool_constant():
            return TRUE if node.is_true() else FALSE
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
            return TRUE if (left < right and not node.is_equals()) or (left == right and not node.is_lt()) else FALSE
        raise refused(f"the condition '{node}' cannot be translated", str(node.node_type.name).lower())

    def _atom(self, node: Any, scope: Scope) -> Atom:
        if node.fluent() not in self._fluent:
            raise refused(f"'{node}' is not Boolean", "fluents that are not Boolean")
        return Atom(self._fluent[node.fluent()], tuple(self._term(each, scope) for each in node.args))

    def _term(self, node: Any, scope: Scope) -> str:
        if node.is_object_exp():
            return self._object[node.object()]
        if node.is_parameter_exp():
            return scope[node.parameter()]
        if node.is_variable_exp():
            return scope[node.variable()]
        raise refused(f"'{node}' is neither an object nor a parameter", "nested fluents")

    def _increase(self, parts: tuple[Any, ...]) -> tuple[Increase, ...]:
        return tuple(Increase(TOTAL, int(part * self.scale) if is_number(part) else part) for part in parts)


def _joined(conditions: Sequence[Condition]) -> Condition:
    return conditions[0] if len(conditions) == 1 else And(tuple(conditions))


def _negation(condition: Condition) -> Condition:
    if condition == TRUE:
        return FALSE
    return TRUE if condition == FALSE else Not(condition)


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
