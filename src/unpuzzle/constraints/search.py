"""Search for all solutions of a model by propagation and backtracking.

The variable with the fewest values left, or the first of several, is settled first; its values are tried in the order
of its domain. So the order of the solutions, and the number of nodes, are the same everywhere.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from math import inf
from operator import or_

from unpuzzle.base.limits import Limits
from unpuzzle.base.run import Run, current, driven
from unpuzzle.base.values import Record
from unpuzzle.constraints.model import Constraints, Relation

Solution = dict[str, Hashable]


class TooManyNodesError(Exception):
    """The exception for a search that exceeds its maximal number of nodes."""


class Search:
    """A search for the solutions of a model. Raises LimitReached, and TooManyNodesError beyond `most_nodes`.

    Attributes:
        nodes: the number of assignments tried and propagated so far; the model itself is the first.
        propagators: one for each relation of the model, in their order.
        used: the propagators that have narrowed or refuted anything so far.
    """

    def __init__(self, model: Constraints, *, most_nodes: int | None = None) -> None:
        self.nodes: int = 0
        self.used: set[Propagator] = set()
        self._most_nodes = inf if most_nodes is None else most_nodes
        self._names = list(model.domains)
        values = dict.fromkeys(value for domain in model.domains.values() for value in domain)
        self._bits = {value: 1 << place for place, value in enumerate(values)}
        self._values = {bit: value for value, bit in self._bits.items()}
        self._ordered = [[self._bits[value] for value in dict.fromkeys(domain)] for domain in model.domains.values()]
        places = {name: place for place, name in enumerate(self._names)}
        self.propagators: list[Propagator] = propagators(model, places, self._bits)
        self._watching: list[list[Propagator]] = [[] for _ in self._names]
        for each in self.propagators:
            for variable in dict.fromkeys(each.variables):
                self._watching[variable].append(each)

    def solutions(self, without: Mapping[str, Hashable] | None = None) -> Iterator[Solution]:
        """Yield each solution once; `without` excludes one value for each of some variables."""
        domains = [sum(bits) for bits in self._ordered]
        for place, name in enumerate(self._names):
            if without and name in without:
                domains[place] &= ~self._bits.get(without[name], 0)
        if not all(domains) or not self._settle(domains, self.propagators):
            return
        open_nodes = [iter([domains])]  # from the root down, the untried children at each depth
        while open_nodes:
            node = next(open_nodes[-1], None)
            if node is None:
                open_nodes.pop()
            elif (variable := self._fewest(node)) is None:
                yield {name: self._values[bit] for name, bit in zip(self._names, node, strict=True)}
            else:
                open_nodes.append(self._children(node, variable))

    def _children(self, domains: Domains, variable: int) -> Iterator[Domains]:
        """Yield, for each value of a variable, the propagated domains, unless propagation refutes the value."""
        for bit in self._ordered[variable]:
            if domains[variable] & bit:
                child = domains[:]
                child[variable] = bit
                if self._settle(child, self._watching[variable]):
                    yield child

    def _fewest(self, domains: Domains) -> int | None:
        """Return the variable with the fewest values left, at least two; None if every variable has one value."""
        least, best = 1 << 62, None
        for variable, domain in enumerate(domains):
            if domain & (domain - 1):
                count = domain.bit_count()
                if count == 2:
                    return variable
                if count < least:
                    least, best = count, variable
        return best

    def _settle(self, domains: Domains, first: list[Propagator]) -> bool:
        """Propagate until nothing changes; return False if that leaves a variable without a value."""
        if self.nodes >= self._most_nodes:
            raise TooManyNodesError
        self.nodes += 1
        current().look()  # a node takes long
        waiting = dict.fromkeys(first)
        while waiting:
            now = next(iter(waiting))
            del waiting[now]
            changed = now.narrow(domains)
            if changed is None:
                self.used.add(now)
                return False
            if changed:
                self.used.add(now)
                for variable in changed:
                    for each in self._watching[variable]:
                        waiting[each] = None
                if len(set(now.variables)) == len(now.variables):
                    del waiting[now]  # a second run changes nothing, unless a variable occurs in it twice
        return True


def solutions(model: Constraints, *, limits: Limits | None = None) -> Iterator[Solution]:
    """Yield each solution of a model once, in a fixed order; see `Search`."""
    return driven(Run(limits, "searching"), Search(model).solutions())


def conflict(model: Constraints, *, limits: Limits | None = None) -> tuple[str, ...] | None:
    """Return the names of contradicting relations, none of which can be left out; None if there is a solution.

    Relations without a name always count. A named one is dropped if there is no solution without it, either (deletion
    filtering; J. Chinneck and E. Dravnieks, 1991), or if it took no part in a search without result. Raises
    LimitReached.
    """
    with Run(limits, "looking for a conflict"):
        core = _unsolvable_core(model, model.relations)
        if core is None:
            return None
        for relation in model.relations:
            if relation.name and relation in core:
                others = [each for each in core if each is not relation]
                core = _unsolvable_core(model, others) or core
        return tuple(relation.name for relation in core if relation.name)


def _unsolvable_core(model: Constraints, relations: Sequence[Relation]) -> list[Relation] | None:
    """Return relations that together have no solution, including all unnamed ones; None if there is a solution."""
    search = Search(model.with_relations(relations))
    if next(search.solutions(), None) is not None:
        return None
    parts = zip(relations, search.propagators, strict=True)
    return [relation for relation, part in parts if not relation.name or part in search.used]


# Propagation: removing the values of variables that relations exclude.
#
# A domain is a number with a bit for each value of the model, so intersections and counts are single operations. A
# `Propagator` narrows the domains of its variables, in place, and returns the narrowed ones:
#
#     all_different   a variable with one value left takes it from the others; if there are as many values as
#                     variables, a value with one place left goes there
#     table           removes values without a row whose other values are left (rows are bits: compact-table,
#                     J. Demeulenaere and others, 2016, without incremental computation)
#     path            removes values without a neighbour in the domain before or after
#     parity          fixes the last variable, which follows from the others

Domains = list[int]


class Propagator(Record):
    """A relation that removes values from domains; compared by identity, because searches keep sets of propagators."""

    variables: tuple[int, ...]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @abstractmethod
    def narrow(self, domains: Domains) -> list[int] | None:
        """Remove values from domains; return the changed variables, perhaps repeated, or None if a domain is empty."""


class AllDifferent(Propagator):
    """A propagator that makes all values different; in a `permutation` there are as many values as variables."""

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
    """A propagator that allows only the combinations of values in the rows of a table.

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
    """A propagator that allows only neighbouring values for neighbouring variables.

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
    """Return the values among `others` that have no neighbour in a domain."""
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
    """Return a propagator for each relation of a model; `places` numbers the variables, `bits` encodes the values."""
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
    """Return two mappings: from each value to the values that may follow, and to those that may precede."""
    after: dict[int, int] = {}
    before: dict[int, int] = {}
    for value, others in data.items():
        here = bits.get(value, 0)
        for there in {bits.get(other, 0) for other in others} if here else ():
            after[here] = after.get(here, 0) | there
            before[there] = before.get(there, 0) | here
    return after, before


def _table(variables: tuple[int, ...], rows: Sequence[Sequence[int]]) -> Table:
    """Return the propagator of a table, without the rows that contain a value of no domain."""
    supports: list[dict[int, int]] = [{} for _ in variables]
    possible = [row for row in rows if 0 not in row]
    for number, row in enumerate(possible):
        for column, value in zip(supports, row, strict=True):
            column[value] = column.get(value, 0) | 1 << number
    return Table(variables, (1 << len(possible)) - 1, supports)
