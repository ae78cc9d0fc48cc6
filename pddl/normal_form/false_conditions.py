"""Find conditions of a domain that are false in all states of a problem, by its objects and the facts of its start.

    :precondition (and (at ?x) (bridge ?x ?y))     without any bridge, it is (and (at ?x) (or)): never true

A fact is never true if its predicate is true of no such objects at the start, and no action that may be applied adds
facts of the predicate.
"""

from __future__ import annotations

from unpuzzle.pddl.formulas import And, Atom, Exists, Forall, Not, Or, When, conjuncts
from unpuzzle.pddl.normal_form.invariants import Invariant, Invariants
from unpuzzle.pddl.normal_form.single_effects import SingleEffect, single_effects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from unpuzzle.pddl.declarations import Action, Domain
    from unpuzzle.pddl.formulas import Condition, TypedName
    from unpuzzle.pddl.semantics import Semantics

    Scope = Mapping[str, Collection[str]]  # the objects that a variable may stand for

TRUE, FALSE = And(), Or()


def invariants_of_task(semantics: Semantics, of_domain: Invariants) -> list[Invariant]:
    """Return the invariants of a domain, and those that hold for this problem alone."""
    task, types = semantics.task, semantics.types
    if any(len(each.types) > 1 for each in (*task.domain.constants, *task.problem.objects)):
        of_domain = Invariants(task.domain, types.tick, types)
    own = with_false_conditions(semantics)
    more = Invariants(own, types.tick, types).proved if own.actions != task.domain.actions else ()
    return list(dict.fromkeys([*of_domain.proved, *more]))


def with_false_conditions(semantics: Semantics) -> Domain:
    """Return the domain of a task, with conditions that are never true replaced by `(or)`."""
    domain, growing = semantics.task.domain, set[str]()
    adds = [(action, [each for each in single_effects(action) if each.adds]) for action in domain.actions]
    while True:
        evaluation = _Evaluation(semantics, growing)
        more = {name for action, effects in adds for name in evaluation.added(action, effects)}
        rules = [rule for rule in domain.axioms if rule.head.name not in growing]
        more |= {rule.head.name for rule in rules if evaluation.may_hold(rule.head.parameters, rule.body)}
        if not more:
            return domain.replace(actions=tuple(map(evaluation.action, domain.actions)))
        growing |= more


class _Evaluation:
    """The conditions that are false if only facts of some predicates become more than at the start."""

    def __init__(self, semantics: Semantics, growing: Collection[str]) -> None:
        self._types = semantics.types
        self._growing = growing
        self._world = semantics.world(semantics.initial)

    def may_hold(self, parameters: Sequence[TypedName], *conditions: Condition) -> bool:
        """Return whether all of some conditions may be true for some objects."""
        return FALSE not in conjuncts(self._conjunction(And(conditions), parameters))

    def added(self, action: Action, effects: Iterable[SingleEffect]) -> Iterator[str]:
        """Yield the predicates that may grow by some effects of an action, besides those that are known to."""
        effects = [each for each in effects if each.atom.predicate not in self._growing]
        if effects and self.may_hold(action.parameters, action.precondition):
            for each in effects:
                parameters = (*action.parameters, *each.parameters)
                if not each.conditions or self.may_hold(parameters, action.precondition, *each.conditions):
                    yield each.atom.predicate

    def action(self, action: Action) -> Action:
        precondition = self._conjunction(action.precondition, action.parameters)
        effect = self._evaluated(action.effect, self._types.domains(action.parameters), effect=True)
        return action.replace(precondition=precondition, effect=effect)

    def _conjunction(self, condition: Condition, parameters: Sequence[TypedName]) -> Condition:
        """Return a condition with its false parts replaced; each of its atoms narrows down what variables stand for."""
        scope: dict[str, Collection[str]] = {**self._types.domains(parameters)}
        for part in conjuncts(condition):
            facts = self._facts(part, scope) if isinstance(part, Atom) else None
            if facts is not None:
                scope |= {term: {objects[place] for objects in facts} for place, term in enumerate(part.arguments)}
        possible: Condition = self._evaluated(condition, scope) if all(scope.values()) else FALSE
        return possible

    def _evaluated(self, formula: Any, scope: Scope, effect: bool = False) -> Any:
        """Return a condition, or an effect, with its false conditions replaced."""
        if isinstance(formula, Atom):
            return formula if effect or self._facts(formula, scope) != [] else FALSE
        if isinstance(formula, Exists | Forall):
            scope = {**scope, **self._types.domains(formula.parameters)}
        parts = formula.children()
        kinds = (False, effect) if isinstance(formula, When) else (effect,) * len(parts)
        found = [self._evaluated(part, scope, kind) for part, kind in zip(parts, kinds, strict=True)]
        if all(new is old for new, old in zip(found, parts, strict=True)):
            return formula
        return TRUE if found == [FALSE] and isinstance(formula, Not) else formula.rebuilt(found)

    def _facts(self, atom: Atom, scope: Scope) -> list[tuple[str, ...]] | None:
        """Return the arguments of all facts that an atom may ever stand for; None if these may become more."""
        if atom.predicate in ("=", *self._growing):
            return None
        domains = [scope.get(term, (term,)) for term in atom.arguments]
        return [
            objects
            for objects in self._world.facts(atom.predicate).tuples
            if all(name in domain for name, domain in zip(objects, domains, strict=True))
        ]
