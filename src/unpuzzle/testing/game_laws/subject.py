"""The game under test, and what all laws look at: its levels, samples, walks from them, moves and letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, TypeVar

from unpuzzle.errors import UnpuzzleError, UnsupportedFeature
from unpuzzle.puzzle.faults import broken_promise, raised_at
from unpuzzle.puzzle.position import Game, Position

Thing = TypeVar("Thing")
Law = Callable[["Subject"], None]

if TYPE_CHECKING:
    from hypothesis import settings

SAMPLES = 40
MOST_LEVELS = 30
STEPS = 20
"""A walk has up to so many moves."""
MOVES_TRIED = 40
"""Of the moves of a position with very many, so many are tried."""
MOST_STATES = 2_000
"""A search for a law looks at so many positions, and no further."""


def require(holds: object, sentence: str) -> None:
    """Raise AssertionError with a sentence about a game where a law does not hold."""
    __tracebackhide__ = True
    if not holds:
        raise AssertionError(sentence)


class Subject:
    """A game and what there is to see of it; all of it is made once."""

    def __init__(self, game: Game, share: float = 1) -> None:
        self.game = game
        self.share = share
        self.verdicts: dict[Law, AssertionError | None] = {}
        """How the laws named for causes fail, of those that were asked already."""

    def some(self, examples: int) -> int:
        """So many examples, or the share of them that is tried; never none."""
        return max(1, round(self.share * examples))

    @cached_property
    def levels(self) -> dict[str, Position]:
        """The bundled levels, or the first of very many."""
        names = list(self.game.levels)[:MOST_LEVELS]
        return {name: self.game.parse(self.game.levels[name], name) for name in names}

    @cached_property
    def samples(self) -> list[Position]:
        """Random small levels."""
        return [self.game.sample(Random(seed)) for seed in range(self.some(SAMPLES))]

    @cached_property
    def starts(self) -> list[Position]:
        """Where walks begin; the shortest texts first, as what fails there is the easiest to look at."""
        return sorted([*self.samples, *self.levels.values()], key=lambda position: len(str(position)))

    @cached_property
    def texts(self) -> list[str]:
        """The texts of all starts, and of the levels as they are bundled."""
        return list(dict.fromkeys([*map(str, self.starts), *list(self.game.levels.values())[:MOST_LEVELS]]))

    @cached_property
    def letters(self) -> list[str]:
        """The characters that this game's levels are made of."""
        return sorted(set("".join(self.texts)))

    @cached_property
    def scraps(self) -> list[str]:
        """Characters, words and lines of its levels, from which wrong levels are made."""
        words = [word for text in self.texts for word in text.split()]
        lines = [line + "\n" for text in self.texts for line in text.splitlines()]
        return list(dict.fromkeys([*self.letters, *words[:60], *lines[:60]]))

    @cached_property
    def moves(self) -> list[str]:
        """Moves of this game, as far as some walks see them."""
        seen: dict[str, None] = {}
        for number, start in enumerate(self.starts):
            for position in wander(start, Random(number), 5):
                seen.update(dict.fromkeys(position.moves()[:MOVES_TRIED]))
        return list(seen)

    def everywhere(self, holds: Callable[[Position], None], *, examples: int = 60, steps: int = STEPS) -> None:
        """Test a law of positions wherever random walks lead from the starts."""
        __tracebackhide__ = True
        from hypothesis import given
        from hypothesis import strategies as st

        @quietly(self.some(examples))
        @given(st.integers(0, len(self.starts) - 1), st.lists(st.integers(0, 9999), max_size=steps))
        def look(start: int, choices: list[int]) -> None:
            __tracebackhide__ = True
            self._look(holds, self.starts[start], choices)

        look()

    def _look(self, holds: Callable[[Position], None], start: Position, choices: list[int]) -> None:
        __tracebackhide__ = True
        position, moves = start, list[str]()
        try:
            for choice in choices:
                if not (offered := position.moves()):
                    break
                moves.append(offered[choice % len(offered)])
                position = position.apply(moves[-1])
            holds(position)
        except UnsupportedFeature:
            raise
        except Exception as error:
            way = f"after the moves {' '.join(moves)} from" if moves else "in"
            raise AssertionError(f"{self.sentence(error, start)}\n{way} the level\n{start}") from error

    def sentence(self, error: Exception, *positions: Position) -> str:
        """Return what went wrong, in words: a law's own sentence, or what the game has returned or raised."""
        if isinstance(error, AssertionError) and raised_at(error, self.game) is None:
            return str(error)
        for position in positions:
            broken = broken_promise(position)
            if broken is not None:
                return str(broken)
        if isinstance(error, UnpuzzleError):
            return str(error)
        place = raised_at(error, self.game)
        where = "" if place is None else f"{place[0]}:{place[1]}: "
        return f"{where}{type(error).__name__}: {error}".rstrip(": ")


def spread(things: list[Thing], number: int) -> list[Thing]:
    """So many of them, small ones and large ones."""
    return things[:: -(-len(things) // number) or 1]


def quietly(examples: int) -> settings:
    """Return the settings of hypothesis for laws: the same examples every time, nothing kept on disk."""
    from hypothesis import HealthCheck, Phase, settings

    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        print_blob=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


def told(law: Law, subject: Subject) -> None:
    """Apply a law; whatever goes wrong becomes a sentence. Laws about PDDL or moves are skipped where it has none."""
    __tracebackhide__ = True
    try:
        law(subject)
    except UnsupportedFeature as error:
        if error.feature not in ("PDDL", "moves"):
            raise AssertionError(str(error)) from error
        import pytest

        pytest.skip(str(error))
    except Exception as error:
        if type(error) is AssertionError and raised_at(error, subject.game) is None:
            raise
        made = list(vars(subject).get("starts", ()))[:5]
        raise AssertionError(subject.sentence(error, *made)) from error


def skip(reason: str) -> None:
    """Leave out a law that has nothing to look at in this game."""
    import pytest

    pytest.skip(reason)


def wander(position: Position, rng: Random, steps: int = STEPS) -> Iterator[Position]:
    """Yield the positions on a random walk, with the one it begins in."""
    yield position
    for _ in range(steps):
        if not (moves := position.moves()):
            break
        position = position.apply(rng.choice(moves))
        yield position


def layers(start: Position, most: int = MOST_STATES) -> Iterator[list[Position]]:
    """Yield the positions in reach, by the fewest moves to them; only whole layers, up to about `most` positions."""
    seen, layer = {start}, [start]
    while layer:
        yield layer
        if len(seen) > most:
            return
        found = {after: None for position in layer for after in map(position.apply, position.moves())}
        layer = [position for position in found if position not in seen]
        seen.update(layer)


def solvable(position: Position, most: int = MOST_STATES) -> bool | None:
    """Return whether a goal can be reached; None if there is more to search than `most` positions."""
    seen = 0
    for layer in layers(position, most):
        if any(other.solved() for other in layer):
            return True
        seen += len(layer)
    return None if seen > most else False
