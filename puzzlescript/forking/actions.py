"""Schemas written as PDDL actions, with the constants, predicates and static facts that they need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from unpuzzle.pddl.nodes import Action, And, Atom, Condition, Not, TypedName
from unpuzzle.puzzle.task import atom
from unpuzzle.puzzlescript.forking.lifting import Schema
from unpuzzle.puzzlescript.forking.steps import CLOCKWISE, MARK, VECTORS, WON, Frames, Marks, Offset, Place, Seen
from unpuzzle.puzzlescript.playing.sets import bits

AHEAD, ASIDE = "?ahead", "?aside"
PREDICATES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("at", "fixed"), ("thing", "cell")),
    "next": ("cell", "cell", "direction"),
    "clockwise": ("direction", "direction"),
    **dict.fromkeys(("won", "unmarked"), ()),
}
"""The types of each predicate's arguments."""
Cells = Mapping[Offset, str]
"""By offset, the parameter for the cell, or the cell's name."""


class Stage(NamedTuple):
    """The parts of a level that its actions refer to.

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
    """A writer of schemas as PDDL; the results are `actions`."""

    def __init__(self, level: Stage, schemas: Sequence[Schema]) -> None:
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

    def _action(self, schema: Schema) -> Action:
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

    def _ground(self, schema: Schema) -> Action:
        (place,) = schema.places
        cells = {}
        for offset in schema.shape.offsets():
            cell = self.frames.cell(place, offset)
            assert cell is not None
            cells[offset] = self.cell(cell)
        self.used.add("cells")
        return self._finish(schema, [], [], cells)

    def _finish(self, schema: Schema, parameters: Sequence[TypedName], tests: list[Condition], cells: Cells) -> Action:
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
        """Return the literals, negative ones first because a fact that effects both remove and add stays true."""
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

    def _table(self, schema: Schema, cells: Cells, directions: tuple[str, ...]) -> Condition:
        name = f"place-{len(self.tables) + 1}"
        rows = []
        for place in schema.places:
            numbers = [self.frames.cell(place, offset) for offset in cells]
            names = [self.cell(cell) for cell in numbers if cell is not None]
            rows.append((*names, *[DIRECTIONS[place.direction] for _ in directions]))
        self.tables[name] = rows
        return atom(name, *cells.values(), *directions)

    def _name(self, schema: Schema) -> str:
        """Return a unique name for an action from its effect, with its input if the action has only one input."""
        title = self._title(schema.shape.effects)
        while True:
            number = self.names[title] = self.names.get(title, 0) + 1
            counted = title if number == 1 else f"{title}-{number}"
            name = f"{counted}-{WORDS[schema.key]}" if schema.key else counted
            if name not in self.action_names:  # an object's name may end like a counted one
                self.action_names.add(name)
                return name

    def _title(self, effects: Seen) -> str:
        """Return a title for the effect of an action: the objects that move or, if none does, that change."""
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
        in_goal = {"at", *(name for name in ("won", "unmarked") if getattr(self.level.marks, name))}
        for name, kinds in PREDICATES.items():
            if name in self.used or name in in_goal:
                yield name, tuple([TypedName(f"?{each}{n}", (each,)) for n, each in enumerate(kinds, 1)])
        for name, rows in self.tables.items():
            kinds_of_row = ["direction" if value in DIRECTIONS.values() else "cell" for value in rows[0]]
            yield name, tuple([TypedName(f"?a{n}", (each,)) for n, each in enumerate(kinds_of_row, 1)])

    def constants(self) -> tuple[TypedName, ...]:
        """Return objects and directions as PDDL constants, and also the cells if an action names a cell."""
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
        """Return the cells that can change or that actions use, row by row."""
        level, height = self.level, self.level.height
        each = zip(level.unknown, level.static, strict=True)
        cells = {cell for cell, (objects, static) in enumerate(each) if objects or static & level.changing}
        return sorted(cells | set(level.net), key=lambda cell: (cell % height, cell))

    def statics(self) -> Iterator[Atom]:
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
                other = self.frames.cell(Place(key, cell), (1, 0))
                if other is not None and other in net:
                    yield atom("next", self.cell(cell), self.cell(other), DIRECTIONS[key])


DIRECTIONS = {"u": "up", "d": "down", "l": "left", "r": "right"}
WORDS = {**DIRECTIONS, "x": "action", "t": "tick"}
KEYS = {word: key for key, word in WORDS.items()}
_NOT_PLAIN = re.compile(r"[^a-z0-9_-]")
_RESERVED = {*KEYS, "cell", "thing", "direction"}
_LIKE_A_CELL = re.compile(r"r[0-9]+c[0-9]+")


def cell_name(cell: int, height: int) -> str:
    """Return the name of a cell, such as `r1c2` for the first row and the second column."""
    column, row = divmod(cell, height)
    return f"r{row + 1}c{column + 1}"


def thing_names(objects: Sequence[str]) -> tuple[str, ...]:
    """Return distinct names of objects: letters, digits, `-` and `_`, beginning with a letter."""
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
    """Return the input of an action, or None if this translation did not write the action."""
    if arguments and arguments[-1] in KEYS:
        return KEYS[arguments[-1]]
    return KEYS.get(name.rpartition("-")[2])


def domain_name(game: str) -> str:
    plain = _plain(game)
    return plain if plain[:1].isalpha() else f"game-{plain}"
