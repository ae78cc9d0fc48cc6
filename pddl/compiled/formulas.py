"""Ground conditions as masks: conditions with objects put in and static atoms looked up.

    (and (at ?x) (not (shut ?x)) (or (light) (key ?x)))      with ?x = hall

    positive     the bit of (at hall)            must all be set
    negative     the bit of (shut hall)          none may be set
    tests        [one of (light), (key hall)]    functions of the state, for everything but plain literals

A formula is such a triple, or None where the condition is false in all states. Quantifiers become conjunctions and
disjunctions over their objects. One with more than `EXPANDED` assignments is left to the reference (`World.holds`) in
each state, which may stop at the first that decides.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, Imply, Not, Or

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from unpuzzle.pddl.compiled.numbering import Numbering
    from unpuzzle.pddl.nodes import Condition
    from unpuzzle.pddl.types import Types
    from unpuzzle.pddl.world import Relation, World

    Test = Callable[[int], bool]
    Formula = tuple[int, int, tuple[Test, ...]]

TRUE: Formula = (0, 0, ())
EXPANDED = 2_000


class Formulas:
    """Makes formulas of conditions. `world` gives the `World` of a state, for questions to the reference."""

    def __init__(
        self,
        types: Types,
        statics: Mapping[str, Relation],
        fluents: frozenset[str],
        numbering: Numbering,
        world: Callable[[int], World],
    ) -> None:
        self._types = types
        self._statics = statics
        self._fluents = fluents
        self._numbering = numbering
        self._world = world

    def of(self, condition: Condition, binding: Mapping[str, str], positive: bool = True) -> Formula | None:
        """Return the formula that says that a condition is true or, if not `positive`, that it is false."""
        if isinstance(condition, Atom):
            return self._literal(condition, binding, positive)
        if isinstance(condition, Not):
            return self.of(condition.operand, binding, not positive)
        if isinstance(condition, Imply):
            parts = ((condition.premise, not positive), (condition.conclusion, positive))
            formulas = (self.of(part, binding, sign) for part, sign in parts)
            return any_of(formulas) if positive else all_of(formulas)
        if isinstance(condition, And | Or):
            formulas = (self.of(operand, binding, positive) for operand in condition.operands)
            return all_of(formulas) if isinstance(condition, And) == positive else any_of(formulas)
        return self._quantified(condition, binding, positive)

    def _literal(self, atom: Atom, binding: Mapping[str, str], positive: bool) -> Formula | None:
        arguments = tuple([binding.get(term, term) for term in atom.arguments])
        if atom.predicate in self._fluents:
            bit = self._numbering.bit(atom.predicate, arguments)
            return (bit, 0, ()) if positive else (0, bit, ())
        if atom.predicate == "=":
            true = arguments[0] == arguments[1]
        else:
            relation = self._statics.get(atom.predicate)
            true = relation is not None and arguments in relation.tuples
        return TRUE if true == positive else None

    def _quantified(self, condition: Exists | Forall, binding: Mapping[str, str], positive: bool) -> Formula | None:
        if prod(len(self._types.members(parameter.types)) for parameter in condition.parameters) > EXPANDED:
            return 0, 0, (self._asked(condition, dict(binding), positive),)
        assignments = self._types.assignments(condition.parameters, binding)
        formulas = (self.of(condition.body, inner, positive) for inner in assignments)
        return all_of(formulas) if isinstance(condition, Forall) == positive else any_of(formulas)

    def _asked(self, condition: Condition, binding: Mapping[str, str], positive: bool) -> Test:
        return lambda state: self._world(state).holds(condition, binding) == positive


def all_of(formulas: Iterable[Formula | None]) -> Formula | None:
    """Return the conjunction of formulas."""
    positive = negative = 0
    tests: tuple[Test, ...] = ()
    for formula in formulas:
        if formula is None:
            return None
        positive |= formula[0]
        negative |= formula[1]
        tests += formula[2]
    return None if positive & negative else (positive, negative, tests)


def any_of(formulas: Iterable[Formula | None]) -> Formula | None:
    """Return the disjunction of formulas."""
    alternatives: list[Formula] = []
    for formula in formulas:
        if formula == TRUE:
            return TRUE
        if formula is not None:
            alternatives.append(formula)
    if len(alternatives) < 2:
        return alternatives[0] if alternatives else None

    def test(state: int) -> bool:
        return any(holds(alternative, state) for alternative in alternatives)

    return 0, 0, (test,)


def holds(formula: Formula | None, state: int) -> bool:
    """Return whether a formula is true in a state."""
    if formula is None:
        return False
    positive, negative, tests = formula
    return state & positive == positive and not state & negative and all(test(state) for test in tests)
