"""What holds for games and positions that lack a capability."""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.capabilities.asking import offered
from unpuzzle.puzzle.capabilities.of_games import Generating, HasHeuristics, HasOptions, Importing, Listing, Walkable
from unpuzzle.puzzle.capabilities.of_positions import (
    Assuming,
    Parameterized,
    Plain,
    Respelled,
    Scored,
    Staged,
    Symmetric,
    Written,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random
    from typing import Any

    from unpuzzle.puzzle.game import Game
    from unpuzzle.puzzle.heuristic import Heuristic, Subgoal
    from unpuzzle.puzzle.options import Option
    from unpuzzle.puzzle.position import Position

SMALL_LEVEL_TRIES = 100
SAMPLE_MOVES = 20


def heuristics_of(game: Game) -> Mapping[str, Heuristic]:
    """The heuristics of a game by name, `null` always among them."""
    from unpuzzle.puzzle.heuristic import NULL

    found = offered(game, HasHeuristics)
    return {**found.heuristics, NULL.name: NULL} if found else {NULL.name: NULL}


def options_of(game: Game) -> Mapping[str, Option]:
    """What levels of a game may be asked to be; nothing, if it does not say."""
    found = offered(game, HasOptions)
    return found.options if found else {}


def compass_of(game: Game) -> tuple[str, ...]:
    """The headings of a walker, clockwise; none, if no walker walks."""
    found = offered(game, Walkable)
    return found.compass if found else ()


def formats_of(game: Game) -> Mapping[str, Callable[[bytes, str], str]]:
    """Readers of other formats, by the end of a file's name."""
    found = offered(game, Importing)
    return found.formats if found else {}


def generated(game: Game, rng: Random, options: Mapping[str, Any]) -> Position:
    """A random level; a sample, of games that do not generate levels."""
    found = offered(game, Generating)
    return found.generate(rng, options) if found else game.sample(rng)


def every_level(game: Game, options: Mapping[str, Any]) -> Iterable[Position] | None:
    """Every level of a shape, or None if the game does not list them."""
    found = offered(game, Listing)
    return found.every(options) if found else None


def small_level(game: Game, rng: Random) -> Position:
    """A random small level, for games that have no samples of their own."""
    found = offered(game, Generating)
    if found is None:
        return _wandered(game, rng)
    options = options_of(game)
    for _ in range(SMALL_LEVEL_TRIES):
        try:
            return found.generate(rng, {name: option.small(rng) for name, option in options.items()})
        except ParseError:
            continue  # these small values do not go together
    return found.generate(rng, {name: option.default for name, option in options.items()})


def _wandered(game: Game, rng: Random) -> Position:
    """A position some random moves on from a bundled level."""
    if not game.levels:
        raise ParseError(f"{game.name} has no levels to take samples from; define levels, sample() or generate()")
    position = game.parse(rng.choice(list(game.levels.values())))
    for _ in range(rng.randint(0, SAMPLE_MOVES)):
        moves = position.moves()
        if not moves:
            break
        position = position.apply(rng.choice(moves))
    return position


def symmetries_of(position: Position) -> Iterable[Position]:
    """The positions that are the same but for symmetry; the position alone, if it does not say."""
    found = offered(position, Symmetric)
    return found.symmetries() if found else (position,)


def subgoals_of(position: Position) -> Sequence[Subgoal] | None:
    """What to achieve one after the other; None if the position names no subgoals."""
    found = offered(position, Staged)
    return found.subgoals() if found else None


def score_of(position: Position, moves: Iterable[str]) -> int | None:
    """The points of legal moves from here; None of games without points."""
    found = offered(position, Scored)
    return found.score(moves) if found else None


def level_text_of(position: Position) -> str:
    """The position as levels of its game are written."""
    found = offered(position, Written)
    return found.as_level() if found else str(position)


def plain_of(position: Position) -> object:
    """The position as plain data; its text, if it has no other."""
    found = offered(position, Plain)
    return found.plain() if found else str(position)


def respelled(position: Position, plain: object) -> object:
    """Plain data of a position of the same level, in the way in which its `plain()` writes it."""
    found = offered(position, Respelled)
    return found.respelled(plain) if found else plain


def component_arguments_of(position: Position) -> dict[str, object]:
    """What search components may take besides a state; nothing, if the position does not say."""
    found = offered(position, Parameterized)
    return found.component_arguments() if found else {}


def assumed_arguments_of(position: Position) -> frozenset[str]:
    """The arguments of search components that may be left out; none, if the position does not say."""
    found = offered(position, Assuming)
    return frozenset(found.assumed_arguments()) if found else frozenset()
