"""The normal form of domains and problems, and the hierarchy of types.

`parse(write(x)) == x` holds for all domains and problems that were read, and for ones made in Python in this form:

- `total-cost` is never among `Domain.functions`, and its initial value 0 never among `Problem.values`;
- an effect that is only `(increase ...)` is inside an `and`, as Fast Downward needs it;
- every type that is used as a parent is declared (without a parent of its own, if the text does not declare it), and
  `object` is not; a type that is declared several times has all of its parents; parents come before their children;
- a name that is declared twice in the same way is declared once; an object that is also a constant is a constant;
- a problem that is read together with its domain has the domain's name.
"""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.base.distances import distances
from unpuzzle.base.run import within_limits
from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.features import TOTAL_COST
from unpuzzle.pddl.formulas import OBJECT, TypedName


def type_names(domain: Domain) -> frozenset[str]:
    """Return all types: declared types, types that are only used as a parent, and `object`."""
    return frozenset(("object", *(name for item in domain.types for name in (item.name, *item.types))))


def type_parents(domain: Domain) -> dict[str, tuple[str, ...]]:
    """Return the parents of each declared type; repeated declarations of a type are merged."""
    parents: dict[str, tuple[str, ...]] = {}
    for item in domain.types:
        before = parents.get(item.name, ())
        parents[item.name] = tuple(dict.fromkeys((*before, *item.types)))
    return parents


def ancestors(types: Iterable[str], parents: dict[str, tuple[str, ...]]) -> set[str]:
    """Return types and all their ancestors; the parents may form cycles."""
    return set(distances(types, lambda name: parents.get(name, ())))


def folded_domain(domain: Domain) -> Domain:
    return domain.replace(
        types=_folded_types(domain),
        constants=_folded(domain.constants),
        predicates=_folded(domain.predicates),
        functions=tuple([function for function in _folded(domain.functions) if function.name != TOTAL_COST]),
    )


def folded_problem(problem: Problem, domain: Domain | None) -> Problem:
    constants = {constant.name for constant in domain.constants} if domain else set()
    objects = within_limits(_folded(problem.objects))
    return problem.replace(
        domain_name=domain.name if domain else problem.domain_name,
        objects=tuple([item for item in objects if item.name not in constants]),
        values=tuple([value for value in problem.values if value.term.function != TOTAL_COST]),
    )


def _folded_types(domain: Domain) -> tuple[TypedName, ...]:
    """Return all types but `object`: first declared types, then types that are only used as a parent."""
    parents = type_parents(domain)
    spans = {item.name: item.span for item in reversed(domain.types)}
    types = []
    for name in dict.fromkeys((*parents, *(name for above in parents.values() for name in above))):
        if name != "object":
            above = tuple([parent for parent in parents.get(name, ()) if parent != "object"]) or OBJECT
            types.append(TypedName(name, above, span=spans.get(name)))
    return parents_first(tuple(types))


def parents_first(types: tuple[TypedName, ...]) -> tuple[TypedName, ...]:
    """Return types in their order, but with parents before children, because some PDDL readers require this."""
    waiting = {item.name: item for item in types}
    begun: dict[str, TypedName] = {}
    ordered: dict[str, TypedName] = {}
    path = [item.name for item in reversed(types)]  # no recursion: a chain of types may be long
    while path:
        item = waiting.pop(path[-1], None)
        if item is not None:
            begun[item.name] = item
            path.extend(reversed(item.types))
        else:
            name = path.pop()
            if name in begun:
                ordered.setdefault(name, begun[name])
    return tuple(ordered.values())


def _folded(declared: tuple[Any, ...]) -> tuple[Any, ...]:
    first: dict[str, Any] = {}
    for node in within_limits(declared):
        first.setdefault(node.name, node)
    return declared if len(first) == len(declared) else tuple(first.values())
