"""Which derived predicates depend on which, and whether any depends on its own negation.

The meaning of axioms is computed stratum by stratum (Apt, Blair and Walker 1988): where a rule uses a derived predicate
negatively, that one must be complete before. If `p` needs `not q` and `q` needs `p`, no such order exists.
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.pddl.declarations import Axiom, Domain
from unpuzzle.pddl.formulas import Atom, Condition, Imply, Not
from unpuzzle.walks import distances


def atoms(condition: Condition, positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """Yield the atoms of a condition, each with False where it is negated an odd number of times."""
    if isinstance(condition, Atom):
        yield condition, positive
    elif isinstance(condition, Imply):
        yield from atoms(condition.premise, not positive)
        yield from atoms(condition.conclusion, positive)
    else:
        for part in condition.children():
            yield from atoms(part, positive != isinstance(condition, Not))


def closures(domain: Domain) -> dict[str, frozenset[str]]:
    """Return, for each derived predicate, all derived predicates that it depends on, directly or not."""
    direct: dict[str, set[str]] = {axiom.head.name: set() for axiom in domain.axioms}
    for axiom in domain.axioms:
        direct[axiom.head.name].update(atom.predicate for atom, _ in atoms(axiom.body) if atom.predicate in direct)
    return {name: frozenset(distances(direct[name], direct.__getitem__)) for name in direct}


def strata(domain: Domain) -> list[frozenset[str]]:
    """Return the derived predicates in groups, in the order of evaluation. There is one: `names` has seen to it."""
    # If p depends on q, then q's closure is smaller than p's, or the two depend on each other and are one group.
    groups: dict[frozenset[str], list[str]] = {}
    for name, closure in closures(domain).items():
        groups.setdefault(closure | {name}, []).append(name)
    return [frozenset(groups[names]) for names in sorted(groups, key=len)]


def way(domain: Domain, start: str, goal: str) -> list[str]:
    """Return derived predicates, each of which the one before depends on, as few as there are from one to another."""
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
    """Yield each negated atom of an axiom whose predicate depends on the head of that axiom."""
    reached = closures(domain)
    for axiom in domain.axioms:
        head = axiom.head.name
        for atom, positive in atoms(axiom.body):
            if not positive and (atom.predicate == head or head in reached.get(atom.predicate, ())):
                yield axiom, atom
