"""Conversion of a level's ground actions to action schemas, and of these to PDDL actions with static facts.

Steps of one shape become one schema if a guard can say where they apply. A shape found in all four directions gets a
direction as its last parameter; a shape found in only some of them gets a schema for each, whose name ends with the
direction. A step with a unique shape stays ground.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from itertools import product
from operator import and_, or_
from typing import NamedTuple

from unpuzzle.model.task import atom
from unpuzzle.pddl.nodes import Action, And, Atom, Condition, Not, TypedName
from unpuzzle.puzzlescript.compiling.compiled import bits
from unpuzzle.puzzlescript.pddl_encoding.boards import Effort
from unpuzzle.puzzlescript.pddl_encoding.paths import Players
from unpuzzle.puzzlescript.pddl_encoding.steps import (
    CLOCKWISE,
    MARK,
    VECTORS,
    WON,
    Frames,
    GroundStep,
    Marks,
    Offset,
    Seen,
    StepPlace,
    StepShape,
)

MOST_BETWEEN = 3
"""The most extra cells that become parameters to connect the cells of a step."""

INSIDE = -1
"""The value for an object on all cells of the net."""

PER_PLACE, PER_SET = 4, 1
"""Steps of effort: for each place examined, and for each set of places."""
AHEAD, ASIDE = "?ahead", "?aside"
DIRECTIONS = {"u": "up", "d": "down", "l": "left", "r": "right"}
WORDS = {**DIRECTIONS, "x": "action", "t": "tick"}
KEYS = {word: key for key, word in WORDS.items()}
_NOT_PLAIN = re.compile(r"[^a-z0-9_-]")
_RESERVED = {*KEYS, "cell", "thing", "direction"}
_LIKE_A_CELL = re.compile(r"r[0-9]+c[0-9]+")
PREDICATES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("at", "fixed"), ("thing", "cell")),
    "next": ("cell", "cell", "direction"),
    "clockwise": ("direction", "direction"),
    **dict.fromkeys(("won", "unmarked"), ()),
}
"""The types of each predicate's arguments."""
Cells = Mapping[Offset, str]
"""By offset, the parameter for the cell, or the cell's name."""
EffectKey = tuple[StepPlace, str, Seen, frozenset[tuple[Offset, int]]]
"""A place, a key, effects and players."""


class PlaceGuard(NamedTuple):
    """The precondition that restricts an action schema to the right cells by their adjacency and static objects.

    It must be true at the places of a shape and at no other place that matters: a place does not matter if no player
    ever is there, or if another step with no more conditions does the same. In PDDL it consists of:

        next       the cells in the steps of a level form a net, which contains the schema's cells as in the shape
        fixed      the presence or absence of static objects on a cell
        place-N    all places, one by one, if nothing else works
    """

    offsets: tuple[Offset, ...]
    steps: tuple[tuple[Offset, Offset, bool], ...]
    """The steps from one cell to the next: ahead or, if True, to the right."""
    fixed: tuple[tuple[Offset, int, bool], ...]


class Guards:
    """A search for guards: static preconditions that restrict an action schema to the right cells."""

    def __init__(
        self, frames: Frames, net: Collection[int], static: Sequence[int], origins: Collection[int], effort: Effort
    ) -> None:
        self.frames = frames
        self.net: int = _set(net)
        self.static = static
        self.origins: int = _set(origins)
        self.effort = effort
        there = [static[cell] for cell in net]
        self.telling: tuple[int, ...] = tuple(bits(reduce(or_, there, 0) & ~reduce(and_, there, -1)))
        """The objects that are on some of these cells, but not on all."""
        self._origin_sets: dict[tuple[int, str, Offset], int] = {}
        self._bearing = {number: _set(cell for cell in net if static[cell] >> number & 1) for number in self.telling}

    def find(
        self,
        shape: StepShape,
        places: Collection[StepPlace],
        directions: Iterable[str],
        is_harmless: Callable[[StepPlace], bool],
    ) -> PlaceGuard | None:
        """Return a guard that is true at the places of a shape and false elsewhere; None if no guard is found.

        It may be true at other places that are harmless.
        """
        connected = self._connected(shape.offsets())
        if connected is None:
            return None
        offsets, steps = connected
        if not steps and not shape.players:
            return None  # nothing would keep its one cell to the net
        origins, here = {}, {}
        for direction in directions:
            each = [self._origins(INSIDE, direction, offset) for offset in offsets]
            origins[direction] = reduce(and_, each, self.origins)
            here[direction] = _set(place.origin for place in places if place.direction == direction)
        if any(here[direction] & ~origins[direction] for direction in origins):
            return None
        extras = {}  # the origins at which the guard must not be true
        for direction, inside in origins.items():
            others = inside & ~here[direction]
            self.effort.spend(PER_PLACE * others.bit_count())
            extras[direction] = _set(origin for origin in bits(others) if not is_harmless(StepPlace(direction, origin)))
        fixed = self._fixed(offsets, here, extras)
        return None if fixed is None else PlaceGuard(tuple(offsets), tuple(steps), tuple(fixed))

    def _origins(self, number: int, direction: str, offset: Offset) -> int:
        """Return the cells from which the cell at an offset has a static object, as a set of bits."""
        key = (number, direction, offset)
        if key not in self._origin_sets:
            cells = self.net if number == INSIDE else self._bearing[number]
            self.effort.spend(PER_PLACE * self.origins.bit_count())
            there = [(origin, self.frames.cell(StepPlace(direction, origin), offset)) for origin in bits(self.origins)]
            self._origin_sets[key] = _set(origin for origin, cell in there if cell is not None and cells >> cell & 1)
        self.effort.spend(PER_SET)
        return self._origin_sets[key]

    def _connected(self, offsets: Sequence[Offset]) -> tuple[list[Offset], list[tuple[Offset, Offset, bool]]] | None:
        """Return offsets and those needed to connect them, with the steps between them; None if they are too many."""
        reached: list[Offset] = [(0, 0)]
        steps: list[tuple[Offset, Offset, bool]] = []
        between = 0
        for offset in offsets:
            while offset not in reached:
                near = min(reached, key=lambda r: abs(r[0] - offset[0]) + abs(r[1] - offset[1]))
                ahead, right = offset[0] - near[0], offset[1] - near[1]
                if ahead:
                    new, turned = (near[0] + (1 if ahead > 0 else -1), near[1]), False
                else:
                    new, turned = (near[0], near[1] + (1 if right > 0 else -1)), True
                backwards = (ahead if ahead else right) < 0
                steps.append((new, near, turned) if backwards else (near, new, turned))
                reached.append(new)
                between += new not in offsets
        return None if between > MOST_BETWEEN else (reached, steps)

    def _fixed(
        self, offsets: Sequence[Offset], places: Mapping[str, int], extras: dict[str, int]
    ) -> list[tuple[Offset, int, bool]] | None:
        """Return static objects whose presence or absence excludes all places in `extras`; None if impossible."""
        fixed: list[tuple[Offset, int, bool]] = []
        common: list[tuple[Offset, int, bool]] = []
        if any(extras.values()):
            each = product(offsets, self.telling, (True, False))
            common = [fact for fact in each if self._places_with(places, *fact) == places]
        while any(extras.values()):
            best, fewest, choice = extras, _size(extras), None
            for offset, number, there in common:
                left = self._places_with(extras, offset, number, there)
                if _size(left) < fewest:
                    best, fewest, choice = left, _size(left), (offset, number, there)
            if choice is None:
                return None
            fixed.append(choice)
            extras = best
        return fixed

    def _places_with(self, places: Mapping[str, int], offset: Offset, number: int, there: bool) -> dict[str, int]:
        """Return the places at which the cell at `offset` has an object or, if `there` is False, lacks it."""
        sets = {direction: self._origins(number, direction, offset) for direction in places}
        return {key: origins & sets[key] if there else origins & ~sets[key] for key, origins in places.items()}


def _set(members: Iterable[int]) -> int:
    return reduce(or_, [1 << member for member in members], 0)


def _size(places: Mapping[str, int]) -> int:
    return sum(map(int.bit_count, places.values()))


def _effect_key(shape: StepShape, place: StepPlace) -> EffectKey:
    return (place, shape.key, shape.effects, shape.players)


class StepSchema(NamedTuple):
    """An action schema: the common shape of its ground actions, and the guard that restricts it to their places.

    `key` is the input, or empty if a parameter is the direction.
    """

    shape: StepShape
    key: str
    guard: PlaceGuard | None
    places: tuple[StepPlace, ...]


class Lifting:
    """A converter of ground actions to action schemas that have exactly these instances.

    `placements` are all possible placements of players; `static` has the static objects by cell; `net` are the cells
    used in steps.
    """

    def __init__(
        self,
        steps: Sequence[GroundStep],
        placements: set[Players],
        frames: Frames,
        static: Sequence[int],
        effort: Effort,
    ) -> None:
        self.placements = placements
        self.frames = frames
        self.by_shape: dict[StepShape, dict[StepPlace, None]] = {}
        self.by_effect: dict[EffectKey, list[StepShape]] = {}
        """The shapes found at each place, by deed."""
        net: set[int] = set()
        for step in steps:
            place = frames.place(step)
            shape = frames.shape(step, place)
            self.by_shape.setdefault(shape, {})[place] = None
            self.by_effect.setdefault(_effect_key(shape, place), []).append(shape)
            net.add(place.origin)
            net.update(fact[0] for fact, _ in step.needs | step.effects if fact[0] >= 0)
            net.update(cell for cell, _ in step.players)
        origins = {cell for players in placements for cell, _ in players}
        if any(not step.players for step in steps):
            origins |= net  # a step without players may be at any of these cells
        self.net: set[int] = net
        facts = [{(cell, bit) for cell, mask in players for bit in bits(mask)} for players in placements]
        self.facts_of_placements: list[set[tuple[int, int]]] = facts if len(set(map(len, facts))) > 1 else []
        """The facts of each placement of players, if some placements have more players than others."""
        self.guards: Guards = Guards(frames, net, static, origins, effort)

    def schemas(self) -> list[StepSchema]:
        """Return the action schemas of a level; those with the most ground actions come first."""
        shapes = sorted(self.by_shape.items(), key=lambda item: -len(item[1]))
        return [schema for shape, places in shapes for schema in self._of_shape(shape, tuple(places))]

    def _of_shape(self, shape: StepShape, places: tuple[StepPlace, ...]) -> list[StepSchema]:
        """Return the action schemas for one shape: one if a single guard suffices, else one for each direction."""
        keys = list(dict.fromkeys(place.direction for place in places))
        if shape.key:
            return [StepSchema(shape, shape.key, self._guard(shape, places, keys), places)]
        guard = self._guard(shape, places, list(VECTORS))
        if guard is not None or len(places) == 1:
            return [StepSchema(shape, "" if guard else keys[0], guard, places)]
        single = []
        for key in keys:
            here = tuple([place for place in places if place.direction == key])
            guard = self._guard(shape, here, [key])
            if guard is None:
                return [StepSchema(shape, "", None, places)]
            single.append(StepSchema(shape, key, guard, here))
        return single

    def _guard(self, shape: StepShape, places: Sequence[StepPlace], directions: Sequence[str]) -> PlaceGuard | None:
        return self.guards.find(shape, set(places), directions, partial(self._is_harmless, shape))

    def _is_harmless(self, shape: StepShape, place: StepPlace) -> bool:
        """Return whether a schema that is also applicable at a place of another shape changes no plan.

        It may if another step with no more conditions does the same there, or if players are never there in this way.
        """
        frames = self.frames
        cells = [(frames.cell(place, offset), objects) for offset, objects in shape.players]
        if tuple(sorted(cells)) not in self.placements:
            return not self._applies_with_more_players(shape, place)
        if len(shape.players) > 1:  # it may be seen from another player there
            step = frames.step(shape, place)
            place = frames.place(step)
            shape = frames.shape(step, place)
        same = self.by_effect.get(_effect_key(shape, place), ())
        return any(other.needs <= shape.needs and (shape.solved or not other.solved) for other in same)

    def _applies_with_more_players(self, shape: StepShape, place: StepPlace) -> bool:
        """Return whether a schema is applicable at a place if other players are also on the board."""
        cell = partial(self.frames.cell, place)
        here = {(cell(offset), bit) for offset, mask in shape.players for bit in bits(mask)}
        free = {(cell(offset), number) for offset, number, there in shape.needs if not there and offset != MARK}
        return any(here < more and not more & free for more in self.facts_of_placements)


class LevelParts(NamedTuple):
    """The size, objects, goal and cells of a level, which are needed to write its actions.

    Attributes: `width` and `height` of the board; names of `things` by number; the `goal` without marks; the `marks`;
    the `changing` objects; by cell the permanent objects (`static`), and the objects that may come or go (`unknown`);
    the cells used in steps (`net`).
    """

    width: int
    height: int
    things: Sequence[str]
    goal: Condition | bool
    marks: Marks
    changing: int
    static: Sequence[int]
    unknown: Sequence[int]
    net: set[int]


class ActionWriter:
    """A converter of action schemas to PDDL actions, which it collects in its attribute `actions`."""

    def __init__(self, level: LevelParts, schemas: Sequence[StepSchema]) -> None:
        self.level = level
        self.frames: Frames = Frames(level.width, level.height)
        self.schemas = schemas
        self.tables: dict[str, list[tuple[str, ...]]] = {}
        self.used: set[str] = set()
        self.fixed: set[int] = set()
        self.names: dict[str, int] = {}
        self.action_names: set[str] = set()
        self.actions: tuple[Action, ...] = tuple([self._action(schema) for schema in schemas])

    def cell(self, cell: int) -> str:
        return cell_name(cell, self.level.height)

    def _action(self, schema: StepSchema) -> Action:
        """Convert a schema to a PDDL action with cells as parameters."""
        shape, guard = schema.shape, schema.guard
        if guard is None and len(schema.places) == 1:
            return self._ground(schema)
        offsets = guard.offsets if guard else shape.offsets()
        cells = {offset: f"?c{number}" if number else "?here" for number, offset in enumerate(offsets)}
        directions = () if schema.key else (AHEAD,)
        tests: list[Condition] = []
        aside: tuple[str, ...] = ()
        if guard is None:
            tests.append(self._table(schema, cells, directions))
        else:
            # Keys without a direction, action and tick, are seen as if they faced right.
            ahead = WORDS["r"] if schema.key in ("x", "t") else WORDS[schema.key] if schema.key else AHEAD
            if any(turned for _, _, turned in guard.steps) and not schema.key:
                aside = (ASIDE,)
                tests.append(self._static("clockwise", AHEAD, ASIDE))
            right = ASIDE if aside else WORDS[CLOCKWISE[schema.key if schema.key in VECTORS else "r"]]
            for first, second, turned in guard.steps:
                tests.append(self._static("next", cells[first], cells[second], right if turned else ahead))
            for offset, number, there in guard.fixed:
                self.fixed.add(number)
                fact = self._static("fixed", self.level.things[number], cells[offset])
                tests.append(fact if there else Not(fact))
        parameters = [TypedName(name, ("cell",)) for name in cells.values()]
        parameters += [TypedName(name, ("direction",)) for name in (*aside, *directions)]
        return self._finish(schema, parameters, tests, cells)

    def _ground(self, schema: StepSchema) -> Action:
        """Convert a schema with one place to a PDDL action without parameters."""
        (place,) = schema.places
        cells = {}
        for offset in schema.shape.offsets():
            cell = self.frames.cell(place, offset)
            assert cell is not None
            cells[offset] = self.cell(cell)
        self.used.add("cells")
        return self._finish(schema, [], [], cells)

    def _finish(
        self, schema: StepSchema, parameters: Sequence[TypedName], tests: list[Condition], cells: Cells
    ) -> Action:
        """Return the PDDL action of a schema, after adding its preconditions and its effects."""
        shape = schema.shape
        for offset, objects in sorted(shape.players):
            tests += [atom("at", self.level.things[number], cells[offset]) for number in bits(objects)]
        tests += self._literals(shape.needs, cells)
        if shape.solved:
            self.used.add("cells")
            tests += [] if isinstance(self.level.goal, bool) else [self.level.goal]
        effects = self._literals(shape.effects, cells)
        return Action(self._name(schema), tuple(parameters), And(tuple(tests)), And(tuple(effects)))

    def _literals(self, facts: Seen, cells: Cells) -> list[Condition]:
        """Convert facts to PDDL literals, negative ones first; an atom both added and deleted is added in PDDL."""
        literals: list[Condition] = []
        for offset, number, there in sorted(facts, key=lambda fact: (not fact[2], fact[0] == MARK, fact[0], fact[1])):
            if offset == MARK:
                fact = self._static("won" if (-1, number) == WON else "unmarked")
            else:
                fact = atom("at", self.level.things[number], cells[offset])
            literals.append(fact if there else Not(fact))
        return literals

    def _static(self, predicate: str, *arguments: str) -> Atom:
        self.used.add(predicate)
        return atom(predicate, *arguments)

    def _table(self, schema: StepSchema, cells: Cells, directions: tuple[str, ...]) -> Condition:
        """Return an atom of a new static predicate that is true of exactly the places of a schema."""
        name = f"place-{len(self.tables) + 1}"
        rows = []
        for place in schema.places:
            numbers = [self.frames.cell(place, offset) for offset in cells]
            names = [self.cell(cell) for cell in numbers if cell is not None]
            rows.append((*names, *[DIRECTIONS[place.direction] for _ in directions]))
        self.tables[name] = rows
        return atom(name, *cells.values(), *directions)

    def _name(self, schema: StepSchema) -> str:
        """Return an unused name for the action of a schema, which describes the action's effect."""
        title = self._title(schema.shape.effects)
        while True:
            number = self.names[title] = self.names.get(title, 0) + 1
            counted = title if number == 1 else f"{title}-{number}"
            name = f"{counted}-{WORDS[schema.key]}" if schema.key else counted
            if name not in self.action_names:  # an object's name may end like a counted one
                self.action_names.add(name)
                return name

    def _title(self, effects: Seen) -> str:
        """Return a name that describes effects, such as `move-player-and-crate` or `change-lamp`."""
        added, removed = [
            {number for offset, number, there in effects if there == value and offset != MARK}
            for value in (True, False)
        ]
        names = self.level.things
        moved, changed = sorted(added & removed), sorted(added | removed)
        if moved and len(moved) < 4:
            return "move-" + "-and-".join(names[number] for number in moved)
        if changed and len(changed) < 3:
            return "change-" + "-and-".join(names[number] for number in changed)
        return "change" if changed else "wait"

    def predicates(self) -> Iterator[tuple[str, tuple[TypedName, ...]]]:
        """Yield the name and the parameters of each predicate that the actions or the goal use."""
        in_goal = {"at", *(name for name in ("won", "unmarked") if getattr(self.level.marks, name))}
        for name, kinds in PREDICATES.items():
            if name in self.used or name in in_goal:
                yield name, tuple([TypedName(f"?{each}{n}", (each,)) for n, each in enumerate(kinds, 1)])
        for name, rows in self.tables.items():
            kinds_of_row = ["direction" if value in DIRECTIONS.values() else "cell" for value in rows[0]]
            yield name, tuple([TypedName(f"?a{n}", (each,)) for n, each in enumerate(kinds_of_row, 1)])

    def constants(self) -> tuple[TypedName, ...]:
        """Return the PDDL constants: objects and directions, and the cells if an action names one."""
        level = self.level
        things = level.changing | sum(1 << number for number in self.fixed)
        names = [TypedName(level.things[number], ("thing",)) for number in bits(things)]
        names += [TypedName(word, ("direction",)) for word in DIRECTIONS.values()]
        return (*names, *self._cells()) if "cells" in self.used else tuple(names)

    def objects(self) -> tuple[TypedName, ...]:
        return () if "cells" in self.used else self._cells()

    def _cells(self) -> tuple[TypedName, ...]:
        return tuple([TypedName(self.cell(cell), ("cell",)) for cell in self._inside()])

    def _inside(self) -> list[int]:
        """Return the cells that can change or that actions name, row by row."""
        level, height = self.level, self.level.height
        each = zip(level.unknown, level.static, strict=True)
        cells = {cell for cell, (objects, static) in enumerate(each) if objects or static & level.changing}
        return sorted(cells | set(level.net), key=lambda cell: (cell % height, cell))

    def statics(self) -> Iterator[Atom]:
        """Yield the static atoms of the level: neighbours, directions, static objects, and the tables of places."""
        if "next" in self.used:
            yield from self._neighbours()
        if "clockwise" in self.used:
            yield from [atom("clockwise", WORDS[first], WORDS[second]) for first, second in CLOCKWISE.items()]
        inside = set(self._inside())
        for cell, objects in enumerate(self.level.static):
            for number in sorted(self.fixed):
                if cell in inside and objects >> number & 1:
                    yield atom("fixed", self.level.things[number], self.cell(cell))
        for name, rows in self.tables.items():
            yield from [atom(name, *row) for row in rows]

    def _neighbours(self) -> Iterator[Atom]:
        net = self.level.net
        for cell in sorted(net):
            for key in VECTORS:
                other = self.frames.cell(StepPlace(key, cell), (1, 0))
                if other is not None and other in net:
                    yield atom("next", self.cell(cell), self.cell(other), DIRECTIONS[key])


def cell_name(cell: int, height: int) -> str:
    """Return the name of a cell, such as `r1c2` for the first row and the second column."""
    column, row = divmod(cell, height)
    return f"r{row + 1}c{column + 1}"


def thing_names(objects: Sequence[str]) -> tuple[str, ...]:
    """Map the names of objects to different names that are valid in PDDL."""
    names: dict[str, None] = {}
    for name in objects:
        plain = _plain(name)
        if not plain[:1].isalpha() or plain in _RESERVED or _LIKE_A_CELL.fullmatch(plain):
            plain = f"thing-{plain}"
        number, free = 2, plain
        while free in names:
            free = f"{plain}-{number}"
            number += 1
        names[free] = None
    return tuple(names)


def _plain(name: str) -> str:
    return _NOT_PLAIN.sub("-", name.lower())


def key_of(name: str, arguments: Sequence[str]) -> str | None:
    """Return the key for which a PDDL action stands; None if no level's translation has such an action."""
    if arguments and arguments[-1] in KEYS:
        return KEYS[arguments[-1]]
    return KEYS.get(name.rpartition("-")[2])


def domain_name(game: str) -> str:
    plain = _plain(game)
    return plain if plain[:1].isalpha() else f"game-{plain}"
