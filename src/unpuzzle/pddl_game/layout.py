"""Place the items of a state in a picture according to the picture lines; all sizes are in cells.

A `Script` combines a task and its block: the things, the lines that may place them, and the static parts. The first
line that places a thing wins. The objects that an argument of a predicate can have follow from types and preconditions:

    (at ?ball ?room) is added by an action with the precondition (room ?room): only rooms are possible there

So domains without types are treated as well as typed ones. Only static facts are used: then all problems of a level,
which differ in their first states, have the same picture. A first state may contain more than actions ever add.

A `Layout` has the sizes and places that no move changes, and from these the places in a state:

    relation of a line        place of the thing
    row, column, neighbours   in a slot of the grid, above its lower edge; columns are as wide as their widest thing
    at                        in the middle of the other thing
    on                        on top of it; a slot is as high as its highest possible tower
    in                        inside its frame: below the name, a shelf for each line

Several things in one place are spread; on a shelf they are side by side, and overlap if there are too many.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, product
from math import ceil, sqrt
from typing import NamedTuple

from unpuzzle.base.distances import distances
from unpuzzle.drawing import Point
from unpuzzle.pddl.formulas import OBJECT, Atom, Condition, Exists, conjuncts, walk
from unpuzzle.pddl.nodes import TypedName
from unpuzzle.pddl.normal_form import single_effects
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.syntax import parse_error
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.pddl_game.picture_lines import BESIDE, CODE, HELD, Block, Line, Place, Term, Thing

Size = tuple[float, float]
"""Columns and rows, in cells."""

ABREAST = (3, 1)
"""The most columns and rows of a shelf in a moving thing."""
ABREAST_OF_FIXED = (4, 3)
PADDING = 0.24
"""The space between a frame and its contents. No multiple of it is half a line of a terminal."""
HEADER = 1.0
SPREAD = 0.3
MOST_CELLS = 40_000
Binding = Mapping[str, str]


class Placed(NamedTuple):
    """The place that a picture line gives to an item: on a target, or by row, column or both."""

    line: int
    target: str = ""
    row: int | None = None
    column: int | None = None


class Script:
    """The picture lines of a task, with the items that they place: objects of the task and quoted names."""

    def __init__(self, block: Block, semantics: Semantics) -> None:
        self.block = block
        self.semantics = semantics
        self.start: World = semantics.world(semantics.initial)
        self._facts = fact_tables(semantics.task.problem.init)
        self._possible = possible_arguments(semantics)
        self._queries: dict[int, Query] = {}
        names = [*semantics.types.order, *(place.thing.name for place in block.places if place.thing.quoted)]
        self.things: Mapping[str, int] = {name: number for number, name in enumerate(names)}
        self.placeable = [self.candidates(place, place.thing) for place in block.places]
        self.static_lines: set[int] = set()  # they hold in every state or in none: what they place never moves
        changing: set[str] = set()  # things that an earlier line places that depends on the state
        for number, place in enumerate(block.places):
            if not self.is_static(place.condition):
                changing.update(self.placeable[number])
            elif changing.isdisjoint(self.placeable[number]):
                self.static_lines.add(number)

    def is_static(self, condition: Condition) -> bool:
        static = self.semantics.static_predicates | {"="}
        return all(part.predicate in static for part in walk(condition) if isinstance(part, Atom))

    def named(self, thing: Thing, binding: Binding) -> str:
        return binding.get(thing.name, thing.name)

    def candidates(self, line: Line, thing: Thing) -> tuple[str, ...]:
        """Return the items for which `thing` stands in a line: the values of a variable, or the item itself."""
        return self.values(line, thing.name) if thing.variable else (thing.name,)

    def values(self, line: Line, variable: str) -> tuple[str, ...]:
        """Return the objects that a variable can stand for, by its type and the predicates in the condition."""
        found = self.semantics.types.members(line.types.get(variable, OBJECT))
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
        """Return the bindings of a line's variables that make the condition true, in the order of the objects."""
        query = self._queries.get(id(line))
        if query is None:
            parameters = [TypedName(name, types) for name, types in line.types.items()]
            query = self._queries[id(line)] = Query(parameters, line.condition, self.semantics.types, self._facts)
        rows = sorted(query.answers(world), key=lambda row: [self.things[name] for name in row])
        return [dict(zip(line.types, row, strict=True)) for row in rows]

    def placed(self, world: World) -> dict[str, Placed]:
        """Return the placement of each item, except for placements next to a neighbour."""
        found: dict[str, Placed] = {}
        for number, place in enumerate(self.block.places):
            for binding in self.answers(place, world) if place.relation not in BESIDE else ():
                thing = self.named(place.thing, binding)
                target = self.named(place.target, binding) if place.target is not None else ""
                if thing not in found and target != thing:
                    found[thing] = Placed(number, target, *self.slot(place, binding))
        return found

    def slot(self, place: Place, binding: Binding) -> tuple[int | None, int | None]:
        """Return the row and the column that a line gives; None stands for one that the line omits."""
        row, column = (None if term is None else self.value(term, place, binding) for term in (place.row, place.column))
        return row, column

    def value(self, term: Term, line: Line, binding: Binding) -> int:
        """Return the number of a term. Raises ParseError if a name does not contain the required number."""
        if term.number is not None:
            return term.number
        name = binding[term.variable]
        if not term.part:
            ranks = self._ranks(line, term.variable)
            return ranks.index(name) if name in ranks else len(ranks)
        numbers = _numbers(name)
        if len(numbers) < term.part:
            word = f"only {len(numbers)} of them" if numbers else "no number"
            message = f"{term.variable}.{term.part} is number {term.part} in an object's name, but '{name}' has {word}"
            raise parse_error(message, term.span, CODE)
        return numbers[term.part - 1]

    def _ranks(self, line: Line, variable: str) -> list[str]:
        """Return the objects of a variable's types, sorted by the numbers in their names or else in declared order."""
        types = line.types.get(variable, OBJECT)
        members = self.semantics.types.members(types)
        names = sorted(members, key=_numbers) if all(map(_numbers, members)) else [*members]
        if types == OBJECT:
            wanted = set(self.values(line, variable))
            names = [name for name in names if name in wanted]
        return names


def _numbers(name: str) -> list[int]:
    return [int(part[:9]) for part in re.findall(r"\d+", name)]


def neighbours(script: Script) -> Iterator[tuple[str, int, int]]:
    """Yield items with row and column, from lines such as `left of`; each connected group is right of the last.

    Raises ParseError if they do not form a grid.
    """
    near: dict[str, list[tuple[str, int, int, Line]]] = {}
    for place in script.block.places:
        if place.relation not in BESIDE or place.target is None:
            continue
        if not script.is_static(place.condition):
            message = f"actions change this condition, but things that are {place.relation} others never move"
            raise parse_error(message, place.span, CODE)
        down, right = BESIDE[place.relation]
        for binding in script.answers(place, script.start):
            thing, target = script.named(place.thing, binding), script.named(place.target, binding)
            near.setdefault(target, []).append((thing, down, right, place))
            near.setdefault(thing, []).append((target, -down, -right, place))
    base = 0
    waiting = sorted(near, key=script.things.__getitem__)
    while waiting:
        at = {waiting[0]: (0, 0)}
        for name in distances(waiting[:1], lambda name: [other for other, *_ in near[name]]):
            for other, down, right, line in near[name]:
                spot = at[name][0] + down, at[name][1] + right
                if at.setdefault(other, spot) != spot:
                    message = f"this is not a grid: '{other}' would be in two places, one of them beside '{name}'"
                    raise parse_error(message, line.span, CODE)
        top, left = (min(numbers) for numbers in zip(*at.values(), strict=True))
        yield from ((name, row - top, base + column - left) for name, (row, column) in at.items())
        base += 1 + max(column for _, column in at.values()) - left
        waiting = [name for name in waiting if name not in at]


def possible_arguments(semantics: Semantics) -> Mapping[tuple[str, int], set[str]]:
    """Return, for each argument position of each predicate, the objects that may occur there."""
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
    """Yield atoms that are true whenever a condition is true."""
    for part in conjuncts(condition):
        if isinstance(part, Atom):
            yield part
        elif isinstance(part, Exists):  # its own variables hide those outside
            names = {item.name for item in part.parameters}
            yield from (atom for atom in _asked(part.body) if names.isdisjoint(atom.arguments))


class Layout:
    """The layout of a picture: the sizes of items, and the rows and columns of the grid.

    `shape` gives the shape that a line names for a thing, or "", `own_size` the size of an empty thing with some shape.
    """

    def __init__(self, script: Script, shape: Callable[[str], str], own_size: Callable[[str, str], Size]) -> None:
        self.script = script
        self._shape, self._own_size = shape, own_size
        self.body = cache(self._body)
        self.extent = cache(self._extent)
        self.shelf = cache(self._shelf)
        places = script.block.places
        self._targets: dict[int, frozenset[str]] = {
            number: frozenset(script.candidates(place, place.target))
            for number, place in enumerate(places)
            if place.relation in HELD and place.target is not None
        }
        on = [line for line in self._targets if places[line].relation == "on"]
        self._standing = {name for line in on for name in self.script.placeable[line]}
        slots = self._slots()
        base = max([column + 1 for _, _, column in slots if column is not None], default=0)
        # Neighbours are in slots, too: each group in separate columns, to the right of all others.
        self._near = {name: Placed(-1, row=row, column=base + column) for name, row, column in neighbours(script)}
        start = {name: at for name, at in script.placed(script.start).items() if at.line in script.static_lines}
        self.fixed: dict[str, Placed] = start | self._near
        self._widen_targets()
        self._grid([*slots, *((name, at.row, at.column) for name, at in self._near.items())])

    def _widen_targets(self) -> None:
        """Add to each line's targets the items that have a target's type and are placed by the same line."""
        groups, types = dict[object, set[str]](), self.script.semantics.types
        for name, placed in self.fixed.items():
            groups.setdefault((placed.line, name in types and types.of(name)), set()).add(name)
        for line, targets in self._targets.items():
            alike = [group for group in groups.values() if not group.isdisjoint(targets)]
            self._targets[line] = targets.union(*alike)

    def lines_onto(self, name: str, relation: str) -> list[int]:
        """Return the lines that may place other items by a relation, such as `on` or `in`, to an item."""
        lines = [line for line, targets in self._targets.items() if name in targets]
        return [line for line in lines if self.script.block.places[line].relation == relation]

    def shape(self, name: str) -> str:
        """Return the shape of an item: a frame if items can be in it, else the shape in a picture line or a default."""
        if self.lines_onto(name, "in"):
            return "frame"
        return self._shape(name) or ("cell" if self.lines_onto(name, "at") and not self.moves(name) else "tile")

    def moves(self, name: str) -> bool:
        """Return whether an item can move; an item that is placed on a moving item moves, too."""
        below = distances([name], lambda item: [at.target] if (at := self.fixed.get(item)) and at.target else [])
        return not any(item in self.fixed and not self.fixed[item].target for item in below)

    def _body(self, name: str, path: frozenset[int] = frozenset()) -> Size:
        """Return the size of an item including its contents; `path` are the lines whose sizes are being computed."""
        shape = self.shape(name)
        wide, high = self._own_size(name, shape)
        if shape == "cell":
            return _largest([(wide, high), *self._sizes_at(name, path)])
        if shape != "frame":
            return wide, high
        shelves = [self.shelf(name, line, path) for line in self.lines_onto(name, "in") if line not in path]
        width = max([wide, *(columns * cell[0] for columns, _, cell in shelves)]) + 2 * PADDING
        return width, HEADER + PADDING + max(1.0, sum(rows * cell[1] for _, rows, cell in shelves))

    def _sizes_at(self, name: str, path: frozenset[int]) -> list[Size]:
        """Return the sizes of the items that may be at the given item."""
        lines = [line for line in self.lines_onto(name, "at") if line not in path]
        return [self._held_size(other, path | {line}) for line in lines for other in self.script.placeable[line]]

    def _shelf(self, name: str, line: int, path: frozenset[int] = frozenset()) -> tuple[int, int, Size]:
        """Return the columns and rows of a shelf (a grid inside an item), and the size of each place in it."""
        inside = [other for other in self.script.placeable[line] if other != name]
        if line in self.script.static_lines:
            inside = [other for other in inside if self.fixed.get(other) == Placed(line, name)]
        cell = _largest([self._held_size(other, path | {line}) for other in inside] or [(1.0, 1.0)])
        most, highest = ABREAST if self.moves(name) else ABREAST_OF_FIXED
        columns = min(most, len(inside) if highest == 1 or len(inside) < 3 else ceil(sqrt(len(inside)))) or 1
        return columns, max(1, min(highest, ceil(len(inside) / columns))), cell

    def _held_size(self, name: str, path: frozenset[int]) -> Size:
        """Return the size of an item that is at or in another one; if it can be stacked, without items on it."""
        return self.body(name, path) if name in self._standing else self.extent(name, path)

    def _extent(self, name: str, path: frozenset[int] = frozenset()) -> Size:
        """Return the size of an item including all items that may be in, at and on the item."""
        width, height = _largest([self.body(name, path), *self._sizes_at(name, path)])
        above, lines = self._tower(name, path)
        sizes = [self.body(other, path | lines) for other in above]
        return max([width, *(wide for wide, _ in sizes)]), height + sum(high for _, high in sizes)

    def _tower(self, name: str, path: frozenset[int]) -> tuple[list[str], frozenset[int]]:
        """Return the items that may be on top of an item, directly or indirectly, and the lines that place them."""

        def onto(others: Iterable[str]) -> list[int]:
            lines = [line for other in others for line in self.lines_onto(other, "on")]
            return [line for line in lines if line not in path]

        lines = distances(onto([name]), lambda line: onto(self.script.placeable[line]))
        above = dict.fromkeys(other for line in lines for other in self.script.placeable[line] if other != name)
        return list(above), frozenset(lines)

    def _grid(self, slots: Sequence[tuple[str, int | None, int | None]]) -> None:
        """Compute the heights of the rows and the widths of the columns."""
        given = {row for _, row, _ in slots}
        rows, columns = _filled(given), _filled({column for *_, column in slots})
        if None in given and len(given) > 1:
            rows.append(rows[-1] + 1)  # below all others
        self._ground = rows[-1], columns[0]
        high, wide = dict.fromkeys(rows, 0.0), dict.fromkeys(columns, 0.0)
        if len(high) * len(wide) > MOST_CELLS:
            message = f"a picture of {len(high):,} rows and {len(wide):,} columns is too large"
            raise parse_error(message, self.script.block.places[0].span, CODE)
        for name, *slot in slots:
            (row, column), (width, height) = self._slot(*slot), self.extent(name)
            high[row], wide[column] = max(high[row], height), max(wide[column], width)
        self._rows, self._columns = _edges(high), _edges(wide)
        self.rows: float = max(end for _, end in self._rows.values())
        self.columns: float = max(end for _, end in self._columns.values())

    def _slot(self, row: int | None, column: int | None) -> tuple[int, int]:
        """Return row and column; the lowest row replaces an omitted row, the first column an omitted column."""
        return self._ground[0] if row is None else row, self._ground[1] if column is None else column

    def _slots(self) -> list[tuple[str, int | None, int | None]]:
        """Return items with the rows and columns that lines may give them; None for an omitted row or column."""
        found: list[tuple[str, int | None, int | None]] = []
        script = self.script
        for number, place in enumerate(script.block.places):
            if place.relation:
                continue
            if script.is_static(place.condition):
                for binding in script.answers(place, script.start):
                    found.append((script.named(place.thing, binding), *script.slot(place, binding)))
            else:
                for name in script.placeable[number]:
                    rows, columns = (self._values(place, term, name) for term in (place.row, place.column))
                    found += [(name, row, column) for row, column in product(rows, columns)]
        return found

    def _values(self, place: Place, term: Term | None, name: str) -> set[int | None]:
        """Return the numbers that a term can have in a line that places the item `name`."""
        if term is None:
            return {None}
        own = place.thing.variable and term.variable == place.thing.name
        names = (name,) if own or not term.variable else self.script.values(place, term.variable)
        return {self.script.value(term, place, {term.variable: each}) for each in names}

    def places(self, placed: Mapping[str, Placed]) -> dict[str, Point]:
        """Return row and column of the upper left corner of each item; items without a place are omitted."""
        slots: dict[tuple[int, int], list[str]] = {}
        holders: dict[str, dict[int, list[str]]] = {}
        placed = {**placed, **self._near}
        for name in sorted(placed, key=self.script.things.__getitem__):
            where = placed[name]
            if where.target:
                holders.setdefault(where.target, {}).setdefault(where.line, []).append(name)
            else:
                slots.setdefault(self._slot(where.row, where.column), []).append(name)
        found: dict[str, Point] = {}
        for (row, column), names in slots.items():
            (_, bottom), (left, right) = _nearest(self._rows, row), _nearest(self._columns, column)
            found |= self._abreast(names, (left + right) / 2, bottom)
        waiting = [*found]
        for name in waiting:
            for line, names in sorted(holders.get(name, {}).items()):
                others = [other for other in names if other not in found]
                found |= self._held(name, found[name], line, others)
                waiting += others
        for name, (top, left) in found.items():  # a tower may be higher than expected
            wide, high = self.body(name)
            found[name] = max(0.0, min(top, self.rows - high)), max(0.0, min(left, self.columns - wide))
        return found

    def _abreast(self, names: Sequence[str], middle: float, bottom: float) -> dict[str, Point]:
        """Return the positions of items that share one place, side by side around the middle of the place."""
        found = {}
        for number, name in enumerate(names):
            wide, high = self.body(name)
            shift = (number - (len(names) - 1) / 2) * min(SPREAD, 0.8 / len(names))
            found[name] = bottom - high, middle - wide / 2 + shift
        return found

    def _held(self, holder: str, corner: Point, line: int, names: Sequence[str]) -> dict[str, Point]:
        """Return the positions of the items that a line places at, on or in an item."""
        top, left = corner
        wide, high = self.body(holder)
        relation = self.script.block.places[line].relation
        if relation != "in":
            found = self._abreast(names, left + wide / 2, top)
            sizes = {name: self.body(name)[1] for name in names if relation == "at"}
            return found | {name: (top + (high - own) / 2, found[name][1]) for name, own in sizes.items()}
        above = (self.shelf(holder, other) for other in self.lines_onto(holder, "in") if other < line)
        shift = HEADER + sum(rows * cell[1] for _, rows, cell in above)
        columns, rows, cell = self.shelf(holder, line)
        across = max(columns, ceil(len(names) / rows))
        step = cell[0] if across <= columns else cell[0] * (columns - 1) / max(across - 1, 1)
        found = {}
        for number, name in enumerate(names):
            row, column = divmod(number, across)
            bottom = top + shift + (row + 1) * cell[1]
            found[name] = bottom - self.body(name)[1], left + PADDING + column * step
        return found


def _largest(sizes: Sequence[Size]) -> Size:
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _filled(numbers: Collection[int | None]) -> list[int]:
    """Return sorted numbers with gaps filled, unless the gaps are too large; [0] for no numbers."""
    own = sorted(number for number in numbers if number is not None) or [0]
    return [*range(own[0], own[-1] + 1)] if own[-1] - own[0] <= 3 * len(own) else own


def _edges(sizes: Mapping[int, float]) -> dict[int, tuple[float, float]]:
    """Return the start and the end of each row or column; an empty row or column has the size 1."""
    own = {number: size or 1.0 for number, size in sizes.items()}
    ends = accumulate(own.values())
    return {number: (end - size, end) for (number, size), end in zip(own.items(), ends, strict=True)}


def _nearest(edges: Mapping[int, tuple[float, float]], number: int) -> tuple[float, float]:
    """Return the edges of a row or column; if it does not exist, those of the row or column nearest to it."""
    return edges[number] if number in edges else edges[min(edges, key=lambda other: abs(other - number))]
