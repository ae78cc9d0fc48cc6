"""Dependencies between derived predicates, and cycles through negations.

The meaning of axioms is computed stratum by stratum (Apt, Blair and Walker 1988): a derived predicate must be complete
before a rule may use its negation. If `p` needs `not q` and `q` needs `p`, no such order exists.
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.base.distances import distances
from unpuzzle.pddl.declarations import Axiom, Domain
from unpuzzle.pddl.formulas import Atom, Condition, Imply, Not


def atoms(condition: Condition, positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """Yield the atoms of a condition, each with False if it is negated an odd number of times, else True."""
    if isinstance(condition, Atom):
        yield condition, positive
    elif isinstance(condition, Imply):
        yield from atoms(condition.premise, not positive)
        yield from atoms(condition.conclusion, positive)
    else:
        for part in condition.children():
            yield from atoms(part, positive != isinstance(condition, Not))


def closures(domain: Domain) -> dict[str, frozenset[str]]:
    """Return, for each derived predicate, the derived predicates on which it depends, directly or indirectly."""
    direct: dict[str, set[str]] = {axiom.head.name: set() for axiom in domain.axioms}
    for axiom in domain.axioms:
        direct[axiom.head.name].update(atom.predicate for atom, _ in atoms(axiom.body) if atom.predicate in direct)
    return {name: frozenset(distances(direct[name], direct.__getitem__)) for name in direct}


def strata(domain: Domain) -> list[frozenset[str]]:
    """Return the strata (groups of derived predicates) in evaluation order; the domain must have passed `names`."""
    # If p depends on q, then q's closure is smaller than p's, or the two depend on each other and are one group.
    groups: dict[frozenset[str], list[str]] = {}
    for name, closure in closures(domain).items():
        groups.setdefault(closure | {name}, []).append(name)
    return [frozenset(groups[names]) for names in sorted(groups, key=len)]


def way(domain: Domain, start: str, goal: str) -> list[str]:
    """Return a shortest chain of derived predicates from `start` to `goal`, each depending on the next."""
    before: dict[str, str] = {}
    queue = [start]
    for name in queue:
        for axiom in domain.axioms:
            for atom, _ in atoms(axiom.body) if axiom.head.name == name else ():
                if atom.predicate not in before:
                    before[atom.predicate] = name
                    queue.append(atom.predicate)
    names = [goal]
    while names[-1] != start or len(names) == 1:
        names.append(before[names[-1]])
    return names[::-1]


def negative_cycles(domain: Domain) -> Iterator[tuple[Axiom, Atom]]:
    """Yield each negated atom in an axiom if its predicate depends on the head of the same axiom."""
    reached = closures(domain)
    for axiom in domain.axioms:
        head = axiom.head.name
        for atom, positive in atoms(axiom.body):
            if not positive and (atom.predicate == head or head in reached.get(atom.predicate, ())):
                yield axiom, atom
