"""Place the items of a state in a picture according to the picture lines; all sizes are in cells.

A `Script` combines a task and its block: the things, what the lines say about their looks, the lines that may place
them, and the static parts. The first line that places a thing wins; of several lines about its looks, the last. The
objects that an argument of a predicate can have follow from types and preconditions:

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
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, product
from math import ceil, sqrt
from typing import Any, NamedTuple

from unpuzzle.base.distances import distances
from unpuzzle.base.values import Record
from unpuzzle.drawing import Point
from unpuzzle.pddl.formulas import OBJECT, Atom, Condition, conjuncts, walk
from unpuzzle.pddl.nodes import TypedName
from unpuzzle.pddl.normal_form import single_effects
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.syntax import parse_error
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.pddl_game.picture_lines import BESIDE, CODE, Block, Line, Term
from unpuzzle.translators.shared.pictures import SHAPES

Size = tuple[float, float]
"""Columns and rows, in cells."""

ABREAST = (3, 1)
"""The most columns and rows of a shelf in a moving thing."""
ABREAST_OF_FIXED = (4, 3)
PADDING = 0.24
"""The space between a frame and its contents. No multiple of it is half a line of a terminal."""
HEADER = 1.0
SPREAD = 0.3
WIDEST = 3.0
"""The width of the widest disc."""
MOST_CELLS = 40_000
MOST_VARIANTS = 5
"""The most lines about one thing that may depend on the state."""
LONGEST = 14
"""The longest name in a picture; longer ones are cut."""
Binding = Mapping[str, str]


class Placed(NamedTuple):
    """The place that a picture line gives to an item: on a target, or by row, column or both."""

    line: int
    target: str = ""
    row: int | None = None
    column: int | None = None


class Style(Record):
    """The style that picture lines give to an item; `width` is a fraction of the largest width, from 0 to 1."""

    glyph: str = ""
    colour: str = ""
    label: str = ""
    shape: str = ""
    width: float = 1.0


class Script:
    """The picture lines of a task, with the items that they place: objects of the task and quoted names."""

    def __init__(self, block: Block, semantics: Semantics) -> None:
        self.block = block
        self.semantics = semantics
        self.start: World = semantics.world(semantics.initial)
        self._possible = possible_arguments(semantics)
        facts = fact_tables(semantics.task.problem.init)
        self._queries: dict[int, Query] = {}
        for line in (*block.places, *block.looks):
            parameters = [TypedName(name, types) for name, types in line.types.items()]
            self._queries[id(line)] = Query(parameters, line.condition, semantics.types, facts)
        names = [*semantics.types.order, *(place.thing for place in block.places if place.thing.startswith('"'))]
        self.things: Mapping[str, int] = {name: number for number, name in enumerate(names)}
        self.placeable = [self.values(place, place.thing) for place in block.places]
        self.static_lines: set[int] = set()  # they hold in every state or in none: what they place never moves
        changing: set[str] = set()  # things that an earlier line places that depends on the state
        for number, place in enumerate(block.places):
            if not self.is_static(place.condition):
                changing.update(self.placeable[number])
            elif changing.isdisjoint(self.placeable[number]):
                self.static_lines.add(number)
        self._changing_looks: list[Line] = []
        # Of each thing the lines about it, each with the bit of the variants in which it holds, or 0 if it always does,
        # and the width that the line gives.
        self._looks: dict[str, list[tuple[Line, int, float | None]]] = defaultdict(list)
        for line in block.looks:
            self._add_look(line)

    def _add_look(self, line: Line) -> None:
        """Store what a line says about the looks of each thing. Raises ParseError if it can never be drawn."""
        changing, widths = not self.is_static(line.condition), dict[str, int]()
        if changing:
            self._changing_looks.append(line)
            if what := f"the shape {line.shape}" if line.shape else "the width" if line.width else "":
                message = f"{what} of a thing can never change, but actions can change this condition"
                raise parse_error(message, line.span, CODE)
        for binding in self.answers(line, self.start) if line.width else ():
            widths.setdefault(self.named(line.thing, binding), self.value(line.width, line, binding))
        least, most = min(widths.values(), default=0), max(widths.values(), default=0)
        for name in self.values(line, line.thing):
            if changing and self.variants(name) == 1 << MOST_VARIANTS:
                message = f"at most {MOST_VARIANTS} lines about the looks of '{name}' may depend on the state"
                raise parse_error(message, line.span, CODE)
            width = (widths[name] - least + 1) / (most - least + 1) if name in widths else None
            self._looks[name].append((line, self.variants(name) if changing else 0, width))

    def variants(self, name: str) -> int:
        """Return how many appearances an item has; number 0 is used if no line that depends on the state applies."""
        return 2 * max([bit for _, bit, _ in self._looks[name]], default=0) or 1

    def variants_now(self, world: World) -> dict[str, int]:
        """Return the number of the appearance of each item in a state; items with the number 0 may be left out."""
        found = defaultdict[str, int](int)
        for line in self._changing_looks:
            for name in {self.named(line.thing, binding) for binding in self.answers(line, world)}:
                found[name] |= sum(bit for own, bit, _ in self._looks[name] if own is line)
        return found

    def style(self, name: str, variant: int = 0) -> Style:
        """Return the style of an item in one of its appearances, merged from all lines that apply."""
        said: dict[str, Any] = {}
        for line, bit, width in self._looks[name]:
            if not bit or bit & variant:
                own = {key: getattr(line, key) for key in ("glyph", "colour", "label", "shape")}
                said |= {key: value for key, value in (own | {"width": width}).items() if value}
        return Style(**said)

    def words(self, name: str, variant: int = 0) -> str:
        """Return the text on an item: its glyph, or else its name without quotes, shortened if it is too long."""
        shown = name.strip('"')
        shown = shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"
        return self.style(name, variant).glyph or shown

    def is_static(self, condition: Condition) -> bool:
        static = self.semantics.static_predicates | {"="}
        return all(part.predicate in static for part in walk(condition) if isinstance(part, Atom))

    def named(self, thing: str, binding: Binding) -> str:
        return binding.get(thing, thing)

    def values(self, line: Line, thing: str) -> tuple[str, ...]:
        """Return the items for which `thing` can stand in a line: the values of a variable, or the item itself."""
        if not thing.startswith("?"):
            return (thing,)
        if self.is_static(line.condition):
            allowed = [{binding[thing] for binding in self.answers(line, self.start)}]
        else:
            atoms = [part for part in conjuncts(line.condition) if isinstance(part, Atom) and part.predicate != "="]
            places = [(atom.predicate, at) for atom in atoms for at, name in enumerate(atom.arguments) if name == thing]
            allowed = [self._possible.get(place, set()) for place in places]
        members = self.semantics.types.members(line.types[thing])
        return tuple([name for name in members if all(name in own for own in allowed)])

    def answers(self, line: Line, world: World) -> list[Binding]:
        """Return the bindings of a line's variables that make the condition true, in the order of the objects."""
        rows = sorted(self._queries[id(line)].answers(world), key=lambda row: [self.things[name] for name in row])
        return [dict(zip(line.types, row, strict=True)) for row in rows]

    def placed(self, world: World) -> dict[str, Placed]:
        """Return the placement of each item, except for placements next to a neighbour."""
        found: dict[str, Placed] = {}
        for number, place in enumerate(self.block.places):
            for binding in self.answers(place, world) if place.relation not in BESIDE else ():
                thing, target = self.named(place.thing, binding), self.named(place.target, binding)
                if thing not in found and target != thing:
                    found[thing] = Placed(number, target, *self.slot(place, binding))
        return found

    def slot(self, place: Line, binding: Binding) -> tuple[int | None, int | None]:
        """Return the row and the column that a line gives; None stands for one that the line omits."""
        row, column = (None if term is None else self.value(term, place, binding) for term in (place.row, place.column))
        return row, column

    def value(self, term: Term, line: Line, binding: Binding) -> int:
        """Return the number of a term. Raises ParseError if a name does not contain the required number."""
        if not term.variable:
            return term.number
        name = binding[term.variable]
        if not term.number:
            ranks = self._ranks(line, term.variable)
            return ranks.index(name) if name in ranks else len(ranks)
        numbers = _numbers(name)
        if len(numbers) < term.number:
            word = f"only {len(numbers)} of them" if numbers else "no number"
            which = f"{term.variable}.{term.number} is number {term.number} in an object's name"
            raise parse_error(f"{which}, but '{name}' has {word}", term.span, CODE)
        return numbers[term.number - 1]

    def _ranks(self, line: Line, variable: str) -> list[str]:
        """Return the objects of a variable's types, sorted by the numbers in their names or else in declared order."""
        types = line.types[variable]
        members = self.values(line, variable) if types == OBJECT else self.semantics.types.members(types)
        return sorted(members, key=_numbers) if all(map(_numbers, members)) else [*members]


def _numbers(name: str) -> list[int]:
    return [int(part[:9]) for part in re.findall(r"\d+", name)]


def neighbours(script: Script, base: int) -> dict[str, Placed]:
    """Return the slots of items from lines such as `left of`: each connected group right of the last, from `base` on.

    Raises ParseError if they do not form a grid.
    """
    near: dict[str, list[tuple[str, int, int, Line]]] = defaultdict(list)
    for place in script.block.places:
        if place.relation in BESIDE:
            if not script.is_static(place.condition):
                message = f"actions change this condition, but things that are {place.relation} others never move"
                raise parse_error(message, place.span, CODE)
            down, right = BESIDE[place.relation]
            for binding in script.answers(place, script.start):
                thing, target = script.named(place.thing, binding), script.named(place.target, binding)
                near[target].append((thing, down, right, place))
                near[thing].append((target, -down, -right, place))
    found: dict[str, Placed] = {}
    for first in sorted(near, key=script.things.__getitem__):
        if first in found:
            continue
        at = {first: (0, 0)}
        for name in distances([first], lambda name: [other for other, *_ in near[name]]):
            for other, down, right, line in near[name]:
                spot = at[name][0] + down, at[name][1] + right
                if at.setdefault(other, spot) != spot:
                    message = f"this is not a grid: '{other}' would be in two places, one of them beside '{name}'"
                    raise parse_error(message, line.span, CODE)
        top, left = (min(numbers) for numbers in zip(*at.values(), strict=True))
        found |= {name: Placed(-1, "", row - top, base + column - left) for name, (row, column) in at.items()}
        base += 1 + max(column for _, column in at.values()) - left
    return found


def possible_arguments(semantics: Semantics) -> Mapping[tuple[str, int], set[str]]:
    """Return, for each argument position of each predicate, the objects that may occur there."""
    domain, types, static = semantics.task.domain, semantics.types, semantics.static_predicates
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    added = [(action, [each for each in single_effects(action) if each.adds]) for action in domain.actions]
    set_by_actions = {each.atom.predicate for _, effects in added for each in effects}
    for atom in semantics.task.problem.init:
        for place, name in enumerate(atom.arguments if atom.predicate in static else ()):
            found[atom.predicate, place].add(name)
    for predicate in domain.predicates:  # derived predicates, and those that are only deleted, are not analysed
        if predicate.name not in set_by_actions | static:
            for place, parameter in enumerate(predicate.parameters):
                found[predicate.name, place].update(types.members(parameter.types))
    known = dict(found)
    for action, effects in added:
        values = {name: set(members) for name, members in types.domains(action.parameters).items()}
        for atom in conjuncts(action.precondition):
            for place, term in enumerate(atom.arguments if isinstance(atom, Atom) else ()):
                if term in values and (atom.predicate, place) in known:
                    values[term] &= known[atom.predicate, place]
        for each in effects:
            own = values | {item.name: set(types.members(item.types)) for item in each.parameters}
            for place, term in enumerate(each.atom.arguments):
                found[each.atom.predicate, place] |= own.get(term, {term})
    return found


class Layout:
    """The layout of a picture: the sizes of items, and the rows and columns of the grid."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.body = cache(self._body)
        self.extent = cache(self._extent)
        self.shelf = cache(self._shelf)
        places = script.block.places
        standing = [script.placeable[number] for number, place in enumerate(places) if place.relation == "on"]
        self._standing = {name for names in standing for name in names}
        slots = [slot for place in places if not place.relation for slot in self._slots(place)]
        # Neighbours are in slots, too: in separate columns, to the right of all others.
        self._near = neighbours(script, max([column + 1 for *_, column in slots if column is not None], default=0))
        start = {name: at for name, at in script.placed(script.start).items() if at.line in script.static_lines}
        self.fixed: dict[str, Placed] = start | self._near
        # By relation and item, the lines that may place other items so to this item.
        self._lines_onto: dict[tuple[str, str], list[int]] = defaultdict(list)
        for number, place in enumerate(places):
            for name in self._targets(place):
                self._lines_onto[place.relation, name].append(number)
        self._grid([*slots, *((name, at.row, at.column) for name, at in self._near.items())])

    def _targets(self, place: Line) -> set[str]:
        """Return the items to which a line may place others, and fixed items like them: of one type, by one line."""
        types = self.script.semantics.types
        kinds = {name: (at.line, name in types and types.of(name)) for name, at in self.fixed.items()}
        targets = set(self.script.values(place, place.target))
        alike = {kinds[name] for name in targets if name in kinds}
        return targets.union(name for name, kind in kinds.items() if kind in alike)

    def _slots(self, place: Line) -> Iterable[tuple[str, int | None, int | None]]:
        """Return items with the rows and columns that a line may give them; None for an omitted row or column."""
        script = self.script
        if script.is_static(place.condition):
            bindings = script.answers(place, script.start)
        else:
            terms = [term.variable for term in (place.row, place.column) if term is not None]
            variables = [name for name in dict.fromkeys((place.thing, *terms)) if name.startswith("?")]
            rows = product(*[script.values(place, name) for name in variables])
            bindings = [dict(zip(variables, row, strict=True)) for row in rows]
        return [(script.named(place.thing, binding), *script.slot(place, binding)) for binding in bindings]

    def shape(self, name: str) -> str:
        """Return the shape of an item: a frame if items can be in it, else the shape in a picture line or a default."""
        if self._lines_onto["in", name]:
            return "frame"
        return self.script.style(name).shape or (
            "cell" if self._lines_onto["at", name] and not self.moves(name) else "tile"
        )

    def moves(self, name: str) -> bool:
        """Return whether an item can move; an item that is placed on a moving item moves, too."""
        below = distances([name], lambda item: [at.target] if (at := self.fixed.get(item)) and at.target else [])
        return not any(item in self.fixed and not self.fixed[item].target for item in below)

    def _own_size(self, name: str, shape: str) -> Size:
        """Return the size that an item has without contents."""
        if shape in ("disc", "cell", "none"):
            return WIDEST if shape == "disc" else 1.0, 1.0
        words = [self.script.words(name, variant) for variant in range(self.script.variants(name))]
        return max(1.0, ceil(max([len(each) for each in words if each not in SHAPES], default=1) * 0.4) / 2), 1.0

    def _body(self, name: str, path: frozenset[int] = frozenset()) -> Size:
        """Return the size of an item including its contents; `path` are the lines whose sizes are being computed."""
        shape = self.shape(name)
        wide, high = self._own_size(name, shape)
        if shape == "cell":
            return _largest([(wide, high), *self._sizes_at(name, path)])
        if shape != "frame":
            return wide, high
        shelves = [self.shelf(name, line, path) for line in self._lines_onto["in", name] if line not in path]
        width = max([wide, *(columns * cell[0] for columns, _, cell in shelves)]) + 2 * PADDING
        return width, HEADER + PADDING + max(1.0, sum(rows * cell[1] for _, rows, cell in shelves))

    def _sizes_at(self, name: str, path: frozenset[int]) -> list[Size]:
        """Return the sizes of the items that may be at the given item."""
        lines = [line for line in self._lines_onto["at", name] if line not in path]
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
        """Return the size of an item including all items that may be in, at and on the item, on these and so on."""
        placeable = self.script.placeable

        def onto(item: str) -> list[int]:
            return [line for line in self._lines_onto["on", item] if line not in path]

        tower = distances([name], lambda item: [other for line in onto(item) for other in placeable[line]])
        lines = path.union(line for item in tower for line in onto(item))
        width, height = _largest([self.body(name, path), *self._sizes_at(name, path)])
        sizes = [self.body(other, lines) for other in tower if other != name]
        return max([width, *(wide for wide, _ in sizes)]), height + sum(high for _, high in sizes)

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

    def places(self, placed: Mapping[str, Placed]) -> dict[str, Point]:
        """Return row and column of the upper left corner of each item; items without a place are omitted."""
        slots: dict[tuple[int, int], list[str]] = defaultdict(list)
        holders: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for name, at in sorted({**placed, **self._near}.items(), key=lambda item: self.script.things[item[0]]):
            (holders[at.target][at.line] if at.target else slots[self._slot(at.row, at.column)]).append(name)
        found: dict[str, Point] = {}
        for (row, column), names in slots.items():
            (_, bottom), (left, right) = _nearest(self._rows, row), _nearest(self._columns, column)
            found |= self._abreast(names, (left + right) / 2, bottom)
        waiting = [*found]
        for name in waiting:
            for line, names in sorted(holders[name].items()):
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
        above = (self.shelf(holder, other) for other in self._lines_onto["in", holder] if other < line)
        top += HEADER + sum(rows * cell[1] for _, rows, cell in above)
        columns, rows, cell = self.shelf(holder, line)
        across = max(columns, ceil(len(names) / rows))
        step = cell[0] if across <= columns else cell[0] * (columns - 1) / max(across - 1, 1)
        found = {}
        for number, name in enumerate(names):
            row, column = divmod(number, across)
            found[name] = top + (row + 1) * cell[1] - self.body(name)[1], left + PADDING + column * step
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
