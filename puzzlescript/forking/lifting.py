"""Conversion of ground actions to schemas: steps of one shape become one schema if a guard can say where they apply.

A shape found in all four directions gets a direction as its last parameter; a shape found in only some of them gets a
schema for each, whose name ends with the direction. A step with a unique shape stays ground.

A guard must be true at the places of a shape and at no other place that matters: a place does not matter if no player
ever is there, or if another step with no more conditions does the same. A guard consists of:

    next       the cells in the steps of a level form a net, which contains the schema's cells as in the shape
    fixed      the presence or absence of static objects on a cell
    place-N    all places, one by one, if nothing else works
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial, reduce
from itertools import product
from operator import and_, or_
from typing import NamedTuple

from unpuzzle.puzzlescript.forking.counted import Effort
from unpuzzle.puzzlescript.forking.paths import Players
from unpuzzle.puzzlescript.forking.steps import MARK, VECTORS, Frames, GroundStep, Offset, Place, Seen, StepShape
from unpuzzle.puzzlescript.playing.sets import bits

MOST_BETWEEN = 3
"""The most extra cells that become parameters to connect the cells of a step."""

INSIDE = -1
"""The value for an object on all cells of the net."""

PER_PLACE, PER_SET = 4, 1
"""Steps of effort: for each place examined, and for each set of places."""


class Guard(NamedTuple):
    """The condition on the places of a schema: `offsets` of its cells, their adjacency, and objects `fixed` there."""

    offsets: tuple[Offset, ...]
    steps: tuple[tuple[Offset, Offset, bool], ...]
    """The steps from one cell to the next: ahead or, if True, to the right."""
    fixed: tuple[tuple[Offset, int, bool], ...]


class Guards:
    """A finder of guards on a level; `net` are the cells used in steps; `static` has the static objects by cell."""

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
        places: Collection[Place],
        directions: Iterable[str],
        is_harmless: Callable[[Place], bool],
    ) -> Guard | None:
        """Return a guard for the places of a shape in these directions; None if there is no such guard.

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
            extras[direction] = _set(origin for origin in bits(others) if not is_harmless(Place(direction, origin)))
        fixed = self._fixed(offsets, here, extras)
        return None if fixed is None else Guard(tuple(offsets), tuple(steps), tuple(fixed))

    def _origins(self, number: int, direction: str, offset: Offset) -> int:
        """Return the origins from which a static object, or a cell of the net, is at an offset."""
        key = (number, direction, offset)
        if key not in self._origin_sets:
            cells = self.net if number == INSIDE else self._bearing[number]
            self.effort.spend(PER_PLACE * self.origins.bit_count())
            there = [(origin, self.frames.cell(Place(direction, origin), offset)) for origin in bits(self.origins)]
            self._origin_sets[key] = _set(origin for origin, cell in there if cell is not None and cells >> cell & 1)
        self.effort.spend(PER_SET)
        return self._origin_sets[key]

    def _connected(self, offsets: Sequence[Offset]) -> tuple[list[Offset], list[tuple[Offset, Offset, bool]]] | None:
        """Return the given and the connecting cells, with their adjacency; None if too many cells are needed."""
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
        """Return which static objects must be on the cells, or absent from them, to exclude all other places."""
        fixed: list[tuple[Offset, int, bool]] = []
        common: list[tuple[Offset, int, bool]] = []
        if any(extras.values()):
            each = product(offsets, self.telling, (True, False))
            common = [fact for fact in each if self._left(places, *fact) == places]
        while any(extras.values()):
            best, fewest, choice = extras, _size(extras), None
            for offset, number, there in common:
                left = self._left(extras, offset, number, there)
                if _size(left) < fewest:
                    best, fewest, choice = left, _size(left), (offset, number, there)
            if choice is None:
                return None
            fixed.append(choice)
            extras = best
        return fixed

    def _left(self, places: Mapping[str, int], offset: Offset, number: int, there: bool) -> dict[str, int]:
        """Return the places that have (or, without `there`, lack) an object at an offset."""
        sets = {direction: self._origins(number, direction, offset) for direction in places}
        return {key: origins & sets[key] if there else origins & ~sets[key] for key, origins in places.items()}


def _set(members: Iterable[int]) -> int:
    return reduce(or_, [1 << member for member in members], 0)


def _size(places: Mapping[str, int]) -> int:
    return sum(map(int.bit_count, places.values()))


Deed = tuple[Place, str, Seen, frozenset[tuple[Offset, int]]]
"""A place, a key, effects and players."""


def _deed(shape: StepShape, place: Place) -> Deed:
    return (place, shape.key, shape.effects, shape.players)


class Schema(NamedTuple):
    """An action schema: its shape, and the `guard` that defines its places, or a list of the places.

    `key` is the input, or empty if a parameter is the direction.
    """

    shape: StepShape
    key: str
    guard: Guard | None
    places: tuple[Place, ...]


class Lifting:
    """A maker of schemas for exactly the given steps.

    `stands` are all possible placements of players; `static` has the static objects by cell; `net` are the cells used
    in steps.
    """

    def __init__(
        self, steps: Sequence[GroundStep], stands: set[Players], frames: Frames, static: Sequence[int], effort: Effort
    ) -> None:
        self.stands = stands
        self.frames = frames
        self.by_shape: dict[StepShape, dict[Place, None]] = {}
        self.by_deed: dict[Deed, list[StepShape]] = {}
        """The shapes found at each place, by deed."""
        net: set[int] = set()
        for step in steps:
            place = frames.place(step)
            shape = frames.shape(step, place)
            self.by_shape.setdefault(shape, {})[place] = None
            self.by_deed.setdefault(_deed(shape, place), []).append(shape)
            net.add(place.origin)
            net.update(fact[0] for fact, _ in step.needs | step.effects if fact[0] >= 0)
            net.update(cell for cell, _ in step.players)
        origins = {cell for players in stands for cell, _ in players}
        if any(not step.players for step in steps):
            origins |= net
        self.net: set[int] = net
        facts = [{(cell, bit) for cell, mask in players for bit in bits(mask)} for players in stands]
        self.facts_of_stands: list[set[tuple[int, int]]] = facts if len(set(map(len, facts))) > 1 else []
        """The facts of each placement of players, if some placements have more players than others."""
        self.guards: Guards = Guards(frames, net, static, origins, effort)

    def schemas(self) -> list[Schema]:
        """Return the schemas, ordered by the number of steps that they represent, largest first."""
        shapes = sorted(self.by_shape.items(), key=lambda item: -len(item[1]))
        return [schema for shape, places in shapes for schema in self._of_shape(shape, tuple(places))]

    def _of_shape(self, shape: StepShape, places: tuple[Place, ...]) -> list[Schema]:
        keys = list(dict.fromkeys(place.direction for place in places))
        if shape.key:
            return [Schema(shape, shape.key, self._guard(shape, places, keys), places)]
        guard = self._guard(shape, places, list(VECTORS))
        if guard is not None or len(places) == 1:
            return [Schema(shape, "" if guard else keys[0], guard, places)]
        single = []
        for key in keys:
            here = tuple([place for place in places if place.direction == key])
            guard = self._guard(shape, here, [key])
            if guard is None:
                return [Schema(shape, "", None, places)]
            single.append(Schema(shape, key, guard, here))
        return single

    def _guard(self, shape: StepShape, places: Sequence[Place], directions: Sequence[str]) -> Guard | None:
        return self.guards.find(shape, set(places), directions, partial(self._is_harmless, shape))

    def _is_harmless(self, shape: StepShape, place: Place) -> bool:
        """Return whether it does no harm that a schema applies at a place of another shape.

        It may if another step with no more conditions does the same there, or if players are never there in this way.
        """
        frames = self.frames
        cells = [(frames.cell(place, offset), objects) for offset, objects in shape.players]
        if tuple(sorted(cells)) not in self.stands:
            return not self._among_more(shape, place)
        if len(shape.players) > 1:  # it may be seen from another player there
            step = frames.step(shape, place)
            place = frames.place(step)
            shape = frames.shape(step, place)
        same = self.by_deed.get(_deed(shape, place), ())
        return any(other.needs <= shape.needs and (shape.solved or not other.solved) for other in same)

    def _among_more(self, shape: StepShape, place: Place) -> bool:
        """Return whether the players of a shape can be at a place among more players, so that the schema applies."""
        cell = partial(self.frames.cell, place)
        here = {(cell(offset), bit) for offset, mask in shape.players for bit in bits(mask)}
        free = {(cell(offset), number) for offset, number, there in shape.needs if not there and offset != MARK}
        return any(here < more and not more & free for more in self.facts_of_stands)
