"""Which ground actions a schema has: those whose static preconditions hold, found by the reference's own join.

Nothing is said about whether they can ever be applied; whoever tests them tests the whole precondition. A schema whose
static atoms leave too much open has no list of instances: `expected` says beforehand how many there may be.
"""

from __future__ import annotations

from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, Imply, Not, Or
from unpuzzle.pddl.query import Query

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from unpuzzle.pddl.nodes import Action, Condition
    from unpuzzle.pddl.types import Types
    from unpuzzle.pddl.world import Relation, World


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """What a condition is a conjunction of."""
    if isinstance(condition, And):
        for operand in condition.operands:
            yield from conjuncts(operand)
    else:
        yield condition


def instances(
    schema: Action, types: Types, world: World, sizes: Mapping[str, int], static: Callable[[str], bool]
) -> list[tuple[str, ...]]:
    """The arguments of a schema with which all conjuncts that are `static` hold in a world, in the order of objects."""
    parts = tuple([part for part in conjuncts(schema.precondition) if all(map(static, predicates(part)))])
    names, order = [parameter.name for parameter in schema.parameters], types.order
    answers = Query(schema.parameters, And(parts), types, sizes).answers(world)
    found = {tuple([binding[name] for name in names]) for binding in answers}
    return sorted(found, key=lambda arguments: [order[name] for name in arguments])


def predicates(condition: Condition) -> Iterator[str]:
    """The predicates that a condition mentions."""
    if isinstance(condition, Atom):
        yield condition.predicate
    elif isinstance(condition, Not):
        yield from predicates(condition.operand)
    elif isinstance(condition, And | Or):
        for operand in condition.operands:
            yield from predicates(operand)
    elif isinstance(condition, Imply):
        yield from predicates(condition.premise)
        yield from predicates(condition.conclusion)
    elif isinstance(condition, Exists | Forall):
        yield from predicates(condition.body)


def expected(schema: Action, types: Types, statics: Mapping[str, Relation], fluents: Collection[str]) -> float:
    """About how many instances a schema has: each variable in turn is bound by what leaves the fewest values for it."""
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
    """How many atoms of a relation agree, on average, with one of them in what is bound already."""
    places = [place for place, term in enumerate(atom.arguments) if term not in unbound]
    values = {tuple([arguments[place] for place in places]) for arguments in relation.tuples}
    return len(relation.tuples) / max(len(values), 1)
