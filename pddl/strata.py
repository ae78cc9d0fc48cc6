"""Which derived predicates depend on which, and whether any depends on its own negation.

The meaning of axioms is computed stratum by stratum (Apt, Blair and Walker 1988): where a rule uses a derived predicate
negatively, that one must be complete before. If `p` needs `not q` and `q` needs `p`, no such order exists.
"""

from __future__ import annotations

from unpuzzle.pddl.nodes import And, Atom, Imply, Not, Or

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from unpuzzle.pddl.nodes import Axiom, Condition, Domain


def atoms(condition: Condition, positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """The atoms of a condition, each with whether it is used positively once negations are pushed inwards."""
    node: Any = condition
    if isinstance(node, Atom):
        yield node, positive
    elif isinstance(node, Not):
        yield from atoms(node.operand, not positive)
    elif isinstance(node, And | Or):
        for operand in node.operands:
            yield from atoms(operand, positive)
    elif isinstance(node, Imply):
        yield from atoms(node.premise, not positive)
        yield from atoms(node.conclusion, positive)
    else:
        yield from atoms(node.body, positive)


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
