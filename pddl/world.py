"""The objects of a task and their types; a state as a set of true atoms; the evaluation of conditions in a state.

The types of an object are `object`, the declared types, and all their ancestors. For `either` and for parameters that
occur twice see `reading.reader`.

A world stores the argument tuples for which each predicate is true: static predicates (shared by all worlds of a task),
fluent ones, and derived ones, which `query.Axioms` adds. All other atoms are false (closed world).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product

from unpuzzle.base.run import within_limits
from unpuzzle.pddl.declarations import ancestors, type_parents
from unpuzzle.pddl.nodes import And, Atom, Condition, Exists, Forall, Imply, Not, Or, Task, TypedName


class Types:
    """The objects of a task and their types, in the order of the text, but with the constants first."""

    def __init__(self, task: Task) -> None:
        parents = type_parents(task.domain)
        self._of: dict[str, set[str]] = {}
        for named in within_limits((*task.domain.constants, *task.problem.objects)):
            self._of.setdefault(named.name, {"object"}).update(ancestors(named.types, parents))
        self.order: Mapping[str, int] = {name: number for number, name in enumerate(self._of)}
        self._members: dict[tuple[str, ...], tuple[str, ...]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._of

    def of(self, name: str) -> frozenset[str]:
        """Return all types that an object belongs to."""
        return frozenset(self._of[name])

    def members(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """Return the objects that belong to at least one of the given types, in the order of the text."""
        if types not in self._members:
            self._members[types] = tuple(name for name, own in self._of.items() if not own.isdisjoint(types))
        return self._members[types]

    def domains(self, parameters: Sequence[TypedName]) -> dict[str, tuple[str, ...]]:
        """Return the possible objects for each variable of an action or an axiom."""
        domains: dict[str, tuple[str, ...]] = {}
        for parameter in parameters:
            members = self.members(parameter.types)
            if parameter.name in domains:
                members = tuple(name for name in domains[parameter.name] if name in members)
            domains[parameter.name] = members
        return domains

    def assignments(self, parameters: Sequence[TypedName], binding: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """Yield extended copies of a binding, one for each way to assign objects to a quantifier's parameters."""
        names = [parameter.name for parameter in parameters]
        for objects in within_limits(product(*[self.members(parameter.types) for parameter in parameters])):
            yield {**binding, **dict(zip(names, objects, strict=True))}


class FactTable:
    """The argument tuples for which a predicate is true, with indexes that are built on demand."""

    __slots__ = ("_indexes", "tuples")

    def __init__(self) -> None:
        self.tuples: set[tuple[str, ...]] = set()
        self._indexes: dict[tuple[int, ...], dict[tuple[str, ...], list[tuple[str, ...]]]] = {}

    def update(self, tuples: Iterable[tuple[str, ...]]) -> None:
        self.tuples.update(tuples)
        self._indexes.clear()

    def index(self, positions: tuple[int, ...]) -> Mapping[tuple[str, ...], Collection[tuple[str, ...]]]:
        """Return a map from the values at the given positions to the tuples with these values."""
        if not positions:
            return {(): self.tuples}
        index = self._indexes.get(positions)
        if index is None:
            index = self._indexes[positions] = {}
            for arguments in self.tuples:
                index.setdefault(tuple([arguments[i] for i in positions]), []).append(arguments)
        return index

    def expected(self, positions: tuple[int, ...]) -> float:
        """Return the average number of tuples with the same values at the given positions."""
        return len(self.tuples) / max(len(self.index(positions)), 1)


_EMPTY = FactTable()


def fact_tables(atoms: Iterable[Atom]) -> dict[str, FactTable]:
    by_predicate: dict[str, FactTable] = {}
    for atom in atoms:
        if atom.predicate not in by_predicate:
            by_predicate[atom.predicate] = FactTable()
        by_predicate[atom.predicate].tuples.add(atom.arguments)
    return by_predicate


class World:
    """The atoms that are true in one state. The tables in `static` are shared by worlds and never changed."""

    __slots__ = ("_tables", "types")

    def __init__(self, types: Types, static: Mapping[str, FactTable], fluents: Iterable[Atom]) -> None:
        self.types: Types = types
        self._tables = {**static, **fact_tables(fluents)}

    def changed(self, deleted: Iterable[Atom], added: Iterable[Atom]) -> World:
        """Return a copy without `deleted` atoms but with all `added` atoms; the copy shares unchanged tables."""
        world = World(self.types, self._tables, ())
        less, more = fact_tables(deleted), fact_tables(added)
        for predicate in {**less, **more}:
            table = world._tables[predicate] = FactTable()
            gone, new = (tables.get(predicate, _EMPTY).tuples for tables in (less, more))
            table.tuples = (self.facts(predicate).tuples - gone) | new
        return world

    def facts(self, predicate: str) -> FactTable:
        return self._tables.get(predicate, _EMPTY)

    def add(self, predicate: str, tuples: Iterable[tuple[str, ...]]) -> None:
        """Make a derived predicate true for the given argument tuples."""
        self._tables.setdefault(predicate, FactTable()).update(tuples)

    def holds(self, condition: Condition, binding: Mapping[str, str]) -> bool:
        """Return whether a condition is true when its variables are replaced as in `binding`."""
        if isinstance(condition, Atom):
            arguments = tuple([binding.get(term, term) for term in condition.arguments])
            if condition.predicate == "=":
                return arguments[0] == arguments[1]
            return arguments in self.facts(condition.predicate).tuples
        if isinstance(condition, Not):
            return not self.holds(condition.operand, binding)
        if isinstance(condition, And):
            return all(self.holds(operand, binding) for operand in condition.operands)
        if isinstance(condition, Or):
            return any(self.holds(operand, binding) for operand in condition.operands)
        if isinstance(condition, Imply):
            return not self.holds(condition.premise, binding) or self.holds(condition.conclusion, binding)
        if isinstance(condition, Exists | Forall):
            decide = any if isinstance(condition, Exists) else all
            assignments = self.types.assignments(condition.parameters, binding)
            return decide(self.holds(condition.body, inner) for inner in assignments)
        raise TypeError(f"not a condition: {condition!r}")
