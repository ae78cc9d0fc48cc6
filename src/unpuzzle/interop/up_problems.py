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
from unified_planning.plans import ActionInstance, SequentialPlan

from unpuzzle.interop.translation import (
    FALSE,
    TOTAL,
    TRUE,
    Builder,
    ExactNames,
    PlainNames,
    Renamed,
    bound_steps,
    refused,
    title,
)
from unpuzzle.pddl.declarations import Action, Domain, Function, Predicate, Problem, Value
from unpuzzle.pddl.formulas import (
    TOTAL_COST,
    And,
    Atom,
    Condition,
    Exists,
    Forall,
    Imply,
    Increase,
    Not,
    Or,
    conjunction,
)
from unpuzzle.pddl.nodes import FunctionTerm, GroundAction, Plan, Task, TypedName
from unpuzzle.pddl.normal_form import SingleEffect, typed_names, unused
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

_ARITHMETIC = {"is_plus": add, "is_minus": sub, "is_times": mul, "is_div": truediv}


def to_unified_planning(task: Task, *, environment: Any = None) -> Any:
    """Return a task as a problem of unified-planning; `environment` is by default the global environment.

    Raises UnsupportedFeature, which names the refused feature.
    """
    if task.domain.axioms:
        raise refused("unified-planning has no derived predicates", ":derived-predicates")
    try:
        return _Problem(task, get_environment(environment)).problem
    except (UPException, AssertionError) as error:
        raise refused(f"unified-planning refuses the task: {error}", "the task") from error


class _Problem(Builder):
    """The translation of a task to a problem of unified-planning, `problem`."""

    library = "unified-planning"

    def __init__(self, task: Task, environment: Any) -> None:
        super().__init__(task)
        manager = environment.expression_manager
        domain, problem = task.domain, task.problem
        self._environment, self.problem = environment, model.Problem(problem.name, environment)
        self.problem.domain_name = domain.name
        self.connectives = {
            And: manager.And, Or: manager.Or, Not: manager.Not, Imply: manager.Implies,
            Exists: lambda variables, body: manager.Exists(body, *variables),
            Forall: lambda variables, body: manager.Forall(body, *variables),
        }  # fmt: skip
        if environment.error_used_name:
            _refuse_shared_names(task)
        if any("object" in each.types for each in typed_names(task)):
            self.types["object"] = self._type("object", None)
        self.add_types(self._type)
        self.predicates = {each.name: self._fluent(each) for each in domain.predicates} | {"=": manager.Equals}
        self.functions = {each.name: self._fluent(each) for each in domain.functions}
        for named in (*domain.constants, *problem.objects):
            self.objects[named.name] = self.problem.add_object(named.name, self.type_of(named))
        costs = {}
        for action in domain.actions:
            schema, total = self._action(action)
            if total:
                costs[schema] = total[0] if len(total) == 1 else manager.Plus(*total)
        for atom in problem.init:
            self.problem.set_initial_value(self.atom(atom, {}), True)
        for value in problem.values:
            self.problem.set_initial_value(self.term(value.term, {}), value.number)
        if problem.goal != And():
            self.problem.add_goal(self.condition(problem.goal, {}))
        if problem.metric is not None:
            self.problem.add_quality_metric(MinimizeActionCosts(costs, manager.Int(0), environment))

    def _type(self, name: str, parent: Any) -> Any:
        created = self._environment.type_manager.UserType(name, parent)
        self.problem._add_user_type(created)
        return created

    def _fluent(self, declared: Predicate | Function) -> Any:
        signature: OrderedDict[str, Any] = OrderedDict()  # it takes no other
        for parameter in declared.parameters:  # their names mean nothing, so a second one gets a number
            signature[unused(parameter.name[1:], signature)] = self.type_of(parameter)
        types, boolean = self._environment.type_manager, isinstance(declared, Predicate)
        kind = types.BoolType() if boolean else types.IntType()
        fluent = model.Fluent(declared.name, kind, signature, self._environment)
        self.problem.add_fluent(fluent, default_initial_value=False if boolean else None)
        return fluent

    def variable(self, named: TypedName) -> Any:
        return model.Variable(named.name[1:], self.type_of(named), self._environment)

    def _action(self, action: Action) -> tuple[Any, list[Any]]:
        """Declare an action; return the new action, and the summands of its cost."""
        parameters, scope = self.parameters(
            action, lambda each: model.Parameter(each.name[1:], self.type_of(each), self._environment)
        )
        signature = OrderedDict((each.name, each.type) for each in parameters)
        schema = model.InstantaneousAction(action.name, signature, self._environment)
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
                raise refused(f"unified-planning allows a name only for one thing: {both}", "shared names")


def from_unified_planning(problem: Any) -> Task:
    """Return a problem of unified-planning as a task with the same names, in small letters.

    Raises UnsupportedFeature, which names the refused feature.
    """
    translation = Translation(problem, ExactNames())
    if translation.scale != 1:
        raise refused("costs in PDDL must be whole numbers, but this problem has fractions", "costs that are fractions")
    return translation.task


def _require_features(problem: Any) -> None:
    """Raise UnsupportedFeature for a problem with unsupported features or with several metrics."""
    foreign = sorted(problem.kind.features - FEATURES - NUMBERS)
    if foreign:
        listed = ", ".join(name.lower().replace("_", " ") for name in foreign)
        raise refused(f"unpuzzle does not support {listed}", listed)
    if len(problem.quality_metrics) > 1:
        raise refused("unpuzzle minimizes one metric, not several", "several metrics")


class Translation:
    """The translation of a problem of unified-planning to a task (`task`), with costs multiplied by `scale`.

    Costs that are sums of numbers and of static fluents stay sums. Any other cost becomes a table: a function of the
    action's parameters, with computed values. The problem's own fluents, objects, ... are used in place of names until
    `Renamed` gives them some. Raises UnsupportedFeature, also for faults that the kind of a problem does not show.
    """

    def __init__(self, problem: Any, names: ExactNames | PlainNames) -> None:
        _require_features(problem)
        self._problem = problem
        self._fluents = dict.fromkeys(fluent for fluent in problem.fluents if fluent.type.is_bool_type())
        self._tables: dict[Any, dict[tuple[Any, ...], Fraction]] = {}
        self._functions: list[Function] = []
        self._metric = next((each for each in problem.quality_metrics if each.is_minimize_action_costs()), None)
        self.scale: int = 1
        try:
            self._add_static_fluents()
            self._renamed = Renamed(*self._read(), names, lambda key: getattr(key, "name", key))
        except RecursionError:
            raise refused("a condition is nested too deeply", "deep nesting") from None
        self.task: Task = self._renamed.task

    def steps(self, plan: Any) -> list[GroundAction | None]:
        """Return a sequential plan as steps of the task; None replaces a step that the problem does not know."""
        steps: list[GroundAction | None] = []
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

    def _add_static_fluents(self) -> None:
        actions = self._problem.actions
        changed = {effect.fluent.fluent() for action in actions for effect in getattr(action, "effects", ())}
        for fluent in self._problem.fluents:
            number = fluent.type.is_int_type() or fluent.type.is_real_type()
            if number and fluent not in changed and fluent.name.lower() != TOTAL_COST:
                self._functions.append(Function(fluent, self._bound(fluent.signature)))
                self._tables[fluent] = self._table(fluent)

    def _read(self) -> tuple[Domain, Problem]:
        problem, problem_name = self._problem, title(self._problem.name, "problem")
        schemas = [(action, self._effects(action), self._costs(action)) for action in problem.actions]
        numbers = [part for *_, parts in schemas for part in parts if isinstance(part, Fraction)]
        numbers += [number for table in self._tables.values() for number in table.values()]
        self.scale = lcm(*(number.denominator for number in numbers))
        actions = [
            Action(
                action,
                self._bound(action.parameters),
                conjunction([self._condition(each) for each in action.preconditions]),
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
        goal, metric = conjunction([self._condition(each) for each in problem.goals]), self._metric and TOTAL
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
            conditions = tuple(part for part in (condition, premise) if part != TRUE)
            if FALSE not in conditions:
                yield SingleEffect(parameters, conditions, literal).formula

    def _costs(self, action: Any) -> list[Any]:
        """Return the summands that an action adds to the total cost: fractions and terms."""
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
        """Return an expression as a number or as a term of a static function; None if it is neither."""
        if node.is_int_constant() or node.is_real_constant():
            return Fraction(node.constant_value())
        if node.is_fluent_exp() and node.fluent() in self._tables and all(map(_is_term, node.args)):
            return FunctionTerm(node.fluent(), tuple(map(_term, node.args)))
        return None

    def _tabled(self, action: Any, expression: Any) -> Any:
        """Return an expression as a number or, if it depends on parameters, as the term of a new function."""
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
        """Return the initial values of a static fluent: the explicit ones, or all if the fluent has a default."""
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
        """Return the value of an expression that contains only numbers and static fluents."""
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


def _negation(condition: Condition) -> Condition:
    if condition in (TRUE, FALSE):
        return FALSE if condition == TRUE else TRUE
    return Not(condition)


def plan_to_unified_planning(plan: Plan | Iterable[GroundAction], problem: Any) -> Any:
    """Return a plan as a sequential plan for a problem of unified-planning.

    Raises ParseError for a step with an unknown action or object.
    """
    actions = {action.name.lower(): action for action in problem.actions}
    objects = {each.name.lower(): each for each in problem.all_objects}
    return _plan(bound_steps(plan, actions, objects), problem)


def plan_from_unified_planning(plan: Any) -> Plan:
    """Return a sequential plan of unified-planning as a plan.

    Raises UnsupportedFeature for plans of other kinds, and for arguments that are not objects.
    """
    if not hasattr(plan, "actions"):
        kind = plan.kind.name.lower().replace("_", " ")
        raise refused(f"a plan here is a sequence of actions, not a {kind}", kind)
    return Plan(tuple(_step(instance) for instance in plan.actions))


def _step(instance: Any) -> GroundAction:
    name = instance.action.name
    for each in instance.actual_parameters:
        if not each.is_object_exp():
            raise refused(f"the argument '{each}' of '{name}' is not an object", "arguments that are no objects")
    return GroundAction(name.lower(), tuple(each.object().name.lower() for each in instance.actual_parameters))


def _plan(steps: Iterable[tuple[Any, Sequence[Any]]], problem: Any) -> Any:
    promote = problem.environment.expression_manager.ObjectExp
    instances = [ActionInstance(action, tuple(map(promote, objects))) for action, objects in steps]
    return SequentialPlan(instances, problem.environment)
