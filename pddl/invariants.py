"""Invariants of domains: sets of atoms about one object of which the number of true atoms never increases.

    (at ?p *)  (in ?p *)      a package is at one place, or in one truck: no action adds one of these atoms without
                              deleting another in its precondition, so their number never grows

An `Invariant` keeps some arguments (the package) and counts the values of at most one other. It is proved from the
effects of all actions, for all problems. Two things are proved of each action:

    no two   it never makes two different atoms of one object true that were false before
    balance  where it makes one true, another one was true before and is false afterwards: it is asked for, it is
             deleted, and no effect adds it again, since adding wins over deleting

Both hold for all objects, so also where arguments are equal. An action that deletes `(at ?p ?a)` and adds `(at ?p ?b)`
and `(at ?p ?c)` changes nothing where ?b is ?a, and then adds a second place. So each proof goes through the *cases* in
which terms are the same object: `_unified` gives the most general case in which two atoms are equal, as in Prolog.

If all actions but one balance their added atoms, the invariant was perhaps intended, and that action is a `Leak`.

This is a form of Helmert's "Concise finite-domain representations for PDDL planning tasks", Artificial Intelligence 173
(2009). Two added atoms that two deleted ones balance are not seen.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, permutations
from typing import Any, NamedTuple, TypeGuard

from unpuzzle.base.run import within_limits
from unpuzzle.pddl.declarations import Action, Domain, Problem, type_names
from unpuzzle.pddl.formulas import (
    OBJECT,
    And,
    Atom,
    Condition,
    Exists,
    Forall,
    Imply,
    Not,
    Or,
    TypedName,
    When,
    conjuncts,
)
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.normal_form import SingleEffect, single_effects, substituted
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import Types

MOST = 300
"""The largest number of candidates that are examined; further candidates of a large domain are left out."""
_OTHER = " other"
"""The end of the names of variables that stand for other objects than those of the same effect: no name has a blank."""

Objects = frozenset[str]
Case = Mapping[str, str]
"""The terms that stand for variables that are the same object as others. No value is a key."""
Scope = Mapping[str, Collection[str]]
"""The objects that a variable may stand for."""
Exceptions = list[tuple[Atom, list[Case]]]
"""Atoms, each with the cases in which what is said of it does not hold."""


class InvariantPart(NamedTuple):
    """The atoms of one predicate in an invariant: the indices of the fixed arguments and of the counted argument."""

    predicate: str
    kept: tuple[int, ...]
    counted: int | None

    def key(self, atom: Atom) -> tuple[str, ...]:
        return tuple([atom.arguments[place] for place in self.kept])

    def pattern(self, key: Iterable[str], other: str) -> tuple[str, ...]:
        """Return the arguments of a counted atom: `key` are its fixed arguments, `other` is its counted argument."""
        names = dict(zip(self.kept, key, strict=True))
        return tuple([names.get(place, other) for place in range(len(self.kept) + (self.counted is not None))])


Invariant = frozenset[InvariantPart]


def counted(invariant: Invariant, atoms: Iterable[Atom]) -> dict[tuple[str, ...], list[Atom]]:
    """Return the atoms that belong to an invariant, without repetitions, grouped by the objects that they describe."""
    parts = {part.predicate: part for part in invariant}
    groups: dict[tuple[str, ...], list[Atom]] = {}
    for atom in dict.fromkeys(atoms):
        if atom.predicate in parts:
            groups.setdefault(parts[atom.predicate].key(atom), []).append(atom)
    return groups


class Leak(NamedTuple):
    """An action that probably lacks a delete effect: it adds the atom `added` and leaves the atom `left` true.

    If `deleted`, the action deletes that atom, but does not require it.
    """

    action: Action
    added: Atom
    left: Atom
    deleted: bool
    sibling: Action


class PreparedAction:
    """An action schema prepared for proofs: preconditions, single effects, and possible objects of its variables."""

    def __init__(self, action: Action, types: Types | None = None) -> None:
        effects = list(single_effects(action))
        self.action = action
        self.adds: list[SingleEffect] = [each for each in effects if each.adds]
        self.deletes: list[SingleEffect] = [each for each in effects if not each.adds]
        self.other_adds: list[SingleEffect] = list(map(_renamed_apart, self.adds))
        self.other_deletes: list[SingleEffect] = list(map(_renamed_apart, self.deletes))
        self._required = frozenset(conjuncts(action.precondition))
        self._types = types
        self._objects = self._with_objects({}, action.parameters)
        self._exchanges: dict[Hashable, tuple[Atom, Exceptions] | None] = {}

    def needs(self, *effects: SingleEffect) -> frozenset[Condition]:
        """Return the preconditions of the action, and the conditions of the given effects."""
        conditions = [each for effect in effects for each in effect.conditions]
        return self._required.union(*map(conjuncts, conditions)) if conditions else self._required

    def settled(self, case: Case, *effects: SingleEffect) -> tuple[Case, frozenset[Condition]] | None:
        """Extend the binding `case` by the equalities required for `effects`; return it and the conditions required.

        None if `effects` cannot happen for `case`.
        """
        found = _settled(self.needs(*effects), case)
        if found is None:
            return None
        same: dict[str, Objects] = {}
        for name, own in self._objects_of(*effects).items():
            term = found[0].get(name, name)
            same[term] = own & same.get(term, own if term[0] == "?" else frozenset((term,)))
        return found if all(same.values()) else None

    def _objects_of(self, *effects: SingleEffect) -> Mapping[str, Objects]:
        """Map each variable of the action and of `effects` to its possible objects; empty if types are unknown."""
        inner = [named for effect in effects for named in effect.parameters]
        return self._with_objects(self._objects, inner) if inner else self._objects

    def _with_objects(self, known: Mapping[str, Objects], variables: Iterable[TypedName]) -> dict[str, Objects]:
        """Add to `known`, a map from variables to possible objects, the objects of `variables` by their types."""
        if self._types is None:
            return {}
        objects = {**known}
        for each in variables:
            own = frozenset(self._types.members(each.types))
            objects[each.name] = own & objects.get(each.name, own)
        return objects

    def certainly_deleted(self, effect: SingleEffect) -> list[Atom]:
        """Return the atoms that are true whenever `effects` happen, and that the action then always deletes."""
        return [atom for atom, exceptions in self._deleted(effect, {}, self.needs(effect)) if not exceptions]

    def exchanged(self, add: SingleEffect, case: Case) -> tuple[Atom, Exceptions] | None:
        """Return the atom that `add` makes true, and the atoms that then become false, except for certain bindings.

        None if it makes no atom true.
        """
        key = add, frozenset(case.items())  # many candidates ask for the same
        if key not in self._exchanges:
            self._exchanges[key] = self._exchange(add, case)
        return self._exchanges[key]

    def _exchange(self, add: SingleEffect, case: Case) -> tuple[Atom, Exceptions] | None:
        """Compute the result of `exchanged` for one binding."""
        found = self.settled(case, add)
        if found is None:
            return None
        case, true = found
        atom: Atom = substituted(add.atom, case)
        if atom in true:
            return None
        false = self._deleted(add, case, true | {Not(atom)})  # else the effect changes nothing
        exceptions = [(each, [*where, *_added(self, each, add, case)]) for each, where in false]
        return atom, [(each, where) for each, where in exceptions if case not in where]

    def _deleted(
        self, effect: SingleEffect, case: Case, true: frozenset[Condition]
    ) -> Iterator[tuple[Atom, list[Case]]]:
        """Yield the atoms in `true` that are deleted when `effect` happens, each with the bindings for which it is not.

        For these bindings, the condition of a delete asks for different terms.
        """
        objects = self._objects_of(effect)
        for delete in self.other_deletes:
            name = delete.atom.predicate
            every = self._objects_of(delete)
            inner = {named.name: every.get(named.name) for named in delete.parameters}
            for atom in sorted([atom for atom in true if isinstance(atom, Atom) and atom.predicate == name], key=str):
                found = _unified(delete.atom, atom, case)
                # The delete must match the atom in all instances of the action, not only if terms happen to be equal.
                if found is None or _without_others(found) != case or not inner.keys() <= found.keys():
                    continue
                # Its quantified variables must range over all objects that the atom's terms may be.
                fits = [
                    own is not None and objects.get(found[name], {found[name]}) <= own for name, own in inner.items()
                ]
                parts = [substituted(part, found) for need in delete.conditions for part in conjuncts(need)]
                unsure = [part for part in parts if not _follows(part, true)]
                different = [part.operand for part in unsure if isinstance(part, Not) and _is_equality(part.operand)]
                if all(fits) and len(unsure) == len(different):
                    cases = [_equated(each.arguments[:1], each.arguments[1:], case) for each in different]
                    yield atom, [each for each in cases if each is not None]


class Invariants:
    """The invariants of a domain, and its leaks: actions that probably lack a delete effect."""

    def __init__(self, domain: Domain, types: Types | None = None) -> None:
        """Find the invariants for problems with the objects in `types` or, if `types` is None, for all problems."""
        self.proved: list[Invariant] = []
        self.leaks: list[Leak] = []
        if types is None:  # one object of each type stands for all
            objects = tuple([TypedName(f"some {name}", (name,)) for name in sorted(type_names(domain))])
            types = Types(Task(domain.trusted(), Problem("", domain.name, (), objects).trusted(domain)))
        self._types: Types = types
        self.schemas: list[PreparedAction] = [
            PreparedAction(action, types) for action in within_limits(domain.actions, long=True)
        ]
        added = {effect.atom.predicate for schema in self.schemas for effect in schema.adds}
        waiting: list[Invariant] = []
        for predicate in domain.predicates:
            places = range(len(predicate.parameters))
            if predicate.name in added:
                for place in (*places, None):
                    kept = tuple(each for each in places if each != place)
                    waiting.append(frozenset({InvariantPart(predicate.name, kept, place)}))
        seen = set(waiting)
        for candidate in within_limits(waiting, long=True):
            refined = [each for each in dict.fromkeys(self._examine(candidate)) if each not in seen]
            seen.update(refined)
            waiting.extend(refined[: max(0, MOST - len(waiting))])

    def _examine(self, candidate: Invariant) -> list[Invariant]:
        """Store a candidate if it is proved to be an invariant; otherwise return candidates that extend it."""
        parts = {part.predicate: part for part in candidate}
        balanced: list[PreparedAction] = []
        open_adds: list[tuple[PreparedAction, SingleEffect]] = []
        for schema in self.schemas:
            adds, lacking = _increasing_effects(schema, parts), _unbalanced(schema, parts)
            if lacking is None:
                return []
            open_adds += [(schema, each) for each in lacking]
            if adds and not lacking:
                balanced.append(schema)
        if not open_adds:
            if balanced:
                self.proved.append(candidate)
            return []
        if balanced and len({schema.action for schema, _ in open_adds}) == 1:
            self._note_leak(*open_adds[0], parts, balanced)
        first = [each for each in open_adds if each[0] is open_adds[0][0]]
        return [candidate | {part} for each in first for part in _refinements(*each, parts)]

    def _note_leak(
        self, schema: PreparedAction, add: SingleEffect, parts: dict[str, InvariantPart], others: list[PreparedAction]
    ) -> None:
        """Store a leak if an action neither deletes nor requires an atom, unlike other actions with similar effects.

        Where another leaves one as well, the comparison would be false. Where the others only go back, and the action
        exchanges another atom of the same object for the added one, the two may well be true together.
        """
        key, needs = _key(add, parts), schema.needs(add)
        deleted = [each.atom for each in schema.deletes if _counts(each.atom, parts, key) and not each.parameters]
        unasked = [atom for atom in deleted if atom != add.atom and atom not in needs]
        kept = sorted([each for each in needs if isinstance(each, Atom) and _counts(each, parts, key)], key=str)
        kept = [atom for atom in kept if not any(_fits(each.atom, atom) for each in schema.other_deletes)]
        back = not any(each.atom.predicate == add.atom.predicate for other in others for each in other.adds)
        exchanged = any({*key} <= {*each.arguments} for each in schema.certainly_deleted(add))
        if (back and key and exchanged) or not all(_replaces(each, parts) for each in others):
            return
        if unasked or (kept and not deleted):
            left = (unasked or kept)[0]
            self.leaks.append(Leak(schema.action, add.atom, left, bool(unasked), others[0].action))

    def with_action(self, invariant: Invariant, action: Action) -> bool:
        """Return whether an action, which need not be in the domain, preserves an invariant."""
        return _unbalanced(PreparedAction(action, self._types), {part.predicate: part for part in invariant}) == []

    def conserved(self, invariant: Invariant) -> bool:
        """Return whether the number of counted atoms never decreases: each delete effect has a matching add effect."""
        parts = {part.predicate: part for part in invariant}
        deleted = [(schema, each) for schema in self.schemas for each in schema.deletes if each.atom.predicate in parts]
        return bool(deleted) and all(
            any(
                _counts(add.atom, parts, _key(each, parts)) and {*add.conditions} <= {*each.conditions}
                for add in schema.adds
                if add.parameters in ((), each.parameters)
            )
            for schema, each in deleted
        )


def _increasing_effects(schema: PreparedAction, parts: dict[str, InvariantPart]) -> list[SingleEffect]:
    """Return the add effects of an action that may make an atom counted by an invariant true."""
    adds = [each for each in schema.adds if each.atom.predicate in parts]
    return [each for each in adds if each.atom not in schema.needs(each)]


def _unbalanced(schema: PreparedAction, parts: dict[str, InvariantPart]) -> list[SingleEffect] | None:
    """Return an action's add effects that no delete effect balances; None if two add effects may happen together."""
    adds = _increasing_effects(schema, parts)
    if any(_may_add_both(schema, *pair, parts) for pair in combinations_with_replacement(adds, 2)):
        return None
    return [each for each in adds if not _balanced(schema, each, parts, {})]


def _replaces(schema: PreparedAction, parts: dict[str, InvariantPart]) -> bool:
    """Return whether an action deletes each atom of an invariant that its precondition requires and it does not add."""
    for add in [each for each in schema.adds if each.atom.predicate in parts]:
        key, needs = _key(add, parts), schema.needs(add)
        asked = {each for each in needs if isinstance(each, Atom) and _counts(each, parts, key)} - {add.atom}
        if not asked <= {*schema.certainly_deleted(add)}:
            return False
    return True


def _refinements(schema: PreparedAction, add: SingleEffect, parts: dict[str, InvariantPart]) -> Iterator[InvariantPart]:
    """Yield the parts that extend a candidate for an invariant so that a delete effect balances the effect `add`."""
    key = _key(add, parts)
    for atom in schema.certainly_deleted(add):
        spare = len(atom.arguments) - len(key)
        if spare not in (0, 1) or atom.predicate in parts or not set(key) <= set(atom.arguments):
            continue
        for kept in permutations(range(len(atom.arguments)), len(key)):
            if tuple([atom.arguments[place] for place in kept]) == key:
                rest = [place for place in range(len(atom.arguments)) if place not in kept]
                yield InvariantPart(atom.predicate, kept, rest[0] if rest else None)


def _may_add_both(
    schema: PreparedAction, one: SingleEffect, other: SingleEffect, parts: dict[str, InvariantPart]
) -> bool:
    """Return whether one action may make two different counted atoms of the same object true by two add effects."""
    if one is other and not one.parameters:
        return False
    two = _renamed_apart(other)
    case = _equated(_key(one, parts), _key(two, parts), {})
    found = None if case is None else schema.settled(case, one, two)
    if found is None:
        return False
    case, true = found
    atoms = [substituted(effect.atom, case) for effect in (one, two)]
    return atoms[0] != atoms[1] and true.isdisjoint(atoms)


def _balanced(schema: PreparedAction, add: SingleEffect, parts: dict[str, InvariantPart], case: Case) -> bool:
    """Return whether the action, when `add` makes a counted atom true, makes another atom of the same object false."""
    found = schema.exchanged(add, case)
    if found is None:
        return True
    atom, exceptions = found
    key = parts[atom.predicate].key(atom)
    return any(
        _counts(each, parts, key) and all(_balanced(schema, add, parts, one) for one in where)
        for each, where in exceptions
    )


def _added(schema: PreparedAction, deleted: Atom, add: SingleEffect, case: Case) -> Iterator[Case]:
    """Yield the extensions of `case` with which another add effect of the action makes the atom `deleted` true."""
    for each in schema.other_adds:
        unified = _unified(each.atom, deleted, case)
        found = None if unified is None else schema.settled(unified, add, each)
        if found is not None:
            yield _without_others(found[0])


def _key(effect: SingleEffect, parts: dict[str, InvariantPart]) -> tuple[str, ...]:
    return parts[effect.atom.predicate].key(effect.atom)


def _counts(atom: Atom, parts: dict[str, InvariantPart], key: tuple[str, ...]) -> bool:
    """Return whether an atom belongs to an invariant and has the fixed arguments `key`."""
    return atom.predicate in parts and parts[atom.predicate].key(atom) == key


def _renamed_apart(effect: SingleEffect) -> SingleEffect:
    """Rename the quantified variables of an effect, so that they differ from those of the effect as written."""
    if not effect.parameters:
        return effect
    names = {each.name: f"{each.name}{_OTHER}" for each in effect.parameters}
    return effect.replace(
        parameters=tuple([TypedName(names[each.name], each.types) for each in effect.parameters]),
        conditions=tuple([substituted(each, names) for each in effect.conditions]),
        literal=substituted(effect.literal, names),
    )


def _unified(one: Atom, two: Atom, case: Case) -> Case | None:
    """Extend the binding `case` to the most general one that makes two atoms equal; None if this is impossible."""
    return _equated(one.arguments, two.arguments, case) if one.predicate == two.predicate else None


def _equated(ones: Sequence[str], others: Sequence[str], case: Case) -> Case | None:
    """Extend a binding so that the terms in two sequences become equal in pairs; return None if this is impossible."""
    for one, other in zip(ones, others, strict=True):
        first, second = case.get(one, one), case.get(other, other)
        if first[0] != "?" or second.endswith(_OTHER):
            first, second = second, first
        if first[0] != "?" and first != second:
            return None
        if first != second:
            case = {name: second if term == first else term for name, term in case.items()} | {first: second}
    return case


def _fits(pattern: Atom, atom: Atom) -> bool:
    """Return whether replacing the quantified variables in `pattern` can make it equal to `atom`."""
    found = _unified(pattern, atom, {})
    return found is not None and not _without_others(found)


def _without_others(case: Case) -> Case:
    return {name: term for name, term in case.items() if not name.endswith(_OTHER)}


def _settled(conditions: Iterable[Condition], case: Case) -> tuple[Case, frozenset[Condition]] | None:
    """Extend a binding by the equalities in conditions; return it with the bound conditions, None if contradictory."""
    while True:
        true = frozenset([substituted(part, case) for part in conditions] if case else conditions)
        equal = sorted([each.arguments for each in true if _is_equality(each)])
        unequal = next(((one, other) for one, other in equal if one != other), None)
        if unequal is None:
            break
        equated = _equated(unequal[:1], unequal[1:], case)
        if equated is None:
            return None
        case = equated
    negated = [each.operand for each in true if isinstance(each, Not)]
    return None if Or() in true or any(_follows(each, true) for each in negated) else (case, true)


def _follows(condition: Condition, true: frozenset[Condition]) -> bool:
    """Return whether the conditions in `true` are known to imply a condition."""
    if condition in true:
        return True
    if isinstance(condition, And | Or):
        return (all if isinstance(condition, And) else any)(_follows(part, true) for part in condition.operands)
    if isinstance(condition, Imply):
        return _follows(condition.conclusion, true) or Not(condition.premise) in true
    if isinstance(condition, Exists) and [each.types for each in condition.parameters] == [OBJECT]:
        terms = {term for each in true if isinstance(each, Atom) for term in each.arguments}
        bodies = [substituted(condition.body, {condition.parameters[0].name: term}) for term in terms]
        return any(_follows(each, true) for each in bodies)
    return _is_equality(condition) and len(set(condition.arguments)) == 1


def _is_equality(condition: Condition) -> TypeGuard[Atom]:
    return isinstance(condition, Atom) and condition.predicate == "="


def invariants_of_task(semantics: Semantics, of_domain: Invariants) -> list[Invariant]:
    """Return the invariants of the task's domain, and invariants that hold only for the task's problem."""
    task, types = semantics.task, semantics.types
    if any(len(each.types) > 1 for each in (*task.domain.constants, *task.problem.objects)):
        of_domain = Invariants(task.domain, types)
    own = _with_false_conditions(semantics)
    more = Invariants(own, types).proved if own.actions != task.domain.actions else ()
    return list(dict.fromkeys([*of_domain.proved, *more]))


def _with_false_conditions(semantics: Semantics) -> Domain:
    """Return a task's domain with `(or)` in place of each condition that is false in all reachable states.

    A fact is never true if its predicate is true of no such objects at the start, and no action that may be applied
    adds facts of the predicate.
    """
    domain, growing = semantics.task.domain, set[str]()
    adds = [(action, [each for each in single_effects(action) if each.adds]) for action in domain.actions]
    while True:
        evaluation = _Evaluation(semantics, growing)
        more = {name for action, effects in adds for name in evaluation.added(action, effects)}
        rules = [rule for rule in domain.axioms if rule.head.name not in growing]
        more |= {rule.head.name for rule in rules if evaluation.may_hold(rule.head.parameters, rule.body)}
        if not more:
            return domain.replace(actions=tuple(map(evaluation.action, domain.actions)))
        growing |= more


class _Evaluation:
    """A test for conditions that are never true in a problem; only predicates in `growing` can get new facts.

    (and (at ?x) (bridge ?x ?y))     without any bridge at the start, it is (and (at ?x) (or)): never true
    """

    def __init__(self, semantics: Semantics, growing: Collection[str]) -> None:
        self._types = semantics.types
        self._growing = growing
        self._world = semantics.world(semantics.initial)

    def may_hold(self, parameters: Sequence[TypedName], *conditions: Condition) -> bool:
        """Return whether the conjunction of the conditions may be true for some values of the parameters."""
        return Or() not in conjuncts(self._conjunction(And(conditions), parameters))

    def added(self, action: Action, effects: Iterable[SingleEffect]) -> Iterator[str]:
        """Yield the predicates of atoms that an action may add and that are not yet in `growing`."""
        effects = [each for each in effects if each.atom.predicate not in self._growing]
        if effects and self.may_hold(action.parameters, action.precondition):
            for each in effects:
                parameters = (*action.parameters, *each.parameters)
                if not each.conditions or self.may_hold(parameters, action.precondition, *each.conditions):
                    yield each.atom.predicate

    def action(self, action: Action) -> Action:
        precondition = self._conjunction(action.precondition, action.parameters)
        effect = self._evaluated(action.effect, self._types.domains(action.parameters), effect=True)
        return action.replace(precondition=precondition, effect=effect)

    def _conjunction(self, condition: Condition, parameters: Sequence[TypedName]) -> Condition:
        """Replace always false parts of a condition by `(or)`; its required static atoms limit the parameters."""
        scope: dict[str, Collection[str]] = {**self._types.domains(parameters)}
        for part in conjuncts(condition):
            facts = self._facts(part, scope) if isinstance(part, Atom) else None
            if facts is not None:
                scope |= {term: {objects[place] for objects in facts} for place, term in enumerate(part.arguments)}
        possible: Condition = self._evaluated(condition, scope) if all(scope.values()) else Or()
        return possible

    def _evaluated(self, formula: Any, scope: Scope, effect: bool = False) -> Any:
        """Replace the parts of a condition or an effect that are always false by `(or)`."""
        if isinstance(formula, Atom):
            return formula if effect or self._facts(formula, scope) != [] else Or()
        if isinstance(formula, Exists | Forall):
            scope = {**scope, **self._types.domains(formula.parameters)}
        parts = formula.children()
        kinds = (False, effect) if isinstance(formula, When) else (effect,) * len(parts)
        found = [self._evaluated(part, scope, kind) for part, kind in zip(parts, kinds, strict=True)]
        if all(new is old for new, old in zip(found, parts, strict=True)):
            return formula
        return And() if found == [Or()] and isinstance(formula, Not) else formula.rebuilt(found)

    def _facts(self, atom: Atom, scope: Scope) -> list[tuple[str, ...]] | None:
        """Return the argument tuples of the initial facts that match an atom; None if facts may be added later."""
        if atom.predicate in ("=", *self._growing):
            return None
        domains = [frozenset(scope.get(term, (term,))) for term in atom.arguments]
        return [
            objects
            for objects in self._world.facts(atom.predicate).tuples
            if all(name in domain for name, domain in zip(objects, domains, strict=True))
        ]
