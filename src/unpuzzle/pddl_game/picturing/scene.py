"""The scene of a state: the place of each thing, with the line that places it.

A `Script` combines a task and its block: the things, the lines that may place them, and the static parts. The first
line that places a thing wins.

The objects that an argument of a predicate can have follow from types and preconditions:

    (at ?ball ?room) is added by an action with the precondition (room ?room): only rooms are possible there

So domains without types are treated as well as typed ones. Only static facts are used: then all problems of a level,
which differ in their first states, have the same picture. A first state may contain more than actions ever add.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from unpuzzle.pddl.declarations import Action
from unpuzzle.pddl.formulas import OBJECT, And, Atom, Condition, Exists, conjuncts, walk
from unpuzzle.pddl.nodes import Task, TypedName
from unpuzzle.pddl.normal_form.single_effects import single_effects
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import Types, World, fact_tables
from unpuzzle.pddl_game.picturing.statements import BESIDE, CODE, GRID, Block, Line, Place, Term, Thing

Binding = Mapping[str, str]


def fixture(name: str) -> str:
    """Return the name of a thing that is not an object of the task."""
    return f'"{name}"'


class Placed(NamedTuple):
    """A thing that a line places: on a target, or in a row and a column."""

    line: int
    target: str = ""
    row: int | None = None
    column: int | None = None


class Script:
    """A block and its task. Things are objects, and quoted names with their quotes."""

    def __init__(self, block: Block, semantics: Semantics) -> None:
        self.block = block
        self.semantics = semantics
        self.objects: tuple[TypedName, ...] = (*semantics.task.domain.constants, *semantics.task.problem.objects)
        self._start = fact_tables(semantics.task.problem.init)
        self._queries: dict[int, Query] = {}
        fixtures = [fixture(place.thing.name) for place in block.places if place.thing.quoted]
        self.things: Mapping[str, int] = {
            name: number for number, name in enumerate([*semantics.types.order, *dict.fromkeys(fixtures)])
        }

    @cached_property
    def start(self) -> World:
        """The first state."""
        return self.semantics.world(self.semantics.initial)

    @cached_property
    def _possible(self) -> Mapping[tuple[str, int], frozenset[str]]:
        semantics = self.semantics
        return possible_arguments(semantics.task, semantics.types, semantics.static_predicates)

    @cached_property
    def static_lines(self) -> frozenset[int]:
        """The lines that hold in every state or in none: the things that they place never move."""
        places = enumerate(self.block.places)
        return frozenset(
            number for number, place in places if self.is_static(place.condition) and self._is_sure(number, place)
        )

    def is_static(self, condition: Condition | None) -> bool:
        static = self.semantics.static_predicates | {"="}
        parts = walk(condition) if condition is not None else ()
        return all(part.predicate in static for part in parts if isinstance(part, Atom))

    def _is_sure(self, number: int, place: Place) -> bool:
        """Return whether no earlier line that depends on the state places the same things."""
        own = set(self.candidates(place, place.thing))
        before = [other for other in self.block.places[:number] if not self.is_static(other.condition)]
        return all(own.isdisjoint(self.candidates(other, other.thing)) for other in before)

    def candidates(self, line: Line, thing: Thing) -> tuple[str, ...]:
        """Return the possible things for a variable, an object or a name of a line."""
        if thing.quoted:
            return (fixture(thing.name),)
        return self.values(line, thing.name) if thing.variable else (thing.name,)

    def values(self, line: Line, variable: str) -> tuple[str, ...]:
        """Return the possible objects of a variable, by its type and the predicates around it."""
        found = list(self.semantics.types.members(line.types.get(variable, OBJECT)))
        for part in conjuncts(line.condition) if line.condition is not None else ():
            for place, name in enumerate(part.arguments if isinstance(part, Atom) and part.predicate != "=" else ()):
                if name == variable and isinstance(part, Atom):
                    possible = self._possible.get((part.predicate, place), frozenset())
                    found = [each for each in found if each in possible]
        if line.condition is not None and self.is_static(line.condition):
            holding = {binding[variable] for binding in self.answers(line, self.start) if variable in binding}
            found = [each for each in found if each in holding]
        return tuple(found)

    def answers(self, line: Line, world: World) -> list[Binding]:
        """Return the bindings of a line's variables for which its condition holds, in the order of the objects."""
        names = line.variables()
        query = self._queries.get(id(line))
        if query is None:
            parameters = [TypedName(name, line.types[name]) for name in names]
            condition = And(()) if line.condition is None else line.condition
            query = self._queries[id(line)] = Query(parameters, condition, self.semantics.types, self._start)
        order = self.things
        rows = sorted(query.answers(world), key=lambda row: [order[name] for name in row])
        return [dict(zip(names, row, strict=True)) for row in rows]

    def placed(self, world: World) -> dict[str, Placed]:
        """Return the placements by thing; relations to neighbours are left out."""
        found: dict[str, Placed] = {}
        for number, place in enumerate(self.block.places):
            if place.relation in BESIDE:
                continue
            for binding in self.answers(place, world):
                thing = self.named(place.thing, binding)
                if thing in found:
                    continue
                if place.relation == GRID:
                    row, column = self.slot(place, binding)
                    found[thing] = Placed(number, row=row, column=column)
                elif place.target is not None and (target := self.named(place.target, binding)) != thing:
                    found[thing] = Placed(number, target)
        return found

    def named(self, thing: Thing, binding: Binding) -> str:
        return fixture(thing.name) if thing.quoted else binding.get(thing.name, thing.name)

    def slot(self, place: Place, binding: Binding) -> tuple[int | None, int | None]:
        """Return the row and the column of a line; None for one that it leaves out."""
        row, column = place.row, place.column
        return (
            None if row is None else self.value(row, place, binding),
            None if column is None else self.value(column, place, binding),
        )

    def value(self, term: Term, line: Line, binding: Binding) -> int:
        """Return the number of a term. Raises ParseError for a name without it."""
        if term.number is not None:
            return term.number
        name = binding[term.variable]
        if not term.part:
            ranks = self._ranks(line.types.get(term.variable, OBJECT), line, term.variable)
            return ranks.get(name, len(ranks))
        numbers = re.findall(r"\d+", name)
        if len(numbers) < term.part:
            word = "no number" if not numbers else f"only {len(numbers)} of them"
            raise parse_error(
                f"{term.variable}.{term.part} is number {term.part} in a name, and '{name}' has {word}", term.span, CODE
            )
        return int(numbers[term.part - 1][:9])

    def _ranks(self, types: tuple[str, ...], line: Line, variable: str) -> Mapping[str, int]:
        """Return the ranks of the objects of some types: by numbers in names, otherwise as declared."""
        names = list(self.semantics.types.members(types))
        keys = {name: [int(part[:9]) for part in re.findall(r"\d+", name)] for name in names}
        if all(keys.values()):
            names.sort(key=keys.__getitem__)
        if types == OBJECT:
            wanted = set(self.values(line, variable))
            names = [name for name in names if name in wanted]
        return {name: number for number, name in enumerate(names)}


def neighbours(script: Script) -> dict[str, tuple[int, int, int]]:
    """Return each thing's group, row and column, from the lines about neighbours. Raises ParseError for no grid."""
    near: dict[str, list[tuple[str, int, int, Line]]] = {}
    for place in script.block.places:
        if place.relation not in BESIDE or place.target is None:
            continue
        if not script.is_static(place.condition):
            message = f"actions change this condition, but things that lie {place.relation} others never move"
            raise parse_error(message, place.span, CODE)
        down, right = BESIDE[place.relation]
        for binding in script.answers(place, script.start):
            thing, target = script.named(place.thing, binding), script.named(place.target, binding)
            near.setdefault(target, []).append((thing, down, right, place))
            near.setdefault(thing, []).append((target, -down, -right, place))
    found: dict[str, tuple[int, int, int]] = {}
    for first in sorted(near, key=script.things.__getitem__):
        if first not in found:
            found |= _spread(first, near, len({group for group, *_ in found.values()}))
    return found


def _spread(
    first: str, near: Mapping[str, Iterable[tuple[str, int, int, Line]]], group: int
) -> dict[str, tuple[int, int, int]]:
    """Return all things connected with a thing, from row 0 and column 0 on."""
    at = {first: (0, 0)}
    waiting = [first]
    for name in waiting:
        for other, down, right, line in near[name]:
            spot = at[name][0] + down, at[name][1] + right
            if other not in at:
                waiting.append(other)
            if at.setdefault(other, spot) != spot:
                message = f"this is not a grid: '{other}' would lie in two places, one of them beside '{name}'"
                raise parse_error(message, line.span, CODE)
    top, left = min(row for row, _ in at.values()), min(column for _, column in at.values())
    return {name: (group, row - top, column - left) for name, (row, column) in at.items()}


Objects = frozenset[str]
ArgumentPlace = tuple[str, int]
"""A predicate and the number of an argument."""


def possible_arguments(task: Task, types: Types, static: Collection[str]) -> Mapping[ArgumentPlace, Objects]:
    """Return the possible objects for each argument of a predicate; `static` are the static predicates."""
    found: dict[ArgumentPlace, set[str]] = {}
    for atom in task.problem.init:
        for place, name in enumerate(atom.arguments if atom.predicate in static else ()):
            found.setdefault((atom.predicate, place), set()).add(name)
    added = [(action, each) for action in task.domain.actions for each in single_effects(action) if each.adds]
    set_by_actions = {each.atom.predicate for _, each in added}
    for predicate in task.domain.predicates:  # derived predicates, and those that are only deleted, are not analysed
        if predicate.name not in set_by_actions and predicate.name not in static:
            for place, parameter in enumerate(predicate.parameters):
                found[predicate.name, place] = set(types.members(parameter.types))
    known = {place: frozenset(names) for place, names in found.items()}
    for action, each in added:
        inner = {item.name: item.types for item in each.parameters}
        for place, term in enumerate(each.atom.arguments):
            found.setdefault((each.atom.predicate, place), set()).update(_values(term, action, inner, known, types))
    return {place: frozenset(names) for place, names in found.items()}


def _values(
    term: str,
    action: Action,
    inner: Mapping[str, tuple[str, ...]],
    known: Mapping[ArgumentPlace, Objects],
    types: Types,
) -> set[str]:
    """Return the possible objects of a term in an effect, by types and static preconditions."""
    if not term.startswith("?"):
        return {term}
    if term in inner:
        return set(types.members(inner[term]))
    values = set(types.domains(action.parameters).get(term, ()))
    for atom in _asked(action.precondition):
        for place, name in enumerate(atom.arguments):
            if name == term and (atom.predicate, place) in known:
                values &= known[atom.predicate, place]
    return values


def _asked(condition: Condition) -> Iterator[Atom]:
    """Yield atoms that are implied by a condition."""
    for part in conjuncts(condition):
        if isinstance(part, Atom):
            yield part
        elif isinstance(part, Exists):  # its own variables hide those outside
            names = {item.name for item in part.parameters}
            yield from (atom for atom in _asked(part.body) if names.isdisjoint(atom.arguments))
