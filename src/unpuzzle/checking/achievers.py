"""The achievers of a fact: effects and axioms that make it true, each with its conditions.

    (at truck c)   drive, from any place ?a: needs (at truck ?a) and (road ?a c)

A way is *possible* if its static conditions hold for some objects: without a road, there is no way to drive. Its other
conditions are judged in chains.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import prod

from unpuzzle.base.text import listing
from unpuzzle.base.values import Record
from unpuzzle.pddl.formulas import conjuncts, free_variables, walk
from unpuzzle.pddl.nodes import And, Atom, Condition, Exists, Forall, Imply, Not, Or, Task, TypedName
from unpuzzle.pddl.normal_form.single_effects import single_effects, substituted
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.pddl.writer import typed

MOST_INSTANCES, MOST_NEARLY, MOST_ALTERNATIVES = 2_000, 200, 16
"""Limits on the tried choices of an action's objects; on the choices for which a single fact is
missing; and on the ways to fulfil an `or`."""


class Literal(Record):
    """A ground fact that should be true or, if `sign` is False, should be false."""

    atom: Atom
    sign: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.sign else f"(not {self.atom})"

    @property
    def condition(self) -> Condition:
        return self.atom if self.sign else Not(self.atom)


class Way(Record):
    """An achiever of a fact (an effect or axiom): the name of the action, its free parameters and the conditions."""

    action: str
    parameters: tuple[TypedName, ...]
    needs: tuple[Condition, ...]

    def closed(self) -> list[Condition]:
        """Return each condition (preconditions, too) separately, with `exists` over its free parameters."""
        return [_closed(part, self.parameters) for part in self.needs]


class Achievers:
    """A search for the achievers of facts: the effects and axioms that make a fact true."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._semantics = Semantics(task)
        self._types = self._semantics.types
        self._tables = fact_tables(self._semantics.initial)
        self._world = World(self._types, self._tables, ())
        self._possible: dict[Literal, bool] = {}

    def static(self, predicate: str) -> bool:
        """Return whether no action changes any fact of a predicate."""
        return predicate in self._semantics.static_predicates

    def derived(self, predicate: str) -> bool:
        return predicate in self._semantics.derived_predicates

    def well_typed(self, atom: Atom) -> bool:
        """Return whether the objects of a fact are of the types that its predicate allows."""
        parameters = next(each.parameters for each in self._task.domain.predicates if each.name == atom.predicate)
        pairs = zip(atom.arguments, parameters, strict=True)
        return all(name in self._types.members(parameter.types) for name, parameter in pairs)

    def shown(self, condition: Condition, parameters: Sequence[TypedName]) -> str:
        """Return the free variables of a literal, with types if these are narrower than the predicate declares."""
        free = sorted([each for each in parameters if each.name in free_variables(condition)], key=lambda one: one.name)
        atom = next(each for each in walk(condition) if isinstance(each, Atom))
        taken = next(each.parameters for each in self._task.domain.predicates if each.name == atom.predicate)
        wide = {term: self._types.members(own.types) for term, own in zip(atom.arguments, taken, strict=True)}
        same = all(set(wide[each.name]) <= set(self._types.members(each.types)) for each in free)
        return listing([each.name for each in free]) if same else " ".join(typed(free))

    def ways(self, literal: Literal | Condition) -> Iterator[Way]:
        """Yield all effects and axioms that may make a literal true, or the alternatives that fulfil a condition."""
        if not isinstance(literal, Literal):
            yield from self._ways("", (), tuple(self.instances_of(literal)))
            return
        for schema in self._task.domain.actions:
            parameters = tuple(schema.parameters)
            for effect in single_effects(schema):
                if effect.adds == literal.sign and effect.atom.predicate == literal.atom.predicate:
                    needs = (schema.precondition, *effect.conditions)
                    yield from self._way(schema.name, (*parameters, *effect.parameters), effect.atom, literal, needs)
        for axiom in self._task.domain.axioms if literal.sign else ():
            if axiom.head.name == literal.atom.predicate:
                head = Atom(axiom.head.name, tuple([named.name for named in axiom.head.parameters]))
                name, parameters = f"the rule for {axiom.head.name}", tuple(axiom.head.parameters)
                yield from self._way(name, parameters, head, literal, (axiom.body,))

    def narrower(self, literal: Literal) -> str:
        """Return a note on actions that can achieve facts of this predicate only for other types of objects, or ""."""
        found = []
        for schema in self._task.domain.actions:
            types = {each.name: each.types for each in schema.parameters}
            for effect in single_effects(schema):
                if effect.adds == literal.sign and effect.atom.predicate == literal.atom.predicate:
                    for term, name in zip(effect.atom.arguments, literal.atom.arguments, strict=True):
                        if name not in self._types.members(types.get(term, ())) and term in types:
                            found.append(f"{schema.name} does so only for {term} - {' or '.join(types[term])}")
        return f" ({listing(list(dict.fromkeys(found)))})" if found else ""

    def _way(
        self, name: str, parameters: tuple[TypedName, ...], effect: Atom, literal: Literal, needs: Iterable[Condition]
    ) -> Iterator[Way]:
        binding: dict[str, str] = {}
        for term, value in zip(effect.arguments, literal.atom.arguments, strict=True):
            if binding.setdefault(term, value) != value or (not term.startswith("?") and term != value):
                return
        domains = self._types.domains(parameters)
        if any(value not in domains[term] for term, value in binding.items() if term.startswith("?")):
            return
        parts = tuple([substituted(part, binding) for need in needs for part in conjuncts(need)])
        free = tuple([each for each in parameters if each.name not in binding])
        yield from self._ways(name, free, parts)

    def _ways(self, name: str, free: tuple[TypedName, ...], parts: tuple[Condition, ...]) -> list[Way]:
        ways = [Way(name, *each) for each in islice(_alternatives(free, parts), MOST_ALTERNATIVES + 1)]
        return ways if len(ways) <= MOST_ALTERNATIVES else [Way(name, free, parts)]

    def possible(self, literal: Literal) -> bool:
        """Return whether some achiever of a literal has static conditions that hold for some choice of objects."""
        if literal not in self._possible:
            self._possible[literal] = any(self.fits(way) for way in self.ways(literal))
        return self._possible[literal]

    def fits(self, way: Way) -> bool:
        """Return whether the static conditions of an achiever (an effect or axiom) hold for some objects."""
        static = self._static_parts(way)
        free = {name for part in static for name in free_variables(part)}
        parameters = tuple([each for each in way.parameters if each.name in free])
        if self._size(parameters, static) > MOST_INSTANCES:
            return True
        query = Query(parameters, And(tuple(static)), self._types, self._tables)
        return bool(query.answers(self._world)) and self.populated(way)

    def populated(self, way: Way) -> bool:
        return not any(self.unpopulated(way))

    def unpopulated(self, way: Way) -> Iterator[str]:
        """Yield those types of an achiever's parameters that have no objects."""
        domains = self._types.domains(way.parameters)
        return (" or ".join(each.types) for each in way.parameters if not domains[each.name])

    def instances(self, way: Way) -> tuple[list[Condition], list[list[Condition]]]:
        """Return an achiever's static conditions, and the other conditions for each choice of objects that meets them.

        If there are more than MOST_INSTANCES choices, the other conditions are returned once, with their parameters
        open.
        """
        static = self._static_parts(way)
        others = [part for part in way.needs if part not in static]
        free = {name for part in way.needs for name in free_variables(part)}
        parameters = tuple([each for each in way.parameters if each.name in free])
        if self._size(parameters, static) > MOST_INSTANCES:
            return static, [others]
        rows = sorted(Query(parameters, And(tuple(static)), self._types, self._tables).answers(self._world))
        names = [parameter.name for parameter in parameters]
        bindings = [dict(zip(names, row, strict=True)) for row in rows[:MOST_INSTANCES]]
        return static, [[substituted(part, binding) for part in others] for binding in bindings]

    def nearly(self, way: Way) -> list[tuple[Literal, list[Condition]]]:
        """Return each static fact whose absence alone rules out a choice of objects, with the other conditions."""
        static, pairs = self._static_parts(way), list[tuple[Literal, list[Condition]]]()
        for part in static:
            others = [each for each in static if each is not part]
            if literal_of(part, ground=False) is None or self._size(way.parameters, others) > MOST_INSTANCES:
                continue
            rows = Query(way.parameters, And(tuple(others)), self._types, self._tables).answers(self._world)
            for row in sorted(rows)[:MOST_NEARLY]:
                binding = dict(zip([each.name for each in way.parameters], row, strict=True))
                literal = literal_of(substituted(part, binding))
                if literal is not None and self._lacking(literal):
                    pairs.append((literal, [substituted(each, binding) for each in way.needs if each not in static]))
        return pairs

    def _lacking(self, literal: Literal) -> bool:
        """Return whether a literal is false in the initial state, but could plausibly be true there."""
        if (literal.atom in self._semantics.initial) == literal.sign:
            return False
        return self.plausible(literal)

    def plausible(self, literal: Literal) -> bool:
        """Return whether a static literal is similar to the facts of the initial state.

        A literal is not plausible if it relates an object to itself and no fact of its predicate does, if it gives an
        object a second kind, or if it adds a second value where every other object has one.
        """
        atom = literal.atom
        same = [each for each in self._task.problem.init if each.predicate == atom.predicate]
        if not literal.sign or not atom.arguments:
            return True
        if len(atom.arguments) == 1:
            return not self._kinds_of(atom.arguments[0])
        twice = len(set(atom.arguments)) < len(atom.arguments)
        if twice and not any(len(set(each.arguments)) < len(each.arguments) for each in same):
            return False
        firsts = [each.arguments[0] for each in same]
        return len(atom.arguments) > 2 or atom.arguments[0] not in firsts or len(set(firsts)) < len(firsts)

    def _kinds_of(self, name: str) -> list[str]:
        """Return the static predicates with one argument that are true of an object."""
        facts = [atom for atom in self._task.problem.init if atom.arguments == (name,)]
        return [atom.predicate for atom in facts if self.static(atom.predicate)]

    def instances_of(self, condition: Condition) -> list[Condition]:
        """Return the conjuncts of a condition; a `forall` is expanded for each object."""
        if not isinstance(condition, Forall):
            return list(conjuncts(condition))
        bindings = islice(self._types.assignments(condition.parameters, {}), MOST_INSTANCES)
        bodies = [substituted(condition.body, binding) for binding in bindings]
        return [part for body in bodies for part in self.instances_of(body)]

    def _size(self, parameters: Sequence[TypedName], static: Sequence[Condition]) -> int:
        """Return an upper bound on the number of choices of objects; static atoms determine their parameters."""
        atoms = [part for part in static if isinstance(part, Atom) and part.predicate != "="]
        bound = {name for atom in atoms for name in atom.arguments}
        domains = self._types.domains(parameters)
        return prod([len(domains[each.name]) for each in parameters if each.name not in bound])

    def choices(self, condition: Condition, parameters: Sequence[TypedName]) -> list[Literal]:
        """Return a condition as literals: one per object if one parameter is free, otherwise at most one literal."""
        free = [each for each in parameters if each.name in free_variables(condition)]
        domains = self._types.domains(free)
        if not free or len(free) > 1:
            first = {name: objects[0] for name, objects in domains.items() if objects}
            return [each for each in [literal_of(substituted(condition, first))] if each is not None]
        name = free[0].name
        made = [literal_of(substituted(condition, {name: each})) for each in domains[name][:MOST_INSTANCES]]
        return sorted([each for each in made if each is not None], key=lambda each: not self.well_typed(each.atom))

    def alike(self, literal: Literal, place: int) -> list[Literal]:
        """Return the variants of a literal with each object of the right type at one argument place."""
        predicate = next(each for each in self._task.domain.predicates if each.name == literal.atom.predicate)
        before, after = literal.atom.arguments[:place], literal.atom.arguments[place + 1 :]
        names = self._types.members(predicate.parameters[place].types)
        return [Literal(Atom(literal.atom.predicate, (*before, name, *after)), literal.sign) for name in names]

    def _static_parts(self, way: Way) -> list[Condition]:
        changing = self._semantics.fluent_predicates | self._semantics.derived_predicates
        return [
            part
            for part in way.needs
            if not any(isinstance(each, Atom) and each.predicate in changing for each in walk(part))
        ]


def _alternatives(
    parameters: tuple[TypedName, ...], needs: tuple[Condition, ...]
) -> Iterator[tuple[tuple[TypedName, ...], tuple[Condition, ...]]]:
    """Yield the parameters and conditions of each alternative; top-level `or` and `exists` are expanded."""
    names = {each.name for each in parameters}
    for place, part in enumerate(needs):
        before, after = needs[:place], needs[place + 1 :]
        if isinstance(part, Or | Imply):
            either = part.operands if isinstance(part, Or) else (Not(part.premise), part.conclusion)
            for operand in either:
                yield from _alternatives(parameters, (*before, *conjuncts(operand), *after))
            return
        if isinstance(part, Exists) and names.isdisjoint(each.name for each in part.parameters):
            yield from _alternatives((*parameters, *part.parameters), (*before, *conjuncts(part.body), *after))
            return
    yield parameters, needs


def literal_of(condition: Condition, *, ground: bool = True) -> Literal | None:
    """Return a condition as a literal; None if it is no literal or, unless `ground` is False, has variables."""
    atom, sign = (condition.operand, False) if isinstance(condition, Not) else (condition, True)
    if not isinstance(atom, Atom) or atom.predicate == "=":
        return None
    if ground and any(term.startswith("?") for term in atom.arguments):
        return None
    return Literal(atom, sign)


def _closed(condition: Condition, parameters: Sequence[TypedName]) -> Condition:
    """Return a condition with its free variables bound by `exists`."""
    free = free_variables(condition)
    names = tuple([parameter for parameter in parameters if parameter.name in free])
    return Exists(names, condition) if names else condition
