"""Ground conditions as masks: what remains of a condition once objects are put in and static atoms are looked up.

    (and (at ?x) (not (shut ?x)) (or (light) (key ?x)))      with ?x = hall

    positive     the bit of (at hall)            must all be set
    negative     the bit of (shut hall)          none may be set
    tests        [one of (light), (key hall)]    functions of the state: whatever is no plain literal

A formula is such a triple, or None where the condition is false whatever the state. Quantifiers become conjunctions
and disjunctions over their objects. One with more than `EXPANDED` assignments stays as it is and is put to the
reference (`World.holds`) in each state, which may stop at the first that decides.
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
    """Makes formulas of conditions. `world` gives the `World` of a state, for what the reference is asked."""

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

    def of(self, condition: Condition, binding: Mapping[str, str], wanted: bool = True) -> Formula | None:
        """The formula that says that a condition is true, or, if not `wanted`, that it is false."""
        if isinstance(condition, Atom):
            return self._literal(condition, binding, wanted)
        if isinstance(condition, Not):
            return self.of(condition.operand, binding, not wanted)
        if isinstance(condition, Imply):
            parts = ((condition.premise, not wanted), (condition.conclusion, wanted))
            formulas = (self.of(part, binding, positive) for part, positive in parts)
            return any_of(formulas) if wanted else all_of(formulas)
        if isinstance(condition, And | Or):
            formulas = (self.of(operand, binding, wanted) for operand in condition.operands)
            return all_of(formulas) if isinstance(condition, And) == wanted else any_of(formulas)
        return self._quantified(condition, binding, wanted)

    def _literal(self, atom: Atom, binding: Mapping[str, str], wanted: bool) -> Formula | None:
        arguments = tuple([binding.get(term, term) for term in atom.arguments])
        if atom.predicate in self._fluents:
            bit = self._numbering.bit(atom.predicate, arguments)
            return (bit, 0, ()) if wanted else (0, bit, ())
        if atom.predicate == "=":
            true = arguments[0] == arguments[1]
        else:
            relation = self._statics.get(atom.predicate)
            true = relation is not None and arguments in relation.tuples
        return TRUE if true == wanted else None

    def _quantified(self, condition: Exists | Forall, binding: Mapping[str, str], wanted: bool) -> Formula | None:
        if prod(len(self._types.members(parameter.types)) for parameter in condition.parameters) > EXPANDED:
            return 0, 0, (self._asked(condition, dict(binding), wanted),)
        assignments = self._types.assignments(condition.parameters, binding)
        formulas = (self.of(condition.body, inner, wanted) for inner in assignments)
        return all_of(formulas) if isinstance(condition, Forall) == wanted else any_of(formulas)

    def _asked(self, condition: Condition, binding: Mapping[str, str], wanted: bool) -> Test:
        return lambda state: self._world(state).holds(condition, binding) == wanted


def all_of(formulas: Iterable[Formula | None]) -> Formula | None:
    """The conjunction."""
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
    """The disjunction."""
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
    """Whether a formula is true in a state."""
    if formula is None:
        return False
    positive, negative, tests = formula
    return state & positive == positive and not state & negative and all(test(state) for test in tests)
