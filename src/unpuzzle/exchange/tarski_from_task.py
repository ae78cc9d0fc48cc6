"""Translate a task into a problem of tarski, object by object; names stay as they are.

Variables keep their question mark. An implication is a disjunction there; the axioms of one predicate become one; costs
are costs of actions if the metric uses them, otherwise they are dropped. Refused features: `either` and types with
several parents, an argument of a wider type than its predicate declares, and a name for two things of different kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from unpuzzle.base.extras import require
from unpuzzle.exchange.forms import TRUE, amounts, quantified_effects
from unpuzzle.exchange.names import refused
from unpuzzle.pddl.declarations import Action, Axiom
from unpuzzle.pddl.features import TOTAL_COST
from unpuzzle.pddl.formulas import And, Atom, Exists, Forall, Imply, Not, Or
from unpuzzle.pddl.nodes import FunctionTerm, Task, TypedName
from unpuzzle.pddl.normal_form.substitution import substituted
from unpuzzle.pddl.reading.normal import type_parents
from unpuzzle.pddl.world import Types

Scope = Mapping[str, Any]
"""The variable of the problem, by its name."""


def to_tarski(task: Task) -> Any:
    """Return a task as a problem of tarski.

    Raises UnsupportedFeature, which names the refused feature, and DependencyMissing without tarski.
    """
    require_tarski()
    from tarski.errors import TarskiError

    try:
        return _Translation(task).problem
    except TarskiError as error:
        raise refused(f"tarski refuses the task: {error}", "the task") from error


def require_tarski() -> None:
    """Raise DependencyMissing, with the command that installs it, if tarski is not installed."""
    require("exchange", "problems of tarski need")


class _Translation:
    """A translation that builds `problem` from a task."""

    def __init__(self, task: Task) -> None:
        from tarski import fstrips
        from tarski.theories import Theory

        domain, problem = task.domain, task.problem
        self._types = Types(task)
        self._costs = problem.metric is not None
        self._language = fstrips.language(domain.name, theories=[Theory.EQUALITY])
        if self._costs or domain.functions:
            self._add_numbers()
        self.problem = fstrips.create_fstrips_problem(self._language, problem.name, domain.name)
        self._add_types(task)
        for predicate in domain.predicates:
            self._language.predicate(predicate.name, *map(self._sort, predicate.parameters))
        for function in domain.functions:
            self._language.function(function.name, *map(self._sort, function.parameters), "number")
        for named in (*domain.constants, *problem.objects):
            self._language.constant(named.name, self._sort(named))
        for action in domain.actions:
            self._add_action(action)
        self._add_axioms(domain.axioms)
        for atom in problem.init:
            self.problem.init.add(self._atom(atom, {}))
        for value in problem.values:
            self.problem.init.set(self._term(value.term, {}), value.number)
        self.problem.goal = self._formula(substituted(problem.goal, {}), {})
        if self._costs:
            self._add_metric()

    def _add_numbers(self) -> None:
        from tarski.theories import Theory, load_theory

        load_theory(self._language, Theory.ARITHMETIC)
        real = self._language.Real
        self._language.interval("number", real, real.lower_bound, real.upper_bound)
        if self._costs:
            self._language.function(TOTAL_COST, "number")

    def _add_metric(self) -> None:
        from tarski.fstrips import OptimizationType

        total = self._language.get_function(TOTAL_COST)()
        self.problem.init.set(total, 0)
        self.problem.metric(total, OptimizationType.MINIMIZE)

    def _add_types(self, task: Task) -> None:
        for name, parents in type_parents(task.domain).items():  # parents come first
            if len(parents) > 1:
                raise refused(f"tarski has one parent for a type; '{name}' has several", "several parents")
            if not self._language.has_sort(parents[0]):
                raise refused(f"the types '{name}' and '{parents[0]}' are above each other", "circular types")
            self._language.sort(name, self._language.get_sort(parents[0]))

    def _sort(self, named: TypedName) -> Any:
        if len(named.types) > 1:
            raise refused(f"tarski has no 'either'; '{named.name}' is of several types", "either")
        return self._language.get_sort(named.types[0])

    def _add_action(self, action: Action) -> None:
        from tarski.syntax.formulas import VariableBinding

        names = [parameter.name for parameter in action.parameters]
        if len(set(names)) < len(names):
            raise refused(f"a parameter of '{action.name}' occurs twice", "repeated parameters")
        variables, scope = self._bound(action.parameters, {})
        precondition = self._formula(substituted(action.precondition, {name: name for name in names}), scope)
        effects = [self._effect(each, scope) for each in quantified_effects(action, self._types)]
        cost = self._cost(action, scope) if self._costs else None
        self.problem.action(action.name, VariableBinding(variables), precondition, effects, cost)

    def _effect(self, single: Any, scope: Scope) -> Any:
        from tarski.fstrips import AddEffect, DelEffect, UniversalEffect

        variables, inner = self._bound(single.parameters, scope)
        kind = AddEffect if single.atom is single.literal else DelEffect
        effect = kind(self._atom(single.atom, inner), self._formula(single.condition, inner))
        return UniversalEffect(variables, [effect]) if variables else effect

    def _cost(self, action: Action, scope: Scope) -> Any:
        from tarski.fstrips.action import AdditiveActionCost

        parts = [
            self._language.constant(part, self._language.Integer) if isinstance(part, int) else self._term(part, scope)
            for part in amounts(action) or (0,)
        ]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return AdditiveActionCost(total)

    def _add_axioms(self, axioms: tuple[Axiom, ...]) -> None:
        for name in dict.fromkeys(axiom.head.name for axiom in axioms):
            own = [axiom for axiom in axioms if axiom.head.name == name]
            parameters = own[0].head.parameters
            bodies = []
            for axiom in own:
                places = zip(axiom.head.parameters, parameters, strict=True)
                bodies.append(substituted(axiom.body, {theirs.name: ours.name for theirs, ours in places}))
            variables, scope = self._bound(parameters, {})
            self.problem.derived(name, variables, self._formula(Or(tuple(bodies)), scope))

    def _formula(self, node: Any, scope: Scope) -> Any:
        from tarski.syntax import formulas

        if node == TRUE:
            return formulas.top
        if isinstance(node, Atom):
            return self._atom(node, scope)
        if isinstance(node, Exists | Forall):
            variables, inner = self._bound(node.parameters, scope)
            body = self._formula(node.body, inner)
            return (formulas.exists if isinstance(node, Exists) else formulas.forall)(*variables, body)
        parts = [self._formula(part, scope) for part in node.children()]
        if isinstance(node, And | Or):
            return (formulas.land if isinstance(node, And) else formulas.lor)(*parts, flat=True)
        if isinstance(node, Imply):
            return formulas.implies(*parts)
        assert isinstance(node, Not)
        return formulas.neg(*parts)

    def _bound(self, parameters: Iterable[TypedName], scope: Scope) -> tuple[list[Any], Scope]:
        bound = {each.name: self._language.variable(each.name, self._sort(each)) for each in parameters}
        return list(bound.values()), {**scope, **bound}

    def _atom(self, atom: Atom, scope: Scope) -> Any:
        from tarski.syntax.builtins import BuiltinPredicateSymbol

        name = BuiltinPredicateSymbol.EQ if atom.predicate == "=" else atom.predicate
        return self._language.get_predicate(name)(*self._terms(atom.arguments, scope))

    def _term(self, term: FunctionTerm, scope: Scope) -> Any:
        return self._language.get_function(term.function)(*self._terms(term.arguments, scope))

    def _terms(self, terms: Iterable[str], scope: Scope) -> list[Any]:
        return [scope[term] if term[0] == "?" else self._language.get_constant(term) for term in terms]
