"""Which operators are worth testing in a state: each waits for one atom of its precondition, which it watches.

    (move a b) watches (at a)      (move b c), (move b a) watch (at b)      (wait) watches nothing

In a state in which (at b) is true and (at a) is not, only (move b c), (move b a) and (wait) are tested. A schema's
instances all watch the same conjunct, the one for which the fewest of them are expected to be tested at a time. Which
operators remain depends on the watched atoms alone, so it is remembered by those: there are few combinations of them
where they say where the one player is.
"""

from __future__ import annotations

from unpuzzle.pddl.compiled.instances import conjuncts
from unpuzzle.pddl.compiled.numbering import bits
from unpuzzle.pddl.nodes import Atom

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from unpuzzle.pddl.compiled.formulas import Formula, Formulas, Test
    from unpuzzle.pddl.compiled.numbering import Numbering
    from unpuzzle.pddl.compiled.operators import Operator

    Candidates = list[tuple[int, int, tuple[Test, ...], Operator]]

_KEPT = 4096
"""So many combinations of watched atoms are remembered."""


class Watching:
    """The operators of a task, by the atoms that they watch."""

    def __init__(self, formulas: Formulas, numbering: Numbering, initial: int) -> None:
        self._formulas = formulas
        self._numbering = numbering
        self._initial = initial
        self._watched = 0
        self._always: list[Operator] = []
        self._by_bit: dict[int, list[Operator]] = {}
        self._conditions: dict[Operator, Formula | None] = {}
        self._known: dict[int, Candidates] = {}

    def add(self, operators: Sequence[Operator], fluents: Collection[str]) -> None:
        """Take the instances of one schema; `fluents` are the predicates that may be watched."""
        if not operators:
            return
        parts = conjuncts(operators[0].schema.precondition)
        literals = [part for part in parts if isinstance(part, Atom) and part.predicate in fluents]
        watched = [self._watch(literal, operators) for literal in literals]
        if not watched:
            self._always.extend(operators)
            return
        for operator, bit in zip(operators, min(watched, key=self._cost), strict=True):
            self._by_bit.setdefault(bit, []).append(operator)
            self._watched |= bit

    def _watch(self, literal: Atom, operators: Iterable[Operator]) -> list[int]:
        """What the operators watch if that is a literal of their schema."""
        return [self._bit(literal, operator.binding) for operator in operators]

    def _bit(self, literal: Atom, binding: Mapping[str, str]) -> int:
        return self._numbering.bit(literal.predicate, tuple([binding.get(term, term) for term in literal.arguments]))

    def _cost(self, watched: Iterable[int]) -> tuple[float, int]:
        """How many operators will be tested at a time, and how many watched atoms are true, judged by the start."""
        bits_of_all = list(watched)
        distinct = set(bits_of_all)
        true = sum(bool(self._initial & bit) for bit in distinct)
        return len(bits_of_all) * max(true, 1) / len(distinct), true

    def candidates(self, state: int) -> Candidates:
        """The operators to test in a state, with their preconditions."""
        watched = state & self._watched
        known = self._known.get(watched)
        if known is None:
            if len(self._known) == _KEPT:
                self._known.clear()
            known = self._known[watched] = self._found(watched)
        return known

    def _found(self, watched: int) -> Candidates:
        found: Candidates = []
        for operators in (self._always, *(self._by_bit[bit] for bit in bits(watched))):
            for operator in operators:
                if (condition := self._condition(operator)) is None:
                    continue
                positive, negative, tests = condition
                if positive & self._watched & ~watched or negative & watched:
                    continue
                found.append((positive & ~watched, negative & ~self._watched, tests, operator))
        found.sort(key=lambda candidate: candidate[3].key)
        return found

    def _condition(self, operator: Operator) -> Formula | None:
        if operator not in self._conditions:
            self._conditions[operator] = self._formulas.of(operator.schema.precondition, operator.binding)
        return self._conditions[operator]
