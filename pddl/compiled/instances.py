"""The ground actions of a schema: those whose static preconditions hold, by the reference's own join.

Perhaps they can never be applied: each state tests their whole precondition. A schema whose static atoms leave too much
open is not listed: `expected` estimates the number beforehand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unpuzzle.pddl.formulas import conjuncts, walk
from unpuzzle.pddl.nodes import And, Atom
from unpuzzle.pddl.query import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from unpuzzle.pddl.nodes import Action, Condition
    from unpuzzle.pddl.types import Types
    from unpuzzle.pddl.world import Relation, World


def instances(
    schema: Action, types: Types, world: World, known: Mapping[str, Relation], static: Callable[[str], bool]
) -> list[tuple[str, ...]]:
    """Return the arguments for which all static conjuncts of a schema hold in a world, in the order of objects."""
    parts = tuple([part for part in conjuncts(schema.precondition) if all(map(static, predicates(part)))])
    names, order = [parameter.name for parameter in schema.parameters], types.order
    answers = Query(schema.parameters, And(parts), types, known).answers(world)
    arguments_of = {tuple([binding[name] for name in names]) for binding in answers}
    return sorted(arguments_of, key=lambda arguments: [order[name] for name in arguments])


def predicates(condition: Condition) -> Iterator[str]:
    """Return the predicates in a condition."""
    return (part.predicate for part in walk(condition) if isinstance(part, Atom))


def expected(schema: Action, types: Types, statics: Mapping[str, Relation], fluents: Collection[str]) -> float:
    """Estimate the number of a schema's instances, each variable bound by the atom that leaves the fewest values."""
    unbound = {name: float(len(objects)) for name, objects in types.domains(schema.parameters).items()}
    atoms = [part for part in conjuncts(schema.precondition) if isinstance(part, Atom)]
    atoms = [atom for atom in atoms if atom.predicate != "=" and atom.predicate not in fluents]
    if not all(atom.predicate in statics for atom in atoms):
        return 0.0
    number = 1.0
    while unbound:
        variable = min(unbound, key=lambda name: unbound[name])
        choices = [(unbound[variable], {variable})]
        for atom in atoms:
            if new := unbound.keys() & atom.arguments:
                choices.append((_fan_out(atom, statics[atom.predicate], unbound), new))
        factor, bound = min(choices, key=lambda choice: choice[0])
        number *= factor
        for name in bound:
            del unbound[name]
    return number


def _fan_out(atom: Atom, relation: Relation, unbound: Mapping[str, float]) -> float:
    """Return how many tuples of a relation agree, on average, with one of them in the bound places."""
    return relation.expected(tuple([place for place, term in enumerate(atom.arguments) if term not in unbound]))
