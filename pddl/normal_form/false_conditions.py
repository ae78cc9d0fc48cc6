"""Find conditions of a domain that are false in all states of a problem, by its objects and the facts of its start.

    :precondition (and (at ?x) (bridge ?x ?y))     without any bridge, it is (and (at ?x) (or)): never true

A fact is never true if its predicate is true of no such objects at the start, and no action that may be applied adds
facts of the predicate.
"""

from __future__ import annotations

from unpuzzle.pddl.formulas import And, Atom, Exists, Forall, Not, Or, When, conjuncts
from unpuzzle.pddl.normal_form.invariants import Invariant, Invariants, Schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from unpuzzle.pddl.declarations import Action, Domain
    from unpuzzle.pddl.formulas import Condition, TypedName
    from unpuzzle.pddl.semantics import Semantics

    Scope = Mapping[str, Collection[str]]  # the objects that a variable may stand for

TRUE, FALSE = And(), Or()


def with_false_conditions(semantics: Semantics) -> Domain:
    """Return the domain of a task, with conditions that are never true replaced by `(or)`."""
    domain, growing = semantics.task.domain, set[str]()
    while True:
        evaluation = _Evaluation(semantics, growing)
        actions = tuple([evaluation.action(each) for each in domain.actions])
        schemas = [Schema(each) for each in actions]
        adds = [each for schema in schemas for each in schema.adds if schema.settled({}, each) is not None]
        rules = [each for each in domain.axioms if evaluation.condition(each.body, each.head.parameters) != FALSE]
        more = {effect.atom.predicate for effect in adds} | {rule.head.name for rule in rules}
        if more <= growing:
            return domain.replace(actions=actions)
        growing |= more


def invariants_of_task(semantics: Semantics, of_domain: Invariants) -> list[Invariant]:
    """Return the invariants of a domain, and those that hold for this problem alone."""
    domain, types = semantics.task.domain, semantics.types
    if any(len(each.types) > 1 for each in (*domain.constants, *semantics.task.problem.objects)):
        of_domain = Invariants(domain, types.tick, types)
    own = Invariants(with_false_conditions(semantics), types.tick, types)
    return list(dict.fromkeys([*of_domain.proved, *own.proved]))


class _Evaluation:
    def __init__(self, semantics: Semantics, growing: Collection[str]) -> None:
        self._types = semantics.types
        self._growing = growing
        self._world = semantics.world(semantics.initial)

    def condition(self, condition: Condition, parameters: Sequence[TypedName]) -> Condition:
        scope: dict[str, Collection[str]] = {**self._types.domains(parameters)}
        for part in conjuncts(condition):
            facts = self._facts(part, scope) if isinstance(part, Atom) else None
            if facts is not None:
                scope |= {term: {objects[place] for objects in facts} for place, term in enumerate(part.arguments)}
        possible: Condition = self._condition(condition, scope) if all(scope.values()) else FALSE
        return possible

    def action(self, action: Action) -> Action:
        scope = self._types.domains(action.parameters)
        precondition = self.condition(action.precondition, action.parameters)
        return action.replace(precondition=precondition, effect=self._effect(action.effect, scope))

    def _condition(self, condition: Any, scope: Scope) -> Any:
        if isinstance(condition, Atom):
            return FALSE if self._facts(condition, scope) == [] else condition
        if isinstance(condition, Exists | Forall):
            scope = {**scope, **self._types.domains(condition.parameters)}
        result = condition.rebuilt([self._condition(part, scope) for part in condition.children()])
        return TRUE if result == Not(FALSE) else result

    def _facts(self, atom: Atom, scope: Scope) -> list[tuple[str, ...]] | None:
        """Return the arguments of all facts that an atom may ever stand for; None if these may become more."""
        if atom.predicate in ("=", *self._growing):
            return None
        domains = [frozenset(scope.get(term, (term,))) for term in atom.arguments]
        return [
            objects
            for objects in self._world.facts(atom.predicate).tuples
            if all(name in domain for name, domain in zip(objects, domains, strict=True))
        ]

    def _effect(self, effect: Any, scope: Scope) -> Any:
        if isinstance(effect, When):
            return effect.replace(
                condition=self._condition(effect.condition, scope), effect=self._effect(effect.effect, scope)
            )
        if isinstance(effect, Forall):
            inner = self._types.domains(effect.parameters)
            return effect.replace(body=self._effect(effect.body, {**scope, **inner})) if all(inner.values()) else TRUE
        operands = [self._effect(part, scope) for part in effect.operands] if isinstance(effect, And) else None
        return effect if operands is None else effect.rebuilt(operands)
