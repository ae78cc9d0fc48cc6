"""Levels on which search components are tested (instances), and the positions of these levels as plain data.

The positions of an instance are all reachable ones or, if there are too many, the nearest ones and some on random
walks; for levels that are constraints, also a way to the solution. A place has the right answers for `successors`,
`is_goal` and `cost`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

from unpuzzle.base.distances import Explorer
from unpuzzle.base.errors import ParseError
from unpuzzle.constraints import Search, TooManyNodesError
from unpuzzle.model.capabilities import Constrained, ForComponents, offered
from unpuzzle.model.faults import require_same_after
from unpuzzle.model.position import Game, Position
from unpuzzle.state_space.space import steps_by_rules
from unpuzzle.untrusted.child import NotPlainError, decode, encode

SMALL, NEAREST = 1000, 100
LEVELS, SAMPLES = 12, 12
WALKS, STEPS = 5, 40
STATES = 6000
_MOST_NODES = 20_000  # of the search for a solution


class Instance:
    """A level with the reachable positions on which components are tested.

    Attributes:
        name: the bundled level's name, or `sample 3`.
        start: the position of the level.
        ways: moves from the start, by position, nearest first.
        exhaustive: whether these are all reachable positions.
        solved: a nearest solved position among them, or None.
        arguments: the arguments of functions besides the state, as JSON; `assumed` may be left out.
    """

    def __init__(self, name: str, start: Position, seed: int, small: int = SMALL) -> None:
        self.name = name
        self.start = start
        self.ways: dict[Position, tuple[str, ...]]
        self._first: dict[Position, tuple[Position, tuple[str, ...]]]
        self.exhaustive: bool = self._explore(small)
        if not self.exhaustive:
            self.ways = dict(list(self.ways.items())[:NEAREST])
            self._walk(Random(seed))
            self._solve()
        self.ways = dict(sorted(self.ways.items(), key=lambda item: len(item[1])))
        self.solved: Position | None = next((position for position in self.ways if position.solved()), None)
        special = offered(start, ForComponents)
        self.arguments: dict[str, Any] = encode(special.component_arguments()) if special else {}
        self.assumed: frozenset[str] = frozenset(special.assumed_arguments() if special else ())

    def _explore(self, most: int) -> bool:
        """Explore breadth first up to about `most` positions; return whether all positions are explored."""
        explorer = Explorer(self.start, steps_by_rules, require_same_after)
        while explorer.depth is not None and len(explorer.states) <= most:
            explorer.expand()
        self.ways = {position: tuple(explorer.way(number)) for number, position in enumerate(explorer.states)}
        self._first = {position: (position, way) for position, way in self.ways.items()}
        return len(explorer.states) <= most

    def _walk(self, rng: Random) -> None:
        for _ in range(WALKS):
            position = self.start
            for _ in range(STEPS):
                if not (moves := position.moves()):
                    break
                position = self._step(position, rng.choice(moves))

    def _solve(self) -> None:
        """Add the positions on the path to a solution, if a short search with the constraints finds a solution."""
        if (constrained := offered(self.start, Constrained)) is None:
            return
        position, solution = self.start, None
        with suppress(TooManyNodesError):
            solution = next(Search(constrained.constraints(), most_nodes=_MOST_NODES).solutions(), None)
        for move in constrained.moves_to(solution) if solution is not None else ():
            position = self._step(position, move)

    def _step(self, position: Position, move: str) -> Position:
        """Return the position after a move, and store the shortest known sequence of moves to it."""
        after, way = position.apply(move), (*self.ways[position], move)
        self._merge(after, way)
        if len(self.ways.get(after, (*way, ""))) > len(way):
            self.ways[after] = way
        return after

    def _merge(self, reached: Position, way: tuple[str, ...]) -> None:
        """Raise ParseError if `reached` equals an earlier position that has different facts or another text."""
        earlier, first = self._first.setdefault(reached, (reached, way))
        require_same_after(earlier, reached, lambda: ([*first], [*way]))


def instances(game: Game, seed: int = 0) -> list[Instance]:
    """Return levels to test components on; they have more than `STATES` positions if the game has enough levels."""
    chosen: list[Instance] = []
    for number, (name, level) in enumerate(_levels(game, seed)):
        chosen.append(Instance(name, level, seed + number))
        if sum(len(instance.ways) for instance in chosen) > STATES:
            break
    return chosen


def _levels(game: Game, seed: int) -> Iterator[tuple[str, Position]]:
    """Yield the game's `component_levels`; by default, bundled and random levels in turn."""
    special = offered(game, ForComponents)
    levels = None if special is None else special.component_levels(Random(seed))
    if levels is not None:
        yield from ((f"level {i}", level) for i, level in enumerate(levels, 1))
        return
    bundled = list(game.levels.items())[:LEVELS]
    for number in range(max(len(bundled), SAMPLES)):
        if number < len(bundled):
            name, text = bundled[number]
            yield f"level {name}", game.parse(text, f"{game.name} {name}")
        if number < SAMPLES:
            with suppress(ParseError):  # a game without samples
                yield f"sample {number}", game.sample(Random(seed + number))


class ExamplePosition:
    """A position of a level, with its plain data as JSON in `state`."""

    def __init__(self, level: Instance, position: Position, way: tuple[str, ...] = ()) -> None:
        self.level = level
        self.position = position
        self.way = way
        self.state: Any = state_of(position)
        self.solved: bool = position.solved()

    def successors(self) -> dict[str, tuple[list[str], Any, int]]:
        """Return the successors of the position, by key, each with the moves to it, its state, and its least cost."""
        steps: dict[str, tuple[list[str], Any, int]] = {}
        own = key(self.position, self.state)
        for move, after in self.position.following().items():
            state, cost = state_of(after), self.position.cost(move)
            name = key(after, state)
            if name == own:
                continue
            moves, _, least = steps.get(name, ([], None, cost))
            steps[name] = ([*moves, move], state, min(cost, least))
        return steps


def state_of(position: Position) -> Any:
    """Return the plain data of a position as JSON. Raises ParseError if the game returns other data."""
    special = offered(position, ForComponents)
    try:
        return encode(special.plain() if special else str(position))
    except NotPlainError as error:
        raise ParseError(f"plain() of {position.game.name} returns something other than plain data: {error}") from None


def key(position: Position, state: Any) -> str:
    """Return a text that is equal for all ways to write the same state."""
    special = offered(position, ForComponents)
    if special is not None and type(special).respelled is not ForComponents.respelled:
        state = encode(special.respelled(decode(state)))
    return json.dumps(state, sort_keys=True)


def places_of(levels: Iterable[Instance]) -> list[ExamplePosition]:
    """Return the positions of all levels without duplicates, sorted by the number of moves from the start."""
    places: dict[tuple[str, str], ExamplePosition] = {}
    for level in levels:
        arguments = json.dumps(level.arguments, sort_keys=True)
        for position, way in level.ways.items():
            place = ExamplePosition(level, position, way)
            name = arguments, key(position, place.state)
            if name not in places or len(way) < len(places[name].way):
                places[name] = place
    return sorted(places.values(), key=lambda place: len(place.way))
