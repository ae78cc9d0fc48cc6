"""Derived predicates: strata, and their evaluation in a state.

A derived atom is true exactly if an axiom makes it so. Axioms may be recursive, but not through a negation: then "p
unless p" would have no meaning. So the derived predicates are put into *strata*: p and q share one if each depends on
the other, and a stratum comes after all that it depends on. They are evaluated in that order, each to its least
fixpoint; what a stratum negates is complete by then (Thiébaux, Hoffmann, Nebel: In Defense of PDDL Axioms, 2005).
"""

from __future__ import annotations

from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, Imply, Not, Or
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.trouble import parse_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unpuzzle.pddl.nodes import Axiom, Condition
    from unpuzzle.pddl.types import Types
    from unpuzzle.pddl.world import World


class Axioms:
    """The axioms of a domain, ready to complete worlds. Raises ParseError if there are no strata."""

    __slots__ = ("_strata", "strata")

    def __init__(self, axioms: Sequence[Axiom], types: Types, sizes: Mapping[str, int]) -> None:
        self.strata = strata(axioms)
        self._strata = [
            [_Rule(axiom, types, sizes) for axiom in axioms if axiom.head.name in names] for names in self.strata
        ]

    def complete(self, world: World) -> None:
        """Add all derived atoms that are true in `world`."""
        for rules in self._strata:
            growing = True
            while growing:
                growing = False
                for rule in rules:
                    growing |= rule.fire(world)


class _Rule:
    __slots__ = ("predicate", "query", "variables")

    def __init__(self, axiom: Axiom, types: Types, sizes: Mapping[str, int]) -> None:
        self.predicate = axiom.head.name
        self.variables = tuple(parameter.name for parameter in axiom.head.parameters)
        self.query = Query(axiom.head.parameters, axiom.body, types, sizes)

    def fire(self, world: World) -> bool:
        """Add the heads that follow; False if there are no new ones."""
        heads = {tuple([binding[variable] for variable in self.variables]) for binding in self.query.answers(world)}
        new = heads - world.relation(self.predicate).tuples
        world.add(self.predicate, new)
        return bool(new)


def strata(axioms: Sequence[Axiom]) -> list[frozenset[str]]:
    """The derived predicates in groups, in the order of evaluation."""
    direct: dict[str, set[str]] = {axiom.head.name: set() for axiom in axioms}
    for axiom in axioms:
        direct[axiom.head.name].update(atom.predicate for atom, _ in _atoms(axiom.body) if atom.predicate in direct)
    below = {name: _closure(name, direct) for name in direct}
    for axiom in axioms:
        for atom, positive in _atoms(axiom.body):
            if not positive and axiom.head.name in below.get(atom.predicate, ()):
                message = f"'{axiom.head.name}' depends on its own negation, through '{atom.predicate}'"
                raise parse_error(message, atom.span or axiom.span)
    # What p depends on has a smaller closure than p, unless it depends on p as well: then the two are equal.
    groups: dict[frozenset[str], list[str]] = {}
    for name, names in below.items():
        groups.setdefault(names, []).append(name)
    return [frozenset(groups[names]) for names in sorted(groups, key=len)]


def _closure(name: str, direct: Mapping[str, set[str]]) -> frozenset[str]:
    """`name` and all derived predicates that it depends on."""
    found, waiting = {name}, [name]
    while waiting:
        new = direct[waiting.pop()] - found
        found |= new
        waiting.extend(new)
    return frozenset(found)


def _atoms(condition: Condition, positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """Every atom of a condition, with False if it stands under an odd number of negations."""
    if isinstance(condition, Atom):
        yield condition, positive
    elif isinstance(condition, Not):
        yield from _atoms(condition.operand, not positive)
    elif isinstance(condition, And | Or):
        for operand in condition.operands:
            yield from _atoms(operand, positive)
    elif isinstance(condition, Imply):
        yield from _atoms(condition.premise, not positive)
        yield from _atoms(condition.conclusion, positive)
    elif isinstance(condition, Exists | Forall):
        yield from _atoms(condition.body, positive)
