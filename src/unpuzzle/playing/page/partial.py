"""A part of a level's state space: a solution alone, or the positions near to it or to the start."""

from __future__ import annotations

from collections.abc import Sequence

from unpuzzle.limits import Deadline, ticking
from unpuzzle.playing.page.signs import MOST_LOOKS, LookCounter
from unpuzzle.puzzle.position import Position
from unpuzzle.result import GAVE_UP
from unpuzzle.spaces.by_rules import RulesSpace
from unpuzzle.spaces.exploration import Exploration


def solution_space(start: Position, solution: Sequence[str], deadline: Deadline) -> Exploration:
    """Return the state space that has the positions and moves of one solution, and no others."""
    positions, edges, operators = [start], [], []
    with ticking(deadline):
        for number, move in enumerate(solution):
            deadline()
            operators.append((move, positions[-1].cost(move)))
            positions.append(positions[-1].apply(move))
            edges.append([(number, number + 1)])
        space = RulesSpace(positions, [*edges, []], operators, GAVE_UP)
        space.compute()
    return Exploration(start, space)


def space_around(
    start: Position, solution: Sequence[str], most: int, deadline: Deadline
) -> tuple[Exploration, set[Position]]:
    """Return a space of about `most` states near to a solution, or to the start, and its states with unknown moves.

    The positions of the solution come first, so all moves in each of them are known. Where a game's turns take long,
    which is counted, there are fewer states (see `signs.py`).
    """
    looks = LookCounter(deadline, MOST_LOOKS)
    with ticking(looks.of_a_turn):
        positions = [start]
        for move in solution:
            positions.append(positions[-1].apply(move))
        positions = list(dict.fromkeys(positions))
        edges, operators = _edges(positions, most, looks)
    ends = set(positions[len(edges) :])
    space = RulesSpace(positions, [*edges, *([] for _ in ends)], list(operators), GAVE_UP)
    with ticking(deadline):
        space.compute()
    return Exploration(start, space), ends


def _edges(
    positions: list[Position], most: int, looks: LookCounter
) -> tuple[list[list[tuple[int, int]]], dict[tuple[str, int], int]]:
    """Return the moves of positions, adding the positions after them until there are `most`.

    The moves of the positions given at first are returned in any case.
    """
    first = len(positions)
    numbers = {position: number for number, position in enumerate(positions)}
    operators: dict[tuple[str, int], int] = {}
    edges: list[list[tuple[int, int]]] = []
    for position in positions:  # which grow meanwhile
        looks()
        if len(edges) >= first and (len(positions) >= most or looks.left < 0):
            break
        arcs = []
        for move in position.moves():
            following = position.apply(move)
            target = numbers.setdefault(following, len(positions))
            if target == len(positions):
                positions.append(following)
            arcs.append((operators.setdefault((move, position.cost(move)), len(operators)), target))
        edges.append(arcs)
    return edges, operators
