"""Find the walker of a task: the object whose moves change only its own place, such as Sokoban's player.

A *thing* is a set of atoms of one predicate that agree in all arguments but one: `(at truck1 ?)`. A *stride* is an
action schema with an unconditional effect that replaces an atom of a thing by another one, and that may change nothing
else except its shadow (`shadows`):

    (:action walk    ...  :effect (and (not (player ?from)) (player ?to)))                      a stride
    (:action move    ...  :effect (and (not (at ?from)) (at ?to) (not (food ?to))))             one: no food, no more
    (:action step    ...  :effect (and (not (at ?p ?from)) (at ?p ?to) (clear ?from) (not (clear ?to))))        one
    (:action push    ...  :effect (and (not (player ?from)) (player ?to) (not (box ?to)) ...))  none: it needs that box
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import product

from unpuzzle.base.errors import EffortSpent
from unpuzzle.base.run import checkpoint
from unpuzzle.base.values import Record
from unpuzzle.pddl.formulas import Atom, Not, conjuncts, walk
from unpuzzle.pddl.nodes import Action, Domain, GroundAction, Problem
from unpuzzle.pddl.normal_form import changes, single_effects
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import FactTable, fact_tables

# Predicates that only say which places are without the walker: a walk may change them, and still counts as a walk.
#
#     (:action move   ...  :effect (and (not (at ?p ?from)) (at ?p ?to)  (clear ?from) (not (clear ?to))))
#
# `clear` is a *shadow* of `at` if for each place `c` always exactly one of the atoms `(clear c)`, `(at t1 c)`, `(at t2
# c)` ... holds, or always none. Then it adds no information. That is proved by counting on the action schemas: every
# atom that an action deletes at a place was certainly true, and the action adds as many there; the start is checked as
# well.

Place = tuple[str, int]  # a predicate, and which of its arguments is the place
Group = frozenset[Place]


def shadows_of(domain: Domain, problem: Problem | None = None) -> dict[Place, str]:
    """Map a moving object's predicate and its place argument's index to its shadow, the predicate of free places.

    Without a problem, a suitable start is assumed.
    """
    derived = {axiom.head.name for axiom in domain.axioms}
    shadows: dict[Place, set[str]] = {}
    unary = [predicate.name for predicate in domain.predicates if len(predicate.parameters) == 1]
    actions = list(map(_changing, domain.actions)) if unary else []
    for name in unary:
        group = None if name in derived else _group(name, actions)
        if group is not None and (problem is None or _starts(group, name, problem.init)):
            for place in group - {(name, 0)}:
                shadows.setdefault(place, set()).add(name)
    return {place: names.pop() for place, names in shadows.items() if len(names) == 1}


class _Changing(Record):
    """The atoms that an action adds and deletes, its preconditions, and the predicates of its conditional effects."""

    added: frozenset[Atom]
    deleted: frozenset[Atom]
    needed: frozenset[object]
    unsure: frozenset[str]


def _changing(action: Action) -> _Changing:
    effects = list(single_effects(action))
    others = [part for each in effects if not each.always for part in walk(each.formula) if isinstance(part, Atom)]
    added, deleted = map(frozenset, changes(each for each in effects if each.always))
    needed = frozenset(conjuncts(action.precondition))
    return _Changing(added, deleted, needed, frozenset(atom.predicate for atom in others))


def _group(name: str, actions: Iterable[_Changing]) -> Group | None:
    """Return the smallest set of predicates with `name` whose number of true atoms no action changes, or None."""
    group: Group | None = frozenset({(name, 0)})
    before = None
    while group is not None and group != before:
        before = group
        for action in actions:
            group = group and _extended(group, action)
    return group


def _extended(group: Group, action: _Changing) -> Group | None:
    """Extend a group of predicates so that an action keeps its number of true atoms; None if this is not proved."""
    names, added, deleted = {name for name, _ in group}, action.added, action.deleted
    if names & action.unsure or any(atom.predicate in names for atom in deleted - action.needed):
        return None
    more, less = (Counter(_places(group, atoms)) for atoms in (added, deleted))
    unequal = sorted(place for place in {*more, *less} if more[place] != less[place])
    for place in unequal:
        others = added if more[place] < less[place] else deleted
        fits = {(atom.predicate, i) for atom in others for i, term in enumerate(atom.arguments) if term == place}
        fits -= group
        if abs(more[place] - less[place]) == len(fits) == 1:
            return group | fits
    return None if unequal else group


def _places(group: Group, atoms: Iterable[Atom]) -> list[str]:
    return [atom.arguments[place] for atom in atoms for name, place in group if atom.predicate == name]


def _starts(group: Group, name: str, init: Iterable[Atom]) -> bool:
    """Return whether initially each place is in one atom of the group, and several are in atoms of predicate `name`."""
    atoms = list(init)
    numbers = Counter(_places(group, atoms)).values()
    return all(number == 1 for number in numbers) and sum(atom.predicate == name for atom in atoms) > 1


Binding = dict[str, str]


class Thing(Record):
    """An object that can move: the atoms of one predicate that differ only in the argument number `place`."""

    predicate: str
    arguments: tuple[str, ...]
    place: int

    def has(self, atom: Atom) -> bool:
        return atom.predicate == self.predicate and _without(atom.arguments, self.place) == self.arguments

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.arguments[: self.place], '?', *self.arguments[self.place :]))})"


class Stride(Record):
    """An action schema that can move one object from a place to another and change nothing else."""

    action: Action
    before: Atom
    after: Atom
    place: int
    shadow: str | None = None

    def thing(self, binding: Binding) -> Thing:
        """Return the thing that a ground action moves; `binding` maps the schema's variables to objects."""
        others = tuple([binding.get(term, term) for term in _without(self.before.arguments, self.place)])
        return Thing(self.before.predicate, others, self.place)

    def moves(self, thing: Thing) -> bool:
        return (self.before.predicate, self.place) == (thing.predicate, thing.place)

    def ends(self, binding: Binding) -> tuple[str, str]:
        """Return the old and the new place of the thing that a ground action moves."""
        start, end = (atom.arguments[self.place] for atom in (self.before, self.after))
        return binding.get(start, start), binding.get(end, end)

    def fitted(self, before: Atom, after: Atom) -> Binding | None:
        """Return a binding for which `before` and `after` become the given atoms; None if there is none."""
        binding: Binding = {}
        for schema, ground in ((self.before, before), (self.after, after)):
            if schema.predicate != ground.predicate:
                return None
            for term, name in zip(schema.arguments, ground.arguments, strict=True):
                if (binding.setdefault(term, name) if term.startswith("?") else term) != name:
                    return None
        return binding

    @property
    def names_its_thing(self) -> bool:
        """Whether all ground actions of the schema move the same thing."""
        return not any(term.startswith("?") for term in _without(self.before.arguments, self.place))


def strides_of(domain: Domain, shadows: Mapping[Place, str] = {}) -> list[Stride]:
    """Return the strides of a domain: the action schemas that can move one thing and change nothing else."""
    strides = []
    for action in domain.actions:
        added, deleted = changes(each for each in single_effects(action) if each.always)
        for before, after in product(deleted, added):
            place = _place(before, after)
            if place is None:
                continue
            shadow = shadows.get((before.predicate, place))
            swapped = () if shadow is None else shadow_of(shadow, before, after, place)
            rest = [[atom for atom in atoms if atom not in swapped] for atoms in (added, deleted)]
            if not _changes_more(action, before, after, *rest):
                strides.append(Stride(action, before, after, place, shadow))
    return strides


def may_cast_another_shadow(domain: Domain, thing: Thing, shadow: str | None) -> bool:
    """Return whether a predicate besides `shadow` may be true of exactly the places that a moving object leaves free.

    It is one that an action makes true of the place that the thing leaves, and false of the place that it reaches.
    """
    for action in domain.actions:
        names = {parameter.name for parameter in action.parameters}
        added, deleted = changes(single_effects(action))
        for before, after in product(deleted, added):
            if (before.predicate, _place(before, after)) != (thing.predicate, thing.place):
                continue
            for atom, other in product(added, deleted):
                if atom.predicate == other.predicate != shadow and len(atom.arguments) == len(other.arguments) == 1:
                    places = zip(shadow_of(atom.predicate, before, after, thing.place), (atom, other), strict=True)
                    if all(one == two or _free(two.arguments[0], names) for one, two in places):
                        return True
    return False


def moves_under_conditions(action: Action, thing: Thing) -> bool:
    """Return whether an action has a conditional or quantified effect that may move the thing."""
    return any(each.atom.predicate == thing.predicate and not each.always for each in single_effects(action))


def shadow_of(predicate: str, before: Atom, after: Atom, place: int) -> tuple[Atom, Atom]:
    """Return the atoms of predicate `predicate` for the place in `before` and for the place in `after`."""
    start, end = (Atom(predicate, (atom.arguments[place],)) for atom in (before, after))
    return start, end


def _place(before: Atom, after: Atom) -> int | None:
    """Return the index of the only argument in which two atoms of the same predicate differ, else None."""
    if before.predicate != after.predicate or len(before.arguments) != len(after.arguments):
        return None
    pairs = zip(before.arguments, after.arguments, strict=True)
    places = [place for place, (one, other) in enumerate(pairs) if one != other]
    return places[0] if len(places) == 1 else None


def _changes_more(action: Action, before: Atom, after: Atom, added: list[Atom], deleted: list[Atom]) -> bool:
    """Return whether an action always changes more atoms than `before` and `after`."""
    needed = set(conjuncts(action.precondition))
    return (
        before in added
        or any(atom in needed and atom not in added for atom in deleted if atom != before)
        or any(Not(atom) in needed for atom in added if atom != after)
    )


FACTS_PER_ACTION = 10
"""The most combinations of facts examined for each allowed ground action."""


class Ground:
    """A generator of ground actions whose types and static preconditions hold.

    It raises EffortSpent if it would have to examine more than `most` combinations of facts.
    """

    def __init__(self, semantics: Semantics, most: int | None = None) -> None:
        self._most = most
        self._looked = 0
        self._types = semantics.types
        self._static = semantics.static_predicates
        facts = [atom for atom in semantics.task.problem.init if atom.predicate in self._static]
        self._tables: Mapping[str, FactTable] = fact_tables(facts)

    def bindings(self, action: Action, binding: Mapping[str, str] = {}) -> Iterator[Binding]:
        """Yield the extensions of `binding` to all variables of a schema that satisfy the static preconditions."""
        domains = {name: frozenset(members) for name, members in self._types.domains(action.parameters).items()}
        if all(name in domains.get(variable, ()) for variable, name in binding.items()):
            parts = conjuncts(action.precondition)
            static = [part for part in parts if isinstance(part, Atom) and part.predicate in self._static]
            yield from self._joined(dict(binding), static, domains)

    def actions(self, action: Action, binding: Mapping[str, str]) -> Iterator[tuple[GroundAction, Binding]]:
        """Yield each ground action of a schema that agrees with `binding`, together with its full binding."""
        for full in self.bindings(action, binding):
            yield GroundAction(action.name, tuple([full[parameter.name] for parameter in action.parameters])), full

    def _joined(
        self, binding: Binding, static: Sequence[Atom], domains: Mapping[str, frozenset[str]]
    ) -> Iterator[Binding]:
        """Extend a binding by facts that match the static preconditions, those with the fewest free variables first."""
        if not static:
            free = [name for name in domains if name not in binding]
            for objects in product(*[sorted(domains[name], key=self._types.order.__getitem__) for name in free]):
                yield {**binding, **dict(zip(free, objects, strict=True))}
            return
        atom = min(static, key=lambda atom: sum(_free(term, binding) for term in atom.arguments))
        rest = [other for other in static if other is not atom]
        bound = tuple([place for place, term in enumerate(atom.arguments) if not _free(term, binding)])
        values = tuple([binding.get(atom.arguments[place], atom.arguments[place]) for place in bound])
        table = self._tables.get(atom.predicate)
        for arguments in () if table is None else table.index(bound).get(values, ()):
            self._count_combination()
            extended = dict(binding)
            for term, name in zip(atom.arguments, arguments, strict=True):
                if _free(term, binding) and (name not in domains[term] or extended.setdefault(term, name) != name):
                    break
            else:
                yield from self._joined(extended, rest, domains)

    def _count_combination(self) -> None:
        """Count one more examined combination of facts. Raises EffortSpent after more than `most` combinations."""
        self._looked += 1
        checkpoint()
        if self._most is not None and self._looked > self._most:
            raise EffortSpent(
                f"a walker could not be found among the first {self._most:,} combinations of facts", feature="walkers"
            )


def thing_that_walks(semantics: Semantics, strides: Sequence[Stride], most: int | None = None) -> Thing | None:
    """Return the thing with the most ground moves that another move can undo; None if there is none.

    A thing that is at several places at the start, such as Sokoban's boxes, does not walk. Raises EffortSpent if more
    than `most` ground actions would have to be examined.
    """
    kinds: dict[tuple[str, int], list[Stride]] = {}
    for stride in strides:
        kinds.setdefault((stride.before.predicate, stride.place), []).append(stride)
    strides = [stride for kind in kinds.values() if _may_return(semantics, kind) for stride in kind]
    ground = Ground(semantics, most and FACTS_PER_ACTION * most)
    alone = len({(stride.before.predicate, stride.place) for stride in strides}) == 1 and strides[0].names_its_thing
    ways: dict[Thing, dict[tuple[str, str], int]] = {}
    for number, (stride, binding) in enumerate(_all(ground, strides)):
        checkpoint()
        if most is not None and number >= most:
            raise EffortSpent(f"more than {most:,} ground actions may be moves of a walker", feature="walkers")
        thing, (start, end) = stride.thing(binding), stride.ends(binding)
        edges = ways.setdefault(thing, {})
        edges[start, end] = edges.get((start, end), 0) + (start != end)
        if alone and start != end and (end, start) in edges:
            break  # its other actions do not matter if no other thing may walk
    return _chosen(semantics, ways)


def _may_return(semantics: Semantics, strides: Iterable[Stride]) -> bool:
    """Return whether the static preconditions of strides allow a thing to move back; a counter, for example, cannot."""
    ways: set[tuple[str, str]] = set()
    for stride in strides:
        ends = [atom.arguments[stride.place] for atom in (stride.before, stride.after)]
        parts = [part for part in conjuncts(stride.action.precondition) if isinstance(part, Atom)]
        fixed = [
            part for part in parts if part.predicate in semantics.static_predicates and {*ends} <= {*part.arguments}
        ]
        if not fixed:
            return True
        one, other = (fixed[0].arguments.index(end) for end in ends)
        facts = [atom for atom in semantics.task.problem.init if atom.predicate == fixed[0].predicate]
        ways.update([(fact.arguments[one], fact.arguments[other]) for fact in facts])
    return any(start != end and (end, start) in ways for start, end in ways)


def one_casts_shadows(semantics: Semantics, strides: Iterable[Stride], most: int | None = None) -> bool:
    """Return whether only one thing leaves free places behind when it moves, as Sokoban's player, not Hanoi's discs.

    Raises EffortSpent as `thing_that_walks` does.
    """
    ground, things = Ground(semantics, most and FACTS_PER_ACTION * most), set[Thing]()
    for stride, binding in _all(ground, [stride for stride in strides if stride.shadow]):
        checkpoint()
        things.add(stride.thing(binding))
        if len(things) > 1:
            return False
    return True


def _all(ground: Ground, strides: Iterable[Stride]) -> Iterator[tuple[Stride, Binding]]:
    for stride in strides:
        for binding in ground.bindings(stride.action):
            yield stride, binding


def _chosen(semantics: Semantics, ways: Mapping[Thing, Mapping[tuple[str, str], int]]) -> Thing | None:
    """Return the object with the most reversible moves, among objects that initially have at most one place."""
    numbers = {
        thing: sum([number for (start, end), number in edges.items() if (end, start) in edges])
        for thing, edges in ways.items()
    }
    for thing in sorted(numbers, key=lambda thing: (-numbers[thing], str(thing))):
        if numbers[thing] and sum(map(thing.has, semantics.initial)) <= 1:
            return thing
    return None


def _free(term: str, binding: Container[str]) -> bool:
    return term.startswith("?") and term not in binding


def _without(arguments: tuple[str, ...], place: int) -> tuple[str, ...]:
    return (*arguments[:place], *arguments[place + 1 :])
