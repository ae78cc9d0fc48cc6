"""Invariants: for each object, a number of atoms that no action increases.

    (at ?p *)  (in ?p *)      a package is at one place, or in one truck: no action adds one of these atoms without
                              deleting another in its precondition, so their number never grows

An `Invariant` keeps some arguments (the package) and counts the values of at most one other. It is proved from the
effects of all actions, for all problems: each added atom is balanced by an atom that is required and deleted. If all
actions but one balance their added atoms, the invariant was perhaps intended, and that action is a `Leak`.

The proof is a simple form of Helmert's, "Concise finite-domain representations for PDDL planning tasks", Artificial
Intelligence 173 (2009): an add effect inside `forall` is never balanced, and constants of types are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import NamedTuple

from unpuzzle.limits import looked
from unpuzzle.pddl.declarations import Action, Domain
from unpuzzle.pddl.formulas import And, Atom, Effect, Forall, Increase, Not, When, conjuncts

MOST = 300
"""The largest number of candidates that are examined; further candidates of a large domain are left out."""


class Part(NamedTuple):
    """The counted atoms of one predicate: the indices of the kept arguments, and the index of the counted one."""

    predicate: str
    kept: tuple[int, ...]
    counted: int | None

    def key(self, atom: Atom) -> tuple[str, ...]:
        return tuple([atom.arguments[place] for place in self.kept])


Invariant = frozenset[Part]


class Leak(NamedTuple):
    """An action that adds an atom of an invariant without deleting another, `left`, as other actions do.

    If `deleted`, the action deletes that atom, but does not require it.
    """

    action: Action
    added: Atom
    left: Atom
    deleted: bool
    sibling: Action


class Change(NamedTuple):
    """An effect on one atom: the atoms required for it, and whether it is inside `forall`."""

    atom: Atom
    adds: bool
    needs: frozenset[Atom]
    quantified: bool


def changes(action: Action) -> list[Change]:
    return list(_changes(action.effect, _atoms(action.precondition), False))


def _changes(effect: Effect, needs: frozenset[Atom], quantified: bool) -> Iterator[Change]:
    if isinstance(effect, And):
        for part in effect.operands:
            yield from _changes(part, needs, quantified)
    elif isinstance(effect, When):
        yield from _changes(effect.effect, needs | _atoms(effect.condition), quantified)
    elif isinstance(effect, Forall):
        yield from _changes(effect.body, needs, True)
    elif isinstance(effect, Not):
        if isinstance(effect.operand, Atom):
            yield Change(effect.operand, False, needs, quantified)
    elif not isinstance(effect, Increase):
        yield Change(effect, True, needs, quantified)


def _atoms(condition: object) -> frozenset[Atom]:
    return frozenset(part for part in conjuncts(condition) if isinstance(part, Atom))  # type: ignore[arg-type]


class Invariants:
    """The invariants of a domain, and its leaks."""

    def __init__(self, domain: Domain, tick: Callable[[], None] | None = None) -> None:
        self.proved: list[Invariant] = []
        self.leaks: list[Leak] = []
        self._changes = {action: changes(action) for action in domain.actions}
        self._unequal = {action: _unequal(action) for action in domain.actions}
        added = {change.atom.predicate for each in self._changes.values() for change in each if change.adds}
        waiting: list[Invariant] = []
        for predicate in domain.predicates:
            places = range(len(predicate.parameters))
            if predicate.name in added:
                for counted in (*places, None):
                    kept = tuple(place for place in places if place != counted)
                    waiting.append(frozenset({Part(predicate.name, kept, counted)}))
        seen = set(waiting)
        for candidate in looked(waiting, tick):
            refined = [each for each in self._judged(candidate) if each not in seen]
            seen.update(refined)
            waiting.extend(refined[: max(0, MOST - len(waiting))])

    def _judged(self, candidate: Invariant) -> list[Invariant]:
        """Keep a candidate if it is proved, and note its leak, if any; otherwise return wider candidates."""
        parts = {part.predicate: part for part in candidate}
        balanced: list[Action] = []
        open_adds: list[tuple[Action, Change]] = []
        for action, own in self._changes.items():
            adds = [change for change in own if change.adds and change.atom.predicate in parts]
            adds = [change for change in adds if change.atom not in change.needs or change.quantified]
            if self._heavy(action, adds, parts):
                return []
            lacking = [change for change in adds if not _balance(change, own, parts)]
            open_adds += [(action, change) for change in lacking]
            if adds and not lacking:
                balanced.append(action)
        if not open_adds:
            if balanced:
                self.proved.append(candidate)
            return []
        if balanced and len({action for action, _ in open_adds}) == 1:
            self._note_leak(*open_adds[0], parts, balanced[0])
        action, change = open_adds[0]
        return [candidate | {part} for part in self._refinements(change, self._changes[action], parts)]

    def _heavy(self, action: Action, adds: list[Change], parts: dict[str, Part]) -> bool:
        """Return whether an action may add two different atoms of the same object."""
        if any(change.quantified for change in adds):
            return True
        pairs = [(one, two) for at, one in enumerate(adds) for two in adds[:at] if one.atom != two.atom]
        return any(
            not self._apart(action, _key(one, parts), _key(two, parts)) and _both_new(one, two, parts)
            for one, two in pairs
        )

    def _apart(self, action: Action, one: tuple[str, ...], two: tuple[str, ...]) -> bool:
        """Return whether two keys surely differ."""
        return any(
            (first[0] != "?" and second[0] != "?" and first != second)
            or frozenset((first, second)) in self._unequal[action]
            for first, second in zip(one, two, strict=True)
            if first != second
        )

    def _refinements(self, add: Change, own: list[Change], parts: dict[str, Part]) -> Iterator[Part]:
        """Yield the parts that would balance an added atom."""
        key = _key(add, parts)
        for change in own:
            atom = change.atom
            spare = len(atom.arguments) - len(key)
            if change.adds or change.quantified or atom not in change.needs or spare not in (0, 1):
                continue
            if atom.predicate in parts or not set(key) <= set(atom.arguments):
                continue
            for kept in permutations(range(len(atom.arguments)), len(key)):
                if tuple([atom.arguments[place] for place in kept]) == key:
                    rest = [place for place in range(len(atom.arguments)) if place not in kept]
                    yield Part(atom.predicate, kept, rest[0] if rest else None)

    def _note_leak(self, action: Action, add: Change, parts: dict[str, Part], sibling: Action) -> None:
        key = _key(add, parts)
        own = self._changes[action]
        deleted = [each.atom for each in own if not each.adds and _of(each.atom, parts, key) and not each.quantified]
        needed = [atom for atom in add.needs if _of(atom, parts, key) and atom != add.atom]
        if deleted and deleted[0] != add.atom:
            self.leaks.append(Leak(action, add.atom, deleted[0], True, sibling))
        elif needed and not deleted:
            self.leaks.append(Leak(action, add.atom, min(needed, key=str), False, sibling))


def _unequal(action: Action) -> set[frozenset[str]]:
    """Return the pairs of terms that an action requires to differ."""
    negated = [part.operand for part in conjuncts(action.precondition) if isinstance(part, Not)]
    return {
        frozenset(atom.arguments)
        for atom in negated
        if isinstance(atom, Atom) and atom.predicate == "=" and len(atom.arguments) == 2
    }


def _key(change: Change, parts: dict[str, Part]) -> tuple[str, ...]:
    return parts[change.atom.predicate].key(change.atom)


def _of(atom: Atom, parts: dict[str, Part], key: tuple[str, ...]) -> bool:
    """Return whether an atom counts for the object with a key."""
    return atom.predicate in parts and parts[atom.predicate].key(atom) == key


def _both_new(one: Change, two: Change, parts: dict[str, Part]) -> bool:
    """Return whether two added atoms of the same object may differ and both be false before."""
    same: dict[str, str] = {}
    for pair in zip(_key(one, parts), _key(two, parts), strict=True):
        first, second = (_root(term, same) for term in pair)
        if first != second:
            old, new = (first, second) if first[0] == "?" else (second, first)
            same[old] = new
    atoms = [_renamed(change.atom, same) for change in (one, two)]
    before = [{_renamed(atom, same) for atom in change.needs} for change in (one, two)]
    return atoms[0] != atoms[1] and atoms[0] not in before[0] and atoms[1] not in before[1]


def _root(term: str, same: dict[str, str]) -> str:
    while term in same:
        term = same[term]
    return term


def _renamed(atom: Atom, same: dict[str, str]) -> Atom:
    return Atom(atom.predicate, tuple([_root(term, same) for term in atom.arguments]))


def _balance(add: Change, own: list[Change], parts: dict[str, Part]) -> bool:
    """Return whether another atom of the same object is required and deleted wherever an atom is added."""
    key = _key(add, parts)
    return add.atom in add.needs or any(
        not change.adds
        and not change.quantified
        and change.atom != add.atom
        and _of(change.atom, parts, key)
        and change.atom in add.needs
        and change.needs <= add.needs
        for change in own
    )
