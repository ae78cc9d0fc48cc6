"""Translation of tasks and plans to objects of unified-planning, and back.

    predicates, functions     Boolean fluents, false by default; static fluents of numbers that only costs use
    `(total-cost)`            the metric `MinimizeActionCosts`; without a metric, unused costs are dropped

The type `object` is translated only if it is used. A problem there has one name, so the domain's name is kept as its
attribute `domain_name`. Costs are rational numbers there and integers here: all are multiplied by their common
denominator, `scale`.

Refused from a task, besides what `translation.py` refuses: derived predicates, an argument of a wider type than its
predicate declares, and, in an environment with `error_used_name` (the default), a name for two things of different
kinds. Refused to a task: time, changing numbers, functions with objects as values, simulated effects, trajectories,
hierarchies and everything else that `FEATURES` does not list.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm
from operator import add, mul, sub, truediv
from typing import Any

from unified_planning import model
from unified_planning.environment import get_environment
from unified_planning.exceptions import UPException
from unified_planning.model.metrics import MinimizeActionCosts
from unified_planning.model.operators import OperatorKind
from unified_planning.plans import ActionInstance, SequentialPlan

from unpuzzle.interop import translation
from unpuzzle.interop.translation import ExactNames, Renamed
from unpuzzle.pddl import nodes
from unpuzzle.pddl.formulas import TOTAL_COST, Atom, FunctionTerm, TypedName, conjunction
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.normal_form import FALSE, TOTAL, TRUE, SingleEffect, negated, typed_names, unused
from unpuzzle.pddl.plain_names import PlainNames, title
from unpuzzle.pddl.syntax import unsupported
from unpuzzle.pddl.world import amounts

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
"""Further features of a problem with constant numbers, or with a `total-cost` that is not minimized."""

_ARITHMETIC = {
    OperatorKind.PLUS: add, OperatorKind.MINUS: sub, OperatorKind.TIMES: mul, OperatorKind.DIV: truediv,
}  # fmt: skip


def to_unified_planning(task: Task, *, environment: Any = None) -> Any:
    """Return a task as a problem of unified-planning; `environment` is by default the global environment.

    Raises UnsupportedFeature, which names the refused feature.
    """
    if task.domain.axioms:
        raise unsupported(
            "unified-planning has no derived predicates, but the domain has some", feature=":derived-predicates"
        )
    try:
        return _Problem(task, get_environment(environment)).problem
    except (UPException, AssertionError) as error:
        raise unsupported(f"unified-planning refuses the task: {error}", feature="the task") from error


class _Problem(translation.Builder):
    """The translation of a task to `problem`, a problem of unified-planning."""

    library = "unified-planning"

    def __init__(self, task: Task, environment: Any) -> None:
        super().__init__(task)
        manager = environment.expression_manager
        domain, problem = task.domain, task.problem
        self._environment, self.problem = environment, model.Problem(problem.name, environment)
        self.problem.domain_name = domain.name
        self.connectives = {
            nodes.And: manager.And, nodes.Or: manager.Or, nodes.Not: manager.Not, nodes.Imply: manager.Implies,
            nodes.Exists: lambda *parts: manager.Exists(parts[-1], *parts[:-1]),
            nodes.Forall: lambda *parts: manager.Forall(parts[-1], *parts[:-1]),
        }  # fmt: skip
        if environment.error_used_name:
            _refuse_shared_names(task)
        if any("object" in each.types for each in typed_names(task)):
            self.types["object"] = self._type("object", None)
        self.add_types(self._type)
        types = environment.type_manager
        self.predicates = {each.name: self._fluent(each, types.BoolType(), False) for each in domain.predicates}
        self.predicates["="] = manager.Equals
        self.functions = {each.name: self._fluent(each, types.IntType(), None) for each in domain.functions}
        for named in (*domain.constants, *problem.objects):
            self.objects[named.name] = self.problem.add_object(named.name, self.type_of(named))
        costs = {schema: manager.Plus(total) for schema, total in map(self._action, domain.actions) if total}
        for atom in problem.init:
            self.problem.set_initial_value(self.atom(atom, {}), True)
        for value in problem.values:
            self.problem.set_initial_value(self.term(value.term, {}), value.number)
        if problem.goal != TRUE:
            self.problem.add_goal(self.condition(problem.goal, {}))
        if problem.metric is not None:
            self.problem.add_quality_metric(MinimizeActionCosts(costs, manager.Int(0), environment))

    def _type(self, name: str, parent: Any) -> Any:
        created = self._environment.type_manager.UserType(name, parent)
        self.problem._add_user_type(created)
        return created

    def _fluent(self, declared: nodes.Predicate | nodes.Function, kind: Any, default: bool | None) -> Any:
        signature: OrderedDict[str, Any] = OrderedDict()  # it takes no other
        for parameter in declared.parameters:  # their names mean nothing, so a second one gets a number
            signature[unused(parameter.name[1:], signature)] = self.type_of(parameter)
        fluent = model.Fluent(declared.name, kind, signature, self._environment)
        return self.problem.add_fluent(fluent, default_initial_value=default)

    def variable(self, named: TypedName) -> Any:
        return model.Variable(named.name[1:], self.type_of(named), self._environment)

    def _action(self, action: nodes.Action) -> tuple[Any, list[Any]]:
        """Declare an action; return the new action, and the summands of its cost."""
        signature = OrderedDict((each.name[1:], self.type_of(each)) for each in action.parameters)
        schema = model.InstantaneousAction(action.name, signature, self._environment)
        scope = {f"?{each.name}": each for each in schema.parameters}
        schema.add_precondition(self.condition(action.precondition, scope))
        for variables, condition, atom, adds in self.effects(action, scope):
            schema.add_effect(atom, adds, condition, forall=variables)
        self.problem.add_action(schema)
        costs = () if self.task.problem.metric is None else amounts(action)
        return schema, [each if isinstance(each, int) else self.term(each, scope) for each in costs]


def _refuse_shared_names(task: Task) -> None:
    domain, problem, owners = task.domain, task.problem, dict[str, str]()
    kinds: dict[str, tuple[Any, ...]] = {
        "a type": domain.types, "a predicate": domain.predicates, "a function": domain.functions,
        "an object": (*domain.constants, *problem.objects), "an action": domain.actions,
    }  # fmt: skip
    for kind, things in kinds.items():
        for name in [each.name for each in things]:
            if owners.setdefault(name, kind) != kind:
                both = f"'{name}' is {owners[name]} and {kind}"
                raise unsupported(f"unified-planning allows no name twice: {both}", feature="shared names")


def from_unified_planning(problem: Any) -> Task:
    """Return a problem of unified-planning as a task with the same names, in small letters.

    Raises UnsupportedFeature, which names the refused feature.
    """
    whole = Translation(problem, ExactNames())
    if whole.scale != 1:
        message = "costs in PDDL must be whole numbers, but this problem has fractions"
        raise unsupported(message, feature="costs that are fractions")
    return whole.task


class Translation:
    """The translation of a problem of unified-planning to a task (`task`), with costs multiplied by `scale`.

    Costs that are sums of numbers and of static fluents stay sums. Any other cost becomes a table: a function of the
    action's parameters, with computed values. The problem's own fluents, objects, ... are used in place of names until
    `Renamed` gives them some. Raises UnsupportedFeature, also for faults that the kind of a problem does not show.
    """

    def __init__(self, problem: Any, names: ExactNames | PlainNames) -> None:
        foreign = ", ".join(sorted(problem.kind.features - FEATURES - NUMBERS)).lower().replace("_", " ")
        if foreign:
            raise unsupported(f"unpuzzle does not support {foreign}", feature=foreign)
        if len(problem.quality_metrics) > 1:
            raise unsupported("unpuzzle minimizes one metric, but the problem has several", feature="several metrics")
        self._problem = problem
        self._metric = next((each for each in problem.quality_metrics if each.is_minimize_action_costs()), None)
        self._fluents = dict.fromkeys(fluent for fluent in problem.fluents if fluent.type.is_bool_type())
        changed = {effect.fluent.fluent() for action in problem.actions for effect in getattr(action, "effects", ())}
        # Of each static fluent of numbers, and of each cost that depends on parameters: the parameters, the values.
        self._functions: dict[Any, tuple[Sequence[Any], dict[tuple[Any, ...], Fraction]]] = {
            fluent: (fluent.signature, {})
            for fluent in problem.fluents
            if (fluent.type.is_int_type() or fluent.type.is_real_type()) and fluent not in changed
            if fluent.name.lower() != TOTAL_COST
        }
        try:
            self._renamed = Renamed(*self._read(), names, lambda key: getattr(key, "name", key))
        except RecursionError:
            raise unsupported("a condition of the problem is nested too deeply", feature="deep nesting") from None
        self.task: Task = self._renamed.task

    def steps(self, plan: Any) -> list[Any]:
        """Return a sequential plan as steps of the task; a step with an unknown action or object becomes None."""
        steps = list[GroundAction | None]()
        for instance in plan.actions:
            name = self._renamed.actions.get(instance.action)
            objects = [each.object() if each.is_object_exp() else None for each in instance.actual_parameters]
            arguments = tuple(self._renamed.objects.get(each, "") for each in objects)
            steps.append(None if name is None or "" in arguments else GroundAction(name, arguments))
        return steps

    def plan(self, plan: Plan) -> Any:
        """Return a plan of the task as a sequential plan of the problem."""
        return _plan(map(self._renamed.back, plan), self._problem)

    def cost(self, cost: int) -> int | Fraction:
        """Return a cost in the task converted to the unit of the problem."""
        exact = Fraction(cost, self.scale)
        return exact.numerator if exact.denominator == 1 else exact

    def _read(self) -> tuple[nodes.Domain, nodes.Problem]:
        """Return the domain and the problem; set `scale` so that all costs become whole numbers."""
        problem, name, init = self._problem, title(self._problem.name, "problem"), list[Atom]()
        for fluent, objects, value in self._initial_values():
            if fluent not in self._fluents:
                self._functions[fluent][1][objects] = _constant(value, fluent)
            elif value.is_true():
                init.append(Atom(fluent, objects))
        schemas = [(action, self._effects(action), self._costs(action)) for action in problem.actions]
        numbers = [part for *_, parts in schemas for part in parts if isinstance(part, Fraction)]
        numbers += [number for _, table in self._functions.values() for number in table.values()]
        self.scale: int = lcm(*(number.denominator for number in numbers))
        domain = nodes.Domain(
            title(getattr(problem, "domain_name", None), name),
            (),
            tuple(TypedName(each, _type(each.father)) for each in problem.user_types if each.name != "object"),
            (),
            tuple(nodes.Predicate(each, self._bound(each.signature)) for each in self._fluents),
            tuple(nodes.Function(key, self._bound(parameters)) for key, (parameters, _) in self._functions.items()),
            tuple(self._action(*schema) for schema in schemas),
        )
        values = tuple(
            nodes.Value(FunctionTerm(key, objects), self._scaled(number))
            for key, (_, table) in self._functions.items()
            for objects, number in table.items()
        )
        goal, metric = conjunction([self._condition(each) for each in problem.goals]), self._metric and TOTAL
        objects = self._bound(problem.all_objects)
        return domain, nodes.Problem(name, domain.name, (), objects, tuple(init), values, goal, metric)

    def _scaled(self, part: Any) -> Any:
        return int(part * self.scale) if isinstance(part, Fraction) else part

    def _bound(self, declared: Sequence[Any]) -> tuple[TypedName, ...]:
        for each in declared:
            if not each.type.is_user_type():
                raise unsupported(
                    f"the values of the parameter '{each.name}' are not objects, which is not supported",
                    feature=f"parameters of type {each.type}",
                )
        return tuple(TypedName(each, _type(each.type)) for each in declared)

    def _initial_values(self) -> Iterator[tuple[Any, tuple[Any, ...], Any]]:
        """Yield fluents with objects and initial values: explicit values first, then defaults that are not false."""
        explicit = self._problem.explicit_initial_values
        for node, value in explicit.items():
            if node.fluent() in self._fluents or node.fluent() in self._functions:
                yield node.fluent(), tuple(map(_term, node.args)), value
        for fluent, default in self._problem.fluents_defaults.items():
            if fluent in self._functions or default.is_true():
                instances = self._instances(fluent.signature)
                yield from ((fluent, each, default) for each in instances if fluent(*each) not in explicit)

    def _instances(self, parameters: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        return product(*(tuple(self._problem.objects(each.type)) for each in parameters))

    # Actions: preconditions, effects, costs

    def _action(self, action: Any, effects: list[Any], costs: list[Any]) -> nodes.Action:
        condition = conjunction([self._condition(each) for each in action.preconditions])
        effects = [*effects, *(nodes.Increase(TOTAL, self._scaled(part)) for part in costs)]
        return nodes.Action(action, self._bound(action.parameters), condition, nodes.And(tuple(effects)))

    def _effects(self, action: Any) -> list[Any]:
        if not hasattr(action, "preconditions"):
            raise unsupported(
                f"the action '{action.name}' takes time: actions with durations are not supported",
                feature="durative actions",
            )
        return [part for effect in action.effects for part in self._parts(effect)]

    def _parts(self, effect: Any) -> Iterator[Any]:
        """Translate an effect of unified-planning, and yield the PDDL effects that have the same meaning."""
        fluent = effect.fluent.fluent()
        cost = fluent.name.lower() == TOTAL_COST and not fluent.signature
        if cost and self._metric is None and effect.is_increase() and effect.condition.is_true():
            return  # it means nothing
        if not effect.is_assignment() or fluent not in self._fluents:
            raise unsupported(
                f"the effect '{effect}' changes a fluent that is not Boolean: such effects are not supported",
                feature="numeric effects",
            )
        parameters, atom = self._bound(effect.forall), self._atom(effect.fluent)
        condition, value = self._condition(effect.condition), self._condition(effect.value)
        # The assigned value is evaluated before, like a condition.
        for literal, premise in ((atom, value), (nodes.Not(atom), negated(value))):
            conditions = tuple(part for part in (condition, premise) if part != TRUE)
            if FALSE not in conditions:
                yield SingleEffect(parameters, conditions, literal).formula

    def _costs(self, action: Any) -> list[Any]:
        """Return the summands that an action adds to the total cost: fractions and terms."""
        if self._metric is None:
            return []
        expression = self._metric.get_action_cost(action)
        if expression is None:
            raise unsupported(
                f"the metric gives the action '{action.name}' no cost, but every action needs a cost",
                feature="actions without a cost",
            )
        amounts = [self._amount(part) for part in (expression.args if expression.is_plus() else [expression])]
        if None in amounts:
            amounts = [self._tabled(action, expression)]
        for amount in amounts:
            numbers = [amount] if isinstance(amount, Fraction) else self._functions[amount.function][1].values()
            if any(number < 0 for number in numbers):
                raise unsupported(
                    f"the action '{action.name}' has a negative cost, which is not supported", feature="negative costs"
                )
        return [amount for amount in amounts if amount != 0]

    def _amount(self, node: Any) -> Any:
        """Return an expression as a number or as a term of a static function; None if it is neither."""
        if node.is_int_constant() or node.is_real_constant():
            return Fraction(node.constant_value())
        if node.is_fluent_exp() and node.fluent() in self._functions and all(map(_is_term, node.args)):
            return FunctionTerm(node.fluent(), tuple(map(_term, node.args)))
        return None

    def _tabled(self, action: Any, expression: Any) -> Any:
        """Return an expression as a number or, if it depends on parameters, as the term of a new function."""
        mentioned = _parameters(expression)
        used = [each for each in action.parameters if each in mentioned]
        instances = self._instances(used)
        table = {each: self._number(expression, dict(zip(used, each, strict=True))) for each in instances}
        if not used:
            return table[()]
        name = f"cost_of_{action.name}"
        self._functions[name] = used, table
        return FunctionTerm(name, tuple(used))

    def _number(self, node: Any, binding: Mapping[Any, Any]) -> Fraction:
        """Return the value of an expression that contains only numbers and static fluents."""
        amount = self._amount(node)
        if isinstance(amount, FunctionTerm):
            objects = tuple(binding.get(each, each) for each in amount.arguments)
            number = self._functions[amount.function][1].get(objects)
            if number is None:
                message = f"'{amount.function.name}' has no initial number for {list(objects)}"  # type: ignore[attr-defined]
                raise unsupported(message, feature="costs without a value")
            return number
        if amount is not None:
            return Fraction(amount)
        if node.node_type not in _ARITHMETIC:
            raise unsupported(
                f"the cost '{node}' cannot be calculated before planning", feature=str(node.node_type.name).lower()
            )
        try:
            return reduce(_ARITHMETIC[node.node_type], [self._number(each, binding) for each in node.args])
        except ZeroDivisionError:
            raise unsupported(f"the cost '{node}' divides by zero", feature="division by zero") from None

    # Conditions

    def _condition(self, node: Any) -> Any:
        if node.is_bool_constant():
            return TRUE if node.is_true() else FALSE
        if node.is_fluent_exp():
            return self._atom(node)
        if node.is_exists() or node.is_forall():
            quantifier = nodes.Exists if node.is_exists() else nodes.Forall
            return quantifier(self._bound(node.variables()), self._condition(node.arg(0)))
        if node.is_equals() and all(map(_is_term, node.args)):
            return Atom("=", tuple(map(_term, node.args)))
        if (node.is_equals() or node.is_le() or node.is_lt()) and all(each.is_constant() for each in node.args):
            return self._condition(node.simplify())
        if node.is_not():
            return negated(self._condition(node.arg(0)))
        if node.is_and() or node.is_or():
            return (nodes.And if node.is_and() else nodes.Or)(tuple(map(self._condition, node.args)))
        if node.is_implies() or node.is_iff():
            left, right = map(self._condition, node.args)
            forward = nodes.Imply(left, right)
            return forward if node.is_implies() else nodes.And((forward, nodes.Imply(right, left)))
        raise unsupported(
            f"the condition '{node}' cannot be translated to PDDL", feature=str(node.node_type.name).lower()
        )

    def _atom(self, node: Any) -> Atom:
        if node.fluent() not in self._fluents:
            raise unsupported(
                f"the fluent '{node}' is not Boolean: conditions on such fluents are not supported",
                feature="fluents that are not Boolean",
            )
        return Atom(node.fluent(), tuple(map(_term, node.args)))


def _type(user_type: Any) -> tuple[Any, ...]:
    return ("object",) if user_type is None or user_type.name == "object" else (user_type,)


def _is_term(node: Any) -> bool:
    return bool(node.is_object_exp() or node.is_parameter_exp() or node.is_variable_exp())


def _term(node: Any) -> Any:
    if not _is_term(node):
        raise unsupported(
            f"'{node}' is neither an object nor a parameter, and other arguments are not supported",
            feature="nested fluents",
        )
    return node.object() if node.is_object_exp() else node.parameter() if node.is_parameter_exp() else node.variable()


def _parameters(node: Any) -> set[Any]:
    return {node.parameter()} if node.is_parameter_exp() else set().union(*map(_parameters, node.args))


def _constant(value: Any, fluent: Any) -> Fraction:
    if not value.is_constant():
        raise unsupported(f"the initial value '{value}' of '{fluent.name}' is not a number", feature="initial values")
    return Fraction(value.constant_value())


def plan_to_unified_planning(plan: Plan | Iterable[GroundAction], problem: Any) -> Any:
    """Return a plan as a sequential plan for a problem of unified-planning.

    Raises ParseError for a step with an unknown action or object.
    """
    actions = {action.name.lower(): action for action in problem.actions}
    objects = {each.name.lower(): each for each in problem.all_objects}
    return _plan(translation.bound_steps(plan, actions, objects), problem)


def plan_from_unified_planning(plan: Any) -> Plan:
    """Return a sequential plan of unified-planning as a plan.

    Raises UnsupportedFeature for plans of other kinds, and for arguments that are not objects.
    """
    if not hasattr(plan, "actions"):
        kind = plan.kind.name.lower().replace("_", " ")
        raise unsupported(f"only a plan that is a sequence of actions is supported, not a {kind}", feature=kind)
    steps = []
    for instance in plan.actions:
        name, arguments = instance.action.name, instance.actual_parameters
        for each in arguments:
            if not each.is_object_exp():
                raise unsupported(
                    f"the argument '{each}' of '{name}' is not an object", feature="arguments that are no objects"
                )
        steps.append(GroundAction(name.lower(), tuple(each.object().name.lower() for each in arguments)))
    return Plan(tuple(steps))


def _plan(steps: Iterable[tuple[Any, Sequence[Any]]], problem: Any) -> Any:
    promote = problem.environment.expression_manager.ObjectExp
    instances = [ActionInstance(action, tuple(map(promote, objects))) for action, objects in steps]
    return SequentialPlan(instances, problem.environment)
