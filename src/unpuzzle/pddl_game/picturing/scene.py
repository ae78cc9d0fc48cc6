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
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from unpuzzle.pddl.formulas import OBJECT, And, Atom, Condition, Exists, conjuncts, walk
from unpuzzle.pddl.nodes import TypedName
from unpuzzle.pddl.normal_form.single_effects import single_effects
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.pddl_game.picturing.block import BESIDE, CODE, Block, Line, Place, Term, Thing

Binding = Mapping[str, str]


class Placed(NamedTuple):
    """A thing that a line places: on a target, or in a row and a column, or in one of them."""

    line: int
    target: str = ""
    row: int | None = None
    column: int | None = None


class Script:
    """A block and its task. Things are objects, and quoted names with their quotes."""

    def __init__(self, block: Block, semantics: Semantics) -> None:
        self.block = block
        self.semantics = semantics
        task = semantics.task
        self.types: Mapping[str, tuple[str, ...]] = {
            item.name: item.types for item in (*task.domain.constants, *task.problem.objects)
        }
        self._start = fact_tables(task.problem.init)
        self._queries: dict[int, Query] = {}
        fixtures = [self.named(place.thing, {}) for place in block.places if place.thing.quoted]
        names = dict.fromkeys([*semantics.types.order, *fixtures])
        self.things: Mapping[str, int] = {name: number for number, name in enumerate(names)}

    @cached_property
    def start(self) -> World:
        """The first state."""
        return self.semantics.world(self.semantics.initial)

    @cached_property
    def _possible(self) -> Mapping[tuple[str, int], set[str]]:
        return possible_arguments(self.semantics)

    @cached_property
    def static_lines(self) -> frozenset[int]:
        """The lines that hold in every state or in none: the things that they place never move."""
        changing: set[str] = set()  # the things that an earlier line places that depends on the state
        found = []
        for number, place in enumerate(self.block.places):
            own = self.candidates(place, place.thing)
            if not self.is_static(place.condition):
                changing.update(own)
            elif changing.isdisjoint(own):
                found.append(number)
        return frozenset(found)

    def is_static(self, condition: Condition | None) -> bool:
        static = self.semantics.static_predicates | {"="}
        parts = walk(condition) if condition is not None else ()
        return all(part.predicate in static for part in parts if isinstance(part, Atom))

    def named(self, thing: Thing, binding: Binding) -> str:
        return f'"{thing.name}"' if thing.quoted else binding.get(thing.name, thing.name)

    def candidates(self, line: Line, thing: Thing) -> tuple[str, ...]:
        """Return the possible things for a variable, an object or a name of a line."""
        return self.values(line, thing.name) if thing.variable else (self.named(thing, {}),)

    def values(self, line: Line, variable: str) -> tuple[str, ...]:
        """Return the possible objects of a variable, by its type and the predicates around it."""
        found = self.semantics.types.members(line.types.get(variable, OBJECT))
        if line.condition is None:
            return found
        for part in conjuncts(line.condition):
            for place, name in enumerate(part.arguments if isinstance(part, Atom) and part.predicate != "=" else ()):
                if name == variable:
                    possible = self._possible.get((part.predicate, place), ())
                    found = tuple([each for each in found if each in possible])
        if self.is_static(line.condition):
            holding = {binding[variable] for binding in self.answers(line, self.start) if variable in binding}
            found = tuple([each for each in found if each in holding])
        return found

    def answers(self, line: Line, world: World) -> list[Binding]:
        """Return the bindings of a line's variables for which its condition holds, in the order of the objects."""
        query = self._queries.get(id(line))
        if query is None:
            parameters = [TypedName(name, types) for name, types in line.types.items()]
            condition = And(()) if line.condition is None else line.condition
            query = self._queries[id(line)] = Query(parameters, condition, self.semantics.types, self._start)
        rows = sorted(query.answers(world), key=lambda row: [self.things[name] for name in row])
        return [dict(zip(line.types, row, strict=True)) for row in rows]

    def placed(self, world: World) -> dict[str, Placed]:
        """Return the placements by thing; relations to neighbours are left out."""
        found: dict[str, Placed] = {}
        for number, place in enumerate(self.block.places):
            for binding in self.answers(place, world) if place.relation not in BESIDE else ():
                thing = self.named(place.thing, binding)
                target = self.named(place.target, binding) if place.target is not None else ""
                if thing not in found and target != thing:
                    found[thing] = Placed(number, target, *self.slot(place, binding))
        return found

    def slot(self, place: Place, binding: Binding) -> tuple[int | None, int | None]:
        """Return the row and the column of a line; None for one that it leaves out."""
        row, column = (term and self.value(term, place, binding) for term in (place.row, place.column))
        return row, column

    def value(self, term: Term, line: Line, binding: Binding) -> int:
        """Return the number of a term. Raises ParseError for a name without it."""
        if term.number is not None:
            return term.number
        name = binding[term.variable]
        if not term.part:
            ranks = self._ranks(line, term.variable)
            return ranks.index(name) if name in ranks else len(ranks)
        numbers = _numbers(name)
        if len(numbers) < term.part:
            word = "no number" if not numbers else f"only {len(numbers)} of them"
            message = f"{term.variable}.{term.part} is number {term.part} in a name, and '{name}' has {word}"
            raise parse_error(message, term.span, CODE)
        return numbers[term.part - 1]

    def _ranks(self, line: Line, variable: str) -> list[str]:
        """Return the objects of the types of a variable: by the numbers in their names, otherwise as declared."""
        types = line.types.get(variable, OBJECT)
        members = self.semantics.types.members(types)
        names = sorted(members, key=_numbers) if all(map(_numbers, members)) else [*members]
        if types == OBJECT:
            wanted = set(self.values(line, variable))
            names = [name for name in names if name in wanted]
        return names


def _numbers(name: str) -> list[int]:
    return [int(part[:9]) for part in re.findall(r"\d+", name)]


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
    groups = 0
    for first in sorted(near, key=script.things.__getitem__):
        at, waiting = {first: (0, 0)}, [] if first in found else [first]
        for name in waiting:
            for other, down, right, line in near[name]:
                spot = at[name][0] + down, at[name][1] + right
                if other not in at:
                    waiting.append(other)
                if at.setdefault(other, spot) != spot:
                    message = f"this is not a grid: '{other}' would lie in two places, one of them beside '{name}'"
                    raise parse_error(message, line.span, CODE)
        if waiting:
            top, left = (min(spot[axis] for spot in at.values()) for axis in (0, 1))
            found |= {name: (groups, row - top, column - left) for name, (row, column) in at.items()}
            groups += 1
    return found


def possible_arguments(semantics: Semantics) -> Mapping[tuple[str, int], set[str]]:
    """Return the possible objects for each predicate and number of an argument."""
    domain, types, static = semantics.task.domain, semantics.types, semantics.static_predicates
    known: dict[tuple[str, int], set[str]] = {}
    for atom in semantics.task.problem.init:
        for place, name in enumerate(atom.arguments if atom.predicate in static else ()):
            known.setdefault((atom.predicate, place), set()).add(name)
    added = [(action, [each for each in single_effects(action) if each.adds]) for action in domain.actions]
    set_by_actions = {each.atom.predicate for _, effects in added for each in effects}
    for predicate in domain.predicates:  # derived predicates, and those that are only deleted, are not analysed
        if predicate.name not in set_by_actions and predicate.name not in static:
            for place, parameter in enumerate(predicate.parameters):
                known[predicate.name, place] = set(types.members(parameter.types))
    found: dict[tuple[str, int], set[str]] = {}
    for action, effects in added:
        values = {name: set(members) for name, members in types.domains(action.parameters).items()}
        for atom in _asked(action.precondition):
            for place, term in enumerate(atom.arguments):
                if term in values and (atom.predicate, place) in known:
                    values[term] &= known[atom.predicate, place]
        for each in effects:
            inner = {item.name: set(types.members(item.types)) for item in each.parameters}
            for place, term in enumerate(each.atom.arguments):
                possible = inner.get(term) or values.get(term, set()) if term.startswith("?") else {term}
                found.setdefault((each.atom.predicate, place), set()).update(possible)
    return known | found


def _asked(condition: Condition) -> Iterator[Atom]:
    """Yield atoms that are implied by a condition."""
    for part in conjuncts(condition):
        if isinstance(part, Atom):
            yield part
        elif isinstance(part, Exists):  # its own variables hide those outside
            names = {item.name for item in part.parameters}
            yield from (atom for atom in _asked(part.body) if names.isdisjoint(atom.arguments))
