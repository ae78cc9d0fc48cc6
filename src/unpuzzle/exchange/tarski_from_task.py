"""A task as a problem of tarski, object by object; names stay as they are.

Variables keep their question mark. An implication is a disjunction there; the axioms of one predicate become one; costs
are costs of actions if the metric uses them, otherwise they are dropped. Refused, besides what `building.py` refuses: an
argument of a wider type than its predicate declares, and a name for two things of different kinds.
"""

from __future__ import annotations

from functools import partial, reduce
from operator import add
from typing import Any

from unpuzzle.exchange.building import Builder
from unpuzzle.exchange.names import refused
from unpuzzle.extras import require
from unpuzzle.pddl.costs import amounts
from unpuzzle.pddl.features import TOTAL_COST
from unpuzzle.pddl.formulas import And, Exists, Forall, Imply, Not, Or
from unpuzzle.pddl.nodes import Action, Axiom, Task, TypedName
from unpuzzle.pddl.normal_form.substitution import substituted


def to_tarski(task: Task) -> Any:
    """Return a task as a problem of tarski.

    Raises UnsupportedFeature, which names the refused feature, and DependencyMissing without tarski.
    """
    require_tarski()
    from tarski.errors import TarskiError

    try:
        return _Problem(task).problem
    except TarskiError as error:
        raise refused(f"tarski refuses the task: {error}", "the task") from error


def require_tarski() -> None:
    """Raise DependencyMissing, with the command that installs it, if tarski is not installed."""
    require("exchange", "problems of tarski need")


class _Problem(Builder):
    """A translation that builds `problem`."""

    library = "tarski"

    def __init__(self, task: Task) -> None:
        from tarski import fstrips
        from tarski.syntax import formulas
        from tarski.syntax.builtins import BuiltinPredicateSymbol
        from tarski.theories import Theory

        super().__init__(task)
        domain, problem = task.domain, task.problem
        self.connectives = {
            And: partial(formulas.land, flat=True), Or: partial(formulas.lor, flat=True),
            Not: formulas.neg, Imply: formulas.implies,
            Exists: lambda variables, body: formulas.exists(*variables, body),
            Forall: lambda variables, body: formulas.forall(*variables, body),
        }  # fmt: skip
        language = self._language = fstrips.language(domain.name, theories=[Theory.EQUALITY])
        if problem.metric is not None or domain.functions:
            self._add_numbers()
        self.problem = fstrips.create_fstrips_problem(language, problem.name, domain.name)
        self.types["object"] = language.get_sort("object")
        self.add_types(language.sort)
        self.predicates = {each.name: language.predicate(each.name, *self._sorts(each)) for each in domain.predicates}
        self.predicates["="] = language.get_predicate(BuiltinPredicateSymbol.EQ)
        for each in domain.functions:
            self.functions[each.name] = language.function(each.name, *self._sorts(each), "number")
        for named in (*domain.constants, *problem.objects):
            self.objects[named.name] = language.constant(named.name, self.type_of(named))
        for action in domain.actions:
            self._add_action(action)
        for name in dict.fromkeys(axiom.head.name for axiom in domain.axioms):
            self._add_axiom([axiom for axiom in domain.axioms if axiom.head.name == name])
        for atom in problem.init:
            self.problem.init.add(self.atom(atom, {}))
        for value in problem.values:
            self.problem.init.set(self.term(value.term, {}), value.number)
        self.problem.goal = self.condition(problem.goal, {})
        if problem.metric is not None:
            total = language.function(TOTAL_COST, "number")()
            self.problem.init.set(total, 0)
            self.problem.metric(total, fstrips.OptimizationType.MINIMIZE)

    def _add_numbers(self) -> None:
        from tarski.theories import Theory, load_theory

        load_theory(self._language, Theory.ARITHMETIC)
        real = self._language.Real
        self._language.interval("number", real, real.lower_bound, real.upper_bound)

    def _sorts(self, declared: Any) -> list[Any]:
        return [self.type_of(each) for each in declared.parameters]

    def variable(self, named: TypedName) -> Any:
        return self._language.variable(named.name, self.type_of(named))

    def _add_action(self, action: Action) -> None:
        from tarski import fstrips
        from tarski.fstrips.action import AdditiveActionCost
        from tarski.syntax.formulas import VariableBinding

        parameters, scope = self.parameters(action, self.variable)
        precondition, effects, cost = self.condition(action.precondition, scope), [], None
        for variables, condition, atom, adds in self.effects(action, scope):
            effect = (fstrips.AddEffect if adds else fstrips.DelEffect)(atom, condition)
            effects.append(fstrips.UniversalEffect(variables, [effect]) if variables else effect)
        if self.task.problem.metric is not None:
            number = partial(self._language.constant, sort=self._language.Integer)
            parts = [number(each) if isinstance(each, int) else self.term(each, scope) for each in amounts(action)]
            cost = AdditiveActionCost(reduce(add, parts or [number(0)]))
        self.problem.action(action.name, VariableBinding(parameters), precondition, effects, cost)

    def _add_axiom(self, axioms: list[Axiom]) -> None:
        head = axioms[0].head
        bodies = []
        for axiom in axioms:
            places = zip(axiom.head.parameters, head.parameters, strict=True)
            bodies.append(substituted(axiom.body, {theirs.name: ours.name for theirs, ours in places}))
        scope = {each.name: self.variable(each) for each in head.parameters}
        self.problem.derived(head.name, list(scope.values()), self.condition(Or(tuple(bodies)), scope))
