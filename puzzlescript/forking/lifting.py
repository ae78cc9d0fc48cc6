"""From ground actions to schemas: steps of one shape become one schema, wherever a guard tells where they apply.

A shape that is found in all four directions gets a direction as its last parameter; one that is found in some only, a
schema for each of them, whose name ends with the direction. Where no guard tells the places, a table does; and a step
that is alone of its shape stays ground.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from unpuzzle.puzzlescript.forking.counted import Effort
from unpuzzle.puzzlescript.forking.frames import MARK, VECTORS, Frames, Offset, Place, Seen, StepShape
from unpuzzle.puzzlescript.forking.guards import Guard, Guards
from unpuzzle.puzzlescript.forking.paths import Players
from unpuzzle.puzzlescript.forking.steps import GroundStep
from unpuzzle.puzzlescript.playing.sets import bits

Deed = tuple[Place, str, Seen, frozenset[tuple[Offset, int]]]
"""What is done where: a place, a key, effects and players."""


def _deed(shape: StepShape, place: Place) -> Deed:
    return (place, shape.key, shape.effects, shape.players)


class Schema(NamedTuple):
    """A schema: its shape, the `guard` that tells where it applies, or the places themselves.

    `key` is the input, or empty where a parameter tells the direction.
    """

    shape: StepShape
    key: str
    guard: Guard | None
    places: tuple[Place, ...]

    def ground(self) -> bool:
        """Return whether it is an action at one place, without parameters."""
        return self.guard is None and len(self.places) == 1


class Lifting:
    """Makes schemas that stand for just these steps.

    `stands` are all ways in which players may stand; `static` has by cell what no move changes there; `net` are the
    cells that the steps are about.
    """

    def __init__(
        self,
        steps: Sequence[GroundStep],
        stands: Collection[Players],
        frames: Frames,
        static: Sequence[int],
        effort: Effort,
    ) -> None:
        self.effort = effort
        self.stands = stands
        self.frames = frames
        self.by_shape: dict[StepShape, dict[Place, None]] = {}
        self.by_deed: dict[Deed, list[StepShape]] = {}
        """By place and deed the shapes that are found there."""
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
        self.net = net
        self.facts_of_stands: list[set[tuple[int, int]]] = [
            {(cell, bit) for cell, mask in players for bit in bits(mask)} for players in stands
        ]
        self.numbers_differ: bool = len({len(facts) for facts in self.facts_of_stands}) > 1
        self.guards: Guards = Guards(frames, net, static, origins, effort)

    def schemas(self) -> list[Schema]:
        """Return the schemas, those first that stand for most steps."""
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
        return self.guards.find(shape, set(places), _Harmless(self, shape), directions)


class _Harmless:
    """Places that may be among those of a shape, although they are not wanted.

    There another step, which needs no more, does the same anyway, or players never stand there like that.
    """

    def __init__(self, lifting: Lifting, shape: StepShape) -> None:
        self.lifting = lifting
        self.shape = shape

    def __contains__(self, place: object) -> bool:
        shape, lifting = self.shape, self.lifting
        assert isinstance(place, Place)
        cells = [(lifting.frames.cell(place, offset), objects) for offset, objects in shape.players]
        if tuple(sorted(cells)) not in lifting.stands:
            return not self._among_more(place)
        if len(shape.players) > 1:  # it may be seen from another player there
            step = lifting.frames.step(shape, place)
            place = lifting.frames.place(step)
            shape = lifting.frames.shape(step, place)
        same = lifting.by_deed.get(_deed(shape, place), ())
        return any(other.needs <= shape.needs and (shape.solved or not other.solved) for other in same)

    def _among_more(self, place: Place) -> bool:
        """Return whether players may stand there, and more of them elsewhere, so that the schema would apply."""
        shape, lifting = self.shape, self.lifting
        if not lifting.numbers_differ:
            return False
        here = {(lifting.frames.cell(place, offset), bit) for offset, mask in shape.players for bit in bits(mask)}
        free = {
            (lifting.frames.cell(place, offset), number)
            for offset, number, there in shape.needs
            if not there and offset != MARK
        }
        return any(here < more and not more & free for more in lifting.facts_of_stands)
