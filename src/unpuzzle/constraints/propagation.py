"""Propagation: removing the values of variables that relations exclude.

A domain is a number with a bit for each value of the model, so intersections and counts are single operations. A
`Propagator` narrows the domains of its variables, in place, and returns the narrowed ones:

    all_different   a variable with one value left takes it from the others; if there are as many values as
                    variables, a value with one place left goes there
    table           removes values without a row whose other values are left (rows are bits: compact-table,
                    J. Demeulenaere and others, 2016, without incremental computation)
    path            removes values without a neighbour in the domain before or after
    parity          fixes the last variable, which follows from the others
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import or_

from unpuzzle.constraints.model import Constraints, Relation
from unpuzzle.record import Record

Domains = list[int]


class Propagator(Record):
    """The part of a relation that removes values. It is compared by identity: searches keep a set of used ones."""

    variables: tuple[int, ...]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @abstractmethod
    def narrow(self, domains: Domains) -> list[int] | None:
        """Narrow domains; return the variables, perhaps with repetitions, or None if a domain would be empty."""


class AllDifferent(Propagator):
    """A propagator that allows no value twice; in a `permutation` there are as many values as variables."""

    permutation: bool

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
    """A propagator that allows the values of some rows.

    `full` has a bit for each row, `supports` the rows of each value.
    """

    full: int
    supports: list[dict[int, int]]

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
                    return None  # possible if it contains a variable twice
        return changed


class Path(Propagator):
    """A propagator that allows only values next to each other.

    `ways` has both directions, with the neighbours of values.
    """

    ways: list[tuple[list[tuple[int, int]], dict[int, int]]]

    def narrow(self, domains: Domains) -> list[int] | None:
        changed: list[int] = []
        for pairs, beside in self.ways:
            for here, there in pairs:
                lost = _unreached(domains[here], domains[there], beside)
                if lost:
                    domains[there] &= ~lost
                    changed.append(there)
                    if not domains[there]:
                        return None
        return changed


def _unreached(domain: int, others: int, beside: dict[int, int]) -> int:
    """Return the values among `others` that neighbour no value of a domain."""
    while domain and others:
        value = domain & -domain
        domain ^= value
        others &= ~beside.get(value, 0)
    return others


class Parity(Propagator):
    """A propagator that allows only an odd, or an even, number of ones."""

    odd: bool
    zero: int
    one: int

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


def propagators(model: Constraints, places: Mapping[str, int], bits: Mapping[Hashable, int]) -> list[Propagator]:
    """Return a propagator for each relation of a model, from the places of its variables and the bits of values."""
    domains = [sum(bits[value] for value in set(domain)) for domain in model.domains.values()]
    maps = {id(relation.data): relation.data for relation in model.relations if relation.kind == "path"}
    beside = {key: _beside(data, bits) for key, data in maps.items()}  # shared, since large models have many paths

    def propagator(relation: Relation) -> Propagator:
        variables = tuple([places[name] for name in relation.variables])
        match relation.kind:
            case "all_different":
                values = reduce(or_, [domains[variable] for variable in variables], 0)
                return AllDifferent(variables, values.bit_count() == len(variables))
            case "path":
                ways = zip((variables, variables[::-1]), beside[id(relation.data)], strict=True)
                return Path(variables, [(list(pairwise(way)), neighbours) for way, neighbours in ways])
            case "parity":
                return Parity(variables, bool(relation.data), bits.get(0, 0), bits.get(1, 0))
            case _:
                return _table(variables, [tuple([bits.get(value, 0) for value in row]) for row in relation.data])

    return [propagator(relation) for relation in model.relations]


def _beside(
    data: Mapping[Hashable, Iterable[Hashable]], bits: Mapping[Hashable, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the neighbours after, and before, each value."""
    after: dict[int, int] = {}
    before: dict[int, int] = {}
    for value, others in data.items():
        here = bits.get(value, 0)
        for there in {bits.get(other, 0) for other in others} if here else ():
            after[here] = after.get(here, 0) | there
            before[there] = before.get(there, 0) | here
    return after, before


def _table(variables: tuple[int, ...], rows: Sequence[Sequence[int]]) -> Table:
    """Return the propagator of a table, without the rows that contain a value of no variable."""
    supports: list[dict[int, int]] = [{} for _ in variables]
    possible = [row for row in rows if 0 not in row]
    for number, row in enumerate(possible):
        for column, value in zip(supports, row, strict=True):
            column[value] = column.get(value, 0) | 1 << number
    return Table(variables, (1 << len(possible)) - 1, supports)
