"""Find the objects that each argument of a predicate can have, from types and preconditions.

    (at ?ball ?room) is added by an action with the precondition (room ?room): only rooms are possible there

So domains without types are treated as well as typed ones. Only static facts are used: then all problems of a level,
which differ in their first states, have the same picture. A first state may contain more than actions ever add.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from unpuzzle.pddl.declarations import Action
from unpuzzle.pddl.formulas import Atom, Condition, Exists, conjuncts
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.normal_form.single_effects import single_effects
from unpuzzle.pddl.world import Types

Objects = frozenset[str]
Place = tuple[str, int]
"""A predicate and the number of an argument."""


def possible_arguments(task: Task, types: Types, static: Collection[str]) -> Mapping[Place, Objects]:
    """Return the possible objects for each argument of a predicate; `static` are the static predicates."""
    found: dict[Place, set[str]] = {}
    for atom in task.problem.init:
        for place, name in enumerate(atom.arguments if atom.predicate in static else ()):
            found.setdefault((atom.predicate, place), set()).add(name)
    added = [(action, each) for action in task.domain.actions for each in single_effects(action) if each.adds]
    set_by_actions = {each.atom.predicate for _, each in added}
    for predicate in task.domain.predicates:  # derived predicates, and those that are only deleted, are not analysed
        if predicate.name not in set_by_actions and predicate.name not in static:
            for place, parameter in enumerate(predicate.parameters):
                found[predicate.name, place] = set(types.members(parameter.types))
    known = {place: frozenset(names) for place, names in found.items()}
    for action, each in added:
        inner = {item.name: item.types for item in each.parameters}
        for place, term in enumerate(each.atom.arguments):
            found.setdefault((each.atom.predicate, place), set()).update(_values(term, action, inner, known, types))
    return {place: frozenset(names) for place, names in found.items()}


def _values(
    term: str, action: Action, inner: Mapping[str, tuple[str, ...]], known: Mapping[Place, Objects], types: Types
) -> set[str]:
    """Return the possible objects of a term in an effect, by types and static preconditions."""
    if not term.startswith("?"):
        return {term}
    if term in inner:
        return set(types.members(inner[term]))
    values = set(types.domains(action.parameters).get(term, ()))
    for atom in _asked(action.precondition):
        for place, name in enumerate(atom.arguments):
            if name == term and (atom.predicate, place) in known:
                values &= known[atom.predicate, place]
    return values


def _asked(condition: Condition) -> Iterator[Atom]:
    """Yield atoms that are implied by a condition."""
    for part in conjuncts(condition):
        if isinstance(part, Atom):
            yield part
        elif isinstance(part, Exists):  # its own variables hide those outside
            names = {item.name for item in part.parameters}
            yield from (atom for atom in _asked(part.body) if names.isdisjoint(atom.arguments))
