"""Laws about symmetries, searches from both ends, walkers, points and plain data, as far as a game offers them."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from itertools import count

from unpuzzle.puzzle.capabilities import ForComponents, Reversible, Scored, Symmetric, required, score_of, symmetries_of
from unpuzzle.puzzle.position import Position
from unpuzzle.testing.game_laws.subject import (
    MOST_STATES,
    MOVES_TRIED,
    Subject,
    everywhere,
    layers,
    needs,
    require,
    spread,
    where,
)

MEASURED = 500
"""The most positions up to which symmetric levels are explored side by side."""


@needs(Symmetric, "names no symmetries")
@everywhere(examples=40, steps=4)
def symmetries_are_a_closed_set(subject: Subject, position: Position) -> None:
    """Require that a position is one of its symmetries, and that all of them name the same ones."""
    same = list(symmetries_of(position))
    require(position in same, "symmetries() leaves out the position itself")
    require(len(set(same)) == len(same), "symmetries() gives a position twice")
    for other in same:
        again = subject.game.parse(str(other))
        require(again == other, f"the text of a symmetric position does not come back:\n{other}")
        require(set(symmetries_of(other)) == set(same), f"a symmetric position has other symmetries:\n{other}")
        require(other.canonical() == position.canonical(), f"canonical() of a symmetric one is another:\n{other}")
    canonical = position.canonical()
    require(canonical.canonical() == canonical, "canonical() of the canonical position is another")


@needs(Symmetric, "names no symmetries")
@everywhere(examples=30, steps=4)
def symmetric_positions_have_symmetric_moves(_: Subject, position: Position) -> None:
    """Require that symmetric positions have the same moves, at the same costs, but for symmetry."""

    def options(position: Position) -> set[tuple[Position, int]]:
        return {(position.apply(move).canonical(), position.cost(move)) for move in position.moves()[:MOVES_TRIED]}

    if len(position.moves()) > MOVES_TRIED:
        return
    expected = options(position)
    for other in symmetries_of(position):
        require(options(other) == expected, f"the moves of a symmetric position lead elsewhere, in\n{other}")
        require(other.solved() == position.solved(), f"only one of two symmetric positions is solved, not\n{other}")


@needs(Symmetric, "names no symmetries")
def symmetric_levels_are_equally_hard(subject: Subject) -> None:
    """Require as many positions, and as many solved ones, after each number of moves."""

    def measures(position: Position) -> list[tuple[int, int]]:
        return [(len(layer), sum(other.solved() for other in layer)) for layer in layers(position, MEASURED)]

    for position in subject.samples[:8]:
        expected = measures(position)
        for other in {*symmetries_of(position), position.canonical()}:
            require(measures(other) == expected, f"the symmetric levels\n{position}and\n{other}are not equally hard")


@needs(Reversible, "is not searched from both ends")
@everywhere()
def predecessors_lead_here(_: Subject, position: Position) -> None:
    """Require that each predecessor is a move and a position from which it leads here."""
    steps = list(_reversible(position).predecessors() or ())
    require(len(set(steps)) == len(steps), "predecessors() gives a step twice")
    for move, previous in steps:
        require(move in previous.moves(), f"predecessors() gives {move!r}, which is not a legal move in\n{previous}")
        leads_here = previous.apply(move) == position
        require(leads_here, f"the move {move!r} of predecessors() does not lead here from\n{previous}")


@needs(Reversible, "is not searched from both ends")
def no_predecessor_is_missing(subject: Subject) -> None:
    """Require all unsolved positions from which a move leads here, in levels with a goal position."""
    starts = [start for start in subject.starts if _reversible(start).goal_position() is not None]
    for start in spread(starts, 20):
        for layer in layers(start, 200):
            for position in layer if len(layer) < MOST_STATES else ():
                listed = _reversible(position).predecessors() is not None
                require(listed, f"there is no list of predecessors of\n{position}")
                for move in () if position.solved() else position.moves():
                    steps = _reversible(position.apply(move)).predecessors() or ()
                    said = f"predecessors() after the move {move!r} leave out the position before it,\n{position}"
                    require((move, position) in steps, said)


@needs(Reversible, "is not searched from both ends")
def the_goal_position_is_where_best_solutions_end(subject: Subject) -> None:
    """Require that the goal position is solved, its own goal position, and nearer than all other solved ones."""
    for start in subject.starts:
        goal = _reversible(start).goal_position()
        if goal is None:
            continue
        require(goal.solved(), f"goal_position() is not solved:\n{goal}")
        require(_reversible(goal).goal_position() == goal, f"goal_position() of itself is another:\n{goal}")
        require(not start.solved() or goal == start, f"goal_position() of a solved position is another one:\n{start}")
        others = sorted(map(str, _nearest(start) - {goal}))
        said = f"a cheapest solution of\n{start}does not end in its goal_position(), but in\n{''.join(others[:1])}"
        require(not others, said)


def _reversible(position: Position) -> Reversible:
    return required(position, Reversible, "is tested")


def _nearest(start: Position) -> set[Position]:
    """Return the solved positions of least cost (E. W. Dijkstra, 1959), or none if they are too far away."""
    tie = count()
    queue = [(0, next(tie), start)]
    closed: set[Position] = set()
    nearest: set[Position] = set()
    least = None
    while queue and len(closed) < MOST_STATES:
        cost, _, position = heappop(queue)
        if least is not None and cost > least:
            return nearest
        if position in closed:
            continue
        closed.add(position)
        if position.solved():
            least = cost
            nearest.add(position)
            continue  # a cheapest solution does not go on
        for move in position.moves():
            heappush(queue, (cost + position.cost(move), next(tie), position.apply(move)))
    return set() if queue else nearest


@where(lambda game, _: game.compass, "has no walker")
def headings_are_moves_and_the_opposite_one_leads_back(subject: Subject) -> None:
    """Require that the way back stands half of `compass` further on."""
    compass = subject.game.compass
    even = len(set(compass)) == len(compass) and len(compass) % 2 == 0
    require(even, f"compass {compass} is not an even number of moves")

    def holds(position: Position) -> None:
        others = set(position.moves()) - set(compass)
        require(not others, f"the moves {', '.join(sorted(others))} are not in compass")
        for move in position.moves():
            back = compass[compass.index(move) - len(compass) // 2]
            require(back in position.apply(move).moves(), f"after {move!r}, the way back {back!r} is not a move")

    subject.everywhere(holds)


@needs(Scored, "gives no points")
@everywhere()
def points_are_whole_numbers(_: Subject, position: Position) -> None:
    """Require a whole number or None for all legal moves."""
    for moves in ((), *[(move,) for move in position.moves()[:MOVES_TRIED]]):
        score = score_of(position, moves)
        fine = score is None or type(score) is int
        require(fine, f"level_score({moves!r}) gave {score!r}, which is not a whole number")


@needs(ForComponents, "shows its text as plain data")
@everywhere(examples=30)
def plain_data_is_plain(subject: Subject, position: Position) -> None:
    """Require equal data of equal positions, made of JSON's values, tuples and exact fractions."""
    data = required(position, ForComponents, "is tested").plain()
    odd = _odd(data)
    require(odd is None, f"plain() holds {odd!r}, which is not plain data")
    again = required(subject.game.parse(str(position)), ForComponents, "is tested").plain()
    require(again == data, "plain() differs between equal positions")


def _odd(data: object) -> object | None:
    """Return the first part of some data that is not plain, or None."""
    if isinstance(data, dict):
        data = [*data, *data.values()]
    if isinstance(data, list | tuple):
        return next((odd for part in data if (odd := _odd(part)) is not None), None)
    return None if data is None or isinstance(data, str | int | float | Fraction) else data
