"""Search: all solutions of a model, one after the other, by propagation and backtracking.

The variable with the fewest values left is settled first, the first of several; its values are tried in the order of
its domain. So the order of the solutions, and the number of nodes, are the same everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unpuzzle.constraints.propagation import propagators

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from unpuzzle.constraints.model import Constraints, Relation
    from unpuzzle.constraints.propagation import Domains, Propagator

    Solution = dict[str, Hashable]


class Search:
    """A search for the solutions of one model.

    Attributes:
        nodes: how many assignments were tried and propagated so far; the model itself is the first.
        propagators: those of the model's relations, in their order.
        used: those that have narrowed or refuted anything so far.
    """

    def __init__(self, model: Constraints, look: Callable[[], None] | None = None) -> None:
        """`look`, if given, is called at each node; whatever it raises ends the search."""
        self.nodes = 0
        self.used: set[Propagator] = set()
        self._look = look
        self._names = list(model.domains)
        values = dict.fromkeys(value for domain in model.domains.values() for value in domain)
        self._bits = {value: 1 << place for place, value in enumerate(values)}
        self._values = {bit: value for value, bit in self._bits.items()}
        self._ordered = [[self._bits[value] for value in dict.fromkeys(domain)] for domain in model.domains.values()]
        places = {name: place for place, name in enumerate(self._names)}
        self.propagators = propagators(model, places, self._bits)
        self._watching: list[list[Propagator]] = [[] for _ in self._names]
        for each in self.propagators:
            for variable in dict.fromkeys(each.variables):
                self._watching[variable].append(each)

    def solutions(self, without: Mapping[str, Hashable] | None = None) -> Iterator[Solution]:
        """The solutions, each of them once; `without` takes one value away from some of the variables."""
        domains = [sum(bits) for bits in self._ordered]
        for place, name in enumerate(self._names):
            if without and name in without:
                domains[place] &= ~self._bits.get(without[name], 0)
        if not all(domains) or not self._settle(domains, self.propagators):
            return
        open_nodes = [iter([domains])]  # from the root down, what is still to be tried at each depth
        while open_nodes:
            node = next(open_nodes[-1], None)
            if node is None:
                open_nodes.pop()
            elif (variable := self._fewest(node)) is None:
                yield {name: self._values[bit] for name, bit in zip(self._names, node, strict=True)}
            else:
                open_nodes.append(self._children(node, variable))

    def _children(self, domains: Domains, variable: int) -> Iterator[Domains]:
        """The domains after each value of a variable that is not refuted at once."""
        for bit in self._ordered[variable]:
            if domains[variable] & bit:
                child = domains[:]
                child[variable] = bit
                if self._settle(child, self._watching[variable]):
                    yield child

    def _fewest(self, domains: Domains) -> int | None:
        """The variable with the fewest values left, of those with several; None if there is none."""
        least, found = 1 << 62, None
        for variable, domain in enumerate(domains):
            if domain & (domain - 1):
                count = domain.bit_count()
                if count == 2:
                    return variable
                if count < least:
                    least, found = count, variable
        return found

    def _settle(self, domains: Domains, first: list[Propagator]) -> bool:
        """Propagate until nothing changes; False if that leaves a variable without a value."""
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
            if changed and not _idempotent(now):
                waiting[now] = None
            elif changed:
                waiting.pop(now, None)
        return True


def _idempotent(propagator: Propagator) -> bool:
    """Whether a second run of it changes nothing: all do, where no variable stands in them twice."""
    return len(set(propagator.variables)) == len(propagator.variables)


def solutions(model: Constraints, look: Callable[[], None] | None = None) -> Iterator[Solution]:
    """The solutions of a model, each of them once, in a fixed order; see `Search`."""
    return Search(model, look).solutions()


def conflict(model: Constraints, look: Callable[[], None] | None = None) -> tuple[str, ...] | None:
    """Names of relations that cannot hold together, none of which could be left out; None if there is a solution.

    Relations without a name always count. One named relation after the other is left out, for good if there is no
    solution without it, either (deletion filtering; J. Chinneck and E. Dravnieks, 1991). Those that took no part in a
    search that found none go with it: without them the search would have been the same.
    """
    kept = _without_solution(model, model.relations, look)
    if kept is None:
        return None
    for relation in model.relations:
        if relation.name and relation in kept:
            others = [each for each in kept if each is not relation]
            kept = _without_solution(model, others, look) or kept
    return tuple(relation.name for relation in kept if relation.name)


def _without_solution(
    model: Constraints, relations: Sequence[Relation], look: Callable[[], None] | None
) -> list[Relation] | None:
    """Those of the relations that are enough for there to be no solution; None if there is one.

    Those without a name stay, even if they took no part: they may be needed once others are gone.
    """
    search = Search(model.with_relations(relations), look)
    if next(search.solutions(), None) is not None:
        return None
    parts = zip(relations, search.propagators, strict=True)
    return [relation for relation, part in parts if not relation.name or part in search.used]
