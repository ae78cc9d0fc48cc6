"""Walkers, which see only their own cell and remember nothing of the maze; for puzzles with a `compass`.

    mouse            moves straight on in corridors, turns at random at junctions, and back only where it must
    wall follower    keeps one hand on the wall: turns to that side where it can, else straight on, else to the other
                     side, else back; it arrives if that wall leads to the goal, as in mazes without loops

The wall follower begins with the compass's first heading. If it comes to the same cell with the same heading again, it
would loop for ever, so the walk ends.

A compass is an even number of moves as headings, clockwise: opposite headings are half a compass apart.
"""

from __future__ import annotations

from random import Random

from unpuzzle.base.errors import GAVE_UP, SOLVED
from unpuzzle.planners.rules.search import Answer, RulesSearch
from unpuzzle.puzzle.faults import after, require_same
from unpuzzle.puzzle.position import Position

LEFT, RIGHT = 1, -1
STUCK = "there is no way forward"


def mouse(search: RulesSearch) -> Answer:
    """Return the moves of a random walk to a goal, or the reason why the walk failed. Raises LimitReached."""
    rng, compass = Random(search.seed), search.start.game.compass
    back_of = {move: compass[place - len(compass) // 2] for place, move in enumerate(compass)}
    position, moves, back = search.start, list[str](), ""
    while not position.solved():
        ways = _look(search, position)
        if not ways:
            return GAVE_UP, None, STUCK
        move = rng.choice([way for way in ways if way != back] or ways)
        position, back = _step(search, position, move, moves), back_of[move]
    return SOLVED, moves, ""


def wall_follower(search: RulesSearch, hand: int) -> Answer:
    """Return the moves of a walk to a goal, or the reason why the walk failed; `hand` is `LEFT` or `RIGHT`."""
    compass = search.start.game.compass
    half = len(compass) // 2
    position, moves, heading = search.start, list[str](), 0
    visits: dict[tuple[Position, int], tuple[int, Position]] = {}
    while not position.solved():
        if (position, heading) in visits:
            break
        visits[position, heading] = len(moves), position
        ways = _look(search, position)
        turns = [(heading + hand * turn) % len(compass) for turn in range(1 - half, half + 1)]
        open_turns = [turn for turn in turns if compass[turn] in ways]
        if not open_turns:
            return GAVE_UP, None, STUCK
        heading = open_turns[0]
        position = _step(search, position, compass[heading], moves)
    else:
        return SOLVED, moves, ""
    before, position_then = visits[position, heading]
    require_same(position_then, position, lambda: (after(moves[:before]), after(moves)))
    return GAVE_UP, None, f"a loop: after move {len(moves)} the walker continues as it did after move {before}"


def _look(search: RulesSearch, position: Position) -> tuple[str, ...]:
    """Return the possible moves, and count the position as expanded."""
    search.counts.look(search.most)
    search.counts.expanded += 1
    search.counts.frontier = 1
    return position.moves()


def _step(search: RulesSearch, position: Position, move: str, moves: list[str]) -> Position:
    search.counts.generated += 1
    moves.append(move)
    return position.apply(move)
