"""Steps seen from the player: cells by how far ahead and how far to the right they lie, so that equal steps look equal.

An input in a direction is seen in that direction; other inputs are seen as if looking to the right. The player's cell
is the origin; with several players it is the first one's, without any the first cell that the step is about.
"""

from __future__ import annotations

from typing import NamedTuple

from unpuzzle.puzzlescript.forking.steps import Facts, GroundStep

Offset = tuple[int, int]
"""Cells ahead and cells to the right."""
Seen = frozenset[tuple[Offset, int, bool]]

VECTORS = {"u": (0, -1), "r": (1, 0), "d": (0, 1), "l": (-1, 0)}
CLOCKWISE = {"u": "r", "r": "d", "d": "l", "l": "u"}
MARK: Offset = (1 << 20, 0)
"""Stands for the place of marks, which have none."""


class Place(NamedTuple):
    """Where a step is taken: the direction in which it is seen, and its origin."""

    direction: str
    origin: int


class StepShape(NamedTuple):
    """What a step needs and does, seen from its place. `key` is empty for all inputs in a direction."""

    key: str
    players: frozenset[tuple[Offset, int]]
    needs: Seen
    effects: Seen
    solved: bool

    def offsets(self) -> list[Offset]:
        """Return the cells that it is about, the origin first, near ones before far ones."""
        offsets = {offset for offset, _ in self.players}
        offsets |= {offset for offset, _, _ in self.needs | self.effects if offset != MARK}
        return sorted(offsets | {(0, 0)}, key=lambda o: (abs(o[0]) + abs(o[1]), -o[0], -o[1]))


class Frames:
    """Turns cells of a board into offsets, and back."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        places = [divmod(cell, height) for cell in range(width * height)]
        self._turned: dict[str, list[Offset]] = {}
        """By direction how far ahead and to the right each cell lies from the first one."""
        for direction, (ax, ay) in VECTORS.items():
            rx, ry = VECTORS[CLOCKWISE[direction]]
            self._turned[direction] = [(x * ax + y * ay, x * rx + y * ry) for x, y in places]

    def place(self, step: GroundStep) -> Place:
        """Return the place of a step."""
        cells = [cell for cell, _ in step.players]
        cells += sorted(fact[0] for fact, _ in step.needs | step.effects if fact[0] >= 0)
        return Place(step.key if step.key in VECTORS else "r", cells[0] if cells else 0)

    def shape(self, step: GroundStep, place: Place) -> StepShape:
        """Return the step as it is seen from a place."""
        turned = self._turned[place.direction]
        ahead, right = turned[place.origin]

        def offset(cell: int) -> Offset:
            if cell < 0:
                return MARK
            x, y = turned[cell]
            return x - ahead, y - right

        def seen(facts: Facts) -> Seen:
            return frozenset([(offset(fact[0]), fact[1], value) for fact, value in facts])

        key = "" if step.key in VECTORS else step.key
        players = frozenset([(offset(cell), objects) for cell, objects in step.players])
        return StepShape(key, players, seen(step.needs), seen(step.effects), step.solved)

    def step(self, shape: StepShape, place: Place) -> GroundStep:
        """Return the step that has a shape at a place, all of whose cells are on the board."""

        def there(facts: Seen) -> Facts:
            return frozenset([((self._known(place, offset), number), value) for offset, number, value in facts])

        players = sorted([(self._known(place, offset), objects) for offset, objects in shape.players])
        key = shape.key or place.direction
        return GroundStep(key, tuple(players), there(shape.needs), there(shape.effects), shape.solved)

    def _known(self, place: Place, offset: Offset) -> int:
        if offset == MARK:
            return -1
        cell = self.cell(place, offset)
        assert cell is not None
        return cell

    def cell(self, place: Place, offset: Offset) -> int | None:
        """Return the cell at an offset; None beyond the board."""
        column, row = divmod(place.origin, self.height)
        (ax, ay), (rx, ry) = VECTORS[place.direction], VECTORS[CLOCKWISE[place.direction]]
        x, y = column + offset[0] * ax + offset[1] * rx, row + offset[0] * ay + offset[1] * ry
        return x * self.height + y if 0 <= x < self.width and 0 <= y < self.height else None
