"""Linear algebra modulo 2, for models in which all relations are parities.

A relation is a number with a bit for each variable, and its parity as bit 0, the bit of the constant 1. After Gaussian
elimination each row gives its highest variable from the lower ones; variables without a row are free. So a solution
follows from any choice of the free variables: all solutions are one of them plus sums of the *kernel*, which has a
vector for each free variable. It is quick for some hundred variables.

The least solution is the best of 2**k, for k vectors: to find it is NP-hard (E. Berlekamp, R. McEliece and H. van
Tilborg, On the inherent intractability of certain coding problems, 1978), but boards of lights have small kernels. All
sums are visited in the order of Gray's code, one addition each.
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.base.run import checkpoint
from unpuzzle.base.values import Record
from unpuzzle.constraints.model import Constraints

MOST_VECTORS = 20
"""The largest kernel whose 2**k sums are all compared."""
_SUMS_PER_TICK = 1 << 12


class ParitySolutions(Record):
    """All solutions of the parity relations of a model.

    Attributes:
        model: the model; relations of other kinds are ignored.
        one: a solution as bits, including the constant's; None if there is none.
        kernel: vectors whose sums lead from one solution to all others.
    """

    model: Constraints
    one: int | None
    kernel: tuple[int, ...] = ()

    def values(self, ones: int) -> dict[str, int]:
        return {name: ones >> place & 1 for place, name in enumerate(self.model.domains, 1)}

    def every(self) -> Iterator[int]:
        """Yield each solution once, as a number in which each variable has a bit."""
        ones = self.one
        if ones is None:
            return
        yield ones
        for number in range(1, 1 << len(self.kernel)):
            if number % _SUMS_PER_TICK == 0:
                checkpoint()
            ones ^= self.kernel[(number & -number).bit_length() - 1]
            yield ones

    def least(self) -> dict[str, int] | None:
        """Return a solution of least cost, or None; this compares all solutions, so there should be few."""
        masks: dict[int, int] = {}  # by the cost of a 1 over a 0: the variables
        for place, name in enumerate(self.model.domains, 1):
            row = (self.model.costs or {}).get(name, {})
            more = row.get(1, 0) - row.get(0, 0)
            masks[more] = masks.get(more, 0) | 1 << place
        masks.pop(0, None)
        best = min(
            self.every(),
            key=lambda ones: sum([more * (ones & mask).bit_count() for more, mask in masks.items()]),
            default=None,
        )
        return None if best is None else self.values(best)


def parity_solutions(model: Constraints) -> ParitySolutions:
    """Return all solutions of the `parity` relations of a model; relations of other kinds are ignored."""
    bits = {name: 1 << place for place, name in enumerate(model.domains, 1)}
    pivots: dict[int, int] = {}  # by number of bits: the one relation kept that has so many
    for relation in model.relations:
        if relation.kind == "parity":
            row = int(bool(relation.data))
            for name in relation.variables:
                row ^= bits[name]
            while row.bit_length() in pivots:
                row ^= pivots[row.bit_length()]
            if row == 1:
                return ParitySolutions(model, None)  # an even number of ones, none, would be odd
            pivots[row.bit_length()] = row
            pivots.pop(0, None)  # it follows from those before it
    rows = sorted(pivots.items())

    def completed(ones: int) -> int:
        for length, row in rows:
            ones |= ((row & ones).bit_count() % 2) << (length - 1)
        return ones

    free = [place for place in range(1, len(bits) + 1) if place + 1 not in pivots]
    return ParitySolutions(model, completed(1), tuple([completed(1 << place) for place in free]))


def only_parities(model: Constraints) -> bool:
    """Return whether all relations of a model are parities, and all variables have the domain {0, 1}."""
    both = all({*domain} == {0, 1} for domain in model.domains.values())
    return both and all(relation.kind == "parity" for relation in model.relations)


def parity_solution(model: Constraints) -> dict[str, int] | None:
    """Return a solution of all `parity` relations, as 0 or 1 by variable, or None; other relations are ignored."""
    solutions = parity_solutions(model)
    return None if solutions.one is None else solutions.values(solutions.one)
