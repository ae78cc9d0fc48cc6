"""Atoms as bits, and ground conditions as bit masks, with static atoms already evaluated.

    (and (at ?x) (not (shut ?x)) (or (light) (key ?x)))      with ?x = hall

    positive     the bit of (at hall)            must all be set
    negative     the bit of (shut hall)          none may be set
    tests        [one of (light), (key hall)]    functions of the state, for everything but plain literals

A formula is such a triple, or None if the condition is false in all states. Quantifiers become conjunctions and
disjunctions over their objects. A quantifier with more than `EXPANDED` assignments is left to the reference
(`World.holds`) in each state, which may stop at the first assignment that decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from math import prod
from operator import or_

from unpuzzle.pddl.nodes import And, Atom, Condition, Forall, Imply, Not, Or
from unpuzzle.pddl.world import FactTable, Types, World

Test = Callable[[int], bool]
Formula = tuple[int, int, tuple[Test, ...]]
MakeAtom = Callable[..., Atom]

TRUE: Formula = (0, 0, ())
EXPANDED = 2_000


class Numbering:
    """The numbering of a task's fluent and derived atoms by bits.

    An atom gets the next bit when it first occurs. `make` makes an atom from a predicate and arguments; if it returns
    the same node for the same words, comparing sets of atoms is faster.
    """

    def __init__(self, make: MakeAtom | None = None) -> None:
        self._make = make or (lambda predicate, *arguments: Atom(predicate, arguments))
        self._bits: dict[tuple[str, tuple[str, ...]], int] = {}
        self._atoms: list[Atom] = []
        self.masks: dict[str, int] = {}
        """The bits of all atoms of a predicate."""

    def bit(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Return an int in which only the bit of the atom is set."""
        key = predicate, arguments
        bit = self._bits.get(key)
        if bit is None:
            bit = self._bits[key] = 1 << len(self._atoms)
            self._atoms.append(self._make(predicate, *arguments))
            self.masks[predicate] = self.masks.get(predicate, 0) | bit
        return bit

    def ground(self, atom: Atom, binding: Mapping[str, str]) -> int:
        """Return the bit of an atom after its variables are replaced by objects."""
        return self.bit(atom.predicate, tuple([binding.get(term, term) for term in atom.arguments]))

    def state(self, atoms: Iterable[Atom]) -> int:
        """Return the int in which exactly the bits of some atoms are set."""
        state = 0
        for atom in atoms:
            state |= self.bit(atom.predicate, atom.arguments)
        return state

    def atoms(self, state: int) -> frozenset[Atom]:
        return frozenset([self._atoms[bit.bit_length() - 1] for bit in bits(state)])

    def mask(self, predicates: Iterable[str]) -> int:
        """Return the bits of all atoms of some predicates that have been numbered so far."""
        return reduce(or_, [self.masks.get(predicate, 0) for predicate in predicates], 0)


def bits(state: int) -> list[int]:
    """Return each bit that is set as a separate int, the lowest first."""
    single = []
    while state:
        low = state & -state
        single.append(low)
        state ^= low
    return single


class Formulas:
    """Compiles conditions to formulas; `world` returns the `World` of a state for the reference semantics."""

    def __init__(
        self,
        types: Types,
        statics: Mapping[str, FactTable],
        fluents: frozenset[str],
        numbering: Numbering,
        world: Callable[[int], World],
    ) -> None:
        self.types: Types = types
        self.numbering: Numbering = numbering
        self._statics = statics
        self._fluents = fluents
        self._world = world

    def of(self, condition: Condition, binding: Mapping[str, str], positive: bool = True) -> Formula | None:
        """Return the compiled formula of a condition or, if not `positive`, of the condition's negation."""
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
        if prod(len(self.types.members(parameter.types)) for parameter in condition.parameters) > EXPANDED:
            outer = dict(binding)
            return 0, 0, (lambda state: self._world(state).holds(condition, outer) == positive,)
        assignments = self.types.assignments(condition.parameters, binding)
        formulas = (self.of(condition.body, inner, positive) for inner in assignments)
        return all_of(formulas) if isinstance(condition, Forall) == positive else any_of(formulas)

    def _literal(self, atom: Atom, binding: Mapping[str, str], positive: bool) -> Formula | None:
        if atom.predicate in self._fluents:
            bit = self.numbering.ground(atom, binding)
            return (bit, 0, ()) if positive else (0, bit, ())
        arguments = tuple([binding.get(term, term) for term in atom.arguments])
        if atom.predicate == "=":
            true = arguments[0] == arguments[1]
        else:
            facts = self._statics.get(atom.predicate)
            true = facts is not None and arguments in facts.tuples
        return TRUE if true == positive else None


def all_of(formulas: Iterable[Formula | None]) -> Formula | None:
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
    alternatives: list[Formula] = []
    for formula in formulas:
        if formula == TRUE:
            return TRUE
        if formula is not None:
            alternatives.append(formula)
    if len(alternatives) < 2:
        return alternatives[0] if alternatives else None
    return 0, 0, (lambda state: any(holds(alternative, state) for alternative in alternatives),)


def holds(formula: Formula | None, state: int) -> bool:
    if formula is None:
        return False
    positive, negative, tests = formula
    return state & positive == positive and not state & negative and all(test(state) for test in tests)
