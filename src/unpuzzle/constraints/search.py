"""Search for all solutions of a model, one after the other, by propagation and backtracking.

The first variable with the fewest values left is settled first; its values are tried in the order of its domain. So the
order of the solutions, and the number of nodes, are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from math import inf

from unpuzzle.constraints.model import Constraints, Relation
from unpuzzle.constraints.propagation import Domains, Propagator, propagators
from unpuzzle.limits import Deadline, Limits

Solution = dict[str, Hashable]
Tick = Callable[[], None]


class TooManyNodesError(Exception):
    """A search has reached its largest number of nodes."""


class Search:
    """A search for the solutions of one model. Raises LimitReached, and TooManyNodesError beyond `most_nodes`.

    Attributes:
        nodes: the number of assignments tried and propagated so far; the model itself is the first.
        propagators: one for each relation of the model, in their order.
        used: the propagators that have narrowed or refuted anything so far.
    """

    def __init__(
        self, model: Constraints, *, limits: Limits | Tick | None = None, most_nodes: int | None = None
    ) -> None:
        """A function as `limits`, such as a deadline, is called at each node."""
        self.nodes: int = 0
        self.used: set[Propagator] = set()
        self._look = _look(limits, "searching")
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
        """Yield each solution once; `without` removes one value from some of the variables."""
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
        """Yield the domains for each value of a variable that propagation does not refute."""
        for bit in self._ordered[variable]:
            if domains[variable] & bit:
                child = domains[:]
                child[variable] = bit
                if self._settle(child, self._watching[variable]):
                    yield child

    def _fewest(self, domains: Domains) -> int | None:
        """Return the variable with the fewest values left, but more than one; None if all are settled."""
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
        if self._look is not None:
            self._look()
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


def solutions(model: Constraints, *, limits: Limits | Tick | None = None) -> Iterator[Solution]:
    """Yield each solution of a model once, in a fixed order; see `Search`."""
    return Search(model, limits=limits).solutions()


def conflict(model: Constraints, *, limits: Limits | Tick | None = None) -> tuple[str, ...] | None:
    """Return names of relations that cannot hold together, as few as possible, or None if there is a solution.

    Relations without a name always count. A named one is dropped if there is no solution without it, either (deletion
    filtering; J. Chinneck and E. Dravnieks, 1991), or if it took no part in a search without result. Raises
    LimitReached.
    """
    look = _look(limits, "looking for a conflict")
    core = _unsolvable_core(model, model.relations, look)
    if core is None:
        return None
    for relation in model.relations:
        if relation.name and relation in core:
            others = [each for each in core if each is not relation]
            core = _unsolvable_core(model, others, look) or core
    return tuple(relation.name for relation in core if relation.name)


def _look(limits: Limits | Tick | None, phase: str) -> Tick | None:
    """Return the function to call at each node; a node takes long enough to check all limits."""
    tick = Deadline(limits, phase) if isinstance(limits, Limits) else limits
    return tick.look if isinstance(tick, Deadline) else tick


def _unsolvable_core(model: Constraints, relations: Sequence[Relation], look: Tick | None) -> list[Relation] | None:
    """Return relations that exclude all solutions, including all unnamed ones, or None if there is a solution."""
    search = Search(model.with_relations(relations), limits=look)
    if next(search.solutions(), None) is not None:
        return None
    parts = zip(relations, search.propagators, strict=True)
    return [relation for relation, part in parts if not relation.name or part in search.used]
