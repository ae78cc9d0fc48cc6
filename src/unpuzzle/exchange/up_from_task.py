"""A task as a problem of unified-planning, object by object, with the task's own names.

    predicates, functions     Boolean fluents, false by default; static fluents of whole numbers
    effects                   single ones, each with its own variables and condition
    `(total-cost)`            the metric `MinimizeActionCosts`; without a metric, unused costs are dropped

The type `object` is translated only if it is used. A problem there has one name, so the domain's name is kept as its
attribute `domain_name`. Refused features: derived predicates, `either` and types with several
parents, a parameter that occurs twice, an argument of a wider type than its predicate declares, and, in an environment
with `error_used_name` (the default), a name for two things of different kinds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from unified_planning.environment import get_environment
from unified_planning.exceptions import UPException
from unified_planning.model import Fluent, InstantaneousAction, Object, Parameter, Problem, Variable
from unified_planning.model.metrics import MinimizeActionCosts

from unpuzzle.exchange.forms import amounts, quantified_effects, types_named
from unpuzzle.exchange.names import refused
from unpuzzle.pddl.declarations import Action
from unpuzzle.pddl.formulas import And, Atom, Exists, Forall, Not, Or
from unpuzzle.pddl.nodes import FunctionTerm, Task, TypedName
from unpuzzle.pddl.normal_form.substitution import substituted, unused
from unpuzzle.pddl.reading.normal import type_parents
from unpuzzle.pddl.world import Types

Scope = Mapping[str, Any]
"""The parameter or variable for each name of a variable."""


def to_unified_planning(task: Task, *, environment: Any = None) -> Any:
    """Return a task as a problem of unified-planning, in a given environment, by default the global one.

    Raises UnsupportedFeature, which names the refused feature.
    """
    if task.domain.axioms:
        raise refused("unified-planning has no derived predicates", ":derived-predicates")
    try:
        return _Translation(task, get_environment(environment)).problem
    except (UPException, AssertionError) as error:
        raise refused(f"unified-planning refuses the task: {error}", "the task") from error


class _Translation:
    """A translation that builds `problem` from a task."""

    def __init__(self, task: Task, environment: Any) -> None:
        self._task, self._environment = task, environment
        self._manager = environment.expression_manager
        self._objects_of = Types(task)
        self.problem = Problem(task.problem.name, environment)
        self.problem.domain_name = task.domain.name
        if environment.error_used_name:
            self._refuse_shared_names()
        self._types = self._all_types()
        self._fluents = {each.name: self._fluent(each, boolean=True) for each in task.domain.predicates}
        self._functions = {each.name: self._fluent(each, boolean=False) for each in task.domain.functions}
        self._objects = {each.name: self._object(each) for each in (*task.domain.constants, *task.problem.objects)}
        self._actions = {each.name: self._action(each) for each in task.domain.actions}
        for atom in task.problem.init:
            self.problem.set_initial_value(self._atom(atom, {}), True)
        for value in task.problem.values:
            self.problem.set_initial_value(self._term(value.term, {}), value.number)
        if task.problem.goal != And():
            self.problem.add_goal(self._condition(task.problem.goal, {}))
        self._add_metric()

    def _refuse_shared_names(self) -> None:
        domain, problem = self._task.domain, self._task.problem
        kinds: dict[str, Sequence[Any]] = {
            "type": domain.types,
            "predicate": domain.predicates,
            "function": domain.functions,
            "object": (*domain.constants, *problem.objects),
            "action": domain.actions,
        }
        owners: dict[str, str] = {}
        for kind, things in kinds.items():
            for name in dict.fromkeys(each.name for each in things):
                if name in owners:
                    message = (
                        f"unified-planning has one name for one thing: '{name}' is {_a(owners[name])} and {_a(kind)}"
                    )
                    raise refused(message, "shared names")
                owners[name] = kind

    def _all_types(self) -> dict[str, Any]:
        manager, types = self._environment.type_manager, {}
        top = manager.UserType("object") if "object" in types_named(self._task) else None
        if top is not None:
            types["object"] = top
            self.problem._add_user_type(top)
        for name, parents in type_parents(self._task.domain).items():  # parents come first
            if len(parents) > 1:
                raise refused(f"unified-planning has one parent for a type; '{name}' has several", "several parents")
            if parents[0] not in ("object", *types):
                raise refused(f"the types '{name}' and '{parents[0]}' are above each other", "circular types")
            types[name] = manager.UserType(name, types.get(parents[0]))
            self.problem._add_user_type(types[name])
        return types

    def _type(self, named: TypedName) -> Any:
        if len(named.types) > 1:
            raise refused(f"unified-planning has no 'either'; '{named.name}' is of several types", "either")
        return self._types[named.types[0]]

    def _fluent(self, declared: Any, boolean: bool) -> Any:
        signature: OrderedDict[str, Any] = OrderedDict()  # it takes no other
        for parameter in declared.parameters:  # their names mean nothing, so a second one gets a number
            signature[unused(parameter.name[1:], signature)] = self._type(parameter)
        types = self._environment.type_manager
        fluent = Fluent(declared.name, types.BoolType() if boolean else types.IntType(), signature, self._environment)
        self.problem.add_fluent(fluent, default_initial_value=False if boolean else None)
        return fluent

    def _object(self, named: TypedName) -> Any:
        item = Object(named.name, self._type(named), self._environment)
        self.problem.add_object(item)
        return item

    def _action(self, action: Action) -> Any:
        names = [parameter.name for parameter in action.parameters]
        if len(set(names)) < len(names):
            raise refused(f"a parameter of '{action.name}' occurs twice", "repeated parameters")
        signature = OrderedDict((each.name[1:], self._type(each)) for each in action.parameters)
        schema = InstantaneousAction(action.name, signature, self._environment)
        scope: Scope = {f"?{each.name}": each for each in schema.parameters}
        schema.add_precondition(self._condition(action.precondition, scope))
        for effect in quantified_effects(action, self._objects_of):
            variables, inner = self._bound(effect.parameters, scope)
            atom, condition = self._atom(effect.atom, inner), self._condition(effect.condition, inner)
            schema.add_effect(atom, effect.atom is effect.literal, condition, forall=variables)
        self.problem.add_action(schema)
        return schema

    def _add_metric(self) -> None:
        if self._task.problem.metric is None:
            return
        costs = {}
        for action in self._task.domain.actions:
            schema = self._actions[action.name]
            scope = {f"?{each.name}": each for each in schema.parameters}
            parts = [self._amount(part, scope) for part in amounts(action)]
            if parts:
                costs[schema] = parts[0] if len(parts) == 1 else self._manager.Plus(*parts)
        self.problem.add_quality_metric(MinimizeActionCosts(costs, self._manager.Int(0), self._environment))

    def _amount(self, amount: FunctionTerm | int, scope: Scope) -> Any:
        return self._manager.Int(amount) if isinstance(amount, int) else self._term(amount, scope)

    def _condition(self, node: Any, scope: Scope) -> Any:
        if isinstance(node, Atom):
            return self._atom(node, scope)
        if isinstance(node, Exists | Forall):
            return self._quantified(node, scope)
        parts = [self._condition(part, scope) for part in node.children()]
        if isinstance(node, And | Or):
            return (self._manager.And if isinstance(node, And) else self._manager.Or)(parts)
        return (self._manager.Not if isinstance(node, Not) else self._manager.Implies)(*parts)

    def _quantified(self, node: Exists | Forall, scope: Scope) -> Any:
        repeated = len({each.name for each in node.parameters}) < len(node.parameters)
        plain = substituted(node, {}) if repeated else node
        variables, inner = self._bound(plain.parameters, scope)
        quantify = self._manager.Exists if isinstance(node, Exists) else self._manager.Forall
        return quantify(self._condition(plain.body, inner), *variables)

    def _bound(self, parameters: Iterable[TypedName], scope: Scope) -> tuple[tuple[Any, ...], Scope]:
        bound = {each.name: Variable(each.name[1:], self._type(each), self._environment) for each in parameters}
        return tuple(bound.values()), {**scope, **bound}

    def _atom(self, atom: Atom, scope: Scope) -> Any:
        terms = self._terms(atom.arguments, scope)
        return self._manager.Equals(*terms) if atom.predicate == "=" else self._fluents[atom.predicate](*terms)

    def _term(self, term: FunctionTerm, scope: Scope) -> Any:
        return self._functions[term.function](*self._terms(term.arguments, scope))

    def _terms(self, terms: Iterable[str], scope: Scope) -> list[Any]:
        manager = self._manager
        things = [scope[term] if term[0] == "?" else self._objects[term] for term in terms]
        return [
            manager.VariableExp(each) if isinstance(each, Variable)
            else manager.ParameterExp(each) if isinstance(each, Parameter)
            else manager.ObjectExp(each)
            for each in things
        ]  # fmt: skip


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "ao" else f"a {kind}"
