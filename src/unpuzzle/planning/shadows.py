"""Predicates that only tell the places without the walker: a walk may change them, and still counts as a walk.

    (:action move   ...  :effect (and (not (at ?p ?from)) (at ?p ?to)  (clear ?from) (not (clear ?to))))

`clear` is a *shadow* of `at` if for each place `c` always exactly one of the atoms `(clear c)`, `(at t1 c)`,
`(at t2 c)` ... holds, or always none. Then it adds no information. That is proved by counting on the action schemas:
every atom that an action deletes at a place was certainly true, and the action adds as many there; the start is checked
as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from unpuzzle.pddl.formulas import Atom, Not, conjuncts, walk
from unpuzzle.pddl.nodes import Action, Domain, Problem

Place = tuple[str, int]  # a predicate, and which of its arguments is the place
Group = frozenset[Place]


def shadows_of(domain: Domain, problem: Problem | None = None) -> dict[Place, str]:
    """Return the shadow of each predicate that has one, by the predicate and its place argument.

    Without a problem, a suitable start is assumed.
    """
    derived = {axiom.head.name for axiom in domain.axioms}
    shadows: dict[Place, set[str]] = {}
    for name in [predicate.name for predicate in domain.predicates if len(predicate.parameters) == 1]:
        group = None if name in derived else _group(name, domain.actions)
        if group is not None and (problem is None or _starts(group, name, problem.init)):
            for place in group - {(name, 0)}:
                shadows.setdefault(place, set()).add(name)
    return {place: names.pop() for place, names in shadows.items() if len(names) == 1}


def _group(name: str, actions: Iterable[Action]) -> Group | None:
    """Return the least group with a predicate such that no action changes the group's size; None if there is none."""
    group: Group | None = frozenset({(name, 0)})
    before = None
    while group is not None and group != before:
        before = group
        for action in actions:
            group = group and _extended(group, action)
    return group


def _extended(group: Group, action: Action) -> Group | None:
    """Return the group with the atoms that an action adds in the places of deleted ones; None if uncertain."""
    effects = list(conjuncts(action.effect))
    added = {effect for effect in effects if isinstance(effect, Atom)}
    deleted = {effect.operand for effect in effects if isinstance(effect, Not) and isinstance(effect.operand, Atom)}
    plain = {*added, *[Not(atom) for atom in deleted]}
    if any(_in(group, part) for effect in effects if effect not in plain for part in walk(effect)):
        return None
    if any(_in(group, atom) and atom not in set(conjuncts(action.precondition)) for atom in deleted):
        return None
    more, less = (Counter(_places(group, atoms)) for atoms in (added, deleted))
    for place in {*more, *less}:
        if more[place] == less[place]:
            continue
        others = added if more[place] < less[place] else deleted
        fits = {(atom.predicate, i) for atom in others for i, term in enumerate(atom.arguments) if term == place}
        fits -= group
        if abs(more[place] - less[place]) != 1 or len(fits) != 1:
            return None
        return group | fits
    return group


def _in(group: Group, part: object) -> bool:
    return isinstance(part, Atom) and any(part.predicate == name for name, _ in group)


def _places(group: Group, atoms: Iterable[Atom]) -> list[str]:
    return [atom.arguments[place] for atom in atoms for name, place in group if atom.predicate == name]


def _starts(group: Group, name: str, init: Iterable[Atom]) -> bool:
    """Return whether each place has one atom of the group, and the predicate is true of several places."""
    atoms = list(init)
    numbers = Counter(_places(group, atoms)).values()
    return all(number == 1 for number in numbers) and sum(atom.predicate == name for atom in atoms) > 1
