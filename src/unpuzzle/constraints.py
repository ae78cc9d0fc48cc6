"""Constraint problems, and a search for their solutions.

    model = Constraints({"a": (1, 2), "b": (1, 2)}, [Relation("all_different", ("a", "b")), given("a", 2)])
    next(solutions(model))          {"a": 2, "b": 1}
    conflict(model)                 None: it has a solution

A leaf: puzzles state their constraints with it, generators of levels and planners search with it. The search settles
the variable with the fewest values left, or the first of several; its values are tried in the order of its domain. So
the order of the solutions, and the number of nodes, are the same everywhere.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from math import inf
from operator import or_
from typing import Any

from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import Limits, Run, checkpoint, current, driven
from unpuzzle.base.values import Record

__all__ = [
    "Constraints", "Relation", "Search", "TooManyNodesError", "conflict", "given", "parity_solution", "solutions",
    "violated",
]  # fmt: skip

Solution = dict[str, Hashable]
Values = Mapping[str, Hashable]
KINDS = ("all_different", "table", "path", "parity")
MOST_VECTORS = 20
"""The largest kernel whose 2**k sums are all compared."""
_SUMS_PER_TICK = 1 << 12


# The model: variables with finite domains, and relations between the variables.
#
#     all_different   no two of the variables have the same value
#     table           the values, in the order of the variables, are one of the rows in `data`
#     path            each variable's value is a neighbour of the next one's; `data` maps a value to its neighbours
#     parity          of variables that are 0 or 1, an odd number is 1 if `data` is 1, an even number if it is 0
#
# Relations with a name belong to the level and may contradict each other; unnamed ones are the rules of the game.


class Relation(Record):
    """A relation between variables of a constraint problem. Raises UsageError for an unknown kind of relation."""

    kind: str
    variables: Sequence[str]
    data: Any = None
    name: str = ""

    def __init__(self, kind: str, variables: Sequence[str], data: Any = None, name: str = "") -> None:
        super().__init__(kind, tuple(variables), data, name)

    def _require_sense(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"unknown kind of relation {self.kind!r}; the kinds are {', '.join(KINDS)}")

    def __str__(self) -> str:
        name = f"{self.name}: " if self.name else ""
        return f"{name}{self.kind} of {', '.join(self.variables)}"

    def holds(self, values: Values) -> bool:
        """Return whether values satisfy the relation; tests check propagators and solvers against this method."""
        own: list[Any] = [values[name] for name in self.variables]
        match self.kind:
            case "all_different":
                return len(set(own)) == len(own)
            case "table":
                return tuple(own) in {tuple(row) for row in self.data}
            case "path":
                return all(b in self.data[a] for a, b in pairwise(own))
            case _:
                return bool(sum(own) % 2) == bool(self.data)


class Constraints(Record):
    """A constraint problem: variables with finite domains, relations between variables, and the costs of values.

    Attributes:
        domains: the values that each variable may have, in the order in which they are tried.
        relations: the relations that a solution fulfils.
        costs: the cost of a variable's value, 0 if it is missing; None if all solutions cost the same.

    Raises UsageError for a relation over a variable without a domain, and for a parity of others than 0 and 1.
    """

    domains: Mapping[str, Sequence[Hashable]]
    relations: Sequence[Relation] = ()
    costs: Mapping[str, Mapping[Hashable, int]] | None = None

    def __init__(
        self,
        domains: Mapping[str, Sequence[Hashable]],
        relations: Sequence[Relation] = (),
        costs: Mapping[str, Mapping[Hashable, int]] | None = None,
    ) -> None:
        super().__init__({name: tuple(values) for name, values in domains.items()}, tuple(relations), costs)

    def _require_sense(self) -> None:
        for relation in self.relations:
            for name in relation.variables:
                if name not in self.domains:
                    raise UsageError(f"relation {relation.kind}: '{name}' is not a variable of the constraints")
                if relation.kind == "parity" and (others := [v for v in self.domains[name] if v not in (0, 1)]):
                    raise UsageError(
                        f"relation parity: the domain of '{name}' contains {others[0]!r}; only 0 and 1 are allowed"
                    )

    def with_relations(self, relations: Sequence[Relation]) -> Constraints:
        """Return a constraint problem with the same variables, but with these relations."""
        return self.replace(relations=tuple(relations))

    def cost(self, values: Values) -> int:
        """Return the cost of a solution, the sum of the costs of its values."""
        return sum(row.get(values[name], 0) for name, row in (self.costs or {}).items())


def given(variable: str, value: Hashable) -> Relation:
    """Return a relation named `variable=value` that fixes the value of a variable."""
    return Relation("table", (variable,), ((value,),), f"{variable}={value}")


def violated(model: Constraints, values: Values) -> Relation | str | None:
    """Return the first variable with a value outside its domain, or else the first violated relation, or None."""
    for name, domain in model.domains.items():
        if values.get(name) not in domain:
            return name
    return next((relation for relation in model.relations if not relation.holds(values)), None)


class TooManyNodesError(Exception):
    """The exception for a search that exceeds its maximum number of nodes."""


class Search:
    """A search for the solutions of a constraint problem, by propagation and backtracking. Raises LimitReached.

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
        """Yield each solution once; `without` maps variables to a value that they must not have."""
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
        """Yield the domains after each choice of a variable's value and propagation, except refuted choices."""
        for bit in self._ordered[variable]:
            if domains[variable] & bit:
                child = domains[:]
                child[variable] = bit
                if self._settle(child, self._watching[variable]):
                    yield child

    def _fewest(self, domains: Domains) -> int | None:
        """Return the variable with the fewest remaining values, at least two; None if each variable has one value."""
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
        """Propagate until the domains stay unchanged; return False if a domain becomes empty."""
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
    """Yield each solution of a constraint problem once, in a fixed order."""
    return driven(Run(limits, "searching"), Search(model).solutions())


def conflict(model: Constraints, *, limits: Limits | None = None) -> tuple[str, ...] | None:
    """Return the names of a minimal set of contradicting relations; None if the constraint problem has a solution.

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
    """Return the relations that a failed search used, which contradict each other; None if there is a solution."""
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
    """The propagator of a relation: it removes impossible values from domains. Propagators are compared by identity."""

    variables: tuple[int, ...]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @abstractmethod
    def narrow(self, domains: Domains) -> list[int] | None:
        """Remove impossible values from domains; return the changed variables, or None if a domain becomes empty."""


class AllDifferentPropagator(Propagator):
    """The propagator of the relation that all variables have different values."""

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
        """Remove the value of each settled variable from all other variables; return False on a conflict."""
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
        """If all values must occur, give a value that only one variable can have to it; return False on a conflict."""
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


class TablePropagator(Propagator):
    """The propagator of a table relation: the values of the variables must be a row of the table.

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


class PathPropagator(Propagator):
    """The propagator of the relation that consecutive variables have neighbouring values.

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
    """Return the values in `others` that cannot be neighbours of any value in `domain`; both are sets as bits."""
    while domain and others:
        value = domain & -domain
        domain ^= value
        others &= ~beside.get(value, 0)
    return others


class ParityPropagator(Propagator):
    """The propagator of the relation that the number of ones is odd, or that it is even."""

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
    """Return a propagator for each relation; `places` maps variables to numbers, and `bits` maps values to bits."""
    domains = [sum(bits[value] for value in set(domain)) for domain in model.domains.values()]
    maps = {id(relation.data): relation.data for relation in model.relations if relation.kind == "path"}
    beside = {key: _beside(data, bits) for key, data in maps.items()}  # shared, since large models have many paths

    def propagator(relation: Relation) -> Propagator:
        variables = tuple([places[name] for name in relation.variables])
        match relation.kind:
            case "all_different":
                values = reduce(or_, [domains[variable] for variable in variables], 0)
                return AllDifferentPropagator(variables, values.bit_count() == len(variables))
            case "path":
                ways = zip((variables, variables[::-1]), beside[id(relation.data)], strict=True)
                return PathPropagator(variables, [(list(pairwise(way)), neighbours) for way, neighbours in ways])
            case "parity":
                return ParityPropagator(variables, bool(relation.data), bits.get(0, 0), bits.get(1, 0))
            case _:
                return _table(variables, [tuple([bits.get(value, 0) for value in row]) for row in relation.data])

    return [propagator(relation) for relation in model.relations]


def _beside(
    data: Mapping[Hashable, Iterable[Hashable]], bits: Mapping[Hashable, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return, as two tables of bits, the values that may follow each value, and the values that may precede it."""
    after: dict[int, int] = {}
    before: dict[int, int] = {}
    for value, others in data.items():
        here = bits.get(value, 0)
        for there in {bits.get(other, 0) for other in others} if here else ():
            after[here] = after.get(here, 0) | there
            before[there] = before.get(there, 0) | here
    return after, before


def _table(variables: tuple[int, ...], rows: Sequence[Sequence[int]]) -> TablePropagator:
    """Return the propagator of a table, without the rows that contain an impossible value."""
    supports: list[dict[int, int]] = [{} for _ in variables]
    possible = [row for row in rows if 0 not in row]
    for number, row in enumerate(possible):
        for column, value in zip(supports, row, strict=True):
            column[value] = column.get(value, 0) | 1 << number
    return TablePropagator(variables, (1 << len(possible)) - 1, supports)


# Linear algebra modulo 2, for models in which all relations are parities.
#
# A relation is a number with a bit for each variable, and its parity as bit 0, the bit of the constant 1. After
# Gaussian elimination each row gives its highest variable from the lower ones; variables without a row are free. So a
# solution follows from any choice of the free variables: all solutions are one of them plus sums of the *kernel*, which
# has a vector for each free variable. It is quick for some hundred variables.
#
# The least solution is the best of 2**k, for k vectors: to find it is NP-hard (E. Berlekamp, R. McEliece and H. van
# Tilborg, On the inherent intractability of certain coding problems, 1978), but boards of lights have small kernels.
# All sums are visited in the order of Gray's code, one addition each.


class ParitySolutions(Record):
    """All solutions of the parity relations of a constraint problem.

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
        """Yield each solution once, as a whole number with a bit for each variable."""
        ones = self.one
        if ones is None:
            return
        yield ones
        for number in range(1, 1 << len(self.kernel)):
            if number % _SUMS_PER_TICK == 0:
                checkpoint()
            # Gray-code order: each sum of kernel vectors differs from the one before it by a single vector, that of
            # the lowest set bit, so each of the 2^k solutions comes once.
            ones ^= self.kernel[(number & -number).bit_length() - 1]
            yield ones

    def least(self) -> dict[str, int] | None:
        """Return a solution of least cost; None if there is no solution. All solutions are compared."""
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
    """Solve the parity relations of a constraint problem, and return all solutions; ignore other relations."""
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
    """Return whether all relations of a constraint problem are parities, and all domains are {0, 1}."""
    both = all({*domain} == {0, 1} for domain in model.domains.values())
    return both and all(relation.kind == "parity" for relation in model.relations)


def parity_solution(model: Constraints) -> dict[str, int] | None:
    """Return a solution of the parity relations as 0 or 1 for each variable; None if there is no solution."""
    solutions = parity_solutions(model)
    return None if solutions.one is None else solutions.values(solutions.one)
