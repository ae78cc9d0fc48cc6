"""A problem of unified-planning as a task, object by object, and plans back and forth.

Costs are rational numbers there and integers here: all are multiplied by their common denominator, `scale`. Refused
features: time, changing numbers, functions with objects as values, simulated effects, trajectories, hierarchies and
everything else that `FEATURES` does not list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

from unified_planning.plans import ActionInstance, SequentialPlan

from unpuzzle.exchange.forms import FALSE, TOTAL, TRUE, mentioned
from unpuzzle.exchange.names import ExactNames, PlainNames, refused, title
from unpuzzle.exchange.static_costs import StaticCosts, is_number
from unpuzzle.pddl.declarations import Action, Domain, Predicate, Problem, Value
from unpuzzle.pddl.features import TOTAL_COST
from unpuzzle.pddl.formulas import And, Atom, Condition, Exists, Forall, Imply, Increase, Not, Or, When
from unpuzzle.pddl.nodes import OBJECT, FunctionTerm, GroundAction, Plan, Task, TypedName

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
