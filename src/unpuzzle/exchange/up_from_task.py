"""A task as a problem of unified-planning, object by object, with the task's own names.

    predicates, functions     Boolean fluents, false by default; static fluents of whole numbers
    `(total-cost)`            the metric `MinimizeActionCosts`; without a metric, unused costs are dropped

The type `object` is translated only if it is used. A problem there has one name, so the domain's name is kept as its
attribute `domain_name`. Refused, besides what `building.py` refuses: derived predicates, an argument of a wider type
than its predicate declares, and, in an environment with `error_used_name` (the default), a name for two things of
different kinds.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from unified_planning.environment import get_environment
from unified_planning.exceptions import UPException
from unified_planning.model import Fluent, InstantaneousAction, Parameter, Problem, Variable
from unified_planning.model.metrics import MinimizeActionCosts

from unpuzzle.exchange.building import Builder
from unpuzzle.exchange.forms import typed_names
from unpuzzle.exchange.names import refused
from unpuzzle.pddl.costs import amounts
from unpuzzle.pddl.formulas import And, Exists, Forall, Imply, Not, Or
from unpuzzle.pddl.nodes import Action, Function, Predicate, Task, TypedName
from unpuzzle.pddl.normal_form.substitution import unused


def to_unified_planning(task: Task, *, environment: Any = None) -> Any:
    """Return a task as a problem of unified-planning, in a given environment, by default the global one.

    Raises UnsupportedFeature, which names the refused feature.
    """
    if task.domain.axioms:
        raise refused("unified-planning has no derived predicates", ":derived-predicates")
    try:
        return _Problem(task, get_environment(environment)).problem
    except (UPException, AssertionError) as error:
        raise refused(f"unified-planning refuses the task: {error}", "the task") from error


class _Problem(Builder):
    """A translation that builds `problem`."""

    library = "unified-planning"

    def __init__(self, task: Task, environment: Any) -> None:
        super().__init__(task)
        manager = environment.expression_manager
        domain, problem = task.domain, task.problem
        self._environment, self.problem = environment, Problem(problem.name, environment)
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
        fluent = Fluent(declared.name, types.BoolType() if boolean else types.IntType(), signature, self._environment)
        self.problem.add_fluent(fluent, default_initial_value=False if boolean else None)
        return fluent

    def variable(self, named: TypedName) -> Any:
        return Variable(named.name[1:], self.type_of(named), self._environment)

    def _action(self, action: Action) -> tuple[Any, list[Any]]:
        """Declare an action, and return it with the parts of its cost."""
        parameters, scope = self.parameters(
            action, lambda each: Parameter(each.name[1:], self.type_of(each), self._environment)
        )
        signature = OrderedDict((each.name, each.type) for each in parameters)
        schema = InstantaneousAction(action.name, signature, self._environment)
        schema.add_precondition(self.condition(action.precondition, scope))
        for variables, condition, atom, adds in self.effects(action, scope):
            schema.add_effect(atom, adds, condition, forall=variables)
        self.problem.add_action(schema)
        costs = () if self.task.problem.metric is None else amounts(action)
        return schema, [each if isinstance(each, int) else self.term(each, scope) for each in costs]


def _refuse_shared_names(task: Task) -> None:
    domain, problem = task.domain, task.problem
    kinds: dict[str, Any] = {
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
                both = " and ".join(f"{'an' if each[0] in 'ao' else 'a'} {each}" for each in (owners[name], kind))
                raise refused(f"unified-planning has one name for one thing: '{name}' is {both}", "shared names")
            owners[name] = kind
