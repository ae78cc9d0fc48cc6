"""State spaces that are a part of a level's: a solution alone, or all that is near to it or to the start."""

from __future__ import annotations

from unpuzzle.planning.watch import Within
from unpuzzle.playing.page.telling import MOST_LOOKS, Looks
from unpuzzle.result import GAVE_UP
from unpuzzle.spaces.by_rules import RulesSpace
from unpuzzle.spaces.exploration import Exploration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.limits import Deadline
    from unpuzzle.puzzle.position import Position


def solution_space(start: Position, solution: Sequence[str], watch: Deadline) -> Exploration:
    """Return the state space that has the positions and moves of one solution, and no others."""
    positions, edges, operators = [start], [], []
    with Within(start.game, watch):
        for number, move in enumerate(solution):
            watch()
            operators.append((move, positions[-1].cost(move)))
            positions.append(positions[-1].apply(move))
            edges.append([(number, number + 1)])
    space = RulesSpace(positions, [*edges, []], operators, GAVE_UP, watch=watch)
    space.compute()
    return Exploration(start, space)


def space_around(
    start: Position, solution: Sequence[str], most: int, watch: Deadline
) -> tuple[Exploration, set[Position]]:
    """Return about `most` states near to a solution, or to the start, and those of them whose moves are not known.

    The positions of the solution come first, so all moves in each of them are known. There are fewer states where a
    game's turns take long, which is counted (see `telling.py`).
    """
    looks = Looks(watch, MOST_LOOKS)
    with Within(start.game, looks.of_a_turn):
        positions = [start]
        for move in solution:
            positions.append(positions[-1].apply(move))
        positions = list(dict.fromkeys(positions))
        edges, operators = _edges(positions, most, looks)
    ends = set(positions[len(edges) :])
    space = RulesSpace(positions, [*edges, *([] for _ in ends)], list(operators), GAVE_UP, watch=watch)
    space.compute()
    return Exploration(start, space), ends


def _edges(
    positions: list[Position], most: int, looks: Looks
) -> tuple[list[list[tuple[int, int]]], dict[tuple[str, int], int]]:
    """The moves of positions, which are added to, until there are `most`; but of the given ones in any case."""
    given = len(positions)
    numbers = {position: number for number, position in enumerate(positions)}
    operators: dict[tuple[str, int], int] = {}
    edges: list[list[tuple[int, int]]] = []
    for position in positions:  # which grow meanwhile
        looks()
        if len(edges) >= given and (len(positions) >= most or looks.left < 0):
            break
        found = []
        for move in position.moves():
            following = position.apply(move)
            target = numbers.setdefault(following, len(positions))
            if target == len(positions):
                positions.append(following)
            found.append((operators.setdefault((move, position.cost(move)), len(operators)), target))
        edges.append(found)
    return edges, operators
