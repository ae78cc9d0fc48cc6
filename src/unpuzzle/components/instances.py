"""Instances: bundled levels and random small ones, with positions to try components on and the moves to them.

These are all positions that can be reached or, where there are too many, the nearest ones and some on random walks; of
levels that are constraints, also a way to the solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

from unpuzzle.constraints import Search, TooManyNodesError
from unpuzzle.errors import ParseError
from unpuzzle.puzzle.capabilities import Constrained, ForComponents, offered
from unpuzzle.puzzle.equality import after as words_after
from unpuzzle.puzzle.equality import require_same
from unpuzzle.puzzle.position import Game, Position

SMALL, NEAREST = 1000, 100
LEVELS, SAMPLES = 12, 12
WALKS, STEPS = 5, 40
STATES = 6000
_MOST_NODES = 20_000  # nodes of the search for a solution


class Instance:
    """A level, and positions of it.

    Attributes:
        name: the bundled level's name, or `sample 3`.
        start: the position of the level.
        ways: moves from the start, by position; in the nearest-first order.
        exhaustive: whether these are all that can be reached.
        solved: a solved position among them that is nearest, or None.
    """

    def __init__(self, name: str, start: Position, seed: int, small: int = SMALL) -> None:
        self.name = name
        self.start = start
        self.ways: dict[Position, tuple[str, ...]] = {start: ()}
        self._known: dict[Position, tuple[Position, tuple[str, ...]]] = {start: (start, ())}
        self.exhaustive: bool = self._explore(small)
        if not self.exhaustive:
            self.ways = dict(list(self.ways.items())[:NEAREST])
            self._walk(Random(seed))
            self._solve()
        self.ways = dict(sorted(self.ways.items(), key=lambda item: len(item[1])))
        self.solved: Position | None = next((position for position in self.ways if position.solved()), None)

    def _explore(self, most: int) -> bool:
        """Explore breadth first; return whether that came to an end."""
        layer = [self.start]
        while layer:
            following = []
            for position in layer:
                for move in position.moves():
                    after = position.apply(move)
                    way = (*self.ways[position], move)
                    if after not in self.ways:
                        self.ways[after] = way
                        following.append(after)
                    self._merge(after, way)
                if len(self.ways) > most:
                    return False
            layer = following
        return True

    def _walk(self, rng: Random) -> None:
        for _ in range(WALKS):
            position = self.start
            for _ in range(STEPS):
                moves = position.moves()
                if not moves:
                    break
                position = self._step(position, rng.choice(moves))

    def _solve(self) -> None:
        """Go to a solution, where constraints lead there without much search."""
        constrained = offered(self.start, Constrained)
        if constrained is None:
            return
        search, position = Search(constrained.constraints(), most_nodes=_MOST_NODES), self.start
        try:
            solution = next(search.solutions(), None)
        except TooManyNodesError:
            return
        for move in constrained.moves_to(solution) if solution is not None else ():
            position = self._step(position, move)

    def _step(self, position: Position, move: str) -> Position:
        """Return the position after a move; a shorter way to it that is known stays."""
        after, way = position.apply(move), (*self.ways[position], move)
        self._merge(after, way)
        if len(self.ways.get(after, (*way, ""))) > len(way):
            self.ways[after] = way
        return after

    def _merge(self, reached: Position, way: tuple[str, ...]) -> None:
        """Refuse a position that is equal to a known one and not the same. Raises ParseError."""
        known, first = self._known.setdefault(reached, (reached, way))
        require_same(known, reached, lambda: (words_after(first), words_after(way)))


def instances(game: Game, seed: int = 0) -> list[Instance]:
    """Return levels to try components on, until they have as many positions as is good."""
    chosen: list[Instance] = []
    for number, (name, level) in enumerate(_levels(game, seed)):
        chosen.append(Instance(name, level, seed + number))
        if sum(len(instance.ways) for instance in chosen) > STATES:
            break
    return chosen


def _levels(game: Game, seed: int) -> Iterator[tuple[str, Position]]:
    """Yield the levels that the game has for components; else bundled levels and samples in turn."""
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
