"""Choosing the operators to test in a state: each watches one atom of its precondition.

    (move a b) watches (at a)      (move b c), (move b a) watch (at b)      (wait) watches nothing

In a state where (at b) is true and (at a) is false, only (move b c), (move b a) and (wait) are tested. A schema's
instances all watch the same conjunct: the one with the fewest expected tests in a state.

Two things are cached: the operators to test, by the true watched atoms (few combinations if these are the place of a
single player); and the applicable operators among them, by the true atoms of their preconditions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from unpuzzle.limits import ticked
from unpuzzle.pddl.compiled.formulas import Formula, Formulas, Test, bits
from unpuzzle.pddl.compiled.operators import Operator
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Atom

Candidate = tuple[int, int, tuple[Test, ...], Operator]

_KEPT = 50_000
"""The number of cached combinations of atoms."""


class Remaining:
    """The operators to test while the same watched atoms are true, with the rest of their preconditions.

    `read` are the atoms that decide which operators are applicable, or None if a precondition tests more than atoms.
    """

    __slots__ = ("applicable", "candidates", "read")

    def __init__(self, candidates: list[Candidate]) -> None:
        self.candidates: list[Candidate] = candidates
        self.applicable: dict[int, tuple[Operator, ...]] = {}
        self.read: int | None = 0
        for positive, negative, tests, _ in candidates:
            self.read = None if tests or self.read is None else self.read | positive | negative

    def tested(self, state: int) -> tuple[Operator, ...]:
        """Return the operators that are applicable in a state."""
        return tuple(
            [
                operator
                for positive, negative, tests, operator in self.candidates
                if state & positive == positive
                and not state & negative
                and (not tests or all(test(state) for test in tests))
            ]
        )


class Watching:
    """The operators of a task, by the atoms that they watch."""

    def __init__(self, formulas: Formulas, initial: int) -> None:
        self._tick = formulas.types.tick
        self._formulas = formulas
        self._initial = initial
        self._watched = 0
        self._always: list[Operator] = []
        self._by_bit: dict[int, list[Operator]] = {}
        self._conditions: dict[Operator, Formula | None] = {}
        self._remaining: dict[int, Remaining] = {}
        self._room = _KEPT

    def add(self, operators: Sequence[Operator], fluents: Collection[str]) -> None:
        """Add the instances of one schema; `fluents` are the predicates that may be watched."""
        if not operators:
            return
        parts = conjuncts(operators[0].schema.precondition)
        literals = [part for part in parts if isinstance(part, Atom) and part.predicate in fluents]
        ground = self._formulas.numbering.ground
        watched = [
            [ground(literal, operator.binding) for operator in ticked(operators, self._tick)] for literal in literals
        ]
        if not watched:
            self._always.extend(operators)
            return
        cheapest = min(watched, key=self._cost)
        for operator, bit in ticked(zip(operators, cheapest, strict=True), self._tick):
            self._by_bit.setdefault(bit, []).append(operator)
            self._watched |= bit

    def _cost(self, watched: Collection[int]) -> tuple[float, int]:
        """Estimate from the initial state the numbers of tested operators and of true watched atoms in a state."""
        distinct = set(watched)
        true = sum(bool(self._initial & bit) for bit in distinct)
        return len(watched) * max(true, 1) / len(distinct), true

    def applicable(self, state: int) -> tuple[Operator, ...]:
        """Return the operators that are applicable in a state, in the order of their keys."""
        remaining = self.remaining(state)
        if remaining.read is None:
            return remaining.tested(state)
        read = state & remaining.read
        operators = remaining.applicable.get(read)
        if operators is None:
            operators = remaining.applicable[read] = remaining.tested(state)
            self._count()
        return operators

    def remaining(self, state: int) -> Remaining:
        watched = state & self._watched
        remaining = self._remaining.get(watched)
        if remaining is None:
            remaining = self._remaining[watched] = Remaining(self._candidates(watched))
            self._count()
        return remaining

    def _count(self) -> None:
        """Count a cached combination, and clear the cache when it is full."""
        self._room -= 1
        if self._room <= 0:
            self._remaining.clear()
            self._room = _KEPT

    def _candidates(self, watched: int) -> list[Candidate]:
        candidates: list[Candidate] = []
        for operators in (self._always, *(self._by_bit[bit] for bit in bits(watched))):
            for operator in ticked(operators, self._tick):
                if (condition := self.condition(operator)) is None:
                    continue
                positive, negative, tests = condition
                if positive & self._watched & ~watched or negative & watched:
                    continue
                candidates.append((positive & ~watched, negative & ~self._watched, tests, operator))
        candidates.sort(key=lambda candidate: candidate[3].key)
        return candidates

    def condition(self, operator: Operator) -> Formula | None:
        if operator not in self._conditions:
            self._conditions[operator] = self._formulas.of(operator.schema.precondition, operator.binding)
        return self._conditions[operator]
