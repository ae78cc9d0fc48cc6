"""The layers in which axioms are evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unpuzzle.errors import ParseError
from unpuzzle.pddl.nodes import And, Atom, Axiom, Condition, Imply, Not, Or


def stratify(axioms: Sequence[Axiom]) -> dict[str, int]:
    """Return the layer of each derived predicate: above all that it uses negated, not below anything it uses.

    Raises ParseError where a predicate depends on its own negation.
    """
    uses: dict[str, set[tuple[str, bool]]] = {axiom.head.name: set() for axiom in axioms}
    for axiom in axioms:
        uses[axiom.head.name].update(use for use in _uses(axiom.body, True) if use[0] in uses)
    layers = dict.fromkeys(uses, 0)
    for _ in range(len(layers) + 1):
        changed = False
        for head, used in uses.items():
            least = max((layers[name] + (not positive) for name, positive in used), default=0)
            if least > layers[head]:
                layers[head], changed = least, True
        if not changed:
            return layers
    worst = max(layers, key=lambda name: layers[name])
    raise ParseError(f"the derived predicate '{worst}' depends on its own negation: its rules cannot be stratified")


def _uses(condition: Condition, positive: bool) -> Iterator[tuple[str, bool]]:
    if isinstance(condition, Atom):
        yield condition.predicate, positive
    elif isinstance(condition, Not):
        yield from _uses(condition.operand, not positive)
    elif isinstance(condition, Imply):
        yield from _uses(condition.premise, not positive)
        yield from _uses(condition.conclusion, positive)
    elif isinstance(condition, And | Or):
        for part in condition:
            yield from _uses(part, positive)
    else:
        yield from _uses(condition.body, positive)
