"""A level's whole state space as a few bytes a state: what a page plays on, instead of rules of its own.

States are numbered breadth-first. For a page, whose script (`player.js`) reads the same in the same order:

    moves       by state, a bit mask of the level's moves
    targets     for each of them 0 for the next new state; k for the k-th of the earlier states that lead here, which is
                what the way back costs; beyond those, the distance from the newest state
    distances   by state, to a goal, against the state that it was first reached from; 0 is a dead end, after which
                nothing is said, since all that follows is one
    goals       the gaps between their numbers
    pictures    the placements (look, row, column, kind) of the start, then the changes that there are; and by state
                which of them led to it

Numbers are written in groups of seven bits, low ones first; all is deflated afterwards.
"""

from __future__ import annotations

from itertools import pairwise
from re import split

from unpuzzle.drawing import picture_of
from unpuzzle.rendering.film import common_ground

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from unpuzzle.drawing import Ground, Piece
    from unpuzzle.puzzle.position import Position
    from unpuzzle.spaces import Exploration
    from unpuzzle.spaces.space import Space

    Placement = tuple[str, float, float, str, int]
    """A piece and, of several that are alike, which one."""
    Edge = tuple[int, int]
    """A move's number, the state that it leads to."""


def _never() -> None:
    pass


class Table:
    """A state space, numbered for a page.

    Attributes:
        moves: the level's moves, each with its cost, in the order of their numbers.
        positions: by state.
        edges: by state, a move's number and the state it leads to, by number.
        left: by state, the least cost to a goal, -1 in a dead end.
        parents: by state, the one that it was first reached from; the start has -1.
        goals: the solved states.
        ground: of all positions.
        numbers: all placements, by number.
    """

    def __init__(self, exploration: Exploration, tick: Callable[[], None] = _never) -> None:
        space = exploration.space
        of_operator = list(zip(exploration.moves, space.costs, strict=True))
        self.moves = sorted(set(of_operator), key=natural)
        self.positions = [exploration.position(0)]
        self.edges: list[list[Edge]] = []
        self.parents = [-1]
        numbers = {move: number for number, move in enumerate(self.moves)}
        order = self._explored(space, [numbers[move] for move in of_operator], tick)
        left, goals = space.goal_distance.tolist(), space.goals.tolist()
        self.left = [left[state] for state in order]
        self.goals = [number for number, state in enumerate(order) if goals[state]]
        pictures = [picture_of(position) for position in self.positions]
        self.ground = common_ground([ground for ground, _ in pictures])
        self._pieces = [told_apart(pieces) for _, pieces in pictures]
        self.numbers = numbered(self.ground, {placement for pieces in self._pieces for placement in pieces})

    def _explored(self, space: Space[Any], numbers: Sequence[int], tick: Callable[[], None]) -> list[int]:
        """Fill in what depends on the order of states; returns that."""
        offsets, operators, targets = space.offsets.tolist(), space.operators.tolist(), space.targets.tolist()
        order, known = [0], {0: 0}
        for number, state in enumerate(order):  # which grows meanwhile
            tick()
            edges = range(offsets[state], offsets[state + 1])
            found = []
            for move, target in sorted([(numbers[operators[edge]], targets[edge]) for edge in edges]):
                if target not in known:
                    known[target] = len(order)
                    order.append(target)
                    self.positions.append(self.positions[number].apply(self.moves[move][0]))
                    self.parents.append(number)
                found.append((move, known[target]))
            self.edges.append(found)
        return order

    def packed(self, tick: Callable[[], None] = _never) -> bytes:
        """The bytes described above."""
        out = bytearray()
        for found in self.edges:
            write(out, sum([1 << move for move, _ in found]))
        self._pack_targets(out)
        self._pack_distances(out)
        write_gaps(out, self.goals)
        self._pack_pictures(out, tick)
        return bytes(out)

    def _pack_targets(self, out: bytearray) -> None:
        known = 1
        before: list[list[int]] = [[] for _ in self.edges]
        for state, found in enumerate(self.edges):
            near = before[state]
            for _, target in found:
                if target == known:
                    code = 0
                    known += 1
                else:
                    code = near.index(target) + 1 if target in near else len(near) + known - target
                if target > state:
                    before[target].append(state)
                write(out, code)

    def _pack_distances(self, out: bytearray) -> None:
        write(out, self.left[0] + 1)
        for state, parent in enumerate(self.parents[1:], 1):
            if self.left[parent] >= 0:
                change = self.left[state] - self.left[parent]
                write(out, 0 if self.left[state] < 0 else 1 + (2 * change if change >= 0 else -2 * change - 1))

    def _pack_pictures(self, out: bytearray, tick: Callable[[], None]) -> None:
        before: list[frozenset[int]] = []
        changes: dict[frozenset[int], int] = {}
        by_state = []
        for pieces, parent in zip(self._pieces, self.parents, strict=True):
            tick()
            before.append(frozenset([self.numbers[placement] for placement in pieces]))
            if parent >= 0:
                by_state.append(changes.setdefault(before[-1] ^ before[parent], len(changes)))
        write_gaps(out, sorted(before[0]))
        write(out, len(changes))
        for change in changes:
            write_gaps(out, sorted(change))
        for number in by_state:
            write(out, number)


def natural(move: tuple[str, int]) -> list[tuple[int, str]]:
    """A key that sorts `r2c1` before `r10c1`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in split(r"(\d+)", move[0])] + [(move[1], "")]


# ---- placements


def numbered(ground: Ground, found: Iterable[Placement]) -> dict[Placement, int]:
    """Placements by number, in the order in which they are painted."""
    layers = ground.layers()
    ordered = sorted(set(found), key=lambda place: (layers[place[0]], *place[1:]))
    return {placement: number for number, placement in enumerate(ordered)}


def placements(position: Position) -> list[Placement]:
    """The pieces of a position; of several that are alike, each is another placement."""
    return told_apart(picture_of(position)[1])


def told_apart(pieces: Sequence[Piece]) -> list[Placement]:
    """Pieces as placements."""
    if len(set(pieces)) == len(pieces):
        return [(*piece, 0) for piece in pieces]
    seen: dict[Any, int] = {}
    found = []
    for piece in pieces:
        seen[piece] = seen.get(piece, -1) + 1
        found.append((*piece, seen[piece]))
    return found


# ---- numbers


def write(out: bytearray, number: int) -> None:
    """A number, in groups of seven bits."""
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def write_gaps(out: bytearray, numbers: Sequence[int]) -> None:
    """Ascending numbers: how many, then each as what it is more than the one before."""
    write(out, len(numbers))
    for before, number in pairwise([0, *numbers]):
        write(out, number - before)
