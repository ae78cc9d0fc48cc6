"""One state, with its true atoms, and the evaluation of conditions in it.

A world stores the argument tuples for which each predicate is true: static predicates (shared by all worlds of a task),
fluent ones, and derived ones, which `axioms` adds. All other atoms are false (closed world).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from unpuzzle.pddl.nodes import And, Atom, Condition, Exists, Forall, Imply, Not, Or
from unpuzzle.pddl.types import Types


class FactTable:
    """The argument tuples for which a predicate is true, indexed on demand."""

    __slots__ = ("_indexes", "tuples")

    def __init__(self) -> None:
        self.tuples: set[tuple[str, ...]] = set()
        self._indexes: dict[tuple[int, ...], dict[tuple[str, ...], list[tuple[str, ...]]]] = {}

    def update(self, tuples: Iterable[tuple[str, ...]]) -> None:
        self.tuples.update(tuples)
        self._indexes.clear()

    def index(self, positions: tuple[int, ...]) -> Mapping[tuple[str, ...], Collection[tuple[str, ...]]]:
        """Return the tuples by their values at some positions."""
        if not positions:
            return {(): self.tuples}
        index = self._indexes.get(positions)
        if index is None:
            index = self._indexes[positions] = {}
            for arguments in self.tuples:
                index.setdefault(tuple([arguments[i] for i in positions]), []).append(arguments)
        return index

    def expected(self, positions: tuple[int, ...]) -> float:
        """Return the average number of tuples with the same values at some positions."""
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
    """The atoms that are true in one state. Worlds share the tables in `static`, and do not change them."""

    __slots__ = ("_tables", "types")

    def __init__(self, types: Types, static: Mapping[str, FactTable], fluents: Iterable[Atom]) -> None:
        self.types: Types = types
        self._tables = {**static, **fact_tables(fluents)}

    def facts(self, predicate: str) -> FactTable:
        return self._tables.get(predicate, _EMPTY)

    def add(self, predicate: str, tuples: Iterable[tuple[str, ...]]) -> None:
        """Make a derived predicate true for some tuples."""
        self._tables.setdefault(predicate, FactTable()).update(tuples)

    def holds(self, condition: Condition, binding: Mapping[str, str]) -> bool:
        """Return whether a condition is true with objects for its variables."""
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
