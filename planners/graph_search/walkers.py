"""Walkers: they see only the cell they are in, and remember nothing of the maze. For puzzles with a `compass`.

    mouse            goes straight on in corridors, turns at random at junctions, and back only where it must
    wall follower    keeps one hand on the wall: turns to that side where it can, else straight on, else to the other
                     side, else back; it arrives if that wall leads to the goal, as in mazes without loops

The wall follower begins with the compass's first heading. Standing once more where it was, with the same heading, it
would go on for ever as it did before: that is noticed.

A compass is the moves as headings, clockwise, of an even number: the heading opposite is half a compass away.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from random import Random
    from typing import TypeVar

    from unpuzzle.planners.graph_search.counts import Counts

    Position = TypeVar("Position", bound=Hashable)

LEFT, RIGHT = 1, -1
STUCK = "there is no way on"


def mouse(
    start: Position,
    *,
    successors: Callable[[Position], Iterable[tuple[str, Position, int]]],
    goal: Callable[[Position], bool],
    compass: tuple[str, ...],
    rng: Random,
    watch: Callable[[], None],
    counts: Counts,
) -> tuple[list[str], str]:
    """The moves until a goal, and "", or why the walk ended without one. May have no end: let `watch` see to that."""
    position, moves, back = start, list[str](), ""
    while not goal(position):
        ways = _ways(position, successors, watch, counts)
        if not ways:
            return moves, STUCK
        move = rng.choice([way for way in ways if way != back] or [back])
        moves.append(move)
        position, back = ways[move], compass[compass.index(move) - len(compass) // 2]
    return moves, ""


def wall_follower(
    start: Position,
    *,
    successors: Callable[[Position], Iterable[tuple[str, Position, int]]],
    goal: Callable[[Position], bool],
    compass: tuple[str, ...],
    hand: int,
    watch: Callable[[], None],
    counts: Counts,
) -> tuple[list[str], str]:
    """The moves until a goal, and "", or why the walk ended without one; `hand` is `LEFT` or `RIGHT`."""
    half = len(compass) // 2
    position, moves, heading = start, list[str](), 0
    been: dict[tuple[Position, int], int] = {}
    while not goal(position):
        if (position, heading) in been:
            length = len(moves) - been[position, heading]
            return moves, f"a loop: after {len(moves)} moves it goes on as it did {length} moves before"
        been[position, heading] = len(moves)
        ways = _ways(position, successors, watch, counts)
        turns = [(heading + hand * turn) % len(compass) for turn in range(1 - half, half + 1)]
        heading = next((turn for turn in turns if compass[turn] in ways), -1)
        if heading < 0:
            return moves, STUCK
        moves.append(compass[heading])
        position = ways[compass[heading]]
    return moves, ""


def _ways(
    position: Position,
    successors: Callable[[Position], Iterable[tuple[str, Position, int]]],
    watch: Callable[[], None],
    counts: Counts,
) -> dict[str, Position]:
    """Where one can go: looking around is an expansion."""
    watch()
    ways = {move: following for move, following, _ in successors(position)}
    counts.expanded += 1
    counts.generated += len(ways)
    counts.frontier = 1
    return ways
