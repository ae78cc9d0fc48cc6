"""Functions that rewrite effects and conditions part by part, and that find the declarations in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.declarations import Domain
from unpuzzle.pddl.formulas import And, Atom, Condition, Effect, Exists, Forall, Imply, TypedName, When, effects
from unpuzzle.pddl.node import Node

Guards = Callable[[Sequence[TypedName]], tuple[Atom, ...]]
"""A function from variables to conditions on the objects that they stand for."""


def _same(part: Any) -> Any:
    return part


def rewritten(effect: Effect, condition: Callable[[Any], Any] = _same, single: Callable[[Any], Any] = _same) -> Any:
    """Return an effect with conditions replaced by `condition`, and with literals and costs replaced by `single`."""
    if isinstance(effect, When):
        return When(condition(effect.condition), rewritten(effect.effect, condition, single), span=effect.span)
    if isinstance(effect, And | Forall):
        return effect.rebuilt([rewritten(part, condition, single) for part in effect.children()])
    return single(effect)


def restricted(condition: Condition, guards: Guards) -> Any:
    """Return a condition with each quantifier restricted to objects that satisfy the guard conditions."""
    own = guards(condition.parameters) if isinstance(condition, Exists | Forall) else ()
    rebuilt: Any = condition.rebuilt([restricted(part, guards) for part in condition.children()])
    if not own:
        return rebuilt
    body = And((*own, rebuilt.body)) if isinstance(rebuilt, Exists) else Imply(And(own), rebuilt.body)
    return rebuilt.replace(body=body)


def restricted_effect(effect: Effect, guards: Guards) -> Any:
    """Return an effect with each quantifier restricted to objects that satisfy the guard conditions."""
    if isinstance(effect, When):
        return When(restricted(effect.condition, guards), restricted_effect(effect.effect, guards))
    own = guards(effect.parameters) if isinstance(effect, Forall) else ()
    rebuilt: Any = effect.rebuilt([restricted_effect(part, guards) for part in effect.children()])
    return rebuilt.replace(body=When(And(own), rebuilt.body)) if own else rebuilt


def fluent_predicates(domain: Domain) -> frozenset[str]:
    """Return the predicates of all atoms that actions may change."""
    parts = [part for action in domain.actions for part in effects(action.effect)]
    return frozenset(part.predicate for part in parts if isinstance(part, Atom))


def typed_names(*parts: Any) -> Iterator[TypedName]:
    """Yield the objects and variables that are declared in nodes, or in tuples of nodes, each with its types."""
    for part in parts:
        if isinstance(part, TypedName):
            yield part
        elif isinstance(part, tuple):
            yield from typed_names(*part)
        elif isinstance(part, Node) and not isinstance(part, Atom):
            yield from typed_names(*[getattr(part, name) for name in part._fields if name != "types"])
