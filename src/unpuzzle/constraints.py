"""Constraint models as plain data: what a puzzle offers to solvers that read `constraints`. A leaf.

Constraints(domains={"a": (1, 2, 3), "b": (1, 2, 3)}, relations=[Relation("all_different", ("a", "b"))])
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence


class Relation:
    """A named relation over variables, with the data it needs: `all_different`, `table`, or

    parity: of variables that are 0 or 1, an odd number is 1 if `data` is 1, an even number if it is 0.
    """

    __slots__ = ("data", "kind", "variables")

    def __init__(self, kind: str, variables: Sequence[str], data: object = None) -> None:
        self.kind = kind
        self.variables = tuple(variables)
        self.data = data

    def __repr__(self) -> str:
        return f"Relation({self.kind!r}, {self.variables!r}, {self.data!r})"


class Constraints:
    """Variables with their finite domains, and the relations between them."""

    __slots__ = ("domains", "relations")

    def __init__(self, domains: Mapping[str, Sequence[Hashable]], relations: Sequence[Relation] = ()) -> None:
        self.domains = {name: tuple(values) for name, values in domains.items()}
        self.relations = tuple(relations)


def parity_solution(constraints: Constraints) -> dict[str, int] | None:
    """Values, 0 or 1, with which all `parity` relations hold; None if there are none. It looks at no other relations.

    Gaussian elimination over GF(2), the integers modulo 2. A relation is a number with a bit for each variable, and its
    parity as the lowest bit. It takes no time worth mentioning for some hundred variables.
    """
    bits = {name: 1 << place for place, name in enumerate(constraints.domains, 1)}
    pivots: dict[int, int] = {}  # by number of bits: the one relation kept that has so many
    for relation in constraints.relations:
        if relation.kind == "parity":
            row = int(bool(relation.data))
            for name in relation.variables:
                row ^= bits[name]
            while row.bit_length() in pivots:
                row ^= pivots[row.bit_length()]
            if row == 1:
                return None  # an even number of ones, none, would be odd
            pivots[row.bit_length()] = row
            pivots.pop(0, None)  # it follows from those before it
    ones = 1
    for length in sorted(pivots):
        ones |= ((pivots[length] & ones).bit_count() % 2) << (length - 1)
    return {name: int(bool(bit & ones)) for name, bit in bits.items()}
