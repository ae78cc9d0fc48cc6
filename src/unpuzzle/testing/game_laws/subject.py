"""The game under test, with the levels, random walks and other data that all laws use."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property, partial, wraps
from random import Random
from typing import NoReturn, TypeVar

from unpuzzle.base.errors import UnpuzzleError, UnsupportedFeature
from unpuzzle.base.text import words_of
from unpuzzle.constraints import TooManyNodesError
from unpuzzle.model.capabilities import Pictured, offered
from unpuzzle.model.faults import broken_promise, raised_by
from unpuzzle.model.position import Game, Position, wander

Thing = TypeVar("Thing")
Law = Callable[["LawSubject"], None]
Run = TypeVar("Run", bound=Callable[..., object])
PositionLaw = Callable[["LawSubject", Position], None]
Condition = Callable[[Game, Position], object]

SAMPLES = 40
MOST_LEVELS = 30
STEPS = 20
"""The most moves of a walk."""
MOVES_TRIED = 40
"""The most moves of a position that are tried."""
MOST_STATES = 2_000
"""The most positions that a search for a law examines."""


def require(holds: object, sentence: str) -> None:
    """Raise AssertionError with a sentence about the game if a condition is false."""
    __tracebackhide__ = True
    if not holds:
        raise AssertionError(sentence)


def where(applies: Condition, lack: str) -> Callable[[Law], Law]:
    """Return a decorator that skips a law unless `applies(game, position)` is true; `lack` is the reason shown."""

    def law_of(holds: Law) -> Law:
        @wraps(holds)
        def law(subject: LawSubject) -> None:
            __tracebackhide__ = True
            if not applies(subject.game, subject.starts[0]):
                skip(f"{subject.game.name} {lack}")
            holds(subject)

        vars(law)["applies"] = applies
        return law

    return law_of


def needs(capability: type, lack: str) -> Callable[[Law], Law]:
    """Return a decorator that skips a law for games without a capability; `lack` is the reason shown."""

    def able(game: Game, position: Position) -> bool:
        return offered(game, capability) is not None or offered(position, capability) is not None

    return where(able, lack)


def applicable(game: Game, laws: Iterable[Law]) -> list[Law]:
    """Return the laws that apply to a game's first level; all laws if that level cannot be parsed."""
    laws = list(laws)
    try:
        name, text = next(iter(game.levels.items()))
        start = game.parse(text, name)
        return [law for law in laws if vars(law).get("applies", lambda *_: True)(game, start)]
    except Exception:  # a law reports it
        return laws


def everywhere(*, examples: int = 60, steps: int = STEPS) -> Callable[[PositionLaw], Law]:
    """Return a decorator that turns a test of one position into a law, tested on all positions of random walks."""

    def law_of(holds: PositionLaw) -> Law:
        @wraps(holds)
        def law(subject: LawSubject) -> None:
            __tracebackhide__ = True
            subject.everywhere(partial(holds, subject), examples=examples, steps=steps)

        return law

    return law_of


class LawSubject:
    """A game under test, with its levels, samples, moves and letters, each computed only once."""

    def __init__(self, game: Game, share: float = 1) -> None:
        self.game = game
        self.share = share
        self.verdicts: dict[Law, AssertionError | None] = {}
        """The failure of each cause tested so far, or None."""

    def some(self, examples: int) -> int:
        """Return the share of `examples` that are to be tried, at least 1."""
        return max(1, round(self.share * examples))

    @cached_property
    def levels(self) -> dict[str, Position]:
        """The bundled levels; only the first levels if the game has very many."""
        names = list(self.game.levels)[:MOST_LEVELS]
        return {name: self.game.parse(self.game.levels[name], name) for name in names}

    @cached_property
    def samples(self) -> list[Position]:
        """Random small levels of the game."""
        return [self.game.sample(Random(seed)) for seed in range(self.some(SAMPLES))]

    @cached_property
    def starts(self) -> list[Position]:
        """The positions from which random walks begin, short texts first."""
        return sorted([*self.samples, *self.levels.values()], key=lambda position: len(str(position)))

    @cached_property
    def texts(self) -> list[str]:
        """The texts of all starts, and of the bundled levels."""
        return list(dict.fromkeys([*map(str, self.starts), *list(self.game.levels.values())[:MOST_LEVELS]]))

    @cached_property
    def letters(self) -> list[str]:
        """The characters that occur in this game's levels."""
        return sorted(set("".join(self.texts)))

    @cached_property
    def scraps(self) -> list[str]:
        """Characters, words and lines from levels, of which invalid levels are made."""
        words = [word for text in self.texts for word in text.split()]
        lines = [line + "\n" for text in self.texts for line in text.splitlines()]
        return list(dict.fromkeys([*self.letters, *words[:60], *lines[:60]]))

    @cached_property
    def moves(self) -> list[str]:
        """Moves of this game, collected on random walks."""
        walks = (wander(start, Random(number), 5) for number, start in enumerate(self.starts))
        return list(dict.fromkeys(move for walk in walks for place in walk for move in place.moves()[:MOVES_TRIED]))

    def everywhere(self, holds: Callable[[Position], None], *, examples: int = 60, steps: int = STEPS) -> None:
        """Test a law on the positions of random walks; skip positions that need too large a search."""
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
        """Test a law on the position after the moves that `choices` select."""
        __tracebackhide__ = True
        position, moves = start, list[str]()
        try:
            for choice in choices:
                if not (offered := position.moves()):
                    break
                moves.append(offered[choice % len(offered)])
                position = position.apply(moves[-1])
            holds(position)
        except TooManyNodesError:
            return
        except UnsupportedFeature:
            raise
        except Exception as error:
            way = f"after the moves {' '.join(moves)} from" if moves else "in"
            raise AssertionError(f"{self.sentence(error, start)}\nThis happened {way} the level\n{start}") from error

    def sentence(self, error: Exception, *positions: Position) -> str:
        """Return a failure as a sentence: the law's own sentence, or the place of the fault in the game's code."""
        if isinstance(error, AssertionError) and raised_by(self.game, error) is None:
            return str(error)
        for position in positions:
            broken = broken_promise(position)
            if broken is not None:
                return str(broken)
        if isinstance(error, UnpuzzleError):
            return str(error)
        return str(raised_by(self.game, error) or words_of(error))


def seen_of(position: Position) -> Hashable:
    """Return a value that is equal for positions with equal pictures; by default the position itself."""
    pictured = offered(position, Pictured)
    return pictured.seen() if pictured else position


def spread(things: list[Thing], number: int) -> list[Thing]:
    """Return at most `number` items of a list, taken at equal distances."""
    return things[:: -(-len(things) // number) or 1]


def quietly(examples: int) -> Callable[[Run], Run]:
    """Return a decorator with the settings of hypothesis for laws: fixed examples, and no files on disk."""
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


def apply_law(law: Law, subject: LawSubject) -> None:
    """Test a law on a game; a failure becomes an AssertionError with a sentence."""
    __tracebackhide__ = True
    try:
        law(subject)
    except UnsupportedFeature as error:
        if error.feature not in ("PDDL", "moves"):
            raise AssertionError(str(error)) from error
        skip(str(error))
    except Exception as error:
        if type(error) is AssertionError and raised_by(subject.game, error) is None:
            raise
        starts = list(vars(subject).get("starts", ()))[:5]
        raise AssertionError(subject.sentence(error, *starts)) from error


def skip(reason: str) -> NoReturn:
    """Skip a law that does not apply to this game, with the reason."""
    import pytest

    pytest.skip(reason)


def layers(start: Position, most: int = MOST_STATES) -> Iterator[list[Position]]:
    """Yield lists of positions by the number of moves from the start, until about `most` positions were found."""
    reached, layer = {start}, [start]
    while layer:
        yield layer
        if len(reached) > most:
            return
        successors = {after: None for position in layer for after in map(position.apply, position.moves())}
        layer = [position for position in successors if position not in reached]
        reached.update(layer)


def solvable(position: Position, most: int = MOST_STATES) -> bool | None:
    """Return whether a goal can be reached; None if a search of `most` positions does not decide it."""
    positions = 0
    for layer in layers(position, most):
        if any(other.solved() for other in layer):
            return True
        positions += len(layer)
    return None if positions > most else False
