"""A task in the PDDL dialect of unified-planning, and the translation of its plans back into the task's names.

unified-planning allows fewer names than PDDL: it refuses or renames `1-1`, `when`, and one name for things of two
kinds. So every type, predicate, function, object and action is renamed here to a unique plain name, and plans are
translated back by the same table. Everything else keeps its meaning:

- a variable that hides another one gets another name;
- a parameter that occurs twice becomes two parameters and, in an action, a condition that they are equal (in a
  quantifier, the second hides the first);
- `(either a b)` becomes `object` and a condition; so do all types then, for the reader insists that they fit;
- nested effects become a list of single ones, each with its own quantifier and condition; one without any is dropped;
- several costs of an action become their sum; without a metric, costs are dropped, since nothing needs them.

Derived predicates, and sums of costs that are not plain numbers, cannot be expressed, and are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from unpuzzle.exchange.forms import TOTAL
from unpuzzle.exchange.translation import PlainNames, Renamed
from unpuzzle.pddl.costs import amounts, increases
from unpuzzle.pddl.declarations import Action, Domain, Predicate
from unpuzzle.pddl.formulas import And, Atom, Condition, Increase, conjunction
from unpuzzle.pddl.nodes import OBJECT, GroundAction, Task, TypedName
from unpuzzle.pddl.normal_form.rewriting import restricted, typed_names
from unpuzzle.pddl.normal_form.single_effects import SingleEffect, single_effects
from unpuzzle.pddl.normal_form.substitution import substituted, unused
from unpuzzle.pddl.reading.complaints import unsupported
from unpuzzle.pddl.world import Types


class Dialect:
    """A task in unified-planning's dialect, `task`, and the translation of plans back; no costs if `costs` is False.

    Raises UnsupportedFeature for features that unified-planning cannot read.
    """

    def __init__(self, task: Task, costs: bool = True) -> None:
        domain, problem = task.domain, task.problem
        if domain.axioms:
            message = "unified-planning does not read derived predicates"
            raise unsupported(message, ":derived-predicates", domain.axioms[0].span)
        self._costs = costs and problem.metric is not None
        several = any(len(each.types) > 1 for each in (*domain.types, *typed_names(task)))
        parameters = [[each.name for each in action.parameters] for action in domain.actions]
        self._untyped = several or any(len(set(names)) < len(names) for names in parameters)
        self._members: dict[Any, None] = {}  # the types that a predicate represents
        actions = tuple(filter(None, map(self._action, domain.actions)))
        goal, types = restricted(substituted(problem.goal, {}), self._guards), Types(task)
        changed: Domain = domain.replace(
            name="d",
            types=() if self._untyped else domain.types,
            predicates=(*domain.predicates, *(Predicate(member, (TypedName("?x"),)) for member in self._members)),
            functions=domain.functions if self._costs else (),
            actions=actions,
        )
        facts = [Atom(member, (name,)) for member in self._members for name in types.members(member)]
        values, metric = (problem.values, problem.metric) if self._costs else ((), None)
        self._renamed = Renamed(
            changed,
            problem.replace(name="p", init=(*problem.init, *facts), values=values, goal=goal, metric=metric),
            PlainNames(),
            _text,
        )
        self.task: Task = self._renamed.task

    def back(self, name: str, arguments: Iterable[str]) -> GroundAction:
        """Return a step of a plan in the task's original names. Raises KeyError for unknown names."""
        return GroundAction(*self._renamed.back(GroundAction(name, tuple(arguments))))

    def _guards(self, parameters: Sequence[TypedName]) -> tuple[Atom, ...]:
        """Return the conditions that replace the types of variables."""
        typed = [each for each in parameters if each.types != OBJECT] if self._untyped else []
        self._members |= dict.fromkeys(each.types for each in typed)
        return tuple(Atom(each.types, (each.name,)) for each in typed)  # type: ignore[arg-type]

    def _action(self, action: Action) -> Action | None:
        """Return the action in the dialect, or None if the action changes nothing."""
        effects = [self._effect(each) for each in single_effects(action)]
        if not effects:
            return None
        scope = {each.name: each.name for each in action.parameters}
        single: dict[str, TypedName] = {}
        equal: list[Condition] = []
        for each in action.parameters:
            name = unused(each.name, {*scope, *single}) if each.name in single else each.name
            single[name] = each.replace(name=name)
            equal += [Atom("=", (each.name, name))] if name != each.name else []
        parameters = tuple(single.values())
        guards, precondition = self._guards(parameters), substituted(action.precondition, scope)
        condition = conjunction((*guards, *equal, restricted(precondition, self._guards)))
        return Action(action.name, parameters, condition, And((*effects, *self._cost(action))))

    def _cost(self, action: Action) -> list[Increase]:
        parts, costs = amounts(action), increases(action)
        if self._costs and len(parts) > 1:
            message = f"unified-planning reads one cost of an action; '{action.name}' has {len(costs)}"
            raise unsupported(message, "several costs of an action", costs[1].span)
        return [Increase(TOTAL, part) for part in parts if self._costs]

    def _effect(self, effect: SingleEffect) -> Any:
        guards = self._guards(effect.parameters)
        conditions = [restricted(each, self._guards) for each in effect.conditions]
        return effect.replace(conditions=(*conditions, *guards)).formula


def _text(key: Any) -> str:
    """Return a name without `?`; for a tuple of types, the name of the predicate that represents these types."""
    return key.removeprefix("?") if isinstance(key, str) else "is_" + "_or_".join(key)
