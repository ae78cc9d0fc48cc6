"""Walkers: they see only the cell they are in, and remember nothing of the maze. For puzzles with a `compass`.

    mouse            goes straight on in corridors, turns at random at junctions, and back only where it must
    wall follower    keeps one hand on the wall: turns to that side where it can, else straight on, else to the other
                     side, else back; it arrives if that wall leads to the goal, as in mazes without loops

The wall follower begins with the compass's first heading. Standing once more where it was, with the same heading, it
would go on for ever as it did before: that is noticed.

A compass is the moves as headings, clockwise, of an even number: the heading opposite is half a compass away.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from unpuzzle.planners.rules.counts import Counts
from unpuzzle.puzzle.equality import after, require_same
from unpuzzle.puzzle.position import Position

LEFT, RIGHT = 1, -1
STUCK = "there is no way on"


def mouse(start: Position, *, rng: Random, watch: Callable[[], None], counts: Counts) -> tuple[list[str], str]:
    """Return the moves of a walk to a goal, and "", or why it ended without one. Only `watch` may end it."""
    compass = start.game.compass
    back_of = {move: compass[place - len(compass) // 2] for place, move in enumerate(compass)}
    position, moves, back = start, list[str](), ""
    while not position.solved():
        ways = _look(position, watch, counts)
        if not ways:
            return moves, STUCK
        move = rng.choice([way for way in ways if way != back] or ways)
        position, back = _step(position, move, moves, counts), back_of[move]
    return moves, ""


def wall_follower(start: Position, *, hand: int, watch: Callable[[], None], counts: Counts) -> tuple[list[str], str]:
    """Return the moves of a walk to a goal, and "", or why it ended without one; `hand` is `LEFT` or `RIGHT`."""
    compass = start.game.compass
    half = len(compass) // 2
    position, moves, heading = start, list[str](), 0
    been: dict[tuple[Position, int], tuple[int, Position]] = {}
    while not position.solved():
        if (position, heading) in been:
            before, known = been[position, heading]
            require_same(known, position, partial(_ways, moves, before))
            length = len(moves) - before
            return moves, f"a loop: after {len(moves)} moves the walker goes on as it did {length} moves before"
        been[position, heading] = len(moves), position
        ways = _look(position, watch, counts)
        turns = [(heading + hand * turn) % len(compass) for turn in range(1 - half, half + 1)]
        open_turns = [turn for turn in turns if compass[turn] in ways]
        if not open_turns:
            return moves, STUCK
        heading = open_turns[0]
        position = _step(position, compass[heading], moves, counts)
    return moves, ""


def _ways(moves: list[str], before: int) -> tuple[str, str]:
    """Return in words when the walker was at a position first, and when again."""
    return after(moves[:before]), after(moves)


def _look(position: Position, watch: Callable[[], None], counts: Counts) -> tuple[str, ...]:
    """Return the ways on: to look around is an expansion."""
    watch()
    counts.expanded += 1
    counts.frontier = 1
    return position.moves()


def _step(position: Position, move: str, moves: list[str], counts: Counts) -> Position:
    counts.generated += 1
    moves.append(move)
    return position.apply(move)
