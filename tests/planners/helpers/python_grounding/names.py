"""Small questions about names: of predicates, of variables in atoms, of the objects of a type."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.pddl.nodes import Domain, Task

    from .conditions import NamedAtom, Scope
    from .joins import Pattern


def predicate_names(domain: Domain) -> list[str]:
    """The predicates in the order of their declaration."""
    return list(dict.fromkeys([p.name for p in (*domain.predicates, *(axiom.head for axiom in domain.axioms))]))


def binding_in(scope: Scope, renamed: dict[str, str]) -> dict[str, str]:
    return {name: renamed[new] for name, new in scope.items() if new in renamed}


def pattern_of(atom: NamedAtom, slots: dict[str, int]) -> Pattern:
    return atom[0], tuple([slots.get(term, term) for term in atom[1]])


def objects_by_type(task: Task) -> dict[str, dict[str, None]]:
    """The objects of each type and of its subtypes, in the order of the text, constants first."""
    parents: dict[str, set[str]] = {}
    for declared in task.domain.types:
        parents.setdefault(declared.name, set()).update(declared.types)
    result: dict[str, dict[str, None]] = {"object": {}}
    for item in (*task.domain.constants, *task.problem.objects):
        pending, seen = list(item.types), {"object"}
        while pending:
            name = pending.pop()
            if name not in seen:
                seen.add(name)
                pending.extend(parents.get(name, ()))
        for name in seen:
            result.setdefault(name, {})[item.name] = None
    return result
