"""Data for a page to play a level that has too many states for a table.

With its ground operators (`operators.py`) a level can be played freely. Some games have none, and in others the move of
an action depends on the position; these are played by a table of a part of the states, near to the start or, if a
search finds a solution soon, near to the solution. Work is counted and not timed, so equal levels have equal pages: see
`signs.py`, `SEARCHED` and `PART`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from unpuzzle.errors import DependencyMissing, LimitReached, UnpuzzleError, UnsupportedFeature
from unpuzzle.limits import Deadline, Limits, ticking
from unpuzzle.playing.page.operators import GroundOperators
from unpuzzle.playing.page.placements import CostedMove
from unpuzzle.playing.page.signs import MOST_LOOKS, LookCounter
from unpuzzle.playing.page.tables import Edge, StateTable
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.result import GAVE_UP, UNSOLVABLE
from unpuzzle.solving import solve
from unpuzzle.spaces.by_rules import RulesSpace
from unpuzzle.spaces.exploration import Exploration

SEARCHED = 40_000
"""The most states that a search for a solution may expand."""
PART = 1_000
"""The states of a table that is a part, if the solution does not need more."""
FREE = "It can be played, but this page knows no hints for it"
AROUND_SOLUTION = "This page knows one solution and the positions near to it"
AROUND_START = "This page knows the positions near to the start, and no solution"
FILM = "Only one solution can be played here, by Solution or move by move."
LargeLevel = tuple[StateTable | GroundOperators, str, str, dict[str, Any]]
"""The data to play a large level, why there are no hints, why it cannot be solved, and the page's notes."""


def play_large(position: Position, why: str, solution: Sequence[str], deadline: Deadline, *, free: bool) -> LargeLevel:
    """Return the data to play a large level; `why` is the reason for having no table of all states.

    `solution` and `free` are as in `PlayableLevel.of`. Raises LimitReached, UnsupportedFeature for a game with chance.
    """
    deadline = deadline.during("looking for what a page can play a large level by")
    unsolvable = (position.impossible() or "").rstrip(".")
    if solution and not free:
        return _film(position, solution, unsolvable, deadline)
    try:
        if keyboard_of(position).get("checkpoints"):
            raise UnsupportedFeature("its checkpoints are kept with positions", feature="checkpoints")
        operators = GroundOperators(position, Deadline(half(deadline), deadline.phase))
    except (UnsupportedFeature, DependencyMissing, LimitReached) as error:
        deadline.look()
        if solution:
            return _film(position, solution, unsolvable, deadline)
        return _part(position, f"{why}, and {error}", unsolvable, deadline)
    return (operators, f"{why}. {FREE}", unsolvable, {"note": f"{FREE}: {why}."})


def keyboard_of(position: Position) -> Mapping[str, float]:
    """Return how a position's keys differ from those of all pages, as `Pictured` says; empty if they do not."""
    pictured = offered(position, Pictured)
    return {} if pictured is None else pictured.keyboard()


def half(deadline: Deadline) -> Limits:
    """Return half of the remaining time: work that takes longer is skipped."""
    limits = deadline.limits
    return limits.lasting(limits.time and limits.time / 2)


def _film(position: Position, solution: Sequence[str], unsolvable: str, deadline: Deadline) -> LargeLevel:
    """Play only the states of a solution."""
    positions, edges, operators = [position], [], []
    with ticking(deadline):
        for number, move in enumerate(solution):
            deadline()
            operators.append((move, positions[-1].cost(move)))
            positions.append(positions[-1].apply(move))
            edges.append([(number, number + 1)])
    table = StateTable(_space(positions, edges, operators, deadline), deadline)
    return (table, FILM, unsolvable, {"note": FILM, "film": 1})


def _part(position: Position, why: str, unsolvable: str, deadline: Deadline) -> LargeLevel:
    """Play the states near to a solution or, without one, near to the start."""
    solution, unsolvable = ((), unsolvable) if unsolvable else _search(position, deadline)
    space, ends = space_around(position, solution, PART, deadline)
    table = StateTable(space, deadline)
    what = AROUND_SOLUTION if solution else AROUND_START
    unknown = [number for number, each in enumerate(table.positions) if each in ends]
    head = {"note": f"{what}: {why}.", "open": unknown} | ({"solution": list(solution)} if solution else {})
    return (table, f"{why}. {what}", unsolvable, head)


def _search(position: Position, deadline: Deadline) -> tuple[Sequence[str], str]:
    """Return the moves of a solution, if one is found soon, and why there is none, if that is proved."""
    try:
        result = solve(position, limits=half(deadline), max_expanded=SEARCHED)
    except UnpuzzleError:
        deadline.look()
        return (), ""
    deadline.look()
    unsolvable = result.message or "a search of all that can be reached has found no solution"
    return result.moves or (), unsolvable.rstrip(".") if result.status == UNSOLVABLE else ""


def _space(
    positions: list[Position], edges: list[list[Edge]], operators: list[CostedMove], deadline: Deadline
) -> Exploration:
    """Return a part of a state space; the positions at its end have no moves."""
    edges += [[] for _ in positions[len(edges) :]]
    space = RulesSpace(positions, edges, operators, GAVE_UP)
    with ticking(deadline):
        space.compute()
    return Exploration(positions[0], space)


def space_around(
    start: Position, solution: Sequence[str], most: int, deadline: Deadline
) -> tuple[Exploration, set[Position]]:
    """Return a space of about `most` states near to a solution, or to the start, and its states with unknown moves.

    The positions of the solution come first, so all moves in each of them are known. If a game's turns are costly,
    which is counted, there are fewer states (see `signs.py`).
    """
    looks = LookCounter(deadline, MOST_LOOKS)
    with ticking(looks.of_a_turn):
        way = accumulate(solution, lambda position, move: position.apply(move), initial=start)
        positions = list(dict.fromkeys(way))
        edges, operators = _edges(positions, most, looks)
    ends = set(positions[len(edges) :])
    return _space(positions, edges, list(operators), deadline), ends


def _edges(
    positions: list[Position], most: int, looks: LookCounter
) -> tuple[list[list[tuple[int, int]]], dict[tuple[str, int], int]]:
    """Return the moves of all positions at first; add the positions after them, with their moves, up to `most`."""
    first = len(positions)
    numbers = {position: number for number, position in enumerate(positions)}
    operators: dict[tuple[str, int], int] = {}
    edges: list[list[tuple[int, int]]] = []
    for position in positions:  # the list grows meanwhile
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
