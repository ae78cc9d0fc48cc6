"""Which derived predicates depend on which, and whether any depends on its own negation.

The meaning of axioms is computed stratum by stratum (Apt, Blair and Walker 1988): where a rule uses a derived predicate
negatively, that one must be complete before. If `p` needs `not q` and `q` needs `p`, no such order exists.
"""

from __future__ import annotations

from unpuzzle.pddl.formulas import Atom, Imply, Not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from unpuzzle.pddl.declarations import Axiom, Domain
    from unpuzzle.pddl.formulas import Condition


def atoms(condition: Condition, positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """The atoms of a condition, each with whether it is used positively once negations are pushed inwards."""
    if isinstance(condition, Atom):
        yield condition, positive
    elif isinstance(condition, Imply):
        yield from atoms(condition.premise, not positive)
        yield from atoms(condition.conclusion, positive)
    else:
        for part in condition.children():
            yield from atoms(part, positive != isinstance(condition, Not))


def negative_cycles(domain: Domain) -> Iterator[tuple[Axiom, Atom]]:
    """Each negatively used atom whose predicate depends on the head that it is used for."""
    reached = {axiom.head.name: set[str]() for axiom in domain.axioms}
    for axiom in domain.axioms:
        reached[axiom.head.name].update(atom.predicate for atom, _ in atoms(axiom.body) if atom.predicate in reached)
    _close(reached)
    for axiom in domain.axioms:
        head = axiom.head.name
        for atom, positive in atoms(axiom.body):
            if not positive and (atom.predicate == head or head in reached.get(atom.predicate, ())):
                yield axiom, atom


def _close(reached: dict[str, set[str]]) -> None:
    """The transitive closure (Warshall 1962)."""
    for middle, beyond in reached.items():
        for ends in reached.values():
            if middle in ends:
                ends.update(beyond)
