"""Linear algebra over GF(2), the integers modulo 2, for relations of the kind `parity`."""

from __future__ import annotations

from unpuzzle.constraints.model import Constraints


def parity_solution(constraints: Constraints) -> dict[str, int] | None:
    """Return 0 or 1 for each variable so that all `parity` relations hold, or None; other relations are ignored.

    Gaussian elimination over the integers modulo 2, quick for some hundred variables: a relation is a number with a bit
    for each variable, and its parity as the lowest bit.
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
