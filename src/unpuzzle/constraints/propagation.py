"""Propagation: which values are left to the variables, once some are gone.

A domain is a number with a bit for each value of the model, so intersections and counts are single operations. A
`Propagator` narrows the domains of its variables, in place, and tells which it narrowed:

    all_different   who has one value left takes it from the others; where there are as many values as variables,
                    a value with one place left goes there
    table           values go that no row offers together with what is left elsewhere (rows are bits: compact-table,
                    J. Demeulenaere and others, 2016, without the memory of what was computed before)
    path            values go that have no neighbour left before or after them
    parity          the last of its variables to be settled follows from the others
"""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from unpuzzle.constraints.model import Constraints, Relation

    Domains = list[int]


class Propagator:
    """The part of a relation that removes values."""

    __slots__ = ("variables",)

    def __init__(self, variables: Sequence[int]) -> None:
        self.variables = tuple(variables)

    def narrow(self, domains: Domains) -> list[int] | None:
        """The variables whose domains it narrowed, perhaps with repetitions; None if a domain would be empty."""
        raise NotImplementedError


class AllDifferent(Propagator):
    """No value twice."""

    __slots__ = ("permutation",)

    def __init__(self, variables: Sequence[int], domains: Domains) -> None:
        super().__init__(variables)
        union = 0
        for variable in self.variables:
            union |= domains[variable]
        self.permutation = union.bit_count() == len(self.variables)

    def narrow(self, domains: Domains) -> list[int] | None:
        changed: list[int] = []
        before = -1
        while before != len(changed):
            before = len(changed)
            if not self._take_singles(domains, changed) or not self._place_hidden(domains, changed):
                return None
        return changed

    def _take_singles(self, domains: Domains, changed: list[int]) -> bool:
        settled = 0
        for variable in self.variables:
            domain = domains[variable]
            if not domain & (domain - 1):
                if domain & settled or not domain:
                    return False
                settled |= domain
        if not settled:
            return True
        for variable in self.variables:
            domain = domains[variable]
            if domain & (domain - 1) and domain & settled:
                domains[variable] = domain & ~settled
                changed.append(variable)
                if not domains[variable]:
                    return False
        return True

    def _place_hidden(self, domains: Domains, changed: list[int]) -> bool:
        once = twice = 0
        for variable in self.variables:
            domain = domains[variable]
            twice |= once & domain
            once |= domain
        if once.bit_count() < len(self.variables):
            return False
        unique = once & ~twice if self.permutation else 0
        if unique:
            for variable in self.variables:
                domain = domains[variable]
                hidden = domain & unique
                if hidden and domain != hidden:
                    if hidden & (hidden - 1):
                        return False  # two values have this one place left
                    domains[variable] = hidden
                    changed.append(variable)
        return True


class Table(Propagator):
    """One of some rows."""

    __slots__ = ("full", "supports")

    def __init__(self, variables: Sequence[int], rows: Sequence[Sequence[int]]) -> None:
        super().__init__(variables)
        self.full = (1 << len(rows)) - 1
        self.supports: list[dict[int, int]] = [{} for _ in self.variables]
        for number, row in enumerate(rows):
            for column, value in zip(self.supports, row, strict=True):
                column[value] = column.get(value, 0) | 1 << number

    def narrow(self, domains: Domains) -> list[int] | None:
        alive = self.full
        for variable, column in zip(self.variables, self.supports, strict=True):
            domain, offered = domains[variable], 0
            for value, rows in column.items():
                if domain & value:
                    offered |= rows
            alive &= offered
        if not alive:
            return None
        changed = []
        for variable, column in zip(self.variables, self.supports, strict=True):
            left = 0
            for value, rows in column.items():
                if rows & alive:
                    left |= value
            left &= domains[variable]
            if left != domains[variable]:
                domains[variable] = left
                changed.append(variable)
                if not left:
                    return None  # where a variable stands in it twice
        return changed


class Path(Propagator):
    """Each value beside the next."""

    __slots__ = ("after", "before")

    def __init__(self, variables: Sequence[int], after: dict[int, int]) -> None:
        super().__init__(variables)
        self.after = after
        self.before: dict[int, int] = {}
        for value, others in after.items():
            for other in _bits(others):
                self.before[other] = self.before.get(other, 0) | value

    def narrow(self, domains: Domains) -> list[int] | None:
        changed: list[int] = []
        for way, beside in ((self.variables, self.after), (self.variables[::-1], self.before)):
            for here, there in pairwise(way):
                left = 0
                for value in _bits(domains[here]):
                    left |= beside.get(value, 0)
                left &= domains[there]
                if left != domains[there]:
                    domains[there] = left
                    changed.append(there)
                if not left:
                    return None
        return changed


def _bits(domain: int) -> Iterator[int]:
    """The values of a domain, each as a number with one bit."""
    while domain:
        value = domain & -domain
        yield value
        domain ^= value


class Parity(Propagator):
    """An odd or an even number of ones."""

    __slots__ = ("odd", "one", "zero")

    def __init__(self, variables: Sequence[int], odd: bool, zero: int, one: int) -> None:
        super().__init__(variables)
        self.odd, self.zero, self.one = odd, zero, one

    def narrow(self, domains: Domains) -> list[int] | None:
        odd, open_ones = self.odd, []
        for variable in self.variables:
            domain = domains[variable]
            if domain & (domain - 1):
                open_ones.append(variable)
            else:
                odd ^= domain == self.one
        if len(open_ones) > 1:
            return []
        if not open_ones:
            return None if odd else []
        domains[open_ones[0]] &= self.one if odd else self.zero
        return open_ones if domains[open_ones[0]] else None


def propagator(relation: Relation, model: Constraints, places: dict[str, int], bits: dict[Hashable, int]) -> Propagator:
    """The propagator of a relation.

    Args:
        relation: one of the model's.
        model: for the domains.
        places: of the variables, in the list of domains.
        bits: of the values.
    """
    variables = [places[name] for name in relation.variables]
    if relation.kind == "all_different":
        return AllDifferent(variables, [sum(bits[value] for value in set(domain)) for domain in model.domains.values()])
    if relation.kind == "path":
        after = {
            bits[value]: sum(bits[other] for other in set(others) if other in bits)
            for value, others in relation.data.items()
            if value in bits
        }
        return Path(variables, after)
    if relation.kind == "parity":
        return Parity(variables, bool(relation.data), bits.get(0, 0), bits.get(1, 0))
    rows = [tuple(bits.get(value, 0) for value in row) for row in relation.data]
    return Table(variables, [row for row in rows if 0 not in row])
