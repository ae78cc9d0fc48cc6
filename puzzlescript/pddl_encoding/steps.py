"""The ground actions of a level, made from its paths, and their shapes, which do not depend on the place.

A fact is an object on a cell, or one of two marks, which say whether a position is solved if its board does not:

    WON        the last move has won, although the win conditions do not hold: by the command `win`
    UNMARKED   the win conditions hold, but the last move has not won: it was cancelled, or there was none

So the goal can be the win conditions themselves, if there are any, and no action needs to foresee them. Equivalent
actions are merged.

A shape names cells by their distance ahead of the player and to the right, so that equal steps have equal shapes. An
input in a direction is seen in that direction; other inputs are seen as if looking to the right. The player's cell is
the origin; with several players it is the first one's, without any the first cell of the step.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from unpuzzle.puzzlescript.compiling.compiled import bits
from unpuzzle.puzzlescript.pddl_encoding.boards import Effort
from unpuzzle.puzzlescript.pddl_encoding.paths import Forker, Players, TurnPath

Fact = tuple[int, int]
"""A cell and an object on it, or a mark."""
Facts = frozenset[tuple[Fact, bool]]
"""Facts with their required or new truth values."""

WON: Fact = (-1, 0)
UNMARKED: Fact = (-1, 1)

PER_STEP, PER_NEED = 8, 8
"""The effort counted for a step, and for each of its conditions."""


class GroundStep(NamedTuple):
    """A ground action of a level; if `solved` is true, it is applicable only if the win conditions hold."""

    key: str
    players: Players
    needs: Facts
    effects: Facts
    solved: bool = False


class Marks(NamedTuple):
    """Whether the PDDL of a level needs the atoms `won` and `unmarked`."""

    won: bool
    unmarked: bool


def marks_of(paths: Iterable[TurnPath], conditions: bool, begins_unmarked: bool) -> Marks:
    """Return which of the atoms `won` and `unmarked` the PDDL of a level needs."""
    won = unmarked = False
    for path in paths:
        won |= path.commanded
        unmarked |= conditions and not path.checked and not (path.added or path.removed)
    return Marks(won, unmarked or begins_unmarked)


def steps_of(
    forker: Forker, paths: Iterable[TurnPath], marks: Marks, placements: Collection[Players], lost: Container[Players]
) -> list[GroundStep]:
    """Convert paths (possible courses of turns) to ground actions, except paths that change nothing.

    `placements` are all possible placements of players; `lost` are the placements without a solved position.
    """
    steps = merge([step for path in paths for step in _steps(path, marks)], forker.effort)
    possible = [step for step in steps if not step.solved or step.players not in lost]
    return _exclude_more_players(_drop_implied(possible, forker.same_layer), placements)


def _steps(path: TurnPath, marks: Marks) -> Iterator[GroundStep]:
    """Yield the ground actions of one path; several if the path ends with the test of the win conditions."""
    needs = {(cell, number): there for cell, number, there in path.answers}
    effects: dict[Fact, bool] = dict.fromkeys(path.added, True) | dict.fromkeys(path.removed, False)

    def step(needed: dict[Fact, bool], become: dict[Fact, bool], solved: bool = False) -> GroundStep:
        return GroundStep(
            path.key, path.players, frozenset((needs | needed).items()), frozenset((effects | become).items()), solved
        )

    if effects:
        yield step({}, ({WON: path.commanded} if marks.won else {}) | ({UNMARKED: False} if marks.unmarked else {}))
    elif path.commanded:
        yield step({WON: False}, {WON: True})
    else:
        if marks.won:
            yield step({WON: True}, {WON: False})
        if marks.unmarked and path.checked:
            yield step({UNMARKED: True}, {UNMARKED: False})
        if marks.unmarked and not path.checked:
            yield step({UNMARKED: False}, {UNMARKED: True}, solved=True)


def merge(steps: list[GroundStep], effort: Effort) -> list[GroundStep]:
    """Merge each pair of ground actions that differ only in that one of them negates a condition of the other."""
    left = dict.fromkeys(steps)
    alike = Counter(map(_asked, steps))
    waiting = list(left)
    while waiting:
        step = waiting.pop()
        effort.spend(PER_STEP)
        if step not in left or alike[_asked(step)] < 2:
            continue
        effort.spend(PER_NEED * len(step.needs))
        for fact, there in step.needs:
            other = _opposite_step(step, fact, there, left)
            if other is not None:
                new = _joined(step, fact, there, other)
                for each in (step, other):
                    del left[each]
                    alike[_asked(each)] -= 1
                left[new] = None
                alike[_asked(new)] += 1
                waiting.append(new)
                break
    return list(left)


def _asked(step: GroundStep) -> tuple[str, Players, frozenset[Fact]]:
    return step.key, step.players, frozenset([fact for fact, _ in step.needs])


def _opposite_step(step: GroundStep, fact: Fact, there: bool, steps: dict[GroundStep, None]) -> GroundStep | None:
    """Return the ground action that is like `step`, but with the condition `fact` negated; None if there is none."""
    either = frozenset([(fact, True), (fact, False)])
    needs, rest = step.needs ^ either, step.effects - either
    if not rest:
        return None
    leaves = (fact, not there) not in step.effects
    for candidate in (rest, rest | {(fact, there)}) if leaves else (rest,):
        other = GroundStep(step.key, step.players, needs, candidate, step.solved)
        if other in steps:
            return other
    return None


def _joined(step: GroundStep, fact: Fact, there: bool, other: GroundStep) -> GroundStep:
    needs = step.needs - {(fact, there)}
    return step._replace(needs=needs, effects=step.effects | other.effects & {(fact, True), (fact, False)})


def _drop_implied(steps: Iterable[GroundStep], same_layer: Sequence[int]) -> list[GroundStep]:
    """Remove the conditions that others imply, because a cell has at most one object of each layer."""
    steps_left = []
    for step in steps:
        here: defaultdict[int, int] = defaultdict(int)
        facts = [fact for fact, there in step.needs if there and fact[0] >= 0]
        for cell, number in (*facts, *[(cell, n) for cell, objects in step.players for n in bits(objects)]):
            here[cell] |= same_layer[number]
        needs = [need for need in step.needs if need[1] or need[0][0] < 0 or not here[need[0][0]] >> need[0][1] & 1]
        steps_left.append(step._replace(needs=frozenset(needs)))
    return steps_left


def _exclude_more_players(steps: Sequence[GroundStep], placements: Collection[Players]) -> list[GroundStep]:
    """Add to ground actions the condition that no player is on the board except those in the action."""
    pairs = {
        players: frozenset([(cell, n) for cell, objects in players for n in bits(objects)]) for players in placements
    }
    if len({len(facts) for facts in pairs.values()}) < 2:
        return list(steps)
    alone: dict[Players, Facts] = {}
    for players in {step.players for step in steps}:
        own = pairs[players]
        alone[players] = frozenset([(fact, False) for more in pairs.values() if own < more for fact in more - own])
    return [step._replace(needs=step.needs | alone[step.players]) for step in steps]


Offset = tuple[int, int]
"""Cells ahead and cells to the right."""
Seen = frozenset[tuple[Offset, int, bool]]

VECTORS = {"u": (0, -1), "r": (1, 0), "d": (0, 1), "l": (-1, 0)}
CLOCKWISE = {"u": "r", "r": "d", "d": "l", "l": "u"}
MARK: Offset = (1 << 20, 0)
"""The place of marks, which have no cell."""


class StepPlace(NamedTuple):
    """The cell at which a ground action begins, and the direction from which the action is seen."""

    direction: str
    origin: int


class StepShape(NamedTuple):
    """A ground action with offsets in place of cells; the same action at another cell has the same shape."""

    key: str
    players: frozenset[tuple[Offset, int]]
    needs: Seen
    effects: Seen
    solved: bool

    def offsets(self) -> list[Offset]:
        """Return the offsets of all cells in the shape, the nearest first."""
        offsets = {offset for offset, _ in self.players}
        offsets |= {offset for offset, _, _ in self.needs | self.effects if offset != MARK}
        return sorted(offsets | {(0, 0)}, key=lambda o: (abs(o[0]) + abs(o[1]), -o[0], -o[1]))


class Frames:
    """A converter between the cells of a board and offsets from one of its cells, seen in a direction."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        places = [divmod(cell, height) for cell in range(width * height)]
        self._turned: dict[str, list[Offset]] = {}
        """By direction, the offset of each cell from the first cell."""
        for direction, (ax, ay) in VECTORS.items():
            rx, ry = VECTORS[CLOCKWISE[direction]]
            self._turned[direction] = [(x * ax + y * ay, x * rx + y * ry) for x, y in places]

    def place(self, step: GroundStep) -> StepPlace:
        cells = [cell for cell, _ in step.players]
        cells += sorted(fact[0] for fact, _ in step.needs | step.effects if fact[0] >= 0)
        return StepPlace(step.key if step.key in VECTORS else "r", cells[0] if cells else 0)

    def shape(self, step: GroundStep, place: StepPlace) -> StepShape:
        """Return the shape of a ground action: its cells as offsets from a place."""
        turned = self._turned[place.direction]
        ahead, right = turned[place.origin]

        def offset(cell: int) -> Offset:
            if cell < 0:
                return MARK
            x, y = turned[cell]
            return x - ahead, y - right

        def view(facts: Facts) -> Seen:
            return frozenset([(offset(fact[0]), fact[1], value) for fact, value in facts])

        key = "" if step.key in VECTORS else step.key
        players = frozenset([(offset(cell), objects) for cell, objects in step.players])
        return StepShape(key, players, view(step.needs), view(step.effects), step.solved)

    def step(self, shape: StepShape, place: StepPlace) -> GroundStep:
        """Return the ground action that has a given shape at a place."""

        def there(facts: Seen) -> Facts:
            return frozenset([((self._cell(place, offset), number), value) for offset, number, value in facts])

        players = sorted([(self._cell(place, offset), objects) for offset, objects in shape.players])
        key = shape.key or place.direction
        return GroundStep(key, tuple(players), there(shape.needs), there(shape.effects), shape.solved)

    def _cell(self, place: StepPlace, offset: Offset) -> int:
        if offset == MARK:
            return -1
        cell = self.cell(place, offset)
        assert cell is not None
        return cell

    def cell(self, place: StepPlace, offset: Offset) -> int | None:
        """Return the cell at an offset from a place; None if it is not on the board."""
        column, row = divmod(place.origin, self.height)
        (ax, ay), (rx, ry) = VECTORS[place.direction], VECTORS[CLOCKWISE[place.direction]]
        x, y = column + offset[0] * ax + offset[1] * rx, row + offset[0] * ay + offset[1] * ry
        return x * self.height + y if 0 <= x < self.width and 0 <= y < self.height else None
