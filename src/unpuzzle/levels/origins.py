"""The origin of a candidate of `generate`: plain data from which every process makes the same level."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.capabilities import Generating, generated, offered
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.record import Record


class Origin(Record):
    """The random numbers of a candidate: its own, or an ancestor's with some of them exchanged.

    Attributes:
        number: the candidate's number.
        base: the number of its first ancestor, or its own; with the seed, it determines the random numbers.
        exchanged: indices of random numbers, each with its replacement.
        parent: the text of the level that it varies; empty for a new candidate.
    """

    number: int
    base: int
    exchanged: tuple[tuple[int, float], ...] = ()
    parent: str = ""

    def child(self, number: int, text: str, exchanged: Mapping[int, float]) -> Origin:
        """Return a child of this candidate, which has this text, with further random numbers exchanged."""
        both = {**dict(self.exchanged), **exchanged}
        return Origin(number, self.base, tuple(sorted(both.items())), text)


class Numbers(Random):
    """The random numbers of an origin, some of them exchanged; `used` counts them.

    All methods of `Random` except `getrandbits` and `randbytes` call `random()` here.
    """

    def __init__(self, game: Game, seed: int, origin: Origin) -> None:
        super().__init__(f"{game.name} {seed} {origin.base}")
        self.used = 0
        self._exchanged = dict(origin.exchanged)

    def random(self) -> float:
        """Return the next number, from 0 to 1."""
        number = super().random()
        self.used += 1
        return self._exchanged.get(self.used - 1, number)


def numbers_used(game: Game, options: Mapping[str, Any], seed: int, origin: Origin) -> int:
    """Count the random numbers used for an origin's level."""
    numbers = Numbers(game, seed, origin)
    generated(game, numbers, options)
    return numbers.used


def descendant(game: Game, options: Mapping[str, Any], seed: int, origin: Origin) -> Position:
    """Return the candidate of an origin: its parent, varied by the game or else by random numbers."""
    able = offered(game, Generating)
    if able is not None and origin.parent:
        try:
            rng = Random(f"{game.name} {seed} {origin.number}")
            varied = able.variation(game.parse(origin.parent), rng, options)
        except ParseError:  # of this parent
            varied = None
        if varied is not None:
            return varied
    return generated(game, Numbers(game, seed, origin), options)
